/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies that change while a run goes on: grow (Lubachevsky, Stillinger 1990, J. Stat. Phys. 60, 561:
 * radii grow until the bodies fill a share of the region), wear (radii shrink by what contacts lose),
 * recast (density, material and shape change). */
#include "../../plugin.h"

typedef struct config {
    double rate;     /* [1/s] */
    double fraction; /* [-] */
    double volume;   /* [m^3/J] */
    int64_t shape;
} config;

typedef struct holder {
    const scree_host *host;
    const config *config;
} holder;

CREATE(holder, host, given)

static int32_t set_scale(const scree_step *args, uint32_t i, double scale)
{
    const scree_body_change change = {
        .size = sizeof change, .id = args->bodies->id[i], .scale = &scale};
    return args->edits->set(args->edits->ctx, &change);
}

/** Volume of the free bodies over that of the region; 2D: of areas. */
static double fraction_of(const scree_bodies *b)
{
    double solid = 0.0, room = 1.0;
    for (uint32_t k = 0; k < b->dimension; k++)
        room *= b->cell->hi[k] - b->cell->lo[k];
    for (uint32_t i = 0; i < b->n_free; i++)
        solid += b->shapes[b->shape[i]]->volume * pow(b->scale[i], b->dimension);
    return solid / room;
}

static int32_t grow(void *instance_, const scree_step *args)
{
    const holder *self = instance_;
    const scree_bodies *b = args->bodies;
    int32_t code = SCREE_OK;
    if (fraction_of(b) >= self->config->fraction)
        return SCREE_OK;
    for (uint32_t i = 0; i < b->n_free && code == SCREE_OK; i++)
        code = set_scale(args, i, b->scale[i] * (1.0 + self->config->rate * args->dt));
    return code;
}

/** A body loses `volume` per joule that its contacts lose: power over the step, of its line. */
static int32_t wear(void *instance_, const scree_step *args)
{
    const holder *self = instance_;
    const scree_bodies *b = args->bodies;
    int32_t code = SCREE_OK;
    for (uint32_t i = 0; i < b->n_free && code == SCREE_OK; i++) {
        const double lost = b->wrench[8 * (uint64_t)i + 7] * args->dt, r = b->radius[i];
        const double less = self->config->volume * lost / (4.0 * 3.14159265358979 * r * r);
        if (less > 0.0)
            code = set_scale(args, i, b->scale[i] * (1.0 - fmin(less / r, 0.01)));
    }
    return code;
}

/** Every hundredth step each fifth body becomes something else. */
static int32_t recast(void *instance_, const scree_step *args)
{
    const holder *self = instance_;
    const scree_bodies *b = args->bodies;
    int32_t code = SCREE_OK;
    const uint32_t own = self->config->shape >= 0 ? (uint32_t)self->config->shape : 2;
    if (args->step % 100)
        return SCREE_OK;
    for (uint32_t i = 0; i < b->n_free && code == SCREE_OK; i++) {
        const double density = 1000.0 + (double)(b->id[i] % 7) * 300.0;
        const uint32_t material = (uint32_t)((b->id[i] + args->step / 100) % b->n_materials);
        const uint32_t shape = args->step % 600 ? own : 0;
        scree_body_change change = {.size = sizeof change, .id = b->id[i]};
        if (b->id[i] % 5 == args->step / 100 % 5)
            change.density = &density;
        if (b->id[i] % 3 == 0)
            change.material = &material;
        const double scale = b->radius[i] / b->shapes[shape]->radius;
        if (b->id[i] % 5 == 0 && args->step % 300 == 0) {
            change.shape = &shape;
            change.scale = &scale; /* as large as before */
        }
        code = args->edits->set(args->edits->ctx, &change);
    }
    return code;
}

SCREE_REAL_PARAM(config, rate, "1/s", 0, 1.0, -1e9, 1e9, "of the radii, relative");
SCREE_REAL_PARAM(config, fraction, "-", 0, 10.0, 0, 10.0, "at which growth ends");
SCREE_REAL_PARAM(config, volume, "m^3/J", 0, 1e-9, 0, 1e9, "worn per heat");
SCREE_INT_PARAM(config, shape, 0, -1, -1, 1000, "that bodies get; -1: the first named one");
static const scree_param *const params[] = {&param_rate, &param_fraction, &param_volume,
                                            &param_shape};

#define MODIFIER(id_, help_)                                                                       \
    static const scree_modifier_ops id_##_ops = {OPS(modifier, create, free), .after_step = id_};  \
    static const scree_plugin id_##_plugin = {PLUGIN(MODIFIER, #id_, help_), PLUGIN_CONFIG,        \
                                              .ops = &id_##_ops}
MODIFIER(grow, "radii grow until the bodies fill a share of the region");
MODIFIER(wear, "radii shrink by the heat of contacts");
MODIFIER(recast, "density, material and shape change");

SCREE_DEFINE_MANIFEST(&grow_plugin, &wear_plugin, &recast_plugin);
