/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of `scree compare --report`: samples, facts of the machine, figures, a page. */
#include "compare.h"
#include "run_dir.h"

bool scree_comparison_report(const scree_comparison *c, const char *folder, GError **error)
{
    g_autofree char *json = scree_comparison_json(c);
    return scree_run_dir_write(folder, "compare.json", json, error);
}
