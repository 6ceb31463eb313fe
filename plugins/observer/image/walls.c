// SPDX-License-Identifier: Apache-2.0
// Part of observer/image: pressure and wear of the facets of walls, by the sums of observer/wall.
#include "image.h"

#include "../wall/wall.h"

typedef struct wall_sums {
    wall_observer sums; // first member: image->loads points to it
    wall_config config;
} wall_sums;

struct wall_observer *make_loads(const image *self)
{
    wall_sums *all = calloc(1, sizeof *all);
    if (!all)
        return NULL;
    all->config =
        (wall_config){.archard = self->config->archard, .hardness = self->config->hardness};
    all->sums.host = self->host;
    all->sums.config = &all->config;
    all->sums.memo.last = UINT64_MAX;
    all->sums.warned = 1; // walls may come later
    return &all->sums;
}

void destroy_loads(struct wall_observer *loads)
{
    if (loads)
        free_loads(loads);
    free(loads);
}

int32_t add_loads(const image *self, const scree_view *view)
{
    int32_t status = find_worn_walls(self->loads, view);
    if (self->config->wall_load == LOAD_PRESSURE)
        clear_window(self->loads);
    return status == SCREE_OK ? add_state(self->loads, view) : status;
}

/* Pressure [Pa] or depth of wear [m] of a facet. */
static double value_of_facet(const image *self, const scree_bodies *b, uint32_t i, uint64_t c)
{
    const wall_observer *sums = self->loads;
    const facet *f = &sums->facets[sums->walls[sums->wall_of[i - b->n_free]].first + c];
    double centre[3], normal[3], area = place_facet(sums, b, i, c, centre, normal);
    double sum = self->config->wall_load == LOAD_PRESSURE ? f->normal : f->archard;
    return area > 0.0 ? sum / area : 0.0;
}

int32_t colour_walls(image *self, const scree_view *view)
{
    const scree_bodies *b = view->bodies;
    drawing *d = &self->drawing;
    legend *l = &d->wall_legend;
    const int32_t map = self->config->colour_map;
    d->n_wall_values = 0;
    if (!l->unit) {
        const int presses = self->config->wall_load == LOAD_PRESSURE;
        *l = (legend){.kind = COLOUR_FIELD,
                      .map = map == MAP_INFERNO ? MAP_VIRIDIS : MAP_INFERNO,
                      .reversed = 1,
                      .unit = presses ? "Pa" : "m"};
        snprintf(l->name, sizeof l->name, presses ? "pressure" : "wear");
    }
    for (uint32_t i = b->n_free; i < b->n; i++) {
        const scree_shape *shape = b->shapes[b->shape[i]];
        if (!(shape->flags & SCREE_CAP_WALL))
            continue;
        const uint64_t n = shape->mesh->n_facets, first = d->n_wall_values;
        if (!scree_grow(&d->wall_value, &d->wall_value_capacity, first + n + 1, sizeof(double)))
            return self->host->fail(self->host->ctx, SCREE_E_MEMORY,
                                    "no memory for the loads of walls");
        for (uint64_t c = 0; c < n; c++) {
            d->wall_value[first + c] = value_of_facet(self, b, i, c);
            l->most = fmax(l->most, d->wall_value[first + c]);
        }
        d->n_wall_values += n;
    }
    set_bar(l, NULL);
    return SCREE_OK;
}

/* ---- state, for a restart: the sums of wear; they are kept where `wall_load` shows other things ---- */

static int32_t save(void *instance, const scree_state_sink *to)
{
    const image *self = instance;
    struct wall_observer *wear = self->config->wall_load == LOAD_WEAR ? self->loads : self->idle;
    return wear && wear->memo.last != UINT64_MAX ? save_loads(wear, to) : SCREE_OK;
}

static int32_t load(void *instance, const void *bytes, uint64_t n)
{
    image *self = instance;
    struct wall_observer **wear = self->config->wall_load == LOAD_WEAR ? &self->loads : &self->idle;
    if (n == 0)
        return SCREE_OK;
    if (!*wear)
        *wear = make_loads(self);
    return *wear ? load_loads(*wear, bytes, n)
                 : self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for the wear");
}

const scree_state image_state = {.size = sizeof image_state, .save = save, .load = load};
