/* SPDX-License-Identifier: Apache-2.0 */
/* Opens a scene as a run, and closes it. */
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/folder.h"
#include "build_config.h"
#include "change/schedule.h"
#include "config/config.h"
#include "config/config_set.h"
#include "lib/arrays.h"
#include "lib/forces.h"
#include "plugin/registry.h"
#include "scene/scene.h"
#include "tools/restart/checkpoint_read.h"
#include "tools/restart/restart.h"
#include "tools/restart/scene_again.h"

const char *sc_version(void)
{
    return SCREE_VERSION;
}

const char *sc_plugin_abi(void)
{
    static const char numbers[] = {'0' + SCREE_ABI_MAJOR, '.', '0' + SCREE_ABI_MINOR, '\0'};
    G_STATIC_ASSERT(SCREE_ABI_MAJOR < 10 && SCREE_ABI_MINOR < 10);
    return numbers;
}

void sc_free(void *memory)
{
    g_free(memory);
}

/** The arguments of the caller. */
typedef struct given {
    const char *scene; /* path or name; NULL: a text, or the checkpoint's scene */
    const char *text, *name, *folder;
    const sc_options *options;
} given;

/** The overrides of the caller, with that of SC_QUIET_SCENE. Borrowed texts, NULL at the end. */
static GPtrArray *list_overrides(const sc_options *o)
{
    GPtrArray *all = g_ptr_array_new();
    for (const char *const *one = o->set; one && *one; one++)
        g_ptr_array_add(all, (char *)*one);
    if (o->flags & SC_QUIET_SCENE)
        g_ptr_array_add(all, (char *)"observers={}");
    g_ptr_array_add(all, NULL);
    return all;
}

/** Reads a scene from a text. */
static scree_scene *read_text(const given *g, const char *const *overrides,
                              scree_registry *registry, GError **error)
{
    const char *file = g->name && *g->name ? g->name : "scene.cfg";
    scree_config *config = scree_config_parse(g->text, file, g->folder ? g->folder : ".");
    g_autofree char *name = g_path_get_basename(file);
    if (g_str_has_suffix(name, ".cfg"))
        name[strlen(name) - 4] = '\0';
    scree_config_set_all(config, g_strv_length((char **)overrides), overrides, NULL);
    return scree_scene_new(config, name, registry, error);
}

static scree_scene *load(sc_run *run, const given *g, GError **error)
{
    g_autoptr(GPtrArray) list = list_overrides(g->options);
    const char *const *overrides = (const char *const *)list->pdata;
    scree_scene *scene = NULL;
    if (g->text)
        scene = read_text(g, overrides, run->registry, error);
    else if (g->scene)
        scene = scree_scene_load(g->scene, overrides, run->registry, error);
    else if (run->from)
        scene = scree_stored_scene_load(run->from->scene, overrides, run->registry, error);
    else
        scree_fail(error, SCREE_EXIT_USAGE, "expected a scene, got NULL");
    if (scene && run->from && !scree_restart_say_differences(run->from, scene, error)) {
        scree_scene_free(scene);
        return NULL;
    }
    const guint n_notes = scene ? scene->config->notes->len : 0;
    for (guint i = 0; i < n_notes; i++)
        scree_say(SCREE_SAY_NOTE, "%s", (const char *)scene->config->notes->pdata[i]);
    return scene;
}

/** Sets the number of steps of the run: those of the scene that the checkpoint has not done. */
static bool set_length(sc_run *run, GError **error)
{
    const uint64_t all = run->run.sim->scene->steps, done = run->run.sim->step;
    run->run.steps = all ? all - MIN(all, done) : UINT64_MAX >> 1;
    return scree_schedule_check_end(run->run.sim, all > done ? all : 0, error);
}

/** Evaluates the first state, if no call has done so. */
static bool begin_run(sc_run *run, GError **error)
{
    if (!scree_lib_forces_check(run, error))
        return false;
    const bool begun = scree_run_begin(&run->run, error);
    run->phase = begun ? SCREE_LIB_READY : SCREE_LIB_FAILED; // open_given: a failed open is refused
    return begun;
}

/** Refuses observers that write in a run without files, all at once. */
static bool check_writers(const scree_sim *sim, uint64_t end, GError **error)
{
    (void)end;
    g_autoptr(GString) names = g_string_new(NULL);
    const GPtrArray *all = sim->observers;
    for (guint k = 0; k < all->len; k++) {
        const scree_instance *one = all->pdata[k];
        if (one->output.size)
            g_string_append_printf(names, "%s%s", names->len ? ", " : "", one->slot);
    }
    return !names->len ||
           scree_fail(error, SCREE_EXIT_USAGE,
                      "this run writes no files, but %s would: give options->folder, "
                      "SC_QUIET_SCENE, or observers = {}",
                      names->str);
}

static bool open_run(sc_run *run, const given *g, GError **error)
{
    const sc_options *o = g->options;
    run->run = (scree_run){.begin = scree_now()};
    scree_folder_begin();
    run->registry = scree_registry_new(
        o->plugin_path ? o->plugin_path : (const char *const[]){NULL}, (const char *const[]){NULL});
    run->registry->says_shadowed = true;
    if (!scree_cpu_level(error) ||
        (o->restart && !(run->from = scree_checkpoint_find(o->restart, error))))
        return false;
    scree_scene *scene = load(run, g, error);
    if (!scene)
        return false;
    const bool waits = scree_lib_forces_wanted(scene);
    if (waits && o->flags & SC_TRY_SWAPS) {
        scree_scene_free(scene);
        return scree_fail(
            error, SCREE_EXIT_USAGE,
            "SC_TRY_SWAPS: a swap cannot be tried in a copy of the process in a scene "
            "with a modifier callback");
    }
    run->run.plan = (scree_run_plan){.threads = o->threads,
                                     .folder = o->folder && *o->folder ? o->folder : NULL,
                                     .writes_nothing = !o->folder,
                                     .check = o->folder ? NULL : check_writers,
                                     .trusts_swaps = !(o->flags & SC_TRY_SWAPS),
                                     .from = run->from,
                                     .restart = scree_restart_begin,
                                     .stop = &run->cancelled};
    if (!scree_run_make(&run->run, scene, error) || !set_length(run, error))
        return false;
    run->phase = SCREE_LIB_OPEN;
    return waits || begin_run(run, error);
}

/** Copies what the caller knows of the options. False: it is something else. */
static bool take_options(const sc_options *from, sc_options *to)
{
    *to = (sc_options){.size = sizeof *to};
    if (!from)
        return true;
    if (from->size < offsetof(sc_options, user) + sizeof(void *) || from->reserved)
        return false;
    memcpy(to, from, MIN(from->size, sizeof *to));
    return !(to->flags & ~(SC_QUIET_SCENE | SC_TRY_SWAPS));
}

enum { MOST_THREADS = 256 }; // as `scree run --threads`

static int32_t open_given(given *g, const sc_options *given_options, sc_run **out)
{
    sc_options options;
    if (!out)
        return SC_E_USE;
    const bool good = take_options(given_options, &options);
    sc_run *run = *out = scree_lib_new(options.say, options.user);
    run->ready = begin_run;
    run->look = scree_lib_look_at_arrays;
    scree_lib_forces_begin(run);
    g->options = &options;
    scree_lib_enter(run, SCREE_LIB_REFUSED, false);
    GError *error = NULL;
    if (!good)
        scree_fail(&error, SCREE_EXIT_USAGE,
                   "sc_options: expected its size in `size`, 0 in `reserved`, and known flags");
    else if (options.threads > MOST_THREADS)
        scree_fail(&error, SCREE_EXIT_USAGE,
                   "sc_options: expected 1 to %d threads (0: 1), got %" G_GUINT32_FORMAT,
                   MOST_THREADS, options.threads);
    else if (!open_run(run, g, &error))
        run->phase = SCREE_LIB_REFUSED;
    return scree_lib_leave(run, error);
}

int32_t sc_open(const char *scene, const sc_options *options, sc_run **run)
{
    given g = {.scene = scene};
    return open_given(&g, options, run);
}

int32_t sc_open_text(const char *text, const char *name, const char *folder,
                     const sc_options *options, sc_run **run)
{
    given g = {.text = text ? text : "", .name = name, .folder = folder};
    return open_given(&g, options, run);
}

static void clear_context(scree_context *c)
{
    g_free(c->start);
    g_free(c->held);
    g_free(c->fault);
    if (c->blamed)
        g_array_unref(c->blamed);
    *c = (scree_context){.say = NULL};
}

int32_t sc_close(sc_run *run)
{
    if (!run)
        return SC_OK;
    if (!scree_lib_enter(run, SCREE_LIB_REFUSED, true))
        return SC_E_USE;
    if (run->phase == SCREE_LIB_REFUSED || run->phase == SCREE_LIB_FAILED)
        scree_run_leave_folder(&run->run);
    scree_run_clear(&run->run);
    run->run.sim = NULL;
    g_free(run->run.folder);
    scree_checkpoint_free(run->from);
    scree_registry_free(run->registry);
    scree_lib_leave(run, NULL);
    scree_lib_forces_clear(run);
    g_free(run->error);
    g_array_unref(run->lines);
    g_array_unref(run->changes);
    pthread_mutex_destroy(&run->lines_mutex);
    g_clear_pointer(&run->names, g_ptr_array_unref);
    for (size_t k = 0; k < G_N_ELEMENTS(run->contact_columns); k++)
        g_free(run->contact_columns[k]);
    clear_context(&run->context);
    g_free(run);
    return SC_OK;
}
