/* SPDX-License-Identifier: Apache-2.0 */
/* Service scree.figures/1 for observers under test: names as in a run, values made from numbers. */
#include "tools/check/check_figures.h"

#include <math.h>
#include <string.h>

#include "plugin/guard.h"
#include "scene/figure_names.h"

static int32_t now(void *ctx, uint32_t n, const char *const *name, double *value)
{
    const char *call = scree_guard_here()->now.call;
    if (!call || (strcmp(call, "observe") && strcmp(call, "read")))
        return SCREE_E_UNSUPPORTED;
    for (uint32_t k = 0; k < n; k++) {
        const int32_t kind = scree_figure_kind(ctx, name[k]);
        if (kind == SCREE_FIGURE_UNKNOWN)
            return SCREE_E_CONFIG;
        value[k] = kind == SCREE_FIGURE_OF_CONTACTS ? (double)NAN : 0.5 + k;
    }
    return SCREE_OK;
}

const scree_figures *scree_check_figures(void)
{
    static const scree_figures figures = {.size = sizeof(scree_figures),
                                          .kind = scree_figure_kind,
                                          .name = scree_figure_name,
                                          .now = now};
    return &figures;
}
