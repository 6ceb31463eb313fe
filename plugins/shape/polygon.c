// SPDX-License-Identifier: Apache-2.0
/*
 * polygon: a solid of the plane, convex or concave, with straight sides.
 *
 * Sources  [1] R. M. O'Connor, A distributed discrete element modeling environment, 1996, 3.2: outlines
 *              as two functions (polygon/resample.c).
 * Idea     area, centroid and inertia are exact, by Green's formula (polygon/solid.c); an outline
 *          that encloses no solid is refused, and the message has the place (polygon/outline.c).
 *          `resample` replaces the outline everywhere: measure, boxes, views and pictures belong to
 *          the resampled one, so that a body is the same for every resolver.
 * Boxes    the corners of the convex hull, turned: exact.
 * Views    scree.outline/1 and scree.mesh/1, exact; scree.support/1 if convex; polygon.strip/1 if
 *          resampled (polygon/strip.h).
 * Cost     creation: n log n, and a comparison for every two sides above each other; a box: 4
 *          products for each corner of the hull; support: log n.
 * Limits   10^6 vertices; no holes.
 */
#include "polygon/polygon.h"
#include "../plane.h"
#include "given.h"

#define PI 3.14159265358979323846
enum { BLOCK = 8 }; /* the number of hull corners is padded to a multiple of BLOCK */

typedef struct config {
    const scree_real_rows *vertices;
    const char *file;
    scree_strings columns;
    int64_t sides, resample;
    double diameter;
} config;

typedef struct polygon {
    const scree_host *host;
    polygon_outline outline; // the outline in the current frame
    polygon_halves halves;   // strip.n 0: it is not resampled
    uint32_t *hull;          // [n_hull] vertices of the hull, counterclockwise
    uint32_t n_hull;
    double *corner[2]; // [n_hull, padded] corners of the hull
    double *heading;   // [n_hull] heading of the side from corner i, ascending, see plane_heading
    double centroid[3], radius; // [m] in the current frame
    int is_convex;
    scree_outline view;
    scree_support support;
    mesh_surface *surface; // NULL: not asked for yet
} polygon;

/* ---- corners ---- */

/** Sets centroid and corners of the hull in the current frame; the headings of sides begin at the
 * first corner. */
static void set_corners(polygon *self)
{
    const uint32_t n = self->n_hull;
    const polygon_outline *o = &self->outline;
    const polygon_solid solid = polygon_measure(o->n, o->x, o->y);
    uint32_t first = 0;
    double least = HUGE_VAL;
    memcpy(self->centroid, solid.centroid, sizeof solid.centroid);
    self->radius = solid.radius;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t a = self->hull[i], b = self->hull[(i + 1) % n];
        const double head = plane_heading(o->x[b] - o->x[a], o->y[b] - o->y[a]);
        first = head < least ? i : first;
        least = scree_min(head, least);
    }
    for (uint32_t i = 0; i < (n + BLOCK - 1) / BLOCK * BLOCK; i++) {
        const uint32_t at = self->hull[(first + (i < n ? i : 0)) % n];
        self->corner[0][i] = o->x[at];
        self->corner[1][i] = o->y[at];
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t j = i + 1 < n ? i + 1 : 0;
        self->heading[i] = plane_heading(self->corner[0][j] - self->corner[0][i],
                                         self->corner[1][j] - self->corner[1][i]);
    }
}

/** Finds the corner that is farthest in direction d: sides before it have a smaller heading than d
 * turned left. */
static uint32_t find_farthest(const polygon *self, double dx, double dy)
{
    const double head = plane_heading(-dy, dx);
    uint32_t low = 0, high = self->n_hull;
    while (low < high) { // the first side with at least this heading
        const uint32_t middle = low + (high - low) / 2;
        if (self->heading[middle] < head)
            low = middle + 1;
        else
            high = middle;
    }
    return low < self->n_hull ? low : 0;
}

static void farthest(const void *ctx, uint32_t n, const double *const direction[3],
                     double *const point[3])
{
    const polygon *self = ctx;
    for (uint32_t i = 0; i < n; i++) {
        const double dx = direction[0][i], dy = direction[1][i];
        const uint32_t at = dx != 0.0 || dy != 0.0 ? find_farthest(self, dx, dy) : 0;
        point[0][i] = self->corner[0][at];
        point[1][i] = self->corner[1][at];
        point[2][i] = 0.0;
    }
}

/* ---- the outline in the scene ---- */

static int no_memory(mesh_lines *problems)
{
    return mesh_say(problems, "no memory for an outline");
}

static int take_listed(const scree_real_rows *rows, polygon_outline *o, mesh_lines *problems)
{
    if (rows->n > POLYGON_MOST_VERTICES)
        return mesh_say(problems, "expected at most %d vertices, got %llu", POLYGON_MOST_VERTICES,
                        (unsigned long long)rows->n);
    if (!polygon_outline_new(o, (uint32_t)rows->n))
        return no_memory(problems);
    for (uint32_t i = 0; i < o->n; i++) {
        o->x[i] = rows->v[rows->first[i]];
        o->y[i] = rows->v[rows->first[i] + 1];
    }
    return 1;
}

static int take_file(const scree_host *host, const config *c, polygon_outline *o,
                     mesh_lines *problems)
{
    static const scree_file_column x = {sizeof x, SCREE_COLUMN_REAL, "x", "m"};
    static const scree_file_column y = {sizeof y, SCREE_COLUMN_REAL, "y", "m"};
    static const scree_file_column *const known[] = {&x, &y};
    const scree_file_request request = {.size = sizeof request,
                                        .n_known = SCREE_COUNT(known),
                                        .path = c->file,
                                        .known = known,
                                        .columns = c->columns};
    scree_file_rows rows = {.size = sizeof rows};
    if (!given_table(host, &request, &rows, problems))
        return 0;
    if (!polygon_outline_new(o, rows.n))
        return no_memory(problems);
    memcpy(o->x, rows.real[0], rows.n * sizeof *o->x);
    memcpy(o->y, rows.real[1], rows.n * sizeof *o->y);
    o->file = c->file;
    o->line = rows.line;
    return 1;
}

/** Makes a regular outline about the origin, with a side at its bottom. */
static int take_regular(const config *c, polygon_outline *o, mesh_lines *problems)
{
    if (!polygon_outline_new(o, (uint32_t)c->sides))
        return no_memory(problems);
    for (uint32_t i = 0; i < o->n; i++) {
        const double angle = (2.0 * i - 1.0) * PI / o->n;
        o->x[i] = 0.5 * c->diameter * sin(angle);
        o->y[i] = -0.5 * c->diameter * cos(angle);
    }
    return 1;
}

static int take_outline(const scree_host *host, const config *c, polygon_outline *o,
                        mesh_lines *problems)
{
    const int listed = c->vertices->n > 0, file = c->file != NULL, regular = c->sides != 0;
    if (listed + file + regular != 1)
        return mesh_say(problems, "expected one of vertices, file and sides, got %s",
                        listed + file + regular ? "more than one" : "none");
    if (regular == !!isnan(c->diameter))
        return mesh_say(problems, "sides and diameter go together: %s is missing",
                        regular ? "diameter" : "sides");
    if (regular && c->sides < 3)
        return mesh_say(problems, "sides: expected 3 or more, got %lld", (long long)c->sides);
    if (c->resample == 1)
        return mesh_say(problems, "resample: expected 0, or 2 panels or more, got 1");
    if (c->columns.n && !file)
        return mesh_say(problems, "columns are those of a file, which is missing");
    if (!(listed ? take_listed(c->vertices, o, problems)
          : file ? take_file(host, c, o, problems)
                 : take_regular(c, o, problems)))
        return 0;
    const int code = polygon_check(o, problems);
    return code < 0 ? no_memory(problems) : code;
}

/* ---- instances ---- */

static void destroy(void *instance)
{
    polygon *self = instance;
    if (!self)
        return;
    polygon_outline_clear(&self->outline);
    polygon_halves_clear(&self->halves);
    mesh_surface_free(self->surface);
    free(self->hull);
    free(self->corner[0]);
    free(self);
}

/** Replaces the given outline by the resampled one. */
static int resample(polygon *self, uint32_t n, mesh_lines *problems)
{
    polygon_outline o;
    if (!polygon_resample(&self->outline, n, &self->halves, problems))
        return 0;
    if (!polygon_outline_new(&o, 2 * n))
        return no_memory(problems);
    polygon_strip_outline(&self->halves.strip, o.x, o.y);
    polygon_outline_clear(&self->outline);
    self->outline = o;
    return 1;
}

/** Finds hull, corners and views of the outline. */
static int finish(polygon *self, mesh_lines *problems)
{
    polygon_outline *o = &self->outline;
    self->hull = malloc(o->n * sizeof *self->hull);
    self->n_hull = self->hull ? polygon_hull(o->n, o->x, o->y, self->hull) : 0;
    const size_t padded = ((size_t)self->n_hull + BLOCK - 1) / BLOCK * BLOCK;
    self->corner[0] = self->n_hull ? calloc(3 * padded, sizeof *self->corner[0]) : NULL;
    if (!self->corner[0])
        return no_memory(problems);
    self->corner[1] = self->corner[0] + padded;
    self->heading = self->corner[1] + padded;
    set_corners(self);
    self->is_convex = plane_turns_in(o->n, o->x, o->y) == SCREE_NONE;
    self->view = (scree_outline){sizeof self->view, o->n, {o->x, o->y}};
    self->support = (scree_support){sizeof self->support, 0, self, farthest};
    return 1;
}

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    const config *c = given;
    mesh_lines problems = {0};
    polygon *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for a shape");
    self->host = host;
    if (take_outline(host, c, &self->outline, &problems) &&
        (!c->resample || resample(self, (uint32_t)c->resample, &problems)) &&
        finish(self, &problems)) {
        mesh_lines_clear(&problems);
        *instance = self;
        return SCREE_OK;
    }
    destroy(self);
    return mesh_fail(host, &problems);
}

static uint64_t bytes(void *instance)
{
    const polygon *self = instance;
    const size_t padded = ((size_t)self->n_hull + BLOCK - 1) / BLOCK * BLOCK;
    uint64_t sum = sizeof *self + self->outline.n * (2 * sizeof(double) + sizeof *self->hull) +
                   3 * padded * sizeof(double);
    if (self->halves.upper)
        sum += 2 * ((uint64_t)self->halves.strip.n + 1) * sizeof(double);
    return sum + (self->surface ? self->surface->bytes : 0);
}

static int32_t measure(void *instance, scree_measure *out)
{
    const polygon *self = instance;
    const polygon_solid s = polygon_measure(self->outline.n, self->outline.x, self->outline.y);
    out->n_parts = 1;
    out->flat = 1;
    out->content = s.area;
    out->centroid[0] = s.centroid[0];
    out->centroid[1] = s.centroid[1];
    out->inertia[2] = s.inertia;
    out->radius = s.radius;
    return SCREE_OK;
}

static void enter(const scree_frame *frame, int shift, double *x, double *y)
{
    double p[3] = {*x, *y, 0.0};
    given_enter(frame, shift, p);
    *x = p[0];
    *y = p[1];
}

static int32_t place(void *instance, const scree_frame *frame)
{
    polygon *self = instance;
    polygon_outline *o = &self->outline;
    polygon_strip *strip = &self->halves.strip;
    if (strip->n) {
        enter(frame, 0, &strip->turn[0], &strip->turn[1]);
        enter(frame, 1, &strip->shift[0], &strip->shift[1]);
        if (fabs(strip->shift[0]) + fabs(strip->shift[1]) < 1e-12 * self->radius)
            strip->shift[0] = strip->shift[1] = 0.0; // 0 except for rounding
        polygon_strip_outline(strip, o->x, o->y);
    } else {
        for (uint32_t i = 0; i < o->n; i++)
            enter(frame, 1, o->x + i, o->y + i);
    }
    set_corners(self);
    return SCREE_OK;
}

/* ---- boxes ---- */

/** Least and largest of cx x + cy y over n points, a multiple of BLOCK. */
static void find_range(uint32_t n, double cx, double cy, SCREE_IN x, SCREE_IN y, SCREE_OUT range)
{
    double lo[BLOCK], hi[BLOCK];
    for (uint32_t k = 0; k < BLOCK; k++)
        lo[k] = hi[k] = cx * x[k] + cy * y[k];
    for (uint32_t i = BLOCK; i < n; i += BLOCK)
        for (uint32_t k = 0; k < BLOCK; k++) {
            const double at = cx * x[i + k] + cy * y[i + k];
            lo[k] = at < lo[k] ? at : lo[k];
            hi[k] = at > hi[k] ? at : hi[k];
        }
    range[0] = lo[0];
    range[1] = hi[0];
    for (uint32_t k = 1; k < BLOCK; k++) {
        range[0] = lo[k] < range[0] ? lo[k] : range[0];
        range[1] = hi[k] > range[1] ? hi[k] : range[1];
    }
}

static int32_t boxes(void *instance, const scree_shape_boxes *b)
{
    const polygon *self = instance;
    const uint32_t n = (self->n_hull + BLOCK - 1) / BLOCK * BLOCK;
    for (uint32_t i = 0; i < b->n; i++) {
        const double q[4] = {b->q[0][i], b->q[1][i], b->q[2][i], b->q[3][i]};
        const double along[3] = {1.0, 0.0, 0.0};
        double axis[3], middle[3], range[2][2];
        scree_rotate(q, along, axis);
        scree_rotate(q, self->centroid, middle);
        find_range(n, axis[0], -axis[1], self->corner[0], self->corner[1], range[0]);
        find_range(n, axis[1], axis[0], self->corner[0], self->corner[1], range[1]);
        for (int k = 0; k < 2; k++) {
            b->lo[k][i] = b->x[k][i] + b->scale[i] * range[k][0];
            b->hi[k][i] = b->x[k][i] + b->scale[i] * range[k][1];
            b->centre[k][i] = b->x[k][i] + b->scale[i] * middle[k];
        }
        b->lo[2][i] = b->hi[2][i] = b->centre[2][i] = 0.0;
        b->radius[i] = b->scale[i] * self->radius;
    }
    return SCREE_OK;
}

/* ---- views ---- */

/** Makes the sides into facets of a closed surface. */
static int32_t make_surface(polygon *self)
{
    const polygon_outline *o = &self->outline;
    double *xyz = calloc(o->n, 3 * sizeof *xyz);
    uint32_t *facet = malloc(o->n * 4 * sizeof *facet);
    mesh_lines problems = {0};
    if (xyz && facet) {
        for (uint32_t i = 0; i < o->n; i++) {
            const uint32_t side[4] = {i, (i + 1) % o->n, SCREE_NONE, SCREE_NONE};
            memcpy(facet + 4 * (size_t)i, side, sizeof side);
            xyz[3 * (size_t)i] = o->x[i];
            xyz[3 * (size_t)i + 1] = o->y[i];
        }
        self->surface = mesh_surface_new(2, o->n, xyz, o->n, facet, &problems);
    }
    if (self->surface)
        self->surface->view.closed = 1;
    free(xyz);
    free(facet);
    mesh_lines_clear(&problems);
    return self->surface
               ? SCREE_OK
               : self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for a mesh");
}

/** All views are exact, and satisfy any tolerance. */
static int32_t view(void *instance, const char *name, double tolerance, const void **out)
{
    polygon *self = instance;
    int32_t code = SCREE_OK;
    (void)tolerance;
    *out = NULL;
    if (strcmp(name, SCREE_VIEW_OUTLINE) == 0)
        *out = &self->view;
    else if (strcmp(name, SCREE_VIEW_SUPPORT) == 0 && self->is_convex)
        *out = &self->support;
    else if (strcmp(name, POLYGON_VIEW_STRIP) == 0 && self->halves.strip.n)
        *out = &self->halves.strip;
    else if (strcmp(name, SCREE_VIEW_MESH) == 0) {
        code = self->surface ? SCREE_OK : make_surface(self);
        *out = self->surface ? &self->surface->view : NULL;
    }
    return code;
}

/* ---- descriptor ---- */

SCREE_REAL_ROWS_PARAM(
    config, vertices, 2, "m", SCREE_PARAM_OPTIONAL, -1e50, 1e50,
    "corners (x, y) in order, counterclockwise; the last one is joined to the first");
SCREE_FILE_PARAM(config, file, SCREE_PARAM_OPTIONAL,
                 "table with the columns x and y, a corner in each row; instead of vertices");
SCREE_STRINGS_PARAM(
    config, columns, 0, SCREE_PARAM_OPTIONAL,
    "names of the columns of file, \"-\" to skip one; absent: its first line names them");
SCREE_INT_PARAM(
    config, sides, 0, 0, 0, 100000,
    "sides of a regular polygon about the origin, one of them at its bottom; instead of vertices");
SCREE_REAL_PARAM(config, diameter, "m", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 0, 1e50,
                 "diameter of the circle around a regular polygon");
SCREE_INT_PARAM(
    config, resample, 0, 0, 0, POLYGON_MOST_PANELS,
    "panels of equal width along the longest diagonal, 2 or more, into which the outline "
    "is cut; 0: it stays as it is given");
static const scree_param *const params[] = {&param_vertices, &param_file,     &param_columns,
                                            &param_sides,    &param_diameter, &param_resample};

static const scree_shape_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = destroy,
    .bytes = bytes,
    .measure = measure,
    .place = place,
    .boxes = boxes,
    .view = view,
};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_SHAPE,
    .flags = SCREE_CAP_USES_LIBM,
    .dimensions = SCREE_DIMENSION_2,
    .id = "polygon",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "a polygon, convex or concave, as thick as the scene",
    .summary =
        "Corners from the scene or a table, or a regular polygon. Area, centroid and inertia are "
        "exact. An outline that crosses or touches itself, goes clockwise, or has a side without "
        "length is refused; mistakes name corners by number, from 0, and in files the line. With "
        "resample = n the outline is replaced, for every resolver and picture, by one of 2 n "
        "corners "
        "above and below the borders of n panels along its longest diagonal, or, where a half then "
        "goes back and forth, along another direction; random outlines of 5 to 20 corners lose 2 "
        "to 3 "
        "% of their area with 9 panels, 0.3 to 0.5 % with 24, 0.1 % with 49.",
    .citation =
        "O'Connor 1996, A distributed discrete element modeling environment, thesis, MIT, 3.2",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
