// SPDX-License-Identifier: Apache-2.0
// Keys that move the coordinates of a shape: unit, then scale, rotate, move as they are written.
#include "scene/scene_placing.h"

#include <math.h>
#include <string.h>

#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "config/units.h"
#include "plugin/schema.h"
#include "plugin/schema_fill.h"
#include "scene/scene_keys.h"

/** The steps so far. */
typedef struct step_list {
    scree_fill *fill;
    scree_build *build;
    GPtrArray *steps; // of scree_place_step, which live with the choice
} step_list;

static scree_place_step *add_step(step_list *l, uint32_t type)
{
    scree_place_step *step = scree_keys_alloc(&l->fill->keys, 1, sizeof *step);
    *step = (scree_place_step){.size = sizeof *step, .type = type};
    g_ptr_array_add(l->steps, step);
    return step;
}

/** Metres in the unit of the coordinates. */
static void take_unit(step_list *l, const char *word)
{
    const scree_node *node = scree_node_find(l->fill->keys.group, "unit");
    scree_unit have, want;
    g_autoptr(GError) error = NULL;
    scree_unit_parse("m", &want, NULL);
    if (!scree_unit_parse(word, &have, &error)) {
        scree_config_problem(l->build->config, node, "%s", error->message);
        return;
    }
    if (!scree_unit_same_dimension(&have, &want)) {
        scree_config_problem(l->build->config, node, "expected a unit of length, got \"%s\"", word);
        return;
    }
    scree_place_step *step = add_step(l, SCREE_PLACE_SCALE);
    step->v[0] = step->v[1] = step->v[2] = have.factor;
}

/** A number, or one per axis. */
static void take_scale(step_list *l, const scree_node *node, const scree_reals *s)
{
    if (s->n != 1 && s->n != 3) {
        scree_config_expected(l->build->config, node, "a number, or 3 numbers, one per axis");
        return;
    }
    scree_place_step *step = add_step(l, SCREE_PLACE_SCALE);
    for (int k = 0; k < 3; k++)
        step->v[k] = s->v[s->n == 3 ? k : 0];
}

/** { axis = (..); angle = ..; } */
static void read_rotation(step_list *l, scree_node *group)
{
    scree_turn_keys turn;
    scree_config *c = l->build->config;
    const guint before = c->problems->len;
    if (group->type != SCREE_NODE_GROUP) {
        scree_config_expected(c, group, "{ axis = (x, y, z); angle = ..; }, or a list of them");
        return;
    }
    scree_build_group(l->build, group, SCREE_KEYS_TURN, &turn);
    const double length = hypot(hypot(turn.axis[0], turn.axis[1]), turn.axis[2]);
    if (c->problems->len == before && !(length > 0.0))
        scree_config_problem(c, group, "an axis of length 0");
    if (c->problems->len > before)
        return;
    scree_place_step *step = add_step(l, SCREE_PLACE_ROTATE);
    step->angle = turn.angle;
    for (int k = 0; k < 3; k++)
        step->v[k] = turn.axis[k] / length;
}

/** The step of a key, if it is one of a placing. */
static void take_step(step_list *l, scree_node *node, const scree_placing_keys *keys)
{
    const bool list = node->type == SCREE_NODE_LIST;
    const guint n = list ? node->children->len : 1;
    if (strcmp(node->name, "scale") == 0)
        take_scale(l, node, &keys->scale);
    else if (strcmp(node->name, "rotate") == 0)
        for (guint i = 0; i < n; i++)
            read_rotation(l, list ? node->children->pdata[i] : node);
    else if (strcmp(node->name, "move") == 0)
        memcpy(add_step(l, SCREE_PLACE_MOVE)->v, keys->move, sizeof keys->move);
}

void scree_fill_placing(scree_fill *fill, const scree_placing **out)
{
    scree_node *group = fill->keys.group;
    scree_placing *steps = scree_keys_alloc(&fill->keys, 1, sizeof *steps);
    g_autoptr(GPtrArray) list = g_ptr_array_new(), words = g_ptr_array_new_with_free_func(g_free);
    step_list l = {fill, fill->materials->build, list};
    scree_placing_keys keys;
    const scree_keys own = {
        .config = l.build->config,
        .group = group,
        .to = &keys,
        .memory = words, // the steps hold copies: a choice may be made often for one scene
        .dimension = l.build->scene->dimension};
    scree_keys_read(&own, &scree_scene_tables[SCREE_KEYS_PLACING]);
    const guint n = group ? group->children->len : 0;
    if (group)
        take_unit(&l, keys.unit);
    for (guint i = 0; i < n; i++)
        take_step(&l, group->children->pdata[i], &keys);
    const scree_place_step **v = scree_keys_alloc(&fill->keys, list->len, sizeof *v);
    if (list->len)
        memcpy(v, list->pdata, list->len * sizeof *v);
    *steps = (scree_placing){.size = sizeof *steps, .n = list->len, .v = v};
    *out = steps;
}
