// SPDX-License-Identifier: Apache-2.0
// Fuzz target for STL: any bytes give a shape whose facets hold together, or problems.
#include "mesh_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int drop = 0; drop < 2; drop++) {
        GPtrArray *problems = g_ptr_array_new_with_free_func(g_free);
        GPtrArray *notes = g_ptr_array_new_with_free_func(g_free);
        mesh_soup *m = read_soup(mesh_read_stl, (const char *)data, size, "fuzz", problems, notes);
        finish(m, problems, notes, drop);
    }
    return 0;
}
