/* SPDX-License-Identifier: MIT */
/* Force laws: contacts in, force and couples per contact out. */
#ifndef SCREE_FORCE_H
#define SCREE_FORCE_H

#include "host.h"
#include "types.h"

/*
 * The host gathers the inputs that a law names in `needs` and calls compute() on batches. It adds
 * arm × force to the couples and sums per body. At each contact it adds up the laws of a scene in
 * the order of the config.
 */

/* Inputs (mask, `needs` of the descriptor). Normal, depth and fields are always there. */
#define SCREE_IN_VELOCITY (1u << 0)  /* v[3] */
#define SCREE_IN_SLIP (1u << 1)      /* slip[3] */
#define SCREE_IN_ROLL (1u << 2)      /* roll[3] */
#define SCREE_IN_SPIN (1u << 3)      /* spin[3] */
#define SCREE_IN_MASS (1u << 4)      /* mass */
#define SCREE_IN_MATERIALS (1u << 5) /* materials */
/* The resolver must provide the next three for the pair. */
#define SCREE_IN_CURVATURE (1u << 6)     /* curvature[2] */
#define SCREE_IN_AREA (1u << 7)          /* area */
#define SCREE_IN_CHORD (1u << 8)         /* chord */
#define SCREE_IN_RADII (1u << 9)         /* radius[2] */
#define SCREE_IN_ARM (1u << 10)          /* arm[3], d[3] */
#define SCREE_IN_NORMAL_FORCE (1u << 11) /* normal_force */
/* bodies->q, which integrators then advance for spheres and discs too. */
#define SCREE_IN_ORIENTATION (1u << 12)
/* The resolver must provide the next three for the pair, too. */
#define SCREE_IN_VOLUME (1u << 13)    /* volume */
#define SCREE_IN_PARTS (1u << 14)     /* part[2] */
#define SCREE_IN_PRINCIPAL (1u << 15) /* principal, direction */
/* The geometry of contacts (resolver.h) that the law serves. Neither bit: distance. Both bits:
 * either. The laws of a pair of types and its resolver must agree on one. */
#define SCREE_IN_OVERLAP (1u << 16)
#define SCREE_IN_DISTANCE (1u << 17)
/* The next one is 0 where the resolver does not provide it. */
#define SCREE_IN_TWIST (1u << 18) /* twist */
/* This bit has no array. The arms of this law are half a depth longer: they end on the surfaces of
 * the bodies, as if nothing overlapped. The arm of a ball is its radius. The arm of a clump is the
 * way from its centre to the ball that touches, plus the radius of that ball along n. The arm of
 * another solid is the way to its deepest point. A wall (SCREE_CAP_WALL, SCREE_CAP_INFINITE) keeps
 * its arm. The host gives the law v, slip, arm and d of the longer arms, and applies its force
 * there; other laws of the scene keep theirs. A closed path of rolling then leaves no slip behind,
 * but the two forces of a contact are apart, so angular momentum is not kept. */
#define SCREE_IN_LEVER_RADIUS (1u << 19)
/* With SCREE_IN_MASS: `mass` is the effective mass at the contact point, see the batch. */
#define SCREE_IN_MASS_POINT (1u << 20)
/* The next ones are 0 where the resolver does not provide them. */
#define SCREE_IN_ECCENTRICITY (1u << 21) /* eccentricity and its slopes */
/* The resolver must provide the next one for the pair, too. */
#define SCREE_IN_BED (1u << 22) /* bed and its slopes */

/* Limits. */
#define SCREE_MAX_KEEPING_LAWS 8 /* laws of a scene that provide `keep` */
#define SCREE_MAX_PAIR_FIELDS 64 /* components of all pair fields of a scene */

/* Outputs (mask, `provides` of the descriptor). The force is always an output. */
#define SCREE_OUT_COUPLE (1u << 0)   /* couple[3] */
#define SCREE_OUT_COUPLE_B (1u << 1) /* couple_b[3]; without it b gets -couple */
#define SCREE_OUT_STORED (1u << 2)   /* stored */
#define SCREE_OUT_LOST (1u << 3)     /* lost */
#define SCREE_OUT_KEEP (1u << 4)     /* keep */
#define SCREE_OUT_PARTED (1u << 5)   /* lost is exact at the ends of contacts, see below */
#define SCREE_OUT_HEAT (1u << 6)     /* heat */

/*
 * The energy account of a run: kinetic + gravity + stored + lost - work = start + residual.
 *
 * `stored` is the energy that the springs of the contact would give back now.
 *
 * `lost` is the heat since the committed state, by time: -(f_then + f_now)·v / 2. Here f is the
 * part of the force that does not come from a spring, and v the current velocity. The sum over the
 * steps is then of second order. A dashpot c v, whose previous force the law does not know, reports
 * c v^2. A spring that slides by p = slip - (its growth) reports k (s_then + s_now)·p / 2 over
 * `since`. The host books lost × since; at the first evaluation (since = 0) this is 0.
 *
 * `heat` is energy that is lost at once: a bond breaks, a bridge ruptures. It is 0 on entry;
 * compute() writes it only where energy is lost in this way. The host books it once, at the
 * accepted evaluation. Where a force ends, the force of the previous evaluation has acted for half
 * a step: its work f·v since / 2 is part of the heat; force/bonded shows it.
 *
 * Ends of contacts. Where a contact begins, its dashpot has acted for half a step, and its force
 * lags half a step: c v^2 counts by three quarters there, and by one quarter more where the contact
 * has ended. When a contact opens, the bodies keep the energy that the normal spring gave them, and
 * the energy of the tangential spring is lost. So compute() gets a contact that has ended once
 * more, after an accepted evaluation, at its current place, with its committed fields. (It has
 * opened, or in a pair of facets another contact has taken its place.) Of what compute() then
 * writes, the host takes only stored, lost and heat.
 *
 * With SCREE_OUT_PARTED the law weighs fresh contacts itself. It is given the gap, depth < 0, and
 * parted = 1; lost × since is the heat of the end. sdk.h has helpers; force/linear shows them.
 *
 * Without that bit the host takes three quarters of lost where `fresh` is 1. At the end the law is
 * given depth 0 (or -range of the farthest law); its `stored` there, and lost × since / 4, are
 * lost.
 */

/** Contacts of one pair of types, for one law slot. Inputs not named in `needs` and outputs not in
 * `provides` are NULL. Arrays [n], 64-byte aligned, readable and writable up to the next multiple
 * of 8, none overlaps another. */
typedef struct scree_contact_batch {
    uint32_t size;
    uint32_t lane;
    uint32_t n;
    uint32_t accepted; /* 1: this evaluation's state will be kept, and its fields with it */
    double time;       /* [s] of this evaluation */
    double since;      /* [s] since the committed fields were written; 0 at the first evaluation */
    const uint32_t *a, *b;      /* bodies */
    const scree_bodies *bodies; /* with `used` of this law */

    const double *normal[3]; /* [-] from a to b */
    const double *depth;     /* [m] */
    const double *v[3]; /* [m/s] velocity of a's contact point relative to b's, at this evaluation:
                           with velocity_verlet the velocity of the half step */
    const double
        *slip[3]; /* [m] displacement of a's contact point relative to b's since the committed
                     fields were written. Never multiply v by a time step instead */
    const double *roll[3]; /* [rad] rotation of a relative to b in the same time */
    const double *spin[3]; /* [rad/s] w_a - w_b */
    /* [kg] Effective mass, 1 / (1/m_a + 1/m_b). For a body that is not free, 1/m is 0. With
     * SCREE_IN_MASS_POINT it is the effective mass at the contact point along the normal: for a
     * body that is not round, 1/m + (r × n)·I^-1 (r × n) replaces 1/m, where r is the arm of the
     * body. */
    const double *mass;
    const uint32_t
        *materials; /* [-] index into PER_PAIR tables: material_a * n_materials + material_b */
    const double *curvature[2];  /* [1/m] of a and b */
    const double *area;          /* [m^2] see resolver.h */
    const double *chord;         /* [m] see resolver.h */
    const double *radius[2];     /* [m] of a and b, see types.h: 0 is flat */
    const double *arm[3], *d[3]; /* [m] see types.h */
    const double
        *normal_force; /* [N] -f · n summed over the laws before this one: > 0 pushes apart; 0 for a
                          contact that has ended. The first law of `force` cannot ask for it */
    const uint8_t
        *fresh; /* 1: the contact begins, or a contact field in `in` holds `initial`: after
                             a swap that has brought the law (back) */

    /* Fields of the descriptor: contact scope first, then pair scope, each in its order, one array
     * per component. `in` holds the committed values. The host keeps `out` if the state is
     * accepted; of a pair field it keeps the values that the first contact of the pair writes. */
    const double *const *in;
    double *const *out;

    double *f[3];        /* [N] on a, at the contact point; b gets the opposite */
    double *couple[3];   /* [N m] on a, added to arm × f */
    double *couple_b[3]; /* [N m] on b */
    double *stored;      /* [J] elastic energy in the contact, see above */
    double *lost;        /* [W] heat since the committed state, by time; see above */
    double *heat;        /* [J] energy lost at once; 0 on entry; see above */
    /* In: the value that this law committed. Out: 1 (any but 0) keeps the contact at any distance;
     * 0: the contact ends after this evaluation, unless it is within range. */
    uint8_t *keep;
    uint32_t parted; /* 1: the contacts of this batch have ended (SCREE_OUT_PARTED) */
    uint32_t reserved;
    const uint8_t *pair_fresh; /* 1: a pair field in `in` holds `initial`; NULL without pair
                                  fields */
    const double *volume;      /* [m^3] see resolver.h, also for the next three */
    const uint32_t *part[2];
    const double *principal[4];    /* [1/m] */
    const double *direction[2][3]; /* [-] */
    /* Body fields of the descriptor's uses[] with READ, of a and b: one array [n] per component, in
     * the order of uses[]; NULL for an optional field that is missing. */
    const double *const *body_a, *const *body_b;
    /* Out: the rates [unit/s] that the contact adds to a and b, for the uses[] with ADD, in the
     * order of body_a (no pointer is NULL). The law writes them for every contact of every batch.
     * The host uses them at accepted evaluations, for contacts that have not ended. */
    double *const *add_a, *const *add_b;
    const double *global_fields; /* components of the law's own GLOBAL fields */
    const double *twist;         /* [m^3/rad] see resolver.h, also for the rest */
    const double *eccentricity, *eccentricity_turn, *chord_turn; /* [-] [1/rad] [m/rad] */
    const double *eccentricity_slope[2], *chord_slope[2];        /* [1/m] [-] */
    const double *bed, *bed_slope[3], *bed_turn[3];              /* [m^4] [m^3] [m^4/rad] */
} scree_contact_batch;

/** Question to range() and reach(), and its answer. */
typedef struct scree_range_query {
    uint32_t size; /* of the host's struct */
    uint32_t material_a, material_b;
    uint32_t reserved;         /* 0 */
    double radius_a, radius_b; /* [m] as in the batch: 0 is flat */
    double gap;                /* [m] out: 0 or more; on entry 0, for reach() infinite */
} scree_range_query;

/** Question to stiffness(): about an existing contact, whose depth is known, or about an expected
 * contact, whose speed of approach is known. */
typedef struct scree_stiffness_query {
    uint32_t size;
    uint32_t material_a, material_b;
    uint32_t reserved;         /* 0 */
    double radius_a, radius_b; /* [m] as in the batch: 0 is flat */
    double mass;               /* [kg] effective, as in the batch */
    double speed;              /* [m/s] of approach to expect, where the depth is not known */
    double depth;              /* [m] of the contact, or 0: not known; negative across a gap */
    double normal_force;       /* [N] normal force of all laws, > 0 pushes apart, or 0: not known */
    double kn, kt; /* [N/m] sums of the slopes of the laws before this one, for a law whose slopes
                      depend on them */
} scree_stiffness_query;

/** How a law resists small displacements and velocities of a contact: the largest slopes of force
 * and couple, none below 0. A law that pulls gives the size of its slope. All are 0 on entry. */
typedef struct scree_stiffness {
    uint32_t size;
    uint32_t reserved;
    double kn, kt;     /* [N/m] force per normal and tangential displacement of the point */
    double kr, ktwist; /* [N m/rad] couple per rotation of a relative to b, rolling and twisting */
    double cn, ct;     /* [N s/m] force per normal and tangential velocity of the point */
    double cr, ctwist; /* [N m s/rad] couple per spin of a relative to b, rolling and twisting */
} scree_stiffness;

/** The end of a step: arguments of after_step(). */
typedef struct scree_law_step {
    uint32_t size;
    uint32_t global_fresh; /* 1: one of the law's GLOBAL fields holds `initial` */
    const scree_bodies *bodies;
    uint64_t step; /* complete steps, this one included */
    double time;   /* [s] at its end */
    double dt;     /* [s] time step of the scene */
    double
        *global_fields; /* components of the law's GLOBAL fields, in the order of its descriptor */
} scree_law_step;

typedef struct scree_force_ops {
    /* The head (abi.h). */
    uint32_t size;     /* sizeof(scree_force_ops) */
    uint32_t reserved; /* 0 */
    int32_t (*create)(const scree_host *host, const void *config, void **instance);
    void (*destroy)(void *instance);
    uint64_t (*bytes)(void *instance);
    int32_t (*narrow)(void *instance, scree_demands *demands);

    /** [lane] Writes every output of every contact of the batch. A contact's result depends only
     * on its own inputs, never on its neighbours in the batch. */
    int32_t (*compute)(void *instance, const scree_contact_batch *batch);

    /** [any] Sets query->gap to the gap up to which the law acts between two bodies. Optional:
     * without it 0. Asked between two evaluations, never inside of one: before the first, after a
     * restart or a swap of a law, and before the next one whenever the smallest or the largest
     * radius of a material has changed, because bodies have come, gone or grown. The host asks
     * about these two radii of each pair of materials and about a wall, and takes the largest
     * answer for all pairs of the two materials: between two sizes the range must not be larger
     * than at both. SCREE_E_CONFIG refuses parameters that do not suit these bodies. A law also
     * gets contacts beyond its own range, when another pair or law of the scene reaches farther or
     * keeps them. The law compares `depth` with its range, and gives them no force. */
    int32_t (*range)(void *instance, scree_range_query *query);

    /** [any] Sets *out to the largest slopes of the contact in the query, for the critical step.
     * Optional: a law without stiffness() does not limit the step. */
    int32_t (*stiffness)(void *instance, const scree_stiffness_query *query, scree_stiffness *out);

    /** [step] After each accepted step, before after_step() of modifiers: sets the law's GLOBAL
     * fields. Optional. */
    int32_t (*after_step)(void *instance, const scree_law_step *args);
} scree_force_ops;

/** Extension of a law (get_extension) that provides `keep`: it makes bonds. The scene names the
 * bodies by `bonds` in the group of the law, modifiers by edits->bond. compute() then gets keep = 1
 * with the fields at their initial values, at any gap up to `reach`: the law bonds the two bodies
 * where they are, and keeps the contact until the bond breaks. */
#define SCREE_EXTENSION_BONDS "scree.bonds/1"
typedef struct scree_bonds {
    uint32_t size; /* sizeof(scree_bonds) */
    uint32_t reserved;
    /** [any] Sets query->gap to the largest gap across which two bodies can be bonded. Optional:
     * without it any gap. Asked about each pair that the scene, or edits->bond, wants to bond
     * across a gap. */
    int32_t (*reach)(void *instance, scree_range_query *query);
} scree_bonds;

#endif
