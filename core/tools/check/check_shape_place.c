/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check` for shapes: a shape in two frames gives the same answers, each in its axes. */
#include "tools/check/check_shape_place.h"

#include <math.h>
#include <string.h>

#include "base/rotation.h"
#include "tools/check/check_instance.h"
#include "tools/check/guard_pages.h"

enum { POSES = 48 };
static const double SMALL = 1e-9; // [-] relative rounding error

/** A point of the former frame in the new one. */
static void move(const scree_frame *f, const double p[3], double out[3])
{
    const double back[4] = {f->q[0], -f->q[1], -f->q[2], -f->q[3]};
    for (int k = 0; k < 3; k++)
        out[k] = p[k] - f->shift[k];
    scree_rotate(back, out, out);
}

static bool is_near(const double a[3], const double b[3], double far)
{
    return fabs(a[0] - b[0]) <= far && fabs(a[1] - b[1]) <= far && fabs(a[2] - b[2]) <= far;
}

/** Points of a view in both frames; *what: name of the view. */
static void compare_points(const scree_shape_bench *to, const scree_frame *f, const char *what,
                           uint32_t n, uint32_t n_moved, const double *const x[3],
                           const double *const moved[3])
{
    if (n != n_moved)
        scree_shape_bench_fail(to, "place: the %s has %u points, and %u before", what, n_moved, n);
    for (uint32_t i = 0; i < n && !to->check->failed; i++) {
        const double p[3] = {x[0][i], x[1][i], x[2] ? x[2][i] : 0.0};
        const double now[3] = {moved[0][i], moved[1][i], moved[2] ? moved[2][i] : 0.0};
        double expected[3];
        move(f, p, expected);
        if (!is_near(now, expected,
                     1e-12 *
                         (to->size + fabs(f->shift[0]) + fabs(f->shift[1]) + fabs(f->shift[2])) *
                         10.0))
            scree_shape_bench_fail(to,
                                   "place: point %u of the %s is at (%.12g, %.12g, %.12g) m in the "
                                   "new frame, expected (%.12g, %.12g, %.12g) m",
                                   i, what, now[0], now[1], now[2], expected[0], expected[1],
                                   expected[2]);
    }
}

/** A mesh with a tolerance may have other vertices in another frame. */
static void compare_placed_views(const scree_shape_bench *from, const scree_shape_bench *to,
                                 const scree_frame *f)
{
    uint64_t random = 37;
    if ((!from->mesh != !to->mesh) || (!from->outline != !to->outline) ||
        (!from->balls != !to->balls) || (!from->support != !to->support) ||
        (!from->implicit != !to->implicit))
        scree_shape_bench_fail(to, "place: it has other views than before");
    else if (to->mesh && to->tolerance == 0.0)
        compare_points(to, f, "mesh", from->mesh->n_vertices, to->mesh->n_vertices,
                       from->mesh->vertex, to->mesh->vertex);
    if (to->outline && !to->check->failed)
        compare_points(to, f, "outline", from->outline->n, to->outline->n,
                       (const double *const[3]){from->outline->vertex[0], from->outline->vertex[1]},
                       (const double *const[3]){to->outline->vertex[0], to->outline->vertex[1]});
    if (to->balls && !to->check->failed)
        compare_points(to, f, "clump", from->balls->n, to->balls->n, from->balls->centre,
                       to->balls->centre);
    for (int n = 0; n < 64 && !to->check->failed; n++) {
        double turn[4], d[3], back[4] = {f->q[0], -f->q[1], -f->q[2], -f->q[3]}, old[3], now[3];
        double value[2] = {0.0};
        scree_check_random_turn(&random, to->dimension, turn);
        scree_rotate(turn, (const double[3]){1.0, 0.0, 0.0}, d);
        if (to->support) {
            double moved[3];
            scree_shape_bench_farthest(from, d, old);
            move(f, old, moved);
            scree_rotate(back, d, old);
            scree_shape_bench_farthest(to, old, now);
            double reach = (moved[0] - now[0]) * old[0] + (moved[1] - now[1]) * old[1] +
                           (moved[2] - now[2]) * old[2];
            if (!(fabs(reach) <= SMALL * to->size))
                scree_shape_bench_fail(to,
                                       "place: the support function did not move along: it is "
                                       "off by %g m",
                                       reach);
        }
        for (int k = 0; k < 3; k++)
            old[k] = from->measure.centroid[k] + 0.9 * to->size * d[k];
        move(f, old, now);
        if (to->implicit) {
            double *const at[3] = {&old[0], &old[1], &old[2]}, *const there[3] = {&now[0], &now[1],
                                                                                  &now[2]};
            scree_shape_bench_values(from, 1, at, &value[0], NULL);
            scree_shape_bench_values(to, 1, there, &value[1], NULL);
        }
        if (!(fabs(value[0] - value[1]) <= 1e-7 * (fabs(value[0]) + fabs(value[1])) + 1e-12))
            scree_shape_bench_fail(to,
                                   "place: the implicit function did not move along: %g, and %g "
                                   "before",
                                   value[1], value[0]);
    }
}

/** Inertia in a frame that is turned by q. */
static void turn_inertia(const double inertia[6], const double q[4], double out[6])
{
    static const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    double axis[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int k = 0; k < 3; k++)
        scree_rotate(q, axis[k], axis[k]); // the new axes in the former frame
    for (int n = 0; n < 6; n++) {
        out[n] = 0.0;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                out[n] += axis[row[n]][i] * inertia[at[i][j]] * axis[column[n]][j];
    }
}

static void compare_placed_measure(const scree_shape_bench *from, const scree_shape_bench *to,
                                   const scree_frame *f)
{
    double centroid[3], inertia[6], size = to->size;
    move(f, from->measure.centroid, centroid);
    turn_inertia(from->measure.inertia, f->q, inertia);
    if (!is_near(centroid, to->measure.centroid, SMALL * size))
        scree_shape_bench_fail(to, "place: the centroid is (%g, %g, %g) m, expected (%g, %g, %g) m",
                               to->measure.centroid[0], to->measure.centroid[1],
                               to->measure.centroid[2], centroid[0], centroid[1], centroid[2]);
    for (int k = to->dimension == 2 ? 2 : 0; k < (to->dimension == 2 ? 3 : 6); k++)
        if (!(fabs(inertia[k] - to->measure.inertia[k]) <= SMALL * size * size))
            scree_shape_bench_fail(to, "place: inertia[%d] is %.12g m^2, expected %.12g m^2", k,
                                   to->measure.inertia[k], inertia[k]);
    if (fabs(to->measure.content - from->measure.content) > SMALL * fabs(from->measure.content) ||
        fabs(to->measure.radius - from->measure.radius) > SMALL * size ||
        to->measure.n_parts != from->measure.n_parts || to->measure.flat != from->measure.flat)
        scree_shape_bench_fail(to, "place: content %g, radius %g m, %u parts; before %g, %g m, %u",
                               to->measure.content, to->measure.radius, to->measure.n_parts,
                               from->measure.content, from->measure.radius, from->measure.n_parts);
}

/** The same pose of the surface, as each frame names it. */
static void compare_placed_boxes(const scree_shape_bench *from, const scree_shape_bench *to,
                                 const scree_frame *f)
{
    uint64_t random = 41;
    scree_shape_poses old = scree_shape_poses_new(POSES), now = scree_shape_poses_new(POSES);
    scree_shape_poses_random(&old, from, 0, &random);
    for (uint32_t i = 0; i < old.n; i++) {
        const double q[4] = {old.q[0][i], old.q[1][i], old.q[2][i], old.q[3][i]};
        double arm[3], turned[4];
        scree_shape_poses_copy(&old, i, &now, i);
        for (int k = 0; k < 3; k++)
            arm[k] = old.scale[i] * f->shift[k];
        scree_rotate(q, arm, arm);
        for (int k = 0; k < 3; k++)
            now.x[k][i] += arm[k];
        scree_rotation_product(q, f->q, turned);
        for (int k = 0; k < 4; k++)
            now.q[k][i] = turned[k];
    }
    if (scree_shape_poses_ask(&old, from, 0) && scree_shape_poses_ask(&now, to, 0))
        for (uint32_t i = 0; i < old.n; i++)
            for (int k = 0; k < 6 && !to->check->failed; k++)
                if (!(fabs(old.out[k][i] - now.out[k][i]) <= 10.0 * SMALL * to->size))
                    scree_shape_bench_fail(to,
                                           "place: boxes did not move along: %s %c %.12g m, and "
                                           "%.12g m before",
                                           k < 3 ? "lo" : "hi", "xyz"[k % 3], now.out[k][i],
                                           old.out[k][i]);
    scree_shape_poses_free(&now);
    scree_shape_poses_free(&old);
}

static void compare_frames(const scree_shape_bench *from, scree_instance *other,
                           const scree_frame *f)
{
    scree_shape_bench to;
    if (!other || !scree_shape_bench_open(&to, from->check, other, f, from->setting))
        return;
    compare_placed_measure(from, &to, f);
    if (!to.check->failed)
        compare_placed_views(from, &to, f);
    if (!to.check->failed && scree_shape_bench_boxed(&to))
        compare_placed_boxes(from, &to, f);
}

void scree_shape_check_place(scree_check *check, scree_instance *instance, const char *setting)
{
    const scree_frame none = scree_shape_frame_none();
    uint64_t random = 43;
    scree_shape_bench b;
    if (!scree_shape_bench_open(&b, check, instance, &none, setting))
        return;
    scree_frame frames[2] = {scree_shape_frame_hosts(&b.measure), none};
    scree_check_random_turn(&random, b.dimension, frames[1].q);
    for (uint32_t k = 0; k < b.dimension; k++)
        frames[1].shift[k] = scree_check_uniform(&random, -b.size, b.size);
    for (int n = 0; n < 2 && !check->failed; n++) {
        scree_instance *other = scree_check_instance_again(check, instance);
        compare_frames(&b, other, &frames[n]);
        scree_check_instance_free(other);
    }
}
