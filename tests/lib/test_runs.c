/* SPDX-License-Identifier: Apache-2.0 */
/* Runs through libscree are those of `scree run`, to the bit; usage: test_runs SCREE SHEAR_SCENE SCENE_TO_RESTORE .. */
#include <math.h>

#include <scree/scree.h>

#include "client.h"

enum { STEPS = 120 };
static const char *scree;

/** The hash that `scree run` prints after so many steps. */
static hash by_program(const char *scene)
{
    char command[1024], line[512];
    hash found = {""};
    snprintf(command, sizeof command, "%s run %s --steps %d --set 'observers={}' -q", scree, scene,
             STEPS);
    FILE *out = popen(command, "r");
    if (!out)
        bail_out("no %s", command);
    while (fgets(line, sizeof line, out))
        sscanf(line, "state_sha256 %64s", found.text);
    if (pclose(out))
        bail_out("%s failed", command);
    return found;
}

static hash by_library(const char *scene, uint32_t threads, int single)
{
    sc_run *run = open_quiet(scene, threads, NULL);
    const sc_until until = {.size = sizeof until, .steps = STEPS};
    if (!single)
        must(run, sc_advance(run, &until, NULL), "sc_advance");
    if (single)
        for (int k = 0; k < STEPS; k++)
            must(run, sc_step(run, 1), "sc_step");
    const hash h = hash_of(run);
    claim(sc_step_count(run) == STEPS, "%s: %d steps", scene, STEPS);
    sc_close(run);
    return h;
}

static void compare_runs(const char *shear)
{
    const char *const scenes[] = {"hopper", "drum", "clumps", shear};
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
        const hash want = by_program(scenes[k]);
        for (uint32_t threads = 1; threads <= 4; threads += 3)
            for (int single = 0; single < 2; single++)
                claim(same(by_library(scenes[k], threads, single), want),
                      "%s, %u threads, %s: the hash of scree run", scenes[k], threads,
                      single ? "a call a step" : "one call");
    }
}

/* ---- forces of the caller ---- */

typedef struct air {
    double viscosity, velocity[3];
    int calls;
} air;

/** modifier/drag with the law of Stokes, in its order of operations. */
static int32_t drag(void *user, const scree_forces *args)
{
    air *a = user;
    const scree_bodies *b = args->bodies;
    a->calls++;
    for (uint32_t i = 0; i < b->n; i++) {
        if (b->motion[i] != SCREE_MOTION_FREE)
            continue;
        double *line = args->wrench + 8 * (size_t)i, u[3], u2 = 0.0, work = 0.0;
        for (int k = 0; k < 3; k++) {
            u[k] = a->velocity[k] - b->v[k][i];
            u2 += u[k] * u[k];
        }
        const double coefficient = 6.0 * 3.14159265358979323846 * a->viscosity * b->radius[i];
        for (int k = 0; k < 3; k++) {
            const double force = coefficient * u[k];
            line[k] += force;
            work += force * a->velocity[k];
        }
        line[7] += coefficient * u2;
        args->power[i] += work;
    }
    return 0;
}

static void compare_drag(void)
{
    static const char *const own[] = {"modifiers={air={plugin=\"callback\";};}", NULL};
    static const char *const theirs[] = {
        "modifiers={air={plugin=\"drag\";law=\"stokes\";viscosity=0.5;velocity=[0.3,0.1,-0.2];};}",
        NULL};
    air a = {.viscosity = 0.5, .velocity = {0.3, 0.1, -0.2}};
    sc_run *run = open_quiet("hopper", 2, own), *other = open_quiet("hopper", 2, theirs);
    refused(run, sc_step(run, 1), "sc_on_forces", "a callback without its function");
    refused(other, sc_on_forces(other, "air", drag, &a), "modifier/drag",
            "a function for another modifier");
    must(run, sc_on_forces(run, "air", drag, &a), "sc_on_forces");
    must(run, sc_step(run, STEPS), "sc_step");
    must(other, sc_step(other, STEPS), "sc_step");
    claim(a.calls >= STEPS, "the function is called at each evaluation: %d calls", a.calls);
    claim(same(hash_of(run), hash_of(other)), "drag by a C function: the hash of modifier/drag");
    const sc_array x = array_of(run, "x");
    double *wrench[2], *power[2];
    for (int k = 0; k < 2; k++) {
        wrench[k] = malloc(8 * x.n * sizeof(double));
        power[k] = malloc(x.n * sizeof(double));
    }
    must(run, sc_forces_of(run, "modifiers.air", wrench[0], power[0]), "sc_forces_of");
    must(other, sc_forces_of(other, "modifiers.air", wrench[1], power[1]), "sc_forces_of");
    claim(!memcmp(wrench[0], wrench[1], 8 * x.n * sizeof(double)) &&
              !memcmp(power[0], power[1], x.n * sizeof(double)),
          "sc_forces_of gives the same bits for both");
    claim(sc_forces_of(run, "modifiers.wind", wrench[0], power[0]) == SC_E_USE &&
              same(hash_of(run), hash_of(other)),
          "sc_forces_of of no modifier is refused, and neither changes the state");
    for (int k = 0; k < 2; k++) {
        free(wrench[k]);
        free(power[k]);
    }
    sc_close(run);
    sc_close(other);
}

static int32_t fail_late(void *user, const scree_forces *args)
{
    return args->step < 5 ? 0 : sc_fail(user, SCREE_E_NUMERIC, "the wind is too strong");
}

static void fail_in_callback(void)
{
    static const char *const own[] = {"modifiers={air={plugin=\"callback\";};}", NULL};
    sc_run *run = open_quiet("hopper", 1, own);
    must(run, sc_on_forces(run, "air", fail_late, run), "sc_on_forces");
    const int32_t code = sc_step(run, 20);
    claim(code == SC_E_RUN && says(run, "the wind is too strong") && says(run, "modifiers.air"),
          "a failed function ends the run with its text: %s", sc_error(run));
    claim(sc_step(run, 1) == SC_E_USE, "a failed run takes no more steps");
    claim(array_of(run, "x").n > 0, "a failed run can be read");
    claim(sc_close(run) == SC_OK, "a failed run can be closed");
}

/* ---- states ---- */

/** Four windows from one state, then a straight run to the same step. */
static void restore(const char *scene)
{
    const char *what = strrchr(scene, '/') ? strrchr(scene, '/') + 1 : scene;
    sc_run *run = open_quiet(scene, 2, NULL), *straight = open_quiet(scene, 1, NULL);
    sc_state *state = NULL;
    hash first = {""}, now;
    must(run, sc_step(run, 300), "sc_step");
    must(run, sc_state_take(run, &state), "sc_state_take");
    const hash before = hash_of(run);
    int all = 1;
    for (int k = 0; k < 4; k++) {
        must(run, sc_step(run, 150), "sc_step");
        now = hash_of(run);
        first = k ? first : now;
        all = all && same(now, first);
        must(run, sc_state_put(run, state), "sc_state_put");
        all = all && same(hash_of(run), before) && sc_step_count(run) == 300;
    }
    claim(all, "%s: four windows from one state end in one hash", what);
    must(straight, sc_step(straight, 450), "sc_step");
    claim(same(hash_of(straight), first), "%s: that of a run without them", what);
    must(run, sc_state_take(run, &state), "sc_state_take into the older copy");
    must(run, sc_step(run, 150), "sc_step");
    claim(same(hash_of(run), first), "%s: and of the run that took it", what);
    claim(sc_state_put(straight, state) == SC_E_USE && says(straight, "another run"),
          "%s: a state of another run is refused", what);
    sc_close(run);
    sc_close(straight);
    sc_state_free(state);
}

/** Number of the step at which the condition of a scene ends the run. */
static uint64_t step_of_stop(sc_run *run)
{
    int32_t ended = -1;
    must(run, sc_advance(run, NULL, &ended), "sc_advance");
    claim(ended == SC_ENDED_STOP, "the condition of stop ends the run");
    return sc_step_count(run);
}

/** A condition that must have held for a while remembers since when. */
static void restore_condition(void)
{
    static const char *const when[] = {
        "stop=( { when = \"kinetic > 0\"; for = \"1.2 ms\"; every = 1; } )", NULL};
    sc_run *run = open_quiet("hopper", 1, when);
    sc_state *state = NULL;
    must(run, sc_step(run, 30), "sc_step");
    must(run, sc_state_take(run, &state), "sc_state_take");
    const uint64_t first = step_of_stop(run);
    must(run, sc_state_put(run, state), "sc_state_put");
    const uint64_t again = step_of_stop(run);
    claim(first == again && first > 30,
          "a state has what conditions remember: %" PRIu64 " and %" PRIu64 " steps", first, again);
    must(run, sc_state_put(run, state), "sc_state_put");
    must(run, sc_swap(run, "gcd = { plugin = \"bvh\"; };", 0, NULL), "sc_swap");
    refused(run, sc_state_put(run, state), "swapped", "a state before a swap");
    sc_state_free(state);
    sc_close(run);
}

/** Saves a checkpoint, and opens it by the library and the program. */
static void restart(void)
{
    sc_run *run = open_quiet("hopper", 2, NULL), *other;
    must(run, sc_step(run, 80), "sc_step");
    must(run, sc_save(run, "saved.h5"), "sc_save");
    must(run, sc_step(run, STEPS - 80), "sc_step");
    const sc_options options = {
        .size = sizeof options, .restart = "saved.h5", .flags = SC_QUIET_SCENE};
    if (sc_open(NULL, &options, &other))
        bail_out("%s", sc_error(other));
    claim(sc_step_count(other) == 80 && sc_last_step(other) == sc_last_step(run),
          "a restart begins at the step of the checkpoint");
    must(other, sc_step(other, STEPS - 80), "sc_step");
    claim(same(hash_of(run), hash_of(other)), "and goes on to the same hash");
    refused(run, sc_save(run, NULL), "path", "a checkpoint without a path");
    sc_close(run);
    sc_close(other);
    remove("saved.h5");
}

/* ---- changes ---- */

static void change(void)
{
    sc_run *run = open_quiet("hopper", 1, NULL);
    must(run, sc_step(run, 50), "sc_step");
    const sc_array id = array_of(run, "id"), v = array_of(run, "v");
    const uint64_t body = ((const uint64_t *)id.column[0])[3];
    const double to[] = {0.25, -0.5, 0.75}, wrong[] = {0.0, 0.0, 0.0, 0.0, (double)NAN, 0.0};
    must(run, sc_bodies_set(run, "v", 1, &body, to), "sc_bodies_set");
    claim(((double *)v.column[0])[3] == 0.25 && ((double *)v.column[2])[3] == 0.75,
          "sc_bodies_set sets a velocity");
    const hash before = hash_of(run);
    const uint64_t two[] = {body, body + 1};
    refused(run, sc_bodies_set(run, "v", 2, two, wrong), "not finite", "one invalid value");
    claim(same(hash_of(run), before), "then none of the bodies is set");
    const uint64_t none = UINT64_MAX - 7;
    refused(run, sc_bodies_set(run, "v", 1, &none, to), "no body", "no such body");
    refused(run, sc_bodies_set(run, "mass", 1, &body, to), "density", "mass cannot be set");
    must(run, sc_set(run, "force.0.friction=0.1"), "sc_set");
    must(run, sc_set(run, "gravity=[0.0,0.0,-5.0]"), "sc_set gravity");
    refused(run, sc_set(run, "force.0.friction=-1"), "friction", "a value out of range");
    refused(run, sc_set(run, "force.0.plugin=\"gird\""), "gird", "an unknown plugin");
    refused(run, sc_set(run, "materials.glass.density=1"), "PATH=VALUE",
            "a value that may not change");
    char *json = NULL;
    must(run, sc_swap(run, "gcd = { plugin = \"dess\"; };", 0, &json), "sc_swap");
    claim(json && strstr(json, "\"to\": \"dess\"") && strstr(json, "\"done\": true"),
          "sc_swap reports the change");
    sc_free(json);
    refused(run, sc_swap(run, "gcd = { plugin = \"gird\"; };", 0, &json), "grid",
            "an unknown plugin");
    sc_free(json);
    must(run, sc_swap(run, "gcd = { plugin = \"grid\"; };", SC_SWAP_TRY, &json), "sc_swap tried");
    sc_free(json);
    must(run, sc_step(run, 50), "sc_step");
    char *summary = NULL;
    must(run, sc_finish(run, &summary), "sc_finish");
    claim(summary && strstr(summary, "\"swaps\""), "sc_finish gives the summary");
    sc_free(summary);
    claim(sc_step(run, 1) == SC_E_USE && sc_finish(run, NULL) == SC_E_USE,
          "a finished run takes no step, and does not finish again");
    claim(hash_of(run).text[0] != '\0', "a finished run can be read");
    sc_close(run);
}

int main(int argc, char **argv)
{
    if (argc < 4)
        bail_out("usage: test_runs SCREE SHEAR_SCENE SCENE_TO_RESTORE ..");
    scree = argv[1];
    compare_runs(argv[2]);
    compare_drag();
    fail_in_callback();
    for (int k = 3; k < argc; k++)
        restore(argv[k]);
    restore_condition();
    restart();
    change();
    return tap_end();
}
