/* SPDX-License-Identifier: Apache-2.0 */
/* The time of the lanes: each moment of each lane is in exactly one row. */
#ifndef CORE_LEDGER_H
#define CORE_LEDGER_H

#include <stdint.h>

#include "base/pool.h"

/** The rows, in the order of printing. */
typedef enum scree_phase {
    SCREE_PHASE_GCD,       /* contact detection, called when extents are left */
    SCREE_PHASE_ORDER,     /* extents renewed, pairs ordered into lists, history carried over */
    SCREE_PHASE_RESOLVE,   /* candidates to contacts: positions gathered, resolvers, their check */
    SCREE_PHASE_GATHER,    /* inputs of laws: committed contacts matched, fields, motion, masses */
    SCREE_PHASE_FORCE,     /* laws, and checks of several laws; contacts stored */
    SCREE_PHASE_SUM,       /* forces checked, added to bodies, or kept as loads and added later */
    SCREE_PHASE_INTEGRATE, /* bodies moved and prepared: mirrors, weights, extents left? */
    SCREE_PHASE_POSE,      /* bodies moved by a prescribed motion */
    SCREE_PHASE_MODIFY,    /* forces of modifiers, and their check */
    SCREE_PHASE_EDIT,      /* boundaries, insertion, deletion and edits of bodies, the schedule */
    SCREE_PHASE_ENERGY,    /* the energy account, contacts counted and committed */
    SCREE_PHASE_OBSERVE,   /* observers, and contacts recorded for them */
    SCREE_PHASE_SAVE,      /* copies of the state, checkpoints */
    SCREE_PHASE_EXCHANGE,  /* messages between ranks, and waiting for other ranks */
    SCREE_PHASE_WAIT,      /* lanes without work: waiting for other lanes, serial parts, lanes that
                              do not pay (lane_tuner.h) */
    SCREE_PHASE_OTHER,     /* the rest */
    SCREE_PHASES
} scree_phase;

/** [s] summed over lanes. The sum of all rows is `total`, lanes times wall time. */
typedef struct scree_phase_times {
    double row[SCREE_PHASES]; /* none is negative */
    double gcd_wall;          /* wall time of gcd, with waiting */
    double init_wall;         /* part of gcd_wall: init and step_init */
    double observe_wall;      /* wall time of observers, with waiting */
    double wall, total;
} scree_phase_times;

/** The account: the caller is in one phase at a time, which gets the work of all lanes. In ticks. A
 * copy of it can be restored, which drops later bookings. */
typedef struct scree_ledger {
    uint64_t ticks[SCREE_PHASES]; /* without SCREE_PHASE_WAIT */
    uint64_t gcd_wall, init_wall, observe_wall;
    uint64_t begin;      /* time of its opening */
    uint64_t begin_work; /* the pool's work at its opening */
    uint64_t booked;     /* the pool's work up to which work is booked */
    scree_phase now;
} scree_ledger;

/** Opens the account, in SCREE_PHASE_OTHER. The pool's caller calls this and all below. */
void scree_ledger_open(scree_ledger *ledger, const scree_pool *pool);
/** Books the work until now to the current phase, and enters another one. Returns the previous
 * phase, for the caller to enter again. */
scree_phase scree_ledger_enter(scree_ledger *ledger, const scree_pool *pool, scree_phase phase);
/** Moves `ticks` from SCREE_PHASE_OTHER to another phase. */
void scree_ledger_move(scree_ledger *ledger, scree_phase phase, uint64_t ticks);
/** Returns the rows since its opening, `wall_s` ago. */
scree_phase_times scree_ledger_times(const scree_ledger *ledger, const scree_pool *pool,
                                     double wall_s);
/** Returns the name of a phase in tables and JSON. */
const char *scree_phase_name(scree_phase phase);

#endif
