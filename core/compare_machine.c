/* SPDX-License-Identifier: Apache-2.0 */
/* What is to be known of the machine and the build on which a comparison was made. */
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "build_config.h"
#include "compare.h"

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

/** What stands after `key` on a line of a file, or the whole file without a key; NULL: nothing. */
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

/** The members of "machine", and the CPU level, of a variant that has run. */
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

static void add_pins(const scree_comparison *c, GPtrArray *facts)
{
    g_autoptr(GString) pins = g_string_new(NULL);
    for (guint i = 0; c->cpus && i < c->threads; i++)
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
    add_fact(facts, "load before", "%.2f", c->load);
    if (getloadavg(&load, 1) == 1)
        add_fact(facts, "load after", "%.2f", load);
    return facts;
}
