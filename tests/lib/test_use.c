/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays, answers in JSON, errors of scenes, and calls in a wrong order; usage: test_use */
#include <math.h>
#include <stdlib.h>

#include "client.h"

static const char small[] =
    "scene = { dimension = 3; dt = 1e-5; steps = 40; gravity = (0.0, 0.0, -9.81); };\n"
    "materials = { glass = { density = 2500.0; }; };\n"
    "bodies = { a = { shape = \"sphere\"; radius = 0.01; position = (0.0, 0.0, 0.0); };\n"
    "           b = { shape = \"sphere\"; radius = 0.01; position = (0.0, 0.0, 0.0199); }; };\n"
    "force = ( { plugin = \"linear\"; kn = 1e4; restitution = 0.8; friction = 0.3; } );\n"
    "gcd = { plugin = \"grid\"; };\n"
    "resolvers = ( { plugin = \"sphere\"; } );\n"
    "integrator = { plugin = \"velocity_verlet\"; };\n";

static sc_run *open_small(const char *more)
{
    char text[4096];
    sc_run *run;
    snprintf(text, sizeof text, "%s%s", small, more);
    if (sc_open_text(text, "two.cfg", NULL, NULL, &run))
        bail_out("%s", sc_error(run));
    return run;
}

/* ---- arrays ---- */

static void read_arrays(void)
{
    sc_run *run = open_small("");
    const sc_array id = array_of(run, "id"), x = array_of(run, "x"), r = array_of(run, "radius");
    claim(id.n == 2 && x.n == 2 && x.n_columns == 3 && x.stride == 1 &&
              x.type_code == SC_TYPE_FLOAT && x.type_bits == 64 && !strcmp(x.unit, "m"),
          "the columns of x: two rows, metres");
    claim(((const uint64_t *)id.column[0])[1] == 2 && ((const double *)r.column[0])[0] == 0.01 &&
              ((const double *)x.column[2])[1] == 0.0199,
          "id, radius and x have the values of the scene");
    const sc_array force = array_of(run, "force"), mass = array_of(run, "mass");
    const double m = ((const double *)mass.column[0])[0], *fz = force.column[2];
    claim(fabs(m - 2500.0 * 4.0 / 3.0 * 3.14159265358979 * 1e-6) < 1e-12 * 1e3 && force.stride == 8,
          "mass is that of a glass ball: %g kg", m);
    claim(fabs(fz[0] + fz[force.stride] + 2.0 * m * 9.81) < 1e-9,
          "the forces of both sum up to their weight");
    const uint64_t before = sc_generation(run);
    must(run, sc_step(run, 1), "sc_step");
    claim(sc_generation(run) == before && array_of(run, "x").column[0] == x.column[0],
          "a step moves no array: the generation stays");
    must(run, sc_want(run, "contacts"), "sc_want");
    sc_array none = {.size = sizeof none};
    refused(run, sc_array_get(run, "contacts.depth", &none), "sc_want", "contacts before a step");
    must(run, sc_step(run, 1), "sc_step");
    const sc_array depth = array_of(run, "contacts.depth"), a = array_of(run, "contacts.a"),
                   b = array_of(run, "contacts.b"), point = array_of(run, "contacts.point"),
                   pushed = array_of(run, "contacts.force");
    claim(depth.n == 1 && fabs(((const double *)depth.column[0])[0] - 1e-4) < 1e-5 &&
              ((const uint64_t *)a.column[0])[0] + ((const uint64_t *)b.column[0])[0] == 3,
          "one contact of the bodies 1 and 2, 0.1 mm deep");
    claim(fabs(((const double *)point.column[2])[0] - 0.00995) < 1e-5 &&
              fabs(((const double *)pushed.column[2])[0]) > 0.5,
          "its point is between them, and it pushes");
    claim(sc_generation(run) > before, "contacts begin a generation at each step");
    int has_x = 0, has_depth = 0;
    for (const char *const *name = sc_array_names(run); *name; name++) {
        has_x += !strcmp(*name, "x");
        has_depth += !strcmp(*name, "contacts.depth");
    }
    claim(has_x == 1 && has_depth == 1, "sc_array_names lists them");
    refused(run, sc_array_get(run, "radiu", &none), "\"radius\"", "a near name");
    none.size = 8;
    refused(run, sc_array_get(run, "x", &none), "size", "a struct of another size");
    sc_close(run);
}

/** Writes to the field of a plugin, and reads it after a step. */
static void write_field(void)
{
    static const char *const more[] = {"modifiers={tied={plugin=\"tether\";stiffness=10.0;};}",
                                       NULL};
    sc_run *run = open_quiet("hopper", 1, more);
    const char *name = NULL;
    for (const char *const *one = sc_array_names(run); *one && !name; one++)
        name = strstr(*one, "modifiers.tied.") ? *one : NULL;
    claim(name != NULL, "the fields of a modifier are among the arrays: %s", name ? name : "none");
    char own[128];
    snprintf(own, sizeof own, "%s", name ? name : "x");
    sc_array field = array_of(run, own);
    claim(field.writable == 1 && !array_of(run, "x").writable, "a field may be written, x may not");
    const hash before = hash_of(run);
    ((double *)field.column[0])[0] += 0.125;
    claim(!same(hash_of(run), before), "the state has what was written");
    sc_close(run);
}

/* ---- answers ---- */

static int32_t count(void *user, sc_run *run)
{
    double kinetic;
    int *n = user;
    ++*n;
    return sc_figure(run, "kinetic", &kinetic) || !(kinetic >= 0.0) || *n == 3;
}

static void ask(void)
{
    sc_run *run = open_small("");
    int32_t ended = -1;
    int calls = 0;
    char *json = NULL;
    double value = -1.0;
    must(run, sc_on_progress(run, 2, count, &calls), "sc_on_progress");
    must(run, sc_advance(run, NULL, &ended), "sc_advance");
    claim(calls == 3 && ended == SC_ENDED_CANCELLED && sc_step_count(run) == 6,
          "the function of sc_on_progress reads, and ends the advance: %" PRIu64 " steps",
          sc_step_count(run));
    must(run, sc_on_progress(run, 0, NULL, NULL), "sc_on_progress off");
    const sc_until time = {.size = sizeof time, .time = 2e-4},
                   wall = {.size = sizeof wall, .wall = 1e-9};
    must(run, sc_advance(run, &time, &ended), "sc_advance to a time");
    claim(sc_step_count(run) == 20 && ended == SC_ENDED_LIMIT &&
              fabs(sc_time(run) - 2e-4) < 1e-12 && sc_dt(run) == 1e-5,
          "to a time: 20 steps of 1e-5 s");
    must(run, sc_advance(run, &wall, &ended), "sc_advance for a time on the clock");
    claim(sc_step_count(run) > 20 && sc_step_count(run) < 24 && ended == SC_ENDED_LIMIT,
          "for no time on the clock: a step or two");
    must(run, sc_figure(run, "max_overlap", &value), "sc_figure");
    claim(value > 0.0, "a figure of contacts: max_overlap %g", value);
    refused(run, sc_figure(run, "kinetik", &value), "\"kinetic\"", "a near figure");
    must(run, sc_query_json(run, "ball 0,0,0:1mm", &json), "sc_query_json");
    claim(strstr(json, "\"id\": 1") && !strstr(json, "\"id\": 2"), "one body in a small ball");
    sc_free(json);
    must(run, sc_query_json(run, "box -1,-1,-1:1,1,1", &json), "sc_query_json");
    claim(strstr(json, "\"id\": 1") && strstr(json, "\"id\": 2"), "both in a large box");
    sc_free(json);
    refused(run, sc_query_json(run, "ball 0,0:1", &json), "X,Y,Z:R", "a query without Z");
    refused(run, sc_query_json(run, "cone 1", &json), "box", "another query");
    must(run, sc_validate_json(run, &json), "sc_validate_json");
    claim(strstr(json, "\"dimension\": 3") && strstr(json, "\"number\": 2") &&
              strstr(json, "\"critical\""),
          "sc_validate_json describes the scene");
    sc_free(json);
    must(run, sc_advance(run, NULL, &ended), "sc_advance");
    claim(ended == SC_ENDED_SCENE && sc_step_count(run) == sc_last_step(run),
          "to the end of the scene");
    must(run, sc_step(run, 1), "sc_step");
    claim(sc_step_count(run) == 40, "no step after it");
    sc_close(run);
    claim(sc_plugins_json(NULL, &json) == SC_OK && strstr(json, "\"velocity_verlet\"") &&
              strstr(json, "\"friction\""),
          "sc_plugins_json lists plugins and parameters");
    sc_free(json);
    claim(!strcmp(sc_plugin_abi(), "0.3") && strlen(sc_version()) >= 5, "versions: %s, ABI %s",
          sc_version(), sc_plugin_abi());
}

static void stop(void)
{
    sc_run *run =
        open_small("stop = ( { when = \"time > 1e-4 s\"; after = \"1e-4 s\"; every = 1; } );\n");
    int32_t ended = -1;
    must(run, sc_advance(run, NULL, &ended), "sc_advance");
    claim(ended == SC_ENDED_STOP && sc_step_count(run) < 40,
          "a condition of stop ends the advance");
    must(run, sc_advance(run, NULL, &ended), "sc_advance");
    claim(ended == SC_ENDED_STOP, "and the next one before a step");
    sc_close(run);
}

/* ---- wrong scenes ---- */

static void refuse_scenes(void)
{
    static const char wrong[] = "scene = { dimension = 3; dt = 1e-5; stps = 4; };\n"
                                "materials = { glass = { density = -1.0; }; };\n"
                                "bodies = { a = { shape = \"sphere\"; radius = 0.01; }; };\n"
                                "force = ( { plugin = \"liner\"; } );\n"
                                "gcd = { plugin = \"gird\"; };\n"
                                "resolvers = ( { plugin = \"sphere\"; } );\n"
                                "integrator = { plugin = \"velocity_verlet\"; };\n";
    sc_run *run;
    const int32_t code = sc_open_text(wrong, "wrong.cfg", NULL, NULL, &run);
    claim(code == SC_E_USE && says(run, "wrong.cfg:1: scene.stps") &&
              says(run, "wrong.cfg:2: materials.glass.density") &&
              says(run, "wrong.cfg:4: force[0]") && says(run, "wrong.cfg:5: gcd.plugin") &&
              says(run, "\"grid\""),
          "all mistakes of a scene at once, with file and line");
    note("%s", sc_error(run));
    claim(sc_step(run, 1) == SC_E_USE && says(run, "not opened"), "such a run takes no step");
    double value;
    sc_array a = {.size = sizeof a};
    char *json, h[65];
    claim(sc_figure(run, "kinetic", &value) == SC_E_USE && sc_array_get(run, "x", &a) == SC_E_USE &&
              sc_hash(run, h) == SC_E_USE && sc_finish(run, &json) == SC_E_USE &&
              !sc_array_names(run)[0] && sc_step_count(run) == 0 && sc_close(run) == SC_OK,
          "and can only be closed");
    claim(sc_open(NULL, NULL, &run) == SC_E_USE && says(run, "NULL") && sc_close(run) == SC_OK &&
              sc_open("hopper", NULL, NULL) == SC_E_USE && sc_close(NULL) == SC_OK,
          "no scene, no place for a run");
    sc_options options = {.size = 3};
    claim(sc_open("hopper", &options, &run) == SC_E_USE && says(run, "size") && !sc_close(run),
          "options without their size");
    options = (sc_options){.size = sizeof options, .flags = 64};
    claim(sc_open("hopper", &options, &run) == SC_E_USE && says(run, "flags") && !sc_close(run),
          "unknown flags");
    options =
        (sc_options){.size = sizeof options, .flags = SC_QUIET_SCENE, .restart = "no-such-folder"};
    claim(sc_open("hopper", &options, &run) != SC_OK && says(run, "no-such-folder") &&
              !sc_close(run),
          "a checkpoint that is missing");
}

/* ---- calls from inside ---- */

typedef struct inside {
    int32_t stepped, closed, finished;
    int read;
} inside;

static int32_t misuse(void *user, sc_run *run)
{
    inside *in = user;
    sc_array x = {.size = sizeof x};
    in->stepped = sc_step(run, 1);
    in->closed = sc_close(run);
    in->finished = sc_finish(run, NULL);
    in->read = sc_array_get(run, "x", &x) == SC_OK && x.n == 2;
    return 0;
}

static void call_from_inside(void)
{
    sc_run *run = open_small("");
    inside in = {0, 0, 0, 0};
    must(run, sc_on_progress(run, 1, misuse, &in), "sc_on_progress");
    must(run, sc_step(run, 2), "sc_step");
    claim(in.stepped == SC_E_USE && in.closed == SC_E_USE && in.finished == SC_E_USE && in.read,
          "a function that is called in a step may read, not step, close or finish");
    claim(sc_step_count(run) == 2, "and the step went on");
    sc_close(run);
}

int main(void)
{
    read_arrays();
    write_field();
    ask();
    stop();
    refuse_scenes();
    call_from_inside();
    return tap_end();
}
