/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check`: promises of all kinds, tested by the exercise of each kind. */
#include <errno.h>
#include <locale.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "plugin/kinds.h"
#include "scene/scene.h"
#include "tools/check/check.h"
#include "tools/check/check_cases.h"
#include "tools/check/check_instance.h"
#include "tools/check/check_report.h"
#include "tools/check/check_rest.h"
#include "tools/check/check_services.h"
#include "tools/check/check_state.h"
#include "tools/check/check_trip.h"
#include "tools/check/guard_pages.h"
#include "tools/check/oldest.h"
#include "tools/judge/child.h"

enum { TURNS = 3, LANES = 4, CREATED = 1000, WARM = 60, USED = 50 };

/** NULL: a plugin of this kind is used by runs on the engine (check_trip.h). */
static const scree_check_exercise *exercise_of(const scree_check *check)
{
    return scree_check_suite_of(check->plugin->kind)->exercise;
}

/** An instance that is being used. */
typedef struct at_work {
    scree_instance *instance;
    void *state;
    GChecksum *bits;
} at_work;

static bool start(scree_check *check, const scree_check_exercise *e, scree_instance *instance,
                  at_work *w)
{
    *w = (at_work){.instance = instance, .bits = g_checksum_new(G_CHECKSUM_SHA256)};
    if (instance)
        w->state = e->begin(check, instance);
    return w->state != NULL;
}

static void finish(const scree_check_exercise *e, at_work *w)
{
    if (w->state)
        e->end(w->state);
    scree_check_instance_free(w->instance);
    g_checksum_free(w->bits);
    w->bits = NULL;
}

/** Calls the functions of an instance for this number of turns, or makes a run; frees the instance.
 * Returns the checksum of the results; NULL: the check has failed. */
static char *exercise(scree_check *check, const scree_check_exercise *e, scree_instance *instance,
                      uint32_t turns)
{
    at_work w;
    char *bits = NULL;
    if (!e) {
        static scree_route_scene scene; // of this process: later runs know what the first one takes
        scene = scene.check ? scene : scree_check_trip_scene(check);
        scree_check_instance_free(instance);
        return check->failed
                   ? NULL
                   : scree_check_trip_whole(
                         check, &scene, turns > 1 ? SCREE_CHECK_TRIP_STEPS : SCREE_CHECK_TRIP_FEW);
    }
    if (start(check, e, instance, &w)) {
        for (uint32_t turn = 0; turn < turns && !check->failed; turn++)
            e->turn(w.state, turn, w.bits);
        bits = check->failed ? NULL : g_strdup(g_checksum_get_string(w.bits));
    }
    finish(e, &w);
    return bits;
}

static scree_instance *make_default(scree_check *check, uint32_t lanes)
{
    return scree_check_instance(check, scree_check_dimension(check), lanes, SCREE_CHECK_DEFAULTS,
                                NULL);
}

static char *exercise_default(scree_check *check, const scree_check_exercise *e, uint32_t lanes)
{
    return exercise(check, e, make_default(check, lanes), TURNS);
}

/* ---- parameters ---- */

/** Reads the scene, in which a source makes its bodies. */
static bool go_read(const scree_route_scene *from, void *user, GError **error)
{
    const char *const set[] = {NULL};
    scree_scene *scene = scree_route_scene_read(from, set, error);
    (void)user;
    scree_scene_free(scene);
    return scene != NULL;
}

/** Makes an instance; one that refuses must give a text. */
static void try_parameters(scree_check *check, const scree_check_exercise *e, uint32_t dimension,
                           uint32_t parameters, const char *setting, uint32_t *n_refused)
{
    check->at_ends = true;
    const char *const list[] = {setting, NULL};
    scree_route_scene scene = {
        .check = check, .dimension = dimension, .parameters = parameters, .settings = list};
    scree_instance *instance = scree_check_instance(check, dimension, 1, parameters, setting);
    if (instance && e)
        g_free(exercise(check, e, instance, 1));
    else
        scree_check_instance_free(instance);
    const bool ours = scree_route_scene_own(&scene); // the bodies are not those of the scene
    if (instance && !e && !ours && check->plugin->kind == SCREE_KIND_SOURCE)
        scree_check_trip_once(check, &scene, go_read, NULL); // pairs of a million bodies need too
                                                             // much memory
    else if (instance && !e && !ours)
        g_free(scree_check_trip_whole(check, &scene, SCREE_CHECK_TRIP_FEW));
    if (check->failed && check->refused) {
        check->failed = check->refused = false;
        g_string_truncate(check->text, 0);
        ++*n_refused;
    } else if (check->failed) {
        g_autofree char *text = g_strdup(check->text->str);
        g_string_printf(check->text, "with %s: %s",
                        setting      ? setting
                        : parameters ? parameters == SCREE_CHECK_LOWEST
                                           ? "all parameters at their lowest"
                                           : "all parameters at their highest"
                                     : "the defaults",
                        text);
    }
}

static void check_parameters(scree_check *check)
{
    const scree_check_suite *suite = scree_check_suite_of(check->plugin->kind);
    uint32_t n_refused = 0, n = 0, dimension = scree_check_dimension(check);
    scree_instance *usual = make_default(check, 1);
    if (!usual)
        return; // the defaults must work
    scree_check_instance_free(usual);
    for (uint32_t end = SCREE_CHECK_LOWEST; end <= SCREE_CHECK_HIGHEST && !check->failed;
         end++, n++)
        try_parameters(check, suite->exercise, dimension, end, NULL, &n_refused);
    for (uint32_t k = 0; k < 2 * check->plugin->n_params && !check->failed; k++) {
        g_autofree char *setting =
            scree_check_at_end(check->plugin->params[k / 2], SCREE_CHECK_LOWEST + k % 2);
        if (!setting)
            continue;
        try_parameters(check, suite->exercise, dimension, SCREE_CHECK_DEFAULTS, setting,
                       &n_refused);
        n++;
    }
    if (check->plugin->n_params > 0)
        scree_check_note(check, "%u sets of parameters, %u of them refused with a reason", n,
                         n_refused);
}

/* ---- the same bits ---- */

static void check_instances(scree_check *check)
{
    const scree_check_exercise *e = exercise_of(check);
    at_work two[2] = {{.instance = NULL}};
    if (!e) {
        scree_route_scene scene = scree_check_trip_scene(check);
        scree_check_trip_in_turns(check, &scene);
        return;
    }
    g_autofree char *alone = exercise_default(check, e, 1);
    scree_instance *first = alone ? make_default(check, 1) : NULL;
    if (!first)
        return;
    scree_instance *second = scree_check_instance_again(check, first);
    bool good = start(check, e, first, &two[0]);
    good = start(check, e, second, &two[1]) && good;
    // One instance is a turn ahead: shared data would show as that of another turn.
    if (good)
        for (uint32_t turn = 0; turn <= TURNS && !check->failed; turn++) {
            if (turn < TURNS)
                e->turn(two[0].state, turn, two[0].bits);
            if (turn > 0 && !check->failed)
                e->turn(two[1].state, turn - 1, two[1].bits);
        }
    for (int i = 0; i < 2 && !check->failed; i++)
        if (strcmp(alone, g_checksum_get_string(two[i].bits)))
            scree_check_fail(check,
                             "the %s of two instances that take turns gives other bits than "
                             "a single one: they share variable data",
                             i ? "second" : "first");
    finish(e, &two[1]);
    finish(e, &two[0]);
}

static void work_elsewhere(void *user, GString *answer)
{
    scree_check *check = user;
    // Fills the heap with other rubbish, so that a dependence on it shows.
    void *volatile shift = g_malloc(123457);
    mallopt(M_PERTURB, 0x5a);
    g_autofree char *bits = exercise_default(check, exercise_of(check), 1);
    g_free(shift);
    g_string_append(answer, bits ? bits : check->text->str);
}

static void check_processes(scree_check *check)
{
    const scree_check_exercise *e = exercise_of(check);
    scree_child child = {.work = work_elsewhere, .user = check};
    g_autofree char *here = exercise_default(check, e, 1);
    if (here && scree_check_elsewhere(check, &child) && strcmp(here, child.answer->str))
        scree_check_fail(check, "a second process on the same calls gives other bits: they depend "
                                "on addresses, time, or memory that nobody set");
    scree_child_clear(&child);
}

static void check_lanes(scree_check *check)
{
    const scree_check_exercise *e = exercise_of(check);
    g_autofree char *one = exercise_default(check, e, 1);
    if (one)
        for (uint32_t round = 0; round < 5 && !check->failed; round++) {
            g_autofree char *many = exercise_default(check, e, LANES);
            if (many && strcmp(one, many))
                scree_check_fail(check, "%d lanes give other bits than one", LANES);
        }
}

/* ---- arrays ---- */

static void check_inputs(scree_check *check)
{
    const scree_check_exercise *e = exercise_of(check);
    const scree_check own = *check;
    scree_check_guards(true);
    scree_oldest_use(check);
    g_free(exercise_default(check, e, 1));
    if (!check->failed || !check->refused || !strstr(check->text->str, "(unsupported, -4)"))
        return;
    scree_oldest_end(&own); // it needs what the oldest host lacks
    *check = own;
    g_string_truncate(check->text, 0);
    g_free(exercise_default(check, e, 1));
}

static void check_outputs(scree_check *check)
{
    const scree_check_exercise *e = exercise_of(check);
    g_autofree char *tagged = exercise_default(check, e, 1);
    scree_check_pattern(0x4045000000000000u); // 42.0
    g_autofree char *other = tagged ? exercise_default(check, e, 1) : NULL;
    if (other && strcmp(tagged, other))
        scree_check_fail(check, "what lay in the output arrays before the call, or behind the "
                                "inputs, shows in the results: an output is not written, or an "
                                "array is read beyond its end");
}

/* ---- what is left behind ---- */

static size_t heap_bytes(void)
{
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/** The allocator of a sanitizer counts elsewhere. */
static bool counts_heap(void)
{
    size_t before = heap_bytes();
    void *volatile some = g_malloc(1u << 20);
    size_t grown = heap_bytes() - before;
    g_free(some);
    return grown >= 1u << 20;
}

static bool create_often(scree_check *check, scree_instance *instance, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        scree_instance *another = scree_check_instance_again(check, instance);
        if (!another)
            return false;
        scree_check_instance_free(another);
    }
    return true;
}

static bool use_often(scree_check *check, scree_instance *instance, uint32_t n)
{
    const scree_check_exercise *e = exercise_of(check);
    for (uint32_t k = 0; k < n && !check->failed; k++) {
        scree_instance *another = scree_check_instance_again(check, instance);
        if (another)
            g_free(exercise(check, e, another, 1));
    }
    return !check->failed;
}

/** Resources that a process holds. */
typedef struct holdings {
    size_t heap;
    uint32_t files, threads;
} holdings;

static holdings count_holdings(void)
{
    return (holdings){heap_bytes(), scree_check_entries("/proc/self/fd"),
                      scree_check_entries("/proc/self/task")};
}

/** Resources that a round has left, a new string; NULL: none, or fewer than `block` bytes each
 * time, which the C library may keep. */
static char *describe_rest(const holdings *before, uint32_t n, uint32_t block, const char *what)
{
    holdings after = count_holdings();
    if (after.files > before->files)
        return g_strdup_printf("%u times %s left %u files open", n, what,
                               after.files - before->files);
    if (after.threads > before->threads)
        return g_strdup_printf("%u times %s left %u threads", n, what,
                               after.threads - before->threads);
    if (after.heap >= before->heap + (size_t)n * block)
        return g_strdup_printf("%u times %s left %zu bytes on the heap", n, what,
                               after.heap - before->heap);
    return NULL;
}

typedef bool (*rounds_of)(scree_check *check, scree_instance *instance, uint32_t n);

/** Whether so little is left that the allocator may keep it in its own lists. */
static bool may_be_lists(const holdings *before, uint32_t n)
{
    enum { LITTLE = 256 }; // bytes each time
    const holdings after = count_holdings();
    return after.files <= before->files && after.threads <= before->threads &&
           after.heap < before->heap + (size_t)n * LITTLE;
}

/** A leak shows in each round; filling the allocator's own lists shows only in the first ones. */
static void look_for_leaks(scree_check *check, scree_instance *instance, rounds_of act, uint32_t n,
                           uint32_t block, const char *what)
{
    enum { ROUNDS = 8, MOST_ROUNDS = 32 };
    for (uint32_t round = 0; round < MOST_ROUNDS; round++) {
        holdings before = count_holdings();
        if (!act(check, instance, n))
            return;
        g_autofree char *rest = describe_rest(&before, n, block, what);
        if (!rest)
            return;
        if (round + 1 < ROUNDS || (round + 1 < MOST_ROUNDS && may_be_lists(&before, n)))
            continue;
        scree_check_fail(check, "%s", rest);
        return;
    }
}

static void check_leaks(scree_check *check)
{
    scree_instance *instance = make_default(check, 1);
    if (!instance)
        return;
    scree_call call = scree_call_begin(instance, SCREE_CALL_CONFIG, "destroy");
    scree_vtable_head(check->plugin)->destroy(NULL);
    scree_call_done(&call);
    if (create_often(check, instance, WARM))
        look_for_leaks(check, instance, create_often, CREATED, 16, "create and destroy");
    if (!check->failed && !check->launcher) // calls are in processes of the launcher
        look_for_leaks(check, instance, use_often, USED, 64, "create, calls and destroy");
    scree_check_instance_free(instance);
    if (!counts_heap())
        scree_check_note(check, "in this build the heap is not counted, only files and threads");
}

static bool use_exercise(scree_check *check, scree_instance *instance);

/** Memory that is freed by destroy(), next to what the instance has said before. */
static void judge_bytes(scree_check *check, scree_instance *instance)
{
    enum { SMALL = 8192 }; // [bytes] that the allocator may keep
    // Arrays that grow may be counted as long as they are filled; those of pairs are not so few.
    const uint64_t grown = check->plugin->kind == SCREE_KIND_GCD ? 8 : 2;
    const uint64_t said = scree_call_bytes(instance);
    const size_t before = heap_bytes();
    scree_call call = scree_call_begin(instance, SCREE_CALL_CONFIG, "destroy");
    scree_vtable_head(check->plugin)->destroy(instance->self);
    scree_call_done(&call);
    instance->self = NULL;
    const size_t after = heap_bytes(), held = before > after ? before - after : 0;
    if (said > held + held / 8 + SMALL || held > said + said / grown + SMALL)
        scree_check_fail(check,
                         "it says that it holds %" G_GUINT64_FORMAT
                         " bytes; destroy() has given back %zu",
                         said, held);
}

static bool go_bytes(const scree_route_scene *from, void *user, GError **error)
{
    g_auto(scree_check_trip) trip = {.folder = NULL};
    (void)user;
    const uint32_t steps = scree_check_trip_steps(from);
    if (!scree_check_trip_begin(&trip, from, steps, error) ||
        !scree_run_go(&trip.run, steps, error))
        return false;
    judge_bytes(from->check, scree_check_trip_instance(&trip, from->check->plugin));
    return true;
}

static void check_bytes(scree_check *check)
{
    scree_route_scene scene = scree_check_trip_scene(check);
    scree_instance *instance = make_default(check, 1);
    if (!counts_heap() || !SCREE_HAS(scree_vtable_head(check->plugin), bytes))
        scree_check_skip(check, "it does not say how many bytes it holds");
    else if (instance && check->plugin->kind == SCREE_KIND_SOURCE)
        judge_bytes(check, instance); // it has made its bodies
    else if (instance && !exercise_of(check))
        scree_check_trip_once(check, &scene, go_bytes, NULL);
    else if (instance && use_exercise(check, instance))
        judge_bytes(check, instance);
    scree_check_instance_free(instance);
}

/* ---- the process ---- */

enum { MOST_SIGNALS = 65 };

typedef struct surroundings {
    char *locale, *folder;
    GStrv environment;
    mode_t mask;
    struct sigaction actions[MOST_SIGNALS];
    sigset_t blocked;
    struct itimerval timers[3];
    struct rlimit limits[RLIM_NLIMITS];
    int priority;
    uint32_t threads;
} surroundings;

static void look_around(surroundings *s)
{
    memset(s, 0, sizeof *s);
    s->locale = g_strdup(setlocale(LC_ALL, NULL));
    s->folder = g_get_current_dir();
    s->environment = g_get_environ();
    s->mask = umask(0);
    umask(s->mask);
    for (int k = 1; k < MOST_SIGNALS; k++)
        sigaction(k, NULL, &s->actions[k]);
    sigprocmask(SIG_SETMASK, NULL, &s->blocked);
    for (int k = 0; k < 3; k++)
        getitimer((__itimer_which_t)k, &s->timers[k]);
    for (int k = 0; k < (int)RLIM_NLIMITS; k++)
        getrlimit((__rlimit_resource_t)k, &s->limits[k]);
    s->priority = getpriority(PRIO_PROCESS, 0);
    s->threads = scree_check_entries("/proc/self/task");
}

static void free_surroundings(surroundings *s)
{
    g_free(s->locale);
    g_free(s->folder);
    g_strfreev(s->environment);
}

static bool same_handlers(const surroundings *a, const surroundings *b)
{
    for (int k = 1; k < MOST_SIGNALS; k++)
        if (a->actions[k].sa_handler != b->actions[k].sa_handler)
            return false;
    return true;
}

static bool same_environment(const surroundings *a, const surroundings *b)
{
    return g_strv_equal((const char *const *)a->environment, (const char *const *)b->environment);
}

/** Name of the changed part; NULL: none has changed. */
static const char *compare_surroundings(const surroundings *a, const surroundings *b)
{
    if (strcmp(a->locale, b->locale))
        return "the locale";
    if (strcmp(a->folder, b->folder))
        return "the current folder";
    if (!same_environment(a, b))
        return "an environment variable";
    if (a->mask != b->mask)
        return "the file mode mask (umask)";
    if (!same_handlers(a, b))
        return "a signal handler";
    if (memcmp(&a->blocked, &b->blocked, sizeof a->blocked))
        return "the signals that are blocked";
    for (int k = 0; k < 3; k++)
        if (b->timers[k].it_value.tv_sec || b->timers[k].it_value.tv_usec)
            return "a timer";
    if (memcmp(a->limits, b->limits, sizeof a->limits))
        return "a resource limit";
    if (a->priority != b->priority)
        return "the priority of the process";
    return b->threads > a->threads ? "the number of threads" : NULL;
}

static void check_environment(scree_check *check)
{
    const scree_check_exercise *e = exercise_of(check);
    surroundings before, after;
    scree_instance *first = make_default(check, 1); // GLib starts what it needs
    if (!first)
        return;
    scree_check_instance_free(first);
    uint32_t fp = scree_fp_control();
    look_around(&before);
    scree_context_now->careful = true; // the call that changed it
    scree_instance *instance = make_default(check, 1);
    if (instance)
        scree_check_rest(check, instance);
    scree_check_instance_free(instance);
    instance = check->failed ? NULL : make_default(check, 1); // scree_check_rest has left memory
                                                              // for no bodies
    if (instance)
        g_free(exercise(check, e, instance, TURNS));
    look_around(&after);
    const char *changed = compare_surroundings(&before, &after);
    if (scree_fp_control() != fp)
        changed = "the floating-point environment";
    if (changed) {
        check->failed = false; // this case tests it
        scree_check_fail(check, "it changed %s", changed);
    }
    if (scree_child_printed())
        scree_check_fail(check, "it printed to standard output, which is the user's");
    free_surroundings(&before);
    free_surroundings(&after);
}

/** Calls the functions of an instance for one turn, and frees the instance. */
static bool exercise_briefly(scree_check *check, scree_instance *instance)
{
    g_free(exercise(check, exercise_of(check), instance, 1));
    return !check->failed;
}

static bool exercise_fully(scree_check *check, scree_instance *instance)
{
    g_free(exercise(check, exercise_of(check), instance, TURNS));
    return !check->failed;
}

static void check_services(scree_check *check)
{
    scree_check_services(check, exercise_briefly);
}

static void check_uses(scree_check *check)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < check->plugin->n_uses && !check->failed; k++) {
        const scree_use *use = check->plugin->uses[k];
        if (!(use->flags & SCREE_USE_OPTIONAL))
            continue;
        n++;
        // Prints lines that are shown if the case crashes.
        fprintf(stderr, "without a field '%s', whose use is optional\n", use->name);
        check->absent_use = k + 1;
        scree_instance *instance = scree_check_instance(check, scree_check_dimension(check), 1,
                                                        SCREE_CHECK_DEFAULTS, NULL);
        if (!instance || !exercise_fully(check, instance)) {
            g_autofree char *text = g_strdup(check->text->str);
            g_string_printf(check->text, "without a field '%s', whose use is optional: %s",
                            use->name, text);
        }
        check->absent_use = 0;
    }
    if (!n)
        scree_check_skip(check, "no use of another plugin's field is optional");
}

/** Gives an instance some turns; it lives on. */
static bool use_exercise(scree_check *check, scree_instance *instance)
{
    const scree_check_exercise *e = exercise_of(check);
    g_autoptr(GChecksum) bits = g_checksum_new(G_CHECKSUM_SHA256);
    void *state = e->begin(check, instance);
    if (!state)
        return false;
    for (uint32_t turn = 0; turn < TURNS && !check->failed; turn++)
        e->turn(state, turn, bits);
    e->end(state);
    return !check->failed;
}

static void check_state(scree_check *check)
{
    scree_check_state(check, exercise_of(check) ? use_exercise : NULL);
}

/* Kinds whose functions are called; the routes compare runs of the others. */
#define RUN                                                                                        \
    (1u << SCREE_KIND_MODIFIER | 1u << SCREE_KIND_OBSERVER | 1u << SCREE_KIND_INTEGRATOR |         \
     1u << SCREE_KIND_SOURCE)
#define CALLED (~(RUN))

const scree_check_case scree_check_all[] = {
    {"parameters", "at the ends of their ranges parameters work, or are refused with a reason",
     .run = check_parameters},
    {"bytes", "bytes() says how much memory an instance holds", .run = check_bytes},
    {"instances", "two instances that take turns do not see each other", .run = check_instances},
    {"processes", "another process gives the same bits", .run = check_processes, .kinds = CALLED},
    {"lanes", "four lanes give the bits of one", .run = check_lanes, .kinds = CALLED},
    {"inputs", "inputs are left alone, and nothing is touched beyond an array",
     .run = check_inputs},
    {"outputs", "all outputs are written", .run = check_outputs, .kinds = CALLED},
    {"leaks", "nothing is left of 1000 instances: memory, files, threads", .run = check_leaks},
    {"environment", "the process stays as it was: locale, rounding, signals, folder, output",
     .run = check_environment},
    {"state", "save and load give the state again, and it goes on alike", .run = check_state},
    {"services", "without a service that it asks for it refuses in create, or works",
     .run = check_services},
    {"uses", "without a field that it need not have it works", .run = check_uses},
    {0},
};
