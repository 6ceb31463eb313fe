/* SPDX-License-Identifier: Apache-2.0 */
/* Promises of all observers, whatever their files: the engine shows them a run. */
#include <string.h>

#include "engine/observers.h"
#include "plugin/call.h"
#include "plugin/instance.h"
#include "plugin/scalars.h"
#include "tools/check/check_report.h"
#include "tools/check/check_trip.h"
#include "tools/check/route_files.h"
#include "tools/check/route_leg.h"

enum { STEPS = 4 };

/* ---- files ---- */

/** Files that a run may not have. */
typedef struct watcher {
    const char *folder;
    GHashTable *writers;      // names that scree.output/1 has given
    char *stray, *own, *part; // elsewhere, not from that service, open at the end; new strings
} watcher;

static void note(char **first, const char *path)
{
    if (!*first)
        *first = g_strdup(path);
}

static void note_files(watcher *w, bool ended)
{
    g_autoptr(GHashTable) all = scree_route_files_read("."),
                          inside = scree_route_files_read(w->folder);
    GHashTableIter iter;
    void *name;
    g_hash_table_iter_init(&iter, all);
    while (g_hash_table_iter_next(&iter, &name, NULL))
        if (!g_str_has_prefix(name, "trip-"))
            note(&w->stray, name);
    g_hash_table_iter_init(&iter, inside);
    while (g_hash_table_iter_next(&iter, &name, NULL))
        if (g_str_has_suffix(name, ".part") && ended)
            note(&w->part, name);
        else if (!g_str_has_suffix(name, ".part") &&
                 (!w->writers || !g_hash_table_contains(w->writers, name)))
            note(&w->own, name);
}

/** Looks at the files at the start of a run, after each step, and after its end. */
static bool watch(const scree_route_scene *from, watcher *w, GError **error)
{
    g_auto(scree_check_trip) trip = {.folder = NULL};
    if (!scree_check_trip_begin(&trip, from, STEPS, error))
        return false;
    w->folder = trip.folder;
    for (uint32_t n = 0; n < STEPS; n++) {
        w->writers = trip.run.sim->runtime.writers;
        note_files(w, false);
        if (!scree_run_go(&trip.run, 1, error))
            return false;
    }
    if (!scree_run_finish(&trip.run, error))
        return false;
    w->writers = trip.run.sim->runtime.writers;
    note_files(w, true);
    return true;
}

static void clear_watcher(watcher *w)
{
    g_free(w->stray);
    g_free(w->own);
    g_free(w->part);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(watcher, clear_watcher)

/** Files that an observer may not leave. */
typedef enum leaving { ELSEWHERE, UNNAMED, OPEN } leaving;

/** The row of a case: its function, and its data. */
typedef struct trip_work {
    bool (*fn)(const scree_route_scene *from, void *user, GError **error);
    leaving leaves;
} trip_work;

static bool go_leave(const scree_route_scene *from, void *user, GError **error)
{
    const leaving leaves = ((const trip_work *)user)->leaves;
    g_auto(watcher) w = {.folder = NULL};
    const bool good = watch(from, &w, error);
    if (leaves == ELSEWHERE && w.stray)
        scree_route_fail(from, "it wrote %s, outside of the folder of the run", w.stray);
    else if (leaves == UNNAMED && w.own)
        scree_route_fail(from,
                         "%s did not come from the service " SCREE_SERVICE_OUTPUT
                         ", which gives a file its name when it is whole",
                         w.own);
    else if (leaves == OPEN && w.part)
        scree_route_fail(from, "finish() left %s open: it never gets its name", w.part);
    return good;
}

static bool go_tables(const scree_route_scene *from, void *user, GError **error)
{
    g_auto(scree_check_trip) trip = {.folder = NULL};
    (void)user;
    if (!scree_check_trip_begin(&trip, from, STEPS, error) ||
        !scree_run_go(&trip.run, STEPS, error) || !scree_run_finish(&trip.run, error))
        return false;
    g_autoptr(GHashTable) files = scree_route_files_read(trip.folder);
    g_autofree char *fault = scree_route_files_judge(files);
    if (fault)
        scree_route_fail(from, "%s", fault);
    return true;
}

/* ---- ends ---- */

/** Ends a run before an observer has seen anything; then gives one up after two steps. */
static bool go_short(const scree_route_scene *from, void *user, GError **error)
{
    g_auto(scree_check_trip) blind = {.folder = NULL}, given_up = {.folder = NULL};
    (void)user;
    if (!scree_check_trip_make(&blind, from, STEPS, error))
        return false;
    blind.run.observers = scree_observers_new(blind.run.sim, error);
    return blind.run.observers && scree_observers_start(blind.run.observers, error) &&
           scree_observers_finish(blind.run.observers, error) &&
           scree_check_trip_begin(&given_up, from, STEPS, error) &&
           scree_run_go(&given_up.run, 2, error);
}

static bool go_empty(const scree_route_scene *from, void *user, GError **error)
{
    g_auto(scree_check_trip) trip = {.folder = NULL};
    scree_route_scene scene = *from;
    (void)user;
    scene.emptied = true;
    return scree_check_trip_begin(&trip, &scene, STEPS, error) &&
           scree_run_go(&trip.run, STEPS, error) && scree_run_finish(&trip.run, error);
}

/* ---- scalars ---- */

/** Asks for the scalars once more, and compares them with the first answers. */
static bool ask_again(scree_instance *instance, GError **error)
{
    bool same = true;
    for (uint32_t k = 0; same && k <= instance->n_scalars; k++) {
        GError *failed = NULL;
        const scree_scalar *now = scree_scalars_ask_one(instance, k, &failed);
        const scree_scalar *kept = k < instance->n_scalars ? &instance->kept_scalars[k] : NULL;
        if (failed) {
            g_propagate_error(error, failed);
            return false;
        }
        same = kept && now ? now->flags == kept->flags && !g_strcmp0(now->name, kept->name) &&
                                 !g_strcmp0(now->unit, kept->unit)
                           : !kept && !now;
        if (!same)
            scree_call_blame(instance, "scalar", SCREE_EXIT_PLUGIN, error,
                             "scalar number %u: expected \"%s\" as at first, got \"%.*s\"%s", k,
                             kept ? kept->name : "none", SCREE_MAX_SCALAR_NAME,
                             now && now->name ? now->name : "none",
                             kept && now ? ", or other flags or another unit" : "");
    }
    return same;
}

/** Reads the scalars of the current state twice; their bits must be equal. */
static bool read_twice(scree_check_trip *trip, GError **error)
{
    const scree_instance *instance;
    const double *value;
    if (!scree_observers_read(trip->run.observers, "check", &instance, &value, error))
        return false;
    g_autofree double *first = g_memdup2(value, (instance->n_scalars + 1) * sizeof *value);
    if (!scree_observers_read(trip->run.observers, "check", &instance, &value, error))
        return false;
    return !memcmp(first, value, instance->n_scalars * sizeof *value) ||
           scree_call_blame(instance, "read", SCREE_EXIT_PLUGIN, error,
                            "it gives other values when it is called again");
}

/** The bits of the files of a run whose scalars are read, or not. New string; NULL: it has failed. */
static char *digest(const scree_route_scene *from, bool reads, GError **error)
{
    g_auto(scree_check_trip) trip = {.folder = NULL};
    bool good = scree_check_trip_begin(&trip, from, STEPS, error);
    for (uint32_t n = 0; n < STEPS && good; n++) {
        if (reads)
            scree_observers_want(trip.run.observers, "check");
        good = scree_run_go(&trip.run, 1, error) && (!reads || read_twice(&trip, error));
    }
    good = good &&
           (!reads ||
            ask_again((scree_instance *)(uintptr_t)scree_observers_instance(trip.run.observers, 0),
                      error));
    return good ? scree_check_trip_end(&trip, error) : NULL;
}

static bool go_scalars(const scree_route_scene *from, void *user, GError **error)
{
    (void)user;
    g_autofree char *without = digest(from, false, error);
    g_autofree char *with = without ? digest(from, true, error) : NULL;
    if (with && strcmp(with, without))
        scree_route_fail(from, "its files are others when its scalars are read");
    return with != NULL;
}

static const char *lacks_scalars(const scree_check *check)
{
    return scree_call_extension(check->plugin, SCREE_EXTENSION_SCALARS)
               ? NULL
               : "it gives none (extension " SCREE_EXTENSION_SCALARS ")";
}

static void trip(scree_check *check, const void *row)
{
    scree_check_trip_each(check, ((const trip_work *)row)->fn, (void *)(uintptr_t)row);
}

#define TRIP(...)                                                                                  \
    .by = trip, .row = &(const trip_work)                                                          \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

static const scree_check_case cases[] = {
    {"folder", "it writes only below the folder of the run",
     TRIP(.fn = go_leave, .leaves = ELSEWHERE)},
    {"whole", "a file gets its name when it is whole", TRIP(.fn = go_leave, .leaves = UNNAMED)},
    {"finish", "finish() closes all files", TRIP(.fn = go_leave, .leaves = OPEN)},
    {"tables", "a table has a name for each of its columns, and XML is well-formed",
     TRIP(.fn = go_tables)},
    {"short", "a run may end before anything was observed, or without finish()",
     TRIP(.fn = go_short)},
    {"empty", "there may be no bodies left", TRIP(.fn = go_empty)},
    {"scalars", "scalars have values of the state, and nothing depends on their reading",
     TRIP(.fn = go_scalars), .lacks = lacks_scalars},
    {0}};
const scree_check_suite scree_check_observer = {SCREE_KIND_OBSERVER, NULL, cases};
