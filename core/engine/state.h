/* SPDX-License-Identifier: Apache-2.0 */
/* A run in memory: world, plugins, lists, contact tables, energies. Data only; sim.h makes it.
 *
 * A function that gets a `const scree_sim *` changes no member of it. It changes data behind
 * members only if its name or comment says so. */
#ifndef CORE_STATE_H
#define CORE_STATE_H

#include <math.h>

#include "base/error.h"
#include "base/exact_sum.h"
#include "engine/box_set.h"
#include "engine/contact_sums.h"
#include "engine/kernels.h"
#include "engine/lane_tuner.h"
#include "engine/ledger.h"
#include "engine/overlap.h"
#include "engine/plugins.h"
#include "engine/raw_pairs.h"
#include "engine/renewal.h"
#include "engine/world.h"
#include "plugin/instance_data.h"

typedef struct scree_edit_queue scree_edit_queue;     /* edits.c */
typedef struct scree_contact_copy scree_contact_copy; /* contact_list.c */
typedef struct scree_loads scree_loads;               /* loads.c */
typedef struct scree_diagnostics scree_diagnostics;   /* diagnostics.c */

/** Shape types of the scene. */
typedef struct scree_types {
    uint32_t code[SCREE_MAX_TYPES], n; /* ascending */
    uint8_t *index;              /* [shapes] index of the type in the scene; UINT8_MAX: none */
    bool free[SCREE_MAX_TYPES];  /* [n] some bodies of the type may be free */
    bool spare[SCREE_MAX_TYPES]; /* [n] neither a body at the start nor a recipe has the type */
} scree_types;

/** Balls of clumps at their current places (balls.h); those of body i begin at first[i]. A body
 * that is not a clump has one, at its centre. */
typedef struct scree_posed {
    bool any;
    bool counted;    /* `first` is that of the current bodies, as the lists are */
    uint32_t *first; /* [bodies + 1] */
    double *ball;    /* [4 balls] [m] lever from the centre of the body, and radius */
    double *place;   /* [4 balls] [m] centre, and radius with room for rounding of both */
    uint64_t body_capacity, capacity;
} scree_posed;

/** Growth of extents beyond the tight boxes, and times of their renewal (extent.c). */
typedef struct scree_extent_rule {
    double eps_v, eps_e, eps_c;
    double share; /* share of eps_v for bodies at their current speed */
    bool renew_moved, zero;
} scree_extent_rule;

/** Candidate search: pairs of slots from the GCD (search.c), surfaces at rest (conformal.c). */
typedef struct scree_search {
    scree_raw raw;                 /* buckets of pairs whose extents overlap */
    scree_lane_sink *sinks;        /* [lanes] */
    bool listed;                   /* the last search was for boxes that moved */
    scree_conformal conformal;     /* draft.conformal/1 */
    struct scree_at_rest *at_rest; /* surfaces of its answers */
} scree_search;

/** Lists of the pairs of balls that may touch before the next such lists are made (near.c). Ways
 * and margins are those of SCREE_SLACK_BODIES bodies each. */
typedef struct scree_near_rule {
    uint64_t number; /* of the current lists, which all segments have that need them */
    double *way;     /* [chunks] [m] bound of the way of each ball since the lists were made */
    double *margin;  /* [chunks] [m] way up to which the lists serve */
    uint64_t way_capacity, margin_capacity;
    uint32_t n_chunks; /* of the current lists */
    double range;      /* [m] range of the laws of the current lists */
    uint32_t served;   /* evaluations since the lists were made */
    uint32_t age;      /* evaluations since lists were ended by new candidates or lost mirrors */
    bool used_up;      /* a ball has used up its margin */
    bool ended;        /* pairs are new, or mirrors were lost */
} scree_near_rule;

/** How lists are cut into segments, and which of a segment's two tables is valid. */
typedef struct scree_contacts_state {
    uint32_t batch;       /* pairs per batch, those that are listed (near.c), 8 to 1024 */
    uint32_t want_blocks; /* 0: as many as lanes may be used */
    uint32_t n_blocks;
    uint32_t *block_first; /* [n_blocks + 1] */
    uint64_t block_capacity;
    uint32_t committed;    /* index of a segment's committed table */
    uint64_t n_candidates; /* number in all lists, of all ranks */
    GArray *edits;         /* order.c */
    bool ordered;  /* pairs of all segments are in canonical order, for the current numbers */
    double uneven; /* work of the largest block over the mean, when blocks were cut */
    scree_near_rule near;
    bool stale;       /* pairs are missing: the next evaluation refreshes */
    bool erase_hints; /* tests: hints are zeroed before each evaluation */
} scree_contacts_state;

/** Counts and measurements of a run for reports; a trial of plugins does not change them. */
typedef struct scree_counters {
    uint64_t gcd_calls, emitted, evaluations;
    uint64_t sum_candidates, sum_contacts; /* summed over the evaluations */
    uint64_t contacts;                     /* number in the last evaluation */
    uint64_t contacts_free;                /* number of these between two free bodies */
    uint64_t overlapping, committed;       /* accuracy: overlapping tight boxes, committed pairs */
    uint64_t destroyed;                    /* number of free bodies that boundaries have removed */
    scree_ledger ledger;                   /* time since the steps began */
} scree_counters;

/** Energy account [J] (energy.c). */
typedef struct scree_account {
    double start;
    scree_exact_sum lost, work;
    scree_exact_sum stored;     /* in contacts, at the last accepted evaluation */
    scree_exact_sum lost_ended; /* lost by contacts that ended at that evaluation */
    scree_exact_sum wall_power; /* [W] power of kinematic bodies on others at that evaluation */
    scree_exact_sum wall_work;  /* its work over the steps of this run */
    double lost_before, begun;  /* [J] [s] `lost` and time at the start of this run */
    bool momentary;             /* during a trial of the energy (trial_forces.c) */
    uint32_t loads_in;          /* table to which the segments' loads belong */
    bool any_power;             /* a modifier has added forces at the last evaluation */
    double *power; /* [n] [W] power of modifiers at the last evaluation; NULL: none adds forces */
    uint64_t power_capacity;
} scree_account;

/** Edits of bodies by modifiers at the end of a step (edits.c). */
typedef struct scree_edit_state {
    scree_edit_queue *queue;
    GArray *edited; /* ids of bodies inserted or set since the last accepted evaluation */
    uint8_t *marks, *view_marks; /* [n] for columns.c */
    uint64_t marks_capacity, view_marks_capacity;
    bool newcomers; /* some new bodies or modifiers have not passed `enter` */
    bool entrants;  /* some modifiers have not: all their changes of bodies are checked */
    bool remade;    /* the critical step belongs to bodies before an edit */
    double largest; /* [m] radius at the last initialisation of the GCD; 0: no body was remade */
} scree_edit_state;

/** Work of a stage that waits for a pass over the bodies (integrator.h, `move`). */
typedef struct scree_move {
    scree_motion motion;
    uint32_t stage;
} scree_move;
typedef struct scree_moves {
    scree_move pending[2]; /* in order: one from the end of a step, one before each evaluation */
    uint32_t n;
    uint8_t *turning; /* [turning_capacity] zeros: isotropic for integrators if laws read q */
    uint64_t turning_capacity;
} scree_moves;

/** Copy of q, x, v, w of bodies [first, last), number by number (motion.c). */
enum { SCREE_KEPT_PLACE = 4 }; /* number of x[0] */
typedef struct scree_body_copy {
    uint32_t first, last;
    double *values;
    uint64_t capacity;
} scree_body_copy;

/** Motion of bodies since the committed state, for integrators with SCREE_CAP_DISPLACEMENT. */
typedef struct scree_displacements {
    double *moved[3], *turned[3]; /* [n] [m], [rad] */
    uint64_t capacity;
    bool current;   /* these belong to the current bodies, in their current order */
    double *mirror; /* their mirror for the hot loops */
    uint64_t mirror_capacity;
    scree_body_copy walls; /* bodies that are not free at the committed state */
} scree_displacements;

/** Surfaces that move along their bodies, like belts (pose.c). */
typedef struct scree_surfaces {
    double *velocity[3]; /* [n] [m/s] for kinematic bodies */
    uint64_t capacity;
    bool any; /* false: velocity holds only zeros */
} scree_surfaces;

/** Bodies [first, end). */
typedef struct scree_rows {
    uint32_t first, end;
} scree_rows;

/** Checks how plugins have changed the bodies (motion.c). */
typedef struct scree_motion_checks {
    double size;    /* [m] size of the scene at its start: longest side around bodies and region */
    uint32_t next;  /* first body for the next scree_motion_check_some */
    uint32_t flung; /* the body that was too fast in this step, or SCREE_NONE (mover.c) */
    scree_body_copy copy;                  /* bodies that the integrator may not change */
    scree_body_copy copy_free, copy_fixed; /* bodies that posing modifiers may not change */
    scree_body_copy sampled;               /* bodies whose way in this step is checked, */
    scree_rows own;                        /* of these */
    bool samples;                          /* such a check is under way */
    uint64_t refresh;                      /* last call of the GCD with such a check after it */
} scree_motion_checks;

/** Records of the next accepted evaluation for observers: lists and storage numbers may change
 * before they are read (observer_view.c). */
typedef struct scree_records {
    bool figures;        /* sums over contacts, for scree_figures_now */
    bool contacts;       /* the contacts, for scree_view_fill */
    bool walls;          /* loads on bodies that are not free, for scree_loads_of */
    bool by_law;         /* with `contacts`: the share of each law */
    bool fields;         /* with `contacts`: their contact and pair fields */
    bool pieces;         /* loads and a settled state, though ranks may stay apart (pieces.c) */
    bool piece_contacts; /* with `pieces`: contacts with an own body */
    bool always;         /* with `contacts`: also in evaluations that are not accepted */
    bool has_figures, has_contacts; /* of the last accepted evaluation `sums`, `kept` were made */
    scree_contact_sums sums;
    scree_contact_copy *kept;
    scree_loads *loads;                /* NULL: nothing has wanted them yet */
    GPtrArray *list_arrays;            /* arrays of the contact list */
    const double *const *field_arrays; /* arrays of the fields among them; NULL: none */
} scree_records;

/** Questions of plugins, scree.query/1 (run_query.c). */
typedef struct scree_questions {
    struct scree_query_service *service; /* NULL: nothing can be asked yet */
    guint n_edits, n_inserts;            /* number of this step's edits that it has */
    GArray *placed;                      /* elements: scree_body; working memory */
} scree_questions;

/** State of the warnings of a run (warnings.c, diagnostics.c). */
typedef struct scree_warnings {
    bool checks_dt;
    bool seeks_overlaps;            /* during the first evaluation */
    scree_overlap *overlaps;        /* [lanes] overlaps of the first evaluation, then deep ones */
    scree_diagnostics *diagnostics; /* NULL: the run is not watched */
    bool samples, surveys;          /* the state after this step, or its contacts, are sampled */
    double deep;                    /* [m] smaller overlaps are not worth a warning */
    bool seeks_deep;                /* this step looks for a larger one */
    double thinnest; /* [-] smallest size of a shape over its radius (scree_shape_size) */
} scree_warnings;

/** Storage order by Morton cells, renewed at intervals. */
typedef struct scree_renumbering {
    uint64_t every;
    double cell; /* [m] */
} scree_renumbering;

/** Swaps of plugins, and acted entries of the schedule. */
typedef struct scree_swaps {
    GPtrArray *all;         /* elements: scree_swap (swap_record.h), in their order */
    uint8_t *schedule_done; /* [entries of the schedule] 1: it has acted */
    GArray *acted;          /* elements: scree_acted (schedule.h), in their order */
    GPtrArray *adopted;     /* scree_plugin_set: sets that were swapped in */
    bool trusted;           /* swaps are not tried in a copy of the process first */
    uint32_t ended_by;      /* number of the refused entry that ends the run, plus 1; 0: none */
} scree_swaps;

typedef struct scree_sim {
    scree_scene *scene;
    scree_runtime runtime;
    scree_figures figures; /* scree.figures/1, offered to observers */
    const scree_kernels *kernels;
    scree_scratch *scratch; /* for a refresh or a renumbering */
    scree_lane_tuner lane_tuner;
    scree_renewal renewal;

    scree_world *world;
    scree_bodies view;
    uint64_t step;      /* number of steps done */
    uint64_t step0;     /* step at t0, from which on dt holds */
    double t0, dt, lag; /* [s] lag: start of the next step minus time of the last commit */
    double critical;    /* [s] the smaller critical step; infinite: unknown */
    double certain;     /* [s] step above which no contact is stable (scree_critical_certain) */
    bool watched;       /* the state after the next step will be read before another step */

    scree_plugins plugins;
    GPtrArray *observers;     /* scree_instance: active ones (observers.c); empty: none */
    scree_fields_view shared; /* fields of others for the modifier or observer that is called */
    scree_types types;
    scree_extent_rule extents;
    scree_box_set boxes;
    scree_posed posed;
    scree_search search;
    scree_contacts_state contacts;
    scree_counters counters;
    scree_account account;
    scree_edit_state edits;
    scree_moves moves;
    scree_displacements displacements;
    scree_surfaces surfaces;
    scree_motion_checks checks;
    scree_records records;
    scree_questions asked;
    scree_warnings warnings;
    scree_renumbering renumber;
    struct scree_ranks *ranks; /* borrowed; NULL: one rank */
    scree_swaps swaps;
    GPtrArray
        *conditions; /* scree_condition_state (change/condition_state.h); NULL: not made yet */
} scree_sim;

/** Returns the number of segments in all lists; segment `number` of them, with its list. */
static inline uint32_t scree_segment_count(const scree_sim *sim)
{
    return sim->plugins.contact.n_lists * sim->contacts.n_blocks * (sim->contacts.n_blocks + 1);
}
static inline uint32_t scree_segment_list(const scree_sim *sim, uint32_t number)
{
    return number / (sim->contacts.n_blocks * (sim->contacts.n_blocks + 1));
}
static inline scree_segment *scree_segment_at(const scree_sim *sim, uint32_t number)
{
    const uint32_t l = scree_segment_list(sim, number);
    const uint32_t first = l * sim->contacts.n_blocks * (sim->contacts.n_blocks + 1);
    return &sim->plugins.contact.lists[l].segments[number - first];
}

/** Returns the index of a body's shape type in the scene. */
static inline uint8_t scree_body_type(const scree_sim *sim, uint32_t body)
{
    return sim->types.index[sim->world->shape[body]];
}
/** Returns the number of the list of two bodies; UINT8_MAX: none. */
static inline uint8_t scree_list_of(const scree_sim *sim, uint32_t i, uint32_t j)
{
    return sim->plugins.contact.list_of[scree_body_type(sim, i)][scree_body_type(sim, j)];
}

/** Returns the time [s] of a step with the current dt: t0 + n dt, never a running sum. */
static inline double scree_sim_time_at(const scree_sim *sim, uint64_t step)
{
    return sim->t0 + (double)(int64_t)(step - sim->step0) * sim->dt;
}

/** Returns the time of the state [s]. */
static inline double scree_sim_time(const scree_sim *sim)
{
    return scree_sim_time_at(sim, sim->step);
}

/** Returns whether an interval of time [s] ends after `before`, and not after `now`, with a
 * tolerance: 3 times 0.1 s is 0.3 s. */
static inline bool scree_interval_ends(double every, double before, double now)
{
    every /= 1.0 + 1e-12;
    return floor(now / every) > floor(before / every);
}

/** Returns the end of a message about a number that is not finite: "", or that dt is above the
 * critical step. */
static inline const char *scree_not_finite_hint(const scree_sim *sim)
{
    return sim->dt > sim->critical ? " (dt is above the critical step: the run has blown up?)" : "";
}

/** Returns the exit status of such a message: a plugin's, or if dt is too large the run's. */
static inline int scree_not_finite_status(const scree_sim *sim)
{
    return sim->dt > sim->critical ? SCREE_EXIT_RUN : SCREE_EXIT_PLUGIN;
}

/** Books time to `phase` from now on. Returns the previous phase, for the caller to enter again. */
static inline scree_phase scree_sim_enter(scree_sim *sim, scree_phase phase)
{
    return scree_ledger_enter(&sim->counters.ledger, sim->runtime.pool, phase);
}
/** Returns the rows of the `wall_s` seconds since the ledger was opened. */
static inline scree_phase_times scree_sim_times(const scree_sim *sim, double wall_s)
{
    return scree_ledger_times(&sim->counters.ledger, sim->runtime.pool, wall_s);
}

#endif
