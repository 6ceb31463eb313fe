/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about the machine and the build of a comparison. */
#include "tools/compare/compare_machine.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "build_config.h"

#define LEAST_S 0.05 /* [s] shorter times depend on the resolution of clocks */

static void add_fact(GPtrArray *facts, const char *key, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

static void add_fact(GPtrArray *facts, const char *key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_ptr_array_add(facts, g_strdup(key));
    g_ptr_array_add(facts, g_strdup_vprintf(format, arguments));
    va_end(arguments);
}

/** The text after `key` in a line of a file; without a key, the first line. New string; NULL:
 * none. */
static char *read_fact(const char *path, const char *key)
{
    g_autofree char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL))
        return NULL;
    const char *at = key ? strstr(text, key) : text;
    if (!at)
        return NULL;
    at += key ? strlen(key) + strspn(at + strlen(key), " \t:") : 0;
    return g_strstrip(g_strndup(at, strcspn(at, "\n")));
}

static void add_caches(GPtrArray *facts)
{
    static const struct {
        int name;
        const char *key;
    } caches[] = {{_SC_LEVEL1_DCACHE_SIZE, "cache L1d"},
                  {_SC_LEVEL2_CACHE_SIZE, "cache L2"},
                  {_SC_LEVEL3_CACHE_SIZE, "cache L3"}};
    for (size_t i = 0; i < G_N_ELEMENTS(caches); i++) {
        long bytes = sysconf(caches[i].name);
        if (bytes > 0)
            add_fact(facts, caches[i].key, "%ld KiB", bytes / 1024);
    }
}

/** Adds the members of "machine", and the CPU level, from a variant that has run. */
static void add_build(const scree_comparison *c, GPtrArray *facts)
{
    for (guint i = 0; i < c->variants->len; i++) {
        const scree_variant *v = scree_comparison_variant(c, i);
        if (!v->report)
            continue;
        JsonObject *run = json_node_get_object(v->report);
        JsonObject *machine = json_object_get_object_member(run, "machine");
        add_fact(facts, "CPU", "%s", json_object_get_string_member(machine, "cpu"));
        add_fact(facts, "compiler", "%s", json_object_get_string_member(machine, "compiler"));
        add_fact(facts, "flags", "%s", json_object_get_string_member(machine, "flags"));
        add_fact(facts, "CPU level", "%s", json_object_get_string_member(run, "cpu_level"));
        return;
    }
}

/** Sums the time of all timed steps [s]. */
static double timed_s(const scree_comparison *c, bool of_threads)
{
    double all = 0.0;
    for (guint i = 0; i < c->variants->len; i++) {
        const scree_variant *v = scree_comparison_variant(c, i);
        for (guint k = 0; k < v->samples->len; k++)
            all += g_array_index(v->samples, scree_sample, k).wall_s *
                   (of_threads ? v->threads * v->ranks : 1);
    }
    return all;
}

/** Share of the timed steps in which the variants had CPUs; NaN: nothing was timed. */
static double cpu_share(const scree_comparison *c)
{
    double cpu_s = 0.0;
    for (guint i = 0; i < c->variants->len; i++) {
        const scree_variant *v = scree_comparison_variant(c, i);
        for (guint k = 0; k < v->samples->len; k++)
            cpu_s += g_array_index(v->samples, scree_sample, k).cpu_s;
    }
    return cpu_s / timed_s(c, true);
}

static void add_pins(const scree_comparison *c, GPtrArray *facts)
{
    g_autoptr(GString) pins = g_string_new(NULL);
    for (guint i = 0; c->cpus && i < c->n_cpus; i++)
        g_string_append_printf(pins, "%s%d", i ? ", " : "", c->cpus[i]);
    add_fact(facts, "pinned to CPU", "%s", pins->len ? pins->str : "no");
    if (!c->cpus)
        return;
    g_autofree char *path =
        g_strdup_printf("/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", c->cpus[0]);
    g_autofree char *governor = read_fact(path, NULL);
    if (governor)
        add_fact(facts, "governor", "%s", governor);
}

GPtrArray *scree_comparison_machine(const scree_comparison *c)
{
    GPtrArray *facts = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDateTime) now = g_date_time_new_now_utc();
    g_autofree char *date = g_date_time_format(now, "%Y-%m-%d %H:%M UTC");
    g_autofree char *memory = read_fact("/proc/meminfo", "MemTotal");
    double load = 0.0;
    struct utsname name;
    add_fact(facts, "date", "%s", date);
    add_fact(facts, "scree", SCREE_VERSION);
    add_build(c, facts);
    add_fact(facts, "CPUs", "%u", g_get_num_processors());
    add_caches(facts);
    if (memory)
        add_fact(facts, "memory", "%s", memory);
    if (uname(&name) == 0)
        add_fact(facts, "kernel", "%s %s", name.sysname, name.release);
    add_pins(c, facts);
    if (cpu_share(c) > 0.0)
        add_fact(facts, "share of the CPU", "%.1f %% of the timed steps", 100.0 * cpu_share(c));
    add_fact(facts, "load before", "%.2f", c->load);
    if (getloadavg(&load, 1) == 1)
        add_fact(facts, "load after", "%.2f", load);
    return facts;
}

/* ---- CPUs for pinning ---- */

/** A CPU that this process may use, and its idle time [ticks]. */
typedef struct cpu {
    int number;
    uint64_t idle;
} cpu;

/** Adds `sign` times the idle times of /proc/stat; missing ones count as 0. */
static void add_idle(GArray *cpus, int sign)
{
    g_autofree char *text = NULL;
    if (!g_file_get_contents("/proc/stat", &text, NULL, NULL))
        return;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++) {
        int number;
        unsigned long long idle;
        if (sscanf(*line, "cpu%d %*u %*u %*u %llu", &number, &idle) != 2)
            continue;
        for (guint i = 0; i < cpus->len; i++)
            if (g_array_index(cpus, cpu, i).number == number)
                g_array_index(cpus, cpu, i).idle += sign > 0 ? idle : -idle;
    }
}

/** Sorts the idlest first; of equals the last, because the first CPUs usually serve interrupts. */
static int compare_cpus(const void *a, const void *b)
{
    const cpu *x = a, *y = b;
    if (x->idle != y->idle)
        return x->idle > y->idle ? -1 : 1;
    return x->number > y->number ? -1 : 1;
}

void scree_comparison_pin(scree_comparison *c)
{
    enum { LOOK_US = 100000 };
    cpu_set_t mine;
    bool known = sched_getaffinity(0, sizeof mine, &mine) == 0;
    if (!known || CPU_COUNT(&mine) < (int)c->n_cpus) {
        scree_comparison_note(c, "note: variants are not pinned: %u CPUs needed, %d allowed",
                              c->n_cpus, known ? CPU_COUNT(&mine) : 0);
        return;
    }
    g_autoptr(GArray) cpus = g_array_new(FALSE, FALSE, sizeof(cpu));
    for (int k = 0; k < CPU_SETSIZE; k++)
        if (CPU_ISSET((size_t)k, &mine))
            g_array_append_vals(cpus, &(cpu){k, 0}, 1);
    if (cpus->len > c->n_cpus) {
        add_idle(cpus, -1);
        g_usleep(LOOK_US);
        add_idle(cpus, 1);
    }
    g_array_sort(cpus, compare_cpus);
    c->cpus = g_new(int, c->n_cpus);
    for (guint i = 0; i < c->n_cpus; i++)
        c->cpus[i] = g_array_index(cpus, cpu, i).number;
}

void scree_comparison_note_load(scree_comparison *c)
{
    double share = cpu_share(c);
    if (c->n_cpus == 1 && share < 0.95 && timed_s(c, false) > LEAST_S)
        scree_comparison_note(
            c,
            "note: other processes had the CPU for %.0f %% of the timed steps: times are "
            "longer than on a quiet machine",
            100.0 * (1.0 - share));
}
