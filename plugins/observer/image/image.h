/* SPDX-License-Identifier: Apache-2.0 */
/* Common parts of observer/image: its settings, the camera, the things drawn, the picture. */
#ifndef SCREE_IMAGE_H
#define SCREE_IMAGE_H

#include <math.h>

#include <scree/sdk.h>

#include "../detection.h"
#include "../groups.h"
#include "../hull.h"
#include "../solid_cells.h"

/* Values of `colour`. */
#define COLOUR_SPEED 0
#define COLOUR_SPIN 1
#define COLOUR_RADIUS 2
#define COLOUR_HEIGHT 3
#define COLOUR_FORCE 4
#define COLOUR_LOAD 5
#define COLOUR_COORDINATION 6
#define COLOUR_ID 7
#define COLOUR_GROUP 8
#define COLOUR_MATERIAL 9
#define COLOUR_NONE 10
#define COLOUR_FIELD 11

/* Values of `colour_map`. */
#define MAP_VIRIDIS 0
#define MAP_CIVIDIS 1
#define MAP_INFERNO 2

/* Values of `walls`. */
#define WALLS_CUTAWAY 0
#define WALLS_SOLID 1
#define WALLS_TRANSLUCENT 2
#define WALLS_OUTLINE 3
#define WALLS_HIDDEN 4

/* Values of `wall_load`. */
#define LOAD_NONE 0
#define LOAD_PRESSURE 1
#define LOAD_WEAR 2

/* Values of `component`: of a vector its length or one of its components. */
#define COMPONENT_LENGTH (-1)

/* Values of `projection`. */
#define PROJECTION_AUTO 0
#define PROJECTION_PERSPECTIVE 1
#define PROJECTION_ORTHOGRAPHIC 2

#define IN_ITS_TARGET "the camera is in its target: `position` and `target` are the same"
#define UP_ALONG_SIGHT "`up` is along the line of sight: expected another direction"

#define MOST_PIXELS 16384
#define MOST_SAMPLES 4
#define FACE_CORNERS 12 /* corners of a facet or a plane, clipped */
#define CLASSES 8       /* colours of groups and materials */

typedef struct image_config {
    const char *file, *title, *background, *body_colour, *wall_colour, *field;
    scree_reals position, target, up, direction, range, section_point, section_normal;
    scree_strings hide, lines, cell_classes;
    const scree_plugin_ref *detection, *cells;
    double extent; // [m] with `detection`
    int64_t width, height, samples;
    double field_of_view; // [rad] of the picture's height; NaN: 30 degrees
    double view_height;   // [m] NaN: chosen
    double zoom, frame_rate;
    int32_t colour, colour_map, walls, projection, colour_bar, time_stamp, hollows, axes, scale_bar;
    int32_t component, wall_load, reserved;
    double archard, hardness; // [-], [Pa] of wear
} image_config;

/** Red, green, blue from 0 to 1. */
typedef struct rgb {
    float c[3];
} rgb;

/** The tightest bounds of all balls and corners, for the four sides of the view. */
typedef struct fit {
    const double (*axis)[3];
    double t[4];    // [-] half-widths at distance 1
    double most[4]; // [m]
    double nearest; // [m] along the view
    int flat;
} fit;

/** Camera axes: x to the right, y down, z away from the eye. A point at (x, y, z) is seen `focal` x
 * / z pixels right of the picture's centre and focal y / z below it, in orthographic projection
 * focal x and focal y. */
typedef struct camera {
    double eye[3], axis[3][3]; // [m] [-]
    double focal;              // [px], orthographic [px/m]
    double centre[2];          // [px]
    double near;               // [m] nearer things are not drawn; only perspective
    double px_per_m;           // [px/m] at the depth of the target; 0: it is behind the eye
    double up[3];              // [-] against gravity
    fit seen;                  // things of all pictures so far
    double first[2][3];        // [m] box of the first picture
    uint64_t newest;           // highest id of all pictures so far
    uint32_t moves;            // how often the camera was placed
    int32_t flat;              // orthographic
} camera;

/* Kinds of balls of the drawing. */
#define BALL_SPHERE 0
#define BALL_DISC 1 /* with a rim, and with a hand once it has turned */
#define BALL_RIM 2  /* 2D: a ball of a clump, as its dark rim */
#define BALL_FLAT 3 /* 2D: the same inside its rim */

/** A sphere or disc, or the ball that holds a solid, in camera axes. */
typedef struct image_ball {
    double x[3], r;      // [m]
    double mark[2];      // disc that has turned: its body's x axis; else 0
    double front;        // [m] nearest depth
    double lo[2], hi[2]; // [px] bounds of its silhouette
    rgb colour;
    uint32_t body;
    int32_t kind;   // BALL_*
    int32_t cut;    // the section plane goes through it
    uint32_t solid; // index into the drawing's solids, or NO_SOLID
} image_ball;

#define NO_SOLID 0xffffffffu

/** The surface of a shape, at scale 1 in its frame: it is made once, and drawn for each body of the
 * shape. */
typedef struct image_surface {
    const scree_balls *balls;     // balls of a clump
    const scree_mesh *mesh;       // 3D
    const scree_outline *outline; // 2D
    hull *hull;                   // holds mesh or outline; NULL: the shape does
    double tolerance;             // [m]
    double size;                  // [m] radius of a ball of its volume
    double rim;                   // [m] width of the rim of an outline
    float (*normal)[3];           // [4 n_facets] at the corners of the mesh's facets
    int32_t known;
} image_surface;

/** A body that is drawn by its surface. */
typedef struct solid {
    const image_surface *surface;
    double turn[3][3]; // [-] from its frame to camera axes, times its scale
    double scale;
} solid;

/** A convex, flat polygon in camera axes. */
typedef struct face {
    double px[FACE_CORNERS][2]; // [px]
    double normal[3], offset;   // its plane: normal · x = offset [m]
    double order;               // [m] distance, for the order of drawing
    rgb colour;
    float alpha;
    uint32_t n, number;
} face;

/* Kinds of lines of a contact detection, in the order in which they are drawn. */
#define MARK_CELLS 0
#define MARK_EXTENTS 1
#define MARK_BOXES 2
#define MARK_CANDIDATES 3
#define MARK_CONTACTS 4
#define MARKS 5

/** A line of a contact detection, world axes. */
typedef struct line_mark {
    double end[2][3]; // [m]
    uint32_t kind;    // MARK_*
    uint32_t level;   // of a cell
} line_mark;

/** The state in a picture, to draw the picture again when the range of colours or the camera has changed. */
typedef struct kept {
    scree_bodies bodies;
    scree_cell cell;
    double time, dt;          // [s]
    double lo, hi, most_load; // of the bars with which it was drawn
    uint32_t moves;           // of the camera at that time
    uint64_t n_wall_values, n_marks;
    char *block; // marks, arrays of the bodies, values; NULL: no room
} kept;

/** A straight line in camera axes. */
typedef struct stroke {
    double px[2][2], depth[2]; // [px] [m]
    double width;              // [px]
    rgb colour;
    float alpha;
} stroke;

typedef struct legend {
    int32_t kind;     // COLOUR_*
    int32_t map;      // MAP_*
    int32_t reversed; // 1: light is low, as on walls
    char name[80];
    const char *unit;
    double least, most; // of all pictures so far
    double lo, hi;      // range of the bar
    double scale;       // the bar's numbers are values / scale
    char label[96];     // text of the bar, with the unit
    uint32_t n_names;   // classes in use
    const char *names[CLASSES];
} legend;

/** All things in one picture. */
typedef struct drawing {
    image_ball *balls;
    solid *solids;
    face *faces;
    stroke *strokes;
    uint64_t n_balls, n_faces, n_strokes, ball_capacity, face_capacity, stroke_capacity;
    uint64_t n_solids, solid_capacity;
    uint32_t most_vertices;        // the most vertices of any solid's surface
    uint64_t n_opaque;             // opaque faces, which come first
    double section[3], section_at; // in camera axes: points with section · x <= section_at are kept
    double bias;     // [m] a line also covers things that are nearer by less than this
    double softness; // [m] mean radius of the balls
    double reach;    // [px] `softness` in the picture
    rgb background;
    float background_alpha;
    int32_t has_section;
    legend legend, wall_legend;
    double *value, *wall_value; // [bodies], [n_wall_values] facets of the walls, in their order
    uint64_t value_capacity, n_wall_values, wall_value_capacity;
} drawing;

struct wall_observer;

typedef struct image {
    const scree_host *host;
    const scree_output *output;
    const scree_names *names;
    const image_config *config;
    camera camera;
    double box[2][3]; // [m] around the things of all pictures so far; planes are drawn inside
    drawing drawing;
    struct wall_observer *loads; // of the walls; NULL: `wall_load` is grey
    struct wall_observer *idle;  // wear of the run before a restart, where it is not shown
    image_surface *surfaces;     // [n_surfaces] by index of the shape
    uint64_t n_surfaces, surface_capacity;
    uint32_t *pixels;     // [width height] alpha, red, green, blue; alpha is multiplied in
    float *depth;         // [width height] [m], HUGE_VALF: background
    uint8_t *is_wall;     // [width height] 1: a wall is nearest
    detection *detection; // NULL: not shown
    solid_cells *cells;   // NULL: not shown
    line_mark *marks;     // its lines in the current picture
    uint64_t n_marks, mark_capacity;
    rgb background, body, wall;
    rgb ink; // of lines and words: dark on a light background
    float background_alpha;
    kept *kept; // [n_frames] NULL: one file is replaced
    uint64_t kept_capacity, kept_bytes;
    uint64_t n_frames, n_classes;
    const char *classes[CLASSES]; // names of groups in the order that they were met
    uint8_t *png;
    uint64_t png_bytes, png_capacity;
} image;

/* vectors */
static inline double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/** Returns the length; a vector of length 0 is not changed. */
static inline double normalise(double v[3])
{
    double length = sqrt(dot(v, v));
    if (length > 0.0)
        for (int k = 0; k < 3; k++)
            v[k] /= length;
    return length;
}

/* colour.c */
/** Reads "#rrggbb", "white", "black", "transparent" (which sets *alpha to 0). 0: it is not a
 * colour. */
int read_colour(const char *text, rgb *out, float *alpha);
/** Colour of t in [0, 1]; outside it the colour of the end. */
rgb map_colour(int32_t map, double t);
/** Colour of a bar at t in [0, 1]. */
rgb bar_colour(const legend *l, double t);
rgb class_colour(uint64_t index);
/** A prefix of a unit that makes `most` a handy number, and its factor. */
const char *unit_prefix(double most, double *factor);
/** Is the range of the bodies' colours that of their values? */
int has_range(const image *self);
/** Finds the values of the field for all bodies, and range and words of the colour bar. */
int32_t colour_bodies(image *self, const scree_view *view);
rgb body_colour(const image *self, const scree_bodies *b, uint32_t i);
int is_hidden(const image *self, uint32_t group);
/** Sets range, unit and label of a bar from `least` and `most`, or from a range that is given. */
void set_bar(legend *l, const scree_reals *given);
/** Colour of a facet of a wall with this load. */
rgb wall_colour(const image *self, double load);

/* camera.c */
/** Angle [rad] that the height of a perspective picture shows. */
double view_angle(const image_config *config);
/** Sets the box for planes and the camera from the first state, and again when things leave it. */
int32_t place_camera(image *self, const scree_view *view);
void to_camera(const camera *c, const double x[3], double out[3]);
/** Where a point in camera axes is seen [px]. */
void project(const camera *c, const double x[3], double px[2]);
/** Corners of a plane inside a box; 0: it misses the box. */
uint32_t clip_plane(const double point[3], const double normal[3], const double box[2][3],
                    double corner[FACE_CORNERS][3]);

/* gather.c */
/** Gathers the things that the camera sees. */
int32_t gather(image *self, const scree_view *view);
/** Cuts a convex polygon to its part with normal · x <= at; the number of corners that are left. */
uint32_t cut(double p[FACE_CORNERS][3], uint32_t n, const double normal[3], double at);
/** Makes room for one more element behind n in an array; NULL after host->fail. */
void *grow(image *self, void *array_ptr, uint64_t *capacity, uint64_t n, size_t size);
/** Adds a ball or disc of body i at x [m], world axes. */
int32_t add_ball(image *self, const scree_bodies *b, uint32_t i, const image_ball *one,
                 const double x[3]);

/** Adds a flat polygon of 3 or 4 corners in camera axes; `normal` points to its front. */
int32_t add_face(image *self, const double (*corner)[3], uint32_t n, const double normal[3],
                 rgb colour, float alpha);
/** Adds a line with its ends in camera axes, `thick` times as wide as the thinnest. */
int32_t add_line(image *self, const double from[3], const double to[3], rgb colour, float alpha,
                 double thick);

/* marks.c */
/** Checks the words of `lines`. */
int32_t check_marks(const image *self);
/** Finds the lines of the contact detection of a state. */
int32_t find_marks(image *self, const scree_view *view);
/** Adds these lines to the drawing. */
int32_t add_marks(image *self);

/* cells.c */
/** Finds the cells of a state, and adds them to the drawing. */
int32_t find_cells(image *self, const scree_bodies *b);
int32_t add_cells(image *self, const scree_bodies *b);

/* surface.c */
/** Is the shape a solid or a clump? */
static inline int is_solid(const scree_shape *shape)
{
    return !(shape->flags & (SCREE_CAP_ROUND | SCREE_CAP_WALL | SCREE_CAP_INFINITE));
}
/** Finds the surfaces of solids and clumps that have not been drawn yet. */
int32_t make_surfaces(image *self, const scree_view *view);
void drop_surfaces(image *self);
/** The same with rough surfaces, to find the place of the camera. */
int32_t make_rough_surfaces(image *self, const scree_bodies *b);
/** Place [m] of point k of the shape of body i; a missing array of points counts as 0. */
void place_vertex(const scree_bodies *b, uint32_t i, const double *const point[3], uint32_t k,
                  double out[3]);
/** Adds a body that is a solid or a clump. */
int32_t add_solid(image *self, const scree_bodies *b, uint32_t i);

/** Draws a picture of what colour_bodies() and place_camera() have found, and writes it. */
int32_t draw(image *self, const scree_view *view, uint64_t number);

/* again.c */
/** Keeps the state of the current picture. */
int32_t keep_state(image *self, const scree_view *view);
/** Draws pictures again that have other ranges or another camera than the last one. */
int32_t draw_again(image *self, const scree_view *view);
void free_kept(image *self);

/* walls.c */
/** Makes the sums of the loads of walls; NULL: out of memory. */
struct wall_observer *make_loads(const image *self);
void destroy_loads(struct wall_observer *loads);
/** Adds a state to the sums. */
int32_t add_loads(const image *self, const scree_view *view);
/** Finds the values of the facets of all walls, and their range. */
int32_t colour_walls(image *self, const scree_view *view);
extern const scree_state image_state;

/* raster.c */
/** Turns the drawing into pixels, in bands of rows on all lanes. */
int32_t rasterise(image *self);

/* soften.c */
/** Darkens hollows between bodies. */
int32_t soften(image *self);

/* page.c */
/** Draws words and colour bar over the pixels; writes all as a PNG file into self->png. */
int32_t make_page(image *self, const scree_view *view);
/** A distance of 1, 2 or 5 times a power of ten that gives four to nine ticks. */
double tick_distance(double range);
/** Computes the margins [px] that the text needs at the right and at the top. */
void page_margins(const image_config *config, double *right, double *top);

#endif
