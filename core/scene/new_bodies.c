// SPDX-License-Identifier: Apache-2.0
// Descriptions of new bodies: reads and checks them.
#include "scene/new_bodies.h"

#include <math.h>

#include "scene/scene_build.h"
#include "shape/shape.h"

/** Returns whether the first component is given and another one is not. */
static bool is_broken(const double *const *v, int n)
{
    bool broken = false;
    for (int k = 1; k < n; k++)
        broken = broken || !v[k];
    return v[0] && broken;
}

const char *scree_new_bodies_gap(const scree_new_bodies *from, uint32_t dimension, scree_new_as as)
{
    const bool all = as != SCREE_NEW_TRIAL;
    const char *wrong = NULL;
    if (all)
        wrong = from->n_fields && !from->fields ? "fields is NULL" : scree_start_values_check(from);
    if (wrong || !from->n)
        return wrong;
    if (!from->shape || !from->scale)
        return "shape or scale is NULL";
    for (uint32_t k = 0; k < dimension; k++)
        if (!from->x[k])
            return "a component of x is NULL";
    if (from->frame > SCREE_FRAME_OF_SHAPE)
        return "frame is not one of SCREE_FRAME_*";
    if (is_broken(from->q, 4))
        return "a component of q is NULL, and the first is not";
    if (!all)
        return NULL;
    if (!from->material)
        return "material is NULL";
    if (is_broken(from->v, 3) || is_broken(from->w, 3))
        return "a component of v or w is NULL, and the first is not";
    return from->file && !from->line ? "line is NULL, and file is not" : NULL;
}

scree_body scree_new_bodies_read(const scree_new_bodies *from, uint32_t i, uint32_t dimension,
                                 scree_new_as as)
{
    scree_body body = {.id = SCREE_ID_NONE,
                       .shape = from->shape[i],
                       .motion = SCREE_MOTION_FREE,
                       .scale = from->scale[i],
                       .q = {1.0, 0.0, 0.0, 0.0}};
    for (uint32_t k = 0; k < dimension; k++)
        body.x[k] = from->x[k][i];
    for (int k = 0; k < 4 && from->q[0]; k++)
        body.q[k] = from->q[k][i];
    if (as == SCREE_NEW_TRIAL)
        return body;
    body.material = from->material[i];
    body.motion = from->motion ? from->motion[i] : SCREE_MOTION_FREE;
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

static bool is_at_rest(const scree_body *body)
{
    bool rest = true;
    for (int k = 0; k < 3; k++)
        rest = rest && body->v[k] == 0.0 && body->w[k] == 0.0;
    return rest;
}

const char *scree_new_body_fault(const scree_scene *s, const scree_body *body, scree_new_as as)
{
    const bool flat = s->dimension == 2;
    const double *q = body->q;
    if (body->shape >= s->shapes->len)
        return "there is no shape of that index";
    if (as != SCREE_NEW_TRIAL && body->material >= s->materials.n)
        return "there is no material of that index";
    if (body->motion > SCREE_MOTION_FIXED)
        return "expected a motion of SCREE_MOTION_FREE, KINEMATIC or FIXED";
    if (!is_finite(body))
        return "a number is not finite";
    if (!(body->scale > 0.0))
        return "its scale is not > 0";
    if (!(fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1.0) < 1e-6))
        return "its quaternion is not a unit";
    const scree_shape *shape = s->shapes->pdata[body->shape];
    if (scree_shape_is_wall(shape) && body->motion == SCREE_MOTION_FREE)
        return as == SCREE_NEW_TRIAL ? "its shape has no volume"
                                     : "a body of that shape has no mass, it cannot be free";
    if (shape->flat && !flat)
        return "its shape is for scenes in 2D";
    const bool leaves = body->v[2] != 0.0 || body->w[0] != 0.0 || body->w[1] != 0.0;
    if (flat && (q[1] != 0.0 || q[2] != 0.0 || (as != SCREE_NEW_ROW && leaves)))
        return "in 2D it leaves the plane";
    if (as == SCREE_NEW_BODY && body->motion == SCREE_MOTION_FIXED && !is_at_rest(body))
        return "a fixed body has no velocity and no spin";
    return NULL;
}
