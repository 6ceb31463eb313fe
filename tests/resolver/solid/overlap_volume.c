// SPDX-License-Identifier: Apache-2.0
// Claims about contacts of the overlap in space: volumes against the hull of all corners, boxes by hand, and the work
// that k V leaves on closed paths, for polyhedra that overlap deeply; and the same of the bed. usage: overlap_volume SDF.so CYRUS_BECK.so
#include "solid_scene.h"

enum { HULLS = 32, PAIRS = 200, BEDS = 24, PATHS = 12, STEPS = 400 };
static test_solid hull[HULLS], box, ell;

/* A contact of the overlap: the force on b of an energy, and its moment about x_b. */
typedef struct push {
    double volume, area, bed, force[3], moment[3];
} push;

enum { BY_VOLUME, BY_BED }; /* V^2 / 2; the bed */

static uint32_t touch_volume(subject *s, test_pair *p, int by, push *out)
{
    static const uint32_t order[2] = {0, 1};
    static test_touches t;
    double volume = 0.0, area = 0.0, twist = 0.0, bed = 0.0, slope[3], turn[3], about[3];
    double none[HINT_WORDS] = {0};
    const scree_candidates in = pair_candidates(s, p, order, p->d, 0.0, none);
    clear_touches(&t);
    t.out.volume = &volume;
    t.out.area = &area;
    t.out.twist = &twist;
    t.out.bed = by == BY_BED ? &bed : NULL;
    for (int k = 0; k < 3; k++) {
        t.out.bed_slope[k] = by == BY_BED ? &slope[k] : NULL;
        t.out.bed_turn[k] = by == BY_BED ? &turn[k] : NULL;
    }
    resolve_pairs(s, &in, &t);
    *out = (push){.volume = volume, .area = area, .bed = bed};
    if (t.out.n == 0)
        return 0;
    for (int k = 0; k < 3; k++) {
        out->force[k] = by == BY_BED ? slope[k] : volume * area * t.normal[k][0];
        about[k] = by == BY_BED ? turn[k] : volume * twist * t.normal[k][0];
    }
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out->moment[k] = (t.arm[i][0] - p->d[i]) * out->force[j] -
                         (t.arm[j][0] - p->d[j]) * out->force[i] + about[k];
    }
    return 1;
}

/* ---- volumes by another way: all corners where three planes meet ---- */

typedef struct half_space {
    double n[3], offset;
} half_space;

static uint32_t half_spaces_of(const test_pair *p, int body, half_space *out)
{
    const test_solid *s = p->shapes[body]->ctx;
    for (uint32_t f = 0; f < s->mesh.n_facets; f++) {
        point3 x[3];
        double u[3], v[3], length = 0.0;
        for (uint32_t k = 0; k < 3; k++)
            x[k] = in_world(p, body, vertex3(s, s->facet[4 * f + k]));
        for (int k = 0; k < 3; k++) {
            u[k] = x[1].x[k] - x[0].x[k];
            v[k] = x[2].x[k] - x[0].x[k];
        }
        for (int k = 0; k < 3; k++) {
            out[f].n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
            length += out[f].n[k] * out[f].n[k];
        }
        for (int k = 0; k < 3; k++)
            out[f].n[k] /= sqrt(length);
        out[f].offset = dot3(out[f].n, x[0].x);
    }
    return s->mesh.n_facets;
}

static double det3(const double *a, const double *b, const double *c)
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* The corner of three planes, by Cramer's rule. 0: there is none, or it is outside. */
static int corner_of(const half_space *h, uint32_t n, uint32_t i, uint32_t j, uint32_t k, double *x)
{
    const double det = det3(h[i].n, h[j].n, h[k].n);
    if (fabs(det) < 1e-9)
        return 0;
    for (int c = 0; c < 3; c++) {
        double row[3][3];
        const half_space *of[3] = {&h[i], &h[j], &h[k]};
        for (int r = 0; r < 3; r++)
            for (int m = 0; m < 3; m++)
                row[r][m] = m == c ? of[r]->offset : of[r]->n[m];
        x[c] = det3(row[0], row[1], row[2]) / det;
    }
    for (uint32_t f = 0; f < n; f++)
        if (dot3(h[f].n, x) > h[f].offset + 1e-11)
            return 0;
    return 1;
}

/* Area of the face on plane f: its corners, sorted by angle. */
static double face_area(const half_space *h, uint32_t n, uint32_t f)
{
    static double at[4096][2], angle[4096];
    double u[3] = {0.0, 0.0, 0.0}, v[3], mean[2] = {0.0, 0.0}, area = 0.0;
    const double *w = h[f].n;
    uint32_t m = 0;
    u[fabs(w[0]) < 0.6 ? 0 : 1] = 1.0;
    const double along = dot3(u, w);
    for (int k = 0; k < 3; k++)
        u[k] -= along * w[k];
    const double length = sqrt(dot3(u, u));
    for (int k = 0; k < 3; k++)
        u[k] /= length;
    for (int k = 0; k < 3; k++)
        v[k] = w[(k + 1) % 3] * u[(k + 2) % 3] - w[(k + 2) % 3] * u[(k + 1) % 3];
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i + 1; j < n; j++) {
            double x[3];
            if (i == f || j == f || m == 4096 || !corner_of(h, n, f, i, j, x))
                continue;
            at[m][0] = dot3(x, u);
            at[m++][1] = dot3(x, v);
        }
    for (uint32_t i = 0; i < m; i++)
        for (int k = 0; k < 2; k++)
            mean[k] += at[i][k] / m;
    for (uint32_t i = 0; i < m; i++) {
        const double x = at[i][0] - mean[0], y = at[i][1] - mean[1], turn = atan2(y, x);
        uint32_t k = i;
        for (; k > 0 && angle[k - 1] > turn; k--) {
            angle[k] = angle[k - 1];
            memcpy(at[k], at[k - 1], sizeof at[k]);
        }
        angle[k] = turn;
        at[k][0] = x + mean[0];
        at[k][1] = y + mean[1];
    }
    for (uint32_t i = 0; i < m; i++) {
        const uint32_t k = i + 1 < m ? i + 1 : 0;
        area += 0.5 * (at[i][0] * at[k][1] - at[k][0] * at[i][1]);
    }
    return area;
}

/* The volume of those points of the overlap that are farther than `inset` from all planes. */
static double volume_by_corners(const test_pair *p, double inset)
{
    static half_space h[128];
    const uint32_t first = half_spaces_of(p, 0, h), n = first + half_spaces_of(p, 1, h + first);
    double volume = 0.0;
    for (uint32_t f = 0; f < n; f++)
        h[f].offset -= inset;
    for (uint32_t f = 0; f < n; f++)
        volume += h[f].offset * face_area(h, n, f) / 3.0;
    return volume;
}

/* The bed: the integral of the distance from the nearest plane is that of these volumes over the inset. */
static double bed_by_corners(const test_pair *p)
{
    enum { INTERVALS = 120 };
    double most = 1.0, least = 0.0, sum = 0.0;
    for (int k = 0; k < 40; k++) {
        const double middle = 0.5 * (least + most);
        if (volume_by_corners(p, middle) > 0.0)
            least = middle;
        else
            most = middle;
    }
    for (int k = 0; k <= INTERVALS; k++) // Simpson's rule
        sum += (k == 0 || k == INTERVALS ? 1.0 : 2.0 + 2.0 * (k % 2)) *
               volume_by_corners(p, most * k / INTERVALS);
    return 4.0 * sum * most / (3.0 * INTERVALS);
}

static void pose(subject *s, test_pair *p, const test_solid *a, const test_solid *b, double share)
{
    double u[3], length;
    const test_solid *of[2] = {a, b};
    init_pair(p, 3);
    for (uint32_t k = 0; k < 2; k++) {
        p->scale[k] = fake_uniform(&s->fake, 0.7, 1.3);
        set_shape(p, (int)k, &of[k]->shape);
        turn_randomly(&s->fake, p, (int)k);
    }
    for (int k = 0; k < 3; k++)
        u[k] = fake_uniform(&s->fake, -1.0, 1.0);
    length = sqrt(dot3(u, u));
    for (int k = 0; k < 3; k++)
        p->d[k] = share * (p->radius[0] + p->radius[1]) * u[k] / length;
}

static void test_volumes(const char *path)
{
    subject s;
    test_pair p;
    push got;
    const setting overlap[] = {{"contact", 1.0}, {0}};
    double worst = 0.0;
    uint32_t n = 0;
    start_resolver(&s, path, 3, overlap);
    for (uint32_t i = 0; i < PAIRS; i++) {
        const test_solid *a = &hull[i % HULLS], *b = &hull[(7 * i + 3) % HULLS];
        pose(&s, &p, a, b, fake_uniform(&s.fake, 0.2, 0.8));
        prepare_shape(&s, 0, &a->shape);
        prepare_shape(&s, 1, &b->shape);
        touch_volume(&s, &p, BY_VOLUME, &got);
        const double expected = volume_by_corners(&p, 0.0);
        n += got.volume > 1e-6;
        worst = fmax(worst, fabs(got.volume - expected));
    }
    printf("# cyrus_beck: %u of %u pairs overlap, volumes off by %.2g m^3 at most\n", n, PAIRS,
           worst);
    tap_ok(n > PAIRS / 2 && worst < 1e-9, "volumes are those of the corners of all planes");
    stop_resolver(&s);
}

/* Two unit cubes side by side in all axes: V = (1 - x)(1 - y)(1 - z). A plane: an edge and a corner below it. */
static void test_boxes(const char *path, double slack)
{
    const setting settings[] = {{"contact", 1.0}, {0}};
    const double off[3] = {0.8, 0.3, 0.45}, v = 0.2 * 0.7 * 0.55;
    const double slope[3] = {0.7 * 0.55, 0.2 * 0.55, 0.2 * 0.7};
    subject s;
    test_pair p;
    push got;
    double worst, unit = 0.0;
    start_resolver(&s, path, 3, settings);
    init_pair(&p, 3);
    prepare_shape(&s, 0, &box.shape);
    prepare_shape(&s, 1, &box.shape);
    for (int k = 0; k < 3; k++)
        p.d[k] = off[k];
    set_shape(&p, 0, &box.shape);
    set_shape(&p, 1, &box.shape);
    touch_volume(&s, &p, BY_VOLUME, &got);
    worst = fabs(got.volume / v - 1.0);
    for (int k = 0; k < 3; k++)
        unit += slope[k] * slope[k];
    for (int k = 0; k < 3; k++)
        worst = fmax(worst, fabs(got.force[k] / (v * slope[k]) - 1.0));
    printf("# two cubes: volume %.6g, expected %.6g; area %.6g, expected %.6g\n", got.volume, v,
           got.area, sqrt(unit));
    if (slack < 1.0)
        tap_ok(worst < slack, "two cubes: V and its slopes are products of their sides");
    p.shapes[1] = &p.plane;
    p.scale[1] = 1.0;
    p.radius[1] = 0.0;
    p.q[0][0] = cos(M_PI / 8.0);
    p.q[1][0] = sin(M_PI / 8.0);
    p.d[0] = p.d[1] = 0.0;
    p.d[2] = -sqrt(0.5) + 0.1; // an edge is 0.1 below: a prism of 0.1^2 and length 1
    touch_volume(&s, &p, BY_VOLUME, &got);
    printf("# an edge 0.1 m under a plane: volume %.17g, area %.17g\n", got.volume, got.area);
    tap_ok(fabs(got.volume - 0.01) < 1e-14 && fabs(got.area - 0.2) < 1e-14,
           "an edge under a plane: a prism of the square of its depth");
    touch_volume(&s, &p, BY_BED, &got); // twice the integral of (0.1 - |y|)^2 from 0 to 0.1
    printf("# its bed %.17g, its slope %.17g\n", got.bed, -got.force[2]);
    tap_ok(fabs(got.bed - 2e-3 / 3.0) < 1e-15 && fabs(got.force[2] + 0.02) < 1e-14 &&
               fabs(got.force[0]) + fabs(got.force[1]) < 1e-15,
           "an edge under a plane: the bed is the integral of the squared depth");
    stop_resolver(&s);
}

static void test_beds(const char *path)
{
    const setting overlap[] = {{"contact", 1.0}, {0}};
    subject s;
    test_pair p;
    push got;
    double worst = 0.0;
    uint32_t n = 0;
    start_resolver(&s, path, 3, overlap);
    for (uint32_t i = 0; i < BEDS; i++) {
        const test_solid *a = &hull[10 * (i % 3) + i % 2], *b = &hull[10 * (i % 2)]; // few corners
        pose(&s, &p, a, b, fake_uniform(&s.fake, 0.2, 0.6));
        prepare_shape(&s, 0, &a->shape);
        prepare_shape(&s, 1, &b->shape);
        touch_volume(&s, &p, BY_BED, &got);
        if (!(got.volume > 1e-4))
            continue;
        n++;
        worst = fmax(worst, fabs(got.bed / bed_by_corners(&p) - 1.0));
    }
    printf("# cyrus_beck: beds of %u of %u pairs are off by %.2g of themselves at most\n", n, BEDS,
           worst);
    tap_ok(n > BEDS / 2 && worst < 1e-5, "beds are the integrals of volumes of all planes set in");
    stop_resolver(&s);
}

/* The bed of a box of sides a <= b <= c is 4 times the integral of (a - 2 t)(b - 2 t)(c - 2 t) up to a / 2. */
static void test_bed_of_boxes(const char *path)
{
    const setting settings[] = {{"contact", 1.0}, {0}};
    const double off[3] = {0.8, 0.45, 0.3}, a = 0.2, b = 0.55, c = 0.7, a2 = a * a;
    const double bed = a2 * (b * c - a * (b + c) / 3.0 + a2 / 6.0);
    const double by[3] = {a * (2.0 * b * c - a * (b + c) + 2.0 * a2 / 3.0), a2 * (c - a / 3.0),
                          a2 * (b - a / 3.0)};
    subject s;
    test_pair p;
    push got;
    start_resolver(&s, path, 3, settings);
    init_pair(&p, 3);
    prepare_shape(&s, 0, &box.shape);
    prepare_shape(&s, 1, &box.shape);
    for (int k = 0; k < 3; k++)
        p.d[k] = off[k];
    set_shape(&p, 0, &box.shape);
    set_shape(&p, 1, &box.shape);
    touch_volume(&s, &p, BY_BED, &got);
    double worst = fabs(got.bed / bed - 1.0);
    for (int k = 0; k < 3; k++)
        worst = fmax(worst, fabs(got.force[k] / by[k] - 1.0));
    printf("# two cubes: bed %.6g, expected %.6g, slope %.6g, expected %.6g\n", got.bed, bed,
           got.force[0], by[0]);
    tap_ok(worst < 1e-13, "two cubes: the bed and its slopes are polynomials of their sides");
    stop_resolver(&s);
}

/* ---- closed paths ---- */

typedef struct path {
    double d[3], q[4], axis[3], first[3], second[3];
} path;

static void lead(test_pair *p, const path *w, double t, double *turned)
{
    const double wave = sin(2.0 * M_PI * t), rise = 1.0 - cos(2.0 * M_PI * t);
    const double half = 0.25 * wave, *u = w->axis, *q = w->q;
    const double r[4] = {cos(half), sin(half) * u[0], sin(half) * u[1], sin(half) * u[2]};
    p->q[0][1] = r[0] * q[0] - r[1] * q[1] - r[2] * q[2] - r[3] * q[3];
    p->q[1][1] = r[0] * q[1] + r[1] * q[0] + r[2] * q[3] - r[3] * q[2];
    p->q[2][1] = r[0] * q[2] - r[1] * q[3] + r[2] * q[0] + r[3] * q[1];
    p->q[3][1] = r[0] * q[3] + r[1] * q[2] - r[2] * q[1] + r[3] * q[0];
    for (int k = 0; k < 3; k++)
        p->d[k] = w->d[k] + w->first[k] * wave + w->second[k] * rise;
    *turned = 2.0 * half;
}

/* Work on the path in n steps, by the trapezium rule; adds what is turned over. */
static double work_on(subject *s, test_pair *p, const path *w, int by, uint32_t n, double *turnover)
{
    push now, was = {0};
    double sum = 0.0, before[3] = {0.0, 0.0, 0.0}, turned = 0.0;
    for (uint32_t i = 0; i <= n; i++) {
        const double last = turned;
        double work = 0.0;
        lead(p, w, (double)i / n, &turned);
        touch_volume(s, p, by, &now);
        for (int k = 0; k < 3; k++)
            work += 0.5 * (was.force[k] + now.force[k]) * (p->d[k] - before[k]) +
                    0.5 * (was.moment[k] + now.moment[k]) * (turned - last) * w->axis[k];
        if (i > 0) {
            sum += work;
            *turnover += fabs(work);
        }
        was = now;
        memcpy(before, p->d, sizeof before);
    }
    return sum;
}

/* The share of the work that is left on closed paths of pairs of a and the hulls. */
static double left_on_paths(const char *file, const test_solid *of, int by, double share,
                            uint32_t steps, uint32_t n_paths)
{
    const char *cells = strstr(file, "sdf") ? "cells" : NULL; // cyrus_beck has none
    const setting settings[] = {{"contact", 1.0}, {cells, 12.0}, {0}};
    subject s;
    test_pair p;
    double left = 0.0, all = 0.0;
    start_resolver(&s, file, 3, settings);
    for (uint32_t i = 0; i < n_paths; i++) {
        path w;
        const test_solid *a = of ? of : &hull[i % HULLS], *b = &hull[(5 * i + 1) % HULLS];
        pose(&s, &p, a, b, share);
        prepare_shape(&s, 0, &a->shape);
        prepare_shape(&s, 1, &b->shape);
        for (int k = 0; k < 3; k++) {
            w.d[k] = p.d[k];
            w.first[k] = fake_uniform(&s.fake, -0.2, 0.2);
            w.second[k] = fake_uniform(&s.fake, -0.2, 0.2);
            w.axis[k] = fake_uniform(&s.fake, -1.0, 1.0);
        }
        const double length = sqrt(dot3(w.axis, w.axis));
        for (int k = 0; k < 3; k++)
            w.axis[k] /= length;
        for (int k = 0; k < 4; k++)
            w.q[k] = p.q[k][1];
        left += fabs(work_on(&s, &p, &w, by, steps, &all));
    }
    stop_resolver(&s);
    return left / all;
}

static void test_paths(const char *file, const char *what, const test_solid *of, int by,
                       double most)
{
    const char *energy = by == BY_BED ? "the bed" : "V^2 / 2";
    const double coarse = left_on_paths(file, of, by, 0.45, STEPS, PATHS);
    const double fine = left_on_paths(file, of, by, 0.45, 4 * STEPS, PATHS);
    char claim[160];
    printf("# %s, %s: %.2g of the work on closed paths is left in %d steps, %.2g in %d\n", what,
           energy, coarse, STEPS, fine, 4 * STEPS);
    snprintf(claim, sizeof claim, "%s: a force of %s leaves less than %g on closed paths", what,
             energy, most);
    tap_ok(fine < most && fine < 0.6 * coarse, claim);
}

static void make_ell(test_solid *s)
{
    static const double xy[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    static const uint32_t f[10][4] = {{0, 3, 2, 1},   {0, 5, 4, 3}, {6, 7, 8, 9}, {6, 9, 10, 11},
                                      {0, 1, 7, 6},   {1, 2, 8, 7}, {2, 3, 9, 8}, {3, 4, 10, 9},
                                      {4, 5, 11, 10}, {5, 0, 6, 11}};
    solid_start(s);
    for (uint32_t v = 0; v < 12; v++)
        solid_vertex(s, 0.7 * (xy[v % 6][0] - 5.0 / 6.0), 0.7 * (xy[v % 6][1] - 5.0 / 6.0),
                     v < 6 ? -0.35 : 0.35);
    for (uint32_t k = 0; k < 10; k++)
        solid_facet(s, f[k][0], f[k][1], f[k][2], f[k][3]);
    solid_finish(s);
}

int main(int argc, char **argv)
{
    fake_host fake;
    if (argc < 3) {
        printf("Bail out! usage: overlap_volume SDF.so CYRUS_BECK.so\n");
        return 1;
    }
    fake_init(&fake, 3);
    for (uint32_t k = 0; k < HULLS; k++)
        make_hull(&hull[k], &fake, 6 + k % 10);
    make_box(&box, 0.5, 0.5, 0.5);
    make_ell(&ell);
    test_volumes(argv[2]);
    test_boxes(argv[2], 1e-13);
    test_boxes(argv[1], 1.0);
    test_beds(argv[2]);
    test_bed_of_boxes(argv[2]);
    for (int by = BY_VOLUME; by <= BY_BED; by++) {
        test_paths(argv[2], "cyrus_beck, two hulls", NULL, by, 1e-4);
        test_paths(argv[1], "sdf, two hulls", NULL, by, 1e-3);
        test_paths(argv[1], "sdf, an L and a hull", &ell, by, 1e-3);
    }
    return tap_end();
}
