// SPDX-License-Identifier: Apache-2.0
/*
 * overlap: contact quantities from the arcs of b's border inside of a.
 *
 * Sources  ours; the resultant of arcs for polygons that cross more than twice is derived here.
 * Idea     b moves by dx: its border sweeps the overlap, so that dA = integral of n_b · dx over the arcs of
 *          b inside of a. With R, the sum of their ends minus their starts, that is (R_y, -R_x) · dx: R
 *          turned by a quarter is chord times normal, for any number of arcs. Turned by an angle t about an
 *          origin, dA/dt = -S, S the sum of (|end|² - |start|²) / 2: the normal acts through all points m
 *          with R · m = S. With only two crossings p and q that line goes through (p + q) / 2.
 *          The choice of the point on the line matters only for friction: it is the point level
 *          with the mean of the crossings, which is the middle of two crossings.
 *          Arcs whose ends add up to nearly nothing push like a couple, which no force at a point is: the
 *          point stays within the reach of both bodies, and what that leaves of dA/dt is the twist.
 * Limits   a body inside of another has no chord; its normal follows the centres, its depth is the reach.
 */
#include "overlap.h"

void overlap_pose_pair(const scree_candidates *in, uint32_t p, const overlap_frame *a,
                       const overlap_frame *b, overlap_pose *out)
{
    const uint32_t body[2] = {in->a[p], in->b[p]};
    const overlap_frame *frame[2] = {a, b};
    const scree_bodies *bodies = in->bodies;
    double turn[2][2], shift[2][2], scale[2], between[2];
    for (int k = 0; k < 2; k++) {
        const double w = bodies->q[0][body[k]], z = bodies->q[3][body[k]];
        const double c = w * w - z * z, s = 2.0 * w * z;
        const overlap_frame *f = frame[k];
        scale[k] = bodies->scale[body[k]];
        turn[k][0] = c * f->turn[0] - s * f->turn[1];
        turn[k][1] = s * f->turn[0] + c * f->turn[1];
        shift[k][0] = scale[k] * (c * f->shift[0] - s * f->shift[1]);
        shift[k][1] = scale[k] * (s * f->shift[0] + c * f->shift[1]);
    }
    for (int k = 0; k < 2; k++)
        between[k] = (in->d[k][p] + shift[1][k] - shift[0][k]) / scale[0];
    const double c = turn[0][0], s = turn[0][1], ratio = scale[1] / scale[0];
    const double cos_ab = c * turn[1][0] + s * turn[1][1], sin_ab = c * turn[1][1] - s * turn[1][0];
    out->t[0] = c * between[0] + s * between[1];
    out->t[1] = c * between[1] - s * between[0];
    out->m[0][0] = out->m[1][1] = ratio * cos_ab;
    out->m[0][1] = -ratio * sin_ab;
    out->m[1][0] = ratio * sin_ab;
    out->inverse[0][0] = out->inverse[1][1] = cos_ab / ratio;
    out->inverse[0][1] = sin_ab / ratio;
    out->inverse[1][0] = -sin_ab / ratio;
    out->turn[0] = c;
    out->turn[1] = s;
    out->scale = scale[0];
    out->shift[0] = shift[0][0];
    out->shift[1] = shift[0][1];
    out->radius = (in->radius_a[p] + in->radius_b[p]) / scale[0];
    out->thickness = bodies->thickness;
}

static void turn_to_world(const overlap_pose *pose, const double v[2], double by, double out[2])
{
    out[0] = by * (pose->turn[0] * v[0] - pose->turn[1] * v[1]);
    out[1] = by * (pose->turn[1] * v[0] + pose->turn[0] * v[1]);
}

/* a moves in place of b, and the chord along which the eccentricity counts is turned round: its slopes stay. */
static void write_off(const overlap_pose *pose, const eccentricity *off, scree_contacts *out,
                      uint32_t c)
{
    eccentricity of_a = {
        .value = -off->value, .turn = off->turn, .chord_turn = -pose->scale * off->chord_turn};
    turn_to_world(pose, off->slope, 1.0 / pose->scale, of_a.slope);
    turn_to_world(pose, off->chord_slope, -1.0, of_a.chord_slope);
    eccentricity_put(&of_a, out, c);
}

void overlap_write(const overlap_pose *pose, const overlap_piece *piece, uint32_t p,
                   scree_contacts *out, uint32_t c)
{
    const double cos_a = pose->turn[0], sin_a = pose->turn[1], *n = piece->normal;
    const double *m = piece->middle, scale = pose->scale;
    out->pair[c] = p;
    out->normal[0][c] = cos_a * n[0] - sin_a * n[1];
    out->normal[1][c] = sin_a * n[0] + cos_a * n[1];
    out->normal[2][c] = 0.0;
    out->depth[c] = scale * piece->depth;
    out->arm[0][c] = pose->shift[0] + scale * (cos_a * m[0] - sin_a * m[1]);
    out->arm[1][c] = pose->shift[1] + scale * (sin_a * m[0] + cos_a * m[1]);
    out->arm[2][c] = 0.0;
    if (out->feature)
        out->feature[c] = piece->feature;
    if (out->area)
        out->area[c] = scale * scale * piece->area;
    if (out->chord)
        out->chord[c] = scale * piece->chord;
    if (out->twist)
        out->twist[c] = scale * scale * pose->thickness * piece->turn;
    if (out->eccentricity)
        write_off(pose, &piece->off, out, c);
}

void overlap_add_arc(overlap_arcs *arcs, const double p[2], const double q[2])
{
    if (arcs->n_ends == 0.0) {
        arcs->origin[0] = p[0];
        arcs->origin[1] = p[1];
    }
    const double px = p[0] - arcs->origin[0], py = p[1] - arcs->origin[1];
    const double qx = q[0] - arcs->origin[0], qy = q[1] - arcs->origin[1];
    arcs->across[0] += qx - px;
    arcs->across[1] += qy - py;
    arcs->moment += 0.5 * ((qx - px) * (qx + px) + (qy - py) * (qy + py));
    arcs->sum[0] += px + qx;
    arcs->sum[1] += py + qy;
    arcs->n_ends += 2.0;
}

/* A body inside of the other is pushed away from the other's centre. */
static void finish_inside(const overlap_pose *pose, overlap_piece *out)
{
    const double length = sqrt(pose->t[0] * pose->t[0] + pose->t[1] * pose->t[1]);
    out->normal[0] = length > 0.0 ? pose->t[0] / length : 1.0;
    out->normal[1] = length > 0.0 ? pose->t[1] / length : 0.0;
    out->chord = 0.0;
    out->depth = pose->radius;
    for (int k = 0; k < 2; k++)
        out->middle[k] = 0.5 * pose->t[k];
}

void overlap_finish(const overlap_arcs *arcs, double area, const overlap_pose *pose,
                    overlap_piece *out)
{
    const double rx = arcs->across[0], ry = arcs->across[1], chord = sqrt(rx * rx + ry * ry);
    out->area = area;
    if (!(chord > OVERLAP_CLOSED * pose->radius)) {
        finish_inside(pose, out);
        out->turn = arcs->moment;
        return;
    }
    const double tx = rx / chord, ty = ry / chord;
    const double mean[2] = {arcs->sum[0] / arcs->n_ends, arcs->sum[1] / arcs->n_ends};
    const double action = arcs->moment / chord - (tx * mean[0] + ty * mean[1]);
    const double along = scree_max(scree_min(action, pose->radius), -pose->radius);
    out->turn = (action - along) * chord;
    out->chord = chord;
    out->depth = scree_min(area / chord, pose->radius);
    out->normal[0] = -ty;
    out->normal[1] = tx;
    out->middle[0] = arcs->origin[0] + mean[0] + along * tx;
    out->middle[1] = arcs->origin[1] + mean[1] + along * ty;
}

/* ---- gaps ---- */

/* Least squared distance of the points p from the sides of the outline q; the two points. */
static double closest(uint32_t n_p, const double *px, const double *py, uint32_t n_q,
                      const double *qx, const double *qy, double at_p[2], double at_q[2])
{
    double best = (double)INFINITY;
    for (uint32_t i = 0; i < n_p; i++)
        for (uint32_t j = 0; j < n_q; j++) {
            const uint32_t k = j + 1 < n_q ? j + 1 : 0;
            const double ex = qx[k] - qx[j], ey = qy[k] - qy[j], l2 = ex * ex + ey * ey;
            const double rx = px[i] - qx[j], ry = py[i] - qy[j];
            double t = l2 > 0.0 ? (rx * ex + ry * ey) / l2 : 0.0;
            t = scree_max(scree_min(t, 1.0), 0.0);
            const double dx = rx - t * ex, dy = ry - t * ey, d2 = dx * dx + dy * dy;
            if (!(d2 < best))
                continue;
            best = d2;
            at_p[0] = px[i];
            at_p[1] = py[i];
            at_q[0] = px[i] - dx;
            at_q[1] = py[i] - dy;
        }
    return best;
}

void overlap_bring(const overlap_pose *pose, uint32_t n, SCREE_IN x, SCREE_IN y, SCREE_OUT to_x,
                   SCREE_OUT to_y)
{
    for (uint32_t i = 0; i < n; i++) {
        to_x[i] = pose->t[0] + (pose->m[0][0] * x[i] + pose->m[0][1] * y[i]);
        to_y[i] = pose->t[1] + (pose->m[1][0] * x[i] + pose->m[1][1] * y[i]);
    }
}

int overlap_gap(const scree_candidates *in, uint32_t p, const overlap_pose *pose, uint32_t n_a,
                const double *ax, const double *ay, uint32_t n_b, const double *bx,
                const double *by, overlap_piece *out)
{
    double on_a[2], on_b[2], other_a[2], other_b[2];
    const double first = closest(n_a, ax, ay, n_b, bx, by, on_a, on_b);
    if (closest(n_b, bx, by, n_a, ax, ay, other_b, other_a) < first)
        for (int k = 0; k < 2; k++) {
            on_a[k] = other_a[k];
            on_b[k] = other_b[k];
        }
    const double x = on_b[0] - on_a[0], y = on_b[1] - on_a[1], gap = sqrt(x * x + y * y);
    *out = (overlap_piece){.depth = -gap, .normal = {1.0, 0.0}};
    if (gap > 0.0) {
        out->normal[0] = x / gap;
        out->normal[1] = y / gap;
    }
    for (int k = 0; k < 2; k++)
        out->middle[k] = 0.5 * (on_a[k] + on_b[k]);
    return gap * pose->scale <= overlap_range(in, p);
}

/* ---- shapes ---- */

const scree_outline *overlap_outline(const scree_shape *shape)
{
    return shape->flags || !shape->flat ? NULL : shape->view(shape, SCREE_VIEW_OUTLINE, 0.0);
}

int overlap_reserve(void *list, uint64_t *n, uint64_t *capacity, uint32_t index, size_t size)
{
    if (!scree_grow(list, capacity, index + 1ull, size))
        return 0;
    char *first;
    memcpy(&first, list, sizeof first); // for any type of pointer
    for (; *n <= index; ++*n)
        memset(first + *n * size, 0, size);
    return 1;
}

const char *overlap_name(const scree_host *host, uint32_t index)
{
    const scree_names *names = host->get_service(host->ctx, SCREE_SERVICE_NAMES);
    const char *name = names ? names->shape_name(names->ctx, index) : NULL;
    return name ? name : "?";
}

void overlap_supports(scree_pair_support *pair)
{
    const scree_shape_type *types[2] = {pair->a, pair->b};
    uint32_t convex = 1;
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; i < types[k]->n_shapes; i++) {
            const scree_outline *o = overlap_outline(types[k]->shapes[i]);
            if (!o)
                return;
            convex = convex && plane_turns_in(o->n, o->vertex[0], o->vertex[1]) == SCREE_NONE;
        }
    pair->contacts = convex ? SCREE_SUPPORTS_ONE : SCREE_SUPPORTS_MANY;
}
