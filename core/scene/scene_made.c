/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of bodies that are made by number: groups of `generate`, recipes of modifiers. */
#include "scene/scene_made.h"

#include <math.h>
#include <string.h>

#include "config/config_problem.h"
#include "config/config_read.h"
#include "scene/plugin_shape.h"
#include "scene/scene_bodies.h"
#include "shape/shape.h"

bool scree_build_check_made(scree_build *b, scree_node *group, const scree_shape *shape)
{
    if (!scree_shape_is_wall(shape))
        return true;
    scree_config_problem(b->config, scree_config_child(group, "shape"),
                         "expected a shape with a volume: a mesh, a box or a plane has no mass");
    return false;
}

scree_sizes *scree_build_sizes(scree_build *b, scree_node *group,
                               const scree_body_template *template)
{
    scree_config *c = b->config;
    scree_node *node = scree_config_group(c, group, "distribution");
    if (node && template->size_given) {
        static const char *const keys[] = {"radius", "diameter", "scale"};
        const char *other = NULL;
        for (size_t k = 0; k < G_N_ELEMENTS(keys) && !other; k++)
            other = scree_config_child(group, keys[k]) ? keys[k] : NULL;
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

bool scree_build_orientation(scree_build *b, scree_node *group, const scree_shape *shape,
                             double q[4], double turn[4])
{
    static const char *const words[] = {"fixed", "random", NULL};
    double origin[3] = {0.0, 0.0, 0.0};
    bool random = false;
    q[0] = 1.0;
    q[1] = q[2] = q[3] = 0.0;
    if (is_word(scree_config_child(group, "orientation")))
        random = scree_config_choice(b->config, group, "orientation", words, 0) == 1;
    else
        scree_build_read_turn(b, group, "\"random\", \"fixed\", ", q);
    if (turn)
        memcpy(turn, q, 4 * sizeof *turn);
    scree_shape_enter_frame(shape, 1.0, origin, q);
    return random;
}

double scree_build_velocity_random(scree_build *b, scree_node *group, bool *uniform)
{
    static const char *const types[] = {"gaussian", "uniform", NULL};
    scree_config *c = b->config;
    scree_node *node = scree_config_child(group, "velocity_random");
    *uniform = false;
    if (!node)
        return 0.0;
    if (node->type != SCREE_NODE_GROUP)
        return scree_config_real(c, group, "velocity_random", "m/s", 0.0, 0.0, HUGE_VAL, 0);
    *uniform = scree_config_choice(c, node, "type", types, 0) == 1;
    double amplitude =
        scree_config_real(c, node, "amplitude", "m/s", 0.0, 0.0, HUGE_VAL, SCREE_KEY_REQUIRED);
    scree_config_report_unknown(c, node, NULL);
    return amplitude;
}
