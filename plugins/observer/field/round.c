// SPDX-License-Identifier: Apache-2.0
// Which share of a ball is in which cells of a cylinder: rings, sectors, slices.
/*
 * Idea: at height z the ball is a disc of radius rho = sqrt(R^2 - (z - z0)^2), its centre at distance D
 * from the axis. The circle of radius r about the axis is within the disc over an angle 2 beta,
 *
 *     cos beta = (r^2 + D^2 - rho^2) / (2 r D),   beta = pi for r < rho - D,
 *
 * and each sector has its part of that angle. So a share is the integral of r times the angle over
 * r and z. Each piece between borders uses the rule of Gauss and Legendre with 3 to 6 points,
 * depending on its length over the radius of the ball. The substitution t -> 3 t^2 - 2 t^3 removes
 * roots at the ends. Radii at which the outline of the disc meets a border of sectors, and heights
 * at which the disc begins to touch a border or the axis, are borders too, because the angle has a
 * bend there.
 *
 * A ball that only slices cut has a closed form. Otherwise the shares are divided by their sum,
 * including the share outside the grid: a ball within the grid counts as 1 to rounding.
 */
#include <math.h>

#include "field.h"
#include "numeric.h"

/* A sector seen from the angle of the ball's centre, -pi <= from < to <= pi. */
typedef struct round_arc {
    double from, to;
    uint64_t sector;
} round_arc;

/* A ball in the axes of the cylinder, and its sums. */
typedef struct round_ball {
    const field_grid *g;
    double distance, phi, z, radius; // of the centre; radius of the ball
    double total;
    double *sectors;         // [n1] sectors of the current ring and slice; NULL: outside
    double *radii, *heights; // room for borders: [2 n1 + 3], [2 n1 + 10]
    double *edge, *c, *s;    // [n1 + 1] borders: angle; cosine and sine seen from the centre
    uint32_t first, n;       // sectors that the ball reaches, from `first` on around the axis
    struct round_arc *arcs;  // [n1 + 1] angles of these sectors
    uint32_t n_arcs;
} round_ball;

static double arcsine(double t)
{
    t = t < -1.0 ? -1.0 : t > 1.0 ? 1.0 : t;
    return field_atan2(t, sqrt((1.0 - t) * (1.0 + t)));
}

static double overlap(double a, double b, double c, double d)
{
    const double length = scree_min(b, d) - scree_max(a, c);
    return length > 0.0 ? length : 0.0;
}

/* Adds `by` for each radian of [phi - beta, phi + beta], to each sector its part. */
static void add_angle(round_ball *b, double beta, double by)
{
    b->total += 2.0 * beta * by;
    if (!b->sectors)
        return;
    if (b->g->n[1] == 1) {
        b->sectors[0] += 2.0 * beta * by;
        return;
    }
    for (uint32_t i = 0; i < b->n_arcs; i++)
        b->sectors[b->arcs[i].sector] += overlap(b->arcs[i].from, b->arcs[i].to, -beta, beta) * by;
}

/* Nodes of the rule of a piece: a short one has a small part of the ball. */
static int nodes_of(const round_ball *b, double length)
{
    const double share = length / b->radius;
    return share > 1.2 ? 6 : share > 0.6 ? 5 : share > 0.25 ? 4 : 3;
}

/* Half angles of the circles about the axis at the nodes of [from, from + size]. acos is the polynomial
 * of Abramowitz and Stegun 1964, 4.4.46, to 2e-8: far better than the rule, and without a table. */
static void half_angles(const round_ball *b, double rho, double from, double size, int n,
                        double *restrict beta)
{
    static const double a[8] = {1.5707963050, -0.2145988016, 0.0889789874, -0.0501743046,
                                0.0308918810, -0.0170881256, 0.0066700901, -0.0012624911};
    const double *node = b->g->node[n];
    const double d = b->distance, rest = d * d - rho * rho, per_2d = 0.5 / d;
    for (int k = 0; k < n; k++) {
        const double r = from + size * node[k], c = (r * r + rest) * per_2d / r;
        const double x = scree_min(fabs(c), 1.0), x2 = x * x, x4 = x2 * x2;
        const double low = (a[0] + a[1] * x) + (a[2] + a[3] * x) * x2;
        const double high = (a[4] + a[5] * x) + (a[6] + a[7] * x) * x2;
        const double angle = sqrt(1.0 - x) * (low + high * x4);
        beta[k] = c < 0.0 ? FIELD_PI - angle : angle;
    }
}

/* Adds a border in the order of borders, if it is between the first and the last one. */
static uint32_t insert_border(double *v, uint32_t n, double at)
{
    uint32_t k = n - 1;
    if (!(at > v[0] && at < v[n - 1]))
        return n;
    for (; k > 0 && v[k - 1] > at; k--)
        v[k + 1] = v[k];
    v[k + 1] = v[k];
    v[k] = at;
    return n + 1;
}

/* Finds borders of the pieces of [from, to]: where the outline of the disc meets a border of
 * sectors. */
static uint32_t find_radii(const round_ball *b, double rho, double from, double to)
{
    uint32_t n = 2;
    b->radii[0] = from;
    b->radii[1] = to;
    if (b->g->n[1] == 1)
        return n;
    for (uint32_t i = 0; i <= b->n; i++) {
        const uint32_t k = (b->first + i) % b->g->n[1];
        const double across = b->distance * b->s[k], along = b->distance * b->c[k];
        double root = rho * rho - across * across;
        if (!(root > 0.0) || (i == b->g->n[1]))
            continue;
        root = sqrt(root);
        n = insert_border(b->radii, n, along - root);
        n = insert_border(b->radii, n, along + root);
    }
    return n;
}

static void add_piece(round_ball *b, double rho, double from, double to, double by)
{
    const int n = nodes_of(b, to - from);
    const double size = to - from;
    double beta[MOST_NODES];
    half_angles(b, rho, from, size, n, beta);
    for (int k = 0; k < n; k++)
        add_angle(b, beta[k], size * b->g->weight[n][k] * (from + size * b->g->node[n][k]) * by);
}

/* Adds the radii [from, to] of the disc of radius rho, times `by`. */
static void add_ring(round_ball *b, double rho, double from, double to, double by)
{
    const double near = fabs(b->distance - rho), far = b->distance + rho;
    const double whole = rho > b->distance ? near : 0.0; // within it the circle is in the disc
    const double inner = scree_min(from, whole), outer = scree_min(to, whole);
    if (outer > inner)
        add_angle(b, FIELD_PI, 0.5 * (outer - inner) * (outer + inner) * by);
    from = scree_max(from, near);
    to = scree_min(to, far);
    if (!(to > from))
        return;
    const uint32_t n = find_radii(b, rho, from, to);
    for (uint32_t k = 0; k + 1 < n; k++)
        add_piece(b, rho, b->radii[k], b->radii[k + 1], by);
}

/* Both heights at which the disc has the radius rho. */
static uint32_t insert_height(const round_ball *b, uint32_t n, double rho)
{
    const double half2 = b->radius * b->radius - rho * rho, half = sqrt(scree_max(half2, 0.0));
    if (!(half2 > 0.0))
        return n;
    n = insert_border(b->heights, n, b->z - half);
    return insert_border(b->heights, n, b->z + half);
}

/* Finds borders of the pieces of [z0, z1]: where the disc begins to touch the walls of the ring or
 * to hold them, and where it begins to touch sectors. */
static uint32_t find_heights(const round_ball *b, double z0, double z1, double r0, double r1)
{
    const field_grid *g = b->g;
    uint32_t n = 2;
    b->heights[0] = z0;
    b->heights[1] = z1;
    n = insert_height(b, n, fabs(b->distance - r0));
    n = insert_height(b, n, fabs(b->distance - r1));
    if (r0 > 0.0)
        n = insert_height(b, n, b->distance + r0);
    n = insert_height(b, n, b->distance + r1);
    if (g->n[1] == 1)
        return n;
    for (uint32_t i = 0; i <= b->n && i < g->n[1]; i++) {
        const uint32_t k = (b->first + i) % g->n[1];
        if (b->c[k] > 0.0)
            n = insert_height(b, n, b->distance * fabs(b->s[k]));
    }
    return n;
}

/* Adds the ring at heights [z0, z1]. */
static void add_slice(round_ball *b, double z0, double z1, double r0, double r1)
{
    const double R = b->radius;
    uint32_t n;
    if (b->g->dimension == 2) {
        add_ring(b, R, r0, r1, 1.0);
        return;
    }
    z0 = scree_max(z0, b->z - R);
    z1 = scree_min(z1, b->z + R);
    if (!(z1 > z0))
        return;
    n = find_heights(b, z0, z1, r0, r1);
    for (uint32_t i = 0; i + 1 < n; i++) {
        const double low = b->heights[i], size = b->heights[i + 1] - low;
        const int m = nodes_of(b, size);
        for (int k = 0; k < m; k++) {
            const double h = low + size * b->g->node[m][k] - b->z;
            add_ring(b, sqrt(scree_max(R * R - h * h, 0.0)), r0, r1, size * b->g->weight[m][k]);
        }
    }
}

/* Rings and slices have borders 0 to n; the parts before and after them are outside. */
static double border(const field_grid *g, int axis, uint32_t k)
{
    if (k == 0)
        return axis == 0 ? 0.0 : -HUGE_VAL;
    return k == g->n[axis] + 2u ? HUGE_VAL : grid_edge(g, axis, k - 1);
}

static int is_inside(const field_grid *g, int axis, uint32_t k)
{
    return k > 0 && k <= g->n[axis];
}

/* Adds to the sectors of one ring in one slice, if it is in the grid and the ball reaches it. */
static int add_cells(round_ball *b, field_room *r, uint32_t ring, uint32_t slice)
{
    const field_grid *g = b->g;
    const int flat = g->dimension == 2;
    const int inside = is_inside(g, 0, ring) && (flat || is_inside(g, 2, slice));
    b->sectors = inside ? r->corners : NULL;
    memset(r->corners, 0, g->n[1] * sizeof *r->corners);
    add_slice(b, flat ? 0.0 : border(g, 2, slice), flat ? 0.0 : border(g, 2, slice + 1),
              border(g, 0, ring), border(g, 0, ring + 1));
    if (!inside)
        return 1;
    for (uint32_t j = 0; j < g->n[1]; j++) {
        field_share *share;
        if (!(r->corners[j] > 0.0))
            continue;
        share = room_add(r);
        if (!share)
            return 0;
        *share = (field_share){.cell = (ring - 1) +
                                       g->n[0] * (j + (uint64_t)g->n[1] * (flat ? 0 : slice - 1)),
                               .part = r->corners[j]};
    }
    return 1;
}

/* Finds ring and sector that hold the ball's whole outline, seen along the axis; 0: the outline
 * crosses a border. */
static int is_whole(const round_ball *b, uint32_t *ring, uint32_t *sector)
{
    const field_grid *g = b->g;
    const double phi = b->phi < 0.0 ? b->phi + 2.0 * FIELD_PI : b->phi;
    *ring = *sector = 0;
    for (uint32_t k = 0; k < g->n[0]; k++)
        *ring = grid_edge(g, 0, k) <= b->distance ? k : *ring;
    for (uint32_t k = 0; k < g->n[1]; k++)
        *sector = grid_edge(g, 1, k) <= phi ? k : *sector;
    if (b->distance - b->radius < grid_edge(g, 0, *ring) ||
        b->distance + b->radius > grid_edge(g, 0, *ring + 1))
        return 0;
    if (g->n[1] == 1)
        return 1;
    for (uint32_t k = *sector; k <= *sector + 1; k++) {
        if (b->c[k] > 0.0 && b->distance * fabs(b->s[k]) < b->radius)
            return 0;
    }
    return 1;
}

/* Share of the ball below a height, in closed form. */
static double below(const round_ball *b, double z)
{
    const double h = (z - b->z) / b->radius;
    return h <= -1.0 ? 0.0 : h >= 1.0 ? 1.0 : 0.25 * (1.0 + h) * (1.0 + h) * (2.0 - h);
}

/* Adds the shares of a ball that only slices cut. */
static int add_slices(const round_ball *b, field_room *r, uint32_t ring, uint32_t sector)
{
    const field_grid *g = b->g;
    for (uint32_t k = 0; k < g->n[2]; k++) {
        const double part = g->dimension == 2
                                ? 1.0
                                : below(b, grid_edge(g, 2, k + 1)) - below(b, grid_edge(g, 2, k));
        field_share *share = part > 0.0 ? room_add(r) : NULL;
        if (!share && part > 0.0)
            return 0;
        if (share)
            *share = (field_share){.cell = ring + g->n[0] * (sector + (uint64_t)g->n[1] * k),
                                   .part = part};
    }
    return 1;
}

static void add_arc(round_ball *b, double from, double to, uint32_t sector)
{
    from = scree_max(from, -FIELD_PI);
    to = scree_min(to, FIELD_PI);
    if (to > from)
        b->arcs[b->n_arcs++] = (round_arc){from, to, sector};
}

/* Sectors that the ball reaches: all of them if it may hold the axis. */
static void find_sectors(round_ball *b)
{
    const uint32_t n = b->g->n[1];
    const double sine = b->radius / b->distance, around = 2.0 * FIELD_PI, size = around / n;
    b->first = 0;
    b->n = n;
    b->n_arcs = 0;
    if (sine < 1.0) {
        const double low = floor((b->phi - arcsine(sine)) / size - 1e-9);
        const double high = floor((b->phi + arcsine(sine)) / size + 1e-9);
        if (high - low + 1.0 < n) {
            b->n = (uint32_t)(high - low) + 1;
            b->first = (uint32_t)(low < 0.0 ? low + n : low);
        }
    }
    for (uint32_t i = 0; i < b->n; i++) {
        const uint32_t k = (b->first + i) % n;
        for (int turn = -1; turn <= 1; turn++)
            add_arc(b, b->edge[k] - b->phi + turn * around, b->edge[k + 1] - b->phi + turn * around,
                    k);
    }
}

/* Takes room for borders, and for the borders of sectors. */
static void take_room(round_ball *b, field_room *r)
{
    const uint32_t n = b->g->n[1];
    b->radii = r->cuts;
    b->edge = b->radii + 2ull * n + 3;
    b->c = b->edge + n + 1;
    b->s = b->c + n + 1;
    b->heights = b->s + n + 1;
    b->arcs = r->arcs;
    for (uint32_t k = 0; k <= n; k++)
        b->edge[k] = grid_edge(b->g, 1, k);
}

/* Borders of sectors in the direction (c, s) of the ball. */
static void find_directions(round_ball *b, double c, double s)
{
    for (uint32_t k = 0; k <= b->g->n[1]; k++) {
        const double *border = b->g->borders + 2 * k;
        b->c[k] = border[0] * c + border[1] * s;
        b->s[k] = border[1] * c - border[0] * s;
    }
}

int split_ball_round(const field_grid *g, field_room *r, const double x[3], double radius)
{
    double local[3];
    uint32_t ring, sector;
    round_ball b = {.g = g, .radius = radius};
    r->n = 0;
    grid_local(g, x, local);
    b.distance = sqrt(local[0] * local[0] + local[1] * local[1]);
    b.phi = field_atan2(local[1], local[0]);
    b.z = local[2];
    if (b.distance - radius >= g->hi[0] || b.distance + radius <= g->lo[0] ||
        (g->dimension == 3 && (b.z - radius >= g->hi[2] || b.z + radius <= g->lo[2])))
        return 1;
    if (!scree_grow(&r->corners, &r->corner_capacity, g->n[1], sizeof *r->corners) ||
        !scree_grow(&r->cuts, &r->cut_capacity, 7ull * g->n[1] + 24, sizeof *r->cuts) ||
        !scree_grow(&r->arcs, &r->arc_capacity, 2ull * g->n[1] + 2, sizeof *r->arcs))
        return 0;
    take_room(&b, r);
    find_sectors(&b);
    find_directions(&b, b.distance > 0.0 ? local[0] / b.distance : 1.0,
                    b.distance > 0.0 ? local[1] / b.distance : 0.0);
    if (is_whole(&b, &ring, &sector))
        return add_slices(&b, r, ring, sector);
    for (uint32_t k = 0; k <= (g->dimension == 2 ? 0 : g->n[2] + 1u); k++) {
        if (g->dimension == 3 &&
            (border(g, 2, k) >= b.z + radius || border(g, 2, k + 1) <= b.z - radius))
            continue;
        for (uint32_t i = 0; i <= g->n[0] + 1u; i++)
            if (border(g, 0, i) < b.distance + radius &&
                border(g, 0, i + 1) > b.distance - radius && !add_cells(&b, r, i, k))
                return 0;
    }
    for (uint64_t k = 0; k < r->n; k++)
        r->shares[k].part /= b.total;
    return 1;
}
