/* SPDX-License-Identifier: Apache-2.0 */
/* Clumps of a thousand balls, with more contacts in one pair than a lane has room for at first. */
#include <math.h>
#include <string.h>

#include "../physics/harness.h"
#include "engine/digest.h"
#include "engine/kernels.h"

/* As in rafts.cfg. */
#define SIDE 36
#define RADIUS 0.004 /* [m] */
#define PITCH 0.0085 /* [m] */
#define KN 1e4       /* [N/m] */

enum { BODIES = 4, BALLS = SIDE * SIDE, STEPS = 8 };
typedef double vec[3];
typedef struct load {
    vec force, torque;
} load;

static uint32_t balls_of(const scree_world *w, uint32_t i)
{
    return w->isotropic[i] ? 1 : BALLS;
}

/** Centre of ball p of a body, by a rotation matrix. */
static void find_ball(const scree_world *w, uint32_t i, uint32_t p, vec at)
{
    const double q0 = w->q[0][i], q1 = w->q[1][i], q2 = w->q[2][i], q3 = w->q[3][i];
    const bool alone = balls_of(w, i) == 1;
    const double x = alone ? 0.0 : PITCH * ((double)(p % SIDE) - 0.5 * (SIDE - 1));
    const double y = alone ? 0.0 : PITCH * ((double)(p / SIDE) - 0.5 * (SIDE - 1));
    at[0] = w->x[0][i] + (1 - 2 * (q2 * q2 + q3 * q3)) * x + 2 * (q1 * q2 - q0 * q3) * y;
    at[1] = w->x[1][i] + 2 * (q1 * q2 + q0 * q3) * x + (1 - 2 * (q1 * q1 + q3 * q3)) * y;
    at[2] = w->x[2][i] + 2 * (q1 * q3 - q0 * q2) * x + 2 * (q2 * q3 + q0 * q1) * y;
}

/** A spring between two balls of one size; whether they touch. */
static bool add_spring(const scree_world *w, const uint32_t body[2], vec ball[2], load *loads)
{
    vec d, f, arm, turn;
    for (int k = 0; k < 3; k++)
        d[k] = ball[1][k] - ball[0][k];
    const double distance = hypot(hypot(d[0], d[1]), d[2]), depth = 2.0 * RADIUS - distance;
    if (depth < 0.0)
        return false;
    for (int s = 0; s < 2; s++) {
        for (int k = 0; k < 3; k++) {
            f[k] = (s ? 1.0 : -1.0) * KN * depth * d[k] / distance;
            arm[k] = 0.5 * (ball[0][k] + ball[1][k]) - w->x[k][body[s]];
        }
        cross(arm, f, turn);
        for (int k = 0; k < 3; k++) {
            loads[body[s]].force[k] += f[k];
            loads[body[s]].torque[k] += turn[k];
        }
    }
    return true;
}

/** Springs between all balls of two bodies; how many. */
static uint32_t add_pair(const scree_world *w, uint32_t i, uint32_t j, load *loads)
{
    const uint32_t body[2] = {i, j};
    uint32_t n = 0;
    for (uint32_t p = 0; p < balls_of(w, i); p++)
        for (uint32_t o = 0; o < balls_of(w, j); o++) {
            vec ball[2];
            find_ball(w, i, p, ball[0]);
            find_ball(w, j, o, ball[1]);
            n += add_spring(w, body, ball, loads);
        }
    return n;
}

static double gap(const double *a, const vec b)
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

/* Without friction and damping a force is that of springs. */
static void forces(const char *file, uint32_t batch)
{
    const char *const smooth[] = {"force.0.friction=0.0", "force.0.restitution=1.0", NULL};
    g_autoptr(scree_sim) sim = start_file(file, smooth, &(scree_sim_options){.batch = batch});
    const scree_world *w = sim->world;
    load loads[BODIES] = {0};
    uint32_t n = 0, most = 0;
    double worst[2] = {0.0}, size[2] = {0.0};
    run(sim, STEPS);
    for (uint32_t i = 0; i < BODIES; i++)
        for (uint32_t j = i + 1; j < BODIES; j++) {
            const uint32_t more = add_pair(w, i, j, loads);
            n += more;
            most = MAX(most, more);
        }
    for (uint32_t i = 0; i < BODIES; i++) {
        worst[0] = fmax(worst[0], gap(w->wrench + 8 * i, loads[i].force));
        worst[1] = fmax(worst[1], gap(w->wrench + 8 * i + 4, loads[i].torque));
        size[0] = fmax(size[0], sqrt(dot(loads[i].force, loads[i].force)));
        size[1] = fmax(size[1], sqrt(dot(loads[i].torque, loads[i].torque)));
    }
    claim(sim->counters.contacts == n && most > 3 * SCREE_BATCH_ROOM,
          "batch-%u-all-contacts-of-a-pair-are-found # %u, by hand %u, %u of one pair", batch,
          (unsigned)sim->counters.contacts, n, most);
    claim(worst[0] < 1e-10 * size[0], "batch-%u-forces-are-their-sum # to %g of %g N", batch,
          worst[0], size[0]);
    claim(worst[1] < 1e-10 * size[1], "batch-%u-torques-are-about-the-centres # to %g of %g N m",
          batch, worst[1], size[1]);
}

static char *hash_of(const char *file, uint32_t batch, uint32_t threads, uint32_t blocks)
{
    g_autoptr(scree_sim) sim = start_file(
        file, NULL,
        &(scree_sim_options){
            .batch = batch, .threads = threads, .blocks = blocks, .all_lanes = threads > 1});
    run(sim, STEPS);
    char *hash = scree_state_sha256(sim);
    return hash;
}

/* With friction: the history of each contact counts. */
static void one_state(const char *file)
{
    static const uint32_t batches[] = {8, 100, 1024};
    g_autofree char *first = hash_of(file, 512, 1, 1);
    for (uint32_t threads = 1; threads <= 4; threads++)
        for (size_t k = 0; k < G_N_ELEMENTS(batches); k++) {
            g_autofree char *hash = hash_of(file, batches[k], threads, threads);
            claim(!strcmp(hash, first), "threads-%u-batch-%u-one-state # %.12s", threads,
                  batches[k], hash);
        }
}

int main(int argc, char **argv)
{
    if (argc != 2)
        bail_out("expected rafts.cfg");
    forces(argv[1], 512);
    forces(argv[1], 8);
    one_state(argv[1]);
    return tap_end();
}
