/* SPDX-License-Identifier: Apache-2.0 */
/* Is a ball free of what the scene has? Remembers boxes in which nothing is. */
#ifndef PLUGINS_SOURCE_ROOM_H
#define PLUGINS_SOURCE_ROOM_H

#include "scree/sdk.h"

/** A box in which the centre of a ball may be. All zero: nothing is known. */
typedef struct room {
    double lo[3], hi[3]; /* [m] */
    double next;         /* [m] half the width of the box to ask about next */
} room;

/** A question about a ball that stays within lo..hi. */
typedef struct room_question {
    const scree_query *query;
    uint32_t dimension, shape;
    double lo[3], hi[3]; /* [m] infinite along axes that repeat */
    double scale, radius, most;
    double x[3], far; /* [m] the centre; about how far the ball moves in an update */
} room_question;

/** Sets *is_free to 1 if the ball overlaps nothing, else to 0. An error of the service is passed
 * on. */
int32_t room_ask(room *r, const room_question *q, int *is_free);

#endif
