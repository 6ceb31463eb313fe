/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies that a source adds or a modifier inserts: whether they are as the recipe among its parameters says. */
#ifndef CORE_CHECK_RECIPE_H
#define CORE_CHECK_RECIPE_H

#include "tools/check/check.h"

/** Bodies of a recipe so far. */
typedef struct scree_check_made {
    scree_check *check;
    const char *setting; /* for messages */
    const scree_recipe *recipe;
    const scree_zone *zone; /* NULL: none is given */
    uint32_t dimension;
    bool resized;   /* their sizes and velocities may be others, and their shape */
    uint32_t n;     /* bodies */
    uint32_t n_low; /* bodies below the median of the sizes */
    double largest; /* [m] radius of the largest body */
    double turn[9]; /* sums of their rotation matrices */
    double v[3]; /* [-] sums of the random parts of velocities, of which the recipe says the size */
    double vv[3]; /* [-] sums of x x, y y, z z */
    double vw[3]; /* [-] sums of x y, y z, z x */
} scree_check_made;

/** Why no recipe says how its bodies are; NULL: one does. */
const char *scree_check_made_lacks(const scree_check *check);
/** Begins with the recipe and the zone of a choice. False: it has no recipe. */
bool scree_check_made_begin(scree_check_made *m, const scree_choice_of *choice);
/** Judges a body; fails on a difference. */
void scree_check_made_judge(scree_check_made *m, const scree_body *b, const scree_shape *shape,
                            const scree_cell *cell);
/** Judges what is random, if there are enough bodies. */
void scree_check_made_end(const scree_check_made *m);

#endif
