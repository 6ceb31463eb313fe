/* SPDX-License-Identifier: Apache-2.0 */
/* The launcher that has started this process as one of several, as its variables say. */
#include "run/launch.h"

#include <glib.h>
#include <stdio.h>

/** Launchers: number of processes, number of the process, command. The first one that is set
 * counts: mpirun of MPICH may start its own processes by srun. */
static const struct {
    const char *n, *rank, *command;
} launchers[] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "mpirun -n"},
                 {"PMI_SIZE", "PMI_RANK", "mpirun -n"},
                 {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "srun -n"}};

bool scree_launch_find(scree_launch *found)
{
    for (size_t k = 0; k < G_N_ELEMENTS(launchers); k++) {
        const char *n = g_getenv(launchers[k].n), *rank = g_getenv(launchers[k].rank);
        guint64 of, number;
        if (!n || !rank || !g_ascii_string_to_unsigned(n, 10, 1, G_MAXUINT32, &of, NULL) ||
            !g_ascii_string_to_unsigned(rank, 10, 0, of - 1, &number, NULL))
            continue;
        *found =
            (scree_launch){launchers[k].n, launchers[k].command, (uint32_t)number, (uint32_t)of};
        return of > 1;
    }
    return false;
}

void scree_launch_end(int status)
{
    const char *fd = g_getenv("PMI_FD"); // PMI 1, of which this is a whole command
    guint64 number;
    if (!fd || !g_ascii_string_to_unsigned(fd, 10, 3, G_MAXINT, &number, NULL))
        return;
    g_usleep(G_USEC_PER_SEC / 2); // it reads what this process has printed
    dprintf((int)number, "cmd=abort exitcode=%d\n", status);
}
