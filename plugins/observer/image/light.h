/* SPDX-License-Identifier: Apache-2.0 */
/* The light of observer/image: one lamp above the left shoulder, and light from all around. */
#ifndef SCREE_IMAGE_LIGHT_H
#define SCREE_IMAGE_LIGHT_H

#include "image.h"

/* Directions to the lamp, and halfway between the lamp and the eye; camera axes. */
static const float to_lamp[3] = {-0.4082f, -0.5715f, -0.7119f};
static const float halfway[3] = {-0.2206f, -0.3089f, -0.9252f};

static inline float along(const float n[3], const float to[3])
{
    float d = n[0] * to[0] + n[1] * to[1] + n[2] * to[2];
    return d > 0.0f ? d : 0.0f;
}

/** Light of a point of a ball; `facing`: cosine between its normal and the line of sight. Balls are
 * darker towards the rim, so that balls of one colour can be distinguished. */
static inline rgb light_ball(rgb base, const float n[3], float facing)
{
    float spot = along(n, halfway), lit = 0.56f + 0.54f * along(n, to_lamp);
    lit *= 0.66f + 0.34f * (facing > 0.0f ? facing : 0.0f);
    for (int k = 0; k < 5; k++) // to the 32nd power
        spot *= spot;
    spot *= 0.20f;
    for (int k = 0; k < 3; k++) {
        float c = base.c[k] * lit + spot;
        base.c[k] = c < 1.0f ? c : 1.0f;
    }
    return base;
}

/** Light of a wall, without gloss. */
static inline rgb light_wall(rgb base, const float n[3])
{
    float lit = 0.74f + 0.30f * along(n, to_lamp);
    for (int k = 0; k < 3; k++) {
        float c = base.c[k] * lit;
        base.c[k] = c < 1.0f ? c : 1.0f;
    }
    return base;
}

#endif
