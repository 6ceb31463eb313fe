/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong arguments, files that are not checkpoints, failures and what works after them; usage: test_misuse SCENE .. */
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <scree/scree.h>

#include "client.h"

static const char two[] =
    "scene = { dimension = 3; dt = 1e-5; steps = 400; gravity = (0.0, 0.0, -9.81); };\n"
    "materials = { glass = { density = 2500.0; }; };\n"
    "bodies = { a = { shape = \"sphere\"; radius = 0.01; position = (0.0, 0.0, 0.0); };\n"
    "           b = { shape = \"sphere\"; radius = 0.01; position = (0.0, 0.001, 0.0199);\n"
    "                 velocity = (0.1, 0.0, 0.0); }; };\n"
    "force = ( { plugin = \"linear\"; kn = 1e4; restitution = 0.8; friction = 0.3; } );\n"
    "gcd = { plugin = \"grid\"; };\n"
    "resolvers = ( { plugin = \"sphere\"; } );\n"
    "integrator = { plugin = \"velocity_verlet\"; };\n";
static const char callback[] = "modifiers = { air = { plugin = \"callback\"; }; };\n";

static int32_t try_small(const char *more, const sc_options *options, sc_run **run)
{
    char text[4096];
    snprintf(text, sizeof text, "%s%s", two, more);
    return sc_open_text(text, "two.cfg", NULL, options, run);
}

static sc_run *open_small(const char *more)
{
    sc_run *run;
    if (try_small(more, NULL, &run))
        bail_out("%s", sc_error(run));
    return run;
}

/* ---- wrong arguments ---- */

/** Claims that a call was refused with a text of its own. */
static void null_refused(sc_run *run, int32_t code, const char *name)
{
    claim(code == SC_E_USE && says(run, name) && says(run, "expected"), "%s with NULL: %s", name,
          sc_error(run));
}

static void pass_nothing(void)
{
    sc_run *run = open_small("");
    double value;
    const uint64_t id[] = {1, 1};
    const double values[6] = {0};
    sc_state *none = NULL;
    null_refused(run, sc_figure(run, NULL, &value), "sc_figure");
    null_refused(run, sc_figure(run, "kinetic", NULL), "sc_figure");
    null_refused(run, sc_hash(run, NULL), "sc_hash");
    null_refused(run, sc_array_get(run, "x", NULL), "sc_array_get");
    sc_array a = {.size = sizeof a};
    null_refused(run, sc_array_get(run, NULL, &a), "sc_array_get");
    null_refused(run, sc_want(run, NULL), "sc_want");
    null_refused(run, sc_query_json(run, "ball 0,0,0:1", NULL), "sc_query_json");
    char *json = NULL;
    null_refused(run, sc_query_json(run, NULL, &json), "sc_query_json");
    null_refused(run, sc_validate_json(run, NULL), "sc_validate_json");
    null_refused(run, sc_bodies_set(run, NULL, 1, id, values), "sc_bodies_set");
    null_refused(run, sc_bodies_set(run, "x", 1, NULL, values), "sc_bodies_set");
    null_refused(run, sc_bodies_set(run, "x", 1, id, NULL), "sc_bodies_set");
    null_refused(run, sc_set(run, NULL), "sc_set");
    null_refused(run, sc_state_take(run, NULL), "sc_state_take");
    null_refused(run, sc_state_put(run, NULL), "sc_state_put");
    null_refused(run, sc_save(run, NULL), "sc_save");
    null_refused(run, sc_on_progress(run, 1, NULL, NULL), "sc_on_progress");
    null_refused(run, sc_on_forces(run, NULL, NULL, NULL), "sc_on_forces");
    null_refused(run, sc_forces_of(run, NULL, NULL, NULL), "sc_forces_of");
    null_refused(run, sc_bodies_set(run, "x", UINT64_C(1) << 62, id, values), "sc_bodies_set");
    refused(run, sc_bodies_set(run, "v", 2, id, values), "body 1 twice", "an id twice");
    refused(run, sc_bodies_set(run, "radius", 1, id, values), "\"scale\"", "radius: scale sets it");
    must(run, sc_bodies_set(run, "x", 0, NULL, NULL), "no row");
    must(run, sc_step(run, 1), "sc_step after all that");
    sc_cancel(NULL);
    sc_state_free(none);
    sc_free(NULL);
    char text[65];
    claim(sc_fail(NULL, -3, NULL) == -3 && sc_step(NULL, 0) == SC_E_USE &&
              sc_advance(NULL, NULL, NULL) == SC_E_USE &&
              sc_figure(NULL, "x", &value) == SC_E_USE && sc_hash(NULL, text) == SC_E_USE &&
              sc_array_get(NULL, "x", &a) == SC_E_USE && sc_want(NULL, "contacts") == SC_E_USE &&
              sc_finish(NULL, NULL) == SC_E_USE && sc_query_json(NULL, "", &json) == SC_E_USE &&
              sc_set(NULL, "dt=1") == SC_E_USE && sc_swap(NULL, "", 0, NULL) == SC_E_USE &&
              sc_save(NULL, "x") == SC_E_USE && sc_state_take(NULL, &none) == SC_E_USE &&
              sc_state_put(NULL, NULL) == SC_E_USE &&
              sc_bodies_set(NULL, "x", 0, NULL, NULL) == SC_E_USE &&
              sc_forces_of(NULL, "x", &value, &value) == SC_E_USE &&
              sc_on_forces(NULL, "x", NULL, NULL) == SC_E_USE &&
              sc_forces_changed(NULL) == SC_E_USE &&
              sc_on_progress(NULL, 0, NULL, NULL) == SC_E_USE &&
              sc_validate_json(NULL, &json) == SC_E_USE && sc_plugins_json(NULL, NULL) == SC_E_USE,
          "each function without a run: SC_E_USE");
    claim(!strcmp(sc_error(NULL), "expected a run, got NULL") && !sc_folder(NULL) &&
              !sc_array_names(NULL)[0] && !sc_generation(NULL) && !sc_step_count(NULL) &&
              !sc_last_step(NULL) && sc_time(NULL) == 0.0 && sc_dt(NULL) == 0.0,
          "and what has no code answers nothing");
    sc_close(run);
}

static void ask_threads(void)
{
    static const uint32_t many[] = {257, 100000, 4000000000u, UINT32_MAX};
    for (size_t k = 0; k < sizeof many / sizeof *many; k++) {
        sc_run *run;
        const sc_options options = {.size = sizeof options, .threads = many[k]};
        const int32_t code = try_small("", &options, &run);
        refused(run, code, "1 to 256 threads", "too many threads");
        sc_close(run);
    }
}

/* ---- files ---- */

static void save_over(const char *folder)
{
    sc_run *run = open_small("");
    char text[512], link[512], file[512];
    struct stat info;
    snprintf(file, sizeof file, "%s/fifo", folder);
    if (mkfifo(file, 0600))
        bail_out("mkfifo");
    refused(run, sc_save(run, file), "not a regular file", "sc_save on a FIFO");
    claim(!stat(file, &info) && S_ISFIFO(info.st_mode), "it is still a FIFO");
    refused(run, sc_save(run, folder), "not a regular file", "sc_save on a folder");
    snprintf(text, sizeof text, "%s/thesis.txt", folder);
    FILE *out = fopen(text, "w");
    fputs("three years of work\n", out);
    fclose(out);
    refused(run, sc_save(run, text), "not a checkpoint", "sc_save on another file");
    claim(!stat(text, &info) && info.st_size == 20, "which stays as it was");
    snprintf(link, sizeof link, "%s/link.h5", folder);
    snprintf(file, sizeof file, "%s/own.h5", folder);
    if (symlink("own.h5", link))
        bail_out("symlink");
    refused(run, sc_save(run, link), "link to nothing", "sc_save on a link to nothing");
    close(open(file, O_CREAT | O_WRONLY, 0600)); // as mkstemp does
    must(run, sc_save(run, link), "sc_save through a link to an empty file");
    claim(!lstat(link, &info) && S_ISLNK(info.st_mode), "the link stays a link");
    must(run, sc_step(run, 3), "sc_step");
    must(run, sc_save(run, file), "sc_save over a checkpoint");
    const hash h = hash_of(run);
    sc_close(run);
    const sc_options options = {.size = sizeof options, .restart = link};
    claim(!sc_open(NULL, &options, &run) && same(hash_of(run), h), "and leads to the new one");
    sc_close(run);
}

static void write_without_folder(const char *folder)
{
    static const char writers[] =
        "observers = { rows = { plugin = \"csv\"; every_steps = 9; };\n"
        "              film = { plugin = \"vtk\"; every_steps = 9; }; };\n";
    sc_run *run;
    char file[512];
    int32_t code = try_small(writers, NULL, &run);
    refused(run, code, "observers.rows, observers.film would",
            "observers without a folder, at once");
    claim(says(run, "options->folder") && says(run, "SC_QUIET_SCENE"), "it says what to give");
    sc_close(run);
    sc_options options = {.size = sizeof options, .folder = folder};
    snprintf(file, sizeof file, "%s/start", folder);
    options.folder = file;
    if (try_small(writers, &options, &run) || sc_step(run, 2))
        bail_out("%s", sc_error(run));
    snprintf(file, sizeof file, "%s/saved.h5", folder);
    must(run, sc_save(run, file), "sc_save");
    sc_close(run);
    options = (sc_options){.size = sizeof options, .restart = file};
    code = sc_open(NULL, &options, &run);
    refused(run, code, "observers.rows, observers.film would", "the same with a checkpoint");
    sc_close(run);
}

/* ---- failures of the caller's forces ---- */

typedef struct wind {
    sc_run *run;
    uint64_t fails_at; /* step */
    int nan, n;
    int32_t figure, array;
    char text[200];
} wind;

static int32_t blow(void *user, const scree_forces *args)
{
    wind *w = user;
    double value;
    sc_array x = {.size = sizeof x};
    w->n++;
    w->figure = sc_figure(w->run, "kinetic", &value);
    w->array = sc_array_get(w->run, "x", &x);
    snprintf(w->text, sizeof w->text, "%s", sc_error(w->run));
    if (sc_step_count(w->run) < w->fails_at) {
        args->wrench[0] += 1e-3;
        return 0;
    }
    if (w->nan)
        args->wrench[0] = w->nan == 1 ? (double)NAN : 1e12;
    return w->nan ? 0 : sc_fail(w->run, -1, "the wind has gone");
}

static void name_forces(void)
{
    sc_run *run = open_small(callback);
    wind w = {.run = run, .fails_at = UINT64_MAX};
    refused(run, sc_on_forces(run, "aire", blow, &w), "\"air\"", "a modifier that is missing");
    must(run, sc_on_forces(run, "air", blow, &w), "sc_on_forces");
    must(run, sc_step(run, 2), "sc_step");
    claim(w.n > 2 && w.figure == SC_E_USE && w.array == SC_E_USE &&
              strstr(w.text, "sc_on_forces and say may call only"),
          "the function of sc_on_forces may not read: %s", w.text);
    sc_close(run);
}

static void fail_first(int nan)
{
    sc_run *run = open_small(callback);
    wind w = {.run = run, .nan = nan};
    must(run, sc_on_forces(run, "air", blow, &w), "sc_on_forces");
    const int32_t code = sc_step(run, 1);
    claim(code == (nan ? SC_E_PLUGIN : SC_E_RUN) && says(run, nan ? "nan" : "the wind has gone"),
          "the first forces fail: %d, %s", code, sc_error(run));
    claim(array_of(run, "x").n == 2 && sc_step_count(run) == 0, "x can be read after it");
    double value;
    must(run, sc_figure(run, "kinetic", &value), "sc_figure");
    refused(run, sc_figure(run, "no.such", &value), "no.such", "another figure");
    refused(run, sc_step(run, 1), "this run has failed", "the next step");
    claim(hash_of(run).text[0] != '\0', "so can the state");
    sc_close(run);
}

static void recover(int nan, uint32_t threads)
{
    sc_run *run, *straight = open_small(callback);
    const sc_options options = {.size = sizeof options, .threads = threads};
    if (try_small(callback, &options, &run))
        bail_out("%s", sc_error(run));
    wind w = {.run = run, .fails_at = UINT64_MAX, .nan = nan}, calm = w;
    calm.run = straight;
    must(run, sc_on_forces(run, "air", blow, &w), "sc_on_forces");
    must(straight, sc_on_forces(straight, "air", blow, &calm), "sc_on_forces");
    must(straight, sc_step(straight, 200), "sc_step");
    must(run, sc_step(run, 100), "sc_step");
    sc_state *state = NULL;
    must(run, sc_state_take(run, &state), "sc_state_take");
    const hash before = hash_of(run);
    for (uint64_t later = 1; later < 60; later += 29) {
        w.fails_at = 100 + later;
        const int32_t code = sc_step(run, 90);
        claim(code == (nan ? SC_E_PLUGIN : SC_E_RUN), "a step fails: %s", sc_error(run));
        refused(run, sc_save(run, "never.h5"), "no whole state", "sc_save after it");
        refused(run, sc_step(run, 1), "put back", "sc_step after it");
        w.fails_at = UINT64_MAX;
        must(run, sc_state_put(run, state), "sc_state_put");
        claim(same(hash_of(run), before), "the state is back");
    }
    must(run, sc_step(run, 100), "sc_step");
    claim(same(hash_of(run), hash_of(straight)),
          "and goes on to the bit as a run that has not failed (%s, %u threads)",
          nan ? "nan" : "code", threads);
    must(run, sc_finish(run, NULL), "sc_finish");
    refused(run, sc_state_put(run, state), "this run is finished", "no state after sc_finish");
    sc_state_free(state);
    sc_close(run);
    sc_close(straight);
}

/** A body that is flung out, and a failing function in a larger scene with modifiers and sources. */
static void recover_scene(const char *scene, uint32_t threads)
{
    static const char *const own[] = {"modifiers.own={plugin=\"callback\";}", NULL};
    sc_run *run = open_quiet(scene, threads, own), *straight = open_quiet(scene, 1, own);
    wind w = {.run = run, .fails_at = UINT64_MAX}, calm = w;
    calm.run = straight;
    must(run, sc_on_forces(run, "own", blow, &w), "sc_on_forces");
    must(straight, sc_on_forces(straight, "own", blow, &calm), "sc_on_forces");
    must(straight, sc_step(straight, 160), "sc_step");
    must(run, sc_step(run, 80), "sc_step");
    sc_state *state = NULL;
    must(run, sc_state_take(run, &state), "sc_state_take");
    w.fails_at = 95;
    w.nan = 2; // so large a force that the motion has no finite values
    int32_t code = sc_step(run, 50);
    claim(code == SC_E_RUN && says(run, "blown up"), "%s: a body that is flung out: %s", scene,
          sc_error(run));
    must(run, sc_state_put(run, state), "sc_state_put");
    w.fails_at = 110;
    w.nan = 0;
    code = sc_step(run, 50);
    claim(code == SC_E_RUN, "%s: forces that fail: %s", scene, sc_error(run));
    must(run, sc_state_put(run, state), "sc_state_put");
    w.fails_at = UINT64_MAX;
    must(run, sc_step(run, 80), "sc_step");
    claim(same(hash_of(run), hash_of(straight)), "%s, %u threads: then as if nothing had failed",
          scene, threads);
    sc_state_free(state);
    sc_close(run);
    sc_close(straight);
}

/* ---- states and settings ---- */

static double figure(sc_run *run, const char *name)
{
    double value;
    must(run, sc_figure(run, name, &value), name);
    return value;
}

/** The energy that a stiffer law brings is booked as work, when a state is put in as by sc_set. A
 * trial takes what sliding springs lose at once: 1e-6. */
static void keep_account(void)
{
    sc_run *run = open_small(""), *other = open_small("");
    must(run, sc_step(run, 40), "sc_step");
    must(other, sc_step(other, 40), "sc_step");
    sc_state *state = NULL;
    must(run, sc_state_take(run, &state), "sc_state_take");
    must(run, sc_step(run, 10), "sc_step");
    must(run, sc_set(run, "force.0.kn=1.5e4"), "sc_set");
    must(run, sc_state_put(run, state), "sc_state_put");
    must(other, sc_set(other, "force.0.kn=1.5e4"), "sc_set");
    must(run, sc_step(run, 30), "sc_step");
    must(other, sc_step(other, 30), "sc_step");
    const double work[] = {figure(run, "work"), figure(other, "work")};
    claim(work[1] > 1e-6 && fabs(work[0] - work[1]) < 1e-6 * work[1] &&
              fabs(figure(run, "residual") - figure(other, "residual")) < 1e-6 * work[1],
          "a stiffer law: work %g J, as by sc_set %g J; residual %g J, %g J", work[0], work[1],
          figure(run, "residual"), figure(other, "residual"));
    sc_state_free(state);
    sc_close(run);
    sc_close(other);
}

static void keep_settings(void)
{
    sc_run *run = open_small(""), *other = open_small("");
    must(run, sc_step(run, 40), "sc_step");
    must(other, sc_step(other, 40), "sc_step");
    sc_state *state = NULL;
    must(run, sc_state_take(run, &state), "sc_state_take");
    const hash before = hash_of(run);
    const double time = sc_time(run);
    must(run, sc_set(run, "force.0.friction=0.3"), "the value that it has");
    must(run, sc_state_put(run, state), "sc_state_put after it");
    claim(same(hash_of(run), before), "the same value: the same state");
    must(run, sc_set(run, "force.0.friction=0.1"), "sc_set friction");
    must(other, sc_set(other, "force.0.friction=0.1"), "sc_set friction");
    must(run, sc_step(run, 30), "sc_step");
    must(run, sc_state_put(run, state), "sc_state_put after sc_set of a live value");
    must(run, sc_step(run, 30), "sc_step");
    must(other, sc_step(other, 30), "sc_step");
    claim(array_of(run, "x").n == 2 && sc_step_count(run) == 70 &&
              same(hash_of(run), hash_of(other)),
          "friction stays as it is now: the run goes on as one that changed it there");
    must(run, sc_set(run, "dt=5e-6"), "sc_set dt");
    must(run, sc_set(run, "gravity=(0,0,-3)"), "sc_set gravity");
    must(run, sc_state_put(run, state), "sc_state_put after sc_set of dt and gravity");
    claim(sc_dt(run) == 5e-6 && fabs(sc_time(run) - time) < 1e-15 && sc_step_count(run) == 40,
          "dt stays, the time comes back: %g s, %g s", sc_dt(run), sc_time(run));
    const sc_array force = array_of(run, "force"), mass = array_of(run, "mass");
    const double *f = force.column[2], *m = mass.column[0];
    claim(fabs(f[0] + f[force.stride] + (m[0] + m[1]) * 3.0) < 1e-9, "gravity stays");
    must(run, sc_step(run, 100), "sc_step");
    claim(fabs(sc_time(run) - time - 5e-4) < 1e-15, "the time goes on with the new dt");
    const double residual = figure(run, "residual");
    claim(fabs(residual) < 1e-7, "the account of energy has the change: residual %g J", residual);
    must(run, sc_swap(run, "gcd = { plugin = \"bvh\"; };", 0, NULL), "sc_swap");
    refused(run, sc_state_put(run, state), "plugins were swapped", "after a swap of plugins");
    sc_state_free(state);
    sc_close(run);
    sc_close(other);
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/scree-misuse-XXXXXX", command[64];
    if (!mkdtemp(folder))
        bail_out("mkdtemp");
    pass_nothing();
    ask_threads();
    save_over(folder);
    write_without_folder(folder);
    name_forces();
    for (int nan = 0; nan < 2; nan++) {
        fail_first(nan);
        recover(nan, 1);
        recover(nan, 2);
    }
    for (int k = 1; k < argc; k++)
        recover_scene(argv[k], k == 1 ? 1 : 2);
    keep_settings();
    keep_account();
    snprintf(command, sizeof command, "rm -r %s", folder);
    claim(!system(command), "the folder is removed");
    return tap_end();
}
