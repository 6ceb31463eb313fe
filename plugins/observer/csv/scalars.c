// SPDX-License-Identifier: Apache-2.0
// Scalars of observer `csv`: figures of the state, and the force on each group of walls.
#include "scalars.h"

#include <inttypes.h>

// Figures of the host come first; figures of contacts are the last of them.
enum { MASS, N_FIGURES = 7, FIRST_OF_CONTACTS = 5 };
static const scree_scalar figures[N_FIGURES] = {
    SCREE_SCALAR("mass", "kg", 0),        SCREE_SCALAR("solid_fraction", "-", 0),
    SCREE_SCALAR("coordination", "-", 0), SCREE_SCALAR("max_speed", "m/s", 0),
    SCREE_SCALAR("wall_power", "W", 0),   SCREE_SCALAR("max_overlap", "-", 0),
    SCREE_SCALAR("unbalanced", "-", 0)};
static const scree_scalar others[] = {
    SCREE_SCALAR("kinetic", "J", 0),   SCREE_SCALAR("gravity", "J", 0),
    SCREE_SCALAR("stored", "J", 0),    SCREE_SCALAR("lost", "J", 0),
    SCREE_SCALAR("work", "J", 0),      SCREE_SCALAR("residual", "J", 0),
    SCREE_SCALAR("px", "kg m/s", 0),   SCREE_SCALAR("py", "kg m/s", 0),
    SCREE_SCALAR("pz", "kg m/s", 0),   SCREE_SCALAR("lx", "kg m^2/s", 0),
    SCREE_SCALAR("ly", "kg m^2/s", 0), SCREE_SCALAR("lz", "kg m^2/s", 0),
    SCREE_SCALAR("bodies", "-", 0),    SCREE_SCALAR("free", "-", 0),
    SCREE_SCALAR("contacts", "-", 0)};
enum { N_OTHERS = SCREE_COUNT(others) };

static uint32_t count_figures(const csv_scalars *s)
{
    return s->contacts ? N_FIGURES : FIRST_OF_CONTACTS;
}

/* "floor.fx", "floor.fy", "floor.fz"; a group whose name is too long for a scalar has its number
 * instead. */
static void name_forces(csv_scalars *s, const scree_names *names)
{
    enum { ROOM = SCREE_MAX_SCALAR_NAME + 1 };
    for (uint32_t k = 0; k < 3 * s->n_groups; k++) {
        char *name = s->names + (size_t)k * ROOM;
        if (snprintf(name, ROOM, "%s.f%c", names->group_name(names->ctx, k / 3), "xyz"[k % 3]) >=
            ROOM)
            snprintf(name, ROOM, "-%" PRIu32 ".f%c", k / 3, "xyz"[k % 3]);
        s->all[s->n - 3 * s->n_groups + k] = (scree_scalar)SCREE_SCALAR(name, "N", 0);
    }
}

static uint32_t count_groups(const scree_names *names)
{
    uint32_t n = 0;
    while (n < (SCREE_MAX_SCALARS - 100) / 3 && names->group_name(names->ctx, n))
        n++;
    return n;
}

int csv_scalars_list(csv_scalars *s, const scree_names *names, const scree_figures *given,
                     int32_t contacts)
{
    *s = (csv_scalars){.figures = given, .contacts = contacts};
    s->n_groups = names ? count_groups(names) : 0;
    s->n = count_figures(s) + N_OTHERS + 3 * s->n_groups;
    s->all = calloc(s->n, sizeof *s->all);
    s->value = calloc(s->n, sizeof *s->value);
    s->names = calloc(3 * (size_t)s->n_groups + 1, SCREE_MAX_SCALAR_NAME + 1);
    s->has_walls = calloc((size_t)s->n_groups + 1, 1);
    if (!s->all || !s->value || !s->names || !s->has_walls)
        return 0;
    memcpy(s->all, figures, count_figures(s) * sizeof *figures);
    memcpy(s->all + count_figures(s), others, sizeof others);
    name_forces(s, names);
    return 1;
}

void csv_scalars_free(csv_scalars *s)
{
    free(s->all);
    free(s->value);
    free(s->names);
    free(s->has_walls);
}

/* Reads the figures of the state as in the summary; NaN where the host gives none. */
static int32_t read_figures(csv_scalars *s, const scree_view *view)
{
    const char *name[N_FIGURES];
    const uint32_t n = count_figures(s);
    int32_t status = SCREE_OK;
    for (uint32_t k = 0; k < n; k++) {
        s->value[k] = (double)NAN;
        name[k] = figures[k].name;
    }
    if (s->figures)
        status = s->figures->now(s->figures->ctx, n, name, s->value);
    if (s->figures)
        return status;
    s->value[MASS] = 0.0;
    for (uint32_t i = 0; i < view->bodies->n_free; i++)
        s->value[MASS] += 1.0 / view->bodies->inv_mass[i];
    return status;
}

static void read_others(const scree_view *view, double *value)
{
    const scree_energy *e = view->energy;
    const double all[N_OTHERS] = {e->kinetic,
                                  e->gravity,
                                  e->stored,
                                  e->lost,
                                  e->work,
                                  e->residual,
                                  view->momentum[0],
                                  view->momentum[1],
                                  view->momentum[2],
                                  view->angular_momentum[0],
                                  view->angular_momentum[1],
                                  view->angular_momentum[2],
                                  view->bodies->n,
                                  view->bodies->n_free,
                                  (double)view->n_contacts};
    memcpy(value, all, sizeof all);
}

/* Forces [N] on the bodies of each group that are not free, summed in the order of their
 * numbers. */
static int32_t read_forces(csv_scalars *s, const scree_view *view, double *value)
{
    const scree_bodies *b = view->bodies;
    int32_t status;
    memset(s->has_walls, 0, s->n_groups);
    for (uint32_t k = 0; k < 3 * s->n_groups; k++)
        value[k] = (double)NAN;
    for (uint32_t i = b->n_free; i < b->n; i++) {
        const uint32_t g = b->group[i];
        scree_load load = {.size = offsetof(scree_load, stiffness)};
        if (g >= s->n_groups)
            continue;
        status = view->load(view, i, &load);
        if (status != SCREE_OK)
            return status;
        for (int k = 0; k < 3; k++)
            value[3 * g + k] = s->has_walls[g] ? value[3 * g + k] + load.force[k] : load.force[k];
        s->has_walls[g] = 1;
    }
    return SCREE_OK;
}

int32_t csv_scalars_read(csv_scalars *s, const scree_view *view)
{
    read_others(view, s->value + count_figures(s));
    const int32_t status = read_forces(s, view, s->value + s->n - 3 * s->n_groups);
    return status == SCREE_OK ? read_figures(s, view) : status;
}
