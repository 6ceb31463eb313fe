// SPDX-License-Identifier: Apache-2.0
// Fuzz target for LAMMPS data files: any bytes give as many atoms as the header says, or problems.
#include <math.h>
#include <stdlib.h>

#include "shape/lammps_data.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    GPtrArray *problems = g_ptr_array_new_with_free_func(g_free);
    GPtrArray *notes = g_ptr_array_new_with_free_func(g_free);
    scree_lammps_data *d = scree_lammps_parse((const char *)data, size, "fuzz", problems, notes);
    if ((d != NULL) == (problems->len > 0) || problems->len > 20)
        abort();
    if (d && d->n_said != (int64_t)d->atoms->len)
        abort();
    if (d)
        for (guint i = 0; i < d->atoms->len; i++) {
            const scree_lammps_atom *a = &g_array_index(d->atoms, scree_lammps_atom, i);
            if (!(a->diameter > 0.0) || !(a->density > 0.0) || a->type == 0)
                abort();
            for (int k = 0; k < 3; k++)
                if (!isfinite(a->x[k]) || !isfinite(a->v[k]) || !isfinite(a->w[k]))
                    abort();
        }
    scree_lammps_free(d);
    g_ptr_array_free(problems, TRUE);
    g_ptr_array_free(notes, TRUE);
    return 0;
}
