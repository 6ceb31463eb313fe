// SPDX-License-Identifier: Apache-2.0
// Resolver `dfr3d`: solids by their discrete function representation, in time of the cells that overlap.
/*
 * Sources
 *   [1] R. O'Connor, A Distributed Discrete Element Modeling Environment, PhD thesis, MIT, 1996, 3.3 to 3.5, 4.
 *   [2] W. E. Lorensen, H. E. Cline, Marching cubes, Computer Graphics 21 (1987) 163.
 *
 * Idea: a solid is cut into cells. Those that its surface crosses keep the few facets in them; maps of
 * offsets and run lengths find the cell of a point by three comparisons. Whether a point is inside, or which
 * facets an edge crosses, then costs the same for 8 facets and for 80 000. Two bodies look only at the
 * cells where their boxes overlap.
 *
 *      prepare    cells and facets (dfr3d/field.c, ../cubes.c), maps and points (dfr3d/maps.c), edges and flat faces
 *                 (mesh.c)
 *      resolve    zone (zone.c), edges through cells (march.c), parts that cross (pieces.c), least
 *                 translation (separate.c), flat faces (faces.c); balls and planes (ball.c), walls (wall.c);
 *                 gaps by a tree of boxes (tree.c, pieces.c)
 *
 * Geometry  Distance: the least translation that parts two parts of the surfaces, exact of convex bodies that
 *           overlap by less than some cells. One contact for each pair of parts; flat faces on each other
 *           one for each corner. The surface is that of the facets; the log says how far it is from that
 *           of the shape: chords of curved faces are short by cell²/(8 R), edges lose up to half a cell unless
 *           they lie along the axes of the body.
 * Deviations from the paper, and why
 *   - cubes: opposite corners on a face are cut off each by itself; [1] accepts holes.
 *   - maps: (3.6) has its offset in cells, (3.7) reads w - o, and is valid only within the run.
 *   - zone: faces of both boxes are clipped; both bodies are the source in turn.
 *   - points: [1] has no rule inside a cell; here the parity of crossings to a corner decides.
 *   - contact: [1] has no rule; here see Geometry.
 *   - ties: what crosses what is decided in a pose that is shifted by 1e-10 of the size (pieces.c).
 * Energy    Depth has a potential for each facet and vertex, or two edges. Contacts that come and go as wholes can make or
 *           take energy: of a flat face that tips beyond 10 degrees, of parts that join. Measured on closed paths: below
 *           4e-4 of the work at depths of 0.001 of the size, up to 5 % at 0.01, 8 % at 0.1, 33 % of hulls of sharp corners.
 * Walls     facets that hang together are turned alike first (panels.c): one sign says from which side they are seen.
 * Limits    closed solids; a part thinner than a cell may be lost. Bodies that overlap by many cells get one way out, not
 *           always the least. Warned of when the instance ends: contacts deeper than 1 % of a shape's longest side; in
 *           prepare(): a shape of which the cells cut off more than that (solid/served.c).
 */
#include "dfr3d/pair.h"
#include "dfr3d/shapes.h"

enum { CONTACTS_ONE, CONTACTS_ALL };

typedef struct config {
    double cell;
    int64_t cells;
    int32_t contacts;
} config;

/** A shape: cells of a solid, facets of a wall, or neither. */
typedef struct solid {
    dfr_body body;   // n_facets == 0: none
    dfr_frame frame; // of its cells
    dfr_wall wall;   // mesh == NULL: none
} solid;

typedef struct resolver {
    const scree_host *host;
    const config *config;
    solid *solids; // [n_solids] by index of shape
    uint64_t n_solids, capacity;
    dfr_sizes sizes;
    solid_served served;
} resolver;

/* ---- shapes ---- */

static int is_solid(const scree_shape_type *type)
{
    for (uint32_t k = 0; k < type->n_shapes; k++) {
        const scree_shape *s = type->shapes[k];
        if (s->flags != 0 || s->flat || !s->view ||
            (!dfr_closed_mesh(s) && !s->view(s, SCREE_VIEW_IMPLICIT, 0.0)))
            return 0;
    }
    return type->n_shapes > 0;
}

static int32_t supports(void *instance, scree_pair_support *pair)
{
    const uint32_t a = pair->a->flags, b = pair->b->flags;
    const int ball =
        solid_is_point(pair->a) || ((a & SCREE_CAP_ROUND) && !pair->a->shapes[0]->flat);
    const int other = solid_is_point(pair->b) || (b & (SCREE_CAP_WALL | SCREE_CAP_INFINITE)) != 0;
    (void)instance;
    if (!(ball && is_solid(pair->b)) && !(is_solid(pair->a) && (other || is_solid(pair->b))))
        return SCREE_OK;
    pair->contacts = SCREE_SUPPORTS_MANY;
    pair->provides &= SCREE_GIVES_DISTANCE;
    return SCREE_OK;
}

static int32_t prepare(void *instance, uint32_t index, const scree_shape *shape)
{
    resolver *self = instance;
    solid made = {.frame = {.turn = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}}};
    if (!scree_grow(&self->solids, &self->capacity, index + 1ull, sizeof *self->solids))
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for shapes");
    for (; self->n_solids <= index; self->n_solids++)
        memset(&self->solids[self->n_solids], 0, sizeof *self->solids);
    if (shape->flags & SCREE_CAP_WALL && self->host->dimension == 3) {
        if (!dfr_wall_make(&made.wall, shape->mesh))
            return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for a wall");
    } else if (shape->flags == 0 && !shape->flat && shape->view) {
        if (!dfr_closed_mesh(shape) && !shape->view(shape, SCREE_VIEW_IMPLICIT, 0.0))
            return SCREE_OK;
        const dfr_request asked = {self->host, (uint32_t)self->config->cells, self->config->cell};
        const int32_t status = dfr_make_of_shape(&asked, index, shape, &made.body, &made.frame);
        if (status != SCREE_OK)
            return status;
    }
    dfr_body_clear(&self->solids[index].body);
    dfr_wall_clear(&self->solids[index].wall);
    self->solids[index] = made;
    const dfr_body *b = &made.body;
    dfr_sizes *sizes = &self->sizes;
    sizes->vertices = b->n_vertices > sizes->vertices ? b->n_vertices : sizes->vertices;
    sizes->facets = b->n_facets > sizes->facets ? b->n_facets : sizes->facets;
    return solid_served_add(&self->served, index, b->size);
}

/* ---- poses ---- */

static void axes_of(const scree_bodies *bodies, uint32_t i, const solid *s, double turn[3][3])
{
    for (int k = 0; k < 3; k++) {
        double x[3];
        scree_to_world(bodies, i, s->frame.turn[k], x);
        for (int m = 0; m < 3; m++)
            turn[m][k] = x[m];
    }
}

/* x of the world, in the axes of `turn`. */
static void turn_back(double turn[3][3], const double x[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = turn[0][k] * x[0] + turn[1][k] * x[1] + turn[2][k] * x[2];
}

/* ---- contacts ---- */

typedef struct call {
    const resolver *self;
    const scree_candidates *in;
    dfr_work *work;
    dfr_contact *found;
    uint32_t room;
    int all;
} call;

static const solid *solid_of(const call *c, uint32_t body)
{
    return &c->self->solids[c->in->bodies->shape[body]];
}

/* Sets the pose of the cells of candidate p's a, and of those of b. */
static void pose_pair(const call *c, uint32_t p, dfr_pose *out)
{
    const scree_candidates *in = c->in;
    const scree_bodies *bodies = in->bodies;
    const uint32_t i = in->a[p], other = in->b[p];
    const solid *a = solid_of(c, i), *b = solid_of(c, other);
    const double d[3] = {in->d[0][p], in->d[1][p], in->d[2][p]};
    double turn_b[3][3];
    axes_of(bodies, i, a, out->turn);
    axes_of(bodies, other, b, turn_b);
    out->scale = bodies->scale[i];
    out->ratio = bodies->scale[other] / out->scale;
    turn_back(out->turn, d, out->t);
    for (int k = 0; k < 3; k++) {
        for (int m = 0; m < 3; m++)
            out->r[k][m] = out->turn[0][k] * turn_b[0][m] + out->turn[1][k] * turn_b[1][m] +
                           out->turn[2][k] * turn_b[2][m];
        out->t[k] /= out->scale;
        out->t[k] += a->frame.shift[k] - out->ratio * dot(out->r[k], b->frame.shift);
    }
}

/* [m] */
static double range_of(const scree_candidates *in, uint32_t p)
{
    return in->keep && in->keep[p] ? HUGE_VAL : in->range;
}

/* Sets origin: x_a in the frame of the cells. */
static uint32_t resolve_ball(const call *c, uint32_t p, dfr_pose *pose, double origin[3])
{
    const scree_candidates *in = c->in;
    const uint32_t b = in->b[p];
    const solid *s = solid_of(c, b);
    const dfr_body *body = &s->body;
    double to_a[3];
    axes_of(in->bodies, b, s, pose->turn);
    pose->scale = in->bodies->scale[b];
    for (int k = 0; k < 3; k++)
        to_a[k] = -in->d[k][p];
    turn_back(pose->turn, to_a, origin);
    for (int k = 0; k < 3; k++)
        origin[k] = origin[k] / pose->scale + s->frame.shift[k];
    const double radius = solid_is_point(in->bodies->types[in->type_a]) ? 0.0 : in->radius_a[p];
    dfr_work_start(c->work, body, body);
    return dfr_ball(c->work, body, origin, radius / pose->scale, range_of(in, p) / pose->scale,
                    c->all, c->found, c->room);
}

/* b is a point: the same, seen from the other side. */
static uint32_t resolve_point(const call *c, uint32_t p, dfr_pose *pose)
{
    const scree_candidates *in = c->in;
    const uint32_t a = in->a[p];
    const solid *s = solid_of(c, a);
    const double d[3] = {in->d[0][p], in->d[1][p], in->d[2][p]};
    double at[3];
    axes_of(in->bodies, a, s, pose->turn);
    pose->scale = in->bodies->scale[a];
    turn_back(pose->turn, d, at);
    for (int k = 0; k < 3; k++)
        at[k] = at[k] / pose->scale + s->frame.shift[k];
    dfr_work_start(c->work, &s->body, &s->body);
    const uint32_t n = dfr_ball(c->work, &s->body, at, 0.0, range_of(in, p) / pose->scale, c->all,
                                c->found, c->room);
    const uint32_t written = n <= c->room ? n : 0;
    for (uint32_t i = 0; i < written; i++)
        for (int k = 0; k < 3; k++)
            c->found[i].normal[k] = -c->found[i].normal[k];
    return n;
}

static uint32_t resolve_plane(const call *c, uint32_t p, dfr_pose *pose)
{
    const scree_candidates *in = c->in;
    const uint32_t a = in->a[p], b = in->b[p];
    const solid *s = solid_of(c, a);
    const double d[3] = {in->d[0][p], in->d[1][p], in->d[2][p]};
    double outward[3], n[3], t[3];
    axes_of(in->bodies, a, s, pose->turn);
    pose->scale = in->bodies->scale[a];
    scree_to_world(in->bodies, b, in->bodies->shapes[in->bodies->shape[b]]->normal, outward);
    turn_back(pose->turn, outward, n);
    turn_back(pose->turn, d, t);
    for (int k = 0; k < 3; k++)
        t[k] = t[k] / pose->scale + s->frame.shift[k];
    dfr_work_start(c->work, &s->body, &s->body);
    return dfr_plane(c->work, t, n, range_of(in, p) / pose->scale, c->all, c->found, c->room);
}

static uint32_t resolve_wall(const call *c, uint32_t p, dfr_pose *pose)
{
    const scree_candidates *in = c->in;
    const uint32_t first = in->first ? in->first[p] : p, end = in->first ? in->first[p + 1] : p + 1;
    static const uint32_t only[1] = {0};
    pose_pair(c, p, pose);
    return dfr_wall_contacts(c->work, &solid_of(c, in->a[p])->body, &solid_of(c, in->b[p])->wall,
                             pose, in->part_b ? in->part_b + first : only, end - first,
                             range_of(in, p) / pose->scale, c->all, c->found, c->room);
}

static uint32_t resolve_solids(const call *c, uint32_t p, dfr_pose *pose)
{
    const scree_candidates *in = c->in;
    const double d[3] = {in->d[0][p], in->d[1][p], in->d[2][p]}, range = range_of(in, p);
    const dfr_body *a = &solid_of(c, in->a[p])->body, *b = &solid_of(c, in->b[p])->body;
    const double apart = sqrt(dot(d, d)) - in->radius_a[p] - in->radius_b[p];
    if (apart > range)
        return 0;
    pose_pair(c, p, pose);
    dfr_work_start(c->work, a, b);
    const uint32_t n = dfr_pair(c->work, pose, c->all, c->found, c->room);
    if (n > 0 || !(range > 0.0))
        return n;
    return (uint32_t)dfr_gap(a, b, pose, range / pose->scale, &c->found[0]);
}

static void write_contact(const call *c, uint32_t p, const dfr_pose *pose, const double origin[3],
                          const dfr_contact *x, scree_contacts *out, uint32_t i)
{
    const double range = range_of(c->in, p), depth = pose->scale * x->depth;
    double from[3];
    sub(x->point, origin, from);
    out->pair[i] = p;
    out->depth[i] = depth < -range ? -range : depth;
    for (int k = 0; k < 3; k++) {
        out->normal[k][i] = dot(pose->turn[k], x->normal);
        out->arm[k][i] = pose->scale * dot(pose->turn[k], from);
    }
    out->feature[i] = x->feature;
}

/* Writes the contacts of pair p from `n_out` on; returns their number. */
static uint32_t resolve_pair(const call *c, uint32_t p, scree_contacts *out, uint32_t n_out)
{
    const scree_shape_type *const *types = c->in->bodies->types;
    dfr_pose pose;
    double origin[3];
    uint32_t n;
    memcpy(origin, solid_of(c, c->in->a[p])->frame.shift, sizeof origin);
    if (types[c->in->type_a]->flags & SCREE_CAP_ROUND || solid_is_point(types[c->in->type_a]))
        n = resolve_ball(c, p, &pose, origin);
    else if (solid_is_point(types[c->in->type_b]))
        n = resolve_point(c, p, &pose);
    else if (types[c->in->type_b]->flags & SCREE_CAP_INFINITE)
        n = resolve_plane(c, p, &pose);
    else if (types[c->in->type_b]->flags & SCREE_CAP_WALL)
        n = resolve_wall(c, p, &pose);
    else
        n = resolve_solids(c, p, &pose);
    for (uint32_t i = 0; n <= c->room && n_out + n <= out->capacity && i < n; i++)
        write_contact(c, p, &pose, origin, &c->found[i], out, n_out + i);
    return n;
}

/* Gets memory for one pair; its arrays of events have room for `events`. */
static int32_t get_memory(call *c, dfr_work *work, uint32_t events)
{
    const scree_host *host = c->self->host;
    const uint64_t contacts = ((uint64_t)c->room * sizeof *c->found + 63) / 64 * 64;
    const uint64_t rest = dfr_work_bytes(&c->self->sizes, events);
    char *memory = host->scratch(host->ctx, c->in->lane, contacts + rest);
    if (!memory)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for a pair");
    c->found = (dfr_contact *)(void *)memory;
    dfr_work_place(work, memory + contacts, &c->self->sizes, events);
    return SCREE_OK;
}

static int32_t resolve(void *instance, const scree_candidates *in, scree_contacts *out,
                       uint32_t *done)
{
    const resolver *self = instance;
    dfr_work work;
    call c = {.self = self, .in = in, .work = &work, .room = out->capacity};
    uint32_t p = 0, n_out = 0, events = 4096;
    c.all = self->config->contacts == CONTACTS_ALL;
    int32_t status = get_memory(&c, &work, events);
    while (status == SCREE_OK && p < in->n) {
        const uint32_t n = resolve_pair(&c, p, out, n_out);
        if (n == UINT32_MAX) { // more events than there was room for
            if (events > UINT32_MAX / 2)
                return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for a pair");
            status = get_memory(&c, &work, events *= 2);
            continue;
        }
        if (n > out->capacity - n_out) {
            n_out = p ? n_out : n;
            break;
        }
        n_out += n;
        p++;
    }
    out->n = n_out;
    *done = p;
    if (p > 0 && !(in->bodies->types[in->type_a]->flags & SCREE_CAP_ROUND))
        solid_served_note(&self->served, in, out);
    return status;
}

/* ---- the next touch when a body slides ---- */

static int facet_point(const dfr_body *b, uint64_t key, double x[3])
{
    const uint32_t f = dfr_facet_of_key(b, key & 0x3ffffffffull);
    if (f == SCREE_NONE)
        return 0;
    for (int k = 0; k < 3; k++)
        x[k] = (b->vertex[b->facet[f][0]][k] + b->vertex[b->facet[f][1]][k] +
                b->vertex[b->facet[f][2]][k]) /
               3.0;
    return 1;
}

/* Finds the place of a feature on body a (side 0) or b; 0: it has no place. */
static int point_of(const dfr_body *b, int side, int other_is_solid, uint64_t feature, double x[3])
{
    const uint64_t kind = feature >> 62, high = feature >> 34 & 0xfffffff;
    uint32_t v = (uint32_t)high;
    if (kind == DFR_EDGES) {
        const uint32_t e =
            other_is_solid ? (uint32_t)(side ? feature & 0x7fffffff : feature >> 31 & 0x7fffffff)
                           : (uint32_t)high;
        if (e >= b->n_edges)
            return 0;
        v = b->edge[e].vertex[0];
    } else if (kind == DFR_SIDES) {
        return 0;
    } else if ((kind == DFR_VERTEX_OF_A) != (side == 0)) {
        return facet_point(b, feature, x);
    }
    if (v >= b->n_vertices)
        return 0;
    copy(b->vertex[v], x);
    return 1;
}

/* Parts move over surfaces and from corner to corner. So features adjoin unless they are far apart
 * on both bodies. */
static int32_t adjoins(void *instance, uint32_t shape_a, uint32_t shape_b, uint64_t feature,
                       uint64_t other)
{
    const resolver *self = instance;
    const uint32_t shape[2] = {shape_a, shape_b};
    const dfr_body *body[2];
    for (int s = 0; s < 2; s++)
        body[s] = shape[s] < self->n_solids && self->solids[shape[s]].body.n_facets > 0
                      ? &self->solids[shape[s]].body
                      : NULL;
    for (int s = 0; s < 2; s++) {
        double x[3], y[3];
        if (!body[s])
            continue;
        if (!point_of(body[s], s, body[!s] != NULL, feature, x) ||
            !point_of(body[s], s, body[!s] != NULL, other, y) ||
            distance2(x, y) <= body[s]->radius * body[s]->radius)
            return 1;
    }
    return 0;
}

/* ---- what it has made of a shape ---- */

static const solid *shown(const resolver *self, uint32_t shape)
{
    return shape < self->n_solids && self->solids[shape].body.n_facets ? &self->solids[shape]
                                                                       : NULL;
}

static int32_t show_grid(void *instance, uint32_t shape, scree_solid_grid *out)
{
    const solid *s = shown(instance, shape);
    if (s)
        dfr_show_grid(&s->body, &s->frame, out);
    return s != NULL;
}

static void show_classes(void *instance, uint32_t shape, uint8_t *out)
{
    const solid *s = shown(instance, shape);
    if (s)
        dfr_show_classes(&s->body, out);
}

static uint32_t show_numbers(void *instance, uint32_t shape, uint32_t room, scree_solid_number *out)
{
    const solid *s = shown(instance, shape);
    return s ? dfr_show_numbers(&s->body, room, out) : 0;
}

static int32_t show_zone(void *instance, const scree_candidates *pair, int32_t lo[2][3],
                         int32_t hi[2][3])
{
    const uint32_t *shape = pair->bodies->shape;
    const solid *s[2] = {shown(instance, shape[pair->a[0]]), shown(instance, shape[pair->b[0]])};
    const call c = {.self = instance, .in = pair};
    dfr_pose pose;
    dfr_zone zone[2];
    if (!s[0] || !s[1])
        return 0;
    pose_pair(&c, 0, &pose);
    return dfr_zones(&s[0]->body, &s[1]->body, &pose, zone) &&
           dfr_zone_index(&s[0]->body, &zone[0], lo[0], hi[0]) &&
           dfr_zone_index(&s[1]->body, &zone[1], lo[1], hi[1]);
}

static const scree_solid solid_extension = {
    .size = sizeof solid_extension,
    .grid = show_grid,
    .classes = show_classes,
    .numbers = show_numbers,
    .zone = show_zone,
};

static const void *get_extension(const char *name)
{
    return strcmp(name, SCREE_DRAFT_SOLID) == 0 ? &solid_extension : NULL;
}

/* ---- the plugin ---- */

static void destroy(void *instance)
{
    resolver *self = instance;
    if (!self)
        return;
    for (uint64_t i = 0; i < self->n_solids; i++) {
        dfr_body_clear(&self->solids[i].body);
        dfr_wall_clear(&self->solids[i].wall);
    }
    free(self->solids);
    solid_served_end(
        &self->served, "dfr3d", SOLID_SERVED,
        "deeper ones can make or take energy; stiffer contacts; more cells do not help");
    free(self);
}

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    resolver *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->host = host;
    self->config = given;
    if (solid_served_start(&self->served, host) != SCREE_OK) {
        free(self);
        return SCREE_E_MEMORY;
    }
    *instance = self;
    return SCREE_OK;
}

static uint64_t bytes(void *instance)
{
    const resolver *self = instance;
    uint64_t sum =
        sizeof *self + self->capacity * sizeof *self->solids + solid_served_bytes(&self->served);
    for (uint64_t i = 0; i < self->n_solids; i++) {
        sum += dfr_body_bytes(&self->solids[i].body);
        const dfr_wall *wall = &self->solids[i].wall;
        const uint64_t n = wall->mesh ? wall->mesh->n_facets : 0;
        sum += 24ull * n + (wall->own ? sizeof *wall->own + 36ull * n : 0);
    }
    return sum;
}

SCREE_INT_PARAM(config, cells, 0, 24, 4, DFR_MOST_ASKED,
                "cells along the longest side of a solid, where `cell` is not given");
SCREE_REAL_PARAM(config, cell, "m", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 0, 1e50,
                 "largest side of a cell, at scale 1");
SCREE_CHOICE_VALUE(one, CONTACTS_ONE, "of the part that is deepest");
SCREE_CHOICE_VALUE(all, CONTACTS_ALL, "of each pair of parts of the surfaces that cross");
SCREE_CHOICE_PARAM(config, contacts, 0, "all", "contacts of a pair of bodies", &choice_one,
                   &choice_all);

static const scree_param *const params[] = {&param_cells, &param_cell, &param_contacts};

static const scree_resolver_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = destroy,
    .supports = supports,
    .prepare = prepare,
    .resolve = resolve,
    .bytes = bytes,
    .adjoins = adjoins,
};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_RESOLVER,
    .dimensions = SCREE_DIMENSION_3,
    .id = "dfr3d",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "solids, convex or not, by cells that know their facets: the discrete function "
            "representation",
    .summary = "Solids in space with a closed mesh or an implicit function, against each other, "
               "balls, points, walls "
               "and planes. Each is cut into cells once, by marching cubes; a pair looks only at "
               "the cells where "
               "its boxes overlap. Gives the least translation that parts the surfaces, one "
               "contact for each "
               "part, more under flat faces. The log says how far the facets are from the shape. "
               "Keep overlaps "
               "below 0.001 of a body's size: deeper ones make or take energy, up to 5 % of the "
               "work at 0.01.",
    .citation = "R. O'Connor, A Distributed Discrete Element Modeling Environment - Algorithms, "
                "Implementation and Applications, PhD thesis, Massachusetts Institute of "
                "Technology, 1996",
    .provides = SCREE_GIVES_DISTANCE,
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
    .get_extension = get_extension,
};

SCREE_DEFINE_MANIFEST(&plugin);
