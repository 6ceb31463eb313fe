/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of bodies that are made by number: groups of `generate`, recipes of modifiers. */
#include "scene/scene_made.h"

#include <math.h>
#include <string.h>

#include "base/spelling.h"
#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "scene/plugin_shape.h"
#include "scene/scene_bodies.h"
#include "scene/scene_keys.h"
#include "shape/shape.h"

bool scree_build_check_made(scree_build *b, scree_node *group, const scree_shape *shape)
{
    if (!scree_shape_is_wall(shape))
        return true;
    scree_config_problem(b->config, scree_node_find(group, "shape"),
                         "expected a shape with a volume: a mesh, a box or a plane has no mass");
    return false;
}

scree_sizes *scree_build_sizes(scree_build *b, scree_node *group, scree_node *node,
                               const scree_body_template *template)
{
    scree_config *c = b->config;
    if (node && template->size_given) {
        static const char *const keys[] = {"radius", "diameter", "scale"};
        const char *other = NULL;
        for (size_t k = 0; k < G_N_ELEMENTS(keys) && !other; k++)
            other = scree_node_find(group, keys[k]) ? keys[k] : NULL;
        if (other)
            scree_config_problem(c, node,
                                 "%s is given as well; expected one of radius, diameter, scale and "
                                 "distribution",
                                 other);
        else
            scree_config_problem(c, node, "the shape has its size already");
        return NULL;
    }
    if (!node && !template->sized) {
        scree_config_problem(c, group, SCREE_KEY_MISSING, "radius or distribution");
        return NULL;
    }
    if (!node)
        return scree_sizes_new_single(template->shape_scale);
    scree_sizes *sizes = scree_sizes_read(b, node, template->shape->flat ? 2 : 3);
    if (sizes)
        scree_sizes_divide(sizes, template->equal);
    return sizes;
}

/** Whether a string is a word and no number with a unit. */
static bool is_word(const scree_node *node)
{
    return node && node->type == SCREE_NODE_STRING && g_ascii_isalpha(node->s[0]);
}

bool scree_build_orientation(scree_build *b, scree_node *node, const scree_shape *shape,
                             double q[4], double turn[4])
{
    static const char *const words[] = {"fixed", "random", NULL};
    double origin[3] = {0.0, 0.0, 0.0};
    const bool word = is_word(node), random = word && !strcmp(node->s, "random");
    q[0] = 1.0;
    q[1] = q[2] = q[3] = 0.0;
    if (!word)
        scree_build_turn(b, node, "\"random\", \"fixed\", ", q);
    else if (!random && strcmp(node->s, "fixed")) {
        g_autofree char *hint = scree_did_you_mean(node->s, words);
        scree_config_problem(b->config, node,
                             "expected \"random\", \"fixed\", or a rotation, got \"%s\"%s", node->s,
                             hint);
    }
    if (turn)
        memcpy(turn, q, 4 * sizeof *turn);
    scree_shape_enter_frame(shape, 1.0, origin, q);
    return random;
}

double scree_build_velocity_random(scree_build *b, scree_node *node, bool *uniform)
{
    scree_spread_keys keys = {0};
    if (node && node->type == SCREE_NODE_GROUP)
        scree_build_group(b, node, SCREE_KEYS_SPREAD, &keys);
    else if (node)
        scree_node_real(b->config, node, "m/s", 0.0, HUGE_VAL, 0, &keys.amplitude);
    *uniform = keys.type == 1;
    return keys.amplitude;
}
