/* SPDX-License-Identifier: Apache-2.0 */
/* A small world for modifiers and observers without an engine: a list of bodies, put into new
 * arrays for each step. */
#include "tools/check/check_world.h"

#include "plugin/struct_size.h"
#include "tools/check/check_uses.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "plugin/vtable.h"
#include "scene/new_bodies.h"
#include "scene/scene_data.h"
#include "scene/scene_settings.h"
#include "shape/plugin_shape.h"
#include "shape/shape.h"
#include "tools/check/check_instance.h"
#include "tools/check/check_query.h"
#include "tools/check/check_report.h"
#include "tools/check/guard_pages.h"

const scree_cell scree_check_open_cell = {.size = sizeof(scree_cell),
                                          .lo = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL},
                                          .hi = {HUGE_VAL, HUGE_VAL, HUGE_VAL}};

enum { FREE = 27, KINEMATIC = 3, FIXED = 2 };
enum { CROWDED = 200 }; // bodies: insertion finds no place beyond

static const scree_scene *scene_of(const scree_check_world *w)
{
    return scree_check_scene_of(w->instance);
}

static uint32_t group_of(const scree_check_world *w, const char *name)
{
    const GPtrArray *names = scene_of(w)->group_names;
    for (guint i = 0; i < names->len; i++)
        if (!strcmp(names->pdata[i], name))
            return i;
    return 0;
}

/* Edits, judged as the host does. */

/** Notes an edit for its own case; the plugin continues as if it had been made. */
G_GNUC_PRINTF(2, 3)
static int32_t refuse_edit(scree_check_world *w, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    if (!w->refused)
        w->refused = g_steal_pointer(&text);
    return SCREE_OK;
}

/** The world of an edit, which fails the case outside of the call that edits serve. */
static scree_check_world *take_world(void *ctx, const char *edit)
{
    scree_check_world *w = ctx;
    if (!w->editing)
        scree_check_fail(w->check, "%s: its edits serve one call of after_step, which has returned",
                         edit);
    return w;
}

static bool is_finite(const double *v, int n)
{
    bool finite = true;
    if (v)
        for (int k = 0; k < n; k++)
            finite = finite && isfinite(v[k]);
    return finite;
}

static bool is_sound(const scree_check_world *w, const double *x, const double *q, const double *v,
                     const double *spin)
{
    bool flat = w->dimension == 2;
    double norm = q ? q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] : 1.0;
    bool sound =
        is_finite(x, 3) && is_finite(v, 3) && is_finite(spin, 3) && fabs(norm - 1.0) < 1e-6;
    return sound && !(flat && ((x && x[2] != 0.0) || (v && v[2] != 0.0) ||
                               (q && (q[1] != 0.0 || q[2] != 0.0)) ||
                               (spin && (spin[0] != 0.0 || spin[1] != 0.0))));
}

static scree_check_body *find(const scree_check_world *w, uint64_t id)
{
    for (guint i = 0; i < w->list->len; i++) {
        scree_check_body *b = &g_array_index(w->list, scree_check_body, i);
        if (b->id == id)
            return b;
    }
    return NULL;
}

/** Whether a struct of the plugin has its size. */
static bool is_whole(scree_check_world *w, const char *call, uint32_t size, size_t least)
{
    if (size < least)
        refuse_edit(w, "%s: expected a struct of size %zu or more, got %u", call, least, size);
    return size >= least;
}

static int32_t edit_insert(void *ctx, const scree_new_bodies *from, uint64_t *id)
{
    scree_check_world *w = take_world(ctx, "insert");
    const scree_scene *scene = scene_of(w);
    if (!is_whole(w, "insert", from->size, SCREE_SIZE_TO(scree_new_bodies, line)))
        return SCREE_E_CONFIG;
    const char *fault = scree_new_bodies_gap(from, w->dimension, SCREE_NEW_BODY);
    if (fault)
        return refuse_edit(w, "insert: %s", fault);
    for (uint32_t i = 0; i < from->n; i++) {
        scree_body body = scree_new_bodies_read(from, i, w->dimension, SCREE_NEW_BODY);
        fault = scree_new_body_fault(scene, &body, SCREE_NEW_BODY);
        if (fault)
            return refuse_edit(w, "insert: body %u of %u: %s", i + 1, from->n, fault);
        if (from->frame == SCREE_FRAME_OF_SHAPE)
            scree_shape_enter_frame(w->bodies.shapes[body.shape], body.scale, body.x, body.q);
        scree_check_body b = {.id = w->next_id++,
                              .shape = body.shape,
                              .material = body.material,
                              .motion = body.motion,
                              .group = group_of(w, "check"),
                              .old = SCREE_NONE,
                              .scale = body.scale};
        memcpy(b.x, body.x, sizeof b.x);
        memcpy(b.q, body.q, sizeof b.q);
        memcpy(b.v, body.v, sizeof b.v);
        memcpy(b.w, body.w, sizeof b.w);
        g_array_append_val(w->list, b);
        if (id)
            id[i] = b.id;
    }
    return SCREE_OK;
}

static int32_t edit_remove(void *ctx, uint64_t id)
{
    scree_check_world *w = take_world(ctx, "remove");
    if (!find(w, id))
        return refuse_edit(w, "remove: there is no body %" PRIu64, id);
    g_array_append_val(w->dead, id);
    return SCREE_OK;
}

/** Sets shape, size and material. */
static bool set_make(scree_check_world *w, scree_check_body *b, const scree_body_change *change)
{
    const bool anew = SCREE_HAS(change, material), heavy = SCREE_HAS(change, density);
    const double scale = SCREE_HAS(change, scale) ? *change->scale : b->scale;
    const double density = heavy ? *change->density : anew ? 0.0 : b->density;
    const uint32_t material = anew ? *change->material : b->material;
    const uint32_t shape = SCREE_HAS(change, shape) ? *change->shape : b->shape;
    if (!(scale > 0.0 && isfinite(scale) && isfinite(density) && (density > 0.0 || !heavy)) ||
        material >= w->bodies.n_materials || shape >= w->bodies.n_shapes) {
        refuse_edit(w, "set: body %" PRIu64 ": scale %g, density %g, material %u, shape %u", b->id,
                    scale, density, material, shape);
        return false;
    }
    b->density = density;
    b->scale = scale;
    b->material = material;
    b->shape = shape;
    return true;
}

static int32_t edit_set(void *ctx, const scree_body_change *change)
{
    scree_check_world *w = take_world(ctx, "set");
    if (!is_whole(w, "set", change->size, SCREE_SIZE_TO(scree_body_change, w)))
        return SCREE_E_CONFIG;
    const double *x = change->x, *q = change->q, *v = change->v, *spin = change->w;
    const uint64_t id = change->id;
    scree_check_body *b = find(w, id);
    if (!b)
        return refuse_edit(w, "set: there is no body %" PRIu64, id);
    if (!is_sound(w, x, q, v, spin))
        return refuse_edit(w, "set: body %" PRIu64 ": not finite, not unit or not in the plane",
                           id);
    const uint32_t *motion = SCREE_HAS(change, motion) ? change->motion : NULL;
    if (motion && *motion != SCREE_MOTION_FREE)
        return refuse_edit(w, "set: motion %u of body %" PRIu64 ": expected SCREE_MOTION_FREE",
                           *motion, id);
    b->motion = motion ? *motion : b->motion;
    if (b->motion == SCREE_MOTION_FIXED && (v || spin))
        return refuse_edit(w, "set: body %" PRIu64 " is fixed, it has no velocity", id);
    if (!set_make(w, b, change))
        return SCREE_E_CONFIG;
    for (int k = 0; k < 4; k++) {
        b->q[k] = q ? q[k] : b->q[k];
        if (k == 3)
            break;
        b->x[k] = x ? x[k] : b->x[k];
        b->v[k] = v ? v[k] : b->v[k];
        b->w[k] = spin ? spin[k] : b->w[k];
    }
    if (x || q)
        scree_check_query_forget(scree_check_query_of(w->instance));
    return SCREE_OK;
}

/** A load that differs between walls and between steps. */
static int32_t edit_load(void *ctx, uint64_t id, scree_load *out)
{
    scree_check_world *w = take_world(ctx, "load");
    const scree_check_body *b = find(w, id);
    scree_load load = {.size = MIN(out->size, sizeof load)};
    if (!is_whole(w, "load", out->size, SCREE_SIZE_TO(scree_load, torque)))
        return SCREE_E_CONFIG;
    if (!b)
        return refuse_edit(w, "load: there is no body %" PRIu64, id);
    if (b->motion == SCREE_MOTION_FREE)
        return refuse_edit(w, "load: body %" PRIu64 " is free; expected a fixed or kinematic one",
                           id);
    if (!(w->instance->demands.needs & SCREE_WANTS_LOADS))
        return refuse_edit(w, "load: a plugin that asks for it needs SCREE_WANTS_LOADS");
    load.contacts = (uint32_t)((id + w->step) % 4);
    const uint32_t n = load.contacts ? w->dimension : 0;
    for (uint32_t k = 0; k < n; k++)
        load.force[k] = 0.01 * sin((double)id + k + 0.1 * (double)w->step);
    load.stiffness = 1e3 * load.contacts;
    load.damping = 0.1 * load.contacts;
    memcpy(out, &load, load.size);
    return SCREE_OK;
}

static double mass_of(const scree_check_world *w, uint32_t shape, uint32_t material, double scale,
                      double *inertia)
{
    const scree_scene *scene = scene_of(w);
    double mass, moments[3];
    scree_shape_mass(scene->shapes->pdata[shape], scale, scene->density[material], scene->thickness,
                     &mass, moments);
    if (inertia)
        *inertia = moments[0];
    return mass;
}

/** One law makes bonds, another does not. */
static int32_t edit_bond(void *ctx, uint32_t n, const uint64_t *a, const uint64_t *b)
{
    scree_check_world *w = take_world(ctx, "bond");
    for (uint32_t k = 0; k < n; k++) {
        if (a[k] == b[k])
            return refuse_edit(w, "bond: of body %" PRIu64 " to itself", a[k]);
        if (!find(w, a[k]) || !find(w, b[k]))
            return refuse_edit(w, "bond: there is no body %" PRIu64, find(w, a[k]) ? b[k] : a[k]);
    }
    return SCREE_OK;
}

/* Puts the list into arrays. */

static void *array(scree_check_world *w, uint64_t bytes, bool input)
{
    uint64_t size = MAX((w->list->len * bytes + 63) / 64 * 64, 64);
    void *memory = scree_check_guarded(size);
    memset(memory, 0, size);
    g_ptr_array_add(w->arrays, memory);
    if (input)
        g_ptr_array_add(w->inputs, memory);
    return memory;
}

static void set_up_fields(scree_check_world *w, uint32_t scope, double *values, uint32_t most)
{
    uint32_t at = 0;
    const scree_plugin *plugin = w->instance->plugin;
    for (uint32_t f = 0; f < plugin->n_fields; f++)
        if (plugin->fields[f]->scope == scope)
            for (uint32_t k = 0; k < plugin->fields[f]->components; k++)
                if (at < most)
                    values[at++] = plugin->fields[f]->initial;
}

static size_t bytes_of_globals(const scree_check_world *w)
{
    return MAX((w->n_global_fields * sizeof(double) + 63) / 64 * 64, 64);
}

static int compare_bodies(const void *pa, const void *pb)
{
    const scree_check_body *a = pa, *b = pb;
    if (a->motion != b->motion)
        return a->motion < b->motion ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

/** Fills the arrays of one body. */
typedef struct columns {
    uint64_t *id;
    uint32_t *shape, *material, *motion, *group;
    double *x[3], *q[4], *v[3], *w[3], *scale, *density, *inv_mass, *inv_inertia;
} columns;

static void lay_out_body(scree_check_world *w, const columns *c, uint32_t i)
{
    const scree_check_body *b = &g_array_index(w->list, scree_check_body, i);
    bool free = b->motion == SCREE_MOTION_FREE;
    double inertia, mass = mass_of(w, b->shape, b->material, b->scale, &inertia);
    const double share =
        b->density > 0.0 ? b->density / w->bodies.material_density[b->material] : 1.0;
    mass *= share;
    inertia *= share;
    c->id[i] = b->id;
    c->shape[i] = b->shape;
    c->material[i] = b->material;
    c->motion[i] = b->motion;
    c->group[i] = b->group;
    c->scale[i] = b->scale;
    c->density[i] = b->density;
    c->inv_mass[i] = free ? 1.0 / mass : 0.0;
    c->inv_inertia[i] = free ? 1.0 / inertia : 0.0;
    for (int k = 0; k < 4; k++) {
        c->q[k][i] = b->q[k];
        if (k < 3) {
            c->x[k][i] = b->x[k];
            c->v[k][i] = b->v[k];
            c->w[k][i] = b->w[k];
        }
    }
    for (uint32_t f = 0; f < w->n_body_fields; f++)
        w->fields[f][i] = b->fields[f];
    for (int k = 0; k < 3; k++)
        w->wrench[8 * i + (uint32_t)k] =
            free ? mass * w->bodies.gravity[k] + 0.01 * sin(i + k) : 0.0;
    // what bodies in contact may feel
    w->wrench[8 * i + 6] = free ? 1e-4 * cos(i) : 0.0;
}

bool scree_check_world_judge_fields(const scree_check_world *w, const char *what)
{
    for (uint32_t k = 0; k < w->n_global_fields; k++)
        if (!isfinite(w->global_fields[k])) {
            scree_check_fail(w->check, "%s: component %u of the global fields is %g", what, k,
                             w->global_fields[k]);
            return false;
        }
    for (uint32_t f = 0; f < w->n_body_fields; f++)
        for (uint32_t i = 0; i < w->bodies.n; i++)
            if (!isfinite(w->fields[f][i])) {
                scree_check_fail(w->check,
                                 "%s: component %u of the body fields of body %" PRIu64 " is %g",
                                 what, f, w->bodies.id[i], w->fields[f][i]);
                return false;
            }
    return true;
}

void scree_check_world_protect_fields(scree_check_world *w, bool read_only)
{
    for (uint32_t f = 0; w->strict && f < w->n_body_fields; f++)
        scree_check_protect(w->fields[f], read_only);
    if (w->strict)
        scree_check_protect(w->global_fields, read_only);
}

void scree_check_world_seen(scree_check_world *w, uint64_t next_id)
{
    w->fresh_from = MAX(next_id, 1);
    w->bodies.fresh = NULL;
    w->bodies.global_fresh = 0;
}

/** Sets the fields of new bodies, as the modifier gave them. */
static bool let_enter(scree_check_world *w)
{
    const scree_modifier_ops *ops = w->instance->ops;
    const scree_entry entry = {.size = sizeof entry,
                               .bodies = &w->bodies,
                               .time = w->time,
                               .dt = w->dt,
                               .body_fields = w->fields,
                               .global_fields = w->global_fields};
    if (w->instance->plugin->kind != SCREE_KIND_MODIFIER || !SCREE_HAS(ops, enter))
        return true;
    for (guint k = 0; k < w->inputs->len; k++)
        scree_check_protect(w->inputs->pdata[k], true);
    bool good =
        SCREE_CHECK_CALL(w->check, w->instance, "enter", ops->enter(w->instance->self, &entry));
    for (guint k = 0; k < w->inputs->len; k++)
        scree_check_protect(w->inputs->pdata[k], false);
    scree_check_world_seen(w, w->next_id);
    return good && scree_check_world_judge_fields(w, "after enter()");
}

/** Marks fresh values for a modifier, as core/engine/fresh.c does. */
static void show_fresh(scree_check_world *w)
{
    uint8_t *fresh = array(w, 1, true);
    bool any = false;
    for (uint32_t i = 0; i < w->bodies.n; i++) {
        fresh[i] = w->bodies.id[i] >= w->fresh_from;
        any = any || fresh[i];
    }
    const bool asked = w->instance->plugin->kind == SCREE_KIND_MODIFIER;
    w->bodies.fresh = asked && any ? fresh : NULL;
    w->bodies.global_fresh = asked && w->fresh_from == 0;
}

static void lay_out(scree_check_world *w)
{
    scree_bodies *b = &w->bodies;
    const scree_scene *scene = scene_of(w);
    columns c;
    g_ptr_array_set_size(w->inputs, 0);
    g_ptr_array_set_size(w->arrays, 0);
    g_array_sort(w->list, compare_bodies);
    scree_check_query_forget(scree_check_query_of(w->instance));
    uint64_t *number = array(w, 8, true);
    b->number = number;
    c.id = array(w, 8, true);
    c.shape = array(w, 4, true);
    c.material = array(w, 4, true);
    c.motion = array(w, 4, true);
    c.group = array(w, 4, true);
    for (int k = 0; k < 4; k++) {
        b->q[k] = c.q[k] = array(w, 8, true);
        if (k == 3)
            break;
        b->x[k] = c.x[k] = array(w, 8, true);
        b->v[k] = c.v[k] = array(w, 8, true);
        b->w[k] = c.w[k] = array(w, 8, true);
        b->image[k] = array(w, 4, true);
    }
    b->scale = b->radius = c.scale = array(w, 8, true);
    b->density = c.density = array(w, 8, true);
    b->inv_mass = c.inv_mass = array(w, 8, true);
    for (int k = 0; k < 3; k++)
        b->inv_inertia[k] = c.inv_inertia = k ? c.inv_inertia : array(w, 8, true);
    for (uint32_t f = 0; f < w->n_body_fields; f++)
        w->fields[f] = array(w, 8, false);
    b->wrench = w->wrench = array(w, 64, false);
    w->power = array(w, 8, false);
    b->id = c.id;
    b->shape = c.shape;
    b->material = c.material;
    b->motion = c.motion;
    b->group = c.group;
    b->n = w->list->len;
    b->n_free = 0;
    w->instance->runtime->summed.bodies = b;
    for (uint32_t i = 0; i < b->n; i++) {
        lay_out_body(w, &c, i);
        number[i] = i;
        b->n_free += c.motion[i] == SCREE_MOTION_FREE;
    }
    b->n_total = b->n;
    b->n_free_total = b->n_free;
    show_fresh(w);
    if (!w->used)
        w->used = scree_check_used_new(w->check, w->instance);
    scree_check_used_show(w->used, b);
    b->shapes = (const scree_shape *const *)scene->shapes->pdata;
    if (w->instance->plugin->kind == SCREE_KIND_MODIFIER) {
        b->fields = (const double *const *)w->fields;
        b->global_fields = w->global_fields;
    }
}

/** Spheres are bodies in 2D, too; laws of drag and the like need them. */
static uint32_t sphere_of(const scree_scene *scene)
{
    for (guint k = 0; k < scene->shapes->len; k++)
        if (scree_shape_is_round(scene->shapes->pdata[k]) &&
            !((const scree_shape *)scene->shapes->pdata[k])->flat)
            return k;
    return g_array_index(scene->bodies, scree_body, 0).shape;
}

/** Body i of a new world: free ones first, then kinematic ones, then fixed ones. */
static scree_check_body new_body(scree_check_world *w, uint32_t i)
{
    const scree_scene *scene = scene_of(w);
    bool free = i < FREE, led = !free && i < FREE + KINEMATIC;
    scree_check_body b = {.id = w->next_id++, .shape = sphere_of(scene), .old = i, .q = {1.0}};
    b.material = i % scene->materials.n;
    b.motion = free ? SCREE_MOTION_FREE : led ? SCREE_MOTION_KINEMATIC : SCREE_MOTION_FIXED;
    b.group = group_of(w, led ? "wall" : "ball");
    b.scale = free ? 0.02 + 0.001 * (i % 7) : 0.05;
    for (uint32_t k = 0; k < w->dimension; k++) {
        uint32_t cell = k == 0 ? i % 6 : k == 1 ? i / 6 : i % 5;
        b.x[k] = 0.1 + 0.15 * cell + 0.002 * sin(i + k + w->seed);
        b.v[k] = b.motion == SCREE_MOTION_FIXED ? 0.0 : 0.3 * cos(2.0 * i + k + w->seed);
    }
    for (uint32_t k = w->dimension == 2 ? 2 : 0; k < 3; k++)
        b.w[k] = b.motion == SCREE_MOTION_FIXED ? 0.0 : sin(i - 1.0 * k);
    set_up_fields(w, SCREE_SCOPE_BODY, b.fields, SCREE_CHECK_MOST_BODY_FIELDS);
    return b;
}

scree_check_world *scree_check_world_new(scree_check *check, scree_instance *instance,
                                         uint32_t seed)
{
    const scree_plugin *plugin = instance->plugin;
    uint32_t n_of[SCREE_SCOPE_GLOBAL + 1] = {0};
    for (uint32_t f = 0; f < plugin->n_fields; f++)
        n_of[plugin->fields[f]->scope] += plugin->fields[f]->components;
    if (n_of[SCREE_SCOPE_BODY] > SCREE_CHECK_MOST_BODY_FIELDS ||
        n_of[SCREE_SCOPE_GLOBAL] > SCREE_CHECK_MOST_GLOBAL_FIELDS) {
        scree_check_skip(check, "more components of fields than this case can hold");
        return NULL;
    }
    scree_check_world *w = g_new0(scree_check_world, 1);
    *w = (scree_check_world){.check = check,
                             .instance = instance,
                             .seed = seed,
                             .dimension = instance->host.dimension,
                             .dt = 1e-3,
                             .n_body_fields = n_of[SCREE_SCOPE_BODY],
                             .n_global_fields = n_of[SCREE_SCOPE_GLOBAL]};
    const scree_scene *scene = scene_of(w);
    w->list = g_array_new(FALSE, TRUE, sizeof(scree_check_body));
    w->dead = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    w->arrays = g_ptr_array_new_with_free_func(scree_check_guarded_free);
    w->inputs = g_ptr_array_new();
    w->global_fields = scree_check_guarded(bytes_of_globals(w));
    set_up_fields(w, SCREE_SCOPE_GLOBAL, w->global_fields, w->n_global_fields);
    for (uint32_t i = 0; i < FREE + KINEMATIC + FIXED; i++) {
        scree_check_body b = new_body(w, i);
        g_array_append_val(w->list, b);
    }
    scree_scene_cell(scene, &w->cell);
    w->bodies = (scree_bodies){.size = sizeof w->bodies,
                               .cell = &w->cell,
                               .dimension = w->dimension,
                               .material_density = scene->density,
                               .n_shapes = scene->shapes->len,
                               .n_types = scene->shape_types->len,
                               .types = (const scree_shape_type *const *)scene->shape_types->pdata,
                               .n_materials = scene->materials.n};
    memcpy(w->bodies.gravity, scene->gravity, sizeof scene->gravity);
    w->edits = (scree_edits){.size = sizeof w->edits,
                             .ctx = w,
                             .insert = edit_insert,
                             .remove = edit_remove,
                             .set = edit_set,
                             .bond = edit_bond,
                             .load = edit_load};
    w->bodies.thickness = w->dimension == 2 ? scene->thickness : 0.0;
    scree_check_world_enter(w);
    lay_out(w);
    if (let_enter(w))
        return w;
    scree_check_world_free(w);
    return NULL;
}

void scree_check_world_enter(scree_check_world *w)
{
    scree_check_query_enter(scree_check_query_of(w->instance), w->list, CROWDED);
}

void scree_check_world_free(scree_check_world *w)
{
    if (!w)
        return;
    scree_check_query_enter(scree_check_query_of(w->instance), NULL, 0);
    w->instance->runtime->summed.bodies = NULL;
    g_array_unref(w->list);
    g_array_unref(w->dead);
    g_ptr_array_unref(w->inputs);
    g_ptr_array_unref(w->arrays);
    scree_check_guarded_free(w->global_fields);
    scree_check_used_free(w->used);
    g_free(w->refused);
    g_free(w);
}

/** Turns a free body by its spin. */
static void turn(scree_check_body *b, double dt)
{
    double h = 0.5 * dt, norm = 0.0;
    const double *w = b->w, q[4] = {b->q[0], b->q[1], b->q[2], b->q[3]};
    b->q[0] -= h * (w[0] * q[1] + w[1] * q[2] + w[2] * q[3]);
    b->q[1] += h * (w[0] * q[0] + w[1] * q[3] - w[2] * q[2]);
    b->q[2] += h * (w[1] * q[0] + w[2] * q[1] - w[0] * q[3]);
    b->q[3] += h * (w[2] * q[0] + w[0] * q[2] - w[1] * q[1]);
    for (int k = 0; k < 4; k++)
        norm += b->q[k] * b->q[k];
    for (int k = 0; k < 4; k++)
        b->q[k] /= sqrt(norm);
}

/** Copies what the plugin wrote into its body fields to the list, by the old numbers. */
static void keep_fields(scree_check_world *w)
{
    for (guint i = 0; i < w->list->len; i++) {
        scree_check_body *b = &g_array_index(w->list, scree_check_body, i);
        bool here = i < w->bodies.n && w->bodies.id[i] == b->id; // otherwise it was inserted in
                                                                 // this step
        if (here)
            for (uint32_t f = 0; f < w->n_body_fields; f++)
                b->fields[f] = w->fields[f][i];
        else
            set_up_fields(w, SCREE_SCOPE_BODY, b->fields, SCREE_CHECK_MOST_BODY_FIELDS);
        b->old = here ? i : SCREE_NONE;
    }
}

static void fly(scree_check_world *w)
{
    for (guint i = 0; i < w->list->len; i++) {
        scree_check_body *b = &g_array_index(w->list, scree_check_body, i);
        if (b->motion == SCREE_MOTION_FREE)
            turn(b, w->dt);
        for (int k = 0; k < 3; k++)
            b->x[k] += b->motion == SCREE_MOTION_FIXED ? 0.0 : w->dt * b->v[k];
    }
}

static void remove_dead(scree_check_world *w)
{
    for (guint k = 0; k < w->dead->len; k++)
        for (guint i = 0; i < w->list->len; i++)
            if (g_array_index(w->list, scree_check_body, i).id ==
                g_array_index(w->dead, uint64_t, k)) {
                g_array_remove_index(w->list, i);
                break;
            }
    g_array_set_size(w->dead, 0);
}

/** Ends a step as a run does: applies edits, calls enter(). */
static bool apply_edits(scree_check_world *w)
{
    uint32_t n_old = w->bodies.n;
    keep_fields(w);
    remove_dead(w);
    lay_out(w);
    bool changed = n_old != w->list->len;
    for (guint i = 0; i < w->list->len; i++)
        changed = changed || g_array_index(w->list, scree_check_body, i).old != i;
    w->bodies.numbering += changed;
    return !changed || let_enter(w);
}

bool scree_check_world_advance(scree_check_world *w)
{
    if (!apply_edits(w))
        return false;
    keep_fields(w);
    fly(w);
    w->step++;
    w->time = w->dt * (double)w->step;
    lay_out(w);
    return true;
}

void scree_check_world_protect(scree_check_world *w, bool read_only)
{
    for (guint k = 0; w->strict && k < w->inputs->len; k++)
        scree_check_protect(w->inputs->pdata[k], read_only);
}

void scree_check_world_digest(const scree_check_world *w, GChecksum *bits)
{
    for (guint i = 0; i < w->list->len; i++) {
        const scree_check_body *b = &g_array_index(w->list, scree_check_body, i);
        const double numbers[] = {b->x[0], b->x[1],  b->x[2],       b->q[0],   b->q[1],   b->q[2],
                                  b->q[3], b->v[0],  b->v[1],       b->v[2],   b->w[0],   b->w[1],
                                  b->w[2], b->scale, (double)b->id, b->motion, b->density};
        g_checksum_update(bits, (const guchar *)numbers, sizeof numbers);
    }
    for (uint32_t f = 0; f < w->n_body_fields; f++)
        g_checksum_update(bits, (const guchar *)w->fields[f],
                          (gssize)(w->bodies.n * sizeof(double)));
    g_checksum_update(bits, (const guchar *)w->global_fields,
                      (gssize)(w->n_global_fields * sizeof(double)));
    scree_check_used_digest(w->used, &w->bodies, bits);
    g_checksum_update(bits, (const guchar *)w->dead->data,
                      (gssize)(w->dead->len * sizeof(uint64_t)));
}
