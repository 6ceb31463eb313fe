/* SPDX-License-Identifier: Apache-2.0 */
/* Where the time of the lanes goes: each moment of each lane is in exactly one row. */
#ifndef CORE_LEDGER_H
#define CORE_LEDGER_H

#include <stdint.h>

#include "base/pool.h"

/** The rows, in the order in which they are printed. */
typedef enum scree_phase {
    SCREE_PHASE_GCD,       /* contact detection, called when extents are left */
    SCREE_PHASE_ORDER,     /* extents renewed, pairs ordered into lists, history carried over */
    SCREE_PHASE_RESOLVE,   /* candidates to contacts: positions gathered, resolvers, their check */
    SCREE_PHASE_GATHER,    /* what laws read: committed contacts matched, fields, motion, masses */
    SCREE_PHASE_FORCE,     /* laws, their check when there are several; contacts stored */
    SCREE_PHASE_SUM,       /* forces checked, added to bodies, or kept as loads and added later */
    SCREE_PHASE_INTEGRATE, /* bodies moved, and readied: mirrors, weights, extents left? */
    SCREE_PHASE_POSE,      /* bodies that a prescribed motion moves */
    SCREE_PHASE_MODIFY,    /* forces of modifiers, their check */
    SCREE_PHASE_EDIT,      /* boundaries, insertion, deletion and edits of bodies, the schedule */
    SCREE_PHASE_ENERGY,    /* the energy account, contacts counted and committed */
    SCREE_PHASE_OBSERVE,   /* observers, and contacts recorded for them */
    SCREE_PHASE_SAVE,      /* copies of the state, checkpoints */
    SCREE_PHASE_WAIT,      /* lanes without work: loops that others end, serial parts, lanes that
                              do not pay (lane_tuner.h) */
    SCREE_PHASE_OTHER,     /* the rest */
    SCREE_PHASES
} scree_phase;

/** [s] over lanes. All rows sum to `total`, which is lanes times wall time. */
typedef struct scree_phase_times {
    double row[SCREE_PHASES]; /* none is negative */
    double gcd_wall;          /* wall time of gcd, waiting included */
    double init_wall;         /* of it: init and step_init */
    double observe_wall;      /* the same of observers */
    double wall, total;
} scree_phase_times;

/** The account: the caller is in one phase at a time, and what all lanes work is booked there.
 * In ticks; may be copied, to drop later what was booked since. */
typedef struct scree_ledger {
    uint64_t ticks[SCREE_PHASES]; /* the one of SCREE_PHASE_WAIT is not used */
    uint64_t gcd_wall, init_wall, observe_wall;
    uint64_t begin;      /* when it was opened */
    uint64_t begin_work; /* the pool's work by then */
    uint64_t booked;     /* the pool's work up to which everything is booked */
    scree_phase now;
} scree_ledger;

/** Opens it, in SCREE_PHASE_OTHER. Here and below: by the pool's caller, between loops. */
void scree_ledger_open(scree_ledger *ledger, const scree_pool *pool);
/** Books the work until now to the current phase, and enters another one. Returns the previous
 * phase, which the caller enters again. */
scree_phase scree_ledger_enter(scree_ledger *ledger, const scree_pool *pool, scree_phase phase);
/** Moves `ticks` from SCREE_PHASE_OTHER to another phase. */
void scree_ledger_move(scree_ledger *ledger, scree_phase phase, uint64_t ticks);
/** The rows since it was opened, `wall_s` ago. */
scree_phase_times scree_ledger_times(const scree_ledger *ledger, const scree_pool *pool,
                                     double wall_s);
/** Names as in tables and in JSON. */
const char *scree_phase_name(scree_phase phase);

#endif
