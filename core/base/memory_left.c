/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is left, read from /proc and the limits of the process. */
#include "base/memory_left.h"

#include <glib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/text.h"

/** The number after `key` in a file (key "": the first number); `none`: the file or the key is
 * missing. */
static uint64_t read_number(const char *path, const char *key, uint64_t none)
{
    g_autofree char *text = scree_line_value(path, key);
    return text && g_ascii_isdigit(*text) ? g_ascii_strtoull(text, NULL, 10) : none;
}

/** Bytes left below ulimit -v. */
static uint64_t left_of_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return UINT64_MAX;
    uint64_t used = read_number("/proc/self/statm", "", 0) * (uint64_t)sysconf(_SC_PAGESIZE);
    return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

/** Bytes left below the limit of a container; its cache of files counts as free. */
static uint64_t left_of_group(void)
{
    uint64_t limit = read_number("/sys/fs/cgroup/memory.max", "", UINT64_MAX);
    uint64_t used = read_number("/sys/fs/cgroup/memory.current", "", 0);
    uint64_t files = MIN(read_number("/sys/fs/cgroup/memory.stat", "inactive_file", 0), used);
    return limit == UINT64_MAX ? limit : limit > used - files ? limit - (used - files) : 0;
}

uint64_t scree_room_left(void)
{
    uint64_t free_kib = read_number("/proc/meminfo", "MemAvailable:", UINT64_MAX >> 10);
    return MIN(free_kib << 10, MIN(left_of_limit(), left_of_group()));
}
