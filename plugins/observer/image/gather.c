// SPDX-License-Identifier: Apache-2.0
// Part of observer/image: bodies, walls and planes of a state as balls, faces and lines in camera
// axes.
/*
 * A wall is seen from its front where its normal points to the eye. `walls = "cutaway"` paints
 * fronts, and of backs only a faint colour and the outline, so that one can look into a bin whose
 * normals point inward. The outline has the lines of a technical drawing: open edges, edges bent by
 * more than 30 degrees, and those where a front meets a back.
 */
#include "image.h"

#include "light.h"

#define FLAT_COS 0.866 /* cos 30 degrees */
#define FAINT 0.09f    /* alpha of a back in `cutaway` */
#define CLEAR 0.30f    /* alpha in `translucent` */

void *grow(image *self, void *array_ptr, uint64_t *capacity, uint64_t n, size_t size)
{
    void *array;
    if (!scree_grow(array_ptr, capacity, n + 1, size)) {
        self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for what is to be drawn");
        return NULL;
    }
    memcpy(&array, array_ptr, sizeof array);
    return (char *)array + n * size;
}

uint32_t cut(double p[FACE_CORNERS][3], uint32_t n, const double normal[3], double at)
{
    double from[FACE_CORNERS][3];
    uint32_t m = 0;
    memcpy(from, p, sizeof from);
    for (uint32_t c = 0; c < n && m < FACE_CORNERS; c++) {
        const double *a = from[c], *b = from[(c + 1) % n];
        double da = dot(normal, a) - at, db = dot(normal, b) - at;
        if (da <= 0.0)
            memcpy(p[m++], a, sizeof from[0]);
        if ((da <= 0.0) != (db <= 0.0) && m < FACE_CORNERS) {
            for (int k = 0; k < 3; k++)
                p[m][k] = a[k] + da / (da - db) * (b[k] - a[k]);
            m++;
        }
    }
    return m;
}

/* The same for a line; 0: nothing is left. */
static int cut_line(double p[2][3], const double normal[3], double at)
{
    double d[2] = {dot(normal, p[0]) - at, dot(normal, p[1]) - at};
    if (d[0] > 0.0 && d[1] > 0.0)
        return 0;
    if (d[0] <= 0.0 && d[1] <= 0.0)
        return 1;
    int out = d[1] > 0.0;
    for (int k = 0; k < 3; k++)
        p[out][k] = p[0][k] + d[0] / (d[0] - d[1]) * (p[1][k] - p[0][k]);
    return 1;
}

static const double ahead[3] = {0.0, 0.0, -1.0}; // behind the near plane: ahead · x <= -near

int32_t add_line(image *self, const double from[3], const double to[3], rgb colour, float alpha,
                 double thick)
{
    drawing *d = &self->drawing;
    double p[2][3];
    memcpy(p[0], from, sizeof p[0]);
    memcpy(p[1], to, sizeof p[1]);
    if (!self->camera.flat && !cut_line(p, ahead, -self->camera.near))
        return SCREE_OK;
    if (d->has_section && !cut_line(p, d->section, d->section_at))
        return SCREE_OK;
    stroke *s = grow(self, &d->strokes, &d->stroke_capacity, d->n_strokes, sizeof *s);
    if (!s)
        return SCREE_E_MEMORY;
    double width = (double)self->config->height / 640.0;
    *s = (stroke){.width = thick * (width > 1.0 ? width : 1.0), .colour = colour, .alpha = alpha};
    for (int k = 0; k < 2; k++) {
        project(&self->camera, p[k], s->px[k]);
        s->depth[k] = p[k][2];
    }
    d->n_strokes++;
    return SCREE_OK;
}

/* How a wall is painted: alpha of its face, alpha of its edges. */
static void paint_of(const image *self, int wall, int front, float *alpha, float *edge)
{
    int32_t walls = wall ? self->config->walls : WALLS_SOLID;
    *alpha = walls == WALLS_SOLID || (walls == WALLS_CUTAWAY && front) ? 1.0f
             : walls == WALLS_CUTAWAY                                  ? FAINT
             : walls == WALLS_TRANSLUCENT                              ? CLEAR
                                                                       : 0.0f;
    *edge = front || walls == WALLS_OUTLINE ? 0.75f : 0.45f;
}

int32_t add_face(image *self, const double (*corner)[3], uint32_t n, const double normal[3],
                 rgb colour, float alpha)
{
    drawing *d = &self->drawing;
    double p[FACE_CORNERS][3], centre[3] = {0.0, 0.0, 0.0};
    if (alpha <= 0.0f)
        return SCREE_OK;
    memcpy(p, corner, n * sizeof p[0]);
    if (!self->camera.flat)
        n = cut(p, n, ahead, -self->camera.near);
    if (d->has_section)
        n = cut(p, n, d->section, d->section_at);
    if (n < 3)
        return SCREE_OK;
    face *f = grow(self, &d->faces, &d->face_capacity, d->n_faces, sizeof *f);
    if (!f)
        return SCREE_E_MEMORY;
    *f = (face){.n = n, .alpha = alpha, .number = (uint32_t)d->n_faces};
    for (uint32_t c = 0; c < n; c++) {
        project(&self->camera, p[c], f->px[c]);
        for (int k = 0; k < 3; k++)
            centre[k] += p[c][k] / n;
    }
    memcpy(f->normal, normal, sizeof f->normal);
    f->offset = dot(normal, corner[0]);
    f->order = self->camera.flat ? centre[2] : sqrt(dot(centre, centre));
    // The normal points towards the eye, because a wall has two sides.
    float sign = (self->camera.flat ? normal[2] : f->offset) > 0.0 ? -1.0f : 1.0f, toward[3];
    for (int k = 0; k < 3; k++)
        toward[k] = sign * (float)normal[k];
    f->colour = light_wall(colour, toward);
    d->n_faces++;
    return SCREE_OK;
}

static int is_front(const image *self, const double corner[3], const double normal[3])
{
    return (self->camera.flat ? normal[2] : dot(corner, normal)) < 0.0;
}

/* A vertex of a shape in camera axes. */
static void place(const image *self, const scree_bodies *b, uint32_t i, uint32_t vertex,
                  double out[3])
{
    double world[3];
    place_vertex(b, i, b->shapes[b->shape[i]]->mesh->vertex, vertex, world);
    to_camera(&self->camera, world, out);
}

typedef struct facet {
    double corner[4][3], normal[3];
    uint32_t n;
    int front;
} facet;

static void read_facet(const image *self, const scree_bodies *b, uint32_t i, uint32_t number,
                       facet *f)
{
    const uint32_t *vertex = &b->shapes[b->shape[i]]->mesh->facet[4 * (uint64_t)number];
    double u[3], v[3];
    for (f->n = 0; f->n < 4 && vertex[f->n] != SCREE_NONE; f->n++)
        place(self, b, i, vertex[f->n], f->corner[f->n]);
    if (f->n < 3)
        return;
    for (int k = 0; k < 3; k++) {
        u[k] = f->corner[1][k] - f->corner[0][k];
        v[k] = f->corner[2][k] - f->corner[0][k];
    }
    // The camera's axes (x right, y down, z away) are right-handed, like the world's axes.
    cross(u, v, f->normal);
    normalise(f->normal);
    f->front = is_front(self, f->corner[0], f->normal);
}

static int32_t add_edges(image *self, const scree_bodies *b, uint32_t i, uint32_t number,
                         const facet *f, int wall)
{
    const scree_shape *shape = b->shapes[b->shape[i]];
    for (uint32_t e = 0; e < f->n; e++) {
        uint32_t other = shape->mesh->neighbour[4 * (uint64_t)number + e];
        int front = f->front;
        float alpha, edge;
        if (other != SCREE_NONE) {
            facet next;
            if (other < number)
                continue; // the other facet has drawn it
            read_facet(self, b, i, other, &next);
            if (next.front == front && dot(next.normal, f->normal) > FLAT_COS)
                continue;
            front |= next.front;
        }
        paint_of(self, wall, front, &alpha, &edge);
        int32_t status =
            add_line(self, f->corner[e], f->corner[(e + 1) % f->n], self->ink, edge, 1.0);
        if (status != SCREE_OK)
            return status;
    }
    return SCREE_OK;
}

static int32_t add_facets(image *self, const scree_view *view, uint32_t i, const double *load)
{
    const scree_bodies *b = view->bodies;
    const scree_shape *shape = b->shapes[b->shape[i]];
    int wall = b->motion[i] != SCREE_MOTION_FREE;
    rgb colour = body_colour(self, b, i);
    if (wall && self->config->walls == WALLS_HIDDEN)
        return SCREE_OK;
    for (uint32_t number = 0; number < shape->mesh->n_facets; number++) {
        facet f;
        int32_t status;
        float alpha, edge;
        if (load)
            colour = wall_colour(self, load[number]);
        read_facet(self, b, i, number, &f);
        if (f.n == 2) { // 2D
            status = add_line(self, f.corner[0], f.corner[1], load ? colour : self->ink, 1.0f,
                              load ? 4.0 : 1.0);
        } else {
            paint_of(self, wall, f.front, &alpha, &edge);
            status = add_face(self, (const double(*)[3])f.corner, f.n, f.normal, colour, alpha);
            if (status == SCREE_OK)
                status = add_edges(self, b, i, number, &f, wall);
        }
        if (status != SCREE_OK)
            return status;
    }
    return SCREE_OK;
}

/* In 2D adds the solid half of the plane, behind the bodies. */
static int32_t add_half(image *self, const double at[3], const double normal[3])
{
    const image_config *g = self->config;
    double far = 2.0 * (double)(g->width + g->height) / self->camera.focal;
    double along[3] = {-normal[1], normal[0], 0.0}, foot = dot(at, normal);
    const double out[3] = {0.0, 0.0, -1.0};
    double p[4][3];
    for (int c = 0; c < 4; c++)
        for (int k = 0; k < 2; k++)
            p[c][k] = foot * normal[k] + (c == 1 || c == 2 ? far : -far) * along[k] -
                      (c >= 2 ? far : 0.0) * normal[k];
    for (int c = 0; c < 4; c++)
        p[c][2] = at[2] + self->drawing.bias;
    int32_t status = add_face(self, (const double(*)[3])p, 4, out, self->wall, 1.0f);
    return status == SCREE_OK ? add_line(self, p[0], p[1], self->ink, 1.0f, 1.0) : status;
}

static int32_t add_plane(image *self, const scree_view *view, uint32_t i)
{
    const scree_bodies *b = view->bodies;
    double x[3] = {b->x[0][i], b->x[1][i], b->x[2][i]}, world[3], normal[3], at[3];
    double corner[FACE_CORNERS][3], p[FACE_CORNERS][3];
    float alpha, edge;
    if (self->config->walls == WALLS_HIDDEN)
        return SCREE_OK;
    scree_to_world(b, i, b->shapes[b->shape[i]]->normal, world);
    for (int k = 0; k < 3; k++)
        normal[k] = dot(self->camera.axis[k], world);
    to_camera(&self->camera, x, at);
    if (b->dimension == 2)
        return add_half(self, at, normal);
    uint32_t n = clip_plane(x, world, (const double(*)[3])self->box, corner);
    for (uint32_t c = 0; c < n; c++)
        to_camera(&self->camera, corner[c], p[c]);
    int front = is_front(self, at, normal);
    paint_of(self, 1, front, &alpha, &edge);
    int32_t status =
        n < 3 ? SCREE_OK : add_face(self, (const double(*)[3])p, n, normal, self->wall, alpha);
    for (uint32_t c = 0; c < n && status == SCREE_OK; c++)
        status = add_line(self, p[c], p[(c + 1) % n], self->ink, edge, 1.0);
    return status;
}

/* Finds the bounds of a ball's silhouette; 0: it is outside or behind the picture. */
static int find_extent(const image *self, image_ball *ball)
{
    const camera *c = &self->camera;
    double z = ball->x[2], r = ball->r, size[2];
    size[0] = (double)self->config->width;
    size[1] = (double)self->config->height;
    if (!c->flat && z <= r + c->near)
        return 0;
    for (int k = 0; k < 2; k++) {
        double x = ball->x[k];
        if (c->flat) {
            ball->lo[k] = c->centre[k] + c->focal * (x - r);
            ball->hi[k] = c->centre[k] + c->focal * (x + r);
        } else { // tangents from the eye
            double root = r * sqrt(x * x + z * z - r * r), under = z * z - r * r;
            ball->lo[k] = c->centre[k] + c->focal * (x * z - root) / under;
            ball->hi[k] = c->centre[k] + c->focal * (x * z + root) / under;
        }
        if (!(ball->hi[k] >= 0.0 && ball->lo[k] <= size[k])) // not a number: the ball is nowhere
            return 0;
    }
    return 1;
}

int32_t add_ball(image *self, const scree_bodies *b, uint32_t i, const image_ball *given,
                 const double x[3])
{
    drawing *d = &self->drawing;
    double mark[3];
    const double axis[3] = {1.0, 0.0, 0.0};
    image_ball one = *given;
    to_camera(&self->camera, x, one.x);
    one.body = i;
    one.front = one.x[2] - one.r;
    if (d->has_section) {
        double away = dot(d->section, one.x) - d->section_at;
        if (away >= one.r)
            return SCREE_OK;
        one.cut = away > -one.r;
    }
    if (!find_extent(self, &one))
        return SCREE_OK;
    if (one.kind == BALL_DISC && b->q[3][i] != 0.0) { // otherwise no integrator turns it
        scree_to_world(b, i, axis, mark);
        one.mark[0] = dot(self->camera.axis[0], mark);
        one.mark[1] = dot(self->camera.axis[1], mark);
    }
    if (one.kind != BALL_SPHERE)
        one.front = one.x[2];
    one.colour = body_colour(self, b, i);
    image_ball *to = grow(self, &d->balls, &d->ball_capacity, d->n_balls, sizeof *to);
    if (!to)
        return SCREE_E_MEMORY;
    *to = one;
    d->n_balls++;
    return SCREE_OK;
}

static int32_t add_round(image *self, const scree_bodies *b, uint32_t i)
{
    const double x[3] = {b->x[0][i], b->x[1][i], b->x[2][i]};
    const image_ball one = {.r = b->radius[i],
                            .kind = b->shapes[b->shape[i]]->flat ? BALL_DISC : BALL_SPHERE,
                            .solid = NO_SOLID};
    return add_ball(self, b, i, &one, x);
}

/* Adds the outline of the brick, if space repeats. */
static int32_t add_region(image *self, const scree_bodies *b)
{
    int32_t status = SCREE_OK;
    int corners = b->dimension == 2 ? 4 : 8;
    if (!b->cell->repeats)
        return SCREE_OK;
    for (int c = 0; c < corners; c++)
        for (int k = 0; k < (int)b->dimension && status == SCREE_OK; k++) {
            double line[2][3], x[3];
            if (c >> k & 1)
                continue;
            for (int end = 0; end < 2; end++) {
                int at = end ? c | 1 << k : c;
                for (int j = 0; j < 3; j++)
                    x[j] = at >> j & 1 ? b->cell->hi[j] : b->cell->lo[j];
                to_camera(&self->camera, x, line[end]);
            }
            status = add_line(self, line[0], line[1], self->ink, 0.6f, 1.0);
        }
    return status;
}

/* Puts the section plane into camera axes. */
static void place_section(image *self)
{
    const image_config *g = self->config;
    drawing *d = &self->drawing;
    double point[3];
    d->has_section = g->section_normal.n > 0;
    if (!d->has_section)
        return;
    for (int k = 0; k < 3; k++)
        d->section[k] = dot(self->camera.axis[k], g->section_normal.v);
    normalise(d->section);
    to_camera(&self->camera, g->section_point.v, point);
    d->section_at = dot(d->section, point);
}

/* Finds depth and width of hollows between bodies: the size of the bodies. */
static void find_softness(drawing *d)
{
    double r = 0.0, px = 0.0;
    for (uint64_t k = 0; k < d->n_balls; k++) {
        const image_ball *ball = &d->balls[k];
        const solid *s = ball->solid != NO_SOLID ? &d->solids[ball->solid] : NULL;
        double size = s ? s->scale * s->surface->size : ball->r;
        r += size;
        px += 0.5 * (ball->hi[1] - ball->lo[1]) * (size / ball->r);
    }
    d->softness = d->n_balls ? r / (double)d->n_balls : 0.0;
    d->reach = d->n_balls ? px / (double)d->n_balls : 0.0;
}

/* Opaque faces first, the others from far to near. */
static int compare_faces(const void *pa, const void *pb)
{
    const face *a = pa, *b = pb;
    int clear_a = a->alpha < 1.0f, clear_b = b->alpha < 1.0f;
    if (clear_a != clear_b)
        return clear_a - clear_b;
    if (clear_a && a->order != b->order)
        return a->order > b->order ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

int32_t gather(image *self, const scree_view *view)
{
    const scree_bodies *b = view->bodies;
    drawing *d = &self->drawing;
    double size[3];
    int32_t status = SCREE_OK;
    uint64_t n_facets = 0;
    for (int k = 0; k < 3; k++)
        size[k] = self->box[1][k] - self->box[0][k];
    d->bias = 2e-3 * sqrt(dot(size, size));
    d->n_balls = d->n_faces = d->n_strokes = d->n_opaque = d->n_solids = 0;
    d->background = self->background;
    d->background_alpha = self->background_alpha;
    place_section(self);
    if (status == SCREE_OK)
        status = make_surfaces(self, view);
    if (status == SCREE_OK)
        status = find_cells(self, b);
    for (uint32_t i = 0; i < b->n && status == SCREE_OK; i++) {
        const scree_shape *shape = b->shapes[b->shape[i]];
        const uint32_t flags = shape->flags;
        const double *load = d->n_wall_values ? d->wall_value + n_facets : NULL;
        if (flags & SCREE_CAP_WALL && i >= b->n_free)
            n_facets += shape->mesh->n_facets;
        else
            load = NULL;
        if (is_hidden(self, b->group[i]))
            continue;
        if (flags & SCREE_CAP_ROUND)
            status = add_round(self, b, i);
        else if (flags & SCREE_CAP_WALL)
            status = add_facets(self, view, i, load);
        else if (flags & SCREE_CAP_INFINITE)
            status = add_plane(self, view, i);
        else if (!self->cells || !solid_cells_has(self->cells, b->shape[i]))
            status = add_solid(self, b, i);
    }
    if (status == SCREE_OK)
        status = add_cells(self, b);
    if (status == SCREE_OK)
        status = add_region(self, b);
    if (status == SCREE_OK)
        status = add_marks(self);
    if (d->n_faces)
        qsort(d->faces, (size_t)d->n_faces, sizeof *d->faces, compare_faces);
    while (d->n_opaque < d->n_faces && d->faces[d->n_opaque].alpha >= 1.0f)
        d->n_opaque++;
    find_softness(d);
    return status;
}
