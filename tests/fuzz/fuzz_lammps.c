// SPDX-License-Identifier: Apache-2.0
// Fuzz target for LAMMPS data files: any bytes give as many atoms as the header says, or problems.
#include <math.h>
#include <stdlib.h>

#include "../../plugins/source/lammps_data.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mesh_notes notes = {0};
    lammps_data d;
    const int good = lammps_parse(&d, (const char *)data, size, "fuzz", &notes);
    if (good == (notes.problems.n > 0) || notes.problems.n > MESH_MOST_PROBLEMS)
        abort();
    if (good && d.n_said != (int64_t)d.n_atoms)
        abort();
    const uint64_t n = good ? d.n_atoms : 0;
    for (uint64_t i = 0; i < n; i++) {
        const lammps_atom *a = &d.atom[i];
        if (!(a->diameter > 0.0) || !(a->density > 0.0) || a->type == 0)
            abort();
        for (int k = 0; k < 3; k++)
            if (!isfinite(a->x[k]) || !isfinite(a->v[k]) || !isfinite(a->w[k]))
                abort();
    }
    lammps_clear(&d);
    mesh_lines_clear(&notes.problems);
    mesh_lines_clear(&notes.notes);
    return 0;
}
