/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the key `checkpoint` of a scene: when a run saves its state, and how many files stay. */
#include "scene/scene_checkpoint.h"

#include <math.h>

#include "config/config_problem.h"
#include "config/config_read.h"

void scree_build_checkpoint(scree_build *b)
{
    enum { KEPT = 2, MOST_KEPT = 1000000 };
    static const char *const intervals[] = {"every_steps", "every_time", "every_wall"};
    scree_save_times *t = &b->scene->checkpoint;
    scree_config *c = b->config;
    scree_node *group = scree_config_group(c, c->root, "checkpoint");
    int given = 0;
    for (size_t k = 0; k < G_N_ELEMENTS(intervals); k++)
        given += scree_config_child(group, intervals[k]) != NULL;
    if (given > 1)
        scree_config_problem(c, group, "one of every_steps, every_time, every_wall, not %d", given);
    t->every_steps = (uint64_t)scree_config_int(c, group, "every_steps", 0, 1, INT64_MAX, 0);
    t->every_time =
        scree_config_real(c, group, "every_time", "s", 0.0, 0.0, HUGE_VAL, SCREE_KEY_MIN_OPEN);
    t->every_wall =
        scree_config_real(c, group, "every_wall", "s", 0.0, 0.0, HUGE_VAL, SCREE_KEY_MIN_OPEN);
    t->keep = (uint64_t)scree_config_int(c, group, "keep", KEPT, 1, MOST_KEPT, 0);
    t->at_stop = scree_config_bool(c, group, "at_stop", true);
    t->at_end = scree_config_bool(c, group, "at_end", true);
    if (group)
        scree_config_report_unknown(c, group, NULL);
}
