/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers of one thread for its batches, by pair and by contact, and its first error. */
#ifndef CORE_LANE_H
#define CORE_LANE_H

#include "base/clock.h"
#include "engine/contact_sums.h"
#include "engine/state.h"
#include "plugin/quantities.h"

enum { VECTOR = 3 };

/** Buffers of one thread. Arrays by pair have SCREE_BATCH_ROOM elements, by contact `room`. */
struct scree_lane {
    uint32_t room; /* SCREE_BATCH_ROOM, until a pair has more contacts */
    /* by pair of the batch */
    double *d[VECTOR], *radius[2], *no_radius; /* no_radius: zeros, for flat bodies */
    const double *pair_radius[2];              /* radii of the pairs, or no_radius */
    uint32_t *near;                            /* pairs of balls that are near */
    uint16_t *listed;                          /* the same, or those that are near soon */
    uint32_t *index;  /* first committed contact of the pair, or SCREE_NONE */
    uint8_t *unknown; /* 1: the pair has no committed fields of the resolver */
    double **pair_in; /* [pair fields] committed values; `initial` if unset */
    scree_contacts
        found; /* by contact: the resolver's output; the host writes the ball as part of a clump */
    /* by contact */
    scree_gathered gathered;
    uint32_t *a, *b, *old; /* old: the committed contact that continues, or SCREE_NONE */
    uint8_t *fresh, *keep, *pair_fresh;
    double *ball_radius[2]; /* of the touching balls of clumps */
    double *point_mass;     /* SCREE_IN_MASS_POINT, if off_centre */
    /* arm, d, v and slip for laws with SCREE_IN_LEVER_RADIUS; NULL: no such law */
    double *far_arm[VECTOR], *far_d[VECTOR], *far_v[VECTOR], *far_slip[VECTOR];
    double **in;             /* [contact + pair fields] committed values */
    const double **fields;   /* [contact fields] for laws: gathered, or in the table */
    scree_returned law, sum; /* results of one law; sum over several laws */
    uint8_t *law_fresh, *law_pair_fresh;
    double *zeros;     /* arrays that no law writes */
    double **pair_out; /* [pair fields] */
    /* fields of other plugins for a and b: [n_reads] inputs of each law, its
       outputs [n_adds], and their sums over the laws [n_adds] */
    double **read[2], **add[2], **rate[2];
    const double **law_read[2];
    double *ta[VECTOR], *tb[VECTOR];
    /* inputs of each law: batches, and the fields of all laws in turn */
    scree_contact_batch *law_batch; /* [n_laws] */
    const double **law_in;
    double **law_out;

    uint8_t *touched; /* committed contacts of the batch that continue */
    uint64_t touched_capacity;
    struct scree_ball_batch *balls; /* balls of clumps; NULL: none yet */
    bool in_place;         /* the contacts of the batch are the committed ones, in their order */
    bool off_centre;       /* some body of the batch is not round, and not a wall */
    bool gathered_at_once; /* a, b and d of the contacts are gathered, too */
    uint32_t most;         /* contacts of a pair for which more room was asked */
    bool by_ball;          /* radii are ball_radius, not those by pair */
    bool foreign;          /* another rank computes the segment, too, and reports its overlaps */
    bool deep;             /* the last resolved batch has overlaps above sim->warnings.deep */
    uint64_t booked;       /* scree_ticks up to which time is booked */
    uint64_t resolve_ticks, gather_ticks, force_ticks, sum_ticks;
    uint32_t left;                /* a ball has left its extent */
    bool used_up;                 /* a ball has used up its margin (near.c) */
    bool summed;                  /* stored and lost have terms */
    scree_exact_sum stored, lost; /* [J] from wrenches, while all lanes add them up (energy.c) */
    scree_contact_sums sums;      /* sums of the evaluation, if figures are asked for */
    GError *error;                /* the first error */
};

/** Returns where a call sets its error: only the first one of a lane stays. */
static inline GError **scree_lane_error(scree_lane *lane)
{
    return lane->error ? NULL : &lane->error;
}

/** Returns how many contacts a resolver may write at most. */
static inline uint32_t scree_lane_room(const scree_lane *lane)
{
    return lane->room - SCREE_BATCH_SPARE;
}

/** Returns the place of pointer k of a quantity: written by resolver, host, or the last law. */
static inline void *scree_lane_place(const scree_lane *lane, const scree_quantity *q, uint32_t k)
{
    static const size_t part[] = {[SCREE_BY_RESOLVER] = offsetof(scree_lane, found),
                                  [SCREE_BY_TOUCH] = offsetof(scree_lane, found),
                                  [SCREE_BY_HOST] = offsetof(scree_lane, gathered),
                                  [SCREE_BY_LAW] = offsetof(scree_lane, law)};
    return (char *)lane + part[q->by] + q->at + k * sizeof(void *);
}

/** Books the time since the lane's last booking to a phase. */
static inline void scree_lane_book(scree_lane *lane, uint64_t *phase)
{
    uint64_t now = scree_ticks();
    *phase += now - lane->booked;
    lane->booked = now;
}

/** Writes `couple` [N m], the torque on both a and b, for the force f on a, by which the longer
 * lever of SCREE_IN_LEVER_RADIUS differs from the arm of contact c. On a wall it is 0. */
static inline void scree_lever_couple(const double *const *normal, const double *depth,
                                      const double *const *f, uint32_t c, double couple[3])
{
    const double h = 0.5 * depth[c];
    for (int k = 0; k < VECTOR; k++) {
        const int i = (k + 1) % VECTOR, j = (k + 2) % VECTOR;
        couple[k] = h * (normal[i][c] * f[j][c] - normal[j][c] * f[i][c]);
    }
}

/** The arguments of one evaluation. */
typedef struct scree_evaluation {
    scree_sim *sim;
    double time, since; /* [s] */
    bool accepted;
    bool displaced; /* slip comes from the integrator's displacements, not from velocities */
    bool momentary; /* a trial of energy: contacts that end lose their energy now */
} scree_evaluation;

/** Returns whether contacts of this evaluation are recorded for observers. */
static inline bool scree_records_contacts(const scree_evaluation *e)
{
    const scree_records *records = &e->sim->records;
    return (records->contacts || records->piece_contacts) && (e->accepted || records->always);
}

/** Returns whether contacts of this evaluation are summed for figures. */
static inline bool scree_sums_contacts(const scree_evaluation *e)
{
    return e->sim->records.figures && e->accepted;
}

/** The arrays with the forces of a batch, after all laws. */
typedef struct scree_batch_result {
    const double *f[VECTOR], *stored, *lost;
    const double *heat, *const *couple, *const *couple_b; /* NULL: none */
} scree_batch_result;

void scree_evaluate_init(scree_sim *sim);
void scree_evaluate_clear(scree_sim *sim);
/** Sets the first error of a lane, for a call that wrote invalid values; always false. */
bool scree_lane_misbehaved(scree_lane *lane, const scree_instance *instance, const char *call,
                           const char *what);
/** Sets it for a result that is not finite: the plugin's fault, unless dt is above the critical
 * step. */
bool scree_lane_not_finite(const scree_sim *sim, scree_lane *lane, const scree_instance *instance,
                           const char *call, const char *what);
/** Makes room for n contacts in the arrays by contact, which then move. */
void scree_lane_grow(const scree_sim *sim, scree_lane *lane, uint32_t n);
/** Moves contact from[c] of the lane, with its quantities from a resolver of the list, to index c,
 * for all c < n; `from` ascends strictly. */
void scree_lane_take(const scree_list *list, scree_lane *lane, uint32_t n, const uint32_t *from);
/** After a failed call of a resolver: blames a shape of the pairs in its place, if its answers are
 * wrong. */
void scree_lane_suspect_shapes(const scree_candidates *in, scree_lane *lane);

#endif
