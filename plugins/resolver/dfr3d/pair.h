/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of `dfr3d`, of two bodies or of one and something else, and their results. */
#ifndef RESOLVER_DFR3D_PAIR_H
#define RESOLVER_DFR3D_PAIR_H

#include "dfr3d.h"

/* Kinds of features, in the two highest bits. */
#define DFR_VERTEX_OF_B 0ull /* on a facet of a */
#define DFR_VERTEX_OF_A 1ull /* on a facet of b, a plane, a wall */
#define DFR_EDGES 2ull       /* edges of both */
#define DFR_SIDES 3ull       /* sides of two flat faces */

/* Parts of a body's size: the shift of bodies when crossings are searched, and the depth that a
 * touch may then have. */
#define DFR_SHIFT 1e-10
#define DFR_TOUCH 1e-9
/* Part of a body's size: points so near are one. */
#define DFR_SAME 1e-9

/** From the frame of b to that of a, at scale 1 of each, and to the world. */
typedef struct dfr_pose {
    double turn[3][3]; // a's axes in the world: x = turn · x_a
    double r[3][3];    // b's axes in those of a
    double t[3];       // [-] b's origin, in units of a
    double ratio;      // scale of b over scale of a
    double scale;      // scale of a
} dfr_pose;

/** A contact in the frame of a. */
typedef struct dfr_contact {
    double normal[3], depth, point[3]; // from a to b; in units of a
    uint64_t feature;
} dfr_contact;

/** A body during one call: values by facet and vertex, valid where the stamp is the current one. */
typedef struct dfr_side {
    const dfr_body *body;
    uint32_t *vertex_stamp, *facet_stamp, *group_stamp; // [n]
    uint32_t *parent;                                   // [n_facets]
    uint8_t *inside;                                    // [n_vertices] 1: inside the other body
    double (*at)[3];              // [n_vertices] in the frame of the other body
    uint32_t *touched, n_touched; // facets
    uint32_t *marked, n_marked;   // facets of one piece, later also their neighbours
} dfr_side;

/** An edge of body[side] crosses a facet of the other. */
typedef struct dfr_event {
    uint32_t side, edge, facet;
} dfr_event;

/** An edge and the normals of its facets, in the frame of a. */
typedef struct dfr_line {
    double p[3], q[3], n[2][3];
    double middle[3], half; // half: [-] of its length
    uint32_t edge;
} dfr_line;

/** A link of two parts whose surfaces cross: the lowest facet of each. */
typedef struct dfr_link {
    uint32_t root[2];
} dfr_link;

enum { DFR_NO_CORNER, DFR_OPEN_CORNER, DFR_HOLLOW_CORNER };

/** A convex polygon, counterclockwise about its normal, in the frame of a. */
typedef struct dfr_polygon {
    uint32_t n;
    double point[8][3], normal[3];
    uint32_t vertex[8]; // numbers for features
    uint8_t open[8];    // 1: side k, from point k, can be touched
    uint8_t corner[8];  // DFR_OPEN_CORNER: point k can be touched
    uint64_t key;       // key of its facet: 34 bits
    uint32_t name;      // name of the face: 25 bits
} dfr_polygon;

/** One facet of a wall. */
typedef struct dfr_panel {
    dfr_polygon shape;
    double other[4][3];  // [-] normal across a side; at an open side in the plane, outward
    double sign;         // +1: seen as the mesh has it, -1: from behind
    double height, away; // [-] height of the body's origin over its plane, and distance from it
    uint32_t facet, patch, parent, touched, in_part;
} dfr_panel;

typedef struct dfr_work {
    dfr_side side[2];
    uint32_t stamp, mark;    // stamp of this pair; mark of this search
    dfr_event *event;        // [room]
    dfr_link *link;          // [room]
    uint32_t *list;          // [room] facets
    dfr_panel *panel;        // [room] panels of a wall
    uint32_t *corner, *open; // [4 room] corners and sides of a part's panels: 4 panel + number
    uint32_t n_corners, n_open;
    dfr_line *line[2]; // [room] edges of two parts
    uint32_t n_events, n_links, room;
    int full;                           // an array was too small
    uint64_t zone_cells, facets_tested; // counts for benchmarks
} dfr_work;

/** The largest of each count over all bodies. */
typedef struct dfr_sizes {
    uint32_t vertices, facets, groups;
} dfr_sizes;

uint64_t dfr_work_bytes(const dfr_sizes *sizes, uint32_t room);
/** Lays the arrays out in memory and clears the stamps. */
void dfr_work_place(dfr_work *w, void *memory, const dfr_sizes *sizes, uint32_t room);
/** Starts the next pair. */
void dfr_work_start(dfr_work *w, const dfr_body *a, const dfr_body *b);

/* ---- zone.c ---- */

typedef struct dfr_zone {
    double lo[3], hi[3]; // [m] in a body's frame
} dfr_zone;

/** Finds the overlap of the boxes of both grids, as a box in each frame. 0: none. */
int dfr_zones(const dfr_body *a, const dfr_body *b, const dfr_pose *pose, dfr_zone zone[2]);
/** The same for any two boxes. */
int dfr_box_zones(double lo[2][3], double hi[2][3], const dfr_pose *pose, dfr_zone zone[2]);
/** Ordinates of the cells of a zone that the grid has. 0: none. */
int dfr_zone_index(const dfr_body *b, const dfr_zone *zone, int32_t lo[3], int32_t hi[3]);
void dfr_to_a(const dfr_pose *pose, const double x[3], double out[3]);
void dfr_to_b(const dfr_pose *pose, const double x[3], double out[3]);

/* ---- march.c ---- */

/** Marches all edges of body[side] in a zone through the other body. */
void dfr_march(dfr_work *w, const dfr_pose *pose, int side, const dfr_zone *zone);
/** Calls `hit` for each facet of a body that a segment crosses; returns the number of such
 * facets. */
uint32_t dfr_walk(const dfr_body *b, const double p[3], const double q[3],
                  void (*hit)(void *ctx, uint32_t facet), void *ctx, uint64_t *tested);
/** Marks a facet, and joins two of one side. */
void dfr_touch(dfr_work *w, int side, uint32_t facet);
void dfr_join(dfr_work *w, int side, uint32_t f, uint32_t g);
uint32_t dfr_root(dfr_side *s, uint32_t facet);
/** Joins the facets around an edge, unless it is a corner. */
void dfr_touch_edge(dfr_work *w, int side, uint32_t edge);

/* ---- separate.c ---- */

/** State of the search for the least translation. */
typedef struct dfr_best {
    dfr_contact contact;
    uint32_t of_a, of_b; // facet, vertex or edge, by the kind of the feature
    int kind;            // -1: none
    double touch;        // [-] gaps up to this are tried too
} dfr_best;

/** Lists the facets of one part of a surface and those next to it. */
void dfr_mark_part(dfr_work *w, int side, uint32_t root);
/** The vertex farthest along a direction in the body's frame, found by climbing from `start`. */
uint32_t dfr_climb(const dfr_body *b, const double direction[3], uint32_t start);
/** Is x, in the plane of facet f, on a facet of f's group? */
int dfr_on_group(const dfr_body *b, uint32_t f, const double x[3]);
/** The contact of two parts that cross. 0: none. */
int dfr_separate(dfr_work *w, const dfr_pose *pose, const dfr_link *link, dfr_best *best);
/** The contact of a body inside of the other one. */
int dfr_separate_inside(dfr_work *w, const dfr_pose *pose, dfr_best *best);
/** Is n between the normals of an edge's facets? */
int dfr_in_arc(const double n1[3], const double n2[3], const double n[3]);

/* ---- faces.c ---- */

/* Cosines between a face and the normal of a contact. */
#define DFR_FLAT_ON 0.985 /* 10 degrees */
#define DFR_EDGE_ON 0.5
/** Finds the flat face around a facet, vertex or edge that faces n (in the frame of a) most, with a
 * cosine above `facing`. 0: none. */
int dfr_face_at(const dfr_work *w, const dfr_pose *pose, int side, int what, uint32_t index,
                const double n[3], double facing, dfr_polygon *out);
enum { DFR_AT_FACET, DFR_AT_VERTEX, DFR_AT_EDGE };
/** Is x, moved along the normal, on the polygon? */
int dfr_is_over(const dfr_polygon *p, const double x[3]);
/** Corner k of p over another face; sign: +1 the normal of the contact is that of the face, -1 against it. */
int dfr_corner_touch(const dfr_polygon *p, uint32_t k, const dfr_polygon *face, double sign,
                     dfr_contact *out);
/** Finds at most `room` touches of two faces that overlap, including `best` (or NULL); returns
 * their number. */
uint32_t dfr_face_contacts(const dfr_polygon *a, const dfr_polygon *b, const dfr_contact *best,
                           double near, dfr_contact *out, uint32_t room);
/** Replaces the contact within `near` [-] of the best one by it, or appends it. There must be
 * room. */
uint32_t dfr_add_best(dfr_contact *out, uint32_t n, const dfr_contact *best, double near);

/* ---- contacts of each kind of pair, at most `room`; return their number, or UINT32_MAX: w->full
 * ---- */

/** Adds a link, unless it is there. */
void dfr_add_link(dfr_work *w, uint32_t root_a, uint32_t root_b);
uint32_t dfr_pair(dfr_work *w, const dfr_pose *pose, int all, dfr_contact *out, uint32_t room);
/** The least distance between two bodies that do not overlap, if below `far` [-]. */
int dfr_gap(const dfr_body *a, const dfr_body *b, const dfr_pose *pose, double far,
            dfr_contact *out);
/** A ball a: centre in the frame of the body b, radius in its units. Contacts are in b's frame, from a to
 * b. */
uint32_t dfr_ball(dfr_work *w, const dfr_body *b, const double centre[3], double radius,
                  double range, int all, dfr_contact *out, uint32_t room);
/** Contacts with a plane: the body is a, on side 0; the plane goes through t with outward unit
 * normal n, both in the body's frame. */
uint32_t dfr_plane(dfr_work *w, const double t[3], const double n[3], double range, int all,
                   dfr_contact *out, uint32_t room);

/** A wall: its facets, and its flat patches with their edges and corners. */
typedef struct dfr_wall {
    const scree_mesh *mesh; // connected facets have the same orientation
    scree_mesh *own;        // that mesh if it is a copy; NULL: it is the shape's
    uint32_t *patch;        // [n_facets] lowest facet of the patch
    uint32_t *vertex;       // [4 n_facets] lowest corner at that place in the patch
    uint8_t *corner;        // [4 n_facets] corner of the patch: kinds of its edges; 0: not a corner
} dfr_wall;

int dfr_wall_make(dfr_wall *wall, const scree_mesh *mesh);
void dfr_wall_clear(dfr_wall *wall);
/** Corners of a facet as the mesh has them, in the frame of the body at `pose`. */
void dfr_place_panel(const dfr_wall *wall, const dfr_pose *pose, uint32_t facet, dfr_panel *out);
/** Sets the sides and corners that can be touched from the side `sign`. */
void dfr_face_panel(const dfr_wall *wall, const dfr_pose *pose, double sign, dfr_panel *p);
/** Contacts of body a with the facets `parts`, ascending, of a wall. */
uint32_t dfr_wall_contacts(dfr_work *w, const dfr_body *a, const dfr_wall *wall,
                           const dfr_pose *pose, const uint32_t *parts, uint32_t n_parts,
                           double range, int all, dfr_contact *out, uint32_t room);
/** The lowest panel of the part of the wall that has panel i. */
uint32_t dfr_panel_root(const dfr_work *w, uint32_t i);
/** Finds at most `room` contacts of the parts of a link; returns their number. */
uint32_t dfr_touch_part(dfr_work *w, uint32_t n_panels, const dfr_link *link, dfr_contact *out,
                        uint32_t room);
/** Sorts by feature and drops doubles; returns the number left. */
uint32_t dfr_sort(dfr_contact *contacts, uint32_t n);

#endif
