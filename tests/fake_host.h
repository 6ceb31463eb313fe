/* SPDX-License-Identifier: Apache-2.0 */
/* A host of one lane, for tests that load one plugin and no core. */
#ifndef TEST_FAKE_HOST_H
#define TEST_FAKE_HOST_H

#include <dlfcn.h>

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
