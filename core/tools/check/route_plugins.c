/* SPDX-License-Identifier: Apache-2.0 */
/* Plugins of the check itself, which act next to the plugin under test in the scenes of routes. */
#include "tools/check/route_plugins.h"

#include "tools/check/route_scenes.h"

#include "plugin/field_uses.h"
#include "plugin/registry.h"
#include "scree/sdk.h"

/* Amounts that are added and taken away. No force is among them: a modifier may damp by the sum that
 * it finds, and that it overwrites weight and contacts shows in the energy. */
static const double amount_stored = 0.5, amount_lost = 2.0, amount_power = 1.5, amount_rate = 0.75;

/** A neighbour: +1 adds, -1 takes away. */
typedef struct neighbour {
    double sign;
} neighbour;

static int32_t make_neighbour(const scree_host *host, double sign, void **instance)
{
    neighbour *self = g_new0(neighbour, 1);
    (void)host;
    self->sign = sign;
    *instance = self;
    return SCREE_OK;
}

static int32_t create_before(const scree_host *host, const void *config, void **instance)
{
    (void)config;
    return make_neighbour(host, 1.0, instance);
}

static int32_t create_after(const scree_host *host, const void *config, void **instance)
{
    (void)config;
    return make_neighbour(host, -1.0, instance);
}

static void destroy(void *instance)
{
    g_free(instance);
}

/** Adds to the rates of all fields that the plugin under test may add to. */
static void add_rates(const neighbour *self, const scree_bodies *b)
{
    for (uint32_t u = 0; u < b->n_used; u++)
        for (uint32_t c = 0; b->used[u]->rate && c < b->used[u]->components; c++)
            for (uint32_t i = 0; i < b->n_free; i++)
                b->used[u]->rate[c][i] += self->sign * amount_rate;
}

static int32_t forces(void *instance, const scree_forces *args)
{
    const neighbour *self = instance;
    const scree_bodies *b = args->bodies;
    for (uint32_t i = 0; i < b->n_free; i++) {
        args->wrench[8ull * i + 3] += self->sign * amount_stored;
        args->wrench[8ull * i + 7] += self->sign * amount_lost;
        args->power[i] += self->sign * amount_power;
    }
    add_rates(self, b);
    return SCREE_OK;
}

/** Lets fields of the check fade that an integrator moves on (draft.rates/1). */
static int32_t fade(void *instance, const scree_forces *args)
{
    const scree_bodies *b = args->bodies;
    (void)instance;
    for (uint32_t u = 0; u < b->n_used; u++)
        for (uint32_t c = 0; b->used[u]->rate && c < b->used[u]->components; c++)
            for (uint32_t i = 0; i < b->n_free; i++)
                b->used[u]->rate[c][i] -= 100.0 * (1.0 + c) * b->used[u]->v[c][i];
    return SCREE_OK;
}

static scree_route_puller puller;

void scree_route_plugins_pull(const scree_route_puller *by)
{
    puller = *by;
}

static int32_t pull(void *instance, const scree_forces *args)
{
    (void)instance;
    puller.pull(args);
    return SCREE_OK;
}

static int32_t fill(void *instance, const scree_entry *args)
{
    (void)instance;
    puller.fill(args);
    return SCREE_OK;
}

static const double churned = 0.0371; /* [m] radius of inserted bodies: nobody else has it */

/** Inserts a body in two of three steps, and removes the first of them in the third. */
static int32_t churn(void *instance, const scree_step *args)
{
    const scree_bodies *b = args->bodies;
    uint64_t first = SCREE_NO_BODY;
    uint32_t like = 0; // a body that no storage order chooses
    (void)instance;
    for (uint32_t i = 0; i < b->n_free; i++)
        like = b->id[i] < b->id[like] ? i : like;
    if (!b->n_free)
        return SCREE_OK;
    const double size = b->radius[like] / b->scale[like]; // of balls 1
    const double scale = size > 0.0 ? churned / size : churned;
    for (uint32_t i = 0; i < b->n_free; i++)
        if (b->scale[i] == scale && b->id[i] < first)
            first = b->id[i];
    if (args->step % 3 == 2)
        return first == SCREE_NO_BODY ? SCREE_OK : args->edits->remove(args->edits->ctx, first);
    scree_one_body spec = {.shape = b->shape[like],
                           .material = b->material[like],
                           .scale = scale,
                           .x = {0.92 - 0.08 * (double)(args->step % 11), 0.95, 0.0},
                           .q = {1.0}};
    spec.x[1] += 0.08 * (double)(args->step / 11); // clear of earlier ones
    spec.x[2] = b->dimension == 3 ? 0.07 : 0.0;
    return scree_insert_one(args->edits, &spec, NULL);
}

/** Removes all bodies after the second step. */
static int32_t empty(void *instance, const scree_step *args)
{
    int32_t code = SCREE_OK;
    (void)instance;
    for (uint32_t i = 0; args->step == 2 && i < args->bodies->n && code == SCREE_OK; i++)
        code = args->edits->remove(args->edits->ctx, args->bodies->id[i]);
    return code;
}

/** Free bodies as they were at the start, by id. */
typedef struct start {
    uint32_t n;
    uint64_t id[SCREE_ROUTE_FREE];
    scree_one_body body[SCREE_ROUTE_FREE];
} start;

static int32_t create_late(const scree_host *host, const void *config, void **instance)
{
    (void)host;
    (void)config;
    *instance = g_new0(start, 1);
    return SCREE_OK;
}

/** Keeps the bodies of the first call. */
static int32_t keep(void *instance, const scree_entry *args)
{
    start *self = instance;
    const scree_bodies *b = args->bodies;
    const uint32_t n = self->n == 0 ? MIN(b->n_free, SCREE_ROUTE_FREE) : 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = self->n++;
        for (; at > 0 && self->id[at - 1] > b->id[i]; at--) {
            self->id[at] = self->id[at - 1];
            self->body[at] = self->body[at - 1];
        }
        self->id[at] = b->id[i];
        self->body[at] = (scree_one_body){.shape = b->shape[i],
                                          .material = b->material[i],
                                          .motion = b->motion[i],
                                          .scale = b->scale[i]};
        for (int k = 0; k < 4; k++)
            self->body[at].q[k] = b->q[k][i];
        for (int k = 0; k < 3; k++) {
            self->body[at].x[k] = b->x[k][i];
            self->body[at].v[k] = b->v[k][i];
            self->body[at].w[k] = b->w[k][i];
        }
    }
    return SCREE_OK;
}

/** Puts new bodies in their place, as they were. */
static int32_t begin_again(void *instance, const scree_step *args)
{
    const start *self = instance;
    int32_t code = SCREE_OK;
    const uint32_t n = args->step == SCREE_ROUTE_LATE ? self->n : 0;
    for (uint32_t k = 0; k < n && code == SCREE_OK; k++)
        code = args->edits->remove(args->edits->ctx, self->id[k]);
    for (uint32_t k = 0; k < n && code == SCREE_OK; k++)
        code = scree_insert_one(args->edits, &self->body[k], NULL);
    return code;
}

#define OPS(make, ...)                                                                             \
    {                                                                                              \
        .size = sizeof(scree_modifier_ops), .create = make, .destroy = destroy, __VA_ARGS__        \
    }
static const scree_modifier_ops before_ops = OPS(create_before, .forces = forces),
                                after_ops = OPS(create_after, .forces = forces),
                                fields_ops = OPS(create_before, .forces = NULL),
                                fade_ops = OPS(create_before, .forces = fade),
                                pull_ops = OPS(create_before, .forces = pull),
                                warm_ops = OPS(create_before, .enter = fill),
                                empty_ops = OPS(create_before, .after_step = empty),
                                late_ops =
                                    OPS(create_late, .after_step = begin_again, .enter = keep),
                                churn_ops = OPS(create_before, .after_step = churn);

/** A use, and a field that serves it. */
typedef struct pair_of_use {
    scree_field field;
    scree_use use;
} pair_of_use;

/** Fields and uses of the neighbours; both lists live as long as the process. */
static void list_fields(const scree_check *check, GPtrArray *fields, GPtrArray *uses)
{
    const scree_plugin *plugin = check->plugin;
    for (uint32_t k = 0; k < plugin->n_uses; k++) {
        const scree_use *use = plugin->uses[k];
        if (k + 1 == check->absent_use ||
            (use->scope != SCREE_SCOPE_BODY && use->scope != SCREE_SCOPE_GLOBAL))
            continue; // missing; or of contacts, which no modifier has
        bool own = false;
        for (uint32_t f = 0; f < plugin->n_fields; f++)
            own = own || (plugin->fields[f]->scope == use->scope &&
                          !g_strcmp0(plugin->fields[f]->name, use->name));
        pair_of_use *p = g_new0(pair_of_use, 1);
        p->use = (scree_use){.size = sizeof p->use,
                             .scope = use->scope,
                             .components = MAX(use->components, 1),
                             .access = SCREE_USE_ADD,
                             .name = use->name,
                             .unit = use->unit,
                             .help = "of the plugin under test"};
        p->field = (scree_field){.size = sizeof p->field,
                                 .scope = use->scope,
                                 .components = p->use.components,
                                 .revision = 1,
                                 .if_missing = SCREE_MISSING_DEFAULT,
                                 .on_return = SCREE_RETURN_RESTART,
                                 .name = use->name,
                                 .unit = use->unit,
                                 .help = "of the plugin under test",
                                 .initial = 1.0};
        if (!own)
            g_ptr_array_add(fields, &p->field);
        if (use->access & SCREE_USE_ADD)
            g_ptr_array_add(uses, &p->use);
    }
}

/** The field that the check names for parameters that name one. */
static const scree_field made_up = {.size = sizeof made_up,
                                    .scope = SCREE_SCOPE_BODY,
                                    .components = 1,
                                    .revision = 1,
                                    .if_missing = SCREE_MISSING_DEFAULT,
                                    .on_return = SCREE_RETURN_RESTART,
                                    .name = "made_up",
                                    .unit = "-",
                                    .help = "for a parameter that names a field",
                                    .initial = 1.0};

#define WARM(id, n, of)                                                                            \
    {                                                                                              \
        .size = sizeof(scree_field), .scope = SCREE_SCOPE_BODY, .components = (n), .revision = 1,  \
        .if_missing = SCREE_MISSING_DEFAULT, .on_return = SCREE_RETURN_RESTART, .name = (id),      \
        .unit = (of), .help = "of bodies that the check moves", .initial = 1.0                     \
    }
#define PULLS(id, n, of)                                                                           \
    {                                                                                              \
        .size = sizeof(scree_use), .scope = SCREE_SCOPE_BODY, .components = (n),                   \
        .access = SCREE_USE_READ | SCREE_USE_ADD, .flags = SCREE_USE_OPTIONAL, .name = (id),       \
        .unit = (of), .help = "of bodies that the check moves"                                     \
    }

/* Fields of bodies that the check moves (check_motion.h), and one of an integrator's runs. */
static const scree_field temperature = WARM("temperature", 3, "K"),
                         moisture = WARM("moisture", 1, "-"), fading = WARM("check_fading", 3, "-");
static const scree_use use_temperature = PULLS("temperature", 3, "K"),
                       use_moisture = PULLS("moisture", 1, "-"),
                       use_fading = PULLS("check_fading", 3, "-");
static const scree_field *const warm_fields[] = {&temperature, &moisture};
static const scree_use *const pull_uses[] = {&use_temperature, &use_moisture};
static const scree_field *const fading_fields[] = {&fading};
static const scree_use *const fading_uses[] = {&use_fading};

static scree_plugin describe(const char *id, const scree_modifier_ops *ops)
{
    return (scree_plugin){.size = sizeof(scree_plugin),
                          .kind = SCREE_KIND_MODIFIER,
                          .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
                          .id = id,
                          .version = "1.0.0",
                          .licence = "Apache-2.0",
                          .help = "a neighbour in the scenes of scree check",
                          .ops = ops};
}

void scree_route_plugins_give(const scree_check *check)
{
    enum { N = 9 };
    static uint32_t given = UINT32_MAX; // check->absent_use of those that are registered
    if (given == check->absent_use)
        return;
    given = check->absent_use;
    scree_plugin *all = g_new(scree_plugin, N);
    GPtrArray *fields = g_ptr_array_new(), *uses = g_ptr_array_new();
    const scree_plugin **list = g_new(const scree_plugin *, N);
    scree_manifest *manifest = g_new0(scree_manifest, 1);
    scree_file *file = g_new0(scree_file, 1);
    list_fields(check, fields, uses);
    g_ptr_array_add(fields, (void *)(uintptr_t)&made_up);
    all[0] = describe("check_before", &before_ops);
    all[1] = describe("check_after", &after_ops);
    all[2] = describe("check_churn", &churn_ops);
    all[3] = describe("check_fields", &fields_ops);
    all[4] = describe("check_empty", &empty_ops);
    all[5] = describe("check_late", &late_ops);
    all[6] = describe("check_warm", &warm_ops);
    all[7] = describe("check_pull", &pull_ops);
    all[3].n_fields = fields->len;
    all[8] = describe("check_fade", &fade_ops);
    all[6].n_fields = G_N_ELEMENTS(warm_fields);
    all[6].fields = warm_fields;
    all[7].n_uses = G_N_ELEMENTS(pull_uses);
    all[7].uses = pull_uses;
    all[8].n_fields = 1;
    all[8].fields = fading_fields;
    all[8].n_uses = 1;
    all[8].uses = fading_uses;
    all[3].fields = (const scree_field *const *)fields->pdata;
    for (int k = 0; k < 2; k++) {
        all[k].n_uses = uses->len;
        all[k].uses = (const scree_use *const *)uses->pdata;
    }
    for (int k = 0; k < N; k++)
        list[k] = &all[k];
    *manifest = *check->file->manifest;
    manifest->n_plugins = N;
    manifest->plugins = list;
    *file = *check->file;
    file->manifest = manifest;
    scree_registry_give(check->registry, file, true);
}
