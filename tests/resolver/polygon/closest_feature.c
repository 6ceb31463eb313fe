// SPDX-License-Identifier: Apache-2.0
// Claims about the resolver `closest_feature`, against clipping and distances in long double that
// look at every vertex and edge. usage: closest_feature PLUGIN.so [PLUGIN.x86-64-v3.so]
#include "polygon_scene.h"

enum { PAIRS = 10000 };

static test_pair pair;
static test_polygon shape_a, shape_b;
static test_touches touches, again;
static spot spots_a[MOST_VERTICES], spots_b[MOST_VERTICES];

/* Two random convex polygons, near each other. */
static void random_pair(subject *s, double most)
{
    fake_host *f = &s->fake;
    double flat[2];
    for (int k = 0; k < 2; k++)
        flat[k] = fake_uniform(f, 0.0, 1.0) < 0.25 ? pow(10.0, fake_uniform(f, -3.0, 0.0))
                                                   : fake_uniform(f, 0.3, 1.0);
    random_convex(f, &shape_a, random_count(f, most), flat[0]);
    random_convex(f, &shape_b, random_count(f, most), flat[1]);
    init_pair(&pair, 2);
    for (int k = 0; k < 2; k++) {
        pair.scale[k] = fake_uniform(f, 0.3, 3.0);
        set_turn(&pair, k, fake_uniform(f, 0.0, 7.0));
    }
    set_shape(&pair, 0, &shape_a.shape);
    set_shape(&pair, 1, &shape_b.shape);
    const double reach = fake_uniform(f, 0.1, 1.3) * (pair.radius[0] + pair.radius[1]);
    const double angle = fake_uniform(f, 0.0, 7.0);
    pair.d[0] = reach * cos(angle);
    pair.d[1] = reach * sin(angle);
    prepare_pair(s, &pair);
}

/* Fills a hint with bits, in half of the cases such as make sense. */
static void random_hint(subject *s, test_hint *hint)
{
    hint->state = (uint32_t)fake_uniform(&s->fake, 0.0, 6.0);
    for (int k = 0; k < 2; k++)
        hint->number[k] = (uint32_t)fake_uniform(&s->fake, 0.0, hint->state % 2 ? 4e9 : 1000.0);
    hint->moves = (uint32_t)fake_uniform(&s->fake, 0.0, 4e9);
}

/* Pair by pair: what the hints say changes no bit. */
static int hints_change_nothing(subject *s, test_hint *hint)
{
    test_hint other;
    int same = 1;
    touch_pair(s, &pair, 9.0, hint, &again); // those of the call before
    same &= same_touches(&touches, &again);
    for (int k = 0; k < 3; k++) {
        random_hint(s, &other);
        touch_pair(s, &pair, 9.0, &other, &again);
        same &= same_touches(&touches, &again);
    }
    return same;
}

static void test_random(subject *s, int overlap)
{
    double worst = 0.0, worst_gap = 0.0;
    uint32_t n_over = 0, n_same = 0, n_one = 0;
    for (uint32_t i = 0; i < PAIRS; i++) {
        test_hint hint = {0};
        random_pair(s, 1000.0);
        const uint32_t n = spots_of(&pair, 0, spots_a), m = spots_of(&pair, 1, spots_b);
        const long double area = common_area(spots_a, n, spots_b, m);
        const double size = pair.radius[0] + pair.radius[1];
        const uint32_t found = touch_pair(s, &pair, 9.0, &hint, &touches),
                       c = deepest_touch(&touches);
        n_one += overlap ? found == 1 : found >= 1 && found <= 4;
        n_same += hints_change_nothing(s, &hint);
        if (touches.depth[c] < 0.0) {
            const long double gap = fminl(vertex_distance(spots_a, n, spots_b, m),
                                          vertex_distance(spots_b, m, spots_a, n));
            worst_gap = fmax(worst_gap, fabs((double)(gap + touches.depth[c])) / size);
            worst = fmax(worst, (double)area / (size * size));
            continue;
        }
        n_over++;
        if (overlap)
            worst = fmax(worst, fabs((double)(area - touches.area[0])) / (size * size));
        else
            worst = fmax(worst, fabs((double)(fminl(edge_depth(spots_a, n, spots_b, m),
                                                    edge_depth(spots_b, m, spots_a, n)) -
                                              touches.depth[c])) /
                                    size);
    }
    printf("# %u of %d overlap; worst %s %.2g, worst gap %.2g of the size\n", n_over, PAIRS,
           overlap ? "area" : "depth", worst, worst_gap);
    tap_ok(n_one == PAIRS && n_over > PAIRS / 5 && n_over < PAIRS - PAIRS / 5 && worst_gap < 1e-12,
           "gaps of convex pairs are those of all vertices and edges");
    tap_ok(worst < (overlap ? 1e-10 : 1e-12),
           overlap ? "areas of convex pairs are those of clipping by each edge"
                   : "depths of convex pairs are those of all separating axes");
    tap_ok(n_same == PAIRS, "hints, erased, of the last call, or random, change no bit");
}

/* ---- closed paths ---- */

static void pentagon(test_polygon *p, double turn)
{
    for (uint32_t k = 0; k < 5; k++) {
        p->x[k] = cos(turn + 2.0 * M_PI * k / 5);
        p->y[k] = sin(turn + 2.0 * M_PI * k / 5);
    }
    finish_polygon(p, 5);
}

/* Work left over work exchanged along a closed path of b in (x, y, angle). By distance about this depth, turned by
 * as much. */
static double lead_round(subject *s, int overlap, double depth, double turn, uint32_t steps)
{
    double work = 0.0, exchanged = 0.0, was[3] = {0}, last[3] = {0};
    test_hint hint = {0};
    init_pair(&pair, 2);
    pentagon(&shape_a, overlap ? 0.3 : M_PI / 5);
    pentagon(&shape_b, 0.0);
    set_shape(&pair, 0, &shape_a.shape);
    set_shape(&pair, 1, &shape_b.shape);
    prepare_pair(s, &pair);
    for (uint32_t i = 0; i <= steps; i++) {
        const double t = 2.0 * M_PI * i / steps;
        double at[3] = {1.45 + 0.2 * cos(t), 0.1 + 0.3 * sin(t), 0.5 + 0.4 * sin(t + 1.0)};
        if (!overlap) { // a side on a side, 1.618 apart where it only touches
            at[0] = 1.618 - depth + 2.0 * fmin(depth, 0.01) * cos(t);
            at[2] = turn * sin(t + 1.0);
        }
        double push[3] = {0};
        pair.d[0] = at[0];
        pair.d[1] = at[1];
        set_turn(&pair, 1, at[2]);
        const uint32_t found = touch_pair(s, &pair, 0.0, &hint, &touches);
        for (uint32_t c = 0; c < found; c++) {
            const double f = overlap ? touches.area[c] * touches.chord[c] : touches.depth[c];
            const double x = touches.arm[0][c] - at[0], y = touches.arm[1][c] - at[1];
            const double fx = f * touches.normal[0][c], fy = f * touches.normal[1][c];
            push[0] += fx;
            push[1] += fy;
            push[2] += x * fy - y * fx;
        }
        const int moves = i > 0 ? 3 : 0;
        for (int k = 0; k < moves; k++) {
            work += 0.5 * (push[k] + was[k]) * (at[k] - last[k]);
            exchanged += fabs(0.5 * (push[k] + was[k]) * (at[k] - last[k]));
        }
        memcpy(was, push, sizeof was);
        memcpy(last, at, sizeof last);
    }
    return fabs(work) / exchanged;
}

static void test_path(subject *s, int overlap)
{
    const double left = lead_round(s, overlap, 0.002, 0.05, overlap ? 100000 : 400000);
    printf("# work left over work exchanged %.2g\n", left);
    tap_ok(left < (overlap ? 1e-9 : 2e-6),
           overlap ? "two pentagons led round a closed path make no energy"
                   : "nor do they by distance, one lying on the other with a side");
}

/* Deep in each other, turned to and fro by 17 degrees: an end that came at a depth of its own would make energy. */
static void test_deep_path(subject *s)
{
    static const double depth[4] = {0.02, 0.05, 0.1, 0.3};
    double worst = 0.0;
    for (int k = 0; k < 4; k++)
        worst = fmax(worst, lead_round(s, 0, depth[k], 0.3, 100000));
    printf("# work left over work exchanged %.2g, 0.02 to 0.3 deep\n", worst);
    tap_ok(worst < 1e-5, "nor a quarter of a side deep, turned to and fro");
}

/* ---- concave ones ---- */

static long double common_of_stars(uint32_t n, uint32_t m)
{
    long double sum = 0.0L;
    const spot centre_a = {0.0L, 0.0L}, centre_b = {pair.d[0], pair.d[1]};
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < m; j++) {
            const spot p[3] = {centre_a, spots_a[i], spots_a[(i + 1) % n]};
            const spot q[3] = {centre_b, spots_b[j], spots_b[(j + 1) % m]};
            sum += common_area(p, 3, q, 3);
        }
    return sum;
}

static void test_stars(subject *s)
{
    fake_host *f = &s->fake;
    double worst = 0.0;
    uint32_t n_many = 0, n_over = 0;
    for (uint32_t i = 0; i < 3000; i++) {
        random_star(f, &shape_a, 2 + random_count(f, 40.0));
        if (i % 3)
            random_star(f, &shape_b, 2 + random_count(f, 40.0));
        else
            random_convex(f, &shape_b, 2 + random_count(f, 40.0), 0.5);
        init_pair(&pair, 2);
        set_turn(&pair, 0, fake_uniform(f, 0.0, 7.0));
        set_turn(&pair, 1, fake_uniform(f, 0.0, 7.0));
        set_shape(&pair, 0, &shape_a.shape);
        set_shape(&pair, 1, &shape_b.shape);
        pair.d[0] = fake_uniform(f, -0.8, 0.8);
        pair.d[1] = fake_uniform(f, -0.8, 0.8);
        prepare_pair(s, &pair);
        const uint32_t n = spots_of(&pair, 0, spots_a), m = spots_of(&pair, 1, spots_b);
        const uint32_t found = touch_pair(s, &pair, 0.0, NULL, &touches);
        double area = 0.0;
        for (uint32_t k = 0; k < found; k++)
            area += touches.area[k];
        worst = fmax(worst, fabs((double)(common_of_stars(n, m) - area)));
        n_over += found > 0;
        n_many += found > 1;
    }
    printf("# %u overlap, %u in several pieces; worst area %.2g\n", n_over, n_many, worst);
    tap_ok(n_over > 1000 && n_many > 200 && worst < 1e-12,
           "the pieces of concave pairs have the area of all pairs of their triangles");
}

/* ---- touching, identical, inside ---- */

static const double square[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};

static uint32_t squares(subject *s, double x, double y, double scale, double range)
{
    init_pair(&pair, 2);
    given_polygon(&shape_a, 4, square);
    given_polygon(&shape_b, 4, square);
    pair.scale[1] = scale;
    set_shape(&pair, 0, &shape_a.shape);
    set_shape(&pair, 1, &shape_b.shape);
    pair.d[0] = x;
    pair.d[1] = y;
    prepare_pair(s, &pair);
    return touch_pair(s, &pair, range, NULL, &touches);
}

static int finite_touches(void)
{
    int good = 1;
    for (uint32_t c = 0; c < touches.out.n; c++) {
        const double nx = touches.normal[0][c], ny = touches.normal[1][c];
        good &= fabs(nx * nx + ny * ny - 1.0) < 1e-14 && isfinite(touches.depth[c]) &&
                isfinite(touches.arm[0][c]) && isfinite(touches.arm[1][c]);
    }
    return good;
}

static void test_touching(subject *s, int overlap)
{
    int touch = 1, good = 1, clear = 1;
    for (int k = -4; k <= 4; k++)
        for (int side = 0; side < 4; side++) {
            const double along = 0.25 * k, sign = side & 1 ? -1.0 : 1.0;
            const double x = side & 2 ? along : sign, y = side & 2 ? sign : along;
            const uint32_t found = squares(s, x, y, 1.0, 0.0);
            touch &= (overlap ? found == 1 : found >= 1) && touches.depth[0] == 0.0;
            good &= finite_touches();
            clear &= squares(s, x * 1.25, y * 1.25, 1.0, 0.0) == 0;
            const uint32_t ends =
                overlap || fabs(along) > 0.8 ? 1 : 2; // of the sides that face each other
            clear &= squares(s, x * 1.25, y * 1.25, 1.0, 1.0) == ends && touches.depth[0] < 0.0;
            for (uint32_t c = 0; c < ends; c++)
                clear &= fabs(along) > 0.8 || touches.depth[c] == -0.25;
            good &= finite_touches();
        }
    tap_ok(touch && good, "squares that touch with an edge or a corner have a contact of depth 0");
    tap_ok(
        clear,
        overlap
            ? "squares that are apart have one within the range only"
            : "squares that are apart have one at each end of facing sides, within the range only");
    const int same = squares(s, 0.0, 0.0, 1.0, 0.0) == (overlap ? 1 : 2) && finite_touches();
    tap_ok(same && (overlap ? fabs(touches.area[0] - 1.0) < 1e-15 : touches.depth[0] == 1.0),
           "identical squares at one place overlap wholly");
    const uint32_t n_stacked = squares(s, 0.0, 0.625, 0.5, 0.0);
    const int stacked = n_stacked == (overlap ? 1 : 2) && finite_touches();
    if (!overlap) {
        tap_ok(stacked && fabs(fabs(touches.arm[0][0]) - 0.25) < 1e-15 &&
                   touches.arm[0][1] == -touches.arm[0][0] && touches.depth[0] == 0.125 &&
                   touches.depth[1] == 0.125 && fabs(touches.arm[1][0] - 0.4375) < 1e-15 &&
                   fabs(touches.arm[1][1] - 0.4375) < 1e-15 && touches.normal[1][1] == 1.0,
               "a small square stacked on a large one touches at both ends of its side");
        return;
    }
    tap_ok(stacked && fabs(touches.normal[1][0] - 1.0) < 1e-15 && fabs(touches.arm[0][0]) < 1e-15 &&
               fabs(touches.arm[1][0] - 0.5) < 1e-15 && fabs(touches.depth[0] - 0.125) < 1e-15,
           "a small square stacked on a large one touches in the middle of its face");
}

/* Outlines with sides in line, corners on sides, corners on corners: the worst for what is tracked. */
static void test_aligned(subject *s)
{
    static const double ell[6][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.0},
                                     {0.0, 0.0},   {0.0, 0.5},  {-0.5, 0.5}};
    uint32_t n = 0, n_same = 0, n_finite = 0;
    for (int kind = 0; kind < 4; kind++)
        for (int place = 0; place < 200; place++) {
            test_hint hint = {0};
            init_pair(&pair, 2);
            given_polygon(&shape_a, kind == 2 ? 6 : 4, kind == 2 ? ell : square);
            given_polygon(&shape_b, kind == 3 ? 6 : 4, kind == 3 ? ell : square);
            const uint32_t round = kind == 1 ? 400 : 0;
            for (uint32_t k = 0; k < round; k++) {
                shape_a.x[k] = shape_b.x[k] = 0.5 * cos(2.0 * M_PI * k / 400);
                shape_a.y[k] = shape_b.y[k] = 0.5 * sin(2.0 * M_PI * k / 400);
            }
            if (round > 0) {
                finish_polygon(&shape_a, 400);
                finish_polygon(&shape_b, 400);
            }
            set_shape(&pair, 0, &shape_a.shape);
            set_shape(&pair, 1, &shape_b.shape);
            set_turn(&pair, 1, place % 3 ? 0.0 : 1e-16 * place);
            pair.d[0] = 0.25 * (place % 11 - 5) + (place % 2 ? 0.0 : 1e-17 * place);
            pair.d[1] = 0.25 * (place / 11 % 11 - 5);
            prepare_pair(s, &pair);
            touch_pair(s, &pair, 9.0, &hint, &touches);
            n_finite += touches.out.n > 0 && finite_touches();
            n_same += hints_change_nothing(s, &hint);
            n++;
        }
    tap_ok(n_finite == n, "sides in line and corners on corners give finite contacts");
    tap_ok(n_same == n, "of those too hints change no bit");
}

/* ---- walls ---- */

/* A closed border of facets is the polygon that it encloses. */
static void test_walls(subject *s)
{
    static uint32_t facet[4 * MOST_VERTICES], neighbour[4 * MOST_VERTICES];
    static double none[MOST_VERTICES];
    uint32_t n_same = 0, n_touch = 0;
    for (uint32_t i = 0; i < 500; i++) {
        const uint32_t n = 2 + random_count(&s->fake, 40.0);
        random_star(&s->fake, &shape_a, 2 + random_count(&s->fake, 40.0));
        random_star(&s->fake, &shape_b, n);
        init_pair(&pair, 2);
        set_shape(&pair, 0, &shape_a.shape);
        set_shape(&pair, 1, &shape_b.shape);
        pair.d[0] = fake_uniform(&s->fake, -0.7, 0.7);
        pair.d[1] = fake_uniform(&s->fake, -0.7, 0.7);
        prepare_pair(s, &pair);
        touch_pair(s, &pair, 0.0, NULL, &touches);
        n_touch += touches.out.n > 0;
        for (uint32_t k = 0; k < n; k++) {
            facet[4 * k] = k;
            facet[4 * k + 1] = (k + 1) % n;
            facet[4 * k + 2] = facet[4 * k + 3] = SCREE_NONE;
            neighbour[4 * k] = (k + n - 1) % n;
            neighbour[4 * k + 1] = (k + 1) % n;
        }
        const scree_mesh mesh = {.size = sizeof mesh,
                                 .closed = 1,
                                 .n_vertices = n,
                                 .n_facets = n,
                                 .vertex = {shape_b.x, shape_b.y, none},
                                 .facet = facet,
                                 .neighbour = neighbour};
        scree_shape wall = shape_b.shape;
        wall.flags = SCREE_CAP_WALL;
        wall.mesh = &mesh;
        pair.shapes[1] = &wall;
        pair.radius[1] = 0.0;
        prepare_pair(s, &pair);
        touch_pair(s, &pair, 0.0, NULL, &again);
        n_same += same_touches(&touches, &again);
    }
    tap_ok(n_touch > 200 && n_same == 500, "a closed border of facets is met as its polygon is");
}

/* A square inside of another: no chord, finite values. */
static void test_inside(subject *s)
{
    init_pair(&pair, 2);
    given_polygon(&shape_a, 4, square);
    given_polygon(&shape_b, 4, square);
    pair.scale[1] = 0.25;
    set_shape(&pair, 0, &shape_a.shape);
    set_shape(&pair, 1, &shape_b.shape);
    pair.d[0] = 0.1;
    prepare_pair(s, &pair);
    const uint32_t n = touch_pair(s, &pair, 0.0, NULL, &touches);
    tap_ok(n == 1 && finite_touches() && touches.chord[0] == 0.0 &&
               fabs(touches.area[0] - 0.0625) < 1e-15,
           "a square inside of another has its whole area, and no chord");
}

/* ---- bars that cross ---- */

static const uint32_t forth[2] = {0, 1}, back[2] = {1, 0};

/* A bar of length 2 and width 0.1, and a bar or an L, whose arm it is. */
static void cross_bars(subject *s, int bent, double half, double turn_a, double turn_b)
{
    const double bar[4][2] = {{-1.0, -0.05}, {1.0, -0.05}, {1.0, 0.05}, {-1.0, 0.05}};
    const double arm[6][2] = {{-1.0, -half}, {1.0, -half}, {1.0, 2.0},
                              {0.9, 2.0},    {0.9, half},  {-1.0, half}};
    const double arm_of_bar[4][2] = {{-1.0, -half}, {1.0, -half}, {1.0, half}, {-1.0, half}};
    init_pair(&pair, 2);
    given_polygon(&shape_a, 4, bar);
    if (bent)
        given_polygon(&shape_b, 6, arm);
    else
        given_polygon(&shape_b, 4, arm_of_bar);
    set_shape(&pair, 0, &shape_a.shape);
    set_shape(&pair, 1, &shape_b.shape);
    set_turn(&pair, 0, turn_a);
    set_turn(&pair, 1, turn_b);
    for (int k = 0; k < 2; k++)
        pair.d[k] = fake_uniform(&s->fake, -0.2, 0.2);
    prepare_pair(s, &pair);
}

/* The area of bars of widths v and w that cross at an angle t is v w / sin t. The area stays when they move: the chord
 * is 0, and the push is a couple. Its direction is rounding, so that the normal has to follow the centres. */
static void test_crossed(subject *s)
{
    double worst = 0.0, worst_normal = 0.0;
    uint32_t n_one = 0, n_closed = 0;
    for (uint32_t i = 0; i < 400; i++) {
        const double half = fake_uniform(&s->fake, 0.005, 0.1),
                     t = fake_uniform(&s->fake, 1.0, 2.1);
        const double turn = fake_uniform(&s->fake, 0.0, 7.0), sine = sin(t);
        cross_bars(s, i % 2, half, turn, turn + t);
        const double area = 0.1 * 2.0 * half / sine, twist = area * cos(t) / sine;
        const double length = sqrt(pair.d[0] * pair.d[0] + pair.d[1] * pair.d[1]);
        const double opposite[3] = {-pair.d[0], -pair.d[1], 0.0};
        const uint32_t n = touch_ordered(s, &pair, forth, pair.d, 0.0, NULL, &touches);
        n_one += n == 1 && touch_ordered(s, &pair, back, opposite, 0.0, NULL, &again) == 1;
        n_closed += touches.chord[0] == 0.0 && again.chord[0] == 0.0;
        worst = fmax(worst, fabs(touches.area[0] - area) / area);
        worst = fmax(worst, fabs(touches.twist[0] - twist) / area);
        worst = fmax(worst, fabs(again.twist[0] + twist) / area);
        for (int k = 0; k < 2; k++)
            worst_normal = fmax(worst_normal, fabs(touches.normal[k][0] - pair.d[k] / length) +
                                                  fabs(again.normal[k][0] + pair.d[k] / length));
    }
    printf("# bars that cross: area and twist to %.2g, normals to %.2g\n", worst, worst_normal);
    tap_ok(n_one == 400 && n_closed == 400 && worst < 1e-11 && worst_normal < 1e-14,
           "bars that cross have a twist, no chord, and the normal of their centres");
}

/* Two stars of eight spikes at one centre, turned by half the angle between spikes: the pushes cancel. Half of the
 * border is longer than the stars are wide, and a depth beyond 2 r_a + r_b ends a run. */
static void test_spikes(subject *s)
{
    for (int k = 0; k < 16; k++) {
        shape_a.x[k] = shape_b.x[k] = (k % 2 ? 0.25 : 1.0) * cos(k * M_PI / 8.0);
        shape_a.y[k] = shape_b.y[k] = (k % 2 ? 0.25 : 1.0) * sin(k * M_PI / 8.0);
    }
    init_pair(&pair, 2);
    finish_polygon(&shape_a, 16);
    finish_polygon(&shape_b, 16);
    set_shape(&pair, 0, &shape_a.shape);
    set_shape(&pair, 1, &shape_b.shape);
    set_turn(&pair, 1, M_PI / 16.0);
    prepare_pair(s, &pair);
    const uint32_t n = touch_pair(s, &pair, 0.0, NULL, &touches);
    printf("# stars at one centre: chord %.2g, depth %.15g\n", touches.chord[0], touches.depth[0]);
    tap_ok(n == 1 && touches.chord[0] == 0.0 && touches.depth[0] <= 2.0,
           "stars at one centre overlap no deeper than both reach");
}

/* ---- Schinner's figure 10 ---- */

static void test_figure_10(subject *s)
{
    // a: vertex 1 at the lower right of its edge 1, which faces vertex 0 of b; that starts edge 0.
    static const double of_a[4][2] = {{-1.0, -1.0}, {0.0, -1.0}, {0.0, 1.0}, {-1.0, 1.0}};
    static const double of_b[3][2] = {{-0.5, 0.0}, {0.6, -0.9}, {0.6, 0.9}};
    init_pair(&pair, 2);
    given_polygon(&shape_a, 4, of_a);
    given_polygon(&shape_b, 3, of_b);
    set_shape(&pair, 0, &shape_a.shape);
    set_shape(&pair, 1, &shape_b.shape);
    pair.d[0] = 0.8;
    prepare_pair(s, &pair);
    test_hint hint = {.state = 1, .number = {2 * 1, 2 * 0 + 1}};
    const uint32_t n = touch_pair(s, &pair, 1.0, &hint, &touches);
    printf("# ends at features (%u, %u) after %u moves\n", hint.number[0], hint.number[1],
           hint.moves);
    tap_ok(n == 1 && hint.number[0] == 2 * 1 + 1 && hint.number[1] == 0 && hint.moves + 1 == 3 &&
               fabs(touches.depth[0] + 0.3) < 1e-15,
           "from vertex and edge the search comes to edge and vertex in 3 iterations");
}

/* ---- planes and discs ---- */

static void test_planes(subject *s, int overlap)
{
    fake_host *f = &s->fake;
    double worst = 0.0;
    uint32_t n_over = 0, n_right = 0;
    for (uint32_t i = 0; i < 3000; i++) {
        static spot part[2 * MOST_VERTICES];
        init_pair(&pair, 2);
        random_convex(f, &shape_a, random_count(f, 300.0), fake_uniform(f, 0.05, 1.0));
        pair.scale[0] = fake_uniform(f, 0.5, 2.0);
        set_turn(&pair, 0, fake_uniform(f, 0.0, 7.0));
        const double turn = fake_uniform(f, 0.0, 7.0), level = fake_uniform(f, -0.9, 0.6);
        set_turn(&pair, 1, turn);
        set_shape(&pair, 0, &shape_a.shape);
        const double n[2] = {-sin(turn), cos(turn)}, side = fake_uniform(f, -1.0, 1.0);
        pair.d[0] = level * n[0] * pair.radius[0] - side * n[1];
        pair.d[1] = level * n[1] * pair.radius[0] + side * n[0];
        prepare_pair(s, &pair);
        const uint32_t m = spots_of(&pair, 0, spots_a);
        const spot p = {pair.d[0], pair.d[1]}, q = {p.x - n[1], p.y + n[0]};
        const uint32_t cut = clip_left(spots_a, m, p, q, part);
        const long double area = cut > 2 ? area_of(part, cut) : 0.0L;
        long double deep = -HUGE_VALL;
        for (uint32_t k = 0; k < m; k++)
            deep = fmaxl(deep, left_of(p, q, spots_a[k]));
        const uint32_t found = touch_pair(s, &pair, 9.0, NULL, &touches),
                       c = deepest_touch(&touches);
        n_right += found == (overlap ? 1 : m) && fabs(touches.normal[0][c] + n[0]) < 1e-14 &&
                   fabs(touches.normal[1][c] + n[1]) < 1e-14;
        n_over += deep > 0.0L;
        if (!overlap || deep < 0.0L)
            worst = fmax(worst, fabs((double)(deep - touches.depth[c])));
        else
            worst = fmax(worst, fabs((double)(area - touches.area[0])));
    }
    printf("# %u of 3000 overlap; worst %.2g\n", n_over, worst);
    tap_ok(n_right == 3000 && n_over > 1000 && n_over < 2900 && worst < 1e-13,
           overlap ? "areas cut off by planes are those of clipping"
                   : "depths behind planes are those of the deepest vertex");
}

/* Area of the disc of radius r about the origin on the side of the origin of an edge, signed. */
static long double wedge(spot p, spot q, long double r)
{
    const long double ux = q.x - p.x, uy = q.y - p.y, l2 = ux * ux + uy * uy;
    const long double m = -(p.x * ux + p.y * uy) / l2, cross = p.x * uy - p.y * ux;
    const long double rest = r * r * l2 - cross * cross;
    if (rest <= 0.0L)
        return 0.5L * r * r * atan2l(p.x * q.y - p.y * q.x, p.x * q.x + p.y * q.y);
    const long double h = sqrtl(rest) / l2;
    const long double t0 = fminl(fmaxl(m - h, 0.0L), 1.0L), t1 = fmaxl(fminl(m + h, 1.0L), 0.0L);
    const spot a = {p.x + t0 * ux, p.y + t0 * uy}, b = {p.x + t1 * ux, p.y + t1 * uy};
    return 0.5L *
           (r * r * atan2l(p.x * a.y - p.y * a.x, p.x * a.x + p.y * a.y) + (a.x * b.y - a.y * b.x) +
            r * r * atan2l(b.x * q.y - b.y * q.x, b.x * q.x + b.y * q.y));
}

static void test_discs(subject *s, int overlap)
{
    fake_host *f = &s->fake;
    double worst = 0.0;
    uint32_t n_over = 0, n_inside = 0;
    for (uint32_t i = 0; i < 4000; i++) {
        init_pair(&pair, 2);
        if (i % 4 || !overlap)
            random_convex(f, &shape_b, random_count(f, 300.0), fake_uniform(f, 0.05, 1.0));
        else
            random_star(f, &shape_b, 2 + random_count(f, 40.0));
        pair.scale[1] = fake_uniform(f, 0.5, 2.0);
        pair.radius[0] = pair.scale[0] = fake_uniform(f, 0.05, 0.6);
        set_turn(&pair, 1, fake_uniform(f, 0.0, 7.0));
        set_shape(&pair, 1, &shape_b.shape);
        pair.d[0] = fake_uniform(f, -1.0, 1.0);
        pair.d[1] = fake_uniform(f, -1.0, 1.0);
        prepare_pair(s, &pair);
        const uint32_t m = spots_of(&pair, 1, spots_b);
        const spot centre = {0.0L, 0.0L};
        long double area = 0.0L, least = vertex_distance(&centre, 1, spots_b, m), around = 0.0L;
        for (uint32_t k = 0; k < m; k++) {
            const spot p = spots_b[k], q = spots_b[(k + 1) % m];
            area += wedge(p, q, pair.radius[0]);
            around += atan2l(p.x * q.y - p.y * q.x, p.x * q.x + p.y * q.y);
        }
        const uint32_t found = touch_pair(s, &pair, overlap ? 0.0 : 9.0, NULL, &touches);
        double sum = 0.0;
        for (uint32_t k = 0; k < found; k++)
            sum += touches.area[k];
        n_over += found > 0 && touches.depth[0] > 0.0;
        n_inside += around > 1.0L;
        if (overlap)
            worst = fmax(worst, fabs((double)(area - sum)));
        else
            worst = fmax(worst, fabs((double)(pair.radius[0] - (around > 1.0L ? -least : least)) -
                                     touches.depth[0]));
    }
    printf("# %u of 4000 overlap, %u with the centre inside; worst %.2g\n", n_over, n_inside,
           worst);
    tap_ok(n_over > 1000 && n_over < 3900 && n_inside > 300 && worst < 1e-11,
           overlap ? "areas of discs and polygons are those of sectors and triangles"
                   : "depths of discs are those of the nearest point of the outline");
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        subject s = {0};
        start_polygons(&s, argv[i], "overlap");
        test_random(&s, 1);
        test_path(&s, 1);
        test_stars(&s);
        test_touching(&s, 1);
        test_aligned(&s);
        test_walls(&s);
        test_inside(&s);
        test_crossed(&s);
        test_spikes(&s);
        test_figure_10(&s);
        test_planes(&s, 1);
        test_discs(&s, 1);
        stop_resolver(&s);
        start_polygons(&s, argv[i], "distance");
        test_random(&s, 0);
        test_path(&s, 0);
        test_deep_path(&s);
        test_touching(&s, 0);
        test_aligned(&s);
        test_planes(&s, 0);
        test_discs(&s, 0);
        stop_resolver(&s);
    }
    return tap_end();
}
