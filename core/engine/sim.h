/* SPDX-License-Identifier: Apache-2.0 */
/* A run in memory: world, plugins, candidate lists, contact tables, energies. */
#ifndef CORE_SIM_H
#define CORE_SIM_H

#include <pthread.h>

#include "engine/kernels.h"
#include "engine/ledger.h"
#include "engine/pace.h"
#include "engine/world.h"
#include "plugin/instance.h"

/*
 * Blocks, segments, lists
 *
 * The free bodies are cut into blocks of consecutive rows. A list holds the candidates of one type
 * pair; its segment (b, B) holds those whose lower body is in block b and whose higher one is in
 * block B >= b, or, with B = n_blocks, is not free. Phase 1 computes the segments b < B and stores
 * a line per contact; phase 2 gives each block to one lane: lower partners from the stored lines,
 * own segment (b, b) added directly, higher partners from the stored lines. So each body's sum runs
 * over ascending partners, whatever the number of blocks and threads (design, S3).
 */

/** Contacts of a segment, in canonical order, with the fields of all laws. */
typedef struct scree_table {
    uint64_t n, capacity;
    uint32_t *pair;    /* pair of the segment */
    uint64_t *feature; /* NULL when pairs have one contact at most */
    uint8_t *keep;     /* bit k: the k-th law that keeps does; NULL when no law keeps */
    double *stored;    /* [J] NULL when no law stores */
    double **field;    /* [sim->n_contact_fields] */
} scree_table;

/** A contact's forces, kept for the summation across blocks and onto walls. */
typedef struct scree_line {
    double f[3], stored, torque_row[3], lost, torque_col[3];
    double surface; /* [W] that the column's surface puts into the row; without any, undefined */
} scree_line;

/** What an observer needs of a contact. */
typedef struct scree_record {
    double normal[3], depth, arm[3], f[3], couple[3];
} scree_record;

typedef struct scree_segment {
    uint32_t n_pairs;
    uint64_t pair_capacity, first_capacity, part_capacity, hint_capacity;
    uint32_t *a, *b; /* [n_pairs] oriented; min(a, b) is the row; SCREE_NONE: of a dropped body */
    scree_shift
        *shift; /* [n_pairs] unwrapped cells of the column against the row; NULL: not periodic */
    uint32_t *first; /* [n_pairs + 1] into parts; NULL: one part each */
    uint32_t *part_a, *part_b;
    uint8_t *keep; /* [n_pairs] 1: of a committed contact; NULL when no law keeps */
    uint8_t
        *alive[2]; /* [n_pairs] tight boxes overlapped at the committed state; pair fields only */
    double **pair_field[2]; /* [n_pair_fields][n_pairs] */
    uint8_t *hints;         /* [hint_bytes * candidates] */
    scree_table table[2];
    uint64_t line_capacity, n_lines;
    scree_line *lines;     /* per contact of the newest evaluation; segments b < B */
    scree_record *records; /* per contact, when recorded */
    uint64_t record_capacity;
    uint32_t *ended; /* committed contacts that the newest evaluation did not refresh */
    uint64_t n_ended, ended_capacity;
    double *parted; /* [n_ended] [J] that they lost as they opened */
    uint64_t parted_capacity;
    uint64_t n_touching;    /* contacts with depth >= 0 */
    uint64_t n_overlapping; /* candidates whose tight boxes overlap; counted on demand */
} scree_segment;

/** The pairs of a list as they were before a refresh, of all segments one after the other, in
 * scratch memory; their contacts are still in the segments' committed tables (pair_history.c). */
typedef struct scree_past {
    uint32_t n_segments, n_pairs;
    uint32_t *offset;             /* [n_segments + 1] first pair of a segment */
    uint32_t *a, *b, *index;      /* [n_pairs] index: first committed contact, or SCREE_NONE */
    uint32_t *first;              /* [n_pairs + 1] into parts, NULL: one part each */
    uint32_t *part_a, *part_b;    /* [parts] */
    scree_shift *shift;           /* [n_pairs] NULL: not periodic */
    uint8_t *keep, *alive;        /* [n_pairs] NULL: no law keeps; no pair fields */
    double **pair_field;          /* [n_pair_fields][n_pairs] */
    uint8_t *hints;               /* [hint_bytes * parts] */
    uint32_t *row_start, *of_row; /* [n_free + 1]; pairs with something to carry, by row */
} scree_past;

typedef struct scree_list {
    uint32_t type_a, type_b;
    scree_instance *resolver;
    const scree_resolver_ops *ops;
    bool single, has_parts;
    uint32_t hint_bytes;
    uint64_t wants;                           /* SCREE_GIVES_* that some law asks for */
    uint32_t first_pair_field, n_pair_fields; /* of the resolver among the pair fields */
    scree_segment *segments; /* [n_blocks * (n_blocks + 1)], (b, B) at b * (n_blocks + 1) + B */
    uint32_t n_segments;     /* allocated */
    /* while lists are made, in scratch memory (order.c) */
    uint32_t *row_start; /* [n_free + 2] */
    uint64_t *key;       /* partner << 32 | index of the raw pair */
    scree_past past;
} scree_list;

/** What components of the fields of one scope mean, one after the other. What no plugin of the run
 * uses is dormant: it lives as the others do, until its plugin comes back, outside the hash. */
typedef struct scree_column {
    char *slot, *name, *unit; /* "force[0]", "shear_spring", "m" */
    uint32_t components, revision, if_missing;
    uint32_t first; /* component */
    double initial;
    bool dormant;
    bool fresh; /* its plugin has come without a past: `initial` stands in all of them */
} scree_column;

typedef struct scree_law {
    scree_instance *instance;
    const scree_force_ops *ops;
    uint64_t needs, provides;
    uint8_t keep_bit; /* of the keep masks of contacts, 0: it does not keep */
    bool newcomer;    /* swapped in, without a past: all contacts are fresh until the next commit */
    uint32_t first_contact_field, n_contact_fields; /* components */
    uint32_t first_pair_field, n_pair_fields;
    bool asked;               /* for its range, once */
    const scree_bonds *bonds; /* scree.bonds/1, NULL: it makes none */
    bool bonds_due;           /* the rules of the scene have not made theirs yet */
    bool bonds_touching;      /* one of them is for contacts as they begin */
} scree_law;

/** Boxes of all parts and images, and the extents they stand for (extent.c). */
typedef struct scree_box_set {
    scree_boxes view;
    uint64_t capacity; /* slots */
    double *lo[3], *hi[3], *centre[3], *radius;
    uint32_t *body, *part; /* [slots] SCREE_NONE: empty slot */
    scree_shift *image;    /* [slots] cells by which the box is shifted */
    uint32_t *next_image;  /* [slots] next slot of the same part, or SCREE_NONE */
    uint8_t *mark;         /* [slots] changed since the last step_init */
    uint64_t part_capacity, ref_capacity, body_capacity;
    uint32_t *part_first; /* [bodies + 1] parts of body i */
    uint32_t *slot;       /* [parts] slot of the part's own box, SCREE_NONE: none yet */
    double *ref;          /* [4 bodies] x y z eps at the last renewal */
    uint64_t normal_capacity;
    double *normal;      /* [3 planes] how planes were turned at the last renewal */
    uint8_t *must_renew; /* [bodies] wrapped or edited since */
    GArray *free_slots;  /* min-heap of uint32_t */
    uint32_t *moved;     /* [n_moved] ascending, for step_init */
    uint64_t n_moved, moved_capacity;
    bool valid;    /* false: all extents are to be made anew */
    bool numbered; /* false: slots are to be numbered anew (gcd.init) */
    bool simple;   /* slot i is body i: no images, one part each */
    bool bare;     /* simple, and no box is needed between refreshes: lo, hi, centre, radius are
                      scratch memory while one lasts, the other arrays by slot are not there */
} scree_box_set;

/** Whose box a slot is, SCREE_NONE: empty. */
static inline uint32_t scree_box_body(const scree_box_set *set, uint32_t slot)
{
    return set->simple ? slot : set->body[slot];
}
static inline uint32_t scree_box_part(const scree_box_set *set, uint32_t slot)
{
    return set->simple ? 0 : set->part[slot];
}
static inline scree_shift scree_box_image(const scree_box_set *set, uint32_t slot)
{
    return set->simple ? SCREE_SHIFT_ZERO : set->image[slot];
}
/** Slot of the first part of a body, not of one of its images. */
static inline uint32_t scree_body_slot(const scree_box_set *set, uint32_t body)
{
    return set->simple ? body : set->slot[set->part_first[body]];
}

enum { SCREE_MAX_BLOCKS = 256, SCREE_MAX_TYPES = 8, SCREE_MAX_PAIR_FIELDS = 64 };
enum { SCREE_SCOPES = SCREE_SCOPE_GLOBAL + 1 }; /* by SCREE_SCOPE_* */

/** Pairs of slots that the GCD has found, in pages; all but the last are full once they are
 * filtered (search.c). */
enum { SCREE_RAW_BITS = 14, SCREE_RAW_PAGE = 1 << SCREE_RAW_BITS };
typedef struct scree_raw_page {
    scree_pair pair[SCREE_RAW_PAGE];
    uint8_t list[SCREE_RAW_PAGE]; /* whose candidates they are */
} scree_raw_page;
typedef struct scree_raw {
    uint64_t n;          /* pairs of the last search */
    uint64_t last_found; /* how many the GCD emitted in it */
    GPtrArray
        *pages;     /* of scree_raw_page, scratch memory unless extents are renewed as they move */
    GArray *counts; /* of uint32_t: pairs in each */
    uint32_t n_pages;      /* in use */
    pthread_mutex_t mutex; /* of the lanes that ask for a page */
} scree_raw;

/** Where the GCD writes on one lane. */
typedef struct scree_lane_sink {
    scree_pair_sink head;
    struct scree_sim *sim;
    scree_pair *pairs; /* reserved */
    uint64_t capacity, reserved, committed, n;
    uint64_t most, refusals; /* pairs that it takes, how often it took none */
    scree_raw_page *page;    /* that takes them; NULL: none yet */
    uint32_t page_number, filled;
    const void *owner; /* scree_guard_now of the thread that it was given to; NULL: of no call */
} scree_lane_sink;

/** Work of a stage that waits for a pass over the bodies (integrator.h, `move`). */
typedef struct scree_move {
    scree_motion motion;
    uint32_t stage;
} scree_move;

typedef struct scree_lane scree_lane; /* evaluate.c: buffers of one thread */

typedef struct scree_edit_queue scree_edit_queue; /* boundary.c */

/** Where bodies [first, last) were, and how they moved, before a plugin was called (motion.c). */
typedef struct scree_kept {
    uint32_t first, last;
    double *values;
    uint64_t capacity;
} scree_kept;

typedef struct scree_recorded scree_recorded; /* observer_view.c */

typedef struct scree_watch scree_watch; /* watch.h */

typedef struct scree_blame scree_blame; /* blame.h: the call that went wrong */

/** Overlaps that a lane has seen in the first evaluation, later deep ones, and the worst of them.
 */
typedef struct scree_overlap {
    uint64_t n, id_a, id_b; /* id_a < id_b */
    double depth, share;    /* [m], [-] of the smaller radius */
} scree_overlap;

/** The order of overlaps does not depend on who finds them. */
static inline bool scree_overlap_beats(const scree_overlap *a, const scree_overlap *b)
{
    if (a->share > b->share || a->share < b->share)
        return a->share > b->share;
    return a->id_a != b->id_a ? a->id_a < b->id_a : a->id_b < b->id_b;
}

typedef struct scree_loads scree_loads;

typedef struct scree_sim {
    scree_scene *scene;
    scree_runtime runtime;
    scree_conformal conformal;     /* scree.conformal/1 */
    struct scree_at_rest *at_rest; /* surfaces that it knows (conformal.c) */
    scree_world *world;
    scree_bodies view;

    scree_instance *gcd;
    const scree_gcd_ops *gcd_ops;
    scree_instance *integrator;
    const scree_integrator_ops *integrator_ops;
    scree_move moves[2]; /* in their order; one more before each evaluation, one at a step's end */
    uint32_t n_moves;
    bool watched;         /* the state after the next step will be read before the step after it */
    GPtrArray *resolvers; /* of scree_instance */
    scree_law *laws;
    uint32_t n_laws;
    GPtrArray *modifiers;      /* of scree_instance */
    GPtrArray *modifier_hooks; /* of const scree_hook, beside them */

    /* Components of fields by scope; in `columns` those in use come first, then the dormant. */
    uint32_t n_contact_fields, n_pair_fields, n_global_fields, n_body_fields;
    uint32_t n_live[SCREE_SCOPES];          /* in use */
    GPtrArray *columns[SCREE_SCOPES];       /* of scree_column */
    double *contact_initial, *pair_initial; /* [fields] */
    double *global_field;
    uint64_t needs;     /* inputs of all laws */
    uint32_t n_keepers; /* laws that keep contacts */
    bool any_keep, any_stored, serial;
    bool any_newcomer;        /* some law is one */
    double range;             /* [m] largest of any law, for the bodies that there are */
    bool reach_known;         /* false: range and gap are of other laws or bodies (reach.h) */
    struct scree_span *spans; /* [n_materials] sizes that laws were asked about, or NULL */

    uint64_t step;      /* steps done since t0 */
    double t0, dt, lag; /* [s] lag: start of the next step minus time of the last commit */
    double critical;    /* [s] the smaller critical step; infinite when none is known */
    uint64_t renumber_every;
    double renumber_cell; /* [m] */
    double eps_v, eps_e, eps_c;
    double eps_share; /* of eps_v that bodies as fast as they are now are given (extent.c) */
    bool renew_moved, tolerance_zero;

    bool checks_dt;
    bool paced; /* the lanes of a step are those that pay */
    scree_pace pace;
    uint32_t batch;       /* pairs per batch, 64 to 1024 */
    uint32_t want_blocks; /* 0: as many as lanes may be asked */
    uint32_t n_blocks;
    uint32_t *block_first; /* [n_blocks + 1] */
    uint64_t block_capacity;
    uint32_t committed; /* which of a segment's two copies is the committed one */
    scree_list *lists;  /* by (type_a, type_b) ascending */
    uint32_t n_lists;
    scree_box_set boxes;
    scree_raw raw;                            /* pairs of slots whose extents overlap */
    scree_scratch *scratch;                   /* of a refresh, of a renumbering */
    scree_lane_sink *sinks;                   /* [lanes] */
    uint32_t types[SCREE_MAX_TYPES], n_types; /* shape types of the scene, ascending */
    uint8_t *type_index; /* [shapes] the type among those of the scene, UINT8_MAX: none of them;
                            list_of by two of them */
    uint8_t list_of[SCREE_MAX_TYPES][SCREE_MAX_TYPES]; /* UINT8_MAX: no such list */
    GArray *extra; /* order.c: pairs kept for their history alone */
    scree_lane *lanes;
    bool stale; /* lists miss pairs: the next evaluation refreshes */
    const scree_kernels *kernels;
    double *gap;   /* [n_materials^2] largest range of any law; NULL: no law reaches or keeps beyond
                      touch */
    double stored; /* [J] in contacts, at the last accepted evaluation */
    double power;  /* [W] of modifiers, at the last evaluation */
    double size;   /* [m] of the scene as it begins: longest side around its bodies and region */
    uint32_t looked_at;               /* bodies before this one were looked at (motion.c) */
    scree_kept kept;                  /* what the integrator may not write, */
    scree_kept kept_free, kept_fixed; /* and what a modifier may not when it poses bodies */
    /* [3][n] [m/s] velocity of surfaces against their bodies, of kinematic bodies; see pose.c */
    double *surface[3];
    uint64_t surface_capacity;
    uint8_t *turned; /* [turned_capacity] zeros: isotropic of integrators where laws ask for q */
    uint64_t turned_capacity;
    bool any_surface; /* false: surface holds nothing but zeros, if anything */
    /* What the coming accepted evaluation keeps for observers, since lists and storage numbers may
     * change before they look (observer_view.c). */
    bool record;       /* its contacts, for scree_view_fill */
    bool record_walls; /* what they do to bodies that are not free, for scree_reaction */
    bool records_all;  /* with `record`: of evaluations that are not accepted, too (contact_match.c)
                        */
    bool newcomers;    /* bodies or modifiers came whose fields `enter` has not seen */
    scree_loads *loads; /* loads.c; NULL: no modifier has asked yet */
    bool erase_hints;   /* tests: hints are zeroed before every evaluation */

    /* statistics */
    uint64_t gcd_calls, n_emitted, evaluations;
    uint64_t sum_candidates, sum_contacts; /* over the evaluations */
    uint64_t ended_with_energy;
    uint64_t n_candidates, n_contacts;
    uint64_t n_contacts_free; /* of them, those between two free bodies */
    uint64_t accuracy_overlapping, accuracy_committed;
    scree_ledger ledger; /* of the time since steps began */

    /* energy account [J] */
    double start_energy, lost, work;
    uint32_t lines_in;                   /* table that the segments' lines belong to */
    GArray *sum_values, *ended_contacts; /* energy.c */
    GArray *edited; /* ids of bodies inserted or set since the last accepted evaluation */
    scree_edit_queue *edits;
    double *displacement[3], *rotation[3]; /* [n] integrators with SCREE_DISPLACEMENT */
    uint64_t displacement_capacity;
    bool displaced; /* these belong to the current bodies, as they are numbered now */
    double *moved;  /* mirror of them */
    uint64_t moved_capacity;
    double *places; /* [n - n_free] x, q of kinematic bodies at the committed state */
    uint64_t places_capacity;
    uint8_t *edit_marks; /* [n] scree_motion.edited */
    uint64_t edit_marks_capacity;
    const char **names; /* [n] for observers */
    uint64_t names_capacity;
    scree_recorded *recorded; /* of the last accepted evaluation */
    scree_overlap *overlaps;  /* [lanes] of the first evaluation, then of deep ones */
    bool seeks_overlaps;      /* while the first one is on */
    scree_watch *watch;       /* NULL: nothing is warned of */
    bool looks, surveys;      /* at the state after this step; at the contacts in it */
    double deep;              /* [m] no overlap below it is worth a warning */
    bool seeks_deep;          /* one above it is looked for in this step */
    uint64_t n_destroyed;     /* free bodies that boundaries have taken out */
    GPtrArray *list_arrays;   /* observer_view.c: of the contact list */
    scree_blame *blame;       /* of the failure that has ended the run; NULL: not recorded */
    GPtrArray *swaps;         /* of scree_swap (swap.h), in their order */
    uint8_t *schedule_done;   /* [entries of the schedule] 1: it has acted */
    GArray *acted;            /* of scree_acted (schedule.h), in their order */
    GPtrArray *adopted;       /* of scree_plugin_set_read: those that came in mid-run */
} scree_sim;

/** The fields of a state that a run goes on from, and what becomes of them (restart.c). */
typedef struct scree_legacy {
    GPtrArray *const *before;   /* [SCREE_SCOPES] of scree_column */
    GArray *from[SCREE_SCOPES]; /* out: of int32_t, see scree_columns_map */
    GPtrArray *told;            /* out: of char *, a line per field */
} scree_legacy;

typedef struct scree_sim_options {
    uint32_t threads; /* 0: 1 */
    uint32_t blocks;  /* 0: as many as lanes pay */
    uint32_t batch;   /* 0: the default, 512 */
    double t0;
    const volatile int *cancelled;
    const char *output_dir; /* NULL: observers that write are refused */
    bool check_dt;          /* a dt above the critical step is warned of, far above it refused; what
                               goes wrong later is watched (watch.h) */
    bool all_lanes;         /* tests: each loop asks all threads, whether they pay or not */
    bool waits;             /* the first evaluation waits for scree_sim_start */
    scree_legacy *goes_on; /* NULL: from the start of the scene; else its state is put in later, and
                              nothing is evaluated before */
} scree_sim_options;

/** Takes over `scene`. Makes instances, builds the world, evaluates the initial state. */
scree_sim *scree_sim_new(scree_scene *scene, const scree_sim_options *options, GError **error);
/** With `waits`: evaluates the initial state. sim->record and sim->record_walls may be set before
 * it. */
bool scree_sim_start(scree_sim *sim, GError **error);
void scree_sim_free(scree_sim *sim);
/** [s] The smaller critical step of the bodies and laws of now. False when a law fails, or the
 * run's step is too far above it. */
bool scree_sim_critical(scree_sim *sim, double *critical, GError **error);
/** Refreshes the view that plugins get, after arrays or counts changed. */
void scree_sim_view(scree_sim *sim);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_sim, scree_sim_free)

/** Time of the state [s]: t0 + n dt, never a running sum. */
static inline double scree_sim_time(const scree_sim *sim)
{
    return sim->t0 + (double)sim->step * sim->dt;
}

/* step.c */
/** One step. Where sim->watched is false the last move of the bodies may be left to the next step
 * (or to scree_sim_settle): the state is not to be read then. */
bool scree_sim_step(scree_sim *sim, GError **error);
/** Moves the bodies that still await it. */
bool scree_sim_settle(scree_sim *sim, GError **error);
/** What the integrator has asked for and is not done yet, for free bodies of [begin, end). */
int32_t scree_move_bodies(scree_sim *sim, uint32_t begin, uint32_t end);

/* evaluate.c: forces at the present positions (design, section 2) */
bool scree_evaluate(scree_sim *sim, double offset, double since, bool accepted, GError **error);
/** [J] that modifiers store by their forces in the bodies with marked[i] != 0 (NULL: in all), asked
 * beside the evaluations. */
bool scree_modifiers_store(scree_sim *sim, const uint8_t *marked, double *stored, GError **error);
void scree_evaluate_init(scree_sim *sim);
void scree_evaluate_clear(scree_sim *sim);

/* motion.c: what plugins have made of the bodies */
/** Notes how large the scene is, from the current bodies. */
void scree_motion_size(scree_sim *sim);
/** Whether all bodies that move are finite, turned by unit quaternions, neither too fast nor too
 * far away for the scene: else the integrator's fault, or the run has blown up. */
bool scree_motion_check(scree_sim *sim, GError **error);
/** The same of some free bodies, others each time. */
bool scree_motion_check_some(scree_sim *sim, GError **error);
/** Keeps how bodies [first, last) are. */
void scree_motion_keep(scree_sim *sim, scree_kept *kept, uint32_t first, uint32_t last);
/** The first body from `first` on that is not as it was kept, or SCREE_NONE. */
uint32_t scree_motion_changed(const scree_sim *sim, const scree_kept *kept, uint32_t first);
/** The same among those that are fixed. */
uint32_t scree_motion_changed_fixed(const scree_sim *sim, const scree_kept *kept);
/** Blames the integrator's `call` when sim->kept has changed; `fixed`: when a fixed body has. */
bool scree_motion_check_kept(const scree_sim *sim, bool fixed, const char *call, GError **error);

/* pose.c: kinematic bodies at a time, by their own motion and the modifiers' */
bool scree_pose(scree_sim *sim, double time, GError **error);
/** With displacements: keeps the poses of kinematic bodies, now or at a time after the start of the
 * step, as those of the committed state. */
void scree_pose_keep(scree_sim *sim);
bool scree_pose_keep_at(scree_sim *sim, double offset, GError **error);
/** How far body i, not free, has moved [m] and turned [rad] since then. */
void scree_pose_moved(const scree_sim *sim, uint32_t i, double moved[3], double turned[3]);
/** How fast the surface of a body runs in the plane of a contact [m/s]; 0 for free ones. */
void scree_surface_at(const scree_sim *sim, uint32_t body, const double normal[3], double u[3]);

/* extent.c: tight boxes, extents, images */
/** True when none is valid, or a body that is not free has left its extent (free balls: the kernel
 * `left`). */
bool scree_extent_violated(scree_sim *sim);
/** New extents: of all boxes, or (renew moved) of those that left theirs, listed in boxes.moved;
 * *all says which, *renumbered that slots mean other bodies than before. */
bool scree_extent_renew(scree_sim *sim, bool *all, bool *renumbered, GError **error);
/** Tight box, centroid and bounding radius of a part, now. */
typedef struct scree_tight {
    double lo[3], hi[3], centre[3], radius;
} scree_tight;
void scree_extent_tight(const scree_world *world, uint32_t body, uint32_t part, scree_tight *tight);
/** Corners of a facet, now; returns how many. */
uint32_t scree_facet_corners(const scree_world *world, uint32_t body, uint32_t part,
                             double corner[4][3]);
/** Outward normal of a plane, now. */
void scree_plane_normal(const scree_world *world, uint32_t plane, double normal[3]);
/** Gives the boxes of a bare set back: corners alone, or (all) the bounding spheres too. */
void scree_extent_drop(scree_sim *sim, bool all);
void scree_extent_clear(scree_sim *sim);
/** A body jumped by whole cells, `by` [m] along `axis`: its reference goes with it. */
void scree_extent_wrapped(scree_sim *sim, uint32_t body, int axis, double by);
/** Bodies were inserted or dropped: new_of_old[i] is the new number of old body i or SCREE_NONE. */
void scree_extent_renumbered(scree_sim *sim, const uint32_t *new_of_old, uint32_t n_old);
uint32_t scree_parts_of(const scree_world *world, uint32_t body);

/* order.c: pairs of boxes into lists */
bool scree_order_refresh(scree_sim *sim, GError **error);
void scree_order_prepare(scree_sim *sim);
void scree_order_clear(scree_sim *sim);
/** Segment (b, B). */
static inline scree_segment *scree_list_segment(const scree_list *list, uint32_t n_blocks,
                                                uint32_t b, uint32_t B)
{
    return &list->segments[b * (n_blocks + 1) + B];
}
/** The row (lower storage number) and column of a pair. */
static inline uint32_t scree_pair_row(const scree_segment *s, uint32_t p)
{
    return s->a[p] < s->b[p] ? s->a[p] : s->b[p];
}
static inline uint32_t scree_pair_column(const scree_segment *s, uint32_t p)
{
    return s->a[p] < s->b[p] ? s->b[p] : s->a[p];
}
/** Room for pairs, parts, hints and pair fields of a segment; contents are undefined. */
void scree_segment_reserve(const scree_sim *sim, const scree_list *list, scree_segment *s,
                           uint64_t n_pairs, uint64_t n_parts);
/** Cuts the free bodies into blocks of about equal work; `weight` [n_free + 1] running sum or NULL.
 */
void scree_order_cut_blocks(scree_sim *sim, const uint64_t *weight);

/* pair_history.c: what lives per pair, from the lists before to those that are made */
/** Notes the pairs of all lists, in scratch memory, before their segments are written anew. */
void scree_past_take(scree_sim *sim);
/** Contacts, keep marks, pair fields and hints of the pairs of a new segment, in its table, from
 * what they were; reads the committed copies, writes the others. */
void scree_past_carry(scree_sim *sim, const scree_list *list, scree_segment *s);
/** How many contacts and pairs with fields there were, and how many came over. */
uint64_t scree_past_count(const scree_sim *sim, const scree_list *list);
uint64_t scree_carried_count(const scree_sim *sim, const scree_list *list);
/** What was carried is committed from now on; room for the contacts of the next evaluation. */
void scree_lists_turn(scree_sim *sim);

/* contacts.c: tables, and contacts apart from storage (snapshot, renumbering, hash) */
typedef struct scree_contact_key {
    uint64_t id_a, id_b;
    scree_shift shift; /* unwrapped cells of b against a */
    uint64_t feature;
} scree_contact_key;
typedef struct scree_contact_store {
    uint64_t n;
    scree_contact_key *key;
    uint8_t *keep;
    double *stored;
    double *field;    /* [n][n_contact_fields] */
    uint64_t n_pairs; /* pair fields, by (a, b, shift), feature 0 */
    scree_contact_key *pair_key;
    double *pair_field; /* [n_pairs][n_pair_fields] */
} scree_contact_store;
void scree_table_clear(scree_table *table, uint32_t n_fields);
void scree_table_reserve(const scree_sim *sim, scree_table *table, bool single, uint64_t n);
/** Takes one committed contact, number `at` of the segment's table, or one pair with fields, number
 * `at` of the segment. */
typedef void (*scree_contact_fn)(void *user, const scree_contact_key *key,
                                 const scree_segment *segment, uint32_t at);
/** All of them, in the order of their keys. */
void scree_contacts_each(const scree_sim *sim, scree_contact_fn take, void *user);
void scree_pair_fields_each(const scree_sim *sim, scree_contact_fn take, void *user);
void scree_contacts_count(const scree_sim *sim, uint64_t *n, uint64_t *n_pairs);
/** Committed contacts and pair fields, sorted by key. */
scree_contact_store *scree_contacts_export(const scree_sim *sim);
/** The same, not sorted yet: a third of the work. */
scree_contact_store *scree_contacts_collect(const scree_sim *sim);
void scree_contact_store_sort(scree_contact_store *store, uint32_t n_fields,
                              uint32_t n_pair_fields);
void scree_contact_store_free(scree_contact_store *store);
/** Bodies have new numbers, SCREE_NONE: dropped, and its contacts with it. Rows are no longer in
 * order: the next evaluation must refresh. */
void scree_contacts_renumber(scree_sim *sim, const uint32_t *new_of_old);
/** Replaces all lists by ones that hold exactly these contacts (as committed), for the present
 * storage order; contacts of missing bodies are dropped. The next evaluation must refresh. */
void scree_contacts_import(scree_sim *sim, const scree_contact_store *store);
void scree_segment_clear(const scree_sim *sim, scree_segment *segment);
/** Empty segments for so many blocks; memory is kept. */
void scree_list_resize(scree_list *list, uint32_t n_blocks);
void scree_lists_free(scree_sim *sim);

/* region.c, boundary.c: end of a step */
bool scree_boundary_apply(scree_sim *sim, GError **error);
/** Takes out the bodies with dead[i] != 0, with their energy. */
bool scree_bury(scree_sim *sim, const uint8_t *dead, GError **error);
bool scree_edits_apply(scree_sim *sim, GError **error);
void scree_edits_clear(scree_sim *sim);
/** New storage order by Morton cell (the scene's renumber.every). */
bool scree_renumber(scree_sim *sim, GError **error);

/* energy.c */
double scree_tree_sum(const double *v, uint64_t n, uint64_t stride);
void scree_energy_now(const scree_sim *sim, scree_energy *energy);
double scree_energy_body(const scree_sim *sim, uint32_t i); /* kinetic + gravity */
/** [J] in the contacts, as the newest evaluation has left it in the bodies' lines. */
double scree_energy_stored(const scree_sim *sim);
/** Books what an accepted evaluation lost and what walls did. */
bool scree_energy_account(scree_sim *sim, double since, GError **error);
/** [J] in the contacts of bodies with marked[i] != 0, of a segment's table `which`. */
double scree_energy_stored_with(scree_sim *sim, const uint8_t *marked, uint32_t which);
void scree_momentum(const scree_sim *sim, double linear[3], double angular[3]);
/** Calls `take` for the line of every contact with a body that is not free, in canonical order, as
 * long as the lines of the last accepted evaluation are there. */
void scree_each_wall_line(const scree_sim *sim,
                          void (*take)(void *user, uint32_t row, uint32_t wall,
                                       const scree_line *line),
                          void *user);
/** Contact force and torque on a body that is not free. */
void scree_reaction(const scree_sim *sim, uint32_t body, double force[3], double torque[3]);

/* notify.c: what plugins are told when bodies come, go or get other numbers */
/** Tells those that keep something by body number (GCDs get init or moved slots instead);
 * new_of_old [n_old]: SCREE_NONE of those that are gone. */
bool scree_tell_resized(scree_sim *sim, const uint32_t *new_of_old, uint32_t n_old, GError **error);
/** Tells them that no body is what it was. */
bool scree_tell_all_new(scree_sim *sim, GError **error);
/** Lets modifiers set what fields start from: of all bodies, or of those that came in. */
bool scree_modifiers_enter(scree_sim *sim, GError **error);

/* loads.c: what contacts do to walls, for modifiers with SCREE_READS_LOADS */
/** After the account of an accepted evaluation: keeps them, if some modifier reads them. */
void scree_loads_take(scree_sim *sim);
/** Of body number i, which is not free. False with an error when a law fails. */
bool scree_loads_of(scree_sim *sim, uint32_t i, scree_load *out, GError **error);
void scree_loads_clear(scree_sim *sim);

/* digest.c */
/** SHA-256 of the state (design, section 4), hex; new string. */
char *scree_state_sha256(const scree_sim *sim);

/* snapshot.c */
typedef struct scree_snapshot scree_snapshot;
scree_snapshot *scree_snapshot_take(const scree_sim *sim);
void scree_snapshot_restore(scree_sim *sim, const scree_snapshot *snapshot);
void scree_snapshot_free(scree_snapshot *snapshot);

/* observer_view.c */
/** After an accepted evaluation was committed: keeps what `record` and `record_walls` ask for. */
void scree_record_take(scree_sim *sim);
void scree_record_clear(scree_sim *sim);
/** What a recorded contact takes [bytes], with its place in the list that observers see. */
uint64_t scree_record_bytes(void);
/** Force and torque on a body that is not free as recorded; false when nothing is. */
bool scree_record_reaction(const scree_sim *sim, uint64_t id, double force[3], double torque[3]);
/** Fills what a view tells of the bodies alone (observer.h, `watch`). */
void scree_view_state(scree_sim *sim, scree_view *view);
/** Fills a view of the present state; `contacts` may be NULL, else sim->record was set when the
 * last accepted evaluation was made. */
void scree_view_fill(scree_sim *sim, scree_view *view, scree_energy *energy,
                     scree_contact_list *contacts);

/** What to add to a message about numbers that are not finite: "", or that dt is too large. */
const char *scree_sim_hint(const scree_sim *sim);
/** Exit status for a number that is not finite: a plugin's, or the run's when dt is too large. */
int scree_sim_blame_status(const scree_sim *sim);

double scree_now(void); /* monotonic seconds */

/** From now on time is booked to `phase`; returns the former one, to be entered again. */
static inline scree_phase scree_sim_enter(scree_sim *sim, scree_phase phase)
{
    return scree_ledger_enter(&sim->ledger, sim->runtime.pool, phase);
}
/** The rows of the `wall_s` seconds since its ledger was opened. */
static inline scree_phase_times scree_sim_times(const scree_sim *sim, double wall_s)
{
    return scree_ledger_times(&sim->ledger, sim->runtime.pool, wall_s);
}

#endif
