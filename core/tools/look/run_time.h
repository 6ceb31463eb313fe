/* SPDX-License-Identifier: Apache-2.0 */
/* How long a run will take, from its scene and from measured costs. */
#ifndef CORE_RUN_TIME_H
#define CORE_RUN_TIME_H

#include "scene/scene_data.h"

/** Predicts the time [s] of all steps of a scene on one thread, with its pictures, by the costs of
 * costs.tsv. dt [s]: its step. 0: no forecast: the scene does not say how long it runs, has no free
 * body, or a modifier inserts bodies. */
double scree_run_time(const scree_scene *scene, double dt);

#endif
