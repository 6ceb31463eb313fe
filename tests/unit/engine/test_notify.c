/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of the calls of modifiers and observers, and the sum of the powers that they write. */
#include "../../test.h"
#include "../sim_fixture.h"
#include "engine/energy.h"
#include "engine/observers.h"
#include "engine/trial_forces.h"
#include "tools/look/memory_use.h"

#define FALL "scene = { dimension = 3; dt = 1.0e-3; gravity = (0.0, 0.0, -10.0); };\n" GLASS
#define TWO                                                                                        \
    "bodies = { a = { radius = 0.1; position = (0.0, 0.0, 0.0); };\n"                              \
    "           b = { radius = 0.1; position = (5.0, 0.0, 0.0); };\n"                              \
    "           wall = { radius = 0.1; position = (9.0, 0.0, 0.0); motion = \"fixed\"; }; "        \
    "};\n" LINEAR

enum { MOST = 64 };
static scree_forces seen[MOST];
static scree_step ended[MOST];
static int n_seen, n_ended;

static int32_t see(void *instance, const scree_forces *args)
{
    if (n_seen < MOST)
        seen[n_seen++] = *args;
    return SCREE_OK;
}

static int32_t end(void *instance, const scree_step *args)
{
    if (n_ended < MOST)
        ended[n_ended++] = *args;
    return SCREE_OK;
}

#define MODIFIER(name_, ...)                                                                       \
    static const scree_modifier_ops name_##_ops = {.size = sizeof(scree_modifier_ops),             \
                                                   .create = plain_create,                         \
                                                   .destroy = plain_destroy,                       \
                                                   __VA_ARGS__};                                   \
    static const scree_plugin name_ = {PLUGIN(MODIFIER, #name_, "of a test"), .ops = &name_##_ops}

MODIFIER(witness, .forces = see, .after_step = end);

static scree_timed_choice *hook_of(const char *name, const scree_plugin *plugin)
{
    scree_timed_choice *timed = g_new0(scree_timed_choice, 1);
    scree_choice_of *choice = g_new0(scree_choice_of, 1);
    choice->memory = g_ptr_array_new();
    fixture_plug(choice, plugin);
    *timed = (scree_timed_choice){.name = (char *)name, .choice = choice, .every_steps = 1};
    return timed;
}

/** A run of a scene with a modifier of this program. */
static scree_sim *with_modifier(const char *text, const scree_plugin *modifier)
{
    scree_scene *scene = fixture_scene(text);
    g_ptr_array_add(scene->modifiers, hook_of("tested", modifier));
    n_seen = n_ended = 0;
    return fixture_begin(scene, &(scree_sim_options){0});
}

/** Of Verlet's evaluations each is kept, at the end of the step that after_step() then counts. */
TEST("/calls/verlet-accepts-each-evaluation")
{
    g_autoptr(scree_sim) sim = with_modifier(FALL TWO, &witness);
    fixture_run(sim, 3);
    g_assert_cmpint(n_seen, ==, 4);
    g_assert_cmpint(n_ended, ==, 3);
    for (int n = 0; n < n_seen; n++) {
        g_assert_cmpuint(seen[n].size, ==, sizeof(scree_forces));
        g_assert_cmpuint(seen[n].accepted, ==, 1);
        g_assert_cmpuint(seen[n].step, ==, (uint64_t)n);
        g_assert_cmpfloat(seen[n].dt, ==, 1e-3);
        assert_near(seen[n].time, n * 1e-3, 1e-15);
        if (n == 0)
            continue;
        g_assert_cmpuint(ended[n - 1].step, ==, seen[n].step);
        g_assert_cmpfloat(ended[n - 1].time, ==, seen[n].time);
        g_assert_cmpfloat(ended[n - 1].dt, ==, 1e-3);
    }
}

/** Of Runge-Kutta-Nystroem's four three are trials, at t + dt/2, t + dt/2, t + dt. The one at the
 * end of the step, which is the first of the next step, is kept. */
TEST("/calls/rkn4-tries-three-and-accepts-the-first-of-the-next-step")
{
    g_autoptr(scree_sim) sim =
        with_modifier(FALL TWO "integrator = { plugin = \"rkn4\"; };\n", &witness);
    const double offset[4] = {0.5, 0.5, 1.0, 1.0};
    fixture_run(sim, 1);
    for (int step = 1; step < 4; step++) {
        n_seen = 0;
        fixture_run(sim, 1);
        g_assert_cmpint(n_seen, ==, 4);
        for (int k = 0; k < 4; k++) {
            g_assert_cmpuint(seen[k].accepted, ==, k == 3);
            g_assert_cmpuint(seen[k].step, ==, (uint64_t)step + 1);
            g_assert_cmpfloat(seen[k].dt, ==, 1e-3);
            assert_near(seen[k].time, (step + offset[k]) * 1e-3, 1e-15);
        }
    }
}

/** Questions of the host outside of the trajectory are not accepted. */
TEST("/calls/a-trial-of-the-host-is-not-accepted")
{
    g_autoptr(GError) error = NULL;
    g_autoptr(scree_sim) sim = with_modifier(FALL TWO, &witness);
    double stored, *wrench = g_new(double, (size_t)sim->world->n *SCREE_WRENCH);
    n_seen = 0;
    g_assert_true(scree_trial_forces(sim, wrench, &stored, &error));
    g_assert_true(scree_modifiers_store(sim, NULL, &stored, &error));
    g_assert_cmpint(n_seen, ==, 2);
    g_assert_cmpuint(seen[0].accepted + seen[1].accepted, ==, 0);
    g_free(wrench);
}

/* ---- power ---- */

/** Powers of very different sizes, by id, and one that is not finite on a body that is fixed. */
static int32_t work(void *instance, const scree_forces *args)
{
    const scree_bodies *b = args->bodies;
    for (uint32_t i = 0; i < b->n; i++)
        args->power[i] += i < b->n_free ? exp(sin((double)b->id[i]) * 30.0) : (double)NAN;
    return SCREE_OK;
}

MODIFIER(worker, .forces = work);

#define CLOUD                                                                                      \
    "scene = { dimension = 3; dt = 1.0e-5; region = { min = (0.0, 0.0, 0.0);\n"                    \
    "  max = (0.3, 0.3, 0.3); }; boundary = [\"reflect\", \"periodic\", \"reflect\"]; gravity = "  \
    "(0.0, 0.0, -10.0); };\n" GLASS                                                                \
    "bodies = { wall = { radius = 0.001; position = (0.29, 0.0, 0.0); motion = \"fixed\"; }; };\n" \
    "generate = { balls = { shape = \"sphere\"; count = 9000; radius = 0.002;\n"                   \
    "  velocity_random = 5.0; }; };\n" LINEAR

TEST("/calls/power-per-body-is-summed-over-free-bodies-by-leaves")
{
    g_autoptr(scree_sim) sim = with_modifier(CLOUD, &worker);
    const double *power = sim->account.power;
    scree_exact_sum leaves = {.odd = 0.0};
    double plain = 0.0, leaf = 0.0;
    for (uint32_t i = 0; i < 9000; i++) {
        plain += power[i] * sim->dt;
        leaf += power[i];
        if (i % 64 == 63 || i == 8999) {
            scree_exact_sum_add(&leaves, leaf * sim->dt);
            leaf = 0.0;
        }
    }
    fixture_run(sim, 1);
    const double work = scree_exact_sum_value(&sim->account.work);
    g_assert_cmpfloat(work, ==, scree_exact_sum_value(&leaves));
    g_assert_cmpfloat(plain, !=, work); // a loop over the bodies gives other bits
}

/** Work after some steps in a wind, which two modifiers of the tree book. */
static double work_on(uint32_t threads, uint64_t *digest)
{
    static const char wind[] =
        "modifiers = { wind = { plugin = \"drag\"; law = \"stokes\"; viscosity = 0.1;\n"
        "  velocity = (1.0, 2.0, 3.0); }; swing = { plugin = \"gravity\"; rate = (3.0, 4.0);\n"
        "  rate_times = (0.0, 1.0); axis = (0.0, 1.0, 0.0); groups = [\"balls\"]; }; };\n";
    g_autofree char *text = g_strconcat(CLOUD, wind, NULL);
    g_autoptr(scree_sim) sim = fixture_begin(
        fixture_scene(text), &(scree_sim_options){.threads = threads, .all_lanes = true});
    fixture_run(sim, 3);
    double sum = scree_exact_sum_value(&sim->account.work), first = sim->world->x[0][0];
    memcpy(digest, &first, sizeof first);
    g_assert_cmpuint(sim->world->n_free, ==, 9000); // three chunks of a pass
    return sum;
}

TEST("/calls/power-has-the-same-bits-on-1-2-4-threads")
{
    uint64_t first, other;
    const double alone = work_on(1, &first);
    g_assert_cmpfloat(fabs(alone), >, 0.0);
    for (uint32_t threads = 2; threads <= 4; threads *= 2) {
        const double several = work_on(threads, &other);
        g_assert_cmpmem(&several, sizeof several, &alone, sizeof alone);
        g_assert_cmpuint(other, ==, first);
    }
}

/** A scene without such a modifier has no array of powers. */
TEST("/calls/no-power-where-nobody-adds-forces")
{
    g_autoptr(scree_sim) sim = fixture_sim(FALL TWO);
    fixture_run(sim, 2);
    g_assert_null(sim->account.power);
    g_assert_false(sim->account.any_power);
}

/* ---- the head ---- */

enum { HELD = 12345 };
static uint32_t shown_n;
static uint64_t shown_id[MOST], numbering;

static uint64_t hold(void *instance)
{
    return HELD;
}

static int32_t show(void *instance, const scree_view *view)
{
    shown_n = view->bodies->n;
    numbering = view->bodies->numbering;
    memcpy(shown_id, view->bodies->id, MIN(shown_n, (uint32_t)MOST) * sizeof *shown_id);
    return SCREE_OK;
}

static int32_t grow(void *instance, const scree_step *args)
{
    uint64_t id;
    scree_one_body spec = {.scale = 0.1, .q = {1.0}, .x = {-5.0, 0.0, 2.0}};
    if (args->step == 2)
        g_assert_cmpint(args->edits->remove(args->edits->ctx, 1), ==, SCREE_OK);
    return args->step == 2 ? scree_insert_one(args->edits, &spec, &id) : SCREE_OK;
}

MODIFIER(grower, .after_step = grow);
static const scree_observer_ops looker_ops = {OPS(observer, plain_create, plain_destroy),
                                              .bytes = hold, .observe = show, .finish = show};
static const scree_plugin looker = {PLUGIN(OBSERVER, "looker", "of a test"), .ops = &looker_ops};

static uint64_t count_bytes(const scree_sim *sim)
{
    scree_memory_line lines[SCREE_MEMORY_LINES];
    uint64_t sum = 0;
    scree_memory_count(sim, lines);
    for (int k = 0; k < SCREE_MEMORY_LINES; k++)
        sum += lines[k].bytes;
    return sum;
}

TEST("/calls/an-observer-is-counted-and-sees-by-numbering-that-numbers-have-other-bodies")
{
    g_autoptr(GError) error = NULL;
    g_autoptr(scree_sim) sim = with_modifier(FALL TWO, &grower);
    const uint64_t without = count_bytes(sim);
    g_ptr_array_add(sim->scene->observers, hook_of("looker", &looker));
    scree_observers *observers = scree_observers_new(sim, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(count_bytes(sim), ==, without + HELD);
    uint64_t before = 0;
    for (int n = 0; n < 3; n++) {
        scree_observers_prepare(observers, false);
        fixture_run(sim, 1);
        g_assert_true(scree_observers_observe(observers, false, NULL, &error));
        g_assert_true((numbering == before) == (n != 1)); // bodies come and go in the second step
        before = numbering;
    }
    g_assert_cmpuint(shown_n, ==, 3);
    const uint64_t last[3] = {2, 4, 3}; // b, the new one, the wall
    g_assert_cmpmem(shown_id, sizeof last, last, sizeof last);
    scree_observers_free(observers);
    g_assert_cmpuint(sim->observers->len, ==, 0);
}
