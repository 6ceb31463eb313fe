/* SPDX-License-Identifier: Apache-2.0 */
/* A host of one lane, for tests that load one plugin and no core. */
#ifndef TEST_FAKE_HOST_H
#define TEST_FAKE_HOST_H

#include <dlfcn.h>
#include <math.h>

#include "scree/sdk.h"
#include "tap.h"

typedef struct fake_host {
    scree_host host;
    char text[512]; /* of the last fail */
    void *scratch;
    uint64_t scratch_bytes;
    int keeps_scratch; /* 1: a benchmark */
    uint64_t random_state;
    const void *output; /* service scree.output/1 */
    const void *summer; /* service scree.sum/1 */
    const void *names;  /* service scree.names/1 */
} fake_host;

static void fake_log(void *ctx, int32_t level, const char *text)
{
    printf("# log %d: %s\n", level, text);
}

static int32_t fake_fail(void *ctx, int32_t code, const char *text)
{
    snprintf(((fake_host *)ctx)->text, sizeof((fake_host *)ctx)->text, "%s", text);
    return code;
}

static int32_t fake_parallel_for(void *ctx, uint64_t begin, uint64_t end, uint64_t grain,
                                 scree_range_fn fn, void *user)
{
    for (uint64_t i = begin; i < end; i += grain) {
        int32_t status = fn(user, i, end - i < grain ? end : i + grain, 0);
        if (status != SCREE_OK)
            return status;
    }
    return SCREE_OK;
}

/* Exactly as long as asked for and filled with rubbish, so that a sanitizer sees what is wrong; of benchmarks kept
 * from call to call, as the host does. */
static void *fake_scratch(void *ctx, uint32_t lane, uint64_t bytes)
{
    fake_host *fake = ctx;
    if (fake->keeps_scratch && fake->scratch && bytes <= fake->scratch_bytes)
        return fake->scratch;
    fake->scratch_bytes = bytes;
    free(fake->scratch);
    if (posix_memalign(&fake->scratch, 64, bytes ? bytes : 1) != 0)
        return fake->scratch = NULL;
    return memset(fake->scratch, 0xa5, bytes);
}

static int32_t fake_cancelled(void *ctx)
{
    return 0;
}

static const void *fake_service(void *ctx, const char *name)
{
    const fake_host *fake = ctx;
    if (strcmp(name, SCREE_SERVICE_SUM) == 0)
        return fake->summer;
    if (strcmp(name, SCREE_SERVICE_NAMES) == 0)
        return fake->names;
    return strcmp(name, SCREE_SERVICE_OUTPUT) == 0 ? fake->output : NULL;
}

static inline void fake_init(fake_host *fake, uint32_t dimension)
{
    memset(fake, 0, sizeof *fake);
    fake->random_state = 88172645463325252ull;
    fake->host = (scree_host){.size = sizeof fake->host,
                              .minor = SCREE_ABI_MINOR,
                              .ctx = fake,
                              .lanes = 1,
                              .dimension = dimension,
                              .n_materials = 1,
                              .log = fake_log,
                              .fail = fake_fail,
                              .parallel_for = fake_parallel_for,
                              .scratch = fake_scratch,
                              .cancelled = fake_cancelled,
                              .get_service = fake_service};
}

/* xorshift64: uniform in [low, high). */
__attribute__((unused)) static double fake_uniform(fake_host *fake, double low, double high)
{
    uint64_t x = fake->random_state;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    fake->random_state = x;
    return low + (high - low) * scree_uniform(x);
}

/* The first plugin of a file, which is of that kind; ends the program when there is none. */
static inline const scree_plugin *fake_load(const char *path, uint32_t kind)
{
    void *file = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const scree_manifest *manifest = file ? dlsym(file, SCREE_MANIFEST_SYMBOL) : NULL;
    if (!manifest || strcmp(manifest->digest, SCREE_ABI_DIGEST) != 0 || manifest->n_plugins < 1 ||
        manifest->plugins[0]->kind != kind)
        bail_out("%s: %s", path, manifest ? "not the plugin wanted" : dlerror());
    return manifest->plugins[0];
}

/* Another plugin of such a file, the first of its kind; ends the program when there is none. */
__attribute__((unused)) static const scree_plugin *fake_other(const char *path, uint32_t kind)
{
    void *file = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const scree_manifest *manifest = file ? dlsym(file, SCREE_MANIFEST_SYMBOL) : NULL;
    const uint32_t n = manifest ? manifest->n_plugins : 0;
    for (uint32_t k = 0; k < n; k++)
        if (manifest->plugins[k]->kind == kind)
            return manifest->plugins[k];
    bail_out("%s: no plugin of kind %u", path, kind);
}

/* ---- parameters ---- */

/** The parameter of this name; ends the program when there is none. */
static inline const scree_param *fake_param(const scree_plugin *plugin, const char *name)
{
    for (uint32_t k = 0; k < plugin->n_params; k++)
        if (strcmp(plugin->params[k]->name, name) == 0)
            return plugin->params[k];
    bail_out("%s has no parameter %s", plugin->id, name);
}

/** The place of a parameter in a config. */
static inline void *fake_member(const scree_plugin *plugin, void *config, const char *name)
{
    return (char *)config + fake_param(plugin, name)->offset;
}

/** Sets a choice to one of its words, or a bool to "true" or "false". */
static inline void fake_choose(const scree_plugin *plugin, void *config, const char *name,
                               const char *word)
{
    const scree_param *p = fake_param(plugin, name);
    int32_t value = p->type == SCREE_TYPE_BOOL ? strcmp(word, "true") == 0 : -1;
    for (uint32_t c = 0; c < p->n_choices; c++)
        if (strcmp(p->choices[c]->name, word) == 0)
            value = (int32_t)p->choices[c]->value;
    if (value < 0)
        bail_out("no %s = %s", name, word);
    memcpy((char *)config + p->offset, &value, sizeof value);
}

/** Numbers and choices as the host sets them where a scene says nothing; an optional one is not given. */
static inline void fake_defaults(const scree_plugin *plugin, void *config)
{
    for (uint32_t k = 0; k < plugin->n_params; k++) {
        const scree_param *p = plugin->params[k];
        const double real = p->flags & SCREE_PARAM_OPTIONAL ? (double)NAN : p->real_default;
        if (p->type == SCREE_TYPE_REAL)
            memcpy((char *)config + p->offset, &real, sizeof real);
        else if (p->type == SCREE_TYPE_INT)
            memcpy((char *)config + p->offset, &p->int_default, sizeof p->int_default);
        else if (p->type == SCREE_TYPE_CHOICE && p->string_default)
            fake_choose(plugin, config, p->name, p->string_default);
    }
}

/** A parameter with its value for each pair of materials, or each material; others have the first. */
typedef struct fake_value {
    const char *name;
    double of[4];
} fake_value;

/** The law with these n parameters, which must be all that it has; NULL: refused. */
static inline void *fake_law(const scree_plugin *plugin, const scree_host *host,
                             const fake_value *list, uint32_t n)
{
    static _Alignas(16) char config[2048]; // valid until the next law is made, as the values
    static double values[32][4];
    void *law = NULL;
    memset(config, 0, sizeof config);
    if (n != plugin->n_params)
        bail_out("%u of %u parameters are known", n, plugin->n_params);
    for (uint32_t k = 0; k < n; k++) {
        const scree_param *p = fake_param(plugin, list[k].name);
        const uint64_t m = host->n_materials;
        const scree_reals reals = {p->type == SCREE_TYPE_PER_PAIR ? m * m : m, values[k]};
        const int32_t word = isnan(list[k].of[0]) ? 0 : (int32_t)list[k].of[0];
        memcpy(values[k], list[k].of, sizeof values[k]);
        if (p->type == SCREE_TYPE_CHOICE || p->type == SCREE_TYPE_BOOL)
            memcpy(config + p->offset, &word, sizeof word);
        else if (p->type == SCREE_TYPE_REAL)
            memcpy(config + p->offset, values[k], sizeof *values[k]);
        else
            memcpy(config + p->offset, &reals, sizeof reals);
    }
    return ((const scree_force_ops *)plugin->ops)->create(host, config, &law) == SCREE_OK ? law
                                                                                          : NULL;
}

/** Tests a law at each CPU level of its files, argv[1] and on, that this CPU has; the exit status of the program. */
static inline int fake_levels(int argc, char **argv,
                              void (*test)(const scree_plugin *plugin, fake_host *fake,
                                           int is_first))
{
    for (int a = 1; a < argc; a++) {
        fake_host fake;
        if (strstr(argv[a], "x86-64-v3") && !__builtin_cpu_supports("avx2")) {
            tap_ok(1, "all CPU levels give the same bits # SKIP this CPU lacks x86-64-v3");
            continue;
        }
        fake_init(&fake, 3);
        test(fake_load(argv[a], SCREE_KIND_FORCE), &fake, a == 1);
        free(fake.scratch);
    }
    return tap_end();
}

#endif
