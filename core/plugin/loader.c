/* SPDX-License-Identifier: Apache-2.0 */
/* Judges files that may be loaded, each with its build for a better CPU, and loads them once. */
#include "plugin/loader.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "base/cpu.h"
#include "plugin/dl.h"
#include "plugin/index.h"
#include "plugin/trial.h"
#include "plugin/trust.h"

#define SUFFIX ".so"
#define TWIN_SUFFIX "." SCREE_CPU_V3 SUFFIX

/* One algorithm, two builds. */

bool scree_file_is_twin(const char *name)
{
    return g_str_has_suffix(name, TWIN_SUFFIX);
}

/** Path of the twin that this CPU takes, a new string; NULL: none. */
static char *find_twin(const char *path, const char *level)
{
    if (!g_str_equal(level, SCREE_CPU_V3) || scree_file_is_twin(path) ||
        !g_str_has_suffix(path, SUFFIX))
        return NULL;
    char *twin = g_strdup_printf("%.*s" TWIN_SUFFIX, (int)(strlen(path) - strlen(SUFFIX)), path);
    if (!g_file_test(twin, G_FILE_TEST_EXISTS))
        g_clear_pointer(&twin, g_free);
    return twin;
}

static bool same_offers(const GPtrArray *a, const GPtrArray *b)
{
    if (a->len != b->len)
        return false;
    for (guint i = 0; i < a->len; i++) {
        const scree_offer *x = a->pdata[i], *y = b->pdata[i];
        if (x->kind != y->kind || !g_str_equal(x->id, y->id) ||
            !g_str_equal(x->version, y->version) || !g_str_equal(x->left_out, y->left_out))
            return false;
    }
    return true;
}

scree_candidate *scree_candidate_new(const char *path, GPtrArray *trusted)
{
    scree_candidate *c = g_new0(scree_candidate, 1);
    const char *level = scree_cpu_level(&c->error);
    if (level)
        c->file = scree_held_new(path, trusted, &c->error);
    g_autofree char *twin = c->file ? find_twin(c->file->opened.path, level) : NULL;
    if (twin)
        c->twin = scree_held_new(twin, trusted, &c->error);
    return c;
}

void scree_candidate_free(scree_candidate *c)
{
    if (!c)
        return;
    scree_held_free(c->file);
    scree_held_free(c->twin);
    if (c->offers)
        g_ptr_array_unref(c->offers);
    g_clear_error(&c->error);
    g_free(c);
}

/* Verdicts. */

/* Verdicts on held files, by name_bytes, until the process ends: it tries each file once. */
static GHashTable *verdicts;

/** Key of a verdict: the path, which messages name, and what identifies the bytes. New string. */
static char *name_bytes(const scree_held *held)
{
    g_autofree char *stat = scree_index_stat(&held->opened.status);
    return g_strdup_printf("%s %ju %s %s", held->opened.path, (uintmax_t)held->opened.status.st_dev,
                           stat, held->settled ? "" : held->sha256);
}

static scree_verdict *find_verdict(const scree_held *held)
{
    g_autofree char *name = name_bytes(held);
    return verdicts ? g_hash_table_lookup(verdicts, name) : NULL;
}

static void free_verdict(void *data)
{
    scree_verdict *v = data;
    if (v->offers)
        g_ptr_array_unref(v->offers);
    g_clear_error(&v->error);
    g_free(v);
}

static void add_verdict(const scree_held *held, scree_verdict v)
{
    if (!verdicts)
        verdicts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_verdict);
    g_hash_table_replace(verdicts, name_bytes(held), g_memdup2(&v, sizeof v));
}

/** Adds the file unless it was tried already or the index knows it. */
static void add_trial(GPtrArray *trials, scree_held *held, bool to_load)
{
    const scree_verdict *known = held ? find_verdict(held) : NULL;
    if (!held || (known && !(known->by_times && to_load)))
        return;
    GPtrArray *offers = scree_index_find(held, to_load);
    if (offers)
        add_verdict(held, (scree_verdict){.offers = offers, .by_times = !to_load});
    else
        g_ptr_array_add(trials, held);
}

static void try_all(const GPtrArray *trials)
{
    scree_held *const *files = (scree_held *const *)trials->pdata;
    g_autofree scree_verdict *found = g_new0(scree_verdict, trials->len + 1);
    scree_try_files(files, found, trials->len);
    for (guint i = 0; i < trials->len; i++)
        add_verdict(files[i], found[i]);
}

/** Takes the verdicts on both files, and compares what they offer. */
static void conclude(scree_candidate *c)
{
    const scree_verdict *own = find_verdict(c->file),
                        *other = c->twin ? find_verdict(c->twin) : own;
    c->hung = own->hung || other->hung;
    if (own->error || other->error)
        c->error = g_error_copy(own->error ? own->error : other->error);
    else if (same_offers(own->offers, other->offers))
        c->offers = g_ptr_array_ref(own->offers);
    else
        scree_fail(&c->error, SCREE_EXIT_PLUGIN,
                   "%s: offers other plugins or versions than %s, whose build for %s it is",
                   c->twin->opened.path, c->file->opened.path, SCREE_CPU_V3);
}

static void try_candidates(GPtrArray *candidates, bool to_load)
{
    g_autoptr(GPtrArray) trials = g_ptr_array_new();
    for (guint i = 0; i < candidates->len; i++) {
        const scree_candidate *c = candidates->pdata[i];
        if (c->error || c->offers)
            continue;
        add_trial(trials, c->file, to_load && !c->twin);
        add_trial(trials, c->twin, to_load);
    }
    try_all(trials);
    for (guint i = 0; i < candidates->len; i++) {
        scree_candidate *c = candidates->pdata[i];
        if (!c->error && !c->offers)
            conclude(c);
    }
}

/* Files that are in. */

static pthread_mutex_t files_mutex = PTHREAD_MUTEX_INITIALIZER; // of verdicts, indices, files
static GPtrArray *files; /* elements: loaded; never freed, as the code that they point to */

typedef struct loaded {
    scree_file file;
    scree_held *held;
} loaded;

void scree_candidates_try(GPtrArray *candidates, bool to_load)
{
    pthread_mutex_lock(&files_mutex);
    try_candidates(candidates, to_load);
    pthread_mutex_unlock(&files_mutex);
}

/** The loaded file with these bytes; NULL: none. */
static scree_file *find_held_file(const scree_held *held)
{
    if (files)
        for (guint i = 0; i < files->len; i++) {
            loaded *one = files->pdata[i];
            if (g_str_equal(one->file.path, held->opened.path) &&
                g_str_equal(one->file.sha256, held->sha256))
                return &one->file;
        }
    return NULL;
}

/** The manifest without the descriptors that the trial has left out, which are added to `left_out`.
 * It stays for good, as the file. */
static const scree_manifest *serve_manifest(const scree_manifest *manifest, const GPtrArray *offers,
                                            GPtrArray *left_out)
{
    g_autoptr(GPtrArray) served = g_ptr_array_new();
    for (uint32_t i = 0; i < manifest->n_plugins; i++) {
        const scree_plugin *plugin = manifest->plugins[i];
        const scree_offer *offer = scree_offers_find(offers, plugin->kind, plugin->id);
        if (offer && !*offer->left_out)
            g_ptr_array_add(served, (gpointer)plugin);
        else if (offer)
            g_ptr_array_add(left_out, scree_offer_new(plugin, g_new0(char *, 1), offer->left_out));
    }
    scree_manifest *own = g_memdup2(manifest, sizeof *manifest);
    own->size = sizeof *own;
    own->n_plugins = served->len;
    own->plugins = (const scree_plugin *const *)g_ptr_array_free(g_steal_pointer(&served), FALSE);
    return own;
}

/** Loads the file that was tried, and takes what is held. */
static scree_file *take_held_file(scree_held **held, const GPtrArray *offers, GError **error)
{
    if (!scree_held_sha256(*held, error))
        return NULL;
    scree_file *file = find_held_file(*held);
    if (file)
        return file;
    const scree_verdict *verdict = find_verdict(*held);
    const scree_offer *first = (verdict ? verdict->offers : offers)->pdata[0];
    (*held)->led = verdict && verdict->led;
    void *handle = scree_held_load(*held, error);
    const scree_manifest *manifest = handle ? dlsym(handle, SCREE_MANIFEST_SYMBOL) : NULL;
    if (handle && !manifest)
        scree_fail(error, SCREE_EXIT_PLUGIN, "exports no " SCREE_MANIFEST_SYMBOL);
    if (!manifest) {
        g_prefix_error(error, "%s: ", (*held)->opened.path);
        return NULL;
    }
    loaded *one = g_new0(loaded, 1);
    one->held = g_steal_pointer(held);
    file = &one->file;
    file->path = one->held->opened.path;
    file->sha256 = one->held->sha256;
    file->fd = one->held->opened.fd;
    file->left_out = scree_offers_new();
    file->manifest = serve_manifest(manifest, offers, file->left_out);
    file->build_id = g_strdup(first->build_id);
    file->cpu_level = scree_file_is_twin(file->path) ? SCREE_CPU_V3 : g_strdup(first->cpu_level);
    if (!files)
        files = g_ptr_array_new();
    g_ptr_array_add(files, one);
    return file;
}

const scree_file *scree_candidate_load(scree_candidate *c, GError **error)
{
    if (!c->offers) {
        g_propagate_error(error, g_error_copy(c->error));
        return NULL;
    }
    pthread_mutex_lock(&files_mutex);
    scree_file *file = take_held_file(c->twin ? &c->twin : &c->file, c->offers, error);
    pthread_mutex_unlock(&files_mutex);
    return file;
}

scree_candidate *scree_candidate_tried(const char *path, GPtrArray *trusted)
{
    g_autoptr(GPtrArray) one = g_ptr_array_new();
    g_ptr_array_add(one, scree_candidate_new(path, trusted));
    scree_candidates_try(one, true);
    return one->pdata[0];
}

const scree_file *scree_file_load(const char *path, GPtrArray *trusted, GError **error)
{
    g_autoptr(scree_candidate) c = scree_candidate_tried(path, trusted);
    return scree_candidate_load(c, error);
}

const scree_plugin *scree_file_own_source(const scree_file *file)
{
    for (uint32_t k = 0; k < file->manifest->n_plugins; k++) {
        const scree_plugin *plugin = file->manifest->plugins[k];
        if (plugin->kind == SCREE_KIND_SOURCE && plugin->flags & SCREE_CAP_BY_INTEGRATOR)
            return plugin;
    }
    return NULL;
}

GPtrArray *scree_files_changed(void)
{
    GPtrArray *paths = g_ptr_array_new();
    pthread_mutex_lock(&files_mutex);
    const guint n = files ? files->len : 0;
    for (guint i = 0; i < n; i++) {
        const loaded *one = files->pdata[i];
        if (!scree_held_is_same(one->held))
            g_ptr_array_add(paths, one->file.path);
    }
    pthread_mutex_unlock(&files_mutex);
    return paths;
}
