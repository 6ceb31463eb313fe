// SPDX-License-Identifier: Apache-2.0
// Claims about cells, maps and points of dfr3d: counts of [O'Connor 1996, table 3.4], points against winding numbers,
// errors by their order, zones of figures 3.15 and 3.17.
#include "solids.h"

static const double ONE[3] = {1.0, 1.0, 1.0};
static const solid BALL = {ELLIPSOID, {1.0, 1.0, 1.0}}, RING = {TORUS, {0.7, 0.25, 0.0}},
                   HOLES = {CHEESE, {0}};

/* ---- facets ---- */

static void test_counts(void)
{
    static const uint32_t facets[] = {8,   44,   104,  188,  296,  380,  536, 716,
                                      824, 1052, 1304, 1484, 1736, 2060, 2312};
    int fine = 1;
    for (uint32_t m = 2; m <= 16; m++) {
        const uint32_t n[3] = {m, m, m};
        dfr_body b;
        fine = make_exact(&BALL, ONE, n, &b) == SCREE_OK && b.n_facets == facets[m - 2] &&
               b.n_facets == 2 * b.n_vertices - 4 && 2 * b.n_edges == 3 * b.n_facets && fine;
        dfr_body_clear(&b);
    }
    tap_ok(fine, "a sphere in m^3 cells, m = 2 to 16, has the facets of table 3.4, and is closed");
    static const uint32_t flat[2][3] = {{2, 2, 3}, {2, 3, 3}}, counts[2] = {16, 28};
    for (int k = 0; k < 2; k++) {
        dfr_body b;
        fine = make_exact(&BALL, ONE, flat[k], &b) == SCREE_OK && b.n_facets == counts[k] && fine;
        dfr_body_clear(&b);
    }
    tap_ok(fine, "2 x 2 x 3 and 2 x 3 x 3 cells have 16 and 28");
}

/* Each of the 256 cases in a cell of its own among empty ones: random corners, no edge without its neighbour. */
typedef struct noise {
    uint32_t n;
    const uint8_t *inside;
} noise;

static void noise_row(void *ctx, const cubes_grid *grid, uint32_t j, uint32_t k, uint8_t *inside)
{
    const noise *s = ctx;
    for (uint32_t i = 0; i <= grid->n[0]; i++)
        inside[i] = s->inside[i + (s->n + 1) * (j + (s->n + 1) * k)];
}

static double noise_crossing(void *ctx, const cubes_grid *grid, const uint32_t at[3], int axis,
                             int inside)
{
    return 0.3 + 0.4 * ((at[0] * 7 + at[1] * 5 + at[2] * 3) % 11) / 11.0 * (inside ? 1.0 : 0.9);
}

static void test_ambiguous(void)
{
    enum { N = 12 };
    static uint8_t inside[(N + 1) * (N + 1) * (N + 1)];
    noise s = {N, inside};
    const cubes_field field = {.ctx = &s, .row = noise_row, .crossing = noise_crossing};
    const cubes_grid grid = {{0, 0, 0}, {1, 1, 1}, {N, N, N}};
    uint32_t open = 0, seen[256] = {0}, cases = 0;
    for (int round = 0; round < 20; round++) {
        for (uint32_t c = 0; c < sizeof inside; c++) {
            const uint32_t at[3] = {c % (N + 1), c / (N + 1) % (N + 1), c / ((N + 1) * (N + 1))};
            int border = 0;
            for (int k = 0; k < 3; k++)
                border |= at[k] == 0 || at[k] == N;
            inside[c] = !border && uniform(0.0, 1.0) < 0.5;
        }
        dfr_body b;
        if (dfr_body_make(&b, &grid, &field) != SCREE_OK) {
            open++;
            continue;
        }
        open += 2 * b.n_edges != 3 * b.n_facets;
        for (uint32_t c = 0; c < b.n_cells; c++)
            cases += !seen[b.corners[c]]++;
        dfr_body_clear(&b);
    }
    printf("# %u of 254 cases seen\n", cases);
    tap_ok(open == 0 && cases == 254,
           "corners at random: every case occurs, and no edge lacks its second facet");
}

/* ---- points ---- */

/* Wrong answers for points in [-1.1, 1.1]^3, and the farthest of them from the surface, in cells. */
static uint32_t classify(const solid *s, uint32_t cells, uint32_t n, double *farthest)
{
    const uint32_t count[3] = {cells, cells, cells};
    uint32_t wrong = 0;
    dfr_body b;
    const double half[3] = {1.05, 1.05, 1.05};
    *farthest = 0.0;
    if (make_exact(s, half, count, &b) != SCREE_OK)
        return n;
    for (uint32_t i = 0; i < n; i++) {
        const double x[3] = {uniform(-1.1, 1.1), uniform(-1.1, 1.1), uniform(-1.1, 1.1)};
        if (dfr_inside(&b, x) == (value_of(s, x) < 0.0))
            continue;
        double least = HUGE_VAL, at[3];
        uint32_t f;
        wrong++;
        dfr_closest(&b, x, &least, at, &f);
        *farthest = scree_max(*farthest, sqrt(least) / b.grid.cell[0]);
    }
    dfr_body_clear(&b);
    return wrong;
}

static void test_points(const solid *s, const char *name, double order)
{
    static const uint32_t cells[] = {12, 24, 48};
    uint32_t wrong[3];
    double farthest = 0.0, far;
    char text[160];
    for (int k = 0; k < 3; k++) {
        wrong[k] = classify(s, cells[k], 100000, &far);
        farthest = scree_max(farthest, far);
        printf("# %s, %u cells: %u of 100 000 points wrong, up to %.3g cells from the surface\n",
               name, cells[k], wrong[k], far);
    }
    snprintf(text, sizeof text, "%s: no wrong point is farther than a cell from the surface", name);
    tap_ok(farthest <= 1.0, text);
    const double found = log(wrong[0] / (double)wrong[2]) / log(4.0);
    printf("# %s: wrong points fall with order %.2f\n", name, found);
    snprintf(text, sizeof text, "%s: wrong points fall with the order %.1f of cells", name, order);
    tap_ok(found > order - 0.35, text);
}

/* The facets themselves against winding numbers: then no point may be wrong. */
static void test_winding(const solid *s, const char *name)
{
    const uint32_t count[3] = {14, 13, 12};
    const double half[3] = {1.05, 1.05, 1.05};
    uint32_t wrong = 0, n_in = 0;
    test_mesh m;
    dfr_body b;
    char text[160];
    if (make_exact(s, half, count, &b) != SCREE_OK) {
        tap_ok(0, name);
        return;
    }
    mesh_of_body(&b, &m);
    for (uint32_t i = 0; i < 20000; i++) {
        const double x[3] = {uniform(-1.1, 1.1), uniform(-1.1, 1.1), uniform(-1.1, 1.1)};
        const double turns = dfr_winding(&m.view, x);
        n_in += turns > 0.5;
        wrong += dfr_inside(&b, x) != (turns > 0.5);
    }
    printf("# %s: %u of 20 000 points inside, %u not as their winding number\n", name, n_in, wrong);
    snprintf(text, sizeof text,
             "%s: 20 000 points are inside where the winding number of the facets is 1", name);
    tap_ok(wrong == 0 && n_in > 1000, text);
    free_mesh(&m);
    dfr_body_clear(&b);
}

/* A mesh cut into cells: its own winding numbers. */
static void test_mesh_field(void)
{
    const double half[3] = {0.5, 0.35, 0.25};
    static const uint32_t cells[] = {12, 24, 48};
    uint32_t wrong[3];
    test_mesh m;
    mesh_of_box(half, 0.7, &m);
    for (int k = 0; k < 3; k++) {
        dfr_body b;
        wrong[k] = 0;
        if (make_of_mesh(&m.view, cells[k], &b) != SCREE_OK)
            wrong[k] = 1000000;
        for (uint32_t i = 0; wrong[k] < 1000000 && i < 100000; i++) {
            const double x[3] = {uniform(-0.6, 0.6), uniform(-0.6, 0.6), uniform(-0.6, 0.6)};
            wrong[k] += dfr_inside(&b, x) != (dfr_winding(&m.view, x) > 0.5);
        }
        printf(
            "# a box across the cells, %u cells: %u of 100 000 points wrong; volume %.6f of 0.35\n",
            cells[k], wrong[k], b.volume);
        dfr_body_clear(&b);
    }
    free_mesh(&m);
    // Only sharp edges are lost, cell by cell: a volume of order 2.
    tap_ok(wrong[0] < 2500 && log(wrong[0] / (double)wrong[2]) / log(4.0) > 1.5,
           "a box that lies across the cells loses its edges, with order 2");
}

/* A box along the cells, lines of the grid in its faces and edges, a mesh of triangles on edges. */
static void test_aligned(void)
{
    const double half[3] = {0.5, 0.5, 0.5};
    const cubes_grid grid = {{-1, -1, -1}, {0.25, 0.25, 0.25}, {8, 8, 8}};
    test_mesh m;
    cubes_field field;
    dfr_body b;
    mesh_of_box(half, 0.0, &m);
    int fine =
        dfr_field_mesh(&field, &m.view, &grid) && dfr_body_make(&b, &grid, &field) == SCREE_OK;
    dfr_field_free(&field);
    printf("# a cube whose faces are in the planes of the grid: volume %.9f, %u facets\n", b.volume,
           b.n_facets);
    // Its upper faces are outside: there a row of cells along each edge keeps half of itself, 1/12 in all.
    tap_ok(fine && 2 * b.n_edges == 3 * b.n_facets && fabs(b.volume - 11.0 / 12.0) < 1e-5,
           "a cube whose faces are in the planes of the grid is closed, as if it were moved by "
           "nothing");
    dfr_body_clear(&b);
    fine = make_of_mesh(&m.view, 10, &b) == SCREE_OK;
    tap_ok(fine && b.convex && b.n_faces == 6 && fabs(b.volume - 1.0) < 1e-5,
           "in cells around it, a cube keeps its edges, and has six flat faces");
    dfr_body_clear(&b);
    free_mesh(&m);
}

/* ---- maps ---- */

static void test_maps(void)
{
    const uint32_t n[3] = {16, 16, 16};
    const double half[3] = {1.05, 1.05, 1.05};
    uint32_t wrong = 0, between = 0;
    dfr_body b;
    if (make_exact(&RING, half, n, &b) != SCREE_OK)
        return;
    for (int32_t k = -2; k < 18; k++)
        for (int32_t j = -2; j < 18; j++)
            for (int32_t i = -2; i < 18; i++) {
                const int32_t w[3] = {i, j, k}, code = dfr_code(&b, w);
                uint32_t inside = 0, outside_grid = 0;
                for (int m = 0; m < 3; m++)
                    outside_grid |= w[m] < 0 || w[m] >= 16;
                for (uint32_t c = 0; c < 8; c++) {
                    double x[3];
                    for (uint32_t m = 0; m < 3; m++)
                        x[m] = b.grid.origin[m] + b.grid.cell[m] * (w[m] + (int32_t)(c >> m & 1));
                    inside += value_of(&RING, x) < 0.0;
                }
                const int is = inside == 0   ? code == DFR_EXTERNAL
                               : inside == 8 ? code == DFR_INTERNAL
                                             : code >= 0;
                wrong += outside_grid ? code != DFR_EXTERNAL : !is;
                if (code >= 0) // it is that cell
                    wrong += b.at[code][0] != i || b.at[code][1] != j || b.at[code][2] != k;
            }
    for (uint64_t p = 0; p < b.n_prisms; p++) // B I B X X B I B
        for (int32_t i = 1; i + 1 < b.cells[p].n; i++)
            between += b.stencil[b.cells[p].at + (uint32_t)i] == DFR_EXTERNAL;
    for (uint64_t p = 0; p < b.n_prisms; p++)
        if (b.cells[p].n > 0)
            wrong += b.stencil[b.cells[p].at] == DFR_EXTERNAL ||
                     b.stencil[b.cells[p].at + (uint32_t)b.cells[p].n - 1] == DFR_EXTERNAL;
    printf(
        "# a torus: %d slices from %d, %llu prisms, %llu cells of runs, %u external ones between\n",
        b.slices.n, b.slices.first, (unsigned long long)b.n_prisms, (unsigned long long)b.n_stencil,
        between);
    tap_ok(wrong == 0, "maps of a torus: each cell in and around the grid has its code, no run "
                       "starts or ends external");
    tap_ok(between > 0, "its runs keep the external cells of the hole");
    dfr_body_clear(&b);
}

/* ---- zones ---- */

/* Figures 3.15, 3.17 are without numbers: boxes in the plane that have their outcome. */
static void test_zones(void)
{
    // A triangle is left of a square turned by 45 degrees whose left corner is cut off by x = 0.
    double lo[2][3] = {{0.0, -10.0, -1.0}, {-1.0, -1.0, -1.0}},
           hi[2][3] = {{10.0, 0.2, 1.0}, {1.0, 1.0, 1.0}};
    const double q[4] = {cos(PI / 8), 0.0, 0.0, sin(PI / 8)}, t[3] = {1.0, 1.0, 0.0};
    const dfr_pose pose = pose_at(t, q);
    dfr_zone zone[2];
    const double root = sqrt(2.0);
    int fine = dfr_box_zones(lo, hi, &pose, zone);
    fine = fine && fabs(zone[0].lo[0] - (1.0 - (root - 0.8))) < 1e-12 &&
           fabs(zone[0].hi[0] - (1.0 + (root - 0.8))) < 1e-12 &&
           fabs(zone[0].lo[1] - (1.0 - root)) < 1e-12 && fabs(zone[0].hi[1] - 0.2) < 1e-12;
    tap_ok(fine,
           "figure 3.15: a corner that dips into a box leaves a triangle, and the zone is its box");
    // 3.17: cells (6, 4) to (7, 7) of a, and (0, 0) to (1, 2) of b.
    const dfr_body a = {.grid = {.n = {8, 9, 1}}, .inverse = {1.0, 1.0, 1.0}};
    const dfr_body b = {.grid = {.n = {8, 8, 1}}, .inverse = {0.8, 0.8, 1.0}};
    const double lo17[2][3] = {{0, 0, 0}, {0, 0, 0}}, hi17[2][3] = {{8, 9, 1}, {10, 10, 1}};
    const double none[4] = {1, 0, 0, 0}, at[3] = {6.3, 4.2, 0.0};
    double lower[2][3], upper[2][3];
    memcpy(lower, lo17, sizeof lower);
    memcpy(upper, hi17, sizeof upper);
    upper[0][1] = 7.6; // of a's surface
    const dfr_pose shifted = pose_at(at, none);
    int32_t from[2][3], to[2][3];
    fine = dfr_box_zones(lower, upper, &shifted, zone) &&
           dfr_zone_index(&a, &zone[0], from[0], to[0]) &&
           dfr_zone_index(&b, &zone[1], from[1], to[1]);
    tap_ok(fine && from[0][0] == 6 && to[0][0] == 7 && from[0][1] == 4 && to[0][1] == 7,
           "figure 3.17: the zone index set of a is (6, 4) to (7, 7), 8 cells");
    tap_ok(fine && from[1][0] == 0 && to[1][0] == 1 && from[1][1] == 0 && to[1][1] == 2,
           "that of b is (0, 0) to (1, 2), 6 cells");
}

static void test_zone_directions(void)
{
    uint32_t n = 0, missed = 0, beyond = 0;
    for (int i = 0; i < 3000; i++) {
        double lo[2][3], hi[2][3], q[4];
        const double t[3] = {uniform(-2, 2), uniform(-2, 2), uniform(-2, 2)};
        random_turn(q);
        for (int s = 0; s < 2; s++)
            for (int k = 0; k < 3; k++) {
                hi[s][k] = uniform(0.2, 1.5);
                lo[s][k] = -hi[s][k];
            }
        const dfr_pose pose = pose_at(t, q);
        dfr_zone zone[2];
        const int found = dfr_box_zones(lo, hi, &pose, zone);
        for (int k = 0; k < 300; k++) { // points of both boxes
            double x[3], y[3];
            int in = 1, in_zone = found;
            for (int m = 0; m < 3; m++)
                x[m] = uniform(lo[0][m], hi[0][m]);
            dfr_to_b(&pose, x, y);
            for (int m = 0; m < 3; m++) {
                in = in && y[m] >= lo[1][m] && y[m] <= hi[1][m];
                in_zone = in_zone && x[m] >= zone[0].lo[m] - 1e-12 &&
                          x[m] <= zone[0].hi[m] + 1e-12 && y[m] >= zone[1].lo[m] - 1e-12 &&
                          y[m] <= zone[1].hi[m] + 1e-12;
            }
            n += (uint32_t)in;
            missed += in && !in_zone;
        }
        for (int m = 0; m < 3; m++)
            beyond += found && (zone[0].lo[m] < lo[0][m] - 1e-9 || zone[0].hi[m] > hi[0][m] + 1e-9);
    }
    printf("# %u points in both of 3 000 pairs of boxes, %u outside of the zone\n", n, missed);
    tap_ok(n > 10000 && missed == 0 && beyond == 0,
           "zones hold all that is in both boxes, and nothing beyond a box");
}

int main(void)
{
    test_counts();
    test_ambiguous();
    test_points(&BALL, "sphere", 2.0);
    test_points(&RING, "torus", 2.0);
    test_points(&HOLES, "Swiss cheese", 1.6); // its rims are sharp
    test_winding(&RING, "torus");
    test_winding(&HOLES, "Swiss cheese");
    test_mesh_field();
    test_aligned();
    test_maps();
    test_zones();
    test_zone_directions();
    return tap_end();
}
