/* SPDX-License-Identifier: Apache-2.0 */
/* Integrators on a damped oscillator: four steps, against the numbers of their published tables.
 *
 * x'' = -x - x'/2 from x = 1, x' = 0, in steps of 1/4. The numbers were worked out by the matrices
 * of tests/verification/swings.py, which are written from O'Connor's table 5.1 (rkn4), from Forest
 * and Ruth (forest_ruth) and from appendix E of Allen and Tildesley (gear, without a start). */
#include <math.h>

#include "../fake_host.h"

enum { STEPS = 4, MOST_FIELDS = 64, WORDS = 8 };
static const double dt = 0.25;

typedef struct reference {
    const char *id, *words;
    int32_t config[WORDS]; // as the plugin's struct has them
    double x, v;
} reference;

static const reference references[] = {
    {"velocity_verlet", "", {0}, 0.58663177490234375, -0.68183994293212891},
    {"velocity_verlet", ", full_step", {0, 1}, 0.6046142578125, -0.65191650390625},
    {"symplectic_euler", "", {0}, 0.4996795654296875, -0.69561767578125},
    {"rkn4", "", {0}, 0.60706827642859196, -0.6626912210359559},
    {"forest_ruth", "", {0}, 0.573612880399053, -0.70661937710976486},
    {"gear", ", 4 values", {4, 0, 0, 1, 2}, 0.60660496022966159, -0.66195207171969928},
    {"gear", ", 5 values", {5, 0, 0, 1, 2}, 0.60568024614418325, -0.66345223830560607},
    {"gear", ", 5 values, places", {5, 0, 0, 0, 2}, 0.60572789735606536, -0.66340727640427999},
    {"gear", ", 6 values", {6, 0, 0, 1, 2}, 0.60529136122783778, -0.66200439945605405},
    {"gear", ", 6 values, places", {6, 0, 0, 0, 2}, 0.60543948861721253, -0.66202757881544338},
};

/** One ball, whose three places and three spins are the same oscillator: spins turn by no torque.
 */
typedef struct world {
    double x[3], q[4], v[3], w[3], moved[3], turned[3], one, wrench[8], field[MOST_FIELDS];
    double *fields[MOST_FIELDS];
    uint8_t round;
    scree_motion motion;
} world;

static void pull(world *w)
{
    for (int k = 0; k < 3; k++)
        w->wrench[k] = -w->x[k] - 0.5 * w->v[k];
}

static void start(world *w)
{
    memset(w, 0, sizeof *w);
    w->one = w->round = 1;
    w->q[0] = 1.0;
    scree_motion *m = &w->motion;
    *m = (scree_motion){.size = sizeof *m, .dimension = 3, .n = 1, .n_free = 1, .dt = dt};
    m->inv_mass = &w->one;
    m->isotropic = m->fresh = &w->round;
    m->wrench = w->wrench;
    m->fields = w->fields;
    for (int k = 0; k < MOST_FIELDS; k++)
        w->fields[k] = &w->field[k];
    for (int k = 0; k < 3; k++) {
        w->x[k] = 1.0;
        m->x[k] = &w->x[k];
        m->v[k] = &w->v[k];
        m->w[k] = &w->w[k];
        m->inv_inertia[k] = &w->one;
        m->displacement[k] = &w->moved[k];
        m->rotation[k] = &w->turned[k];
    }
    for (int k = 0; k < 4; k++)
        m->q[k] = &w->q[k];
    pull(w);
}

/** Largest distance of displacements, summed over accepted states, from places. */
static double run(const scree_integrator_ops *ops, void *self, world *w, int displaces)
{
    double sum = 1.0, off = 0.0;
    for (int n = 0; n < STEPS; n++) {
        scree_stage stage = {.size = sizeof stage};
        ops->begin(self, &w->motion);
        for (uint32_t k = 0; stage.action != SCREE_STAGE_DONE && k < 64; k++) {
            stage = (scree_stage){.size = sizeof stage};
            ops->stage(self, &w->motion, k, &stage);
            const scree_move_range range = {
                .size = sizeof range, .motion = &w->motion, .stage = k, .end = 1};
            if (SCREE_HAS(ops, move))
                ops->move(self, &range);
            if (stage.action != SCREE_STAGE_EVALUATE)
                break;
            pull(w);
            double now = sum + w->moved[0];
            off = displaces ? fmax(off, fabs(now - w->x[0])) : 0.0;
            sum = stage.accepted ? now : sum;
        }
        w->motion.step++;
        w->motion.fresh = NULL;
    }
    return off;
}

static void test(const scree_plugin *plugin, const reference *r)
{
    fake_host fake;
    void *self = NULL;
    int32_t config[WORDS];
    scree_demands demands = {sizeof demands, plugin->flags, plugin->needs, plugin->provides};
    const scree_integrator_ops *ops = plugin->ops;
    char claim[128];
    world w;
    memcpy(config, r->config, sizeof config);
    fake_init(&fake, 3);
    if (plugin->config_size > sizeof config || ops->create(&fake.host, config, &self) != SCREE_OK)
        bail_out("create failed");
    if (SCREE_HAS(ops, narrow))
        ops->narrow(self, &demands);
    start(&w);
    double off = run(ops, self, &w, (demands.flags & SCREE_CAP_DISPLACEMENT) != 0);
    double error = fmax(fabs(w.x[0] - r->x), fabs(w.v[0] - r->v));
    printf("# off by %.1e; displacements by %.1e\n", error, off);
    snprintf(claim, sizeof claim, "%s%s: four steps are those of its table, slips those of places",
             r->id, r->words);
    tap_ok(error < 4e-15 && off < 4e-15 && w.x[2] == w.x[0], claim);
    ops->destroy(self);
    free(fake.scratch);
}

/** Arguments: files of the plugins, of all CPU levels. */
int main(int argc, char **argv)
{
    for (int a = 1; a < argc; a++) {
        if (strstr(argv[a], "x86-64-v3") && !__builtin_cpu_supports("avx2")) {
            tap_ok(1, "the level x86-64-v3 # SKIP this CPU lacks it");
            continue;
        }
        const scree_plugin *plugin = fake_load(argv[a], SCREE_KIND_INTEGRATOR);
        for (size_t k = 0; k < sizeof references / sizeof references[0]; k++)
            if (!strcmp(plugin->id, references[k].id))
                test(plugin, &references[k]);
    }
    return tap_end();
}
