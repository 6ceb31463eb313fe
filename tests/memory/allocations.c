/* SPDX-License-Identifier: Apache-2.0 */
/* No step allocates once buffers have their size: counted, with every thread and plugin. */
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OWN_MAIN
#include "../test.h"
#include "engine/step.h"
#include "packing.h"
#include "sanitized.h"

#include "base/aligned.h"
#include "config/config.h"
#include "config/config_set.h"
#include "engine/sim.h"
#include "plugin/registry.h"
#include "scene/scene.h"

#if !SANITIZED && defined(__GLIBC__)
#define COUNTS 1

static atomic_bool armed;
static atomic_uint_fast64_t counted;

/*
 * The program's definitions take the place of the C library's in everything that is linked or
 * loaded: the host, GLib (whose slices are switched off by G_SLICE), plugins.
 */
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t n);
void *__libc_memalign(size_t alignment, size_t n);
void __libc_free(void *memory);

static void count(void)
{
    if (atomic_load_explicit(&armed, memory_order_relaxed))
        atomic_fetch_add_explicit(&counted, 1, memory_order_relaxed);
}

void *malloc(size_t n)
{
    count();
    return __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
    count();
    return __libc_calloc(n, size);
}

void *realloc(void *old, size_t n)
{
    count();
    return __libc_realloc(old, n);
}

void *memalign(size_t alignment, size_t n)
{
    count();
    return __libc_memalign(alignment, n);
}

void *aligned_alloc(size_t alignment, size_t n)
{
    count();
    return __libc_memalign(alignment, n);
}

int posix_memalign(void **memory, size_t alignment, size_t n)
{
    count();
    void *got = __libc_memalign(alignment, n);
    if (!got)
        return 12; // ENOMEM
    *memory = got;
    return 0;
}

void free(void *memory)
{
    if (memory)
        count();
    __libc_free(memory);
}

void *mmap(void *at, size_t n, int protection, int flags, int file, off_t offset)
{
    count();
    return (void *)syscall(SYS_mmap, at, n, protection, flags, file, offset);
}

static void arm(void)
{
    atomic_store(&counted, 0);
    atomic_store(&armed, true);
}

static uint64_t disarm(void)
{
    atomic_store(&armed, false);
    return atomic_load(&counted);
}
/* ---- the count counts ---- */

static void *use_malloc(void)
{
    return malloc(100);
}

static void *use_calloc(void)
{
    return calloc(10, 10);
}

static void *use_realloc(void)
{
    return realloc(NULL, 100);
}

static void *use_aligned(void)
{
    return aligned_alloc(64, 128);
}

static void *use_posix(void)
{
    void *memory = NULL;
    return posix_memalign(&memory, 64, 128) ? NULL : memory;
}

static void *use_glib(void)
{
    return g_new(char, 100);
}

static void *use_host(void)
{
    return scree_aligned_new(100);
}

TEST("/allocations/each-call-is-counted")
{
    void *(*const uses[])(void) = {use_malloc, use_calloc, use_realloc, use_aligned,
                                   use_posix,  use_glib,   use_host};
    for (size_t k = 0; k < G_N_ELEMENTS(uses); k++) {
        arm();
        void *volatile memory = uses[k]();
        g_assert_cmpuint(disarm(), ==, 1);
        arm();
        free(memory);
        g_assert_cmpuint(disarm(), ==, 1);
    }
    arm();
    void *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    g_assert_cmpuint(disarm(), ==, 1);
    g_assert_true(page != MAP_FAILED);
    munmap(page, 4096);
    free(use_malloc());
    g_assert_cmpuint(disarm(), ==, 1); // not armed: nothing more
}

static int32_t take_chunk(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    free(use_malloc());
    return 0;
}

TEST("/allocations/those-of-all-lanes")
{
    scree_pool *pool = scree_pool_new(2);
    scree_pool_for(pool, 0, 100, 1, take_chunk, NULL); // its threads have started after it
    arm();
    scree_pool_for(pool, 0, 100, 1, take_chunk, NULL);
    g_assert_cmpuint(disarm(), ==, 200);
    scree_pool_free(pool);
}

/* ---- steps ---- */

enum { CELLS = 9, WARM = 60, STEPS = 200, EVERY = 5 };

/** A scene from its text and an override, with a packing's spheres when m > 0. */
static scree_sim *start(const char *text, const char *set, uint32_t m, uint32_t threads)
{
    g_autoptr(GError) error = NULL;
    static scree_registry *registry;
    const char *const paths[] = {g_test_get_dir(G_TEST_BUILT), NULL};
    if (!registry)
        registry = scree_registry_new(paths, NULL);
    scree_config *config = scree_config_parse(text, "s.cfg", g_test_get_dir(G_TEST_DIST));
    if (set)
        g_assert_true(scree_config_set(config, set, NULL));
    scree_scene *scene = scree_scene_new(config, "s", registry, &error);
    g_assert_no_error(error);
    packing_add(scene, m);
    scree_sim *sim =
        scree_sim_new(scene, &(scree_sim_options){.threads = threads, .all_lanes = true}, &error);
    g_assert_no_error(error);
    return sim;
}

static void step(scree_sim *sim, bool refresh)
{
    g_autoptr(GError) error = NULL;
    if (refresh) { // new extents of all, or of every third body
        for (uint32_t i = 0; sim->extents.renew_moved && i < sim->world->n_free; i += 3)
            sim->boxes.must_renew[i] = 1;
        sim->boxes.valid = sim->extents.renew_moved;
        sim->contacts.stale = true;
    }
    scree_sim_step(sim, &error);
    g_assert_no_error(error);
}

/** Counts of calls in steps without and with a refresh, after the warm-up. */
static void count_steps(scree_sim *sim, uint64_t calls[2])
{
    uint64_t n_steps[2] = {0, 0};
    for (int n = 0; n < WARM; n++)
        step(sim, n % EVERY == 0);
    calls[0] = calls[1] = 0;
    for (int n = 0; n < STEPS; n++) {
        uint64_t before = sim->counters.gcd_calls;
        arm();
        step(sim, n % EVERY == 0);
        uint64_t now = disarm();
        calls[sim->counters.gcd_calls > before] += now;
        n_steps[sim->counters.gcd_calls > before]++;
    }
    g_test_message("%" G_GUINT64_FORMAT " calls in %" G_GUINT64_FORMAT
                   " steps without a refresh, %" G_GUINT64_FORMAT " in %" G_GUINT64_FORMAT
                   " with one; %" G_GUINT64_FORMAT " contacts",
                   calls[0], n_steps[0], calls[1], n_steps[1], sim->counters.contacts);
    g_assert_cmpuint(MIN(n_steps[0], n_steps[1]), >=, STEPS / EVERY);
    g_assert_cmpuint(sim->counters.contacts, >, 0);
}

TEST("/allocations/those-of-a-plugin-in-its-file")
{
    g_autofree char *text = packing_scene(3, "", "");
    uint64_t calls[2];
    g_autoptr(scree_sim) sim = start(text, "force=({plugin=\"greedy\";})", 3, 1);
    count_steps(sim, calls);
    g_assert_cmpuint(calls[0], >=, 2 * (STEPS - STEPS / EVERY));
    g_assert_cmpuint(calls[1], >=, 2 * (STEPS / EVERY));
}

static void check_bed(const char *set, uint32_t threads)
{
    g_autofree char *text = packing_scene(CELLS, "", "");
    uint64_t calls[2];
    g_autoptr(scree_sim) sim = start(text, set, CELLS, threads);
    count_steps(sim, calls);
    g_assert_cmpuint(calls[0], ==, 0);
    g_assert_cmpuint(calls[1], ==, 0);
}

TEST("/allocations/a-settled-bed-makes-none")
{
    check_bed(NULL, 1);
}

TEST("/allocations/nor-on-two-threads")
{
    check_bed(NULL, 2);
}

/* Renewal of what moved keeps boxes, slots and pairs from one refresh to the next. */
TEST("/allocations/nor-when-extents-are-renewed-as-they-move")
{
    check_bed("extent={eps_v=0.0; eps_e=0.0; eps_c=5.0e-5; renew=\"moved\";}", 1);
}

/* New storage numbers every few steps. */
TEST("/allocations/nor-when-bodies-are-renumbered")
{
    check_bed("renumber={every=7;}", 2);
}
#endif

int main(int argc, char **argv)
{
#ifndef COUNTS
    puts("1..0 # SKIP the count stands in for the C library's malloc, as sanitizers do");
    return 0;
#else
    g_setenv("G_SLICE", "always-malloc", TRUE); // before GLib allocates
    return test_run(argc, argv);
#endif
}
