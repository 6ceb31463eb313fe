/* SPDX-License-Identifier: Apache-2.0 */
/* Forks for the host, and the own time of a child process. */
#include "base/process.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static _Thread_local bool forks;

pid_t scree_fork(void)
{
    forks = true;
    const pid_t child = fork();
    forks = false;
    return child;
}

bool scree_forks(void)
{
    return forks;
}

/** Reads the state and the CPU time [s] of a thread or a process; '\0': it is gone. */
static char read_state(const char *path, double *cpu)
{
    g_autofree char *text = NULL;
    unsigned long user = 0, system = 0;
    char state = '\0';
    const char *rest = g_file_get_contents(path, &text, NULL, NULL) ? strrchr(text, ')') : NULL;
    if (!rest || sscanf(rest, ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &state, &user,
                        &system) != 3)
        return '\0';
    *cpu = (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
    return state;
}

/** Whether all threads of a process wait for something other than the disk. */
static bool is_asleep(pid_t process)
{
    g_autofree char *folder = g_strdup_printf("/proc/%d/task", (int)process);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    bool asleep = dir != NULL;
    for (const char *name; asleep && (name = g_dir_read_name(dir));) {
        g_autofree char *path = g_build_filename(folder, name, "stat", NULL);
        double cpu;
        asleep = read_state(path, &cpu) == 'S';
    }
    return asleep;
}

void scree_own_time_look(scree_own_time *own, pid_t process)
{
    const gint64 now = g_get_monotonic_time();
    if (now - own->looked < 1000 * SCREE_LOOK_MS)
        return;
    g_autofree char *path = g_strdup_printf("/proc/%d/stat", (int)process);
    double cpu = own->cpu;
    if (read_state(path, &cpu) && cpu <= own->cpu && is_asleep(process))
        own->asleep += 1e-6 * (double)(now - own->looked);
    own->cpu = cpu;
    own->looked = now;
}
