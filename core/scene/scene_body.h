/* SPDX-License-Identifier: Apache-2.0 */
/* One body of a scene: its template, its material, its checks, and its place in the list. */
#ifndef CORE_SCENE_BODY_H
#define CORE_SCENE_BODY_H

#include "scene/scene_build.h"

/** A template of bodies: keys shape, material, motion, velocity, spin, scale, radius, diameter. */
void scree_build_template(scree_build *build, scree_node *group, scree_body_template *template);
/** False, with problems, for what a body of a file may not have: motion out of the plane in 2D,
 * velocity of a fixed one. */
bool scree_build_check_body(scree_build *build, const scree_place *row, const scree_body *body);
/** Adds a body; `row` (its place in a table, or NULL) and `at` are for messages. False with a problem:
 * its id is taken. */
bool scree_build_add(scree_build *build, const scree_node *at, const scree_place *row,
                     scree_body body);
/** A problem, reported once, when no force could move the body: its mass under- or overflows. */
void scree_build_check_mass(scree_build *build, const scree_node *at, const scree_body *body);
void scree_id_set_clear(scree_id_set *ids);
/** Index of the group's name, appended when new. */
uint32_t scree_build_group_name(scree_build *build, const char *name);

#endif
