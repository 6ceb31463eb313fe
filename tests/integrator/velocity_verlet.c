/* SPDX-License-Identifier: Apache-2.0 */
/* integrator/velocity_verlet on a motion of the test's own: promises that `scree check` does
 * not measure: conserved momentum and energy of free tops, exact free fall. */
#include <math.h>

#include "../fake_host.h"
#include "scree/draft/joined.h"

enum { BODIES = 8 };

/** A few bodies, as a host keeps them. */
typedef struct world {
    double x[3][BODIES], q[4][BODIES], v[3][BODIES], w[3][BODIES];
    double inv_mass[BODIES], inv_inertia[3][BODIES], wrench[8 * BODIES];
    uint8_t isotropic[BODIES];
    scree_motion motion;
} world;

static void start(world *w, uint32_t n, uint32_t n_free, double dt)
{
    memset(w, 0, sizeof *w);
    for (int i = 0; i < BODIES; i++) {
        w->q[0][i] = w->inv_mass[i] = 1.0;
        w->isotropic[i] = 1;
        for (int k = 0; k < 3; k++)
            w->inv_inertia[k][i] = 1.0;
    }
    w->motion = (scree_motion){.size = sizeof w->motion,
                               .dimension = 3,
                               .n = n,
                               .n_free = n_free,
                               .dt = dt,
                               .inv_mass = w->inv_mass,
                               .isotropic = w->isotropic,
                               .wrench = w->wrench};
    for (int k = 0; k < 3; k++) {
        w->motion.x[k] = w->x[k];
        w->motion.v[k] = w->v[k];
        w->motion.w[k] = w->w[k];
        w->motion.inv_inertia[k] = w->inv_inertia[k];
    }
    for (int k = 0; k < 4; k++)
        w->motion.q[k] = w->q[k];
}

/** One step; `forces` is called where the integrator asks for an evaluation. */
static void step(const scree_integrator_ops *ops, void *self, world *w, void (*forces)(world *))
{
    ops->begin(self, &w->motion);
    for (uint32_t k = 0;; k++) {
        scree_stage stage = {.size = sizeof stage};
        if (ops->stage(self, &w->motion, k, &stage) != SCREE_OK || k > 8)
            bail_out("stage %u", k);
        for (uint32_t i = 0; i < w->motion.n_free; i += 3) { // in pieces, as a host may
            scree_move_range range = {.size = sizeof range,
                                      .motion = &w->motion,
                                      .stage = k,
                                      .begin = i,
                                      .end = i + 3 < w->motion.n_free ? i + 3 : w->motion.n_free};
            if (ops->move(self, &range) != SCREE_OK)
                bail_out("move %u", k);
        }
        if (stage.action == SCREE_STAGE_DONE)
            break;
        forces(w);
    }
    w->motion.step++;
    w->motion.time += w->motion.dt;
}

static void no_forces(world *w)
{
    memset(w->wrench, 0, sizeof w->wrench);
}

static void weight(world *w)
{
    no_forces(w);
    for (uint32_t i = 0; i < w->motion.n; i++)
        w->wrench[8 * i + 2] = -9.81;
}

static void to_body(const world *w, const double v[3], double sign, double out[3])
{
    double q[4] = {w->q[0][0], sign * w->q[1][0], sign * w->q[2][0], sign * w->q[3][0]};
    // columns of the rotation matrix
    double m[3][3] = {{1 - 2 * (q[2] * q[2] + q[3] * q[3]), 2 * (q[1] * q[2] - q[0] * q[3]),
                       2 * (q[1] * q[3] + q[0] * q[2])},
                      {2 * (q[1] * q[2] + q[0] * q[3]), 1 - 2 * (q[1] * q[1] + q[3] * q[3]),
                       2 * (q[2] * q[3] - q[0] * q[1])},
                      {2 * (q[1] * q[3] - q[0] * q[2]), 2 * (q[2] * q[3] + q[0] * q[1]),
                       1 - 2 * (q[1] * q[1] + q[2] * q[2])}};
    for (int k = 0; k < 3; k++)
        out[k] = m[k][0] * v[0] + m[k][1] * v[1] + m[k][2] * v[2];
}

static const double inertia[3] = {1.0, 2.0, 3.0};

/** Energy and angular momentum (world axes) of body 0. */
static double top_state(const world *w, double l[3])
{
    double spin[3] = {w->w[0][0], w->w[1][0], w->w[2][0]}, body[3], energy = 0.0;
    to_body(w, spin, -1.0, body);
    for (int k = 0; k < 3; k++) {
        energy += 0.5 * inertia[k] * body[k] * body[k];
        body[k] *= inertia[k];
    }
    to_body(w, body, 1.0, l);
    return energy;
}

/** The motion of a top until t = 10. */
typedef struct top {
    double energy, momentum, length, q[4]; // largest deviations; orientation at the end
} top;

/* Spun about its middle axis it tumbles over and over (Euler 1758), the hardest free motion. */
static top spin_top(const scree_integrator_ops *ops, void *self, double dt)
{
    world w;
    double l0[3], l[3], size;
    top out = {0};
    start(&w, 1, 1, dt);
    w.isotropic[0] = 0;
    for (int k = 0; k < 3; k++)
        w.inv_inertia[k][0] = 1.0 / inertia[k];
    w.w[0][0] = 0.1;
    w.w[1][0] = 2.0;
    w.w[2][0] = 0.1;
    double e0 = top_state(&w, l0);
    size = sqrt(l0[0] * l0[0] + l0[1] * l0[1] + l0[2] * l0[2]);
    for (int n = 0; n < (int)(10.0 / dt + 0.5); n++) {
        double now = 0.0;
        step(ops, self, &w, no_forces);
        out.energy = fmax(out.energy, fabs(top_state(&w, l) / e0 - 1.0));
        for (int k = 0; k < 3; k++) {
            out.momentum = fmax(out.momentum, fabs(l[k] - l0[k]) / size);
            now += w.q[k][0] * w.q[k][0];
        }
        now += w.q[3][0] * w.q[3][0];
        out.length = fmax(out.length, fabs(now - 1.0));
    }
    for (int k = 0; k < 4; k++)
        out.q[k] = w.q[k][0];
    return out;
}

static double turned(const top *a, const top *b)
{
    double cosine = 0.0;
    for (int k = 0; k < 4; k++)
        cosine += a->q[k] * b->q[k];
    return sqrt(fmax(0.0, 1.0 - fabs(cosine)));
}

static void test_top(const scree_integrator_ops *ops, void *self)
{
    top coarse = spin_top(ops, self, 0.02), fine = spin_top(ops, self, 0.005);
    top exact = spin_top(ops, self, 0.00025);
    double order = log(coarse.energy / fine.energy) / log(4.0);
    double order_q = log(turned(&coarse, &exact) / turned(&fine, &exact)) / log(4.0);
    printf("# free top: energy %.1e, %.1e (order %.2f); momentum %.1e; |q|^2 - 1 %.1e; orientation "
           "order %.2f\n",
           coarse.energy, fine.energy, order, fine.momentum, fine.length, order_q);
    tap_ok(coarse.energy < 1e-2 && order > 1.9,
           "a free asymmetric top keeps its energy to order 2");
    tap_ok(order_q > 1.9, "its orientation is right to order 2");
    tap_ok(fine.momentum < 1e-12, "its angular momentum stays, direction and size, to rounding");
    tap_ok(fine.length < 1e-14, "its quaternion stays a unit one");
    tap_ok(coarse.energy > 1e-8, "negative control: the top does tumble");
}

static void test_others(const scree_integrator_ops *ops, void *self)
{
    world w;
    start(&w, 3, 2, 0.01);
    w.v[0][2] = 5.0;
    weight(&w);
    for (int n = 0; n < 100; n++)
        step(ops, self, &w, weight);
    tap_ok(fabs(w.x[2][0] + 0.5 * 9.81) < 1e-13 && fabs(w.v[2][1] + 9.81) < 1e-13,
           "free fall is exact");
    start(&w, 1, 1, 0.01);
    no_forces(&w);
    w.w[2][0] = 3.0;
    for (int n = 0; n < 100; n++)
        step(ops, self, &w, no_forces);
    tap_ok(w.w[2][0] == 3.0 && w.q[0][0] == 1.0,
           "a ball keeps its spin; its orientation is not followed");
}

/** Some world; `odd`: one body is not round. */
static void start_any(world *w, int odd)
{
    start(w, BODIES, BODIES - 1, 0.01);
    for (int i = 0; i < BODIES; i++) {
        w->inv_mass[i] = 1.0 + 0.37 * i;
        for (int k = 0; k < 3; k++) {
            w->inv_inertia[k][i] = 0.3 + 0.21 * i + (odd && i == 2 ? 0.4 * k : 0.0);
            w->x[k][i] = sin(1.0 + i + 9.0 * k);
            w->v[k][i] = sin(2.0 + i + 9.0 * k);
            w->w[k][i] = sin(3.0 + i + 9.0 * k);
            w->wrench[8 * i + k] = sin(4.0 + i + 9.0 * k);
            w->wrench[8 * i + 4 + k] = sin(5.0 + i + 9.0 * k);
        }
    }
    w->isotropic[2] = !odd;
}

/** The last move of a step and the first of the next one, with another dt. */
static void test_joined(const scree_plugin *plugin, void *self)
{
    const scree_integrator_ops *ops = plugin->ops;
    const scree_joined *joined = plugin->get_extension(SCREE_DRAFT_JOINED);
    int same = joined != NULL;
    for (int odd = 0; same && odd < 2; odd++) {
        static world one, two; // one: in two moves
        world *const both[] = {&one, &two};
        for (int k = 0; k < 2; k++) {
            start_any(both[k], odd);
            scree_motion before = both[k]->motion;
            before.dt = 0.013;
            scree_move_range first = {
                .size = sizeof first, .motion = &before, .stage = 1, .begin = 1};
            first.end = BODIES - 1;
            scree_move_range second = first;
            second.motion = &both[k]->motion;
            second.stage = 0;
            if (k == 1)
                joined->move_both(self, &first, &second);
            if (k == 0)
                ops->move(self, &first);
            if (k == 0)
                ops->move(self, &second);
        }
        same = !memcmp(&one, &two, offsetof(world, motion)) && one.x[0][1] != sin(2.0);
    }
    tap_ok(same, "two moves in one pass give the bits of both");
}

/** Arguments: the plugin's files, of all CPU levels. */
int main(int argc, char **argv)
{
    for (int a = 1; a < argc; a++) {
        fake_host fake;
        void *self = NULL;
        int32_t config[16] = {0}; // orientation: needed
        if (strstr(argv[a], "x86-64-v3") && !__builtin_cpu_supports("avx2")) {
            tap_ok(1, "the level x86-64-v3 # SKIP this CPU lacks it");
            continue;
        }
        const scree_plugin *plugin = fake_load(argv[a], SCREE_KIND_INTEGRATOR);
        const scree_integrator_ops *ops = plugin->ops;
        fake_init(&fake, 3);
        if (plugin->config_size > sizeof config ||
            ops->create(&fake.host, config, &self) != SCREE_OK) {
            printf("Bail out! create failed\n");
            return 1;
        }
        test_top(ops, self);
        test_others(ops, self);
        test_joined(plugin, self);
        ops->destroy(self);
        free(fake.scratch);
    }
    return tap_end();
}
