/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check`: calls make() of a source, in the scene of its instance. */
#include "tools/check/check_source_call.h"

#include <inttypes.h>
#include <string.h>

#include "config/config.h"
#include "config/config_read.h"
#include "plugin/struct_size.h"
#include "scene/new_bodies.h"
#include "scene/scene_settings.h"
#include "scene/scene_shapes.h"
#include "scene/scene_source.h"
#include "shape/plugin_shape.h"
#include "shape/shape.h"
#include "tools/check/check_instance.h"
#include "tools/check/check_query.h"
#include "tools/check/check_report.h"

/* OWN_BODIES: bodies in the scene that check_instance.c writes. */
enum { OWN_BODIES = 2, OWN_SHAPES = 2, MOST_BODIES = 1000000 };

/** Reports that the source did what it may not. SCREE_E_CONFIG. */
static int32_t G_GNUC_PRINTF(2, 3) blame(scree_check_source *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    scree_check_fail(s->check, "%s: make: %s", s->setting, text);
    return SCREE_E_CONFIG;
}

/* ---- add ---- */

static int32_t add(void *ctx, const scree_new_bodies *from)
{
    scree_check_source *s = ctx;
    if (!s->open || s->check->failed)
        return blame(s, "it calls add() after make() has returned");
    if (!from || from->size < SCREE_SIZE_TO(scree_new_bodies, line))
        return blame(s, "add: expected bodies in a struct of size %zu or more, got %u",
                     SCREE_SIZE_TO(scree_new_bodies, line), from ? from->size : 0);
    if (s->refuse_after >= 0 && s->calls++ >= s->refuse_after) {
        s->refused = true;
        return s->instance->host.fail(s->instance, SCREE_E_CONFIG, "the check refuses bodies");
    }
    const char *gap = scree_new_bodies_gap(from, s->view.dimension, SCREE_NEW_BODY);
    if (gap)
        return blame(s, "add: %s", gap);
    s->taken += from->n;
    if (s->taken > s->most || s->taken > MOST_BODIES)
        return blame(s, "add: %" PRIu64 " bodies; expected %" PRIu64 " at most", s->taken,
                     MIN(s->most, (uint64_t)MOST_BODIES));
    for (uint32_t i = 0; i < from->n; i++) {
        scree_body body = scree_new_bodies_read(from, i, s->view.dimension, SCREE_NEW_BODY);
        const char *fault = scree_new_body_fault(s->scene, &body, SCREE_NEW_BODY);
        body.id = from->id ? from->id[i] : SCREE_ID_NONE;
        if (fault)
            return blame(s, "add: body %u: %s", s->bodies->len, fault);
        if (from->frame == SCREE_FRAME_OF_SHAPE)
            scree_shape_enter_frame(s->view.shapes[body.shape], body.scale, body.x, body.q);
        g_array_append_val(s->scene->bodies, body);
        g_array_append_val(s->bodies, body);
    }
    return SCREE_OK;
}

/* ---- the other functions ---- */

static void show_shapes(scree_check_source *s)
{
    s->view.n_shapes = s->scene->shapes->len;
    s->view.shapes = (const scree_shape *const *)s->scene->shapes->pdata;
}

static int32_t add_shape(void *ctx, const char *name, const char *text, uint32_t *index)
{
    scree_check_source *s = ctx;
    if (!s->open)
        return blame(s, "it calls add_shape() after make() has returned");
    if (!name || !text || !index)
        return blame(s, "add_shape: name, text or index is NULL");
    const scree_shape_name *known = g_hash_table_lookup(s->build.shape_names, name);
    if (known && known->index >= OWN_SHAPES) { // from an earlier call on this scene
        *index = known->index;
        return SCREE_OK;
    }
    g_autoptr(scree_config) config = scree_config_parse("check = { };", "check", ".");
    const scree_node *at = scree_config_child(config->root, "check");
    s->build.config = config;
    const bool added = scree_build_add_shape(&s->build, at, name, text, index);
    if (!added) {
        s->reported = true;
        scree_check_note(s->check, "add_shape(%s): %s", name,
                         config->problems->len ? (const char *)config->problems->pdata[0] : "?");
        return SCREE_E_CONFIG;
    }
    scree_build_type_shapes(&s->build);
    show_shapes(s);
    return SCREE_OK;
}

static int32_t set_cell(void *ctx, const scree_cell *cell)
{
    scree_check_source *s = ctx;
    scree_boundary boundary[3];
    if (!s->open)
        return blame(s, "it calls set_cell() after make() has returned");
    g_autofree char *problem = scree_check_cell(s->scene, cell, boundary);
    return problem ? blame(s, "set_cell: %s", problem) : SCREE_OK;
}

static int32_t bond(void *ctx, uint32_t n, const uint32_t *a, const uint32_t *b)
{
    scree_check_source *s = ctx;
    if (!s->open)
        return blame(s, "it calls bond() after make() has returned");
    for (uint32_t k = 0; k < n; k++)
        if (a[k] >= s->taken || b[k] >= s->taken || a[k] == b[k])
            return blame(s,
                         "bond: bodies %u and %u; expected two of the %" PRIu64 " that it has "
                         "added, counted from 0",
                         a[k], b[k], s->taken);
    return SCREE_OK;
}

static void report_problem(void *ctx, const char *file, uint32_t line, const char *text)
{
    scree_check_source *s = ctx;
    (void)file;
    if (!s->open)
        blame(s, "it calls problem() after make() has returned");
    else if (!text || !*text)
        blame(s, "problem() without a text, of line %u", line);
    else if (!s->reported)
        s->instance->host.fail(s->instance, SCREE_E_CONFIG, text); // the first is the reason
    s->reported = true;
}

/* ---- the call ---- */

static void show_scene(scree_check_source *s)
{
    const scree_scene *scene = s->scene;
    scree_scene_cell(scene, &s->cell);
    s->view = (scree_bodies){.size = sizeof s->view,
                             .cell = &s->cell,
                             .dimension = scene->dimension,
                             .n_materials = scene->materials.n,
                             .thickness = scene->dimension == 2 ? scene->thickness : 0.0};
    memcpy(s->view.gravity, scene->gravity, sizeof s->view.gravity);
    show_shapes(s);
}

void scree_check_source_clear(scree_check_source *s)
{
    g_array_set_size(s->bodies, 0);
}

scree_check_source *scree_check_source_new(scree_check *check, scree_instance *instance,
                                           const char *setting)
{
    scree_check_source *s = g_new0(scree_check_source, 1);
    s->check = check;
    s->instance = instance;
    s->setting = setting;
    s->refuse_after = -1;
    s->scene = (scree_scene *)(uintptr_t)scree_check_scene_of(instance);
    s->build = (scree_build){.scene = s->scene, .shape_names = s->scene->shape_names_known};
    s->bodies = g_array_new(FALSE, FALSE, sizeof(scree_body));
    return s;
}

void scree_check_source_free(scree_check_source *s)
{
    if (!s)
        return;
    g_array_set_size(s->scene->bodies, OWN_BODIES);
    g_array_unref(s->bodies);
    g_free(s);
}

/** Judges the answer of make(): a required error must come with a text. */
static bool judge(scree_check_source *s, int32_t code, const GError *error)
{
    if (s->check->failed)
        return false;
    if (code < 0 && error->code == SCREE_EXIT_PLUGIN)
        blame(s, "%s", error->message);
    else if (code >= 0 && (s->reported || s->refused))
        blame(s, "it returned %d after %s", code,
              s->refused ? "add() had refused bodies" : "it had reported a problem");
    else if (code < 0 && !s->refused && !s->may_refuse && !s->check->at_ends) {
        blame(s, "%s", error->message);
        s->check->refused = true;
    }
    return code >= 0 && !s->check->failed;
}

/** Puts the bodies of earlier calls into the scene, and no others. */
static void set_scene(scree_check_source *s)
{
    g_array_set_size(s->scene->bodies, OWN_BODIES);
    g_array_append_vals(s->scene->bodies, s->bodies->data, s->bodies->len);
    scree_check_query_open(scree_check_query_of(s->instance), true);
    show_scene(s);
}

/** Arguments of a call before the first step, or during a run. */
static scree_making arguments(scree_check_source *s, uint64_t first, uint64_t most)
{
    scree_making args = {.size = sizeof args,
                         .ctx = s,
                         .bodies = &s->view,
                         .first = first,
                         .most = most,
                         .dt = s->scene->dt,
                         .add = add,
                         .add_shape = add_shape,
                         .set_cell = set_cell,
                         .problem = report_problem,
                         .density = s->scene->density,
                         .bond = bond};
    if (s->going_on) {
        args.bond = NULL;
        args.step = 100;
        args.time = 100.0 * args.dt;
        args.add_shape = NULL;
        args.set_cell = NULL;
    }
    return args;
}

/** The integrator that brings the bodies. NULL: it does not serve this dimension; or the file has
 * none, and the check has failed. */
static scree_instance *make_integrator(scree_check_source *s)
{
    g_autoptr(GString) why = g_string_new(NULL), other = g_string_new(NULL);
    const uint32_t dimension = s->scene->dimension;
    scree_instance *integrator = scree_check_integrator_of(s->check, dimension, why);
    if (integrator)
        return integrator;
    scree_instance *elsewhere = scree_check_integrator_of(s->check, dimension == 2 ? 3 : 2, other);
    if (!elsewhere)
        blame(s, "the integrator of its file cannot be made: %s", why->str);
    scree_check_instance_free(elsewhere);
    return NULL;
}

bool scree_check_source_make(scree_check_source *s, uint64_t first, uint64_t most)
{
    const scree_source_ops *ops = s->instance->ops;
    scree_making args = arguments(s, first, most);
    g_autoptr(GError) error = NULL;
    const bool leads = s->check->plugin->flags & SCREE_CAP_BY_INTEGRATOR;
    scree_instance *integrator = leads ? make_integrator(s) : NULL;
    if (leads && !integrator) // it does not serve this dimension
        return false;
    args.integrator = integrator ? integrator->self : NULL;
    s->may_refuse |= leads && (s->going_on || most < UINT64_MAX); // its bodies come together
    set_scene(s);
    s->most = most;
    s->taken = 0;
    s->calls = 0;
    s->reported = s->refused = false;
    s->open = true;
    scree_call call = scree_call_begin(s->instance, SCREE_CALL_CONFIG, "make");
    int32_t code = ops->make(s->instance->self, &args);
    code = scree_call_end(&call, code, SCREE_OK, &error);
    s->open = false;
    scree_check_query_open(scree_check_query_of(s->instance), false);
    scree_check_instance_free(integrator);
    return judge(s, code, error);
}
