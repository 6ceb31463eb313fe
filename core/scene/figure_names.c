/* SPDX-License-Identifier: Apache-2.0 */
/* Names of figures, for the service scree.figures/1. */
#include "scene/figure_names.h"

#include <string.h>

#include "scene/scene_condition.h"

int32_t scree_figure_find(const char *name)
{
    for (int32_t q = 0; q < SCREE_QUANTITIES; q++)
        if (!strcmp(name, scree_quantity_name((uint32_t)q)))
            return q;
    return -1;
}

int32_t scree_figure_kind(void *ctx, const char *name)
{
    const int32_t q = scree_figure_find(name);
    (void)ctx;
    if (q < 0)
        return SCREE_FIGURE_UNKNOWN;
    return (SCREE_QUANTITIES_OF_CONTACTS >> q) & 1 ? SCREE_FIGURE_OF_CONTACTS
                                                   : SCREE_FIGURE_OF_STATE;
}

const char *scree_figure_name(void *ctx, uint32_t k)
{
    (void)ctx;
    return k < SCREE_QUANTITIES ? scree_quantity_name(k) : NULL;
}

static int32_t refuse_figures(void *ctx, uint32_t n, const char *const *name, double *value)
{
    (void)ctx;
    (void)n;
    (void)name;
    (void)value;
    return SCREE_E_UNSUPPORTED;
}

const scree_figures scree_figures_stateless = {.size = sizeof(scree_figures),
                                               .kind = scree_figure_kind,
                                               .name = scree_figure_name,
                                               .now = refuse_figures};
