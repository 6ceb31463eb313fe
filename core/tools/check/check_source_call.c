/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check`: calls make() of a source, in the scene of its instance. */
#include "tools/check/check_source_call.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "config/config.h"
#include "config/config_read.h"
#include "plugin/struct_size.h"
#include "scene/scene_settings.h"
#include "scene/scene_shapes.h"
#include "scene/start_values.h"
#include "shape/plugin_shape.h"
#include "shape/shape.h"
#include "tools/check/check_instance.h"
#include "tools/check/check_query.h"
#include "tools/check/check_report.h"
#include "tools/check/check_world.h"

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

/** A missing member; NULL: none. */
static const char *find_gap(const scree_new_bodies *from, uint32_t dimension)
{
    const double *const *const vectors[] = {from->q, from->v, from->w};
    const int n[] = {4, 3, 3};
    if (!from->shape || !from->material || !from->scale)
        return "shape, material or scale is NULL";
    for (uint32_t k = 0; k < dimension; k++)
        if (!from->x[k])
            return "a component of x is NULL";
    for (size_t i = 0; i < G_N_ELEMENTS(vectors); i++)
        for (int k = 1; k < n[i]; k++)
            if (vectors[i][0] && !vectors[i][k])
                return "a component of q, v or w is NULL, and the first is not";
    if (from->file && !from->line)
        return "line is NULL, and file is not";
    if (from->frame > SCREE_FRAME_OF_SHAPE)
        return "frame is not one of SCREE_FRAME_*";
    return from->n_fields && !from->fields ? "fields is NULL" : scree_start_values_check(from);
}

static scree_body read_body(const scree_check_source *s, const scree_new_bodies *from, uint32_t i)
{
    scree_body body;
    memset(&body, 0, sizeof body);
    body.id = from->id ? from->id[i] : SCREE_ID_NONE;
    body.shape = from->shape[i];
    body.material = from->material[i];
    body.motion = from->motion ? from->motion[i] : SCREE_MOTION_FREE;
    body.scale = from->scale[i];
    body.q[0] = 1.0;
    for (uint32_t k = 0; k < s->view.dimension; k++)
        body.x[k] = from->x[k][i];
    for (int k = 0; k < 4 && from->q[0]; k++)
        body.q[k] = from->q[k][i];
    for (int k = 0; k < 3 && from->v[0]; k++)
        body.v[k] = from->v[k][i];
    for (int k = 0; k < 3 && from->w[0]; k++)
        body.w[k] = from->w[k][i];
    return body;
}

static bool is_finite(const scree_body *body)
{
    double sum = body->scale;
    for (int k = 0; k < 3; k++)
        sum += fabs(body->x[k]) + fabs(body->v[k]) + fabs(body->w[k]);
    return isfinite(sum);
}

/** A mistake that no file excuses; NULL: none. */
static const char *find_fault(const scree_check_source *s, const scree_body *body)
{
    const double *q = body->q;
    const double length = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (body->shape >= s->view.n_shapes)
        return "there is no shape of that index";
    if (body->material >= s->view.n_materials)
        return "there is no material of that index";
    if (body->motion > SCREE_MOTION_FIXED)
        return "expected a motion of SCREE_MOTION_FREE, KINEMATIC or FIXED";
    if (!is_finite(body) || !(body->scale > 0.0))
        return "a number is not finite, or its scale is not > 0";
    if (!(fabs(length - 1.0) < 1e-6))
        return "its quaternion is not a unit";
    const scree_shape *shape = s->view.shapes[body->shape];
    if (scree_shape_is_wall(shape) && body->motion == SCREE_MOTION_FREE)
        return "a body of that shape has no mass, it cannot be free";
    if (s->view.dimension == 2 &&
        (body->v[2] != 0.0 || body->w[0] != 0.0 || body->w[1] != 0.0 || q[1] != 0.0 || q[2] != 0.0))
        return "in 2D it leaves the plane";
    return NULL;
}

/** Makes scree.query/1 find the body from now on. */
static void take_in(scree_check_source *s, const scree_body *body)
{
    scree_check_body b = {.id = s->there->len,
                          .shape = body->shape,
                          .material = body->material,
                          .motion = body->motion,
                          .scale = body->scale};
    memcpy(b.x, body->x, sizeof b.x);
    memcpy(b.q, body->q, sizeof b.q);
    g_array_append_val(s->there, b);
}

static int32_t add(void *ctx, const scree_new_bodies *from)
{
    scree_check_source *s = ctx;
    if (!s->open || s->check->failed)
        return blame(s, "it calls add() after make() has returned");
    if (!from || from->size < SCREE_SIZE_TO(scree_new_bodies, fields))
        return blame(s, "add: expected bodies in a struct of size %zu or more, got %u",
                     SCREE_SIZE_TO(scree_new_bodies, fields), from ? from->size : 0);
    if (s->refuse_after >= 0 && s->calls++ >= s->refuse_after) {
        s->refused = true;
        return s->instance->host.fail(s->instance, SCREE_E_CONFIG, "the check refuses bodies");
    }
    const char *gap = from->n ? find_gap(from, s->view.dimension) : NULL;
    if (gap)
        return blame(s, "add: %s", gap);
    s->taken += from->n;
    if (s->taken > s->most || s->taken > MOST_BODIES)
        return blame(s, "add: %" PRIu64 " bodies; expected %" PRIu64 " at most", s->taken,
                     MIN(s->most, (uint64_t)MOST_BODIES));
    for (uint32_t i = 0; i < from->n; i++) {
        scree_body body = read_body(s, from, i);
        const char *fault = find_fault(s, &body);
        if (fault)
            return blame(s, "add: body %u: %s", s->bodies->len, fault);
        if (from->frame == SCREE_FRAME_OF_SHAPE)
            scree_shape_enter_frame(s->view.shapes[body.shape], body.scale, body.x, body.q);
        g_array_append_val(s->scene->bodies, body);
        take_in(s, &body);
        body.start = scree_start_values_take(&s->starts, from, i);
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
    bool good = cell;
    if (!s->open)
        return blame(s, "it calls set_cell() after make() has returned");
    for (uint32_t k = 0; good && k < s->view.dimension; k++)
        good = isfinite(cell->lo[k]) && isfinite(cell->hi[k]) && cell->lo[k] <= cell->hi[k];
    return good ? SCREE_OK : blame(s, "set_cell: expected finite numbers and lo <= hi");
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
    scree_start_values_clear(&s->starts);
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
    s->there = g_array_new(FALSE, FALSE, sizeof(scree_check_body));
    return s;
}

void scree_check_source_free(scree_check_source *s)
{
    if (!s)
        return;
    g_array_set_size(s->scene->bodies, OWN_BODIES);
    g_array_unref(s->bodies);
    g_array_unref(s->there);
    scree_start_values_clear(&s->starts);
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
    g_array_set_size(s->there, 0);
    for (guint i = 0; i < s->scene->bodies->len; i++)
        take_in(s, &g_array_index(s->scene->bodies, scree_body, i));
    scree_check_query_enter(scree_check_query_of(s->instance), s->there, G_MAXUINT);
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
                         .dt = s->dt > 0.0 ? s->dt : s->scene->dt,
                         .add = add,
                         .add_shape = add_shape,
                         .set_cell = set_cell,
                         .problem = report_problem,
                         .density = s->scene->density};
    if (s->going_on) {
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
    scree_instance *made = leads && !s->integrator ? make_integrator(s) : NULL;
    scree_instance *integrator = s->integrator ? s->integrator : made;
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
    scree_check_query_enter(scree_check_query_of(s->instance), NULL, 0);
    scree_check_instance_free(made);
    return judge(s, code, error);
}
