/* SPDX-License-Identifier: Apache-2.0 */
/* A live plugin: its instance, its host table, its error, its files. */
#include "plugin/instance.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/folder.h"
#include "base/part_file.h"
#include "base/random.h"
#include "base/say.h"
#include "config/config_node.h"
#include "plugin/call.h"
#include "plugin/events.h"
#include "plugin/field_uses.h"
#include "plugin/files.h"
#include "plugin/kinds.h"
#include "plugin/output.h"
#include "plugin/plugin_state.h"
#include "plugin/services.h"

/* A shape lives as long as the scene, and serves runs with any number of lanes. */
enum { FIRST_SCRATCH = 65536, SHAPE_LANES = 256 };

/** A file of scree.output/1 that is open. */
typedef struct open_file {
    const scree_instance *instance;
    scree_part_file file;
} open_file;

static void service_log(void *ctx, int32_t level, const char *text)
{
    const scree_instance *instance = ctx;
    static const scree_say_level levels[] = {SCREE_SAY_DEBUG, SCREE_SAY_INFO, SCREE_SAY_WARNING};
    int shown = CLAMP(level, 0, 2);
    if (instance->runtime->say && shown > SCREE_LOG_DEBUG) {
        instance->runtime->say(instance->runtime->listener, shown, text ? text : "");
        return;
    }
    if (shown == SCREE_LOG_DEBUG && !g_getenv("SCREE_DEBUG"))
        return;
    g_autofree char *plain = scree_plain(text ? text : "", SCREE_PLAIN_MOST);
    scree_say_for(instance->slot, levels[shown], plain);
}

static int32_t service_fail(void *ctx, int32_t code, const char *text)
{
    scree_instance *instance = ctx;
    pthread_mutex_lock(&instance->mutex);
    if (!instance->error && text && instance->runtime->say)
        instance->runtime->say(instance->runtime->listener, code, text);
    if (!instance->error)
        instance->error = text ? scree_plain(text, SCREE_PLAIN_MOST) : NULL;
    pthread_mutex_unlock(&instance->mutex);
    return code;
}

void scree_instance_misbehaved(scree_instance *instance, const char *what)
{
    pthread_mutex_lock(&instance->mutex);
    if (!instance->misbehaved) {
        g_free(instance->error);
        instance->error = g_strdup(what);
        instance->misbehaved = true;
    }
    pthread_mutex_unlock(&instance->mutex);
}

char *scree_instance_take_fault(scree_instance *instance)
{
    pthread_mutex_lock(&instance->mutex);
    char *text = NULL;
    if (instance->misbehaved) { // only a fault writes here while other lanes read
        text = g_steal_pointer(&instance->error);
        instance->misbehaved = false;
    }
    pthread_mutex_unlock(&instance->mutex);
    return text;
}

/** A plugin's parallel_for: its chunks run on every lane, as parts of the same call. */
typedef struct plugin_loop {
    scree_instance *instance;
    const char *name; // the call that the loop is part of
    scree_range_fn fn;
    void *user;
} plugin_loop;

static int32_t run_plugin_chunk(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const plugin_loop *loop = user;
    scree_call call = scree_call_begin_part(loop->instance, SCREE_CALL_LANE, loop->name);
    int32_t code = loop->fn(loop->user, begin, end, lane);
    return scree_call_end(&call, code, SCREE_OK, NULL);
}

static int32_t service_parallel_for(void *ctx, uint64_t begin, uint64_t end, uint64_t grain,
                                    scree_range_fn fn, void *user)
{
    scree_instance *instance = ctx;
    plugin_loop loop = {instance, scree_guard_here()->now.call, fn, user};
    return scree_pool_for(instance->runtime->pool, begin, end, grain, run_plugin_chunk, &loop);
}

static void *service_scratch(void *ctx, uint32_t lane, uint64_t bytes)
{
    scree_instance *instance = ctx;
    if (lane >= instance->host.lanes)
        return NULL;
    if (bytes > instance->scratch_bytes[lane]) {
        void *memory = NULL;
        uint64_t want = MAX(bytes, instance->scratch_bytes[lane] * 3 / 2);
        if (posix_memalign(&memory, 64, want))
            return NULL;
        free(instance->scratch[lane]);
        instance->scratch[lane] = memory;
        instance->scratch_bytes[lane] = want;
    }
    return instance->scratch[lane];
}

static int32_t service_cancelled(void *ctx)
{
    const scree_instance *instance = ctx;
    const volatile int *cancelled = instance->runtime->cancelled;
    return cancelled && __atomic_load_n(cancelled, __ATOMIC_RELAXED) ? 1 : 0;
}

static uint64_t service_random(void *ctx, uint64_t seed, uint64_t id, uint64_t step)
{
    const scree_instance *instance = ctx;
    return scree_random_bits(instance->runtime->seed, seed, id, step);
}

/** The parameter that names a nested plugin; if none does, the id of the nested plugin. */
static const char *nested_name(const scree_instance *owner, const scree_plugin_ref *ref)
{
    const scree_plugin *plugin = owner->plugin;
    for (uint32_t k = 0; owner->choice->config && k < plugin->n_params; k++) {
        const scree_plugin_ref *named = NULL;
        if (plugin->params[k]->type == SCREE_TYPE_PLUGIN)
            memcpy(&named, (const char *)owner->choice->config + plugin->params[k]->offset,
                   sizeof named);
        if (named == ref)
            return plugin->params[k]->name;
    }
    return ref->choice.plugin->id;
}

static scree_instance *make_instance(scree_runtime *runtime, const scree_choice_of *choice,
                                     const char *slot, int32_t *code, GError **error);

static int32_t service_make_instance(void *ctx, const scree_plugin_ref *ref,
                                     const scree_plugin **plugin, const void **ops, void **self)
{
    scree_instance *instance = ctx;
    g_autoptr(GError) error = NULL;
    g_autofree char *slot = g_strdup_printf("%s.%s", instance->slot, nested_name(instance, ref));
    int32_t code;
    scree_instance *nested = make_instance(instance->runtime, &ref->choice, slot, &code, &error);
    if (!nested)
        return service_fail(ctx, code == SCREE_E_MEMORY ? code : SCREE_E_CONFIG, error->message);
    g_ptr_array_add(instance->nested, nested);
    *plugin = nested->plugin;
    *ops = nested->ops;
    *self = nested->self;
    nested->self = NULL; // the plugin that asked for the instance destroys it
    return SCREE_OK;
}

static int32_t refuse_name(scree_instance *instance, const char *text)
{
    instance->bad_name = true;
    return service_fail(instance, SCREE_E_CONFIG, text);
}

static int32_t output_open(void *ctx, const char *given, int32_t *fd)
{
    scree_instance *instance = ctx;
    g_autofree char *text = NULL;
    if (!instance->runtime->output_dir)
        return service_fail(ctx, SCREE_E_UNSUPPORTED, "this run writes no files");
    g_autofree char *name = scree_output_name(given, &text);
    if (!name)
        return refuse_name(instance, text);
    g_autofree char *path = g_build_filename(instance->runtime->output_dir, name, NULL);
    if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
        text = g_strdup_printf("file name \"%s\" is a folder's", name);
        return refuse_name(instance, text);
    }
    const char *writer = scree_output_claim(instance->runtime, name, instance->slot);
    if (writer) {
        text = g_strdup_printf("%s writes %s already: give one of them another file name", writer,
                               name);
        return refuse_name(instance, text);
    }
    scree_part_file opened;
    if (!scree_part_file_open(&opened, path, &text))
        return service_fail(ctx, SCREE_E_IO, text);
    *fd = opened.fd;
    open_file *file = g_new0(open_file, 1);
    *file = (open_file){instance, opened};
    g_ptr_array_add(instance->open_files, file);
    return SCREE_OK;
}

static int32_t output_close(void *ctx, int32_t fd, int32_t keep)
{
    scree_instance *instance = ctx;
    for (guint i = 0; i < instance->open_files->len; i++) {
        open_file *file = instance->open_files->pdata[i];
        g_autofree char *text = NULL;
        if (file->file.fd != fd)
            continue;
        scree_part_file_end(&file->file, keep != 0, &text);
        g_ptr_array_remove_index_fast(instance->open_files, i);
        return text ? service_fail(ctx, SCREE_E_IO, text) : SCREE_OK;
    }
    return service_fail(ctx, SCREE_E_INTERNAL, "close of a file that is not open");
}

/** Closes a file that its plugin has left open. It is removed if it is empty or the plugin has
 * failed; otherwise it keeps the name of a part. */
static void free_open_file(void *data)
{
    open_file *open = data;
    scree_part_file *file = &open->file;
    struct stat info;
    if (file->fd >= 0) {
        bool empty = fstat(file->fd, &info) == 0 && info.st_size == 0;
        close(file->fd);
        if (!empty && !open->instance->failed)
            scree_say(SCREE_SAY_NOTE, "%s was not finished; what was written to it is kept",
                      scree_folder_shown(file->part));
        else if (unlink(file->part) || scree_folder_sync(file->part))
            g_debug("cannot remove %s", file->part); // the run has failed already
    }
    scree_part_file_clear(file);
    g_free(open);
}

/** Notes that a plugin asked for a service; true: `scree check` withholds it. */
static bool is_withheld(const scree_runtime *runtime, const char *name)
{
    GPtrArray *asked = runtime->asked;
    if (asked && !g_ptr_array_find_with_equal_func(asked, name, g_str_equal, NULL))
        g_ptr_array_add(asked, g_strdup(name));
    return runtime->withheld && (!*runtime->withheld || !strcmp(runtime->withheld, name));
}

static const scree_query *give_query(scree_instance *instance)
{
    g_autoptr(GError) error = NULL;
    scree_query_offer *offer = instance->runtime->query;
    const scree_query *query = offer ? offer->give(offer, &error) : NULL;
    instance->has_query = query != NULL;
    instance->unserved = error != NULL;
    if (error)
        service_fail(instance, SCREE_E_IO, error->message);
    return query;
}

static const void *service_get_service(void *ctx, const char *name)
{
    scree_instance *instance = ctx;
    if (is_withheld(instance->runtime, name))
        return NULL;
    if (!strcmp(name, SCREE_SERVICE_NAMES))
        return scree_names_give(instance);
    if (!strcmp(name, SCREE_SERVICE_FILES))
        return scree_files_give(instance);
    if (!strcmp(name, SCREE_SERVICE_SUM))
        return scree_summer_give(instance);
    if (!strcmp(name, SCREE_SERVICE_EVENTS))
        return scree_events_give(instance);
    if (!strcmp(name, SCREE_DRAFT_CONFORMAL))
        return instance->runtime->conformal;
    if (!strcmp(name, SCREE_SERVICE_QUERY))
        return give_query(instance);
    if (!strcmp(name, SCREE_SERVICE_EMBED))
        return scree_context_now->embed;
    if (!strcmp(name, SCREE_SERVICE_FIGURES)) {
        if (instance->plugin->kind != SCREE_KIND_OBSERVER)
            return NULL;
        instance->has_query |= instance->runtime->figures != NULL;
        return instance->runtime->figures;
    }
    if (!strcmp(name, SCREE_DRAFT_PIECES)) {
        instance->in_pieces = instance->runtime->pieces &&
                              instance->plugin->kind == SCREE_KIND_OBSERVER &&
                              instance->plugin->flags & SCREE_CAP_RANKS;
        return instance->in_pieces ? instance->runtime->pieces : NULL;
    }
    if (strcmp(name, SCREE_SERVICE_OUTPUT))
        return NULL;
    instance->output = (scree_output){.size = sizeof(scree_output),
                                      .ctx = instance,
                                      .open = output_open,
                                      .close = output_close,
                                      .folder = instance->runtime->output_dir};
    return &instance->output;
}

/** Asks an instance what it does of what its descriptor says: all of it, or less. */
static bool ask_demands(scree_instance *instance, GError **error)
{
    const scree_plugin *plugin = instance->plugin;
    const scree_ops_head *head = scree_vtable_head(plugin);
    const uint32_t kept =
        plugin->flags & ~(SCREE_CAP_SERIAL | SCREE_CAP_DISPLACEMENT | SCREE_CAP_ACTS_LAST);
    scree_demands *d = &instance->demands;
    *d = (scree_demands){sizeof *d, plugin->flags, plugin->needs, plugin->provides};
    d->needs |= plugin->kind == SCREE_KIND_OBSERVER ? SCREE_DRAFT_WANTS_SUMS : 0;
    if (!SCREE_HAS(head, narrow))
        return true;
    scree_demands answer = *d;
    scree_call call = scree_call_begin(instance, SCREE_CALL_CONFIG, "narrow");
    int32_t code = head->narrow(instance->self, &answer);
    code = scree_call_end(&call, code, SCREE_OK, error);
    if (code < 0)
        return false;
    const scree_demands more = {sizeof more, answer.flags & ~d->flags, answer.needs & ~d->needs,
                                answer.provides & ~d->provides};
    *d = answer;
    if (more.flags || more.needs || more.provides)
        return scree_call_blame(instance, "narrow", SCREE_EXIT_PLUGIN, error,
                                "it sets bits that its descriptor lacks (flags %#x, needs %#" PRIx64
                                ", provides %#" PRIx64 ")",
                                more.flags, more.needs, more.provides);
    return !(kept & ~answer.flags) ||
           scree_call_blame(instance, "narrow", SCREE_EXIT_PLUGIN, error,
                            "it clears flags %#x; of the flags it may clear SCREE_CAP_SERIAL, "
                            "SCREE_CAP_DISPLACEMENT and SCREE_CAP_ACTS_LAST",
                            kept & ~answer.flags);
}

scree_listed scree_instance_lists(const scree_instance *observer)
{
    const uint64_t needs = observer->demands.needs;
    return needs & SCREE_WANTS_LAWS       ? SCREE_LISTED_BY_LAW
           : needs & SCREE_WANTS_CONTACTS ? SCREE_LISTED_TOTAL
                                          : SCREE_LISTED_NONE;
}

const char *scree_instance_show(const scree_plugin *plugin, const char *slot)
{
    g_autofree char *text =
        g_strdup_printf("%s/%s (%s)", scree_kind_name(plugin->kind), plugin->id, slot);
    return scree_shared_text(text);
}

/** As scree_instance_new; *code: that of create(). */
static scree_instance *make_instance(scree_runtime *runtime, const scree_choice_of *choice,
                                     const char *slot, int32_t *code, GError **error)
{
    bool shared = choice->plugin->kind == SCREE_KIND_SHAPE;
    uint32_t lanes = shared ? SHAPE_LANES : scree_pool_lanes(runtime->pool);
    scree_instance *instance = g_new0(scree_instance, 1);
    instance->plugin = choice->plugin;
    instance->file = choice->file;
    instance->choice = choice;
    instance->ops = choice->plugin->ops;
    instance->n_uses = scree_field_uses_count(choice);
    instance->slot = g_strdup(slot);
    instance->shown = scree_instance_show(choice->plugin, slot);
    instance->runtime = runtime;
    instance->scratch = g_new0(void *, lanes);
    instance->scratch_bytes = g_new0(uint64_t, lanes);
    // The first block is enough for a batch: no step allocates when a lane first asks.
    instance->host.lanes = lanes;
    const uint32_t n_first = shared ? 0 : lanes;
    for (uint32_t lane = 0; lane < n_first; lane++)
        service_scratch(instance, lane, FIRST_SCRATCH);
    instance->open_files = g_ptr_array_new_with_free_func(free_open_file);
    instance->nested = g_ptr_array_new_with_free_func((GDestroyNotify)scree_instance_free);
    pthread_mutex_init(&instance->mutex, NULL);
    instance->host = (scree_host){
        .size = sizeof(scree_host),
        .minor = SCREE_ABI_MINOR,
        .ctx = instance,
        .lanes = lanes,
        .dimension = runtime->dimension,
        .n_materials = runtime->n_materials,
        .log = service_log,
        .fail = service_fail,
        .parallel_for = service_parallel_for,
        .scratch = service_scratch,
        .cancelled = service_cancelled,
        .random = service_random,
        .make_instance = service_make_instance,
        .get_service = service_get_service,
        .slot = instance->slot,
        .lattice = runtime->lattice,
        .thickness = runtime->thickness > 0.0 ? runtime->thickness : 1.0,
    };
    scree_call call = scree_call_begin(instance, SCREE_CALL_CONFIG, "create");
    *code =
        scree_vtable_head(choice->plugin)->create(&instance->host, choice->config, &instance->self);
    bool made = *code >= 0;
    if (instance->unserved)
        *code = SCREE_E_IO;
    *code = scree_call_end(&call, *code, SCREE_OK, error);
    if (scree_kinds[choice->plugin->kind].in_steps)
        instance->state = scree_call_extension(choice->plugin, SCREE_EXTENSION_STATE);
    if (*code >= 0 && ask_demands(instance, error) && scree_saved_state_load(instance, error))
        return instance;
    if (!made)
        instance->self = NULL;
    if (*code == SCREE_E_CONFIG)
        scree_instance_blame_scene(instance, error);
    scree_instance_free(instance);
    return NULL;
}

scree_instance *scree_instance_new(scree_runtime *runtime, const scree_choice_of *choice,
                                   const char *slot, GError **error)
{
    int32_t code;
    return make_instance(runtime, choice, slot, &code, error);
}

void scree_instance_blame_scene(const scree_instance *instance, GError **error)
{
    if (!error || !*error)
        return;
    (*error)->code = SCREE_EXIT_USAGE;
    scree_node_blame(instance->choice->group, error);
}

scree_instance *scree_instance_at(scree_runtime *runtime, const scree_choice_of *choice,
                                  scree_slot slot, GError **error)
{
    g_autofree char *text = scree_slot_print(slot);
    return scree_instance_new(runtime, choice, text, error);
}

static void forget_scalars(scree_instance *instance)
{
    for (uint32_t k = 0; k < instance->n_scalars; k++) {
        g_free((char *)instance->kept_scalars[k].name);
        g_free((char *)instance->kept_scalars[k].unit);
    }
    g_clear_pointer(&instance->kept_scalars, g_free);
}

void scree_instance_free(scree_instance *instance)
{
    if (!instance)
        return;
    if (instance->self) {
        scree_call call = scree_call_begin(instance, SCREE_CALL_CONFIG, "destroy");
        scree_vtable_head(instance->plugin)->destroy(instance->self);
        scree_call_done(&call);
    }
    forget_scalars(instance);
    g_ptr_array_unref(instance->open_files);
    g_ptr_array_unref(instance->nested);
    for (uint32_t lane = 0; lane < instance->host.lanes; lane++)
        free(instance->scratch[lane]);
    g_free(instance->scratch);
    g_free(instance->scratch_bytes);
    scree_file_answers_free(instance->files);
    g_free(instance->error);
    g_free(instance->slot);
    pthread_mutex_destroy(&instance->mutex);
    g_free(instance);
}
