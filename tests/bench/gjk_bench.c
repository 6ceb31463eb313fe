// SPDX-License-Identifier: Apache-2.0
// Cost of the resolver `gjk` per pair, next to libccd on the same pairs.
/*
 * usage: gjk_bench PLUGIN.so [PAIRS]
 *
 * Random convex pairs of several kinds, apart, touching, deep and of an overlap of 1e-3, each resolved many times. Prints ns per pair: of
 * the plugin without a hint and with that of the call before, and of libccd's ccdGJKIntersect (yes or no),
 * ccdGJKPenetration and ccdMPRPenetration with tolerances of 1e-6; then, of the pairs that overlap, how many depths
 * of libccd are more than 1 % off the plugin's, and the worst ratio. The support functions are the same.
 */
#include <ccd/ccd.h>
#include <time.h>

#include "../resolver/gjk/gjk_pairs.h"

enum { CALLS = 20 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* A body as libccd sees it, in doubles. */
typedef struct ccd_body {
    const solid *of;
    double m[3][3], scale, at[3], core[3][MOST_POINTS], round;
} ccd_body;

static void ccd_support(const void *object, const ccd_vec3_t *dir, ccd_vec3_t *out)
{
    const ccd_body *b = object;
    const double *n = dir->v;
    double p[3];
    if (b->of->type != TYPE_SUPER) {
        uint32_t best = 0;
        double most = -HUGE_VAL;
        for (uint32_t k = 0; k < b->of->n; k++) {
            const double at = n[0] * b->core[0][k] + n[1] * b->core[1][k] + n[2] * b->core[2][k];
            best = at > most ? k : best;
            most = fmax(at, most);
        }
        const double by = b->round / sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int k = 0; k < 3; k++)
            p[k] = b->core[k][best] + (b->round > 0.0 ? by * n[k] : 0.0);
    } else {
        double u[3], v[3];
        for (int k = 0; k < 3; k++)
            u[k] = b->m[0][k] * n[0] + b->m[1][k] * n[1] + b->m[2][k] * n[2];
        farthest_super(b->of, u, v);
        for (int k = 0; k < 3; k++)
            p[k] =
                b->at[k] + b->scale * (b->m[k][0] * v[0] + b->m[k][1] * v[1] + b->m[k][2] * v[2]);
    }
    ccdVec3Set(out, p[0], p[1], p[2]);
}

static void ccd_centre(const void *object, ccd_vec3_t *out)
{
    const ccd_body *b = object;
    ccdVec3Set(out, b->at[0], b->at[1], b->at[2]);
}

static void set_ccd(ccd_body *b, const placed *p)
{
    b->of = p->of;
    b->scale = (double)p->scale;
    b->round = (double)p->round;
    b->at[0] = (double)p->at.x;
    b->at[1] = (double)p->at.y;
    b->at[2] = (double)p->at.z;
    for (int i = 0; i < 9; i++)
        b->m[i / 3][i % 3] = (double)p->m[i / 3][i % 3];
    for (uint32_t k = 0; k < p->of->n; k++) {
        b->core[0][k] = (double)p->core[k].x;
        b->core[1][k] = (double)p->core[k].y;
        b->core[2][k] = (double)p->core[k].z;
    }
}

typedef struct costs {
    double gjk, hinted, intersect, penetration, mpr, worst_penetration, worst_mpr;
    uint32_t n, n_over, off_penetration, off_mpr;
} costs;

/* The least translation; by all axes where pairs have several contacts. */
static double least_depth(void)
{
    return solids[0].type == TYPE_HULL && solids[1].type == TYPE_HULL
               ? (double)exact_depth(&placed_at[0], &placed_at[1])
               : touches.depth[0];
}

static void judge(double depth, double least, uint32_t *off, double *worst)
{
    *off += fabs(depth - least) > 0.01 * least;
    if (fabs(depth / least - 1.0) > fabs(*worst))
        *worst = depth / least - 1.0;
}

/* Moves b until the pair overlaps by 1e-3 of its size, as bodies do in a run. */
static void make_shallow(subject *s)
{
    static const uint32_t order[2] = {0, 1};
    const double wanted = 1e-3 * fmin(pair.radius[0], pair.radius[1]);
    for (int round = 0; round < 20; round++) {
        if (touch_ordered(s, &pair, order, pair.d, 9.0, NULL, &touches) == 0)
            return;
        uint32_t c = 0;
        for (uint32_t k = 1; k < touches.out.n; k++)
            c = touches.depth[k] > touches.depth[c] ? k : c;
        for (int k = 0; k < 3; k++)
            pair.d[k] += (touches.depth[c] - wanted) * touches.normal[k][c];
        set_pair(s);
    }
}

static void time_pair(subject *s, costs *c)
{
    static const uint32_t order[2] = {0, 1};
    static ccd_body body[2];
    double hint[HINT_WORDS] = {0}, depth = 0.0;
    ccd_vec3_t dir, pos;
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = ccd_support;
    ccd.center1 = ccd.center2 = ccd_centre;
    ccd.max_iterations = 500;
    ccd.epa_tolerance = ccd.mpr_tolerance = ccd.dist_tolerance = 1e-6;
    set_ccd(&body[0], &placed_at[0]);
    set_ccd(&body[1], &placed_at[1]);
    double t[6];
    t[0] = now();
    for (int k = 0; k < CALLS; k++)
        touch_ordered(s, &pair, order, pair.d, 0.0, NULL, &touches);
    t[1] = now();
    for (int k = 0; k < CALLS; k++)
        touch_ordered(s, &pair, order, pair.d, 0.0, hint, &touches);
    t[2] = now();
    for (int k = 0; k < CALLS; k++)
        ccdGJKIntersect(&body[0], &body[1], &ccd);
    t[3] = now();
    for (int k = 0; k < CALLS; k++)
        if (ccdGJKPenetration(&body[0], &body[1], &ccd, &depth, &dir, &pos) != 0)
            depth = 0.0;
    t[4] = now();
    const double by_gjk = depth;
    for (int k = 0; k < CALLS; k++)
        if (ccdMPRPenetration(&body[0], &body[1], &ccd, &depth, &dir, &pos) != 0)
            depth = 0.0;
    t[5] = now();
    double *const sums[5] = {&c->gjk, &c->hinted, &c->intersect, &c->penetration, &c->mpr};
    for (int k = 0; k < 5; k++)
        *sums[k] += (t[k + 1] - t[k]) / CALLS;
    c->n++;
    if (touches.out.n == 0 || !(least_depth() > 1e-4))
        return;
    c->n_over++;
    judge(by_gjk, least_depth(), &c->off_penetration, &c->worst_penetration);
    judge(depth, least_depth(), &c->off_mpr, &c->worst_mpr);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int a, b;
    } kinds[] = {{"polytope - polytope", TYPE_HULL, TYPE_HULL},
                 {"polytope - superquadric", TYPE_HULL, TYPE_SUPER},
                 {"superquadric - superquadric", TYPE_SUPER, TYPE_SUPER},
                 {"ball - polytope", TYPE_BALL, TYPE_HULL},
                 {"ball - superquadric", TYPE_BALL, TYPE_SUPER}};
    static const char *const places[] = {"apart", "touching", "deep", "shallow"};
    const uint32_t n = argc > 2 ? (uint32_t)atoi(argv[2]) : 200;
    subject s;
    if (argc < 2)
        return 2;
    start_resolver(&s, argv[1], 3, NULL);
    s.fake.keeps_scratch = 1;
    printf("%-28s %-9s %8s %8s %10s %8s %8s   off by 1 %% (worst): penetration, mpr\n",
           "ns per pair", "", "gjk", "hinted", "intersect", "penetr.", "mpr");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (uint32_t place = 0; place < 4; place++) {
            costs c = {0};
            for (uint32_t i = 0; i < n; i++) {
                random_pair(&s, kinds[k].a, kinds[k].b, place < 3 ? place : 1);
                if (place == 3)
                    make_shallow(&s);
                time_pair(&s, &c);
            }
            printf("%-28s %-9s %8.0f %8.0f %10.0f %8.0f %8.0f   %u (%+.2g), %u (%+.2g) of %u\n",
                   kinds[k].name, places[place], c.gjk / n, c.hinted / n, c.intersect / n,
                   c.penetration / n, c.mpr / n, c.off_penetration, c.worst_penetration, c.off_mpr,
                   c.worst_mpr, c.n_over);
        }
    stop_resolver(&s);
    return 0;
}
