// SPDX-License-Identifier: Apache-2.0
// Observer `vtk`: bodies, walls, solids and contacts for ParaView, a file per frame and a list of
// frames.
/*
 * Writes NAME/bodies.pvd, NAME/walls.pvd, NAME/contacts.pvd, which list frames with their times,
 * and per frame and part one NAME/PART_STEP.vtp: VTK PolyData in double precision, SI units.
 *
 *   part      cells                               data
 *   bodies    a vertex per ball or disc, ball     of points: id, radius, velocity [m/s], spin
 *             of a clump, or centre of another    [rad/s], force [N] without gravity, material,
 *             solid                               group, motion, coordination, image, orientation
 *                                                 (quaternion w x y z), shape, ball
 *   solids    polygons of the surface of each     of cells: id, shape, material, group, motion,
 *             solid that is neither ball nor      velocity of the centre, spin, force
 *             clump; no such shape: no files
 *   walls     a polygon per facet (2D: line),     of cells: id, facet (-1: plane), material, group,
 *             planes cut to the region, or to     motion, force [N] of the contacts on the whole
 *             the bounds of all bodies            body, the same in all its cells
 *   contacts  a line from the centre of one       of cells: id_a, id_b, image, force [N] on a,
 *             body to that of the other; to the   force_magnitude, force_normal (> 0 pushes
 *             contact point where one is a wall   apart), normal, point, depth [m]
 *
 *   detection polygons around each box, each      of cells: kind (0 box, 1 extent, 2 cell, 3
 *             extent (the box grown) and each     node), level of a cell (0: the coarsest), n
 *             cell of a GCD of the observer's     (boxes in it), id of the body, or -1
 *             own; only with `detection`
 *   candidates  a line from centre to centre of  of cells: id_a, id_b, part_a, part_b, touches
 *             each pair of that GCD               (1: a contact of the scene)
 *
 *   cells     six polygons around each cell of a   of cells: class (0 outside, 1 inside, 2
 *             solid, of the classes in             border), zone (1: looked at with a neighbour),
 *             `cell_classes`; only with `cells`    at (ordinates of the cell), id of the body
 *
 * material: number from 0, in the scene's order; group: index into the field data `group_names`,
 * which may grow from frame to frame; `fields`: values of the body, at points of bodies and in
 * cells of solids and walls; motion: 0 free, 1 kinematic, 2 fixed. coordination: contacts that
 * touch (depth >= 0), including walls; a wall that is touched at two places counts twice.
 *
 * A clump has a point per ball, all with its id, spin, force, coordination and orientation; `ball`
 * counts them, radius and velocity are those of the ball. radius is 0 for a solid whose surface is
 * in part solids, so that a glyph of spheres shows only round bodies; for a solid without a surface
 * it is that of the ball that holds it. shape: 0 for a sphere, 1 for a disc, then the shapes of the
 * scene follow.
 *
 * Each shape is asked once for a surface within `tolerance` times its bounding radius: in 3D
 * scree.mesh/1, in 2D scree.outline/1, one polygon. Its points are those of the shape, turned,
 * scaled and moved with each body.
 *
 * Periodic boundaries: each body is written once, at its place in the region; image counts the
 * cells that it has moved through. A line of a contact across a boundary runs from a to the image
 * of b next to it, `image` cells away; it sticks out of the region.
 *
 * Atomic: a frame gets its name only when it is complete; a list is rewritten as a whole after its
 * frame, first under another name. So a list names only complete frames, however the run ends.
 *
 * On several ranks each rank writes a frame of parts bodies and solids for its own bodies,
 * PART_STEP_RANK.vtp, and rank 0 then PART_STEP.pvtp, which names these pieces; a list names it.
 * A frame of a whole state, such as the first and the last one, is one file, as on one rank; so is
 * each frame with contacts, detection, cells or fields, for which rank 0 takes the state of all.
 *
 * encoding "base64" puts the arrays into their elements as letters, for OVITO as well as ParaView. "raw"
 * appends them as bytes, a quarter smaller and faster; OVITO reads no appended data.
 *
 * Cost: a pass over the bodies and contacts per array, through a buffer of 64 KiB; 4 bytes per body
 * for each of rows, groups and coordination. A list grows by a line per frame.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>

#include "groups.h"
#include "scree/draft/sums.h"
#include "vtk/vtk.h"

typedef struct vtk_config {
    const char *file;
    scree_strings fields;
    const scree_plugin_ref *detection, *cells;
    scree_strings cell_classes;
    double extent;    // [m] with `detection`
    double tolerance; // [-]
    int32_t bodies, walls, solids, contacts;
    int32_t encoding, reserved;
} vtk_config;

enum { RAW, BASE64 };
enum { BODIES, WALLS, SOLIDS, CONTACTS, DETECTION, CANDIDATES, CUT, N_PARTS };

/* A frame on the disk. */
typedef struct shown {
    uint64_t step;
    double time;
    uint32_t n_pieces, reserved;
} shown;

typedef struct vtk {
    const scree_host *host;
    const scree_output *output;
    const scree_names *scene; // of groups; NULL: the host does not offer names
    const vtk_config *config;
    const scree_pieces *pieces; // NULL: this rank is shown all bodies
    detection *detection;       // NULL: not written
    solid_cells *cells;         // NULL: not written
    shown *frames;
    int32_t *group;
    char **names; // names of groups, in the order of the scene; others as they are met
    uint64_t n_frames, frame_capacity, group_capacity, name_capacity;
    uint32_t n_names;
    body_memory body_memory;
    wall_memory wall_memory;
    surface_memory surface_memory;
    int32_t has_solids, reserved;
    sink sink;
} vtk;

/* ---- contacts ---- */

static void contact_ends(const frame *f, sink *s)
{
    const scree_bodies *b = f->view->bodies;
    const scree_contact_list *list = f->view->contacts;
    for (uint64_t c = 0; c < list->n; c++) {
        uint32_t i = list->a[c], j = list->b[c];
        const int32_t cells[3] = {list->image[0][c], list->image[1][c], list->image[2][c]};
        double from[3], to[3], shift[3];
        scree_shift(b->cell, cells, shift);
        for (int k = 0; k < 3; k++) {
            double point = b->x[k][i] + list->arm[k][c];
            from[k] = is_wall(b, i) ? point : b->x[k][i];
            to[k] = is_wall(b, j) ? point : b->x[k][j] + shift[k];
        }
        put_reals(s, from, 3);
        put_reals(s, to, 3);
    }
}

#define EMIT_PER_CONTACT(name, statement)                                                          \
    static void contact_##name(const frame *f, sink *s)                                            \
    {                                                                                              \
        const scree_contact_list *list = f->view->contacts;                                        \
        for (uint64_t c = 0; c < list->n; c++)                                                     \
            statement;                                                                             \
    }
EMIT_PER_CONTACT(id_a, put_int64(s, f->view->bodies->id[list->a[c]]))
EMIT_PER_CONTACT(id_b, put_int64(s, f->view->bodies->id[list->b[c]]))
EMIT_PER_CONTACT(force, put_vector(s, list->f, c))
EMIT_PER_CONTACT(normal, put_vector(s, list->normal, c))
EMIT_PER_CONTACT(depth, put_reals(s, &list->depth[c], 1))
EMIT_PER_CONTACT(part_a, put_int64(s, list->part[0][c]))
EMIT_PER_CONTACT(part_b, put_int64(s, list->part[1][c]))
EMIT_PER_CONTACT(branch, put_vector(s, list->branch, c))
EMIT_PER_CONTACT(stored, put_reals(s, &list->stored[c], 1))
EMIT_PER_CONTACT(end, put_int64(s, 2 * (c + 1)))

static void contact_corners(const frame *f, sink *s)
{
    for (uint64_t c = 0; c < f->n_points; c++)
        put_int64(s, c);
}

static void contact_image(const frame *f, sink *s)
{
    for (uint64_t c = 0; c < f->view->contacts->n; c++)
        for (int k = 0; k < 3; k++)
            put_int32(s, f->view->contacts->image[k][c]);
}

static void contact_point(const frame *f, sink *s)
{
    const scree_contact_list *list = f->view->contacts;
    for (uint64_t c = 0; c < list->n; c++)
        for (int k = 0; k < 3; k++) {
            double point = f->view->bodies->x[k][list->a[c]] + list->arm[k][c];
            put_reals(s, &point, 1);
        }
}

static void contact_force_normal(const frame *f, sink *s)
{
    const scree_contact_list *list = f->view->contacts;
    for (uint64_t c = 0; c < list->n; c++) {
        double push = 0.0; // f on a and the normal to b are opposite when it pushes
        for (int k = 0; k < 3; k++)
            push -= list->f[k][c] * list->normal[k][c];
        put_reals(s, &push, 1);
    }
}

static void contact_force_magnitude(const frame *f, sink *s)
{
    const double *const *force = f->view->contacts->f;
    for (uint64_t c = 0; c < f->view->contacts->n; c++) {
        double length =
            sqrt(force[0][c] * force[0][c] + force[1][c] * force[1][c] + force[2][c] * force[2][c]);
        put_reals(s, &length, 1);
    }
}

static const array nothing[] = {{0}};
static const array contact_data[] = {
    {"id_a", "Int64", 1, contact_id_a},
    {"id_b", "Int64", 1, contact_id_b},
    {"image", "Int32", 3, contact_image},
    {"force", "Float64", 3, contact_force},
    {"force_magnitude", "Float64", 1, contact_force_magnitude},
    {"force_normal", "Float64", 1, contact_force_normal},
    {"normal", "Float64", 3, contact_normal},
    {"point", "Float64", 3, contact_point},
    {"depth", "Float64", 1, contact_depth},
    {"part_a", "Int64", 1, contact_part_a},
    {"part_b", "Int64", 1, contact_part_b},
    {"branch", "Float64", 3, contact_branch},
    {"stored", "Float64", 1, contact_stored},
    {0},
};
static const part contacts_part = {
    .name = "contacts",
    .point_data = nothing,
    .cell_data = contact_data,
    .points = {"Points", "Float64", 3, contact_ends},
    .connectivity = {"connectivity", "Int64", 1, contact_corners},
    .offsets = {"offsets", "Int64", 1, contact_end},
};
static const part *const parts[N_PARTS] = {&bodies_part,   &walls_part,     &solids_part,
                                           &contacts_part, &detection_part, &candidates_part,
                                           &cut_part};

/* ---- files ---- */

static int32_t no_memory(const vtk *self)
{
    return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for a frame");
}

/* Opens a file in the folder of this observer, for the sink. */
static int32_t open_file(vtk *self, const char *name)
{
    char path[4096];
    sink *s = &self->sink;
    snprintf(path, sizeof path, "%s/%s", self->config->file, name);
    s->error = 0;
    s->used = s->n_carry = 0;
    s->base64 = 0;
    return self->output->open(self->output->ctx, path, &s->fd);
}

/* Closes it; keeps it only when it is whole. `status`: that of the writer. */
static int32_t close_file(vtk *self, const char *name, int32_t status)
{
    int32_t closed;
    if (self->sink.error)
        status = scree_failf(self->host, SCREE_E_IO, "cannot write %s/%s: %s", self->config->file,
                             name, strerror(self->sink.error));
    else if (status != SCREE_OK)
        scree_failf(self->host, status,
                    "%s/%s: an array does not have the length that was announced",
                    self->config->file, name);
    closed = self->output->close(self->output->ctx, self->sink.fd, status == SCREE_OK);
    return status != SCREE_OK ? status : closed;
}

/* Bodies and their surfaces are written by the rank that has them, all else by rank 0. */
static int is_divided(const part *p)
{
    return p == &bodies_part || p == &solids_part;
}

/* Name of a frame's file, without its end. */
static void frame_stem(char *name, size_t size, const part *p, uint64_t step)
{
    snprintf(name, size, "%s_%010" PRIu64, p->name, step);
}

static int32_t write_list(vtk *self, const part *p)
{
    char name[64], stem[64];
    sink *s = &self->sink;
    int32_t status;
    snprintf(name, sizeof name, "%s.pvd", p->name);
    status = open_file(self, name);
    if (status != SCREE_OK)
        return status;
    sink_print(s, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
                  "byte_order=\"LittleEndian\">\n<Collection>\n");
    for (uint64_t k = 0; k < self->n_frames; k++) {
        const shown *at = &self->frames[k];
        frame_stem(stem, sizeof stem, p, at->step);
        sink_print(s, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"%s.%s\"/>\n", at->time, stem,
                   at->n_pieces > 1 && is_divided(p) ? "pvtp" : "vtp");
    }
    sink_print(s, "</Collection>\n</VTKFile>\n");
    sink_flush(s);
    return close_file(self, name, SCREE_OK);
}

static int32_t write_frame(vtk *self, const part *p, const frame *f)
{
    const char *cells = "Verts";
    const int divided = f->piece && f->piece->n > 1 && is_divided(p);
    char stem[64], name[80];
    int32_t status;
    if (p == &walls_part)
        cells = f->view->bodies->dimension == 2 ? "Lines" : "Polys";
    else if (p == &solids_part || p == &detection_part || p == &cut_part)
        cells = "Polys";
    else if (p == &contacts_part || p == &candidates_part)
        cells = "Lines";
    frame_stem(stem, sizeof stem, p, f->view->step);
    if (divided)
        snprintf(name, sizeof name, "%s_%" PRIu32 ".vtp", stem, f->piece->rank);
    else
        snprintf(name, sizeof name, "%s.vtp", stem);
    status = open_file(self, name);
    if (status == SCREE_OK)
        status = close_file(self, name,
                            write_vtp(&self->sink, p, f, cells, self->config->encoding == BASE64));
    if (status != SCREE_OK || !divided || f->piece->rank)
        return status;
    snprintf(name, sizeof name, "%s.pvtp", stem); // rank 0 comes last: all pieces are complete
    status = open_file(self, name);
    if (status != SCREE_OK)
        return status;
    write_pvtp(&self->sink, p, f, stem);
    return close_file(self, name, SCREE_OK);
}

/* ---- frames ---- */

/* Number of a group's name; SCREE_NONE: out of memory. */
static uint32_t find_name(vtk *self, const char *name)
{
    for (uint32_t k = 0; k < self->n_names; k++)
        if (strcmp(self->names[k], name) == 0)
            return k;
    if (!scree_grow(&self->names, &self->name_capacity, self->n_names + 1, sizeof *self->names))
        return SCREE_NONE;
    self->names[self->n_names] = strdup(name);
    return self->names[self->n_names] ? self->n_names++ : SCREE_NONE;
}

/* Numbers all groups of the scene: a group has one number in all frames, and on all ranks. */
static int number_groups(vtk *self)
{
    const char *name;
    for (uint32_t k = 0; self->scene && (name = self->scene->group_name(self->scene->ctx, k)); k++)
        if (find_name(self, name) == SCREE_NONE)
            return 0;
    return 1;
}

static int find_groups(vtk *self, frame *f)
{
    const scree_bodies *b = f->view->bodies;
    uint32_t last = SCREE_NONE, number = SCREE_NONE;
    if (!number_groups(self))
        return 0;
    if (!scree_grow(&self->group, &self->group_capacity, b->n + 1, sizeof *self->group))
        return 0;
    for (uint32_t i = 0; i < b->n; i++) {
        if (number == SCREE_NONE || b->group[i] != last) {
            last = b->group[i];
            number = find_name(self, group_name(self->scene, last));
        }
        if (number == SCREE_NONE)
            return 0;
        self->group[i] = (int32_t)number;
    }
    f->group = self->group;
    f->group_names = (const char *const *)self->names;
    f->n_groups = self->n_names;
    return 1;
}

/* Finds the items of the part's arrays. */
static int32_t fill_frame(vtk *self, int which, frame *f)
{
    if (which == BODIES)
        return find_bodies(&self->body_memory, f) ? SCREE_OK : SCREE_E_MEMORY;
    if (which == WALLS)
        return find_walls(&self->wall_memory, f);
    if (which == SOLIDS)
        return find_solids(&self->wall_memory, f);
    if (which == DETECTION)
        count_detected(f);
    if (which == CANDIDATES)
        count_candidates(f);
    if (which == CUT)
        count_cut(f);
    if (which != CONTACTS)
        return SCREE_OK;
    f->n_cells = f->view->contacts->n;
    f->n_points = f->n_corners = 2 * f->n_cells;
    return SCREE_OK;
}

static int is_wanted(const vtk *self, const frame *f, int which)
{
    const vtk_config *c = self->config;
    if (f->piece && f->piece->rank && !is_divided(parts[which]))
        return 0;
    const int32_t wanted[N_PARTS] = {c->bodies,
                                     c->walls,
                                     c->bodies && c->solids && self->has_solids,
                                     c->contacts,
                                     self->detection != NULL,
                                     self->detection != NULL,
                                     self->cells != NULL};
    return wanted[which];
}

static int32_t observe(void *instance, const scree_view *view)
{
    vtk *self = instance;
    frame f = {.view = view};
    if (self->pieces)
        f.piece = self->pieces->piece(self->pieces->ctx);
    if (!find_groups(self, &f) ||
        !find_surfaces(&self->surface_memory, self->host, view->bodies, self->config->tolerance) ||
        !scree_grow(&self->frames, &self->frame_capacity, self->n_frames + 1, sizeof(shown)))
        return no_memory(self);
    f.surfaces = self->surface_memory.surfaces;
    f.detected = self->detection;
    if (self->detection) {
        const int32_t status = detection_find(self->detection, view);
        if (status != SCREE_OK)
            return status;
    }
    f.cut = self->cells;
    if (self->cells) {
        const int32_t status = solid_cells_find(self->cells, view->bodies, NULL, NULL);
        if (status != SCREE_OK)
            return status;
    }
    for (uint32_t k = 0; k < view->bodies->n_shapes; k++)
        self->has_solids |= is_solid(view->bodies->shapes[k]);
    for (int k = 0; k < N_PARTS; k++) {
        int32_t status;
        if (!is_wanted(self, &f, k))
            continue;
        status = fill_frame(self, k, &f);
        if (status == SCREE_E_MEMORY)
            return no_memory(self);
        if (status == SCREE_OK)
            status = write_frame(self, parts[k], &f);
        if (status != SCREE_OK)
            return status;
    }
    if (f.piece && f.piece->rank)
        return SCREE_OK;
    self->frames[self->n_frames++] = (shown){view->step, view->time, f.piece ? f.piece->n : 1, 0};
    for (int k = 0; k < N_PARTS; k++) {
        int32_t status = is_wanted(self, &f, k) ? write_list(self, parts[k]) : SCREE_OK;
        if (status != SCREE_OK)
            return status;
    }
    return SCREE_OK;
}

static int32_t narrow(void *instance, scree_demands *demands)
{
    const vtk *self = instance;
    if (!self->config->bodies && !self->config->contacts && !self->detection)
        demands->needs &= ~(uint64_t)SCREE_WANTS_CONTACTS;
    return scree_narrow_sums(instance, demands);
}

static int32_t finish(void *instance, const scree_view *view)
{
    (void)instance;
    (void)view;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    vtk *self = instance;
    if (!self)
        return;
    for (uint32_t k = 0; k < self->n_names; k++)
        free(self->names[k]);
    free(self->names);
    free(self->frames);
    free(self->body_memory.rows);
    free(self->body_memory.coordination);
    free(self->group);
    free(self->wall_memory.walls);
    free(self->wall_memory.outlines);
    free_surfaces(&self->surface_memory);
    detection_free(self->detection);
    solid_cells_free(self->cells);
    free(self);
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    const vtk_config *given = config;
    const scree_output *output = host->get_service(host->ctx, SCREE_SERVICE_OUTPUT);
    vtk *self;
    if (!output)
        return host->fail(host->ctx, SCREE_E_UNSUPPORTED,
                          "the host offers no " SCREE_SERVICE_OUTPUT ": nowhere to write");
    if (!given->file[0] || strlen(given->file) > 2048)
        return scree_failf(host, SCREE_E_CONFIG,
                           "file: expected a name of 1 to 2048 letters, got \"%.60s\"",
                           given->file);
    if (!given->bodies && !given->walls && !given->contacts && !given->detection && !given->cells)
        return host->fail(host->ctx, SCREE_E_CONFIG,
                          "expected one of bodies, walls and contacts, or `detection` or `cells`");
    if (!given->detection && !isnan(given->extent))
        return host->fail(host->ctx, SCREE_E_CONFIG, "`extent` goes with `detection`, a GCD");
    self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->host = host;
    self->output = output;
    self->scene = host->get_service(host->ctx, SCREE_SERVICE_NAMES);
    self->config = given;
    if (!given->contacts && !given->detection && !given->cells)
        self->pieces = host->get_service(host->ctx, SCREE_DRAFT_PIECES);
    int32_t status = SCREE_OK;
    if (given->detection)
        status = detection_make(&self->detection, host, given->detection, given->extent);
    if (status == SCREE_OK)
        status = solid_cells_make(&self->cells, host, given->cells, &given->cell_classes);
    if (status != SCREE_OK) {
        destroy(self);
        return status;
    }
    *instance = self;
    return SCREE_OK;
}

SCREE_BOOL_PARAM(vtk_config, bodies, 0, 1, "write bodies as points");
SCREE_BOOL_PARAM(vtk_config, walls, 0, 1, "write facets and planes as polygons");
SCREE_BOOL_PARAM(
    vtk_config, solids, 0, 1,
    "with bodies, write surfaces of solids as polygons; no files where the scene has no such "
    "shape");
SCREE_REAL_PARAM(vtk_config, tolerance, "-", SCREE_PARAM_MIN_OPEN, 0.01, 0, 0.5,
                 "distance of these surfaces from the exact ones, as a share of the radius of the "
                 "ball that holds the shape");
SCREE_BOOL_PARAM(vtk_config, contacts, 0, 1, "write contacts as lines");
SCREE_CHOICE_VALUE(raw, RAW,
                   "bytes behind the XML: a quarter smaller and faster, only for ParaView");
SCREE_CHOICE_VALUE(base64, BASE64, "letters inside the XML: for OVITO as well as ParaView");
SCREE_CHOICE_PARAM(vtk_config, encoding, 0, "base64", "how arrays are written", &choice_raw,
                   &choice_base64);
SCREE_STRING_PARAM(vtk_config, file, 0, "vtk", "folder of the .pvd, .vtp and .pvtp files");
SCREE_STRINGS_PARAM(
    vtk_config, fields, 0, SCREE_PARAM_OPTIONAL | SCREE_PARAM_FIELD,
    "names of body fields that bodies, solids and walls have too, \"NAME\" or \"SLOT/NAME\"");
DETECTION_PARAMS(vtk_config);
SOLID_CELLS_PARAMS(vtk_config);
static const scree_param *const params[] = {&param_file,     &param_bodies,   &param_walls,
                                            &param_solids,   &param_contacts, &param_tolerance,
                                            &param_encoding, &param_fields,   &param_detection,
                                            &param_extent,   &param_cells,    &param_cell_classes};

static const scree_observer_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = destroy,
    .narrow = narrow,
    .observe = observe,
    .finish = finish,
};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_OBSERVER,
    .flags = SCREE_CAP_RANKS,
    .needs = SCREE_WANTS_CONTACTS,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "vtk",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "bodies, walls, solids and contacts per frame for ParaView and OVITO",
    .summary =
        "Writes bodies.pvd, walls.pvd and contacts.pvd, which list the frames with their times, "
        "and a .vtp file (VTK PolyData) per frame and part: balls and discs, balls of clumps and "
        "centres of other solids as points with id, radius, velocity, spin, force, material, "
        "group, "
        "motion, coordination, image, orientation, shape and ball; facets as "
        "polygons and planes cut to the region (else to the bounds of the bodies) with the force "
        "on their body; where the scene has solids that are neither balls nor clumps solids.pvd "
        "with their surfaces; contacts as lines from centre to centre, or to the contact point on "
        "a "
        "wall, with ids, force, its magnitude and normal part, normal, point and depth. With "
        "`detection` boxes, extents and cells of a contact detection, and its candidates, with "
        "`cells` "
        "the cells that a resolver has cut solids into. On several ranks without contacts each "
        "rank "
        "writes its own bodies and surfaces, and a .pvtp file names these pieces. A frame "
        "has its name only when it is whole, and is listed after that.",
    .config_size = sizeof(vtk_config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
