/* SPDX-License-Identifier: Apache-2.0 */
/* Records of a run about its swaps of plugins and the entries of its schedule. */
#ifndef CORE_SWAP_RECORD_H
#define CORE_SWAP_RECORD_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/** One slot: "force[0]", from "linear" (NULL: nothing) to "hertz_mindlin" (NULL: off). */
typedef struct scree_swap_change {
    char *slot, *from, *to;
} scree_swap_change;

/** What became of a swap. */
typedef struct scree_swap {
    uint64_t step;
    double time;       /* [s] */
    char *cause;       /* "at_step 500", "kinetic < 1e-6" */
    char *refused;     /* why all stays as it was; NULL: it is done */
    GArray *changes;   /* of scree_swap_change */
    GPtrArray *fields; /* of char *: "force[0]/shear_spring: kept" */
    /* Old and new on the same inputs, in a copy of the process. */
    double difference, largest; /* [N] largest difference of a body's force, largest force before */
    uint64_t body;              /* id of that body */
    uint64_t candidates, missing, extra; /* gcd: pairs, those that the new one lacks, or has more */
    double work;                         /* [J] what is stored more after it */
    double dt, critical; /* [s] step, critical step of the laws that came; 0: none came */
    uint64_t dropped;    /* contacts whose past found no place (resolvers) */
} scree_swap;

/** An entry that has acted. */
typedef struct scree_acted {
    uint32_t entry; /* its number */
    bool refused;   /* nothing came of it */
} scree_acted;

/** A swap at this step and time [s], without changes yet. */
scree_swap *scree_swap_new(uint64_t step, double time, const char *cause);
/** Accepts NULL. */
void scree_swap_free(scree_swap *swap);

#endif
