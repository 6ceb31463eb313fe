// SPDX-License-Identifier: Apache-2.0
// Scalars of observer `wall`, for conditions: loads of groups in a state, totals of the run.
#include <inttypes.h>

#include "wall.h"

enum { ROOM = SCREE_MAX_SCALAR_NAME + 1 };
/* Each group has these scalars; forces are those of the state, not means since a row. */
enum {
    FX,
    FY,
    FZ,
    TX,
    TY,
    TZ,
    TORQUE,
    NORMAL,
    CONTACTS,
    IMPACTS,
    WORK,
    POWER,
    WEAR_IMPACT,
    WEAR_SLIDING,
    N_LOADS
};
static const scree_scalar loads[N_LOADS] = {SCREE_SCALAR("fx", "N", 0),
                                            SCREE_SCALAR("fy", "N", 0),
                                            SCREE_SCALAR("fz", "N", 0),
                                            SCREE_SCALAR("tx", "N m", 0),
                                            SCREE_SCALAR("ty", "N m", 0),
                                            SCREE_SCALAR("tz", "N m", 0),
                                            SCREE_SCALAR("torque", "N m", 0),
                                            SCREE_SCALAR("normal_force", "N", 0),
                                            SCREE_SCALAR("contacts", "-", 0),
                                            SCREE_SCALAR("impacts", "-", 0),
                                            SCREE_SCALAR("sliding_work", "J", 0),
                                            SCREE_SCALAR("sliding_power", "W", SCREE_SCALAR_RATE),
                                            SCREE_SCALAR("wear_impact", "m^3", 0),
                                            SCREE_SCALAR("wear_sliding", "m^3", 0)};

/* Number of groups that the scene names, or of all groups of the scene. */
static uint32_t count_groups(const wall_observer *self)
{
    uint32_t n = (uint32_t)self->config->groups.n;
    if (n || !self->names)
        return n;
    while (self->names->group_name(self->names->ctx, n))
        n++;
    return n;
}

/* Appends the scalars of a group, unless their names are too long; `plain`: without its name. */
static void list_group(wall_observer *self, uint32_t group, int plain)
{
    const uint32_t at = self->n_scalar_groups * N_LOADS;
    const char *name = plain ? "" : self->names->group_name(self->names->ctx, group);
    if (strlen(name) + strlen(".sliding_power") >= ROOM || at + N_LOADS > SCREE_MAX_SCALARS)
        return;
    for (uint32_t k = 0; k < N_LOADS; k++) {
        char *full = self->scalar_names + (size_t)(at + k) * ROOM;
        snprintf(full, ROOM, "%s%s%s", name, plain ? "" : ".", loads[k].name);
        self->scalars[at + k] = loads[k];
        self->scalars[at + k].name = full;
    }
    self->scalar_groups[self->n_scalar_groups++] = group;
}

int list_scalars(wall_observer *self)
{
    const uint32_t n = count_groups(self);
    self->scalars = calloc(((size_t)n + 1) * N_LOADS, sizeof *self->scalars);
    self->scalar_names = calloc(((size_t)n + 1) * N_LOADS, ROOM);
    self->scalar_groups = calloc((size_t)n + 1, sizeof *self->scalar_groups);
    if (!self->scalars || !self->scalar_names || !self->scalar_groups)
        return 0;
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t group = self->config->groups.n ? self->groups[k] : k;
        int known = 0;
        for (uint32_t j = 0; j < self->n_scalar_groups; j++)
            known |= self->scalar_groups[j] == group;
        if (!known && group != SCREE_NONE)
            list_group(self, group, 0);
    }
    if (self->config->groups.n == 1 && self->n_scalar_groups == 1)
        list_group(self, self->scalar_groups[0], 1);
    return 1;
}

static const scree_scalar *scalar(void *instance, uint32_t k)
{
    const wall_observer *self = instance;
    return k < self->n_scalar_groups * N_LOADS ? &self->scalars[k] : NULL;
}

/* The scalars of the group of body i; NULL: it has none. */
static double *loads_of(const wall_observer *self, const scree_bodies *b, uint32_t i, double *value)
{
    for (uint32_t g = 0; g < self->n_scalar_groups; g++)
        if (self->scalar_groups[g] == b->group[i])
            return value + (size_t)g * N_LOADS;
    return NULL;
}

/* The torque of a drive has no value until a wall turns. */
static void begin_loads(double *to)
{
    memset(to, 0, N_LOADS * sizeof *to);
    to[TORQUE] = (double)NAN;
}

/* Reads totals of the run; NaN: the group has no walls. */
static void read_totals(const wall_observer *self, const scree_bodies *b, double *value)
{
    for (uint32_t k = 0; k < self->n_scalar_groups * N_LOADS; k++)
        value[k] = (double)NAN;
    for (uint64_t k = 0; k < self->memo.n_walls; k++) {
        const uint32_t body = self->body_of[k];
        double *to = body == SCREE_NONE ? NULL : loads_of(self, b, body, value);
        if (!to)
            continue;
        if (isnan(to[FX]))
            begin_loads(to);
        if (turns(b, body) && isnan(to[TORQUE]))
            to[TORQUE] = 0.0;
        for (uint64_t c = 0; c < self->walls[k].n; c++) {
            const facet *f = &self->facets[self->walls[k].first + c];
            to[IMPACTS] += f->impacts;
            to[WORK] += f->work;
            to[POWER] += f->work;
            to[WEAR_IMPACT] += f->finnie;
            to[WEAR_SLIDING] += f->archard;
        }
    }
}

static void read_contact(const wall_observer *self, const scree_view *view, uint64_t c, double *to)
{
    const scree_contact_list *l = view->contacts;
    wall_torque torque = {.drive = 0.0};
    add_torque(self, view, c, &torque);
    for (int k = 0; k < 3; k++) {
        to[FX + k] -= l->f[k][c];
        to[TX + k] += torque.about[k];
        to[NORMAL] -= l->f[k][c] * l->normal[k][c];
    }
    to[TORQUE] += torque.drive;
    to[CONTACTS] += l->depth[c] >= 0.0;
}

static int32_t read_scalars(void *instance, const scree_view *view, double *value)
{
    wall_observer *self = instance;
    const scree_contact_list *l = view->contacts;
    const scree_bodies *b = view->bodies;
    const int32_t status = find_worn_walls(self, view);
    if (status != SCREE_OK)
        return status;
    read_totals(self, b, value);
    const uint64_t n = l ? l->n : 0;
    for (uint64_t c = 0; c < n; c++) {
        const uint32_t at = l->b[c] < b->n_free ? SCREE_NONE : self->wall_of[l->b[c] - b->n_free];
        double *to = at == SCREE_NONE ? NULL : loads_of(self, b, l->b[c], value);
        if (to)
            read_contact(self, view, c, to);
    }
    if (self->config->groups.n == 1 && self->n_scalar_groups == 2) // once more, by plain names
        memcpy(value + N_LOADS, value, N_LOADS * sizeof *value);
    return SCREE_OK;
}

const scree_scalars wall_scalars = {
    .size = sizeof wall_scalars, .scalar = scalar, .read = read_scalars};
