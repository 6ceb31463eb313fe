/* SPDX-License-Identifier: Apache-2.0 */
/* The launcher that has started this process as one of several, as its variables say. */
#ifndef CORE_LAUNCH_H
#define CORE_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

/** The answers of a launcher. */
typedef struct scree_launch {
    const char *variable; /* that has the number of processes */
    const char *command;  /* that starts processes; a number follows */
    uint32_t rank, n;     /* number of this process, number of processes */
} scree_launch;

/** Returns whether a launcher has started two processes or more, of which this is one. */
bool scree_launch_find(scree_launch *found);
/** Asks the launcher to end all its processes, this one included, with this status. mpirun of MPICH
 * waits otherwise for a process that has failed before MPI_Init; others need no word. */
void scree_launch_end(int status);

#endif
