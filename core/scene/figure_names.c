/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of figures, and their names for the service scree.figures/1. */
#include "scene/figure_names.h"

#include <glib.h>
#include <string.h>

/* `ninja -C build reference` copies names, units and help to docs/howto/stop-a-run.md. --json has
 * its figures in this order. */
static const scree_figure_row rows[] = {
    {"step", NULL, false, false, true, 0, NULL, NULL, "complete steps"},
    {"time", "s", false, false, true, 0, NULL, NULL, "simulated time"},
    {"bodies", NULL, false, false, true, 0, NULL, NULL, "all bodies, with walls"},
    {"free", NULL, false, false, true, 0, NULL, NULL, "free bodies"},
    {"contacts", NULL, false, false, true, 0, NULL, NULL,
     "contacts of depth 0 or more, with those on walls"},
    {"kinetic", "J", false, false, true, 0, NULL, NULL,
     "energy of the free bodies, translation and rotation"},
    {"gravity", "J", false, false, false, 0, NULL, NULL,
     "potential energy of the free bodies, 0 at the origin"},
    {"stored", "J", false, false, false, 0, NULL, NULL,
     "energy in the springs of contacts, and of modifiers"},
    {"lost", "J", false, false, false, 0, NULL, NULL, "energy turned into heat since the start"},
    {"work", "J", false, false, false, 0, NULL, NULL,
     "work on the bodies since the start: walls that move, modifiers, insertion, removal, swaps"},
    {"residual", "J", false, false, false, 0, NULL, NULL,
     "kinetic + gravity + stored + lost - work, less the sum at the start"},
    {"mass", "kg", false, true, true, 0, "mass", "kg of free bodies", "mass of the free bodies"},
    {"solid_fraction", NULL, false, true, true, 0, "solid", "of the box around them",
     "volume of the free bodies over that of the box around them (of the cell along periodic "
     "axes)"},
    {"max_overlap", NULL, true, true, true, 2, "max overlap", "of the smaller size, at the end",
     "largest depth over the smaller body's radius, or half thickness of a solid; of a clump its "
     "smallest ball"},
    {"max_speed", "m/s", false, true, true, 1, "max speed", "m/s, at the end",
     "the highest of a free body's centre"},
    {"coordination", NULL, false, true, true, 0, "coordination",
     "contacts with free bodies per free body",
     "contacts between free bodies, twice, over their number"},
    {"unbalanced", NULL, true, true, true, 0, "unbalanced",
     "mean resultant of a body over the mean force of a contact",
     "mean resultant on a free body, with gravity, over the mean force of a contact: 0 at rest, "
     "towards 1 in free fall"},
    {"inertial_number", NULL, true, true, true, 0, NULL, NULL,
     "shear rate of the whole, times mean diameter, times the root of density over pressure (GDR "
     "MiDi 2004); below 1e-3 quasi-static"},
    {"wall_power", "W", false, true, false, 0, NULL, NULL,
     "power that moving walls put into the bodies"},
};
G_STATIC_ASSERT(G_N_ELEMENTS(rows) <= SCREE_MOST_FIGURES);

const scree_figure_row *scree_figure_at(uint32_t k)
{
    return k < G_N_ELEMENTS(rows) ? &rows[k] : NULL;
}

int32_t scree_figure_find(const char *name)
{
    for (size_t k = 0; k < G_N_ELEMENTS(rows); k++)
        if (!strcmp(name, rows[k].name))
            return (int32_t)k;
    return -1;
}

uint64_t scree_figures_of_contacts(void)
{
    uint64_t mask = 0;
    for (size_t k = 0; k < G_N_ELEMENTS(rows); k++)
        mask |= (uint64_t)rows[k].of_contacts << k;
    return mask;
}

int32_t scree_figure_kind(void *ctx, const char *name)
{
    const int32_t k = scree_figure_find(name);
    (void)ctx;
    if (k < 0)
        return SCREE_FIGURE_UNKNOWN;
    return rows[k].of_contacts ? SCREE_FIGURE_OF_CONTACTS : SCREE_FIGURE_OF_STATE;
}

const char *scree_figure_name(void *ctx, uint32_t k)
{
    (void)ctx;
    return k < G_N_ELEMENTS(rows) ? rows[k].name : NULL;
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
