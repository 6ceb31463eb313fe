/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Global contact detection by a binary space partition whose planes may have any direction.
 *
 * Sources  [1] O'Connor, R. M. (1996): A distributed discrete element modeling environment, MIT,
 *          2.2, "Binary Space Partition Trees". [2] Fuchs, H., Kedem, Z. and Naylor, B. (1980): On
 *          visible surface generation by a priori tree structures, Computer Graphics 14 (3),
 *          124-133.
 * Taken    A plane of arbitrary direction halves the objects of a cell; of several planes that one
 *          is taken which leaves more objects wholly on one side; partitions stay until objects
 *          have moved past a threshold (his motion tracking).
 * Idea     Boxes in slanting sheets or strands are parted along these.
 *
 *             \  o   o        a plane across an axis would cut
 *              \    o         half of the strand's boxes,
 *            o  \  o  o       the slanting one cuts none
 *          o   o \
 *
 * Steps    1. When more than `share` of the boxes are further than `threshold` mean sides from
 *             where they were: every cell with more than `capacity` boxes is cut by the best of
 *             these planes, all through the median of the centres: across the axes, across the
 *             diagonals of two axes, across the direction in which the centres spread most (power
 *             iteration on their covariances) and across the one at right angles to it. The best
 *             has the fewest boxes on both its sides, by a sample of 64. A cell stays whole when no
 *             plane parts half of its boxes.
 *          2. Boxes are entered into each leaf that they meet, by the ends of their projections;
 *             given a list, only the moved ones.
 *          3. Pivots are leaves, or the leaves of few moved boxes. The pair of two boxes that
 *             share leaves belongs to the leaf on the lower side of every plane that cuts both of
 *             them.
 * Cost     O(N log N) to make the tree and to map into it: a walk of log N planes per box, twice
 *          that of a tree across the axes. Some 3 entries of 56 bytes per box (2D: 40), three
 *          times that while it is made.
 * Deviations  The source does not treat pairs that share several leaves. A reference point, as for
 *          grids, would have to be looked up per pair (measured: the search takes ten times as
 *          long); the rule of step 3 is one test of two masks [space/space.h]. The source names
 *          neither candidates for planes nor a measure, and its threshold counts for each single
 *          object (`share` 0).
 * Limits   As the source says, for boxes that move little: making the tree costs several searches.
 *          A plane meets the projection of a box, so a slanting one cuts more than it would cut
 *          spheres. At most 32 planes above one another.
 */
#include "space/params.h"

#define SAMPLE 64u
#define ROUNDS 8u /* rounds of the power iteration */
#define MOST_NORMALS 12u
#define WORTH 0.5 /* share of the sample that a plane may leave on both sides */

typedef struct settings {
    space_drift drift;
    int64_t capacity, depth;
} settings;

typedef struct sample {
    uint32_t n;
    double lo[SAMPLE][3], hi[SAMPLE][3];
} sample;

static void take_sample(const space *s, const space_cell *v, sample *a)
{
    a->n = v->count < SAMPLE ? v->count : SAMPLE;
    for (uint32_t e = 0; e < a->n; e++)
        scree_space_entry(s, v, (uint32_t)((uint64_t)e * v->count / a->n), a->lo[e], a->hi[e]);
}

/* ---- directions ---- */

static void centre_of(const sample *a, uint32_t e, double x[3])
{
    for (uint32_t k = 0; k < 3; k++)
        x[k] = 0.5 * a->lo[e][k] + 0.5 * a->hi[e][k];
}

/* Divides by the largest component, so that squares do not overflow; 0: all are 0. */
static int scale_to_one(double v[3])
{
    double largest = 0.0;
    for (uint32_t k = 0; k < 3; k++)
        largest = scree_max(largest, fabs(v[k]));
    if (!(largest > 0.0 && largest < HUGE_VAL))
        return 0;
    for (uint32_t k = 0; k < 3; k++)
        v[k] /= largest;
    return 1;
}

/* Finds the direction in which the centres spread most; 0: they do not spread. */
static int find_spread(const sample *a, uint32_t axes, double v[3])
{
    double mean[3] = {0.0, 0.0, 0.0}, x[3];
    for (uint32_t e = 0; e < a->n; e++) {
        centre_of(a, e, x);
        for (uint32_t k = 0; k < 3; k++)
            mean[k] += x[k] / a->n;
    }
    v[0] = 1.0;
    v[1] = 0.7;
    v[2] = axes == 3 ? 0.4 : 0.0; // a direction that is rarely at right angles to the result
    for (uint32_t round = 0; round < ROUNDS; round++) {
        double sum[3] = {0.0, 0.0, 0.0};
        for (uint32_t e = 0; e < a->n; e++) {
            double along = 0.0;
            centre_of(a, e, x);
            for (uint32_t k = 0; k < 3; k++)
                along += (x[k] - mean[k]) * v[k];
            for (uint32_t k = 0; k < 3; k++)
                sum[k] += (x[k] - mean[k]) * along;
        }
        if (!scale_to_one(sum))
            return 0;
        memcpy(v, sum, sizeof sum);
    }
    return 1;
}

static uint32_t list_normals(const sample *a, uint32_t axes, double normal[MOST_NORMALS][3])
{
    double v[3];
    uint32_t n = 0;
    memset(normal, 0, MOST_NORMALS * sizeof *normal);
    for (uint32_t k = 0; k < axes; k++)
        normal[n++][k] = 1.0;
    for (uint32_t k = 0; k < axes; k++)
        for (uint32_t m = k + 1; m < axes; m++)
            for (uint32_t sign = 0; sign < 2; sign++, n++) {
                normal[n][k] = 1.0;
                normal[n][m] = sign ? -1.0 : 1.0;
            }
    if (find_spread(a, axes, v)) {
        memcpy(normal[n++], v, sizeof v);
        normal[n][0] = -v[1]; // at right angles, in the plane of x and y
        normal[n++][1] = v[0];
    }
    return n;
}

/* ---- planes ---- */

static void project(const sample *a, uint32_t e, const double normal[3], double *low, double *high)
{
    *low = *high = 0.0;
    for (uint32_t k = 0; k < 3; k++) {
        const double u = normal[k] * a->lo[e][k], v = normal[k] * a->hi[e][k];
        *low += u < v ? u : v;
        *high += u < v ? v : u;
    }
}

/* Puts the plane through the median of the centres. Returns the cost of the plane: the number of
 * boxes that it cuts, plus a quarter of the difference between the numbers of boxes on its two
 * sides. If one side has no uncut box, the cost is higher than the number of all boxes. */
static double judge_plane(const sample *a, const double normal[3], double *offset)
{
    double middle[SAMPLE], low[SAMPLE], high[SAMPLE];
    uint32_t both = 0, below = 0, above = 0;
    for (uint32_t e = 0; e < a->n; e++) {
        project(a, e, normal, &low[e], &high[e]);
        middle[e] = 0.5 * low[e] + 0.5 * high[e];
    }
    scree_space_sort(middle, a->n);
    *offset = 0.5 * middle[a->n / 2 - 1] + 0.5 * middle[a->n / 2];
    for (uint32_t e = 0; e < a->n; e++) {
        below += high[e] < *offset;
        above += low[e] >= *offset;
    }
    both = a->n - below - above;
    const double uneven = below > above ? below - above : above - below;
    return below && above && *offset<HUGE_VAL && * offset> - HUGE_VAL ? both + 0.25 * uneven
                                                                      : 2.0 * SAMPLE;
}

static int refine(space *s, uint32_t cell, space_split *how)
{
    const settings *c = s->config;
    const space_cell *v = &s->cells[cell];
    double normal[MOST_NORMALS][3], least = 2.0 * SAMPLE;
    sample a;
    if (v->count <= c->capacity || v->depth >= c->depth || v->count < 2)
        return 0;
    take_sample(s, v, &a);
    const uint32_t n = list_normals(&a, s->axes, normal);
    *how = (space_split){.kind = SPACE_PLANE, .n = {2, 1, 1}};
    for (uint32_t k = 0; k < n; k++) {
        double offset;
        const double cost = judge_plane(&a, normal[k], &offset);
        if (!(cost < least))
            continue;
        least = cost;
        how->offset = offset;
        memcpy(how->normal, normal[k], sizeof how->normal);
    }
    return least <= WORTH * a.n;
}

static const space_method method = {"bsp", 0, scree_space_outdated, NULL, refine, NULL};

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    return scree_space_create(host, config, &method, instance);
}

static const scree_gcd_ops ops = {
    .size = sizeof(scree_gcd_ops),
    .create = create,
    .destroy = scree_space_destroy,
    .init = scree_space_init,
    .step_init = scree_space_step_init,
    .find_neighbors = scree_space_find_neighbors,
    .find_objects = scree_space_find_objects,
    .bytes = scree_space_bytes,
};

SCREE_INT_PARAM(settings, capacity, 0, 24, 1, 1000000, "boxes in a leaf above which it is cut");
SCREE_INT_PARAM(settings, depth, 0, SPACE_PLANES, 0, SPACE_PLANES,
                "planes above one another, at most");
static const scree_param *const params[] = {&param_capacity, &param_depth, &param_threshold,
                                            &param_share};

static const scree_plugin descriptor = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_GCD,
    .flags = SCREE_CAP_INCREMENTAL,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "bsp",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "binary space partition by planes of any direction",
    .summary =
        "Cells are halved by planes of any direction, those that cut the fewest boxes; a "
        "box is entered into each leaf that it meets. The tree is made again when boxes have "
        "moved past a threshold.",
    .citation = "O'Connor, R. M. (1996): A distributed discrete element modeling environment, MIT; "
                "Fuchs, H., Kedem, Z. and Naylor, B. (1980): Computer Graphics 14 (3), 124-133",
    .config_size = sizeof(settings),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&descriptor);
