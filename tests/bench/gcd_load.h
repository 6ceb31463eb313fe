/* SPDX-License-Identifier: Apache-2.0 */
/* Loads a GCD plugin file without the host: a small fake host, config from the schema's defaults
 * and NAME=VALUE words, boxes, sinks that collect. For the benchmark. */
#ifndef SCREE_TEST_GCD_LOAD_H
#define SCREE_TEST_GCD_LOAD_H

#include <dlfcn.h>
#include <math.h>
#include <time.h>

#include "../tap.h"
#include <scree/sdk.h>

#define LANES 4u

/** A plugin with one instance of it; tests may set ops and instance themselves. */
typedef struct gcd {
    const scree_plugin *plugin;
    const scree_gcd_ops *ops;
    void *instance;
    uint32_t flags; // of the descriptor
    const char *id;
    const char *file;
    _Alignas(16) unsigned char config[1024];
} gcd;

/** A nested GCD: "ID" or "ID:NAME=VALUE:...", a file of the folder of its owner. */
struct scree_plugin_ref {
    const char *owner;
    char text[256];
};

/** Boxes that tests may write, and the view of them that a plugin gets. */
typedef struct world {
    scree_boxes view;
    uint32_t n, dimension, capacity;
    double *lo[3], *hi[3], *centre[3], *radius;
} world;

/** Everything a sink was given. */
typedef struct pair_list {
    scree_pair_sink sink;
    scree_pair *v;
    uint64_t n, reserved, capacity;
} pair_list;

typedef struct index_list {
    scree_index_sink sink;
    uint32_t *v;
    uint64_t n, reserved, capacity;
} index_list;

/* ---- the fake host ---- */

static void fake_log(void *ctx, int32_t level, const char *text)
{
    printf("# log %d: %s\n", level, text);
}

static int32_t fake_fail(void *ctx, int32_t code, const char *text)
{
    printf("# failed %d: %s\n", code, text);
    return code;
}

static int32_t fake_parallel_for(void *ctx, uint64_t begin, uint64_t end, uint64_t grain,
                                 scree_range_fn fn, void *user)
{
    for (uint64_t i = begin, chunk = 0; i < end; i += grain, chunk++) {
        int32_t status = fn(user, i, i + grain < end ? i + grain : end, 0);
        if (status != SCREE_OK)
            return status;
    }
    return SCREE_OK;
}

static void *fake_scratch(void *ctx, uint32_t lane, uint64_t bytes)
{
    static void *memory[LANES];
    static uint64_t room[LANES];
    if (room[lane] < bytes) {
        free(memory[lane]);
        room[lane] = (bytes + 63) / 64 * 64;
        memory[lane] = aligned_alloc(64, room[lane]);
    }
    return memory[lane];
}

static int32_t fake_cancelled(void *ctx)
{
    return 0;
}

/* SplitMix64 (Steele, Lea and Flood 2014). */
static uint64_t mix_bits(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static uint64_t fake_random(void *ctx, uint64_t seed, uint64_t id, uint64_t step)
{
    return mix_bits(mix_bits(mix_bits(seed) ^ id) ^ step);
}

static int32_t fake_make_instance(void *ctx, const scree_plugin_ref *ref,
                                  const scree_plugin **plugin, const void **ops, void **instance);

static const void *fake_get_service(void *ctx, const char *name)
{
    return NULL;
}

static const scree_host fake_host = {
    .size = sizeof(scree_host),
    .minor = SCREE_ABI_MINOR,
    .lanes = LANES,
    .dimension = 3,
    .n_materials = 1,
    .log = fake_log,
    .fail = fake_fail,
    .parallel_for = fake_parallel_for,
    .scratch = fake_scratch,
    .cancelled = fake_cancelled,
    .random = fake_random,
    .make_instance = fake_make_instance,
    .get_service = fake_get_service,
};

/* ---- config ---- */

static int set_choice(const scree_param *p, const char *text, void *to)
{
    for (uint32_t c = 0; c < p->n_choices; c++) {
        if (strcmp(p->choices[c]->name, text) == 0) {
            memcpy(to, &p->choices[c]->value, sizeof(int32_t));
            return 1;
        }
    }
    return 0;
}

/* Configs of nested plugins: their instances use them until they end. */
static void *kept_nested[64];
static uint32_t n_kept;

static void keep_nested(void *memory)
{
    if (n_kept < 64)
        kept_nested[n_kept++] = memory;
}

static inline void free_nested(void)
{
    while (n_kept)
        free(kept_nested[--n_kept]);
}

static int set_nested(gcd *g, const char *text, void *to)
{
    scree_plugin_ref *ref = text ? calloc(1, sizeof *ref) : NULL;
    keep_nested(ref);
    if (ref) {
        ref->owner = g->file;
        snprintf(ref->text, sizeof ref->text, "%s", text);
    }
    memcpy(to, &ref, sizeof ref);
    return !text == !ref;
}

/* `text` NULL: the default. 1 when it could be set. */
static int set_param(gcd *g, const scree_param *p, const char *text)
{
    void *to = g->config + p->offset;
    double real = text ? strtod(text, NULL) : p->real_default;
    int64_t whole = text ? strtoll(text, NULL, 10) : p->int_default;
    int32_t truth = text ? strcmp(text, "true") == 0 : (int32_t)p->int_default;
    if (p->type == SCREE_TYPE_CHOICE)
        return set_choice(p, text ? text : p->string_default, to);
    if (p->type == SCREE_TYPE_PLUGIN)
        return set_nested(g, text ? text : p->string_default, to);
    if (p->type == SCREE_TYPE_REAL)
        memcpy(to, &real, sizeof real);
    else if (p->type == SCREE_TYPE_INT)
        memcpy(to, &whole, sizeof whole);
    else if (p->type == SCREE_TYPE_BOOL)
        memcpy(to, &truth, sizeof truth);
    else
        return text == NULL;
    return 1;
}

static int set_word(gcd *g, const char *word)
{
    const char *equals = strchr(word, '=');
    if (equals)
        for (uint32_t k = 0; k < g->plugin->n_params; k++) {
            const scree_param *p = g->plugin->params[k];
            if (strlen(p->name) == (size_t)(equals - word) &&
                memcmp(p->name, word, (size_t)(equals - word)) == 0)
                return set_param(g, p, equals + 1);
        }
    return 0;
}

/** The plugin `id` of the file; NULL: its first. NULL when there is none. */
static const scree_plugin *find_plugin(const scree_manifest *m, const char *id)
{
    for (uint32_t k = 0; k < m->n_plugins; k++)
        if (!id || strcmp(m->plugins[k]->id, id) == 0)
            return m->plugins[k];
    return NULL;
}

/** Opens FILE, or FILE.so:ID for one plugin of several, and fills the config; the caller makes the instance. 1 when
 * all went well. */
static int load_gcd(gcd *g, const char *file, int n_words, char **words)
{
    const char *end = strstr(file, ".so:");
    char path[4096];
    snprintf(path, sizeof path, "%.*s", end ? (int)(end + 3 - file) : (int)strlen(file), file);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const scree_manifest *m = handle ? dlsym(handle, SCREE_MANIFEST_SYMBOL) : NULL;
    memset(g, 0, sizeof *g);
    if (!m) {
        printf("Bail out! %s\n", dlerror());
        return 0;
    }
    g->plugin = find_plugin(m, end ? end + strlen(".so:") : NULL);
    if (strcmp(m->digest, SCREE_ABI_DIGEST) != 0 || !g->plugin ||
        g->plugin->kind != SCREE_KIND_GCD || g->plugin->config_size > sizeof g->config) {
        printf("Bail out! %s: not a GCD plugin of these headers\n", file);
        return 0;
    }
    g->ops = g->plugin->ops;
    g->flags = g->plugin->flags;
    g->id = g->plugin->id;
    g->file = file;
    for (uint32_t k = 0; k < g->plugin->n_params; k++)
        set_param(g, g->plugin->params[k], NULL);
    for (int w = 0; w < n_words; w++) {
        if (!set_word(g, words[w])) {
            printf("Bail out! %s: no parameter takes %s\n", g->id, words[w]);
            return 0;
        }
    }
    return 1;
}

static int32_t fake_make_instance(void *ctx, const scree_plugin_ref *ref,
                                  const scree_plugin **plugin, const void **ops, void **instance)
{
    const char *slash = strrchr(ref->owner, '/'), *dot;
    const char *name = slash ? slash + 1 : ref->owner;
    char path[1024], text[256], *words[32] = {0}, *rest;
    int n_words = 0;
    gcd *g = calloc(1, sizeof *g);
    dot = strchr(name, '.');
    snprintf(text, sizeof text, "%s", ref->text);
    char *id = strtok_r(text, ":", &rest);
    if (id)
        while (n_words < 32 && (words[n_words] = strtok_r(NULL, ":", &rest)))
            n_words++;
    snprintf(path, sizeof path, "%.*s%s%s", (int)(name - ref->owner), ref->owner, id ? id : "",
             dot ? dot : ".so");
    char *kept = strdup(path);
    keep_nested(g);
    keep_nested(kept);
    if (!g || !kept || !load_gcd(g, kept, n_words, words))
        return fake_fail(ctx, SCREE_E_CONFIG, "no such nested plugin");
    *plugin = g->plugin;
    *ops = g->ops;
    return g->ops->create(&fake_host, g->config, instance);
}

/* ---- time and chance ---- */

static inline double now(void) // [s]
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline double uniform(uint64_t *state)
{
    return scree_uniform(mix_bits((*state)++));
}

/* ---- boxes and sinks ---- */

static void *must(void *memory)
{
    if (!memory)
        bail_out("out of memory");
    return memory;
}

/** Room for `n` boxes; what was in it is lost. */
static void resize_world(world *w, uint32_t n, uint32_t dimension)
{
    w->n = n;
    w->dimension = dimension;
    if (n > w->capacity || !w->radius) {
        size_t bytes = ((size_t)n * sizeof(double) + 64) / 64 * 64;
        double **arrays[10] = {&w->lo[0], &w->lo[1],     &w->lo[2],     &w->hi[0],     &w->hi[1],
                               &w->hi[2], &w->centre[0], &w->centre[1], &w->centre[2], &w->radius};
        for (uint32_t k = 0; k < 10; k++) {
            free(*arrays[k]);
            *arrays[k] = must(aligned_alloc(64, bytes));
        }
        w->capacity = n;
    }
    w->view = (scree_boxes){.size = sizeof w->view, .dimension = dimension, .n = n};
    for (uint32_t k = 0; k < 3; k++) {
        w->view.lo[k] = w->lo[k];
        w->view.hi[k] = w->hi[k];
        w->view.centre[k] = w->centre[k];
    }
    w->view.radius = w->radius;
}

static void free_world(world *w)
{
    for (uint32_t k = 0; k < 3; k++) {
        free(w->lo[k]);
        free(w->hi[k]);
        free(w->centre[k]);
    }
    free(w->radius);
    memset(w, 0, sizeof *w);
}

/** A box around x with half sides h; its sphere is that of a ball (largest half side) when all half
 * sides are equal, else around the corners. */
static void set_box(world *w, uint32_t i, const double x[3], const double h[3])
{
    double r2 = 0.0;
    for (uint32_t k = 0; k < 3; k++) {
        int on = k < w->dimension;
        w->centre[k][i] = on ? x[k] : 0.0;
        w->lo[k][i] = on ? x[k] - h[k] : 0.0;
        w->hi[k][i] = on ? x[k] + h[k] : 0.0;
        r2 += on ? h[k] * h[k] : 0.0;
    }
    int ball = h[0] == h[1] && (w->dimension == 2 || h[0] == h[2]);
    w->radius[i] = ball ? h[0] : sqrt(r2) * (1.0 + 1e-12);
}

static inline void empty_slot(world *w, uint32_t i)
{
    for (uint32_t k = 0; k < 3; k++) {
        w->lo[k][i] = HUGE_VAL;
        w->hi[k][i] = -HUGE_VAL;
        w->centre[k][i] = 0.0;
    }
    w->radius[i] = 0.0;
}

static int32_t reserve_pairs(scree_pair_sink *sink, uint64_t n, scree_pair **out)
{
    pair_list *list = sink->ctx;
    if (!scree_grow(&list->v, &list->capacity, list->n + n, sizeof *list->v))
        return SCREE_E_MEMORY;
    list->reserved = n;
    *out = list->v + list->n;
    return SCREE_OK;
}

/* More than was reserved is the plugin's bug. */
static int32_t commit_pairs(scree_pair_sink *sink, uint64_t n)
{
    pair_list *list = sink->ctx;
    if (n > list->reserved)
        return SCREE_E_INTERNAL;
    list->n += n;
    list->reserved = 0;
    return SCREE_OK;
}

static int32_t reserve_indices(scree_index_sink *sink, uint64_t n, uint32_t **out)
{
    index_list *list = sink->ctx;
    if (!scree_grow(&list->v, &list->capacity, list->n + n, sizeof *list->v))
        return SCREE_E_MEMORY;
    list->reserved = n;
    *out = list->v + list->n;
    return SCREE_OK;
}

static int32_t commit_indices(scree_index_sink *sink, uint64_t n)
{
    index_list *list = sink->ctx;
    if (n > list->reserved)
        return SCREE_E_INTERNAL;
    list->n += n;
    list->reserved = 0;
    return SCREE_OK;
}

/** Makes the list empty and ready for lane `lane`. */
static inline void open_pairs(pair_list *list, uint32_t lane)
{
    list->sink = (scree_pair_sink){sizeof list->sink, lane, list, reserve_pairs, commit_pairs};
    list->n = 0;
}

static inline void open_indices(index_list *list)
{
    list->sink = (scree_index_sink){sizeof list->sink, 0, list, reserve_indices, commit_indices};
    list->n = 0;
}

#endif
