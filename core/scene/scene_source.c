// SPDX-License-Identifier: Apache-2.0
// The `generate` groups of a scene, in their order: a source makes the bodies of each, and their
// shapes.
#include "scene/scene_source.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/shortage.h"
#include "config/config_node.h"
#include "config/config_problem.h"
#include "plugin/call.h"
#include "plugin/instance.h"
#include "plugin/schema.h"
#include "plugin/struct_size.h"
#include "scene/query_service.h"
#include "scene/scene_body.h"
#include "scene/scene_build.h"
#include "scene/scene_field_uses.h"
#include "scene/scene_keys.h"
#include "scene/scene_plugins.h"
#include "scene/scene_runtime.h"
#include "scene/scene_settings.h"
#include "scene/scene_shapes.h"
#include "scene/source_bodies.h"
#include "scree/cell_sdk.h"

static int32_t add_source_shape(void *ctx, const char *name, const char *text, uint32_t *index)
{
    scree_source_call *c = ctx;
    if (!scree_source_goes_on(c, "add_shape"))
        return SCREE_E_CONFIG;
    if (!name || !text || !index)
        return scree_source_blame(c, "add_shape: name, text or index is NULL");
    const bool added = scree_build_add_shape(c->build, c->group, name, text, index);
    c->bodies.shapes = (const scree_shape *const *)c->build->scene->shapes->pdata;
    c->bodies.n_shapes = c->build->scene->shapes->len;
    c->said |= !added;
    c->in_vain = added ? 0 : c->in_vain;
    return added ? SCREE_OK : SCREE_E_CONFIG;
}

/** Returns why a scene without a region cannot have the cell that a source gives; NULL: it can, with
 * these boundaries. */
static char *check_cell(const scree_scene *scene, const scree_cell *cell,
                        scree_boundary boundary[3])
{
    if (!cell || cell->size < SCREE_SIZE_TO(scree_cell, rate))
        return g_strdup("cell is NULL, or its size is too small");
    if (cell->repeats >> scene->dimension)
        return g_strdup_printf("expected repeats without bits from %u on, got %#x",
                               scene->dimension, cell->repeats);
    for (uint32_t k = 0; k < 3; k++) {
        const double lo = cell->lo[k], hi = cell->hi[k], along = cell->vector[k][k];
        const bool repeats = scree_repeats(cell, (int)k);
        boundary[k] = repeats ? SCREE_BOUNDARY_PERIODIC : scene->boundary[k];
        if (k < scene->dimension && !(isfinite(lo) && isfinite(hi) && lo <= hi))
            return g_strdup_printf("expected finite numbers and lo <= hi along %c, got %g and %g",
                                   "xyz"[k], lo, hi);
        for (uint32_t j = 0; j < 3; j++)
            if (!isfinite(cell->vector[k][j]) || ((j > k || !repeats) && cell->vector[k][j] != 0.0))
                return g_strdup_printf("expected %s in vector[%u][%u], got %g m",
                                       repeats && j <= k ? "a finite number" : "0", k, j,
                                       cell->vector[k][j]);
        if (repeats && !(hi > lo && along == hi - lo))
            return g_strdup_printf("expected vector[%u][%u] = hi - lo = %g m, got %g", k, k,
                                   hi - lo, along);
    }
    const double tilt[3] = {cell->vector[1][0], cell->vector[2][0], cell->vector[2][1]};
    return scree_check_tilt(scene->dimension, boundary, cell->lo, cell->hi, tilt);
}

static int32_t set_cell(void *ctx, const scree_cell *cell)
{
    scree_source_call *c = ctx;
    scree_scene *s = c->build->scene;
    scree_boundary boundary[3];
    bool any = false;
    if (!scree_source_goes_on(c, "set_cell"))
        return SCREE_E_CONFIG;
    g_autofree char *problem = check_cell(s, cell, boundary);
    if (problem)
        return scree_source_blame(c, "set_cell: %s", problem);
    for (uint32_t k = 0; k < s->dimension; k++)
        any = any || cell->hi[k] > cell->lo[k];
    if (s->has_region || !any)
        return SCREE_OK;
    s->has_region = true;
    memcpy(s->region_min, cell->lo, s->dimension * sizeof *cell->lo);
    memcpy(s->region_max, cell->hi, s->dimension * sizeof *cell->hi);
    memcpy(s->tilt, (const double[3]){cell->vector[1][0], cell->vector[2][0], cell->vector[2][1]},
           sizeof s->tilt);
    memcpy(s->boundary, boundary, sizeof s->boundary);
    scree_scene_cell(s, &c->cell);
    return SCREE_OK;
}

/** Returns the key at the beginning of a text, "spacing: ..."; `*text` becomes the rest. */
static const scree_node *find_key(const scree_node *group, const char **text)
{
    const char *colon = strstr(*text, ": ");
    g_autofree char *key = colon ? g_strndup(*text, (gsize)(colon - *text)) : NULL;
    const scree_node *child = key ? scree_node_find(group, key) : NULL;
    if (!child)
        return group;
    *text = colon + strlen(": ");
    return child;
}

static void report_problem(void *ctx, const char *file, uint32_t line, const char *text)
{
    scree_source_call *c = ctx;
    const guint before = c->build->config->problems->len;
    // It may report a mistake in a body that was refused.
    if (!c->open || (c->refused < SCREE_MOST_REFUSED && !c->instance->misbehaved))
        if (!scree_source_goes_on(c, "problem"))
            return;
    if (!text)
        text = SCREE_NO_REASON;
    const scree_node *at = file ? NULL : find_key(c->group, &text);
    if (!file)
        scree_config_problem(c->build->config, at, "%s", text);
    else if (line)
        scree_config_problem(c->build->config, NULL, "%s:%" PRIu32 ": %s", file, line, text);
    else
        scree_config_problem(c->build->config, NULL, "%s: %s", file, text);
    c->said = true;
    if (c->build->config->problems->len > before)
        c->in_vain = 0;
}

/** Fills the source's view of the scene, without bodies. */
static void show_scene(scree_source_call *c)
{
    const scree_scene *s = c->build->scene;
    scree_bodies *bodies = &c->bodies;
    scree_scene_cell(s, &c->cell);
    *bodies = (scree_bodies){.size = sizeof *bodies,
                             .cell = &c->cell,
                             .dimension = s->dimension,
                             .n_shapes = s->shapes->len,
                             .n_materials = s->materials.n,
                             .shapes = (const scree_shape *const *)s->shapes->pdata,
                             .thickness = s->dimension == 2 ? s->thickness : 0.0};
    memcpy(bodies->gravity, s->gravity, sizeof bodies->gravity);
}

/** Makes an instance of the scene's integrator, for a source in the same file. */
static scree_instance *make_integrator(scree_source_call *c, scree_runtime *runtime, GError **error)
{
    const scree_choice_of *choice = c->build->scene->integrator;
    const scree_plugin *source = c->instance->plugin;
    if (choice && choice->file == c->instance->file)
        return scree_instance_new(runtime, choice, "integrator", error);
    g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE,
                "source/%s has bodies from the integrator of the same file, and the scene has "
                "chosen integrator/%s",
                source->id, choice ? choice->plugin->id : "?");
    return NULL;
}

/** Calls make(). */
static bool call_make(scree_source_call *c, void *integrator, const scree_heard *heard,
                      GError **error)
{
    const scree_source_ops *ops = c->instance->ops;
    c->args = (scree_making){.size = sizeof c->args,
                             .ctx = c,
                             .bodies = &c->bodies,
                             .most = UINT64_MAX,
                             .dt = c->build->scene->dt,
                             .integrator = integrator,
                             .add = scree_source_add,
                             .add_shape = add_source_shape,
                             .set_cell = set_cell,
                             .problem = report_problem,
                             .density = c->build->scene->density,
                             .bond = scree_source_bond};
    show_scene(c);
    scree_call call = scree_call_begin(c->instance, SCREE_CALL_CONFIG, "make");
    c->open = true;
    int32_t code = ops->make(c->instance->self, &c->args);
    c->open = false;
    const bool of_input =
        code == SCREE_E_CONFIG || code == SCREE_E_IO || code == SCREE_E_UNSUPPORTED;
    if (of_input && c->said && !heard->failures->len)
        code = SCREE_OK; // problems give the reason
    code = scree_call_end(&call, code, SCREE_OK, error);
    if (code < 0 && of_input && (*error)->code == SCREE_EXIT_RUN)
        scree_instance_blame_scene(c->instance, error);
    return code >= 0;
}

/** Adds a problem if an earlier group took the bodies of the integrator. */
static bool is_first(scree_build *b, const scree_node *group, const scree_choice_of *choice)
{
    for (guint k = 0; k < b->scene->sources->len; k++) {
        const scree_choice_of *other = b->scene->sources->pdata[k];
        if (other == choice || !(other->plugin->flags & SCREE_CAP_BY_INTEGRATOR))
            continue;
        scree_config_problem(b->config, group,
                             "another group takes the bodies of the integrator already");
        return false;
    }
    return true;
}

/** Lists the scene's bodies so far for scree.query/1; their ids are their places. */
static bool list_bodies_so_far(void *user, scree_query_add add, void *space, bool all,
                               const double lo[3], const double hi[3], GError **error)
{
    scree_build *b = user;
    const GArray *bodies = b->scene->bodies;
    (void)lo;
    (void)hi;
    if (all)
        b->listed = 0;
    for (; b->listed < bodies->len; b->listed++)
        if (!add(space, &g_array_index(bodies, scree_body, b->listed), b->listed, error))
            return false;
    return true;
}

/** Returns the service, for a call that begins. */
static scree_query_offer *offer_query(scree_build *b)
{
    const scree_query_world world = {.scene = b->scene, .user = b, .catch_up = list_bodies_so_far};
    if (!b->query)
        b->query = scree_query_service_new(&world);
    scree_query_service_open(b->query, NULL);
    return scree_query_service_offer(b->query);
}

/** Makes the instances for the call, and calls the source. */
static void run_source(scree_build *b, scree_node *group, const scree_choice_of *choice)
{
    const scree_scene *s = b->scene;
    g_autoptr(GError) error = NULL;
    scree_runtime runtime = scree_scene_runtime(s, scree_pool_new(1));
    runtime.query = offer_query(b);
    scree_source_call c = {.build = b,
                           .group = group,
                           .group_index = scree_build_group_name(b, group->name),
                           .before = b->scene->bodies->len};
    scree_heard heard;
    scree_heard_begin(&heard, &runtime);
    const scree_slot slot = {.kind = SCREE_KIND_SOURCE, .name = group->name};
    c.instance = scree_instance_at(&runtime, choice, slot, &error);
    const bool leads = choice->plugin->flags & SCREE_CAP_BY_INTEGRATOR;
    scree_instance *integrator = c.instance && leads ? make_integrator(&c, &runtime, &error) : NULL;
    if (c.instance && !error)
        call_make(&c, integrator ? integrator->self : NULL, &heard, &error);
    scree_instance_free(integrator);
    scree_instance_free(c.instance);
    GError *failed = NULL;
    if (b->untyped) {
        scree_query_service_forget(b->query);
        scree_build_type_shapes(b);
        scree_build_resolvers(b); // the new shapes may need others
    }
    b->untyped = false;
    if (scree_query_service_close(b->query, &failed)) {
        g_clear_error(&error);
        error = failed;
    }
    scree_heard_end(&heard, b, group, error);
    scree_pool_free(runtime.pool);
}

/** Refuses a number of bodies whose state, sums and mirrors do not fit into memory: a source
 * would work on them for long. */
static void check_room(const scree_build *b, scree_node *group, const scree_choice_of *choice)
{
    enum { BODY = 300, MANY = 1000000 }; // BODY: [bytes] docs/explanation/memory.md
    for (uint32_t k = 0; k < choice->plugin->n_params; k++) {
        const scree_param *param = choice->plugin->params[k];
        int64_t n = 0;
        if (strcmp(param->name, "count") != 0 || param->type != SCREE_TYPE_INT)
            continue;
        memcpy(&n, (const char *)choice->config + param->offset, sizeof n);
        const double need = (double)BODY * (double)n, left = n < MANY ? need : scree_room_left();
        if (need > left)
            scree_config_problem(b->config, scree_node_find(group, "count"),
                                 "%" PRId64 " bodies need %.3g GB of memory or more, %.3g GB are "
                                 "left",
                                 n, 1e-9 * need, 1e-9 * left);
    }
}

/** Reads a group, makes an instance of its source, and takes its bodies and shapes. `otherwise`: the
 * source of a group that names none, or NULL. */
static void build_source(scree_build *b, scree_node *group, const char *otherwise)
{
    const guint before = b->config->problems->len;
    scree_build_group_name(b, group->name); // the group exists, even without bodies
    b->starting = true;
    b->lacks_recipe = false;
    scree_choice_of *choice = scree_schema_choose(b->config, group, SCREE_KIND_SOURCE, otherwise,
                                                  &b->scene->materials, b->scene->registry);
    b->starting = false;
    if (!choice)
        return;
    g_ptr_array_add(b->scene->sources, choice);
    scree_build_check_dimension(b, choice);
    scree_build_check_files(b, choice);
    check_room(b, group, choice);
    const bool leads = choice->plugin->flags & SCREE_CAP_BY_INTEGRATOR;
    if (b->config->problems->len == before && !b->lacks_recipe &&
        (!leads || is_first(b, group, choice)))
        run_source(b, group, choice);
}

/* ---- groups of bodies that a source makes ---- */

/* Former words for `plugin`, with the sources that they named; the first one if a group has neither. */
static const struct {
    const char *key, *sources[2];
} former[] = {[SCREE_FORMER_GENERATE] = {"method", {"random", "lattice"}},
              [SCREE_FORMER_BODIES] = {"format", {"table", "lammps"}}};

/** Returns the source that a former word names. NULL, with a problem: it never had this value. */
static const char *find_former(scree_build *b, const scree_node *word, scree_former room)
{
    const char *const *sources = former[room].sources;
    const char *value = word->type == SCREE_NODE_STRING ? word->s : "another type";
    for (int k = 0; k < 2; k++)
        if (!strcmp(value, sources[k]))
            return sources[k];
    scree_config_problem(b->config, word, "expected \"%s\" or \"%s\", got %s%s%s", sources[0],
                         sources[1], word->type == SCREE_NODE_STRING ? "\"" : "", value,
                         word->type == SCREE_NODE_STRING ? "\"" : "");
    return NULL;
}

/** Notes, once for each room, how its groups are written now. */
static void note_former(scree_build *b, const scree_node *group, scree_former room, bool has_word,
                        const char *source)
{
    if (b->told_former[room])
        return;
    b->told_former[room] = true;
    if (room == SCREE_FORMER_GENERATE) {
        scree_config_note(b->config, group,
                          "plugin = \"%s\"; is the word for %s now, here and in other groups; it "
                          "makes the same bodies",
                          source, has_word ? "method" : "a group without method");
        return;
    }
    const scree_node *file = scree_node_find(group, "file");
    scree_config_note(b->config, file,
                      "bodies of a file come from a source: generate.%s = { plugin = \"%s\"; file "
                      "= \"%s\"; .. } makes the same bodies, here and in other groups",
                      group->name, source, file->s);
}

void scree_build_source_group(scree_build *b, scree_node *group, scree_former room)
{
    scree_generate_keys keys;
    scree_node *word = scree_node_find(group, former[room].key);
    const bool current = scree_node_find(group, "plugin");
    const guint before = b->config->problems->len;
    const char *source = current ? NULL : former[room].sources[0];
    const bool has_word = word && !current; // next to `plugin` it is an unknown key
    if (has_word) {
        scree_build_group_name(b, group->name); // the group exists, though it may be refused
        source = find_former(b, word, room);
        if (!source)
            return;
        word->known = true; // it stays: a restart compares the texts
    }
    scree_build_keys(b, group, SCREE_KEYS_GENERATE, &keys);
    scree_build_start_from(b, keys.fields);
    build_source(b, group, source);
    if (!current && b->config->problems->len == before)
        note_former(b, group, room, has_word, source);
}

static void generate_group(scree_build *b, scree_node *group)
{
    scree_build_source_group(b, group, SCREE_FORMER_GENERATE);
}

void scree_build_generate(scree_build *b)
{
    scree_build_each(b, "generate", generate_group);
}
