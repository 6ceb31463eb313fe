/* SPDX-License-Identifier: Apache-2.0 */
/* Sources of integrators that bring their own bodies: the group of `generate`, and the way from a
 * list of bodies to the host. */
#ifndef PLUGINS_INTEGRATOR_OWN_BODIES_H
#define PLUGINS_INTEGRATOR_OWN_BODIES_H

#include <math.h>

#include "scree/sdk.h"

enum { OWN_USUAL, OWN_SPHERE, OWN_DISC, OWN_MOST_FIELDS = 8, OWN_LONGEST_NAME = 80 };

/** Bodies of an integrator for its source, spheres or discs. The integrator owns the arrays [n]. */
typedef struct own_list {
    uint32_t n;
    double dt;              /* in: [s] time step of the scene */
    const double *radius;   /* [m] > 0 */
    const double *x[3];     /* [m]; 2D: x[2] is not read */
    const double *v[3];     /* [m/s] of free bodies; NULL: at rest */
    const uint32_t *motion; /* SCREE_MOTION_FREE or SCREE_MOTION_FIXED; NULL: all free */
    /* Start values of its body fields, one array per component in the order of the descriptor.
     * NULL, or a NULL entry: `initial` of the field. */
    const double *const *fields;
    double lo[3], hi[3]; /* [m] region of a scene that gives none; all 0: none */
} own_list;

/** A group of `generate`. */
typedef struct own_config {
    scree_ints material;
    int32_t shape, reserved;
} own_config;

typedef struct own_source {
    const scree_host *host;
    const own_config *config;
} own_source;

static inline int32_t own_create(const scree_host *host, const void *settings, void **instance)
{
    const own_config *c = (const own_config *)settings;
    if (c->shape == OWN_DISC && host->dimension == 3)
        return host->fail(host->ctx, SCREE_E_CONFIG,
                          "shape = \"disc\": a disc needs scene.dimension = 2");
    own_source *self = (own_source *)calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    self->host = host;
    self->config = c;
    *instance = self;
    return SCREE_OK;
}

static inline void own_destroy(void *instance)
{
    free(instance);
}

static inline uint64_t own_bytes(void *instance)
{
    return instance ? sizeof(own_source) : 0;
}

/** Reports a mistake of the group; SCREE_E_CONFIG. */
static inline int32_t own_problem(const scree_making *args, const char *text)
{
    args->problem(args->ctx, NULL, 0, text);
    return SCREE_E_CONFIG;
}

/** Can the group and the scene have such bodies? */
static inline int32_t own_check(const own_source *self, const scree_making *args)
{
    const own_config *c = self->config;
    if (!args->integrator || !args->set_cell)
        return self->host->fail(self->host->ctx, SCREE_E_UNSUPPORTED,
                                "its bodies come from the scene's integrator, before the first "
                                "step");
    if (isnan(args->dt))
        return own_problem(args,
                           "bodies of the integrator need a scene.dt in seconds, not \"auto\"");
    if (c->material.n > 1)
        return own_problem(args, "expected one material");
    return SCREE_OK;
}

/** Memory for the arrays that the host takes. */
typedef struct own_arrays {
    uint32_t *shape, *material; /* [n] each */
    uint64_t *id;               /* [n] */
    double *zero, *v;           /* [n], [3 n] */
} own_arrays;

static inline void own_arrays_free(own_arrays *a)
{
    free(a->shape);
    free(a->id);
    free(a->zero);
}

static inline int own_arrays_new(own_arrays *a, const own_source *self, const scree_making *args,
                                 const own_list *list)
{
    const size_t n = list->n;
    const uint32_t own_shape = self->config->shape == OWN_USUAL ? args->bodies->dimension == 2
                                                                : self->config->shape == OWN_DISC;
    a->shape = (uint32_t *)calloc(2 * n + 1, sizeof *a->shape);
    a->id = (uint64_t *)calloc(n + 1, sizeof *a->id);
    a->zero = (double *)calloc(4 * n + 1, sizeof *a->zero);
    if (!a->shape || !a->id || !a->zero)
        return 0;
    a->material = a->shape + n;
    a->v = a->zero + n;
    for (size_t i = 0; i < n; i++) {
        const int moves = !list->motion || list->motion[i] == SCREE_MOTION_FREE;
        a->shape[i] = own_shape;
        a->material[i] = self->config->material.n ? (uint32_t)self->config->material.v[0] : 0;
        a->id[i] = i;
        for (int k = 0; k < 3; k++)
            a->v[k * n + i] = moves && list->v[k] ? list->v[k][i] : 0.0;
    }
    return 1;
}

/** Start values of one field, for the host. */
typedef struct own_field {
    scree_start_field field;
    char name[OWN_LONGEST_NAME]; /* with the slot, so that the name is only of this plugin */
} own_field;

/** Components of all body fields of the integrator. */
static inline uint32_t own_components(const scree_plugin *integrator)
{
    uint32_t n = 0;
    for (uint32_t f = 0; f < integrator->n_fields; f++)
        n += integrator->fields[f]->components;
    return n;
}

/** Start values of those body fields of the integrator of which the list has a component.
 * `component`: room for own_components(). */
static inline uint32_t own_fields(const scree_plugin *integrator, const own_list *list,
                                  const double *zero, own_field *own, const double **component,
                                  const scree_start_field **fields)
{
    uint32_t n = 0, at = 0;
    for (uint32_t f = 0; f < integrator->n_fields && n < OWN_MOST_FIELDS; f++) {
        const scree_field *from = integrator->fields[f];
        const uint32_t first = at;
        at += from->components;
        if (!list->fields || !list->fields[first])
            continue;
        for (uint32_t k = 0; k < from->components; k++)
            component[first + k] = list->fields[first + k] ? list->fields[first + k] : zero;
        snprintf(own[n].name, sizeof own[n].name, "integrator/%s", from->name);
        own[n].field = (scree_start_field){.size = sizeof own[n].field,
                                           .components = from->components,
                                           .name = own[n].name,
                                           .v = component + first};
        fields[n] = &own[n].field;
        n++;
    }
    return n;
}

/** Hands the list to the host; ids are the numbers in the list. */
static inline int32_t own_add(const own_source *self, const scree_making *args,
                              const scree_plugin *integrator, const own_list *list)
{
    own_arrays a = {0};
    own_field own[OWN_MOST_FIELDS];
    const scree_start_field *fields[OWN_MOST_FIELDS];
    const double **component =
        (const double **)calloc((size_t)own_components(integrator) + 1, sizeof *component);
    if (!own_arrays_new(&a, self, args, list) || !component) {
        own_arrays_free(&a);
        free(component);
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for the bodies");
    }
    const double *z = list->x[2] ? list->x[2] : a.zero;
    const scree_new_bodies bodies = {
        .size = sizeof bodies,
        .n = (uint32_t)(args->first < list->n ? list->n : 0),
        .shape = a.shape,
        .material = a.material,
        .motion = list->motion,
        .scale = list->radius,
        .x = {list->x[0], list->x[1], z},
        .v = {a.v, a.v + list->n, a.v + 2 * (size_t)list->n},
        .id = a.id,
        .n_fields = own_fields(integrator, list, a.zero, own, component, fields),
        .fields = fields};
    const scree_cell cell = {.size = sizeof cell,
                             .lo = {list->lo[0], list->lo[1], list->lo[2]},
                             .hi = {list->hi[0], list->hi[1], list->hi[2]}};
    int32_t code = args->set_cell(args->ctx, &cell);
    if (code == SCREE_OK)
        code = bodies.n > args->most
                   ? self->host->fail(self->host->ctx, SCREE_E_UNSUPPORTED,
                                      "its bodies come all together, and fewer are expected")
                   : args->add(args->ctx, &bodies);
    own_arrays_free(&a);
    free(component);
    return code;
}

static const scree_param own_param_material = {
    .size = sizeof(scree_param),
    .type = SCREE_TYPE_MATERIALS,
    .flags = SCREE_PARAM_OPTIONAL,
    .offset = offsetof(own_config, material),
    .name = "material",
    .help = "material of the bodies; absent: the first of the scene"};
SCREE_CHOICE_VALUE(usual_shape, OWN_USUAL, "discs in 2D, spheres in 3D");
SCREE_CHOICE_VALUE(sphere, OWN_SPHERE, "spheres");
SCREE_CHOICE_VALUE(disc, OWN_DISC, "discs, in 2D");
static const scree_choice *const own_shapes[] = {&choice_usual_shape, &choice_sphere, &choice_disc};
static const scree_param own_param_shape = {.size = sizeof(scree_param),
                                            .type = SCREE_TYPE_CHOICE,
                                            .offset = offsetof(own_config, shape),
                                            .name = "shape",
                                            .string_default = "usual_shape",
                                            .choices = own_shapes,
                                            .n_choices = SCREE_COUNT(own_shapes),
                                            .help = "shape of the bodies"};
static const scree_param *const own_params[] = {&own_param_material, &own_param_shape};

/** The descriptor of the source `make_`; its integrator has the same id. */
#define OWN_SOURCE(ops_, id_, help_, summary_)                                                     \
    {                                                                                              \
        .size = sizeof(scree_plugin), .kind = SCREE_KIND_SOURCE, .flags = SCREE_CAP_BY_INTEGRATOR, \
        .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3, .id = id_, .version = "1.0.0",        \
        .licence = "Apache-2.0", .help = help_, .summary = summary_,                               \
        .config_size = sizeof(own_config), .n_params = SCREE_COUNT(own_params),                    \
        .params = own_params, .ops = &(ops_)                                                       \
    }

#endif
