// SPDX-License-Identifier: Apache-2.0
/*
 * Boxes in which nothing is.
 *
 * Idea: a ball that moves little asks the host about a box around it, then not again while it stays
 * in this box. A ball in a corner of its container asks about as much of the box as is in the
 * container: walls on the faces only touch it. Where the box is not empty, a smaller one is asked
 * about next, and the ball itself when that is smaller than its steps.
 */
#include "room.h"

#include <math.h>

#define TOUCH 1e-12  /* [-] of the radius: what is this near to the faces touches them */
#define SMALLER 0.25 /* [-] of a box that is not empty */
#define GROW 1.1     /* [-] after each question about the ball itself */

static int holds(const room *r, const double x[3])
{
    int good = 1;
    for (int k = 0; k < 3; k++)
        good = good && x[k] >= r->lo[k] && x[k] <= r->hi[k];
    return good;
}

/* Asks about the box of half the width r->next about x. */
static int32_t ask_box(room *r, const room_question *q, int *is_empty)
{
    scree_zone zone = {.size = sizeof zone, .type = SCREE_ZONE_BOX};
    const scree_zone *const zones = &zone;
    scree_hits hits = {.size = sizeof hits};
    for (uint32_t k = 0; k < q->dimension; k++) {
        zone.lo[k] = fmax(q->x[k] - q->radius - r->next, q->lo[k] + TOUCH * q->radius);
        zone.hi[k] = fmin(q->x[k] + q->radius + r->next, q->hi[k] - TOUCH * q->radius);
    }
    const int32_t code = q->query->find(q->query->ctx, 1, &zones, &hits);
    *is_empty = code >= 0 && hits.first[1] == 0;
    for (int k = 0; k < 3 && *is_empty; k++) {
        r->lo[k] = q->x[k] - r->next;
        r->hi[k] = q->x[k] + r->next;
    }
    r->next = fmin(*is_empty ? 2.0 * r->next : SMALLER * r->next, q->most);
    return code;
}

int32_t room_ask(room *r, const room_question *q, int *is_free)
{
    const double turn[4] = {1.0, 0.0, 0.0, 0.0};
    scree_new_bodies trial = {.size = sizeof trial, .n = 1, .shape = &q->shape, .scale = &q->scale};
    uint32_t index, n = 0;
    *is_free = r->next > 0.0 && holds(r, q->x);
    if (*is_free)
        return SCREE_OK;
    r->next = r->next > 0.0 ? r->next : q->radius;
    if (r->next > 2.0 * q->far) {
        const int32_t code = ask_box(r, q, is_free);
        if (code < 0 || *is_free)
            return code;
    } else {
        r->next *= GROW;
    }
    for (int k = 0; k < 3; k++)
        trial.x[k] = &q->x[k];
    for (int k = 0; k < 4; k++)
        trial.q[k] = &turn[k];
    const int32_t code = q->query->find_free(q->query->ctx, &trial, 1, &index, &n);
    *is_free = code >= 0 && n == 1;
    return code;
}
