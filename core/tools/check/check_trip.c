/* SPDX-License-Identifier: Apache-2.0 */
/* Trips: short runs of the plugin under test on the real engine, in the scenes of the routes. */
#include "tools/check/check_trip.h"

#include <string.h>

#include "base/folder.h"
#include "base/text.h"
#include "engine/digest.h"
#include "engine/observers.h"
#include "plugin/instance.h"
#include "scene/scene.h"
#include "tools/check/check_calls.h"
#include "tools/check/check_instance.h"
#include "tools/check/check_report.h"
#include "tools/check/check_variants.h"
#include "tools/check/guard_pages.h"
#include "tools/check/route_files.h"
#include "tools/check/route_plugins.h"
#include "tools/check/route_run.h"

/* ---- a trip ---- */

bool scree_check_trip_make(scree_check_trip *trip, const scree_route_scene *from, uint32_t steps,
                           GError **error)
{
    static uint32_t n; // number of folders so far
    const scree_plugin *plugin = from->check->plugin;
    g_autofree char *each = g_strdup_printf("%s.every_steps=1", scree_route_scene_path(plugin));
    const scree_route often = {.set = {plugin->kind == SCREE_KIND_OBSERVER ? each : NULL}};
    *trip = (scree_check_trip){.folder = g_strdup_printf("trip-%u", n++)};
    return scree_route_make(&trip->run, from, &often, steps, trip->folder, NULL, error);
}

bool scree_check_trip_begin(scree_check_trip *trip, const scree_route_scene *from, uint32_t steps,
                            GError **error)
{
    return scree_check_trip_make(trip, from, steps, error) && scree_run_begin(&trip->run, error);
}

void scree_check_trip_clear(scree_check_trip *trip)
{
    scree_run_clear(&trip->run);
    g_free(trip->run.folder);
    if (trip->folder && g_file_test(trip->folder, G_FILE_TEST_IS_DIR))
        if (!scree_folder_remove(trip->folder))
            scree_say(SCREE_SAY_NOTE, "%s could not be removed", trip->folder);
    g_clear_pointer(&trip->folder, g_free);
}

/** Adds names and contents of the files to `bits`. */
static void add_files(GChecksum *bits, const char *folder)
{
    g_autoptr(GHashTable) files = scree_route_files_read(folder);
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    GHashTableIter iter;
    void *name;
    g_hash_table_iter_init(&iter, files);
    while (g_hash_table_iter_next(&iter, &name, NULL))
        g_ptr_array_add(names, name);
    g_ptr_array_sort(names, scree_compare_texts);
    for (guint k = 0; k < names->len; k++) {
        gsize n;
        const guchar *bytes = g_bytes_get_data(g_hash_table_lookup(files, names->pdata[k]), &n);
        g_checksum_update(bits, names->pdata[k], -1);
        g_checksum_update(bits, bytes, (gssize)n);
    }
}

char *scree_check_trip_end(scree_check_trip *trip, GError **error)
{
    g_autoptr(GChecksum) bits = g_checksum_new(G_CHECKSUM_SHA256);
    if (!trip->run.plan.only_steps && !scree_run_finish(&trip->run, error))
        return NULL;
    g_autofree char *state = scree_state_sha256(trip->run.sim);
    g_checksum_update(bits, (const guchar *)state, -1);
    add_files(bits, trip->folder);
    return g_strdup(g_checksum_get_string(bits));
}

uint32_t scree_check_trip_steps(const scree_route_scene *from)
{
    return scree_route_scene_own(from) ? SCREE_CHECK_TRIP_OWN : SCREE_CHECK_TRIP_STEPS;
}

scree_instance *scree_check_trip_instance(const scree_check_trip *trip, const scree_plugin *plugin)
{
    const scree_sim *sim = trip->run.sim;
    const GPtrArray *lists[] = {sim->plugins.body.modifiers, sim->observers};
    for (size_t l = 0; l < G_N_ELEMENTS(lists); l++)
        for (guint k = 0; k < lists[l]->len; k++) {
            // its calls may pass through the check, by a copy of its description
            const scree_plugin *other = ((scree_instance *)lists[l]->pdata[k])->plugin;
            if (other->kind == plugin->kind && !strcmp(other->id, plugin->id))
                return lists[l]->pdata[k];
        }
    return sim->plugins.body.integrator;
}

/* ---- scenes ---- */

void scree_check_trip_hear(const char *who, scree_say_level level, const char *text)
{
    (void)who;
    (void)level;
    (void)text;
}

void scree_check_trip_fail(scree_check *check, const GError *error)
{
    const bool failed = check->failed;
    scree_check_fail(check, "%s", error->message);
    if (!failed) // a refusal without a reason does not count
        check->refused =
            error->code != SCREE_EXIT_PLUGIN && !strstr(error->message, SCREE_NO_REASON);
}

/** Prepares the process for runs, once. */
static void prepare(scree_check *check)
{
    scree_say_set(scree_check_trip_hear);
    scree_folder_spare_syncs();
    if (check->plugin)
        scree_route_plugins_give(check);
    if (scree_check_is_guarding() || check->withheld)
        scree_check_calls_watch(check, NULL);
}

bool scree_check_trip_once(scree_check *check, scree_route_scene *from, scree_route_fn go,
                           void *user)
{
    g_autoptr(GError) error = NULL;
    prepare(check);
    if (scree_route_scene_try(from, go, user, &error))
        return !check->failed;
    const bool must = check->withheld || check->no_files || check->at_ends;
    if (!must && scree_route_scene_is_refusal(error))
        scree_check_skip(check, "it refuses the scenes of the check: %s", error->message);
    else if (!check->failed)
        scree_check_trip_fail(check, error);
    return false;
}

typedef struct each {
    scree_route_fn go;
    void *user;
    GString *refusal; // why the plugin did not run at last
} each;

static bool try_variant(scree_check *check, const scree_check_variant *v, void *user)
{
    const each *e = user;
    g_autoptr(GError) error = NULL;
    scree_route_scene from = {
        .check = check, .dimension = v->dimension, .settings = v->settings, .name = v->name};
    if (scree_route_scene_try(&from, e->go, e->user, &error) || check->failed)
        return true;
    if (scree_route_scene_is_refusal(error) && !check->scene)
        g_string_assign(e->refusal, error->message);
    else
        scree_route_fail(&from, "%s", error->message);
    return check->failed;
}

void scree_check_trip_each(scree_check *check, scree_route_fn go, void *user)
{
    each e = {go, user, g_string_new(NULL)};
    prepare(check);
    if (check->scene)
        try_variant(check, &(scree_check_variant){.name = check->scene}, &e);
    else if (!scree_check_settings_each(check, false, try_variant, &e))
        scree_check_skip(check, "it refuses the scenes of the check: %s", e.refusal->str);
    g_string_free(e.refusal, TRUE);
}

scree_route_scene scree_check_trip_scene(scree_check *check)
{
    return (scree_route_scene){
        .check = check, .dimension = scree_check_dimension(check), .name = "defaults"};
}

/* ---- whole runs ---- */

/** Takes steps; scalars of an observer are read after each. */
static bool go(scree_check_trip *trip, uint32_t n, GError **error)
{
    scree_observers *all = trip->run.observers;
    const scree_instance *instance;
    const double *value;
    bool good = true;
    for (; n && good; n--) {
        scree_observers_want(all, "check");
        good = scree_run_go(&trip->run, 1, error) &&
               scree_observers_read(all, "check", &instance, &value, error);
    }
    return good;
}

/** A run, and its result. */
typedef struct whole {
    uint32_t steps;
    char *bits;
} whole;

static bool go_whole(const scree_route_scene *from, void *user, GError **error)
{
    g_auto(scree_check_trip) trip = {.folder = NULL};
    whole *w = user;
    const uint32_t steps = MIN(w->steps, scree_check_trip_steps(from));
    if (scree_check_trip_begin(&trip, from, steps, error) && go(&trip, steps, error))
        w->bits = scree_check_trip_end(&trip, error);
    return w->bits != NULL;
}

char *scree_check_trip_whole(scree_check *check, scree_route_scene *from, uint32_t steps)
{
    whole w = {.steps = steps};
    scree_check_trip_once(check, from, go_whole, &w);
    return w.bits;
}

/** Two runs take turns; the first one is a step ahead: shared data would show as that of another
 * step. */
static bool go_in_turns(const scree_route_scene *from, void *user, GError **error)
{
    const uint32_t n = scree_check_trip_steps(from);
    g_auto(scree_check_trip) a = {.folder = NULL}, b = {.folder = NULL};
    char **bits = user;
    if (!scree_check_trip_begin(&a, from, n, error) || !go(&a, 1, error) ||
        !scree_check_trip_begin(&b, from, n, error))
        return false;
    for (uint32_t step = 1; step <= n; step++)
        if ((step < n && !go(&a, 1, error)) || !go(&b, 1, error))
            return false;
    bits[0] = scree_check_trip_end(&a, error);
    bits[1] = bits[0] ? scree_check_trip_end(&b, error) : NULL;
    return bits[1] != NULL;
}

void scree_check_trip_in_turns(scree_check *check, scree_route_scene *from)
{
    char *two[2] = {NULL};
    g_autofree char *alone = scree_check_trip_whole(check, from, SCREE_CHECK_TRIP_STEPS);
    if (alone && scree_check_trip_once(check, from, go_in_turns, two))
        for (int k = 0; k < 2; k++)
            if (strcmp(alone, two[k]))
                scree_check_fail(check,
                                 "the %s of two runs that take turns gives another state or other "
                                 "files than a single one: its instances share variable data",
                                 k ? "second" : "first");
    for (int k = 0; k < 2; k++)
        g_free(two[k]);
}
