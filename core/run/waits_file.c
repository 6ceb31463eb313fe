/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and reads what conditions remember in a checkpoint. */
#include "run/waits_file.h"

enum { MOST_NUMBERS = 100000000 };

void scree_kept_waits_transfer(scree_h5 *h5, GArray **waits)
{
    const bool writing = scree_h5_is_writing(h5);
    if (writing ? !*waits || !(*waits)->len : !scree_h5_has(h5, "conditions"))
        return; // there are none, or an older program wrote the file
    uint64_t n = writing ? (*waits)->len : 0;
    double *v = writing ? (double *)(void *)(*waits)->data : NULL;
    scree_h5_enter(h5, "conditions");
    scree_h5_count(h5, "n", &n, MOST_NUMBERS);
    scree_h5_array(h5, "values", SCREE_H5_F64, n, 1, &v);
    scree_h5_leave(h5);
    if (writing)
        return;
    *waits = g_array_new(FALSE, FALSE, sizeof(double));
    if (scree_h5_good(h5, NULL))
        g_array_append_vals(*waits, v, (guint)n);
    g_free(v);
}
