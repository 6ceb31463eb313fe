// SPDX-License-Identifier: Apache-2.0
/*
 * The parallel configuration space of balls.
 *
 * Source: that of sites.c, whose answers these are.
 *
 * Idea: balls overlap if their centres are nearer than the sum of the radii, so no resolver is
 * asked. Lists of near balls (near.c) hold for many updates. The walls are asked about only where a
 * ball would move otherwise, and not at all where a larger ball was free before.
 *
 * Steps: 1. Poses of both sites are brought together; balls that may leave their slack are listed
 *           again, and those that enter are listed for this update.
 *        2. Each pair of the lists: which ball overlaps the other one of site 0, and which one
 *           would give way to the other in site 1.
 *        3. Those that may move are asked about walls, and so are those to which one of them gives
 *           way: a ball that a wall refuses blocks no other.
 *
 * Cost: for each ball and update some ten pairs with three distances each.
 */
#include "balls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEEP 1e-12   /* [-] depth over size from which the host calls it an overlap */
#define SLACK 0.15   /* [-] least slack over the radius */
#define FURTHER 1.25 /* [-] slack over the length of an increment */
#define CLOSER 0.25  /* [-] of the distance that was not free of walls */

int balls_serve(const scree_bodies *bodies, const scree_shape *shape, double max_scale)
{
    const scree_cell *cell = bodies->cell;
    int good = shape->flags & SCREE_CAP_ROUND && !scree_is_tilted(cell);
    for (int k = 0; k < 3; k++)
        good = good && (!scree_repeats(cell, k) ||
                        cell->vector[k][k] >= 4.0 * max_scale * shape->radius);
    return good;
}

int balls_begin(balls *b, const scree_bodies *bodies, const scree_shape *shape, const double min[3],
                const double max[3], uint64_t n)
{
    b->radius = shape->radius;
    b->ball = (ball_poses *)calloc((size_t)(2 * n) + 1, sizeof *b->ball);
    b->walls = (ball_room *)calloc((size_t)n + 1, sizeof *b->walls);
    near_set_box(&b->near, bodies->cell, min, max, bodies->dimension);
    return b->ball && b->walls && near_reserve(&b->near, (uint32_t)(2 * n)) &&
           sites_reserve(&b->ask, 2 * n);
}

void balls_clear(balls *b)
{
    near_clear(&b->near);
    sites_clear(&b->ask);
    free(b->ball);
    free(b->walls);
    free(b->pair);
    memset(b, 0, sizeof *b);
}

/* ---- 1: poses and lists ---- */

static void take_place(const balls *b, const sites *s, uint32_t pose, double x[3])
{
    for (int k = 0; k < 3; k++)
        x[k] = s->x[k][pose];
    near_wrap(&b->near, x);
}

static void take_poses(balls *b, const sites *s)
{
    b->n = b->n0 = s->n0;
    for (uint32_t i = 0; i < s->n0; i++) {
        ball_poses *ball = &b->ball[i];
        take_place(b, s, i, ball->is);
        memcpy(ball->wants, ball->is, sizeof ball->is);
        ball->radius = s->scale[i] * b->radius;
        ball->pose = SCREE_NONE;
        ball->blocked = 1;
        ball->walls = ball->enters = 0;
    }
    for (uint32_t k = s->n0; k < s->n0 + s->n1; k++) {
        const int enters = s->from[k] == SCREE_NONE;
        ball_poses *ball = &b->ball[enters ? b->n++ : s->from[k]];
        take_place(b, s, k, ball->wants);
        ball->radius = s->scale[k] * b->radius;
        ball->pose = k;
        ball->blocked = ball->walls = 0;
        ball->enters = (uint8_t)enters;
    }
}

/* Sets the place and the reach of ball i in the lists. */
static void set_reach(balls *b, uint32_t i)
{
    const ball_poses *ball = &b->ball[i];
    near_ball *to = &b->near.ball[i];
    double slack = 0.0;
    if (!ball->enters)
        slack = fmax(SLACK * ball->radius,
                     FURTHER * sqrt(near_distance2(&b->near, ball->is, ball->wants)));
    memcpy(to->at, ball->enters ? ball->wants : ball->is, sizeof to->at);
    to->reach = ball->radius + slack;
}

/* Is ball i where its lists hold? */
static int is_listed(const balls *b, uint32_t i)
{
    const near_ball *ball = &b->near.ball[i];
    const double slack = ball->reach - b->ball[i].radius;
    return i < b->listed &&
           near_distance2(&b->near, b->ball[i].wants, ball->at) < slack * slack * (1.0 - 1e-9) &&
           near_distance2(&b->near, b->ball[i].is, ball->at) < slack * slack * (1.0 - 1e-9);
}

static int build_lists(balls *b)
{
    for (uint32_t i = 0; i < b->n; i++)
        set_reach(b, i);
    if (!near_build(&b->near, b->n0, b->n))
        return 0;
    b->listed = b->n0;
    b->built = b->near.n_others;
    return 1;
}

/* Lists balls that are not where they were; all of them when lists are full of balls that are not
 * near any more. */
static int update_lists(balls *b)
{
    if ((!b->listed || b->near.n_others > 2 * b->built + b->n0) && !build_lists(b))
        return 0;
    for (uint32_t i = 0; i < b->n0; i++) {
        if (is_listed(b, i))
            continue;
        if (i < b->listed)
            near_take(&b->near, i);
        set_reach(b, i);
        if (!near_put(&b->near, i))
            return 0;
    }
    b->listed = b->n0;
    return 1;
}

/* ---- 2: pairs ---- */

static inline int meets(const balls *b, const double x[3], const double y[3], double reach2)
{
    return near_distance2(&b->near, x, y) < reach2;
}

/* In site 1 a ball gives way to another one: that with the lower number. */
static int give_way(balls *b, const sites *s, uint32_t i, uint32_t j)
{
    const uint64_t body_i = s->body[b->ball[i].pose], body_j = s->body[b->ball[j].pose];
    if (body_i == body_j)
        return 1;
    if (!scree_grow(&b->pair, &b->room_pairs, b->n_pairs + 1, sizeof *b->pair))
        return 0;
    b->pair[b->n_pairs++] = body_i < body_j ? (scree_pair){i, j} : (scree_pair){j, i};
    return 1;
}

static int look_at_pairs(balls *b, const sites *s)
{
    b->n_pairs = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        ball_poses *p = &b->ball[i];
        const uint32_t *other = b->near.other + b->near.ball[i].first;
        for (uint32_t k = 0; k < b->near.ball[i].n; k++) {
            ball_poses *q = &b->ball[other[k]];
            const double reach = p->radius + q->radius, reach2 = reach * reach * (1.0 - DEEP);
            const int both = p->pose != SCREE_NONE && q->pose != SCREE_NONE;
            if (!q->enters && p->pose != SCREE_NONE)
                p->blocked |= (uint8_t)meets(b, p->wants, q->is, reach2);
            if (!p->enters && q->pose != SCREE_NONE)
                q->blocked |= (uint8_t)meets(b, q->wants, p->is, reach2);
            if (both && meets(b, p->wants, q->wants, reach2) && !give_way(b, s, i, other[k]))
                return 0;
        }
    }
    return 1;
}

/* ---- 3: walls ---- */

/* Asks the host which of the questions are free; they are the first *n of b->ask.index. */
static int32_t ask_host(balls *b, const scree_query *query, uint32_t *n)
{
    const sites *a = &b->ask;
    scree_new_bodies trials = {.size = sizeof trials, .n = a->n1, .shape = a->shape, .scale = a->scale};
    *n = 0;
    for (int k = 0; k < 3; k++)
        trials.x[k] = a->x[k];
    for (int k = 0; k < 4; k++)
        trials.q[k] = a->q[k];
    return a->n1 ? query->find_free(query->ctx, &trials, a->n1, a->index, n) : SCREE_OK;
}

/* A question: is a ball of `pose` free of walls at a distance less than `clear`? */
static void ask(balls *b, const sites *s, uint32_t i, uint32_t pose, double clear)
{
    const double x[3] = {s->x[0][pose], s->x[1][pose], s->x[2][pose]};
    const double q[4] = {s->q[0][pose], s->q[1][pose], s->q[2][pose], s->q[3][pose]};
    sites_want(&b->ask, i, SCREE_NONE, s->shape[pose], s->scale[pose] + clear / b->radius, x, q);
}

/* [m] From where ball i was free of walls to where it wants to be. */
static double way(const balls *b, const sites *s, uint32_t i, const double from[3])
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        const double d = s->x[k][b->ball[i].pose] - from[k];
        sum += d * d;
    }
    return sqrt(sum);
}

/* Asks about balls whose new poses are near a wall, as far as is known: about a larger ball where
 * each of them is. */
static int32_t ask_around(balls *b, const sites *s, const scree_query *query)
{
    uint32_t n;
    b->ask.n1 = 0;
    for (uint32_t i = 0; i < b->n0; i++) {
        const ball_poses *ball = &b->ball[i];
        if (ball->walls != 2)
            continue;
        const double is[3] = {s->x[0][i], s->x[1][i], s->x[2][i]}, far = way(b, s, i, is);
        ball_room *room = &b->walls[i];
        if (room->next == 0.0)
            room->next = ball->radius;
        if (room->next > far)
            ask(b, s, i, i, room->next);
        else
            room->next *= 1.1;
    }
    const int32_t code = ask_host(b, query, &n);
    for (uint32_t k = 0; k < n && code >= 0; k++) {
        const uint32_t at = b->ask.index[k], i = (uint32_t)b->ask.body[at];
        ball_room *room = &b->walls[i];
        for (int j = 0; j < 3; j++)
            room->at[j] = s->x[j][i];
        room->clear = room->next * (1.0 - 1e-9);
        room->next *= 2.0 / CLOSER; // less CLOSER below
        b->ball[i].walls = 1;
    }
    for (uint32_t k = 0; k < b->ask.n1 && code >= 0; k++)
        b->walls[b->ask.body[k]].next *= CLOSER;
    return code;
}

/* Asks about the balls whose member `walls` is 2: sets it to 1, or blocks the ball. */
static int32_t ask_walls(balls *b, const sites *s, const scree_query *query)
{
    uint32_t n;
    for (uint32_t i = 0; i < b->n0; i++)
        if (b->ball[i].walls == 2 && way(b, s, i, b->walls[i].at) < b->walls[i].clear)
            b->ball[i].walls = 1;
    int32_t code = ask_around(b, s, query);
    if (code < 0)
        return code;
    b->ask.n1 = 0;
    for (uint32_t i = 0; i < b->n; i++)
        if (b->ball[i].walls == 2)
            ask(b, s, i, b->ball[i].pose, 0.0);
    code = ask_host(b, query, &n);
    for (uint32_t k = 0; k < n && code >= 0; k++)
        b->ball[b->ask.body[b->ask.index[k]]].walls = 1;
    for (uint32_t k = 0; k < b->ask.n1 && code >= 0; k++) {
        ball_poses *ball = &b->ball[b->ask.body[k]];
        ball->walls = ball->walls == 1 ? 1 : 3;
    }
    return code;
}

static int32_t look_at_walls(balls *b, const sites *s, const scree_query *query)
{
    for (uint32_t i = 0; i < b->n; i++)
        b->ball[i].walls = b->ball[i].blocked ? 0 : 2;
    int32_t code = ask_walls(b, s, query);
    for (uint64_t k = 0; k < b->n_pairs && code >= 0; k++)
        if (b->ball[b->pair[k].a].walls == 1 && !b->ball[b->pair[k].b].walls)
            b->ball[b->pair[k].b].walls = 2;
    code = code < 0 ? code : ask_walls(b, s, query);
    for (uint64_t k = 0; k < b->n_pairs && code >= 0; k++)
        if (b->ball[b->pair[k].b].walls == 1)
            b->ball[b->pair[k].a].blocked = 1;
    return code;
}

/* Keeps the poses of site 1 that nothing refuses. */
static void keep_poses(balls *b, sites *s)
{
    uint32_t n = 0;
    memset(s->index, 0, s->n1 * sizeof *s->index);
    for (uint32_t i = 0; i < b->n; i++)
        if (b->ball[i].pose != SCREE_NONE && !b->ball[i].blocked && b->ball[i].walls == 1)
            s->index[b->ball[i].pose - s->n0] = 1;
    for (uint32_t k = 0; k < s->n1; k++)
        if (s->index[k])
            sites_copy(s, s->n0 + k, s->n0 + n++);
    s->n1 = n;
}

int32_t balls_settle(balls *b, sites *s, const scree_query *query)
{
    take_poses(b, s);
    int good = update_lists(b);
    const uint64_t end = b->near.n_others;
    for (uint32_t i = b->n0; i < b->n && good; i++) {
        set_reach(b, i);
        good = near_put(&b->near, i);
    }
    good = good && look_at_pairs(b, s);
    for (uint32_t i = b->n0; i < b->n && good; i++)
        near_take(&b->near, i);
    b->near.n_others = end;
    if (!good)
        return SCREE_E_MEMORY;
    const int32_t code = look_at_walls(b, s, query);
    if (code >= 0)
        keep_poses(b, s);
    return code;
}
