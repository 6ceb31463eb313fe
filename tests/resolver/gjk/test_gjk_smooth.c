// SPDX-License-Identifier: Apache-2.0
// Claims about the search and the proof of `gjk` for smooth solids: balls that roll inside, depths, work.
/*
 * usage: test_gjk_smooth [PAIRS]
 *
 * Superquadrics with the kernels of their plugin; everything else here is by the closed form of the support function in
 * long double: radii of curvature by differences, depths by 1 200 directions and a search downhill from the best.
 */
#include "../scene.h"

#include "gjk/least.h"
#include "gjk/roll.h"
#include "superquadric/superquadric.h"

typedef long double real;

/* ---- bodies ---- */

typedef struct body {
    superquadric_form form;
    scree_support support;
    smooth_view smooth;
    scree_implicit implicit;
    double half[3], ball; /* ball [m]: its radius, else 0 */
} body;

static uint32_t n_asked; /* support points */

static void farthest(const void *ctx, uint32_t n, const double *const d[3], double *const p[3])
{
    n_asked += n;
    superquadric_farthest(ctx, n, d[0], d[1], d[2], p[0], p[1], p[2]);
}

static void farthest_bent(const void *ctx, const double way[3][3], double p[3], double radii[3])
{
    n_asked++;
    superquadric_radii(ctx, way, p, radii);
}

static void value(const void *ctx, uint32_t n, const double *const x[3], double *out,
                  double *const g[3])
{
    n_asked += n;
    superquadric_value(ctx, n, x[0], x[1], x[2], out, g[0], g[1], g[2]);
}

static void make_body(body *s, const double axis[3], double m, double n, double size)
{
    const double half[3] = {size * axis[0], size * axis[1], size * axis[2]};
    memset(s, 0, sizeof *s);
    s->form = superquadric_of(half, m, n);
    s->support = (scree_support){.size = sizeof s->support, .ctx = &s->form, .farthest = farthest};
    s->smooth =
        (smooth_view){sizeof s->smooth, 0, superquadric_roll(&s->form), &s->form, farthest_bent};
    s->implicit = (scree_implicit){.size = sizeof s->implicit, .ctx = &s->form, .value = value};
    memcpy(s->half, half, sizeof half);
}

static void make_ball(body *s, double radius)
{
    memset(s, 0, sizeof *s);
    s->ball = radius;
}

/* Two bodies in the world; x of b is d. */
typedef struct scene {
    const body *of[2];
    double q[4][2], x[3][2], scale[2], radius[2], d[3];
    real m[2][3][3];
    scree_bodies bodies;
} scene;

static void start_scene(fake_host *f, scene *s, const body *a, const body *b)
{
    memset(s, 0, sizeof *s);
    s->bodies = (scree_bodies){
        .size = sizeof s->bodies, .dimension = 3, .n = 2, .scale = s->scale, .radius = s->radius};
    for (int k = 0; k < 4; k++)
        s->bodies.q[k] = s->q[k];
    for (int k = 0; k < 3; k++)
        s->bodies.x[k] = s->x[k];
    for (int k = 0; k < 2; k++) {
        double q[4];
        s->of[k] = k ? b : a;
        s->scale[k] = fake_uniform(f, 0.7, 1.4);
        s->radius[k] =
            s->scale[k] * (s->of[k]->ball > 0.0 ? s->of[k]->ball : sqrt(s->of[k]->form.longest2));
        random_turn(f, 3, q);
        for (int i = 0; i < 4; i++)
            s->q[i][k] = q[i];
        const real w = q[0], x = q[1], y = q[2], z = q[3];
        const real m[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                              {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                              {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
        memcpy(s->m[k], m, sizeof m);
    }
}

/* With its derivatives, or with only its support function, as shapes of others have. */
static convex body_at(const scene *s, uint32_t k, int smooth)
{
    const body *of = s->of[k];
    const scree_vec at = k ? scree_vec_of(s->d[0], s->d[1], s->d[2]) : scree_vec_of(0, 0, 0);
    convex c = convex_frame(&s->bodies, k, NULL, of->ball > 0.0 ? NULL : &of->support, at, NULL);
    c.smooth = smooth && !(of->ball > 0.0) ? &of->smooth : NULL;
    c.implicit = c.smooth && of->form.m + of->form.n > 4.0 ? &of->implicit : NULL;
    c.half = of->half;
    return c;
}

/* ---- the closed form ---- */

static real norm_of(real p, real q, real dual)
{
    const real large = fmaxl(p, q), t = large > 0 ? fminl(p, q) / large : 0;
    if (dual == 2)
        return sqrtl(p * p + q * q);
    return large * powl(1 + powl(t, dual), 1 / dual);
}

static real height_of(const superquadric_form *f, const real u[3])
{
    const real m = (real)f->m / ((real)f->m - 1), n = (real)f->n / ((real)f->n - 1);
    const real across = norm_of(fabsl(u[0]) * f->axis[0], fabsl(u[1]) * f->axis[1], m);
    return norm_of(across, fabsl(u[2]) * f->axis[2], n);
}

static real height(const scene *s, int k, const real n[3])
{
    real u[3];
    if (s->of[k]->ball > 0.0)
        return (real)s->scale[k] * (real)s->of[k]->ball;
    for (int i = 0; i < 3; i++)
        u[i] = s->m[k][0][i] * n[0] + s->m[k][1][i] * n[1] + s->m[k][2][i] * n[2];
    return (real)s->scale[k] * height_of(&s->of[k]->form, u);
}

static real dotl(const real a[3], const real b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Bodies are even: h_b(-n) = h_b(n). */
static real depth_along(const scene *s, const real n[3])
{
    const real d[3] = {s->d[0], s->d[1], s->d[2]};
    return height(s, 0, n) + height(s, 1, n) - dotl(n, d);
}

static void unit3(real a[3])
{
    const real length = sqrtl(dotl(a, a));
    for (int k = 0; k < 3; k++)
        a[k] /= length;
}

static void across3(const real n[3], real u[3], real v[3])
{
    const real *axis = fabsl(n[0]) < 0.6L ? (const real[]){1, 0, 0} : (const real[]){0, 1, 0};
    for (int k = 0; k < 3; k++)
        u[k] = axis[(k + 1) % 3] * n[(k + 2) % 3] - axis[(k + 2) % 3] * n[(k + 1) % 3];
    unit3(u);
    for (int k = 0; k < 3; k++)
        v[k] = n[(k + 1) % 3] * u[(k + 2) % 3] - n[(k + 2) % 3] * u[(k + 1) % 3];
}

/* Goes downhill from n by steps on the sphere that halve; creases of edges end it early. */
static real descend(const scene *s, real n[3])
{
    static const int to[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    real least = depth_along(s, n), step = 0.03L;
    for (int round = 0; round < 120 && step > 1e-9L; round++) {
        real u[3], v[3], best[3], lower = least;
        across3(n, u, v);
        for (int way = 0; way < 4; way++) {
            real at[3];
            for (int k = 0; k < 3; k++)
                at[k] = n[k] + step * (to[way][0] * u[k] + to[way][1] * v[k]);
            unit3(at);
            const real depth = depth_along(s, at);
            if (depth < lower) {
                lower = depth;
                memcpy(best, at, sizeof best);
            }
        }
        if (lower < least)
            memcpy(n, best, sizeof best);
        else
            step /= 2;
        least = lower;
    }
    return least;
}

/* The least of all; n: its direction. */
static real search(const scene *s, real n[3])
{
    enum { DIRECTIONS = 1200, STARTS = 3 };
    real start[STARTS][3], value[STARTS] = {HUGE_VALL, HUGE_VALL, HUGE_VALL}, least = HUGE_VALL;
    for (int i = 0; i < DIRECTIONS; i++) {
        const real z = 1 - (2 * i + 1) / (real)DIRECTIONS, r = sqrtl(1 - z * z),
                   turn = i * 2.399963229728653322L;
        const real to[3] = {r * cosl(turn), r * sinl(turn), z}, depth = depth_along(s, to);
        int at = STARTS;
        for (; at > 0 && depth < value[at - 1]; at--)
            if (at < STARTS) {
                value[at] = value[at - 1];
                memcpy(start[at], start[at - 1], sizeof to);
            }
        if (at < STARTS) {
            value[at] = depth;
            memcpy(start[at], to, sizeof to);
        }
    }
    for (int k = 0; k < STARTS; k++) {
        const real depth = descend(s, start[k]);
        if (depth < least) {
            least = depth;
            memcpy(n, start[k], sizeof start[k]);
        }
    }
    return least;
}

/* ---- radii and rolling balls ---- */

static const struct {
    double axis[3], m, n;
} forms[] = {
    {{1.0, 0.8, 0.5}, 2.0, 2.0},  {{10.0, 1.0, 1.0}, 2.0, 2.0},  {{10.0, 10.0, 1.0}, 2.0, 2.0},
    {{1.0, 0.8, 0.5}, 4.0, 4.0},  {{1.0, 0.8, 0.5}, 2.5, 2.5},   {{1.0, 0.8, 0.5}, 8.0, 8.0},
    {{1.0, 0.8, 0.5}, 2.0, 8.0},  {{1.0, 0.8, 0.5}, 8.0, 2.0},   {{0.5, 0.7, 1.0}, 3.0, 6.0},
    {{10.0, 1.0, 1.0}, 4.0, 4.0}, {{10.0, 10.0, 1.0}, 6.0, 3.0}, {{0.6, 0.6, 1.0}, 20.0, 40.0},
    {{1.0, 0.8, 0.5}, 1.5, 1.5},  {{1.0, 0.8, 0.5}, 1.5, 4.0},   {{1.0, 1.0, 1.0}, 2.0, 2.0},
};

static void random_way(fake_host *f, real n[3])
{
    do
        for (int k = 0; k < 3; k++)
            n[k] = fake_uniform(f, -1.0, 1.0);
    while (dotl(n, n) > 1 || dotl(n, n) < 0.01L);
    unit3(n);
}

/* The gradient of the support function by differences: the farthest point. */
static void point_of(const superquadric_form *f, const real n[3], real p[3])
{
    const real h = 1e-6L;
    for (int k = 0; k < 3; k++) {
        real ahead[3] = {n[0], n[1], n[2]}, behind[3] = {n[0], n[1], n[2]};
        ahead[k] += h;
        behind[k] -= h;
        p[k] = (height_of(f, ahead) - height_of(f, behind)) / (2 * h);
    }
}

/* Errors of surfaces. */
typedef struct surface_tally {
    real off, inside;
    uint32_t n_rolls, n_other;
} surface_tally;

/* The radius of curvature along t by second differences of h. */
static real radius_of(const superquadric_form *f, const real n[3], const real t[3])
{
    const real h = 1e-4L;
    real sum = 0;
    for (int side = -1; side < 2; side++) {
        real to[3];
        for (int k = 0; k < 3; k++)
            to[k] = n[k] + side * h * t[k];
        sum += (side ? 1 : -2) * height_of(f, to);
    }
    return sum / (h * h);
}

/* The ball inside of the point with the normal n: its points along m, half of them next to n. */
static real roll_at(fake_host *f, const superquadric_form *of, real roll, const real n[3])
{
    real p[3], most = 0;
    point_of(of, n, p);
    for (int i = 0; i < 60; i++) {
        double on[3], value, g[3];
        real m[3];
        random_way(f, m);
        if (i % 2) {
            const real near = powl(10, -(real)fake_uniform(f, 0.5, 3.0));
            for (int k = 0; k < 3; k++)
                m[k] = n[k] + near * m[k];
            unit3(m);
        }
        for (int k = 0; k < 3; k++)
            on[k] = (double)(p[k] + roll * (m[k] - n[k]));
        superquadric_value(of, 1, &on[0], &on[1], &on[2], &value, &g[0], &g[1], &g[2]);
        most = fmaxl(most, (real)value / of->least);
    }
    return most;
}

static void look_at(fake_host *f, const superquadric_form *of, surface_tally *out)
{
    const double roll = superquadric_roll(of);
    double way[3][3], p[3], radii[3], plain[3];
    real n[3], t[2][3];
    random_way(f, n);
    across3(n, t[0], t[1]);
    for (int k = 0; k < 3; k++) {
        way[0][k] = (double)n[k];
        way[1][k] = (double)t[0][k];
        way[2][k] = (double)t[1][k];
    }
    superquadric_radii(of, (const double(*)[3])way, p, radii);
    superquadric_farthest(of, 1, &way[0][0], &way[0][1], &way[0][2], &plain[0], &plain[1],
                          &plain[2]);
    out->n_other += memcmp(p, plain, sizeof p) != 0;
    if (fminl(fminl(fabsl(n[0]), fabsl(n[1])), fabsl(n[2])) > 0.1L) // not next to flat places
        for (int k = 0; k < 2; k++) {
            const real radius = radius_of(of, n, t[k]);
            out->off = fmaxl(out->off, fabsl(radii[k] - radius) / (of->least + radius));
        }
    if (!(roll > 0.0))
        return;
    out->n_rolls++;
    out->inside = fmaxl(out->inside, roll_at(f, of, roll, n));
}

static void test_surfaces(fake_host *f)
{
    surface_tally all = {0};
    for (uint32_t k = 0; k < SCREE_COUNT(forms); k++) {
        const superquadric_form of = superquadric_of(forms[k].axis, forms[k].m, forms[k].n);
        for (int i = 0; i < 400; i++)
            look_at(f, &of, &all);
    }
    claim(all.n_other == 0, "the point is that of the support function, to the bit");
    claim(all.off < 1e-5L,
          "radii of curvature are the second differences of the closed form, %.1Le", all.off);
    claim(all.n_rolls >= 5000 && all.inside < 1e-9L,
          "the ball that rolls inside is inside at %u points of the surface, but for %.1Le of the "
          "size",
          all.n_rolls, all.inside);
}

/* ---- pairs ---- */

typedef struct family {
    const char *name;
    uint32_t a, b;          /* into forms[]; b == SCREE_NONE: the other one is a ball */
    double low, high, size; /* depths in parts of the shortest half axis, and the size [m] */
    uint32_t most; /* support points of a pair that the proof may take; 0: it may be missed */
} family;

static const family families[] = {
    {"ellipsoids", 0, 0, 0.001, 0.02, 1.0, 3},
    {"ellipsoids that are apart", 0, 0, -0.02, -0.0001, 1.0, 3},
    {"ellipsoids, deep", 0, 0, 0.1, 1.0, 1.0, 4},
    {"needles", 1, 1, 0.001, 0.02, 1.0, 9},
    {"needles, deep", 1, 1, 0.05, 1.0, 1.0, 12},
    {"plates", 2, 2, 0.001, 0.02, 1.0, 14},
    {"plates, deep", 2, 2, 0.05, 1.0, 1.0, 18},
    {"needle and plate", 1, 2, 0.001, 0.02, 1.0, 14},
    {"exponent 4", 3, 3, 0.001, 0.02, 1.0, 40},
    {"exponent 4, deep", 3, 3, 0.1, 1.0, 1.0, 40},
    {"exponent 2.5", 4, 4, 0.001, 0.02, 1.0, 18},
    {"exponent 8", 5, 5, 0.001, 0.02, 1.0, 0},
    {"exponents 2 and 8", 6, 7, 0.001, 0.02, 1.0, 0},
    {"exponents 3 and 6, 4", 8, 3, 0.001, 0.02, 1.0, 40},
    {"needle and plate, exponents 4, 6 and 3", 9, 10, 0.001, 0.02, 1.0, 0},
    {"exponents 20 and 40", 11, 11, 0.0005, 0.005, 1.0, 0},
    {"exponent 1.5", 12, 12, 0.001, 0.02, 1.0, 1},
    {"exponent 1.5, and an ellipsoid", 12, 0, 0.001, 0.02, 1.0, 14},
    {"exponents 1.5 and 4, and 4", 13, 3, 0.001, 0.02, 1.0, 40},
    {"ball and ellipsoid", 0, SCREE_NONE, 0.001, 0.02, 1.0, 2},
    {"ball and needle, deep", 1, SCREE_NONE, 0.05, 1.0, 1.0, 9},
    {"ball and exponent 8", 5, SCREE_NONE, 0.001, 0.02, 1.0, 0},
    {"ellipsoids of 1 um", 0, 0, 0.001, 0.02, 1e-6, 3},
    {"ellipsoids of 1 km", 0, 0, 0.001, 0.02, 1e3, 3},
    {"exponent 4 of 1 um", 3, 3, 0.001, 0.02, 1e-6, 40},
    {"exponent 4 of 1 km", 3, 3, 0.001, 0.02, 1e3, 40},
    {"spheres", 14, 14, 0.001, 0.5, 1.0, 3},
};

typedef struct tally {
    uint32_t n, proved, deep;
    uint32_t lost;  /* pairs that overlap, or are within the range, without a contact */
    uint32_t wrong; /* proofs of depths beyond the radius, or none where one is expected */
    double asked, over, apart, other;
} tally;

/* Moves b until the least depth is about `wanted`, more than 0 or a gap. */
static real place(fake_host *f, scene *s, double wanted, real n[3])
{
    random_way(f, n);
    memset(s->d, 0, sizeof s->d);
    real depth = depth_along(s, n);
    for (int round = 0; round < 4; round++) {
        for (int k = 0; k < 3; k++)
            s->d[k] += (double)((depth - (real)wanted) * n[k]);
        depth = search(s, n);
        if (fabsl(depth - (real)wanted) < 0.3L * fabsl((real)wanted))
            break;
    }
    return depth;
}

static void try_pair(const scene *s, real least, double size, void *room, tally *t)
{
    const convex a = body_at(s, 0, 1), b = body_at(s, 1, 1);
    const convex plain_a = body_at(s, 0, 0), plain_b = body_at(s, 1, 0);
    const double range = 0.05 * size, radius = roll_radius(&a, &b);
    span known = {0}, all, plain;
    t->n++;
    n_asked = 0;
    const int state = roll_span(&a, &b, range, &known);
    t->asked += n_asked;
    t->proved += state == ROLL_LEAST;
    t->deep += least > (real)radius;
    t->wrong += state == ROLL_LEAST && !(known.depth <= radius);
    if (!least_span(&a, &b, range, room, &all) ||
        !least_span(&plain_a, &plain_b, range, room, &plain)) {
        t->lost += least > -(real)range * (1 - 1e-12L);
        return;
    }
    const real n[3] = {all.normal.x, all.normal.y, all.normal.z};
    t->over = fmax(t->over, (double)(all.depth - least) / size);
    t->apart = fmax(t->apart, (double)fabsl(all.depth - depth_along(s, n)) / size);
    t->other = fmax(t->other, fabs(all.depth - plain.depth) / size);
}

static tally try_family(fake_host *f, const family *of, uint32_t n, void *room)
{
    tally t = {0};
    body a, b;
    const double *axis = forms[of->a].axis;
    const double least = of->size * fmin(fmin(axis[0], axis[1]), axis[2]);
    make_body(&b, axis, forms[of->a].m, forms[of->a].n, of->size);
    if (of->b == SCREE_NONE)
        make_ball(&a, least);
    else
        make_body(&a, forms[of->b].axis, forms[of->b].m, forms[of->b].n, of->size);
    for (uint32_t i = 0; i < n; i++) {
        scene s;
        real to[3];
        start_scene(f, &s, &a, &b);
        const double size = fmin(s.radius[0], s.radius[1]);
        const double part = of->low * pow(of->high / of->low, fake_uniform(f, 0.0, 1.0));
        const real depth = place(f, &s, part * least, to);
        try_pair(&s, depth, size, room, &t);
    }
    const uint32_t flat = of->most > 20 ? t.n / 10 : 0; // touch next to a flat place
    const int missed = of->most && t.proved + t.deep + flat < t.n;
    t.wrong += (uint32_t)(missed || (of->most && t.asked > of->most * (double)t.n));
    note("%s: %.1f support points a pair, %u of %u proved, %u deeper than the radius; above the "
         "least %.1e, off its normal %.1e, off the other search %.1e",
         of->name, t.asked / t.n, t.proved, t.n, t.deep, t.over, t.apart, t.other);
    return t;
}

int main(int argc, char **argv)
{
    const uint32_t n = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 20;
    fake_host fake;
    void *room = malloc(least_bytes());
    fake_init(&fake, 3);
    test_surfaces(&fake);
    tally all = {0};
    for (uint32_t k = 0; k < SCREE_COUNT(families); k++) {
        const tally t = try_family(&fake, &families[k], n, room);
        all.over = fmax(all.over, t.over);
        all.apart = fmax(all.apart, t.apart);
        all.other = fmax(all.other, t.other);
        all.wrong += t.wrong;
        all.lost += t.lost;
        all.deep += t.deep;
        all.n += t.n;
    }
    claim(all.over < 1e-14 && all.lost == 0,
          "no depth of %u pairs is above the least of 1 200 directions and a search, %.1e, and no "
          "contact is lost",
          all.n, all.over);
    claim(all.apart < 1e-14, "each depth is the one along its normal by the closed form, %.1e",
          all.apart);
    claim(all.other < 1e-13,
          "bodies with only a support function have the same depths, by the longer search, %.1e",
          all.other);
    claim(all.wrong == 0 && all.deep >= n,
          "of smooth pairs, but for a tenth with flat places, all are proved whose depth is within "
          "the radius of the ball that rolls "
          "inside, none of %u others; with few support points",
          all.deep);
    free(room);
    return tap_end();
}
