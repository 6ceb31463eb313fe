// SPDX-License-Identifier: Apache-2.0
/*
 * dfr3d: poses, and the zone in which two boxes overlap.
 *
 * Source   R. O'Connor, A Distributed Discrete Element Modeling Environment, PhD thesis, MIT, 1996, 3.5.1.
 *          I. E. Sutherland, G. W. Hodgman, Reentrant polygon clipping, CACM 17 (1974) 32.
 * Deviation  [1] clips the faces of one box to the other. Faces of both are clipped here, because those of
 *          one may miss the other box, or bound too little.
 */
#include "pair.h"

void dfr_to_a(const dfr_pose *pose, const double x[3], double out[3])
{
    const double p[3] = {x[0], x[1], x[2]};
    for (int k = 0; k < 3; k++)
        out[k] = pose->t[k] + pose->ratio * dot(pose->r[k], p);
}

void dfr_to_b(const dfr_pose *pose, const double x[3], double out[3])
{
    double d[3];
    sub(x, pose->t, d);
    for (int k = 0; k < 3; k++)
        out[k] = (pose->r[0][k] * d[0] + pose->r[1][k] * d[1] + pose->r[2][k] * d[2]) / pose->ratio;
}

/* The part of a polygon on the inner side of one side of a box; at most one point more. */
static uint32_t clip_side(double (*from)[3], uint32_t n, int axis, double bound, double sign,
                          double (*to)[3])
{
    uint32_t n_to = 0;
    for (uint32_t i = 0; i < n; i++) {
        const double *p = from[i], *q = from[(i + 1) % n];
        const double in_p = sign * (bound - p[axis]), in_q = sign * (bound - q[axis]);
        if (in_p >= 0.0)
            copy(p, to[n_to++]);
        if ((in_p < 0.0) == (in_q < 0.0))
            continue;
        const double t = in_p / (in_p - in_q);
        for (int k = 0; k < 3; k++)
            to[n_to][k] = p[k] + t * (q[k] - p[k]);
        to[n_to++][axis] = bound;
    }
    return n_to;
}

/* Corner c of face f of a box. */
static void face_point(const double lo[3], const double hi[3], int f, int c, double x[3])
{
    const int axis = f / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    x[axis] = f % 2 ? hi[axis] : lo[axis];
    x[u] = c == 1 || c == 2 ? hi[u] : lo[u];
    x[v] = c >= 2 ? hi[v] : lo[v];
}

static void add_point(const double x[3], dfr_zone *zone)
{
    for (int k = 0; k < 3; k++) {
        zone->lo[k] = scree_min(zone->lo[k], x[k]);
        zone->hi[k] = scree_max(zone->hi[k], x[k]);
    }
}

/* Clips the faces of the box `from` to the other box, and adds them to both zones. */
static void clip_faces(double lo[2][3], double hi[2][3], const dfr_pose *pose, int from,
                       dfr_zone zone[2])
{
    const int to = !from;
    for (int f = 0; f < 6; f++) {
        double polygon[2][16][3];
        uint32_t n = 4;
        for (int c = 0; c < 4; c++) {
            double x[3];
            face_point(lo[from], hi[from], f, c, x);
            (from ? dfr_to_a : dfr_to_b)(pose, x, polygon[0][c]);
        }
        for (int s = 0; s < 6 && n > 0; s++)
            n = clip_side(polygon[s % 2], n, s / 2, s % 2 ? hi[to][s / 2] : lo[to][s / 2],
                          s % 2 ? 1.0 : -1.0, polygon[1 - s % 2]);
        for (uint32_t i = 0; i < n; i++) {
            double back[3];
            (from ? dfr_to_b : dfr_to_a)(pose, polygon[0][i], back);
            add_point(polygon[0][i], &zone[to]);
            add_point(back, &zone[from]);
        }
    }
}

int dfr_box_zones(double lo[2][3], double hi[2][3], const dfr_pose *pose, dfr_zone zone[2])
{
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < 3; k++) {
            zone[s].lo[k] = HUGE_VAL;
            zone[s].hi[k] = -HUGE_VAL;
        }
    clip_faces(lo, hi, pose, 0, zone);
    clip_faces(lo, hi, pose, 1, zone);
    return zone[0].lo[0] <= zone[0].hi[0];
}

int dfr_zones(const dfr_body *a, const dfr_body *b, const dfr_pose *pose, dfr_zone zone[2])
{
    double lo[2][3], hi[2][3];
    for (int s = 0; s < 2; s++) { // grown by roundings and DFR_SHIFT
        const dfr_body *body = s ? b : a;
        for (int k = 0; k < 3; k++) {
            lo[s][k] = body->lo[k] - DFR_TOUCH * body->size;
            hi[s][k] = body->hi[k] + DFR_TOUCH * body->size;
        }
    }
    return dfr_box_zones(lo, hi, pose, zone);
}

int dfr_zone_index(const dfr_body *b, const dfr_zone *zone, int32_t lo[3], int32_t hi[3])
{
    for (int k = 0; k < 3; k++) {
        const double n = b->grid.n[k] - 1.0;
        const double from = b->offset[k] + zone->lo[k] * b->inverse[k];
        const double to = b->offset[k] + zone->hi[k] * b->inverse[k];
        if (!(from < n + 1.0 && to >= 0.0 && from <= to))
            return 0;
        lo[k] = dfr_ordinate(clamp(from, 0.0, n));
        hi[k] = dfr_ordinate(clamp(to, 0.0, n));
    }
    return 1;
}
