// SPDX-License-Identifier: Apache-2.0
/*
 * The frame of a solid, and its kernels over blocks of directions and points.
 *
 * Idea     A solid keeps its own axes and origin, in which its formulas are short. Arguments are
 *          turned into these axes, and results back. That costs 9 products per vector and lets a
 *          kernel read and write plain arrays. Each element has the same bits in any batch.
 */
#include "solid.h"

/** A block of vectors. */
typedef struct block {
    double x[SOLID_BLOCK], y[SOLID_BLOCK], z[SOLID_BLOCK];
} block;

solid_frame solid_frame_own(void)
{
    const solid_frame frame = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
                               {0.0, 0.0, 0.0}};
    return frame;
}

void solid_frame_set(solid_frame *frame, const scree_frame *asked)
{
    for (int j = 0; j < 3; j++) {
        double axis[3] = {j == 0, j == 1, j == 2};
        scree_rotate(asked->q, axis, axis);
        for (int k = 0; k < 3; k++)
            frame->turn[k][j] = axis[k];
        frame->shift[j] = asked->shift[j];
    }
}

/** turn^T (x, y, z) */
static void turn_out(const solid_frame *f, double x, double y, double z, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = f->turn[0][k] * x + f->turn[1][k] * y + f->turn[2][k] * z;
}

void solid_point_out(const solid_frame *f, const double own[3], double p[3])
{
    turn_out(f, own[0] - f->shift[0], own[1] - f->shift[1], own[2] - f->shift[2], p);
}

void solid_inertia_out(const solid_frame *f, const double moment[3], double out[6])
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int i = 0; i < 6; i++) {
        out[i] = 0.0;
        for (int k = 0; k < 3; k++)
            out[i] += moment[k] * f->turn[k][row[i]] * f->turn[k][column[i]];
    }
}

/* ---- kernels ---- */

/** own = turn x + shift, with `moved` 0: without the shift. */
static void enter(const solid_frame *f, double moved, uint32_t n, SCREE_IN3(x), SCREE_OUT3(own))
{
    const double a[9] = {f->turn[0][0], f->turn[0][1], f->turn[0][2], f->turn[1][0], f->turn[1][1],
                         f->turn[1][2], f->turn[2][0], f->turn[2][1], f->turn[2][2]};
    const double s[3] = {moved * f->shift[0], moved * f->shift[1], moved * f->shift[2]};
    for (uint32_t i = 0; i < n; i++) {
        ownx[i] = a[0] * xx[i] + a[1] * xy[i] + a[2] * xz[i] + s[0];
        owny[i] = a[3] * xx[i] + a[4] * xy[i] + a[5] * xz[i] + s[1];
        ownz[i] = a[6] * xx[i] + a[7] * xy[i] + a[8] * xz[i] + s[2];
    }
}

/** x = turn^T (own - shift), alike. */
static void leave(const solid_frame *f, double moved, uint32_t n, SCREE_IN3(own), SCREE_OUT3(x))
{
    const double a[9] = {f->turn[0][0], f->turn[0][1], f->turn[0][2], f->turn[1][0], f->turn[1][1],
                         f->turn[1][2], f->turn[2][0], f->turn[2][1], f->turn[2][2]};
    const double s[3] = {moved * f->shift[0], moved * f->shift[1], moved * f->shift[2]};
    for (uint32_t i = 0; i < n; i++) {
        const double u = ownx[i] - s[0], v = owny[i] - s[1], w = ownz[i] - s[2];
        xx[i] = a[0] * u + a[3] * v + a[6] * w;
        xy[i] = a[1] * u + a[4] * v + a[7] * w;
        xz[i] = a[2] * u + a[5] * v + a[8] * w;
    }
}

void solid_farthest(const solid_frame *f, solid_farthest_fn fn, const void *self, uint32_t n,
                    const double *const d[3], double *const p[3])
{
    block in, out;
    for (uint32_t at = 0; at < n; at += SOLID_BLOCK) {
        const uint32_t m = n - at < SOLID_BLOCK ? n - at : SOLID_BLOCK;
        enter(f, 0.0, m, d[0] + at, d[1] + at, d[2] + at, in.x, in.y, in.z);
        fn(self, m, in.x, in.y, in.z, out.x, out.y, out.z);
        leave(f, 1.0, m, out.x, out.y, out.z, p[0] + at, p[1] + at, p[2] + at);
    }
}

void solid_value(const solid_frame *f, solid_value_fn fn, const void *self, uint32_t n,
                 const double *const x[3], double *value, double *const gradient[3])
{
    block in, out;
    for (uint32_t at = 0; at < n; at += SOLID_BLOCK) {
        const uint32_t m = n - at < SOLID_BLOCK ? n - at : SOLID_BLOCK;
        enter(f, 1.0, m, x[0] + at, x[1] + at, x[2] + at, in.x, in.y, in.z);
        fn(self, m, in.x, in.y, in.z, value + at, out.x, out.y, out.z);
        if (gradient)
            leave(f, 0.0, m, out.x, out.y, out.z, gradient[0] + at, gradient[1] + at,
                  gradient[2] + at);
    }
}

void solid_radii(const solid_frame *f, solid_radii_fn fn, const void *self, const double way[3][3],
                 double p[3], double radii[3])
{
    double own[3][3], at[3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            own[i][k] =
                f->turn[k][0] * way[i][0] + f->turn[k][1] * way[i][1] + f->turn[k][2] * way[i][2];
    fn(self, (const double(*)[3])own, at, radii);
    solid_point_out(f, at, p);
}

/* ---- boxes ---- */

/** Row `axis` of the matrices of n quaternions: that axis of the world as the bodies see it. */
static void find_axis(uint32_t axis, uint32_t n, SCREE_IN w, SCREE_IN3(q), SCREE_OUT3(d))
{
    const double e[3] = {axis == 0, axis == 1, axis == 2};
    for (uint32_t i = 0; i < n; i++) {
        const double tx = 2.0 * (qz[i] * e[1] - qy[i] * e[2]);
        const double ty = 2.0 * (qx[i] * e[2] - qz[i] * e[0]);
        const double tz = 2.0 * (qy[i] * e[0] - qx[i] * e[1]);
        dx[i] = e[0] + w[i] * tx - (qy[i] * tz - qz[i] * ty);
        dy[i] = e[1] + w[i] * ty - (qz[i] * tx - qx[i] * tz);
        dz[i] = e[2] + w[i] * tz - (qx[i] * ty - qy[i] * tx);
    }
}

/** Sets the ends of the box along one axis of the world, which has the direction d in body axes; c:
 * the solid's origin in the current frame. */
static void set_ends(uint32_t n, const double c[3], SCREE_IN3(d), SCREE_IN h, SCREE_IN x,
                     SCREE_IN scale, SCREE_OUT lo, SCREE_OUT hi, SCREE_OUT centre)
{
    const double cx = c[0], cy = c[1], cz = c[2];
    for (uint32_t i = 0; i < n; i++) {
        const double at = x[i] + scale[i] * (cx * dx[i] + cy * dy[i] + cz * dz[i]);
        lo[i] = at - scale[i] * h[i];
        hi[i] = at + scale[i] * h[i];
        centre[i] = at;
    }
}

void solid_boxes(const solid_frame *f, solid_reach_fn fn, const void *self, double radius,
                 const scree_shape_boxes *b)
{
    const double zero[3] = {0.0, 0.0, 0.0};
    double origin[3];
    block d, own;
    solid_point_out(f, zero, origin);
    for (uint32_t at = 0; at < b->n; at += SOLID_BLOCK) {
        const uint32_t m = b->n - at < SOLID_BLOCK ? b->n - at : SOLID_BLOCK;
        double h[SOLID_BLOCK];
        for (uint32_t k = 0; k < 3; k++) {
            find_axis(k, m, b->q[0] + at, b->q[1] + at, b->q[2] + at, b->q[3] + at, d.x, d.y, d.z);
            enter(f, 0.0, m, d.x, d.y, d.z, own.x, own.y, own.z);
            fn(self, m, own.x, own.y, own.z, h);
            set_ends(m, origin, d.x, d.y, d.z, h, b->x[k] + at, b->scale + at, b->lo[k] + at,
                     b->hi[k] + at, b->centre[k] + at);
        }
        for (uint32_t i = at; i < at + m; i++)
            b->radius[i] = b->scale[i] * radius;
    }
}
