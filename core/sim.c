/* SPDX-License-Identifier: Apache-2.0 */
/* From a checked scene to a run in memory: instances, fields, lists, the first evaluation. */
#include "sim.h"
#include "blame.h"

#include "checks.h"
#include "guard.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_BATCH = 512, SMALLEST_BATCH = 8 };

const scree_kernels *scree_kernels_best(void)
{
#ifdef SCREE_HAVE_V3
    if (g_strcmp0(g_getenv("SCREE_CPU_LEVEL"), "baseline") && __builtin_cpu_supports("avx2") &&
        __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
        __builtin_cpu_supports("bmi2"))
        return &scree_kernels_v3;
#endif
    return &scree_kernels_baseline;
}

void scree_sim_view(scree_sim *sim)
{
    scree_world_view(sim->world, &sim->view);
}

static bool check_dimension(const scree_sim *sim, const scree_plugin *plugin, GError **error)
{
    uint32_t wants = sim->scene->dimension == 2 ? SCREE_2D : SCREE_3D;
    if (plugin->dimensions & wants)
        return true;
    g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE, "%s/%s does not serve scenes in %uD",
                scree_kind_name(plugin->kind), plugin->id, sim->scene->dimension);
    return false;
}

/** Scopes of fields that plugins of a kind may have (params.h). */
static bool check_scopes(const scree_plugin *plugin, GError **error)
{
    static const uint32_t allowed[] = {
        [SCREE_KIND_FORCE] = 1u << SCREE_SCOPE_CONTACT | 1u << SCREE_SCOPE_PAIR,
        [SCREE_KIND_RESOLVER] = 1u << SCREE_SCOPE_PAIR,
        [SCREE_KIND_INTEGRATOR] = 1u << SCREE_SCOPE_BODY,
        [SCREE_KIND_MODIFIER] = 1u << SCREE_SCOPE_BODY | 1u << SCREE_SCOPE_GLOBAL};
    for (uint32_t f = 0; f < plugin->n_fields; f++) {
        const scree_field *field = plugin->fields[f];
        if (allowed[plugin->kind] >> field->scope & 1u)
            continue;
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_PLUGIN,
                    "%s/%s: this host keeps no fields of the scope of %s for a plugin of this kind",
                    scree_kind_name(plugin->kind), plugin->id, field->name);
        return false;
    }
    return true;
}

static scree_instance *make(scree_sim *sim, const scree_choice_of *choice, const char *slot,
                            GError **error)
{
    if (!check_dimension(sim, choice->plugin, error) || !check_scopes(choice->plugin, error))
        return NULL;
    return scree_instance_new(&sim->runtime, choice, slot, error);
}

/** Components of the plugin's fields of one scope. */
static uint32_t count_fields(const scree_plugin *plugin, uint32_t scope)
{
    uint32_t n = 0;
    for (uint32_t f = 0; f < plugin->n_fields; f++)
        if (plugin->fields[f]->scope == scope)
            n += plugin->fields[f]->components;
    return n;
}

static void append_initial(const scree_plugin *plugin, uint32_t scope, double **values, uint32_t *n)
{
    for (uint32_t f = 0; f < plugin->n_fields; f++) {
        const scree_field *field = plugin->fields[f];
        if (field->scope != scope)
            continue;
        *values = g_renew(double, *values, *n + field->components + 1);
        for (uint32_t k = 0; k < field->components; k++)
            (*values)[(*n)++] = field->initial;
    }
}

static bool ask_range(scree_sim *sim, scree_law *law, GError **error)
{
    uint32_t n = sim->scene->materials.n;
    if (!SCREE_HAS(law->ops, range))
        return true;
    law->range = g_new0(double, (size_t)n *n + 1);
    for (uint32_t k = 0; k < n * n; k++) {
        scree_guard_enter(law->instance, "range");
        int32_t code = law->ops->range(law->instance->self, k / n, k % n, &law->range[k]);
        scree_guard_leave();
        if (code < 0 || !(law->range[k] >= 0.0) || !isfinite(law->range[k])) {
            scree_instance_set_error(law->instance, "range", code < 0 ? code : SCREE_E_NUMERIC,
                                     error);
            return false;
        }
        sim->range = fmax(sim->range, law->range[k]);
    }
    return true;
}

/** Each law that keeps contacts has a bit of its own: what one clears another may still hold. */
static bool give_keep_bit(scree_sim *sim, scree_law *law, GError **error)
{
    if (!(law->provides & SCREE_OUT_KEEP))
        return true;
    sim->any_keep = true;
    law->keep_bit = (uint8_t)(1u << sim->n_keepers++);
    if (law->keep_bit)
        return true;
    g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE,
                "%s: more than 8 force laws that keep contacts", law->instance->slot);
    return false;
}

/** The masks of the descriptor, or less when the instance says so. */
static bool ask_uses(scree_law *law, GError **error)
{
    const scree_plugin *plugin = law->instance->plugin;
    law->needs = plugin->needs;
    law->provides = plugin->provides;
    if (!SCREE_HAS(law->ops, uses))
        return true;
    scree_guard_enter(law->instance, "uses");
    int32_t code = law->ops->uses(law->instance->self, &law->needs, &law->provides);
    scree_guard_leave();
    if (code != SCREE_OK) {
        scree_instance_set_error(law->instance, "uses", code, error);
        return false;
    }
    if (!(law->needs & ~plugin->needs) && !(law->provides & ~plugin->provides))
        return true;
    g_set_error(error, SCREE_ERROR, SCREE_EXIT_PLUGIN,
                "force/%s (%s): uses() sets bits that its descriptor lacks (needs %#" PRIx64
                ", provides %#" PRIx64 ")",
                plugin->id, law->instance->slot, law->needs & ~plugin->needs,
                law->provides & ~plugin->provides);
    return false;
}

static bool make_laws(scree_sim *sim, GError **error)
{
    const scree_scene *scene = sim->scene;
    sim->laws = g_new0(scree_law, scene->forces->len + 1);
    for (uint32_t l = 0; l < scene->forces->len; l++) {
        scree_law *law = &sim->laws[l];
        g_autofree char *slot = g_strdup_printf("force[%u]", l);
        law->instance = make(sim, scene->forces->pdata[l], slot, error);
        if (!law->instance)
            return false;
        sim->n_laws++;
        const scree_plugin *plugin = law->instance->plugin;
        law->ops = plugin->ops;
        if (!ask_uses(law, error))
            return false;
        law->first_contact_field = sim->n_contact_fields;
        law->n_contact_fields = count_fields(plugin, SCREE_SCOPE_CONTACT);
        append_initial(plugin, SCREE_SCOPE_CONTACT, &sim->contact_initial, &sim->n_contact_fields);
        law->first_pair_field = sim->n_pair_fields;
        law->n_pair_fields = count_fields(plugin, SCREE_SCOPE_PAIR);
        append_initial(plugin, SCREE_SCOPE_PAIR, &sim->pair_initial, &sim->n_pair_fields);
        sim->needs |= law->needs;
        sim->any_stored |= (law->provides & SCREE_OUT_STORED) != 0;
        sim->serial |= (plugin->flags & SCREE_SERIAL) != 0;
        if (!ask_range(sim, law, error) || !give_keep_bit(sim, law, error))
            return false;
    }
    uint32_t n = scene->materials.n;
    if (sim->range > 0.0 || sim->any_keep) {
        sim->gap = g_new0(double, (size_t)n *n + 1);
        for (uint32_t l = 0; l < sim->n_laws; l++)
            for (uint32_t k = 0; sim->laws[l].range && k < n * n; k++)
                sim->gap[k] = fmax(sim->gap[k], sim->laws[l].range[k]);
    }
    return true;
}

static const char *type_name(uint32_t type)
{
    return type == SCREE_SPHERE   ? "sphere"
           : type == SCREE_DISC   ? "disc"
           : type == SCREE_FACETS ? "facets"
           : type == SCREE_PLANE  ? "plane"
                                  : "unknown shape";
}

/** Shape types in use, in the order of their codes. */
static uint32_t list_types(scree_sim *sim, uint32_t types[SCREE_MAX_TYPES])
{
    const scree_scene *scene = sim->scene;
    g_autofree bool *used = g_new0(bool, scene->shapes->len + 1);
    uint32_t n = 0;
    for (guint i = 0; i < scene->bodies->len; i++)
        used[g_array_index(scene->bodies, scree_body, i).shape] = true;
    for (guint i = 0; i < scene->to_come->len; i++)
        used[g_array_index(scene->to_come, scree_body, i).shape] = true;
    bool any_round = false;
    for (uint32_t i = 0; i < scene->shapes->len; i++)
        any_round |= used[i] && ((const scree_shape *)scene->shapes->pdata[i])->type < SCREE_FACETS;
    for (uint32_t i = 2; scene->modifiers->len && i < scene->shapes->len; i++)
        used[i] = true; // a modifier may insert it
    if (scene->modifiers->len && !any_round)
        used[scene->dimension == 2] = true; // the host's own sphere, or disc
    sim->type_index = g_new0(uint8_t, scene->shapes->len + 1);
    for (uint32_t code = 0; code <= SCREE_PLANE; code++) {
        bool any = false;
        for (uint32_t i = 0; i < scene->shapes->len; i++)
            any |= used[i] && ((const scree_shape *)scene->shapes->pdata[i])->type == code;
        for (uint32_t i = 0; i < scene->shapes->len; i++)
            if (((const scree_shape *)scene->shapes->pdata[i])->type == code)
                sim->type_index[i] = any ? (uint8_t)n : UINT8_MAX;
        if (any)
            types[n++] = code;
    }
    return n;
}

static bool make_resolvers(scree_sim *sim, GError **error)
{
    const scree_scene *scene = sim->scene;
    sim->resolvers = g_ptr_array_new_with_free_func((GDestroyNotify)scree_instance_free);
    for (uint32_t r = 0; r < scene->resolvers->len; r++) {
        g_autofree char *slot = g_strdup_printf("resolvers[%u]", r);
        scree_instance *instance = make(sim, scene->resolvers->pdata[r], slot, error);
        if (!instance)
            return false;
        g_ptr_array_add(sim->resolvers, instance);
        sim->serial |= (instance->plugin->flags & SCREE_SERIAL) != 0;
        const scree_resolver_ops *ops = instance->ops;
        for (uint32_t i = 0; SCREE_HAS(ops, prepare) && i < scene->shapes->len; i++) {
            scree_guard_enter(instance, "prepare");
            int32_t code = ops->prepare(instance->self, i, scene->shapes->pdata[i]);
            scree_guard_leave();
            if (code < 0) {
                scree_instance_set_error(instance, "prepare", code, error);
                return false;
            }
        }
    }
    return true;
}

/** What laws need of a resolver. */
static uint64_t wanted(const scree_sim *sim)
{
    uint64_t wants = 0;
    if (sim->needs & SCREE_IN_CURVATURE)
        wants |= SCREE_GIVES_CURVATURE;
    if (sim->needs & SCREE_IN_AREA)
        wants |= SCREE_GIVES_AREA;
    if (sim->needs & SCREE_IN_CHORD)
        wants |= SCREE_GIVES_CHORD;
    return wants;
}

/** Name of the first body of that shape type, for a message. */
static const char *group_with(const scree_scene *scene, uint32_t type)
{
    for (guint i = 0; i < scene->bodies->len; i++) {
        const scree_body *b = &g_array_index(scene->bodies, scree_body, i);
        if (((const scree_shape *)scene->shapes->pdata[b->shape])->type == type)
            return scene->group_names->pdata[b->group];
    }
    return "that modifiers may insert";
}

static char *list_resolvers(const scree_sim *sim)
{
    GString *names = g_string_new(NULL);
    for (guint r = 0; r < sim->resolvers->len; r++)
        g_string_append_printf(names, "%s%s", r ? ", " : "",
                               ((const scree_instance *)sim->resolvers->pdata[r])->plugin->id);
    return g_string_free(names, FALSE);
}

static bool make_list(scree_sim *sim, uint32_t type_a, uint32_t type_b, GError **error)
{
    scree_list *list = &sim->lists[sim->n_lists];
    uint64_t wants = wanted(sim);
    const char *lacks = "";
    for (guint r = 0; r < sim->resolvers->len; r++) {
        scree_instance *instance = sim->resolvers->pdata[r];
        const scree_resolver_ops *ops = instance->ops;
        scree_guard_enter(instance, "supports");
        int32_t answer = ops->supports(instance->self, type_a, type_b);
        scree_guard_leave();
        if (answer != SCREE_SUPPORTS_ONE && answer != SCREE_SUPPORTS_MANY)
            continue;
        if (wants & ~instance->plugin->provides) {
            lacks = " that provides the curvature, area or chord that a force law needs";
            continue;
        }
        *list = (scree_list){.type_a = type_a,
                             .type_b = type_b,
                             .resolver = instance,
                             .ops = ops,
                             .single = answer == SCREE_SUPPORTS_ONE,
                             .has_parts = type_a == SCREE_FACETS || type_b == SCREE_FACETS,
                             .hint_bytes = ops->hint_bytes,
                             .wants = wants,
                             .first_pair_field = sim->n_pair_fields,
                             .n_pair_fields = count_fields(instance->plugin, SCREE_SCOPE_PAIR)};
        append_initial(instance->plugin, SCREE_SCOPE_PAIR, &sim->pair_initial, &sim->n_pair_fields);
        sim->n_lists++;
        return true;
    }
    g_autofree char *names = list_resolvers(sim);
    g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE,
                "no resolver of the scene (%s) serves %s (%s) against %s (%s)%s", names,
                type_name(type_a), group_with(sim->scene, type_a), type_name(type_b),
                group_with(sim->scene, type_b), lacks);
    return false;
}

/** One list per type pair that can meet: at least one of the two types is free somewhere. */
static bool make_lists(scree_sim *sim, GError **error)
{
    uint32_t types[SCREE_MAX_TYPES], n = list_types(sim, types);
    memset(sim->list_of, 0xff, sizeof sim->list_of);
    sim->lists = g_new0(scree_list, SCREE_MAX_TYPES * SCREE_MAX_TYPES);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i; j < n; j++) {
            bool fixed_kind = types[i] >= SCREE_FACETS; // facets and planes are never free
            if (fixed_kind)
                continue;
            sim->list_of[i][j] = sim->list_of[j][i] = (uint8_t)sim->n_lists;
            if (!make_list(sim, types[i], types[j], error))
                return false;
        }
    if (sim->n_pair_fields <= SCREE_MAX_PAIR_FIELDS)
        return true;
    g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE, "more than %d components of pair fields",
                SCREE_MAX_PAIR_FIELDS);
    return false;
}

/** dt of the scene, or dt_fraction of the smaller critical step. */
static bool choose_dt(scree_sim *sim, GError **error)
{
    scree_critical critical;
    g_autofree scree_instance **laws = g_new0(scree_instance *, sim->n_laws + 1);
    for (uint32_t l = 0; l < sim->n_laws; l++)
        laws[l] = sim->laws[l].instance;
    if (!scree_critical_find(sim->scene, sim->n_laws, laws, &critical, error))
        return false;
    sim->critical = fmin(critical.rayleigh.step, critical.spring.step);
    sim->dt = scree_critical_dt(sim->scene, &critical, error);
    return !isnan(sim->dt) &&
           (!sim->checks_dt || scree_check_dt(sim->scene, sim->dt, &critical, error));
}

const char *scree_sim_hint(const scree_sim *sim)
{
    return sim->dt > sim->critical ? " (dt is above the critical step: the run has blown up?)" : "";
}

int scree_sim_blame_status(const scree_sim *sim)
{
    return sim->dt > sim->critical ? SCREE_EXIT_RUN : SCREE_EXIT_PLUGIN;
}

static bool make_others(scree_sim *sim, GError **error)
{
    const scree_scene *scene = sim->scene;
    sim->gcd = make(sim, scene->gcd, "gcd", error);
    if (!sim->gcd)
        return false;
    sim->gcd_ops = sim->gcd->ops;
    sim->integrator = make(sim, scene->integrator, "integrator", error);
    if (!sim->integrator)
        return false;
    sim->integrator_ops = sim->integrator->ops;
    uint32_t n_body = count_fields(sim->integrator->plugin, SCREE_SCOPE_BODY);
    sim->modifiers = g_ptr_array_new_with_free_func((GDestroyNotify)scree_instance_free);
    for (guint m = 0; m < scene->modifiers->len; m++) {
        const scree_hook *hook = scene->modifiers->pdata[m];
        g_autofree char *slot = g_strdup_printf("modifiers.%s", hook->name);
        scree_instance *instance = make(sim, hook->choice, slot, error);
        if (!instance)
            return false;
        g_ptr_array_add(sim->modifiers, instance);
        instance->first_body_field = n_body;
        instance->first_global_field = sim->n_global_fields;
        n_body += count_fields(instance->plugin, SCREE_SCOPE_BODY);
        append_initial(instance->plugin, SCREE_SCOPE_GLOBAL, &sim->global_field,
                       &sim->n_global_fields);
    }
    sim->n_body_fields = n_body;
    return true;
}

/** Bodies that start outside a periodic region are put into it; their image counts remember where.
 */
static void wrap_start(scree_world *w)
{
    for (int k = 0; k < 3; k++)
        for (uint32_t i = 0; w->periodic[k] && i < w->n_free; i++) {
            double cells = floor((w->x[k][i] - w->region_min[k]) / w->length[k]);
            if (cells == 0.0 || !(fabs(cells) < SCREE_SHIFT_BIAS / 2))
                continue; // farther: the first wrap refuses it by name
            w->x[k][i] -= cells * w->length[k];
            w->image[k][i] = (int32_t)cells;
        }
}

/** [m] Largest radius that modifiers make. */
static double largest_to_come(const scree_scene *scene)
{
    double largest = 0.0;
    for (guint i = 0; i < scene->to_come->len; i++)
        largest = fmax(largest, g_array_index(scene->to_come, scree_body, i).scale);
    return largest;
}

static bool make_world(scree_sim *sim, GError **error)
{
    const scree_scene *scene = sim->scene;
    sim->world = scree_world_new(scene, sim->n_body_fields);
    double *initial = NULL;
    uint32_t n = 0;
    append_initial(sim->integrator->plugin, SCREE_SCOPE_BODY, &initial, &n);
    for (guint m = 0; m < sim->modifiers->len; m++)
        append_initial(((scree_instance *)sim->modifiers->pdata[m])->plugin, SCREE_SCOPE_BODY,
                       &initial, &n);
    if (n)
        memcpy(sim->world->field_initial, initial, n * sizeof *initial);
    g_free(initial);
    scree_world_reserve(sim->world, scene->bodies->len);
    for (guint i = 0; i < scene->bodies->len; i++)
        scree_world_add(sim->world, &g_array_index(scene->bodies, scree_body, i), sim->t0);
    scree_world_lend(sim->world, sim->scratch);
    scree_world_sort(sim->world, 0.0, NULL, NULL, sim->scratch);
    wrap_start(sim->world);
    sim->renumber_every = scene->renumber_every;
    sim->renumber_cell = 2.0 * fmax(scree_world_largest(sim->world), largest_to_come(scene));
    if (!(sim->renumber_cell > 0.0))
        sim->renumber_every = 0;
    if (sim->renumber_every)
        scree_world_sort(sim->world, sim->renumber_cell, NULL, NULL, sim->scratch);
    scree_scratch_end(sim->scratch);
    for (int k = 0; k < 3; k++)
        if (sim->world->periodic[k] && !(sim->world->length[k] > 0.0)) {
            g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE,
                        "scene.boundary: axis %d is periodic but the region has no extent there",
                        k);
            return false;
        }
    scree_sim_view(sim);
    // The world has them now; they are a fifth of what a run holds.
    g_array_unref(sim->scene->bodies);
    sim->scene->bodies = g_array_new(FALSE, FALSE, sizeof(scree_body));
    return true;
}

static bool first_evaluation(scree_sim *sim, GError **error)
{
    scree_energy energy;
    sim->overlaps = g_new0(scree_overlap, scree_pool_lanes(sim->runtime.pool));
    sim->seeks_overlaps = true;
    if (!scree_evaluate(sim, 0.0, 0.0, true, error))
        return false;
    sim->seeks_overlaps = false;
    sim->lag = sim->lost = sim->work = 0.0;
    scree_energy_now(sim, &energy);
    sim->start_energy = energy.kinetic + energy.gravity + energy.stored;
    sim->times = (scree_phase_times){0};
    sim->evaluations = sim->sum_candidates = sim->sum_contacts = 0;
    return true;
}

scree_sim *scree_sim_new(scree_scene *scene, const scree_sim_options *options, GError **error)
{
    scree_sim *sim = g_new0(scree_sim, 1);
    sim->scene = scene;
    sim->kernels = scree_kernels_best();
    sim->runtime = (scree_runtime){.pool = scree_pool_new(options->threads),
                                   .dimension = scene->dimension,
                                   .n_materials = scene->materials.n,
                                   .seed = scene->seed,
                                   .cancelled = options->cancelled,
                                   .scene = scene,
                                   .output_dir = g_strdup(options->output_dir)};
    sim->t0 = options->t0;
    sim->dt = scene->dt;
    sim->checks_dt = options->check_dt;
    sim->want_blocks = options->blocks;
    sim->batch =
        options->batch ? CLAMP(options->batch, SMALLEST_BATCH, SCREE_BATCH_MAX) : DEFAULT_BATCH;
    sim->eps_v = scene->eps_v;
    sim->eps_e = scene->eps_e;
    sim->eps_c = scene->eps_c;
    sim->tolerance_zero = scene->eps_v == 0.0 && scene->eps_e == 0.0 && scene->eps_c == 0.0;
    sim->renew_moved = scene->renew_moved;
    sim->sum_values = g_array_new(FALSE, FALSE, sizeof(double));
    sim->ended_contacts = g_array_sized_new(FALSE, FALSE, 40, 1024);
    sim->edited = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    sim->stale = true;
    scree_order_prepare(sim);
    if (!make_laws(sim, error) || !make_resolvers(sim, error) || !make_lists(sim, error) ||
        !make_others(sim, error) || !choose_dt(sim, error) || !make_world(sim, error)) {
        scree_sim_free(sim);
        return NULL;
    }
    scree_evaluate_init(sim);
    sim->record = sim->record_walls = options->record;
    sim->watched = true;
    if (!options->goes_on && !first_evaluation(sim, error)) {
        scree_sim_free(sim);
        return NULL;
    }
    return sim;
}

void scree_sim_free(scree_sim *sim)
{
    if (!sim)
        return;
    scree_evaluate_clear(sim);
    scree_blame_free(sim->blame);
    scree_lists_free(sim);
    scree_order_clear(sim);
    scree_extent_clear(sim);
    scree_edits_clear(sim);
    scree_instance_free(sim->gcd);
    scree_instance_free(sim->integrator);
    for (uint32_t l = 0; l < sim->n_laws; l++) {
        scree_instance_free(sim->laws[l].instance);
        g_free(sim->laws[l].range);
    }
    g_free(sim->laws);
    if (sim->resolvers)
        g_ptr_array_unref(sim->resolvers);
    if (sim->modifiers)
        g_ptr_array_unref(sim->modifiers);
    scree_world_free(sim->world);
    g_array_unref(sim->sum_values);
    g_array_unref(sim->ended_contacts);
    g_array_unref(sim->edited);
    scree_record_clear(sim);
    for (int k = 0; k < 3; k++) {
        free(sim->displacement[k]);
        free(sim->rotation[k]);
    }
    for (int k = 0; k < 3; k++)
        free(sim->surface[k]);
    free(sim->moved);
    free(sim->names);
    g_free(sim->overlaps);
    g_free(sim->type_index);
    g_free(sim->contact_initial);
    g_free(sim->pair_initial);
    g_free(sim->global_field);
    g_free(sim->gap);
    scree_pool_free(sim->runtime.pool);
    g_free(sim->runtime.output_dir);
    g_clear_pointer(&sim->runtime.writers, g_hash_table_unref);
    scree_scene_free(sim->scene);
    g_free(sim);
}
