// SPDX-License-Identifier: Apache-2.0
// Keys that move the coordinates of a shape: unit, then scale, rotate, move as they are written.
#include "scene/scene_placing.h"

#include <math.h>
#include <string.h>

#include "config/config_problem.h"
#include "config/config_read.h"
#include "config/units.h"
#include "plugin/schema.h"
#include "plugin/schema_fill.h"

/** The steps so far. */
typedef struct step_list {
    scree_fill *fill;
    scree_config *config;
    scree_node *group;
    GPtrArray *steps; // of scree_place_step, which live with the choice
} step_list;

static scree_place_step *add_step(step_list *l, uint32_t type)
{
    scree_place_step *step = scree_fill_alloc(l->fill, 1, sizeof *step);
    *step = (scree_place_step){.size = sizeof *step, .type = type};
    g_ptr_array_add(l->steps, step);
    return step;
}

/** Metres in the unit of the coordinates. */
static void read_unit(step_list *l)
{
    const char *word = scree_config_string(l->config, l->group, "unit", "m", 0);
    const scree_node *node = scree_config_child(l->group, "unit");
    scree_unit have, want;
    g_autoptr(GError) error = NULL;
    scree_unit_parse("m", &want, NULL);
    if (!scree_unit_parse(word, &have, &error)) {
        scree_config_problem(l->config, node, "%s", error->message);
        return;
    }
    if (!scree_unit_same_dimension(&have, &want)) {
        scree_config_problem(l->config, node, "expected a unit of length, got \"%s\"", word);
        return;
    }
    scree_place_step *step = add_step(l, SCREE_PLACE_SCALE);
    step->v[0] = step->v[1] = step->v[2] = have.factor;
}

/** A number, or one per axis; all > 0. */
static void read_scale(step_list *l, const scree_node *node)
{
    double s[3] = {1.0, 1.0, 1.0};
    if (node->type == SCREE_NODE_LIST) {
        if (!scree_config_vector(l->config, l->group, "scale", NULL, 3, s, 0))
            return;
        for (int k = 0; k < 3; k++)
            if (!(s[k] > 0.0)) {
                scree_config_problem(l->config, node, "expected numbers > 0, got %g", s[k]);
                return;
            }
    } else {
        s[0] = scree_config_real(l->config, l->group, "scale", NULL, (double)NAN, 0.0, HUGE_VAL,
                                 SCREE_KEY_MIN_OPEN);
        s[1] = s[2] = s[0];
    }
    memcpy(add_step(l, SCREE_PLACE_SCALE)->v, s, sizeof s);
}

/** { axis = (..); angle = ..; } */
static void read_rotation(step_list *l, scree_node *group)
{
    double axis[3] = {0.0, 0.0, 0.0};
    if (group->type != SCREE_NODE_GROUP) {
        scree_config_problem(l->config, group,
                             "expected { axis = (x, y, z); angle = ..; }, or a list of them");
        return;
    }
    bool ok = scree_config_vector(l->config, group, "axis", NULL, 3, axis, SCREE_KEY_REQUIRED);
    double angle = scree_config_real(l->config, group, "angle", "rad", (double)NAN, -HUGE_VAL,
                                     HUGE_VAL, SCREE_KEY_REQUIRED);
    scree_config_report_unknown(l->config, group, NULL);
    double length = hypot(hypot(axis[0], axis[1]), axis[2]);
    if (ok && !(length > 0.0))
        scree_config_problem(l->config, group, "an axis of length 0");
    if (!ok || isnan(angle) || !(length > 0.0))
        return;
    scree_place_step *step = add_step(l, SCREE_PLACE_ROTATE);
    step->angle = angle;
    for (int k = 0; k < 3; k++)
        step->v[k] = axis[k] / length;
}

static void read_rotations(step_list *l, scree_node *node)
{
    if (node->type != SCREE_NODE_LIST) {
        read_rotation(l, node);
        return;
    }
    for (uint32_t i = 0; i < node->children->len; i++)
        read_rotation(l, node->children->pdata[i]);
}

static void read_move(step_list *l)
{
    double d[3];
    if (scree_config_vector(l->config, l->group, "move", "m", 3, d, SCREE_KEY_REQUIRED))
        memcpy(add_step(l, SCREE_PLACE_MOVE)->v, d, sizeof d);
}

void scree_fill_placing(scree_fill *fill, const scree_placing **out)
{
    scree_node *group = fill->choice->group;
    scree_placing *steps = scree_fill_alloc(fill, 1, sizeof *steps);
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    step_list l = {fill, fill->config, group, list};
    if (group) {
        read_unit(&l);
        for (uint32_t i = 0; i < group->children->len; i++) {
            scree_node *node = group->children->pdata[i];
            if (strcmp(node->name, "scale") == 0)
                read_scale(&l, scree_config_child(group, "scale"));
            else if (strcmp(node->name, "rotate") == 0)
                read_rotations(&l, scree_config_child(group, "rotate"));
            else if (strcmp(node->name, "move") == 0)
                read_move(&l);
        }
    }
    const scree_place_step **v = scree_fill_alloc(fill, list->len, sizeof *v);
    if (list->len)
        memcpy(v, list->pdata, list->len * sizeof *v);
    *steps = (scree_placing){.size = sizeof *steps, .n = list->len, .v = v};
    *out = steps;
}
