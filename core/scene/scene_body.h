/* SPDX-License-Identifier: Apache-2.0 */
/* One body of a scene: template, material, checks, and place in the list. */
#ifndef CORE_SCENE_BODY_H
#define CORE_SCENE_BODY_H

#include "scene/scene_build.h"

/** Reads a template of bodies: shape, material, motion, velocity, spin, scale, radius, diameter. */
void scree_build_template(scree_build *build, scree_node *group, scree_body_template *template);
/** Adds a body; messages show `row` (its place in a table, or NULL) and `at`. False with a problem:
 * another body has its id. */
bool scree_build_add(scree_build *build, const scree_node *at, const scree_place *row,
                     scree_body body);
/** Adds a problem, once, if no force could move the body: its mass or moment of inertia under- or
 * overflows. */
void scree_build_check_mass(scree_build *build, const scree_node *at, const scree_place *row,
                            const scree_body *body);
void scree_id_set_clear(scree_id_set *ids);
/** Returns the index of a group's name, which is appended if it is new. */
uint32_t scree_build_group_name(scree_build *build, const char *name);

#endif
