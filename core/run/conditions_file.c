/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and reads what conditions remember in a checkpoint. */
#include "run/conditions_file.h"

enum { MOST_NUMBERS = 100000000 };

void scree_conditions_transfer(scree_h5 *h5, GArray **conditions)
{
    const bool writing = h5->writing;
    if (writing ? !*conditions || !(*conditions)->len : !h5->io->has(h5, "conditions"))
        return; // there are none, or an older program wrote the file
    uint64_t n = writing ? (*conditions)->len : 0;
    double *v = writing ? (double *)(void *)(*conditions)->data : NULL;
    h5->io->group(h5, "conditions");
    h5->io->count(h5, "n", &n, MOST_NUMBERS);
    h5->io->array(h5, "values", SCREE_H5_F64, n, 1, &v);
    h5->io->leave(h5);
    if (writing)
        return;
    *conditions = g_array_new(FALSE, FALSE, sizeof(double));
    if (!h5->error)
        g_array_append_vals(*conditions, v, (guint)n);
    g_free(v);
}
