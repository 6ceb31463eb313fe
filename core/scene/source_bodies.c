// SPDX-License-Identifier: Apache-2.0
// A call of make() while a scene is read: each body that the source adds is checked first.
#include "scene/source_bodies.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "config/config_problem.h"
#include "plugin/exit_guard.h"
#include "plugin/instance.h"
#include "plugin/struct_size.h"
#include "scene/scene_body.h"
#include "shape/plugin_shape.h"
#include "shape/shape.h"

#define MOST_IN_VAIN 1000000u

int32_t scree_source_blame(scree_source_call *c, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    scree_instance_misbehaved(c->instance, text);
    return SCREE_E_CONFIG;
}

bool scree_source_goes_on(scree_source_call *c, const char *name)
{
    g_autofree char *endless = NULL;
    if (!c->open) {
        scree_source_blame(c, "it called %s of make() after make() had returned", name);
        return false;
    }
    if (++c->in_vain > MOST_IN_VAIN) {
        endless = g_strdup_printf("it called %s more than %u times in vain", name, MOST_IN_VAIN);
        scree_ends_endless(endless);
    }
    return !c->instance->misbehaved && c->refused < SCREE_MOST_REFUSED;
}

/* ---- the call ---- */

#define MOST_BODIES 100000000u

/** Returns body i of the arrays, by the rules of source.h. */
static scree_body read_body(const scree_source_call *c, const scree_new_bodies *from, uint32_t i)
{
    const uint32_t dimension = c->bodies.dimension;
    scree_body body = {.id = from->id ? from->id[i] : SCREE_ID_NONE,
                       .shape = from->shape[i],
                       .material = from->material[i],
                       .motion = from->motion ? from->motion[i] : SCREE_MOTION_FREE,
                       .group = c->group_index,
                       .scale = from->scale[i],
                       .q = {1.0, 0.0, 0.0, 0.0}};
    for (uint32_t k = 0; k < dimension; k++)
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
    const double *vectors[] = {body->x, body->v, body->w};
    bool finite = isfinite(body->scale);
    for (size_t i = 0; i < G_N_ELEMENTS(vectors); i++)
        for (int k = 0; k < 3; k++)
            finite = finite && isfinite(vectors[i][k]);
    for (int k = 0; k < 4; k++)
        finite = finite && isfinite(body->q[k]);
    return finite;
}

static bool is_unit(const double q[4])
{
    return fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1.0) < 1e-6;
}

/** Returns whether the velocities are in the plane of a 2D scene. */
static bool is_flat(const scree_body *body)
{
    return body->v[2] == 0.0 && body->w[0] == 0.0 && body->w[1] == 0.0;
}

/** Returns a mistake that no input excuses, or NULL. */
static const char *find_fault(const scree_source_call *c, const scree_new_bodies *from,
                              const scree_body *body)
{
    const scree_scene *s = c->build->scene;
    const bool flat = s->dimension == 2;
    if (body->shape >= s->shapes->len)
        return "there is no shape of that index";
    if (body->material >= s->materials.n)
        return "there is no material of that index";
    if (body->motion > SCREE_MOTION_FIXED)
        return "expected a motion of SCREE_MOTION_FREE, KINEMATIC or FIXED";
    if (!is_finite(body))
        return "a number is not finite";
    if (!(body->scale > 0.0))
        return "its scale is not > 0";
    if (!is_unit(body->q))
        return "its quaternion is not a unit";
    if (from->id && body->id > INT64_MAX)
        return "its id is beyond 2^63 - 1";
    const scree_shape *shape = s->shapes->pdata[body->shape];
    if (scree_shape_is_wall(shape) && body->motion == SCREE_MOTION_FREE)
        return "a body of that shape has no mass, it cannot be free";
    if (shape->flat && !flat)
        return "its shape is for scenes in 2D";
    if (flat && (body->q[1] != 0.0 || body->q[2] != 0.0 || (!from->file && !is_flat(body))))
        return "in 2D it leaves the plane";
    if (!from->file && body->motion == SCREE_MOTION_FIXED &&
        (body->v[0] != 0.0 || body->v[1] != 0.0 || body->v[2] != 0.0 || body->w[0] != 0.0 ||
         body->w[1] != 0.0 || body->w[2] != 0.0))
        return "a fixed body has no velocity and no spin";
    return NULL;
}

/** Returns a member that is missing or too short, or NULL. */
static const char *find_gap(const scree_new_bodies *from, uint32_t dimension)
{
    const struct {
        const double *const *v;
        int n;
    } vectors[] = {{from->q, 4}, {from->v, 3}, {from->w, 3}};
    if (!from->shape || !from->material || !from->scale)
        return "shape, material or scale is NULL";
    for (uint32_t k = 0; k < dimension; k++)
        if (!from->x[k])
            return "a component of x is NULL";
    for (size_t i = 0; i < G_N_ELEMENTS(vectors); i++)
        for (int k = 1; k < vectors[i].n; k++)
            if (vectors[i].v[0] && !vectors[i].v[k])
                return "a component of q, v or w is NULL, and the first is not";
    if (from->file && !from->line)
        return "line is NULL, and file is not";
    if (from->n_fields && !from->fields)
        return "fields is NULL";
    return from->frame > SCREE_FRAME_OF_SHAPE ? "frame is not one of SCREE_FRAME_*" : NULL;
}

/** Adds a body. False, with a problem or a fault: it is invalid. */
static bool add_source_body(scree_source_call *c, const scree_new_bodies *from, uint32_t i)
{
    const scree_body body = read_body(c, from, i);
    const char *fault = find_fault(c, from, &body);
    const scree_place row = {from->file, from->file ? from->line[i] : 0};
    if (fault) {
        scree_source_blame(c, "body %" PRIu64 " (%u of %u in a call of add): %s", c->added + 1,
                           i + 1, from->n, fault);
        return false;
    }
    if (from->file && !scree_build_check_body(c->build, &row, &body))
        return false;
    scree_body kept = body;
    if (from->frame == SCREE_FRAME_OF_SHAPE)
        scree_shape_enter_frame(c->build->scene->shapes->pdata[body.shape], body.scale, kept.x,
                                kept.q);
    kept.start = scree_start_values_take(&c->build->scene->starts, from, i);
    return scree_build_add(c->build, c->group, from->file ? &row : NULL, kept);
}

int32_t scree_source_add(void *ctx, const scree_new_bodies *from)
{
    scree_source_call *c = ctx;
    if (!scree_source_goes_on(c, "add"))
        return SCREE_E_CONFIG;
    if (!from || from->size < SCREE_SIZE_TO(scree_new_bodies, fields))
        return scree_source_blame(c, "add: expected bodies in a struct of size %zu or more, got %u",
                                  SCREE_SIZE_TO(scree_new_bodies, fields), from ? from->size : 0);
    const char *gap = from->n ? find_gap(from, c->bodies.dimension) : NULL;
    if (gap)
        return scree_source_blame(c, "add: %s", gap);
    if (c->added + from->n > MOST_BODIES)
        return scree_source_blame(c, "add: it makes more than %u bodies", MOST_BODIES);
    const char *wrong = scree_start_values_check(from);
    if (wrong)
        return scree_source_blame(c, "add: %s", wrong);
    const uint32_t before = c->refused;
    for (uint32_t i = 0; i < from->n && c->refused < SCREE_MOST_REFUSED; i++) {
        if (add_source_body(c, from, i))
            c->in_vain = 0;
        else
            c->refused = c->instance->misbehaved ? (uint32_t)SCREE_MOST_REFUSED : c->refused + 1;
        c->added++;
    }
    if (c->refused == SCREE_MOST_REFUSED && !c->instance->misbehaved)
        scree_config_problem(c->build->config, c->group, "further mistakes are not shown");
    c->said |= c->refused > before;
    return c->refused > before ? SCREE_E_CONFIG : SCREE_OK;
}
