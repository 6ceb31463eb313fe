/* SPDX-License-Identifier: MIT */
/* Contact resolution (narrow phase): candidate pairs in, contacts out. */
#ifndef SCREE_RESOLVER_H
#define SCREE_RESOLVER_H

#include "host.h"
#include "types.h"

/* Outputs of a resolver beyond point, normal, depth (mask, `provides` of its descriptor); the host
 * refuses a scene in which a law needs an output that no resolver provides. */
#define SCREE_GIVES_CURVATURE (1u << 0) /* curvature[2] */
#define SCREE_GIVES_AREA (1u << 1)      /* area */
#define SCREE_GIVES_CHORD (1u << 2)     /* chord */
#define SCREE_GIVES_VOLUME (1u << 3)    /* volume */
#define SCREE_GIVES_PARTS (1u << 4)     /* part[2] */
#define SCREE_GIVES_PRINCIPAL (1u << 5) /* principal, direction */
#define SCREE_GIVES_OVERLAP (1u << 6)   /* contacts of the overlap: see below */
#define SCREE_GIVES_DISTANCE                                                                       \
    (1u << 7)                              /* contacts of the distance: see below; also without
                                              either bit */
#define SCREE_GIVES_TWIST (1u << 8)        /* twist */
#define SCREE_GIVES_ECCENTRICITY (1u << 9) /* eccentricity and its slopes */
#define SCREE_GIVES_BED (1u << 10)         /* bed and its slopes */

/*
 * There are two geometries of an overlap. For balls and planes both are the same; for other bodies
 * they differ, and a law that takes one for the other makes energy: pushed by k depth along the
 * chord's normal, two pentagons led round a closed path gain 40 % of the work that they exchange.
 *
 *     geometry   normal, point                         so that                      laws
 *     distance   of the least translation that parts   d(depth) = n·dx              k depth n
 *                them; the middle of the two points that
 *                touch last
 *     overlap    across the chord, through which the   2D: d(area) = chord n·dx     k area chord n
 *                two borders cross; its middle         3D: d(volume) = area n·dx    k volume area n
 *
 * In 3D the border of the cut need not be flat, and a rotation about the normal then changes the
 * volume: d(volume) = area n·dx + twist n·dr, where dr is the rotation of a against b. In 2D the
 * arcs of borders that cross more than twice may push like a couple, which no force at a point can
 * do: d(area) thickness = chord thickness n·dx + twist dr, where dr is the rotation about z.
 *
 * A face that tilts on a face changes the overlap on one side by as much as on the other, so that
 * neither area nor volume resists. The eccentricity, here in 2D, shows the tilt: it is the distance
 * of the overlap's centroid from the line on which the push along n acts, along the chord (n turned
 * by a quarter, counterclockwise), over sqrt(chord^2 + depth^2), where depth = area / chord. If
 * springs along the chord hold the load, it is the load's eccentricity; at 1/6, the end of the
 * kern, one end of the chord has no load. In 3D the bed shows the tilt: for flat faces it is the
 * integral of the squared depth over the patch.
 *
 * Here dx is the displacement of a's contact point against b's, by translation or by rotation. A
 * contact of the overlap is one connected piece of it: it needs AREA and CHORD in 2D, VOLUME and
 * AREA in 3D; its depth is area / chord, volume / area; for a body inside another the chord is 0,
 * and the normal has any direction. Borders that cross more than twice have the resultant of all
 * chords of the piece. Across a gap both geometries give the least distance.
 *
 * Facets have two sides: a ball is on the side of its centre, another body on the side of its
 * larger part. Where the facets enclose no solid, the overlap is the part of the body on the other
 * side. For balls `area` below says where that part ends; for other bodies the resolver decides, so
 * that the slopes above hold as long as flat facets cut the body.
 */

/* How many contacts a resolver finds in a pair. */
#define SCREE_SUPPORTS_NOT 0
#define SCREE_SUPPORTS_MANY 1 /* any number of contacts per pair; their features differ */
#define SCREE_SUPPORTS_ONE 2  /* at most one contact per pair, its feature is always 0 */

/** Question to supports(), and its answer. The host never asks about a clump (SCREE_CAP_BALLS), but
 * about the round type instead. Between two clumps it expects one contact per pair of balls.
 * Between a clump and another body, features have only bits of SCREE_FEATURE_CLUMP. */
typedef struct scree_pair_support {
    uint32_t size;                 /* of the host's struct */
    uint32_t contacts;             /* out: SCREE_SUPPORTS_*; SCREE_SUPPORTS_NOT on entry */
    const scree_shape_type *a, *b; /* a->code <= b->code */
    uint64_t provides; /* SCREE_GIVES_*. in: bits of the descriptor; out: outputs of the contacts of
                          this pair of types. supports() may clear bits, but sets no bit. A resolver
                          that can find both geometries clears the geometry that its config does not
                          ask for */
} scree_pair_support;

/* Contacts of one pair (a, b, image). With more contacts the run ends, and the message names the
 * resolver. */
#define SCREE_MAX_PAIR_CONTACTS (1u << 20)

/** Candidates of one pair of types, for one resolver: n pairs (a, b, image), each with all its
 * parts. Arrays 64-byte aligned, readable up to the next multiple of 8. */
typedef struct scree_candidates {
    uint32_t size;
    uint32_t lane;
    uint32_t n;
    uint32_t type_a, type_b; /* codes, of bodies->types; type_a <= type_b */
    uint32_t hint_bytes;     /* per candidate, 0: no hints */
    const uint32_t *a, *b;   /* [n] bodies */
    const double *d
        [3]; /* [n] [m] x_b - x_a + shift (types.h); x_b of an INFINITE b: a point of its surface */
    const double *radius_a, *radius_b; /* [n] [m] of a and b, see types.h: 0 is flat */
    const uint32_t *first; /* [n + 1] candidates of pair p: first[p] to first[p + 1] - 1, first[0]
                              need not be 0; NULL: pair p has one candidate, number p, of part 0
                              with part 0 */
    const uint32_t *part_a, *part_b; /* by candidate, ascending within a pair; NULL when `first` is
                                        NULL */
    const uint8_t *keep; /* [n] 1: a law wants this pair's contact at any distance; NULL: none */
    double range;        /* [m] the resolver reports contacts with a gap up to this */
    const scree_bodies *bodies;
    /* Pair-scope fields of the resolver's descriptor, one array [n] per component: `in` holds the
     * committed (or initial) values. The host keeps `out` if the state is accepted and the tight
     * boxes overlap; the resolver writes all values of `out`. */
    const double *const *in;
    double *const *out;
    void *hints;          /* hint_bytes per candidate: they save time, and never change a bit of the
                    result; zeros for a new candidate. The resolver may write them. */
    const uint8_t *fresh; /* [n] 1: a field in `in` holds `initial`; NULL without such fields */
    /* [n] [m] Where a or b is a clump (SCREE_CAP_BALLS), the resolver gets each ball of the clump
     * as a separate pair of the round type: d and the radii belong to the balls. A ball's centre is
     * at x + lever (0 for a body that is not a clump). The host adds the lever to `arm`, and the
     * number of the ball to `feature`. NULL: neither is a clump. */
    const double *lever_a[3], *lever_b[3];
} scree_candidates;

/** Contacts, in the order of their pairs and, in one pair, of ascending feature. */
typedef struct scree_contacts {
    uint32_t size;
    uint32_t capacity; /* contacts that fit */
    uint32_t n;        /* out: contacts written; with *done = 0: how many the first pair has */
    uint32_t reserved;
    uint32_t *pair;    /* [capacity] index into the candidates' pairs */
    double *normal[3]; /* [-] unit, from a to b */
    double *depth;     /* [m] > 0 overlap, < 0 gap */
    double *arm[3];    /* [m] contact point - x_a, at the middle of the overlap or gap along n: of a
                          ball a (radius - depth / 2) n, against balls, facets and planes alike */
    uint64_t *feature; /* number of the contact within the pair, as long as it lasts; NULL with
                          SCREE_SUPPORTS_ONE */
    uint64_t *continues; /* feature whose history this contact carries on; preset to
                            SCREE_FEATURE_SAME; NULL with SCREE_SUPPORTS_ONE */
    /* [1/m] of a and b, 0 flat, their sum above 0: supports() clears SCREE_GIVES_CURVATURE for
     * types whose flat faces can meet. NULL when not needed, also for the next two. */
    double *curvature[2];
    /* [m^2] 0 across a gap. 2D: the area of the overlap, up to the whole smaller disc. 3D: the area
     * of the flat cut through the overlap, across the normal. For two balls: area of the disc in
     * which their surfaces cross (0 when one ball is inside the other). For a ball and a facet or
     * plane: area of the disc that the plane of the facet cuts from the ball; at an edge or vertex
     * of a facet, the plane across the normal through the closest point cuts. */
    double *area;
    /* [m] Width of the cut of `area`: 2D the length of the chord, 3D the diameter of the disc. */
    double *chord;
    /* [m^3] Volume of the overlap, 0 across a gap. 2D: area times the thickness of the scene. 3D,
     * for a ball and a facet or plane: volume of the cap that the plane of `area` cuts from the
     * ball. The derivative of the volume by the depth is the area, in 2D the chord times the
     * thickness. */
    double *volume;
    /* Parts of a and b that touch: for a wall the facet nearest to the other body; of several
     * equally near, the one with the lowest number; 0 for a body with one part or none. For a clump
     * the host gives the ball. */
    uint32_t *part[2];
    /* [1/m] Principal curvatures of a (first two) and b at the contact, the larger first; 0 flat,
     * and along the thickness of a flat body (2D). direction[0], direction[1]: unit vectors, world
     * axes, at right angles to the normal, along the larger curvature of a and of b. Where both
     * curvatures of a body are equal, it is any direction at right angles to the normal, in 2D one
     * in the plane. */
    double *principal[4];
    double *direction[2][3];
    /* [m^3/rad] Derivative of the volume of the overlap by the rotation of a against b about the
     * normal, in 2D about z, at the contact point; 0 across a gap. A law gets 0 from resolvers
     * without SCREE_GIVES_TWIST. */
    double *twist;
    /* 2D: eccentricity [-] of the overlap, 0 across a gap. eccentricity_slope: its derivatives
     * [1/m] by the displacement of a against b along x and y. eccentricity_turn: its derivative
     * [1/rad] by the rotation of a against b about z, at the contact point. A law gets 0 from
     * resolvers without SCREE_GIVES_ECCENTRICITY. */
    double *eccentricity;
    double *eccentricity_turn, *chord_turn; /* chord_*: of the chord, [m/rad] and [-] */
    double *eccentricity_slope[2], *chord_slope[2];
    /* 3D, of an overlap: [m^4] four times the integral over it of the distance from the nearest
     * face of a or b; for a plane, twice the integral of the depth below the plane. Springs next to
     * each other on the patch, each compressed by its own depth, store half of this times their
     * stiffness per area. bed_slope, bed_turn: derivatives of the bed by the displacement [m^3] and
     * by the rotation [m^4/rad] of a against b, along and about x, y, z, at the contact point. All
     * are 0 across a gap. */
    double *bed, *bed_slope[3], *bed_turn[3];
} scree_contacts;

/* A feature is a number of 64 bits. The resolver may use all of them, unless a or b is a clump.
 * Then the host adds the number of the ball, and the resolver may use only the bits of this mask,
 * the two highest and the 38 lowest. */
#define SCREE_FEATURE_CLUMP 0xc000003fffffffffull
/* A value of `continues`: the feature itself. */
#define SCREE_FEATURE_SAME 0xffffffffffffffffull

typedef struct scree_resolver_ops {
    /* The head (abi.h). */
    uint32_t size;     /* sizeof(scree_resolver_ops) */
    uint32_t reserved; /* 0 */
    int32_t (*create)(const scree_host *host, const void *config, void **instance);
    void (*destroy)(void *instance);
    uint64_t (*bytes)(void *instance);
    int32_t (*narrow)(void *instance, scree_demands *demands);

    uint32_t hint_bytes;    /* per candidate: a multiple of 8, 0: none */
    uint32_t reserved_hint; /* 0 */

    /** [config] Says whether the resolver serves a pair of types, and how. Called after create(),
     * before or after prepare(), for each pair that can meet. The first resolver of the scene that
     * serves a pair, and provides the outputs that the laws between these types need, gets its
     * candidates. */
    int32_t (*supports)(void *instance, scree_pair_support *pair);

    /** [config] Called once per shared shape, before the first candidate with this shape is
     * resolved; also in mid-run. `shape` stays valid until destroy. `index`: as in bodies->shape.
     * Optional. */
    int32_t (*prepare)(void *instance, uint32_t index, const scree_shape *shape);

    /** [lane] Writes the contacts whose gap is at most `range`, and the contacts of kept pairs at
     * any gap. Sets *done to the number of finished pairs. It is less than n when the contacts of
     * the next pair do not fit: the host then calls again for the remaining pairs (capacity is at
     * least 64). Where even the first pair has more than fit, *done = 0 and contacts->n says how
     * many, at most SCREE_MAX_PAIR_CONTACTS; the host calls again with room for them, and ignores
     * the written contacts. Contacts of facets are merged within their pair. By distance, and for
     * balls in both geometries: one contact per connected flat patch, a face takes precedence over
     * edges and vertices of the same touch, a shared edge or vertex counts once. By overlap, for
     * other bodies: one contact per connected piece, over as many patches as it has. Facets that
     * enclose a solid may be taken as that solid. Ties go to the lowest feature. */
    int32_t (*resolve)(void *instance, const scree_candidates *candidates, scree_contacts *contacts,
                       uint32_t *done);

    /** [any] Returns 1 when a contact can slide from one of two features to the other, as from a
     * face to one of its edges, else 0. The order of the features does not matter. `shape_a`,
     * `shape_b`: as in bodies->shape. When a pair has a contact that ends and one that begins, and
     * their features adjoin, the new contact takes over the history of the old one. If several new
     * contacts adjoin, the deepest takes it. Optional: without it, or with `continues` given, no
     * contact takes over a history in this way. */
    int32_t (*adjoins)(void *instance, uint32_t shape_a, uint32_t shape_b, uint64_t feature,
                       uint64_t other);
} scree_resolver_ops;

#endif
