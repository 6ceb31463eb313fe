// SPDX-License-Identifier: Apache-2.0
// The `bodies` of a scene, one by one or from a table; parts shared with generated bodies.
#include "scene/scene_bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "scene/bonds_rule.h"
#include "scene/scene_body.h"
#include "scene/scene_field_uses.h"
#include "scene/scene_keys.h"
#include "scene/scene_source.h"
#include "shape/plugin_shape.h"
#include "shape/shape.h"

/** Returns the length of v[n]. If its squares would over- or underflow, v is first scaled by a
 * power of two: only its direction counts. */
static double direction_length(double *v, int n)
{
    double most = 0.0, sum = 0.0;
    int power;
    for (int k = 0; k < n; k++)
        most = fmax(most, fabs(v[k]));
    frexp(most, &power);
    for (int k = 0; k < n; k++)
        v[k] = abs(power) > 400 ? ldexp(v[k], -power) : v[k];
    for (int k = 0; k < n; k++)
        sum += v[k] * v[k];
    return sqrt(sum);
}

/** Reads a rotation from a quaternion (w, x, y, z) of any length. */
static void read_quaternion(scree_build *b, const scree_node *list, double q[4])
{
    double given[4];
    bool good = list->children->len == 4;
    if (!good)
        scree_config_expected(b->config, list, "4 numbers, as in (1.0, 2.5, ..)");
    for (int k = 0; good && k < 4; k++)
        good = scree_node_real(b->config, list->children->pdata[k], NULL, -HUGE_VAL, HUGE_VAL, 0,
                               &given[k]);
    if (!good)
        return;
    const double length = direction_length(given, 4);
    if (!(length > 0.0) || (b->scene->dimension == 2 && (given[1] != 0.0 || given[2] != 0.0)))
        scree_config_problem(b->config, list, "no rotation%s",
                             length > 0.0 ? " about z" : ": a quaternion of length 0");
    else
        for (int k = 0; k < 4; k++)
            q[k] = given[k] / length;
}

void scree_build_turn(scree_build *b, scree_node *node, const char *words, double q[4])
{
    const bool flat = b->scene->dimension == 2;
    scree_turn_keys turn = {.axis = {0.0, 0.0, 1.0}, .angle = (double)NAN};
    const guint before = b->config->problems->len;
    q[0] = 1.0;
    q[1] = q[2] = q[3] = 0.0;
    if (node && node->type == SCREE_NODE_LIST)
        read_quaternion(b, node, q);
    if (!node || node->type == SCREE_NODE_LIST)
        return;
    if (node->type == SCREE_NODE_GROUP) {
        scree_build_group(b, node, flat ? SCREE_KEYS_TURN_2D : SCREE_KEYS_TURN, &turn);
    } else if (flat) {
        scree_node_real(b->config, node, "rad", -HUGE_VAL, HUGE_VAL, 0, &turn.angle);
    } else {
        g_autofree char *expected =
            g_strdup_printf("%sa quaternion (w, x, y, z) or { axis = (..); angle = ..; }", words);
        scree_config_expected(b->config, node, expected);
    }
    const double length = direction_length(turn.axis, 3);
    if (b->config->problems->len == before && !(length > 0.0))
        scree_config_problem(b->config, node, "an axis of length 0");
    if (b->config->problems->len > before)
        return;
    q[0] = cos(0.5 * turn.angle);
    for (int k = 0; k < 3; k++)
        q[k + 1] = sin(0.5 * turn.angle) * turn.axis[k] / length;
}

static scree_body body_of_template(scree_build *b, const scree_node *group,
                                   const scree_body_template *template)
{
    scree_body body = {.id = SCREE_ID_NONE,
                       .shape = template->shape_index,
                       .material = template->material,
                       .motion = template->motion,
                       .scale = template->shape_scale,
                       .q = {1.0, 0, 0, 0}};
    body.group = scree_build_group_name(b, group->name);
    memcpy(body.v, template->v, sizeof body.v);
    memcpy(body.w, template->w, sizeof body.w);
    return body;
}

static void read_body_group(scree_build *b, scree_node *group, const scree_one_keys *keys,
                            const scree_body_template *template)
{
    scree_body body = body_of_template(b, group, template);
    const bool heavy = !scree_shape_is_wall(template->shape), placed = !isnan(keys->position[0]);
    if (placed)
        memcpy(body.x, keys->position, sizeof body.x);
    else if (heavy && !scree_node_find(group, "position"))
        scree_config_problem(b->config, group, SCREE_KEY_MISSING, "position");
    scree_build_turn(b, keys->orientation, "", body.q);
    if (keys->id >= 0)
        body.id = (uint64_t)keys->id;
    if (!template->sized)
        scree_config_problem(b->config, group, SCREE_KEY_MISSING, "radius");
    scree_shape_enter_frame(template->shape, body.scale, body.x, body.q);
    if (template->sized && (placed || !heavy))
        scree_build_add(b, group, NULL, body);
}

static void read_group(scree_build *b, scree_node *group)
{
    scree_body_template template;
    scree_one_keys keys;
    if (scree_node_find(group, "file")) { // former words of a source that reads a file
        scree_build_source_group(b, group, SCREE_FORMER_BODIES);
        return;
    }
    scree_build_keys(b, group, SCREE_KEYS_ONE, &keys);
    scree_build_start_from(b, keys.fields);
    scree_build_template(b, group, &template);
    if (!template.shape) // the rest needs it
        return;
    read_body_group(b, group, &keys, &template);
    scree_config_report_unknown(b->config, group);
}

void scree_build_bodies(scree_build *b)
{
    scree_build_each(b, "bodies", read_group);
}

static int compare_body_ids(const void *pa, const void *pb)
{
    const scree_body *a = pa, *b = pb;
    return a->id < b->id ? -1 : a->id > b->id;
}

void scree_build_number(scree_build *b)
{
    GArray *bodies = b->scene->bodies;
    uint64_t next = 1; // above all given numbers
    for (uint32_t i = 0; i < bodies->len; i++) {
        uint64_t id = g_array_index(bodies, scree_body, i).id;
        if (id != SCREE_ID_NONE)
            next = MAX(next, id + 1);
    }
    bool sorted = true;
    for (uint32_t i = 0; i < bodies->len; i++) {
        scree_body *body = &g_array_index(bodies, scree_body, i);
        if (body->id == SCREE_ID_NONE)
            body->id = next++;
        sorted = sorted && (i == 0 || body[-1].id < body->id);
    }
    const guint n_bonds = b->bonds ? b->bonds->len : 0;
    for (guint k = 0; k < n_bonds; k++) {
        uint64_t *id = g_array_index(b->bonds, scree_bond_pair, k).id;
        for (int e = 0; e < 2; e++)
            id[e] = g_array_index(bodies, scree_body, id[e]).id;
    }
    if (!sorted)
        qsort(bodies->data, bodies->len, sizeof(scree_body), compare_body_ids);
}
