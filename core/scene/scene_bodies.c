// SPDX-License-Identifier: Apache-2.0
// The `bodies` of a scene: one by one, or from a table; and what they share with generated ones.
#include "scene/scene_bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/shortage.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "scene/plugin_shape.h"
#include "scene/scene_body.h"
#include "scene/scene_source.h"
#include "scene/scene_uses.h"
#include "shape/shape.h"

/** Length of v[n]. A v so long or so short that its squares leave the range of numbers is first
 * scaled by a power of two: only its direction counts. */
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

void scree_build_read_turn(scree_build *b, scree_node *group, const char *words, double q[4])
{
    scree_node *node = scree_config_child(group, "orientation");
    double axis[3] = {0.0, 0.0, 1.0}, angle, given[4];
    q[0] = 1.0;
    q[1] = q[2] = q[3] = 0.0;
    if (!node)
        return;
    if (node->type == SCREE_NODE_LIST) {
        if (!scree_config_vector(b->config, group, "orientation", NULL, 4, given, 0))
            return;
        double length = direction_length(given, 4);
        if (!(length > 0.0) || (b->scene->dimension == 2 && (given[1] != 0.0 || given[2] != 0.0))) {
            scree_config_problem(b->config, node, "no rotation%s",
                                 length > 0.0 ? " about z" : ": a quaternion of length 0");
            return;
        }
        for (int k = 0; k < 4; k++)
            q[k] = given[k] / length;
        return;
    }
    if (node->type == SCREE_NODE_GROUP) {
        if (b->scene->dimension == 3 &&
            !scree_config_vector(b->config, node, "axis", NULL, 3, axis, SCREE_KEY_REQUIRED))
            return;
        angle = scree_config_real(b->config, node, "angle", "rad", 0.0, -HUGE_VAL, HUGE_VAL,
                                  SCREE_KEY_REQUIRED);
        scree_config_report_unknown(b->config, node, NULL);
    } else if (b->scene->dimension == 2) {
        angle =
            scree_config_real(b->config, group, "orientation", "rad", 0.0, -HUGE_VAL, HUGE_VAL, 0);
    } else {
        g_autofree char *got = scree_node_show(node);
        scree_config_problem(
            b->config, node,
            "expected %sa quaternion (w, x, y, z) or { axis = (..); angle = ..; }, got %s", words,
            got);
        return;
    }
    double length = direction_length(axis, 3);
    if (!(length > 0.0)) {
        scree_config_problem(b->config, node, "an axis of length 0");
        return;
    }
    q[0] = cos(0.5 * angle);
    for (int k = 0; k < 3; k++)
        q[k + 1] = sin(0.5 * angle) * axis[k] / length;
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

static void read_body_group(scree_build *b, scree_node *group, const scree_body_template *template)
{
    scree_body body = body_of_template(b, group, template);
    bool heavy = !scree_shape_is_wall(template->shape);
    bool placed =
        scree_build_vector(b, group, "position", "m", body.x, heavy ? SCREE_KEY_REQUIRED : 0);
    scree_build_read_turn(b, group, "", body.q);
    if (scree_config_child(group, "id"))
        body.id = (uint64_t)scree_config_int(b->config, group, "id", 0, 0, INT64_MAX, 0);
    if (!template->sized)
        scree_config_problem(b->config, group, SCREE_KEY_MISSING, "radius");
    scree_shape_enter_frame(template->shape, body.scale, body.x, body.q);
    if (template->sized && (placed || !heavy))
        scree_build_add(b, group, NULL, body);
}

/** The old words of a source that reads a file. */
static void read_file(scree_build *b, scree_node *group)
{
    static const char *const formats[] = {"table", "lammps", NULL};
    const scree_node *at = scree_config_child(group, "file");
    const int format = scree_config_choice(b->config, group, "format", formats, 0);
    scree_build_source(b, group, formats[format], "format");
    scree_config_note(
        b->config, at,
        "bodies of a file come from a source: generate.%s = { plugin = \"%s\"; file = "
        "..; } says the same",
        group->name, formats[format]);
}

static void read_group(scree_build *b, scree_node *group)
{
    scree_body_template template;
    scree_build_start_from(b, group);
    if (scree_config_child(group, "file")) {
        read_file(b, group);
        return;
    }
    scree_build_template(b, group, &template);
    if (!template.shape) // no use in the rest without it
        return;
    read_body_group(b, group, &template);
    scree_config_report_unknown(b->config, group, NULL);
}

void scree_build_bodies(scree_build *b)
{
    g_autoptr(GPtrArray) groups = scree_build_groups(b, "bodies");
    if (groups)
        for (uint32_t i = 0; i < groups->len; i++) {
            scree_working_on("bodies");
            scree_working_part(((const scree_node *)groups->pdata[i])->name);
            read_group(b, groups->pdata[i]);
        }
}

static int compare_body_ids(const void *pa, const void *pb)
{
    const scree_body *a = pa, *b = pb;
    return a->id < b->id ? -1 : a->id > b->id;
}

void scree_build_number(scree_build *b)
{
    GArray *bodies = b->scene->bodies;
    uint64_t next = 1; // above all that the scene gave
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
    if (!sorted)
        qsort(bodies->data, bodies->len, sizeof(scree_body), compare_body_ids);
}
