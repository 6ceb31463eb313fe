/* SPDX-License-Identifier: Apache-2.0 */
/* A run in memory: world, plugins, candidate lists, contact tables, energies. Data only; sim.h makes it.
 *
 * A function that gets a `const scree_sim *` changes no member of it, and what the members point to only where its
 * name or the comment says so. */
#ifndef CORE_STATE_H
#define CORE_STATE_H

#include "base/error.h"
#include "engine/box_set.h"
#include "engine/kernels.h"
#include "engine/lane_tuner.h"
#include "engine/ledger.h"
#include "engine/overlap.h"
#include "engine/plugins.h"
#include "engine/raw_pairs.h"
#include "engine/world.h"
#include "plugin/instance_data.h"

typedef struct scree_edit_queue scree_edit_queue;               /* edits.c */
typedef struct scree_evaluation_record scree_evaluation_record; /* observer_view.c */
typedef struct scree_wall_samples scree_wall_samples;
typedef struct scree_loads scree_loads;             /* loads.c */
typedef struct scree_asked scree_asked;             /* run_query.c */
typedef struct scree_diagnostics scree_diagnostics; /* diagnostics.c */

/** Shape types of the scene. */
typedef struct scree_types {
    uint32_t code[SCREE_MAX_TYPES], n; /* ascending */
    uint8_t *index; /* [shapes] the type among those of the scene, UINT8_MAX: none of them */
    bool free[SCREE_MAX_TYPES];  /* [n] some body of the type may be free */
    bool spare[SCREE_MAX_TYPES]; /* [n] neither a body at the start nor a recipe has the type */
} scree_types;

/** Balls of clumps as they are now (balls.h); those of body i from first[i] on. */
typedef struct scree_posed {
    bool any;
    uint32_t *first; /* [bodies + 1] */
    double *ball;    /* [4 balls] [m] lever from the centre of the body, radius: read together */
    uint64_t body_capacity, capacity;
} scree_posed;

/** How far extents are grown beyond the tight boxes, and when they are renewed (extent.c). */
typedef struct scree_extent_rule {
    double eps_v, eps_e, eps_c;
    double share; /* of eps_v that bodies as fast as they are now are given */
    bool renew_moved, zero;
} scree_extent_rule;

/** Candidate search: pairs of slots from the GCD (search.c), surfaces at rest (conformal.c). */
typedef struct scree_search {
    scree_raw raw;                 /* pairs of slots whose extents overlap */
    scree_lane_sink *sinks;        /* [lanes] */
    scree_conformal conformal;     /* scree.conformal/1 */
    struct scree_at_rest *at_rest; /* surfaces that it knows */
} scree_search;

/** How lists are cut into segments, and which of the segments' two tables is valid. */
typedef struct scree_contacts_state {
    uint32_t batch;       /* pairs per batch, 64 to 1024 */
    uint32_t want_blocks; /* 0: as many as lanes may be asked */
    uint32_t n_blocks;
    uint32_t *block_first; /* [n_blocks + 1] */
    uint64_t block_capacity;
    uint32_t committed;    /* which of a segment's two copies is the committed one */
    uint64_t n_candidates; /* in all lists */
    GArray *extra;         /* order.c: pairs that are candidates only because of their history */
    bool stale;            /* lists miss pairs: the next evaluation refreshes */
    bool erase_hints;      /* tests: hints are zeroed before every evaluation */
} scree_contacts_state;

/** Counts and measurements of a run for its reports; a trial of plugins does not change them. */
typedef struct scree_counters {
    uint64_t gcd_calls, emitted, evaluations;
    uint64_t sum_candidates, sum_contacts; /* over the evaluations */
    uint64_t contacts;                     /* of the last evaluation */
    uint64_t contacts_free;                /* of them, those between two free bodies */
    uint64_t overlapping, committed;       /* accuracy: overlapping tight boxes, committed pairs */
    uint64_t destroyed;                    /* free bodies that boundaries have taken out */
    scree_ledger ledger;                   /* of the time since steps began */
} scree_counters;

/** Energy account [J] (energy.c). */
typedef struct scree_account {
    double start, lost, work;
    double stored;          /* in contacts, at the last accepted evaluation */
    bool momentary;         /* in the trial of an energy (trial_forces.c) */
    double lost_ended;      /* by contacts that ended at that evaluation */
    uint32_t loads_in;      /* table that the segments' loads belong to */
    GArray *values, *ended; /* memory of energy.c */
    double *power; /* [n] [W] of modifiers, at the last evaluation; NULL: none adds forces */
    uint64_t power_capacity;
    double work_rate;  /* [W] the same, summed */
    double wall_power; /* [W] that kinematic bodies put into the others, then */
    double wall_work;  /* [J] the same over the steps of this run */
} scree_account;

/** Edits of bodies by modifiers at the end of a step (edits.c). */
typedef struct scree_edit_state {
    scree_edit_queue *queue;
    GArray *edited; /* ids of bodies inserted or set since the last accepted evaluation */
    uint8_t *marks, *view_marks; /* [n] of fresh.c */
    uint64_t marks_capacity, view_marks_capacity;
    bool newcomers; /* there are new bodies or modifiers that `enter` has not seen */
    bool entrants;  /* there are such modifiers: all that they do to bodies is checked */
    bool remade;    /* the critical step is of bodies as they were before an edit */
    double largest; /* [m] radius for which the GCD was initialised last, 0: no body was remade */
} scree_edit_state;

/** Work of a stage that waits for a pass over the bodies (integrator.h, `move`). */
typedef struct scree_move {
    scree_motion motion;
    uint32_t stage;
} scree_move;
typedef struct scree_moves {
    scree_move
        pending[2]; /* in their order; one more before each evaluation, one at a step's end */
    uint32_t n;
    uint8_t *turning; /* [turning_capacity] zeros: isotropic of integrators where laws ask for q */
    uint64_t turning_capacity;
} scree_moves;

/** Motion of bodies since the committed state, for integrators with SCREE_CAP_DISPLACEMENT. */
typedef struct scree_displacements {
    double *moved[3], *turned[3]; /* [n] [m], [rad] */
    uint64_t capacity;
    bool current;   /* these belong to the current bodies, as they are numbered now */
    double *mirror; /* of them, for the hot loops */
    uint64_t mirror_capacity;
    double *poses; /* [n - n_free] x, q of kinematic bodies at the committed state */
    uint64_t poses_capacity;
} scree_displacements;

/** Surfaces that move against their bodies, like belts (pose.c). */
typedef struct scree_surfaces {
    double *velocity[3]; /* [n] [m/s] of kinematic bodies */
    uint64_t capacity;
    bool any; /* false: velocity holds nothing but zeros, if anything */
} scree_surfaces;

/** Where bodies [first, last) were, and how they moved, before a call to a plugin that must not change them
 * (motion.c). */
typedef struct scree_body_copy {
    uint32_t first, last;
    double *values;
    uint64_t capacity;
} scree_body_copy;

/** Checks of what plugins make of the bodies (motion.c). */
typedef struct scree_motion_checks {
    double size;    /* [m] of the scene as it begins: longest side around its bodies and region */
    uint32_t next;  /* bodies before this one were checked by scree_motion_check_some */
    uint32_t flung; /* the body that was too fast in this step, or SCREE_NONE (mover.c) */
    scree_body_copy copy;                  /* what the integrator may not write, */
    scree_body_copy copy_free, copy_fixed; /* and what a modifier may not when it poses bodies */
    scree_body_copy
        sampled;      /* bodies whose way in this step is looked at, as they were before it, */
    bool samples;     /* while that is so, */
    uint64_t refresh; /* and for which call of the GCD it was last */
} scree_motion_checks;

/** Records of the next accepted evaluation for observers: lists and storage numbers may change
 * before they read them (observer_view.c). */
typedef struct scree_records {
    bool figures;  /* sums of the contacts, for scree_figures_now */
    bool contacts; /* the contacts, for scree_view_fill */
    bool walls;    /* what they do to bodies that are not free, for scree_reaction */
    bool by_law;   /* with `contacts`: the share of each law */
    bool fields;   /* with `contacts`: their contact and pair fields */
    bool always;   /* with `contacts`: of evaluations that are not accepted, too */
    scree_evaluation_record *last; /* of the last accepted evaluation */
    const char **names;            /* [n] for observers */
    uint64_t names_capacity;
    GPtrArray *list_arrays;            /* of the contact list */
    const double *const *field_arrays; /* among them: those of the fields, NULL: none */
} scree_records;

/** State of the warnings of a run (warnings.c, diagnostics.c). */
typedef struct scree_warnings {
    bool checks_dt;
    bool seeks_overlaps;            /* during the first evaluation */
    scree_overlap *overlaps;        /* [lanes] of the first evaluation, then of deep ones */
    scree_diagnostics *diagnostics; /* NULL: the run is not watched */
    bool samples, surveys;          /* the state after this step; the contacts in it */
    double deep;                    /* [m] no overlap below it is worth a warning */
    bool seeks_deep;                /* this step looks for one above it */
    double thinnest; /* [-] smallest size of a shape over its radius (shape_size.h) */
} scree_warnings;

/** Storage order by Morton cells: every so many steps. */
typedef struct scree_renumbering {
    uint64_t every;
    double cell; /* [m] */
} scree_renumbering;

/** Plugins that were swapped, and what the schedule has done. */
typedef struct scree_swaps {
    GPtrArray *all;         /* of scree_swap (swap_record.h), in their order */
    uint8_t *schedule_done; /* [entries of the schedule] 1: it has acted */
    GArray *acted;          /* of scree_acted (schedule.h), in their order */
    GPtrArray *adopted;     /* of scree_plugin_set_read: sets that were swapped in */
    uint32_t ended_by;      /* number of the refused entry that ends the run, plus 1; 0: none */
} scree_swaps;

typedef struct scree_sim {
    scree_scene *scene;
    scree_runtime runtime;
    scree_figures figures; /* scree.figures/1, offered to observers */
    const scree_kernels *kernels;
    scree_scratch *scratch; /* of a refresh, of a renumbering */
    scree_lane_tuner lane_tuner;

    scree_world *world;
    scree_bodies view;
    uint64_t step;      /* steps done */
    uint64_t step0;     /* the step at t0: that from which on dt holds */
    double t0, dt, lag; /* [s] lag: start of the next step minus time of the last commit */
    double critical;    /* [s] the smaller critical step; infinite when none is known */
    double certain;     /* [s] the step that no contact survives (scree_critical_certain) */
    bool watched;       /* the state after the next step will be read before the step after it */

    scree_plugins plugins;
    GPtrArray *observers;     /* of scree_instance: those at work (observers.c); empty: none */
    scree_fields_view shared; /* what the modifier or observer that is called reads of others */
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
    scree_loads *loads;               /* NULL: no modifier has asked yet */
    scree_wall_samples *wall_samples; /* of the run; NULL: it takes none */
    scree_asked *asked;               /* NULL: there is nothing to ask about yet */
    scree_warnings warnings;
    scree_renumbering renumber;
    scree_swaps swaps;
    GPtrArray
        *conditions; /* of scree_condition_state (change/condition_state.h); NULL: not made yet */
} scree_sim;

/** Number of segments of all lists; the one with a number below it, in the order of the lists, and its list. */
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

/** Time [s] of a step, of the present dt: t0 + n dt, never a running sum. */
static inline double scree_sim_time_at(const scree_sim *sim, uint64_t step)
{
    return sim->t0 + (double)(int64_t)(step - sim->step0) * sim->dt;
}

/** Time of the state [s]. */
static inline double scree_sim_time(const scree_sim *sim)
{
    return scree_sim_time_at(sim, sim->step);
}

/** Text to append to a message about a number that is not finite: "", or that dt is above the critical step. */
static inline const char *scree_not_finite_hint(const scree_sim *sim)
{
    return sim->dt > sim->critical ? " (dt is above the critical step: the run has blown up?)" : "";
}

/** Exit status of such a message: the run's fault where dt is above the critical step, else a plugin's. */
static inline int scree_not_finite_status(const scree_sim *sim)
{
    return sim->dt > sim->critical ? SCREE_EXIT_RUN : SCREE_EXIT_PLUGIN;
}

/** Books time to `phase` from now on; returns the previous phase, which the caller enters again. */
static inline scree_phase scree_sim_enter(scree_sim *sim, scree_phase phase)
{
    return scree_ledger_enter(&sim->counters.ledger, sim->runtime.pool, phase);
}
/** The rows of the `wall_s` seconds since its ledger was opened. */
static inline scree_phase_times scree_sim_times(const scree_sim *sim, double wall_s)
{
    return scree_ledger_times(&sim->counters.ledger, sim->runtime.pool, wall_s);
}

#endif
