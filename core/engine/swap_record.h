/* SPDX-License-Identifier: Apache-2.0 */
/* Records of a run about its swaps of plugins and the entries of its schedule. */
#ifndef CORE_SWAP_RECORD_H
#define CORE_SWAP_RECORD_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/** A changed slot: "force[0]", from "linear" (NULL: none) to "hertz_mindlin" (NULL: off). */
typedef struct scree_swap_change {
    char *slot, *from, *to;
} scree_swap_change;

/** The result of a swap. */
typedef struct scree_swap {
    uint64_t step;
    double time;       /* [s] */
    char *cause;       /* "at_step 500", "kinetic < 1e-6" */
    char *refused;     /* why it was refused; NULL: it was not */
    GArray *changes;   /* elements: scree_swap_change */
    GPtrArray *fields; /* char *: "force[0]/shear_spring: kept" */
    /* Old and new plugins compared at one state, in a copy of the process. */
    bool compared;              /* false: it changed no plugin, or was refused */
    double difference, largest; /* [N] largest difference of a body's force; largest force before */
    uint64_t body;              /* id of the body with this difference */
    uint64_t candidates, missing,
        extra;           /* gcd: pairs; those that the new one misses, or finds in addition */
    double work;         /* [J] increase of the stored energy */
    double gravity_work; /* [J] increase of the potential energy, by a change of gravity */
    double dt, critical; /* [s] step; critical step of new laws, 0: no new law */
    uint64_t carried;    /* number of contacts whose history continues with the new resolver */
    uint64_t dropped;    /* number of contacts whose history matched no new contact (resolvers) */
} scree_swap;

/** An entry of the schedule that has acted. */
typedef struct scree_acted {
    uint32_t entry;    /* number of the entry */
    bool refused;      /* it was refused */
    const char *cause; /* borrowed from the entry or the swap */
} scree_acted;

/** Returns a new swap at this step and time [s], without changes. */
scree_swap *scree_swap_new(uint64_t step, double time, const char *cause);
/** Accepts NULL. */
void scree_swap_free(scree_swap *swap);

#endif
