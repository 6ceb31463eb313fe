// SPDX-License-Identifier: Apache-2.0
// Part of observer/image: where the camera is, and how it projects points onto the picture.
/*
 * Settings that are not given are chosen: the camera looks at the scene from the front, a little
 * from the right and from above, against gravity being up; in 2D straight down on x and y. It is as
 * near as the whole scene allows. When bodies are inserted or move out of the box around the
 * scene, the box grows, and the camera backs off. Inserted bodies are always shown; others, as far
 * as a diagonal of the first picture's box beyond it, walls as far as half of it. With half-widths t of the view at
 * distance 1, a ball (x, z, r) is visible when x - e_x + r sqrt(1 + t^2) <= t (z - e_z), with e the
 * eye: the largest of x - t z + r sqrt(1 + t^2) over all, on either side, gives e_z and e_x at
 * once.
 */
#include "image.h"

#define LEFT 0
#define RIGHT 1
#define ABOVE 2
#define BELOW 3

double view_angle(const image_config *config)
{
    return isnan(config->field_of_view) ? 0.5235987755982988 : config->field_of_view;
}

void to_camera(const camera *c, const double x[3], double out[3])
{
    double d[3] = {x[0] - c->eye[0], x[1] - c->eye[1], x[2] - c->eye[2]};
    for (int k = 0; k < 3; k++)
        out[k] = dot(c->axis[k], d);
}

void project(const camera *c, const double x[3], double px[2])
{
    double scale = c->flat ? c->focal : c->focal / x[2];
    px[0] = c->centre[0] + scale * x[0];
    px[1] = c->centre[1] + scale * x[1];
}

/* Cuts the polygon of a plane around `point` by the six sides of the box. */
uint32_t clip_plane(const double point[3], const double normal[3], const double box[2][3],
                    double corner[FACE_CORNERS][3])
{
    double size[3] = {box[1][0] - box[0][0], box[1][1] - box[0][1], box[1][2] - box[0][2]};
    double diagonal = sqrt(dot(size, size)), u[3] = {0}, v[3], foot[3], away = 0.0;
    uint32_t n = 4;
    int least = 0;
    for (int k = 0; k < 3; k++) {
        least = fabs(normal[k]) < fabs(normal[least]) ? k : least;
        away += normal[k] * (0.5 * (box[0][k] + box[1][k]) - point[k]);
    }
    u[least] = 1.0;
    cross(normal, u, v);
    normalise(v);
    cross(v, normal, u);
    for (int k = 0; k < 3; k++)
        foot[k] = 0.5 * (box[0][k] + box[1][k]) - away * normal[k];
    for (int c = 0; c < 4; c++)
        for (int k = 0; k < 3; k++)
            corner[c][k] = foot[k] + diagonal * ((c == 1 || c == 2 ? 1.0 : -1.0) * u[k] +
                                                 (c >= 2 ? 1.0 : -1.0) * v[k]);
    for (int side = 0; side < 6 && n; side++) {
        double out[3] = {0.0, 0.0, 0.0};
        out[side % 3] = side < 3 ? -1.0 : 1.0;
        n = cut(corner, n, out, out[side % 3] * box[side / 3][side % 3]);
    }
    return n;
}

static void widen(double box[2][3], const double x[3], double r)
{
    for (int k = 0; k < 3; k++) {
        box[0][k] = fmin(box[0][k], x[k] - r);
        box[1][k] = fmax(box[1][k], x[k] + r);
    }
}

static const scree_shape *shape_of(const scree_bodies *b, uint32_t i)
{
    return b->shapes[b->shape[i]];
}

static int is_drawn(const image *self, const scree_view *view, uint32_t i)
{
    uint32_t flags = shape_of(view->bodies, i)->flags;
    int wall = flags & SCREE_CAP_INFINITE ||
               (flags & SCREE_CAP_WALL && view->bodies->motion[i] != SCREE_MOTION_FREE);
    return !is_hidden(self, view->bodies->group[i]) &&
           !(wall && self->config->walls == WALLS_HIDDEN);
}

typedef void (*visitor)(void *user, const double x[3], double r);

/* Is a point of body i so near to the first box that the camera shows it? */
static int is_near(const image *self, const scree_bodies *b, uint32_t i, const double x[3])
{
    const double(*box)[3] = self->camera.first;
    double size[3], reach, sum = 0.0;
    if (!self->camera.moves || b->id[i] > self->camera.newest)
        return 1;
    for (int k = 0; k < 3; k++)
        size[k] = box[1][k] - box[0][k];
    reach = (b->motion[i] == SCREE_MOTION_FREE ? 1.0 : 0.5) * sqrt(dot(size, size));
    for (int k = 0; k < 3; k++)
        sum += x[k] < box[0][k] - reach || x[k] > box[1][k] + reach;
    return !(sum > 0.0);
}

/* Shows a point of body i to the visitor. */
static void show(const image *self, const scree_bodies *b, uint32_t i, const double x[3], double r,
                 visitor see, void *user)
{
    if (is_near(self, b, i, x))
        see(user, x, r);
}

static void visit_solid(const image *self, const scree_bodies *b, uint32_t i, visitor see,
                        void *user)
{
    const image_surface *s = &self->surfaces[b->shape[i]];
    const uint32_t n = s->balls     ? s->balls->n
                       : s->mesh    ? s->mesh->n_vertices
                       : s->outline ? s->outline->n
                                    : 0;
    double x[3] = {b->x[0][i], b->x[1][i], b->x[2][i]};
    if (!n)
        show(self, b, i, x, b->radius[i], see, user);
    for (uint32_t k = 0; k < n; k++) {
        const double *const outline[3] = {s->outline ? s->outline->vertex[0] : NULL,
                                          s->outline ? s->outline->vertex[1] : NULL, NULL};
        place_vertex(b, i, s->balls ? s->balls->centre : s->mesh ? s->mesh->vertex : outline, k, x);
        show(self, b, i, x, b->scale[i] * (s->balls ? s->balls->radius[k] : s->tolerance), see,
             user);
    }
}

/* Visits the balls, corners of facets and surfaces that are shown. */
static void visit(const image *self, const scree_view *view, visitor see, void *user)
{
    const scree_bodies *b = view->bodies;
    for (uint32_t i = 0; i < b->n; i++) {
        const scree_shape *shape = shape_of(b, i);
        double x[3] = {b->x[0][i], b->x[1][i], b->x[2][i]};
        if (!is_drawn(self, view, i))
            continue;
        if (shape->flags & SCREE_CAP_ROUND)
            show(self, b, i, x, b->radius[i], see, user);
        if (shape->flags & SCREE_CAP_WALL)
            for (uint32_t v = 0; v < shape->mesh->n_vertices; v++) {
                place_vertex(b, i, shape->mesh->vertex, v, x);
                show(self, b, i, x, 0.0, see, user);
            }
        if (is_solid(shape))
            visit_solid(self, b, i, see, user);
    }
}

static void see_box(void *user, const double x[3], double r)
{
    widen(user, x, r);
}

/* Finds the box of the things shown; planes and periodic axes use the region. 0: nothing has a
 * place. */
static int find_box(const image *self, const scree_view *view, double box[2][3])
{
    const scree_bodies *b = view->bodies;
    int has_region = 1;
    for (int k = 0; k < 3; k++) {
        box[0][k] = HUGE_VAL;
        box[1][k] = -HUGE_VAL;
        if (k < (int)b->dimension)
            has_region &= isfinite(b->cell->lo[k]) && b->cell->hi[k] > b->cell->lo[k];
    }
    visit(self, view, see_box, box);
    const int empty = box[0][0] > box[1][0];
    if (empty)
        for (int k = 0; k < 3; k++) { // without bodies: only planes
            box[0][k] = has_region ? b->cell->lo[k] : -0.5;
            box[1][k] = has_region ? b->cell->hi[k] : 0.5;
        }
    int periodic = b->cell->repeats != 0, planes = 0;
    for (uint32_t i = 0; i < b->n; i++)
        planes |= shape_of(b, i)->flags & SCREE_CAP_INFINITE && is_drawn(self, view, i);
    if (has_region && (periodic || planes)) {
        widen(box, b->cell->lo, 0.0);
        widen(box, b->cell->hi, 0.0);
        planes = 0; // planes end at the region
    }
    double size[3], centre[3];
    for (int k = 0; k < 3; k++) {
        size[k] = box[1][k] - box[0][k];
        centre[k] = 0.5 * (box[0][k] + box[1][k]);
    }
    double diagonal = sqrt(dot(size, size));
    if (planes)
        for (uint32_t i = 0; i < b->n; i++) { // the box grows up to planes that are not far
            double away = 0.0, n[3], foot[3];
            if (!(shape_of(b, i)->flags & SCREE_CAP_INFINITE) || !is_drawn(self, view, i))
                continue;
            scree_to_world(b, i, shape_of(b, i)->normal, n);
            for (int k = 0; k < 3; k++)
                away += n[k] * (centre[k] - b->x[k][i]);
            for (int k = 0; k < 3; k++)
                foot[k] = centre[k] - away * n[k];
            int oblique = fabs(n[0]) < 0.999 && fabs(n[1]) < 0.999 && fabs(n[2]) < 0.999;
            if (fabs(away) <= 2.0 * diagonal)
                widen(box, foot, oblique ? 0.2 * diagonal : 0.0);
        }
    for (int k = 0; k < 3; k++) { // a plane in a side of the box is inside
        box[0][k] -= 1e-6 * diagonal;
        box[1][k] += 1e-6 * diagonal;
    }
    return !empty || has_region;
}

static void see_fit(void *user, const double x[3], double r)
{
    fit *f = user;
    double at[3];
    for (int k = 0; k < 3; k++)
        at[k] = dot(f->axis[k], x);
    for (int side = 0; side < 4; side++) {
        double t = f->flat ? 0.0 : f->t[side], along = at[side / 2];
        double reach = (side % 2 ? along : -along) - t * at[2] + r * sqrt(1.0 + t * t);
        f->most[side] = fmax(f->most[side], reach);
    }
    f->nearest = fmin(f->nearest, at[2] - r);
}

static void fit_scene(const image *self, const scree_view *view, fit *f)
{
    const scree_bodies *b = view->bodies;
    visit(self, view, see_fit, f);
    int periodic = b->cell->repeats != 0;
    for (int c = 0; c < 8; c++) {
        if (!periodic && f->nearest < HUGE_VAL)
            break; // only bodies in the box are seen, without images
        see_fit(f, (double[3]){self->box[c & 1][0], self->box[c >> 1 & 1][1], self->box[c >> 2][2]},
                0.0);
    }
    for (uint32_t i = 0; i < b->n; i++) {
        double corner[FACE_CORNERS][3], normal[3], x[3] = {b->x[0][i], b->x[1][i], b->x[2][i]};
        if (!(shape_of(b, i)->flags & SCREE_CAP_INFINITE) || !is_drawn(self, view, i))
            continue;
        scree_to_world(b, i, shape_of(b, i)->normal, normal);
        if (b->dimension == 2) {
            for (int c = 0; c < 4; c++)
                see_fit(f, (double[3]){self->box[c & 1][0], self->box[c >> 1][1], 0.0}, 0.0);
            continue;
        }
        uint32_t n = clip_plane(x, normal, self->box, corner);
        for (uint32_t c = 0; c < n; c++)
            see_fit(f, corner[c], 0.0);
    }
}

static int32_t fail(const image *self, const char *text)
{
    return self->host->fail(self->host->ctx, SCREE_E_CONFIG, text);
}

/* Makes axes from `direction` (towards the eye) and the upward direction. */
static int32_t make_axes(image *self, const scree_view *view, const double target[3])
{
    const image_config *g = self->config;
    camera *c = &self->camera;
    double to_eye[3], aside[3], up[3] = {0.0, 0.0, 0.0};
    int given = 1;
    if (view->bodies->dimension == 2) {
        const double flat[3][3] = {{1.0, 0.0, 0.0}, {0.0, -1.0, 0.0}, {0.0, 0.0, -1.0}};
        memcpy(c->axis, flat, sizeof flat);
        return SCREE_OK;
    }
    memcpy(up, g->up.n ? g->up.v : c->up, sizeof up);
    normalise(up);
    if (g->position.n) {
        for (int k = 0; k < 3; k++)
            to_eye[k] = g->position.v[k] - target[k];
    } else if (g->direction.n) {
        memcpy(to_eye, g->direction.v, sizeof to_eye);
    } else { // 25 degrees from the right, 18 degrees from above
        double front[3] = {0.0, fabs(up[1]) > 0.7 ? 0.0 : -1.0, fabs(up[1]) > 0.7 ? 1.0 : 0.0};
        given = 0;
        cross(up, front, aside);
        normalise(aside);
        cross(aside, up, front);
        for (int k = 0; k < 3; k++)
            to_eye[k] = 0.951 * (0.9063 * front[k] + 0.4226 * aside[k]) + 0.309 * up[k];
    }
    if (normalise(to_eye) <= 0.0)
        return fail(self, IN_ITS_TARGET);
    cross(up, to_eye, aside);
    if (normalise(aside) < 1e-6 && given) {
        if (g->up.n)
            return fail(self, UP_ALONG_SIGHT);
        double other[3] = {fabs(up[1]) > 0.7, fabs(up[1]) <= 0.7, 0.0}; // straight up or down
        cross(other, to_eye, aside);
        normalise(aside);
    }
    for (int k = 0; k < 3; k++) {
        c->axis[0][k] = aside[k];
        c->axis[2][k] = -to_eye[k];
    }
    cross(c->axis[2], c->axis[0], c->axis[1]);
    return SCREE_OK;
}

/* Puts the eye as near as possible with the whole scene in view, and words at the right and top. */
static void fit_eye(image *self, const scree_view *view, const double *target)
{
    const image_config *g = self->config;
    camera *c = &self->camera;
    double half = tan(0.5 * view_angle(g)) / (0.5 * (double)g->height); // half-width of a pixel
    double right, top, w = 0.5 * (double)g->width, h = 0.5 * (double)g->height, at[3];
    page_margins(g, &right, &top);
    double room[4] = {0.97 * w, 0.97 * w - right, 0.97 * h - top, 0.97 * h};
    if (!c->moves) {
        c->seen = (fit){.axis = (const double(*)[3])c->axis, .nearest = HUGE_VAL, .flat = c->flat};
        for (int side = 0; side < 4; side++) {
            c->seen.t[side] = half * room[side];
            c->seen.most[side] = -HUGE_VAL;
        }
    }
    fit_scene(self, view, &c->seen);
    fit f = c->seen;
    if (target) // in the middle: the side that needs most room decides
        for (int k = 0; k < 3; k++)
            at[k] = dot(c->axis[k], target);
    if (c->flat) {
        double scale = HUGE_VAL;
        for (int k = 0; k < 2; k++) {
            double *m = &f.most[2 * k], *r = &room[2 * k];
            if (target)
                scale = fmin(scale, fmin(r[0] / (m[0] + at[k]), r[1] / (m[1] - at[k])));
            else
                scale = fmin(scale, (r[0] + r[1]) / (m[0] + m[1]));
        }
        if (!(scale > 0.0 && isfinite(scale)))
            scale = 1.0;
        c->focal =
            isnan(g->view_height) ? scale * g->zoom : (double)g->height / g->view_height * g->zoom;
        if (!target)
            for (int k = 0; k < 2; k++) { // shares of the room without words, not of the picture
                double middle = 0.5 * (f.most[2 * k + 1] - f.most[2 * k]);
                at[k] = middle - 0.5 * (room[2 * k + 1] - room[2 * k]) / c->focal;
            }
        at[2] = f.nearest;
    } else {
        double z = HUGE_VAL;
        for (int k = 0; k < 2; k++) {
            double *m = &f.most[2 * k], *t = &f.t[2 * k];
            if (target)
                z = fmin(z, fmin(-(m[0] + at[k]) / t[0], -(m[1] - at[k]) / t[1]));
            else
                z = fmin(z, -(m[0] + m[1]) / (t[0] + t[1]));
        }
        if (!target)
            for (int k = 0; k < 2; k++)
                at[k] =
                    0.5 * (f.most[2 * k + 1] + f.t[2 * k + 1] * z - f.most[2 * k] - f.t[2 * k] * z);
        at[2] = z;
        c->focal = g->zoom / half;
    }
    for (int k = 0; k < 3; k++)
        c->eye[k] = at[0] * c->axis[0][k] + at[1] * c->axis[1][k] + at[2] * c->axis[2][k];
}

/* Grows the box by things that have left it by a hundredth of its diagonal; 0: none has. */
static int grow_box(image *self, const double now[2][3])
{
    double size[3], slack;
    int out = !self->camera.moves;
    if (out)
        memcpy(self->camera.first, now, sizeof self->camera.first);
    for (int k = 0; k < 3; k++)
        size[k] = self->box[1][k] - self->box[0][k];
    slack = 0.01 * sqrt(dot(size, size));
    for (int k = 0; k < 3; k++)
        out |= now[0][k] < self->box[0][k] - slack || now[1][k] > self->box[1][k] + slack;
    if (!out)
        return 0;
    for (int k = 0; k < 3; k++) {
        self->box[0][k] = self->camera.moves ? fmin(self->box[0][k], now[0][k]) : now[0][k];
        self->box[1][k] = self->camera.moves ? fmax(self->box[1][k], now[1][k]) : now[1][k];
    }
    return 1;
}

static int32_t place(image *self, const scree_view *view)
{
    const image_config *g = self->config;
    const scree_bodies *b = view->bodies;
    camera *c = &self->camera;
    double target[3] = {0.0, 0.0, 0.0}, size[3], now[2][3], at[3];
    if (c->moves && g->position.n)
        return SCREE_OK;
    for (int k = 0; k < 3; k++)
        c->up[k] = -b->gravity[k];
    if (normalise(c->up) <= 0.0)
        c->up[b->dimension - 1] = 1.0;
    int32_t status = make_rough_surfaces(self, b);
    if (status != SCREE_OK)
        return status;
    const int found = find_box(self, view, now);
    if ((c->moves && !found) || !grow_box(self, (const double(*)[3])now))
        return SCREE_OK;
    for (int k = 0; k < 3; k++) {
        target[k] = 0.5 * (self->box[0][k] + self->box[1][k]);
        size[k] = self->box[1][k] - self->box[0][k];
    }
    for (uint64_t k = 0; k < g->target.n; k++)
        target[k] = g->target.v[k];
    c->flat = b->dimension == 2 || g->projection == PROJECTION_ORTHOGRAPHIC;
    c->centre[0] = 0.5 * (double)g->width;
    c->centre[1] = 0.5 * (double)g->height;
    status = make_axes(self, view, target);
    if (status != SCREE_OK)
        return status;
    fit_eye(self, view, g->target.n || g->position.n ? target : NULL);
    if (g->position.n) {
        memcpy(c->eye, g->position.v, sizeof c->eye);
        if (!c->flat)
            c->focal = 0.5 * (double)g->height / tan(0.5 * view_angle(g)) * g->zoom;
    }
    c->near = 1e-4 * sqrt(dot(size, size));
    to_camera(c, target, at);
    c->px_per_m = c->flat ? c->focal : at[2] > c->near ? c->focal / at[2] : 0.0;
    c->moves += found; // otherwise the next picture begins again
    return SCREE_OK;
}

int32_t place_camera(image *self, const scree_view *view)
{
    const scree_bodies *b = view->bodies;
    int32_t status = place(self, view);
    for (uint32_t i = 0; i < b->n; i++)
        if (b->id[i] > self->camera.newest)
            self->camera.newest = b->id[i];
    return status;
}
