// SPDX-License-Identifier: Apache-2.0
// Claims about the shapes `capsule`, `cylinder`, `drum`, `cone`, `point` and `superquadric`. usage: shape_solids FILE.so ..;
// all builds of one plugin must give the same bits.
#include "../fake_host.h"

#define PI 3.14159265358979323846

/** A plugin under test, and an instance of it. */
typedef struct subject {
    fake_host fake;
    const scree_plugin *plugin;
    const scree_shape_ops *ops;
    void *config, *instance;
    const scree_support *support;
    const scree_implicit *implicit;
    scree_measure measure;
} subject;

static int is(const subject *s, const char *id)
{
    return strcmp(s->plugin->id, id) == 0;
}

/* ---- instances ---- */

static void *place_of(const subject *s, const char *name)
{
    return fake_member(s->plugin, s->config, name);
}

static void set_real(const subject *s, const char *name, double value)
{
    *(double *)place_of(s, name) = value;
}

/** The values that the host fills in where the scene says nothing. */
static void set_defaults(subject *s)
{
    free(s->config);
    s->config = calloc(1, s->plugin->config_size);
    fake_defaults(s->plugin, s->config);
}

static const void *view_of(subject *s, const char *name, double tolerance)
{
    const void *view = NULL;
    s->ops->view(s->instance, name, tolerance, &view);
    return view;
}

/** Makes an instance of the config, in place of the earlier one. 0: it was refused. */
static int make(subject *s)
{
    if (s->instance)
        s->ops->destroy(s->instance);
    s->instance = NULL;
    s->fake.text[0] = '\0';
    if (s->ops->create(&s->fake.host, s->config, &s->instance) != SCREE_OK)
        return 0;
    s->measure = (scree_measure){.size = sizeof s->measure, .dimension = 3};
    s->ops->measure(s->instance, &s->measure);
    s->support = view_of(s, SCREE_VIEW_SUPPORT, 0.0);
    s->implicit = view_of(s, SCREE_VIEW_IMPLICIT, 0.0);
    return 1;
}

static int make_bar(subject *s, double length, double radius)
{
    set_defaults(s);
    set_real(s, "length", length);
    set_real(s, "radius", radius);
    return make(s);
}

static const scree_mesh *mesh_of(subject *s, double tolerance)
{
    return view_of(s, SCREE_VIEW_MESH, tolerance);
}

static double value_of(const subject *s, const double p[3], double g[3])
{
    const double *const x[3] = {&p[0], &p[1], &p[2]};
    double *const gradient[3] = {&g[0], &g[1], &g[2]}, value;
    s->implicit->value(s->implicit->ctx, 1, x, &value, gradient);
    return value;
}

static void farthest_of(const subject *s, const double d[3], double p[3])
{
    const double *const direction[3] = {&d[0], &d[1], &d[2]};
    double *const point[3] = {&p[0], &p[1], &p[2]};
    s->support->farthest(s->support->ctx, 1, direction, point);
}

/* ---- capsule and cylinder ---- */

static void random_direction(subject *s, double d[3])
{
    double length = 0.0;
    while (!(length > 0.01 && length < 1.0)) {
        length = 0.0;
        for (int k = 0; k < 3; k++) {
            d[k] = fake_uniform(&s->fake, -1.0, 1.0);
            length += d[k] * d[k];
        }
    }
    for (int k = 0; k < 3; k++)
        d[k] /= sqrt(length);
}

/** A random point of the surface. */
static void surface_point(subject *s, double length, double radius, double p[3])
{
    double d[3];
    const double angle = fake_uniform(&s->fake, -PI, PI), up = fake_uniform(&s->fake, -0.5, 0.5);
    random_direction(s, d);
    if (fake_uniform(&s->fake, 0.0, 1.0) < 0.5) { // on the mantle
        p[0] = radius * cos(angle);
        p[1] = radius * sin(angle);
        p[2] = up * length;
    } else if (is(s, "capsule")) {
        for (int k = 0; k < 3; k++)
            p[k] = radius * d[k];
        p[2] += d[2] < 0.0 ? -0.5 * length : 0.5 * length;
    } else {
        const double across = radius * sqrt(fake_uniform(&s->fake, 0.0, 1.0));
        p[0] = across * cos(angle);
        p[1] = across * sin(angle);
        p[2] = up < 0.0 ? -0.5 * length : 0.5 * length;
    }
}

static const double bars[][2] = {{2.0, 0.5}, {0.1, 1.0}, {5.0, 0.2}}; /* length, radius */

/** A capsule by half balls: their centroid is 3/8 r from the cut, their moment across 83/320 m r^2. */
static void test_bar_mass(subject *s)
{
    double worst = 0.0;
    for (size_t i = 0; i < SCREE_COUNT(bars); i++) {
        const double l = bars[i][0], r = bars[i][1], bar = PI * r * r * l;
        const double caps = is(s, "capsule") ? 4.0 / 3.0 * PI * r * r * r : 0.0;
        const double arm = 0.5 * l + 0.375 * r;
        const double across =
            bar * (3.0 * r * r + l * l) / 12.0 + caps * (83.0 / 320.0 * r * r + arm * arm);
        make_bar(s, l, r);
        worst = fmax(worst, fabs(s->measure.content / (bar + caps) - 1.0));
        worst = fmax(worst, fabs(s->measure.inertia[0] * (bar + caps) / across - 1.0));
        worst = fmax(worst, fabs(s->measure.inertia[1] * (bar + caps) / across - 1.0));
        worst = fmax(
            worst,
            fabs(s->measure.inertia[2] * (bar + caps) / (r * r * (0.5 * bar + 0.4 * caps)) - 1.0));
    }
    tap_ok(worst < 1e-14, "volume and moments are those of bar and half balls");
}

/** The gradient has length 1 and leads to a point of the surface, and no other one is nearer. */
static void test_bar_distance(subject *s)
{
    double length_off = 0.0, foot_off = 0.0, nearer = 0.0, differs = 0.0;
    for (size_t i = 0; i < SCREE_COUNT(bars); i++) {
        const double l = bars[i][0], r = bars[i][1], size = 0.5 * l + r;
        make_bar(s, l, r);
        for (int n = 0; n < 2000; n++) {
            double p[3], g[3], foot[3], none[3], at[3], square = 0.0;
            for (int k = 0; k < 3; k++)
                p[k] = fake_uniform(&s->fake, -1.3, 1.3) * size;
            const double value = value_of(s, p, g);
            for (int k = 0; k < 3; k++) {
                square += g[k] * g[k];
                foot[k] = p[k] - value * g[k];
            }
            length_off = fmax(length_off, fabs(square - 1.0));
            foot_off = fmax(foot_off, fabs(value_of(s, foot, none)));
            for (int m = 0; m < 200; m++) {
                double d2 = 0.0;
                surface_point(s, l, r, at);
                for (int k = 0; k < 3; k++)
                    d2 += (at[k] - p[k]) * (at[k] - p[k]);
                nearer = fmax(nearer, fabs(value) - sqrt(d2));
            }
            surface_point(s, l, r, at);
            differs = fmax(differs, fabs(value_of(s, at, none)));
        }
    }
    printf("# gradient - 1: %.1e, its foot %.1e m, nearer points %.1e m, surface %.1e m\n",
           length_off, foot_off, nearer, differs);
    tap_ok(length_off < 1e-15 * 4 && foot_off < 2e-15 && nearer < 2e-15 && differs < 2e-15,
           "the implicit function is the signed distance, its gradient the way to the surface");
}

static void test_bar_support(subject *s)
{
    double beyond = 0.0, off = 0.0, loose = 0.0;
    for (size_t i = 0; i < SCREE_COUNT(bars); i++) {
        make_bar(s, bars[i][0], bars[i][1]);
        for (int n = 0; n < 300; n++) {
            double d[3], p[3], at[3], g[3], most = -HUGE_VAL;
            random_direction(s, d);
            farthest_of(s, d, p);
            const double h = d[0] * p[0] + d[1] * p[1] + d[2] * p[2];
            off = fmax(off, fabs(value_of(s, p, g)));
            for (int m = 0; m < 4000; m++) {
                surface_point(s, bars[i][0], bars[i][1], at);
                most = fmax(most, d[0] * at[0] + d[1] * at[1] + d[2] * at[2]);
            }
            beyond = fmax(beyond, most - h);
            loose = fmax(loose, h - most);
        }
    }
    printf("# support: beyond %.1e m, off the surface %.1e m, samples within %.1e m\n", beyond, off,
           loose);
    tap_ok(beyond < 2e-15 && off < 2e-15 && loose < 0.1,
           "no surface point is farther than the support function's, which is one of them");
}

static void test_bar_mesh(subject *s)
{
    double vertices = 0.0, inside = 0.0, outside = 0.0;
    int closed = 1, finer = 1;
    for (size_t i = 0; i < SCREE_COUNT(bars); i++) {
        uint32_t facets = 0;
        make_bar(s, bars[i][0], bars[i][1]);
        for (double t = 0.1; t > 1e-4; t /= 8.0) {
            const scree_mesh *m = mesh_of(s, t);
            double p[3], g[3];
            closed = closed && m && m->closed;
            finer = finer && m && m->n_facets > facets;
            facets = m ? m->n_facets : 0;
            const uint32_t n_vertices = m ? m->n_vertices : 0;
            for (uint32_t v = 0; v < n_vertices; v++) {
                const double at[3] = {m->vertex[0][v], m->vertex[1][v], m->vertex[2][v]};
                vertices = fmax(vertices, fabs(value_of(s, at, g)));
            }
            for (uint32_t f = 0; f < facets; f++) {
                for (int k = 0; k < 3; k++)
                    p[k] = (m->vertex[k][m->facet[4 * f]] + m->vertex[k][m->facet[4 * f + 1]] +
                            m->vertex[k][m->facet[4 * f + 2]]) /
                           3.0;
                const double value = value_of(s, p, g);
                inside = fmax(inside, -value / t);
                outside = fmax(outside, value);
            }
        }
    }
    printf("# mesh: vertices %.1e m, facets %.2f tolerances inside, %.1e m outside\n", vertices,
           inside, outside);
    tap_ok(closed && finer && vertices < 2e-15 && inside < 1.0 && inside > 0.1 && outside < 2e-15,
           "meshes are closed, their vertices on the surface, their facets within the tolerance");
    tap_ok(mesh_of(s, 0.0) == NULL && mesh_of(s, 1e-14) == NULL,
           "no mesh is exact, nor has a million facets");
}

/* ---- drum and cone ---- */

/** Six times the volume that a mesh encloses, and its area. */
static double six_volumes(const scree_mesh *m, double *area)
{
    double six = 0.0;
    *area = 0.0;
    for (uint32_t f = 0; f < m->n_facets; f++)
        for (uint32_t t = 1; t < 3 && m->facet[4 * f + t + 1] != SCREE_NONE; t++) {
            const uint32_t c[3] = {m->facet[4 * f], m->facet[4 * f + t], m->facet[4 * f + t + 1]};
            double n[3], square = 0.0;
            for (int k = 0; k < 3; k++) {
                const int i = (k + 1) % 3, j = (k + 2) % 3;
                n[k] = (m->vertex[i][c[1]] - m->vertex[i][c[0]]) *
                           (m->vertex[j][c[2]] - m->vertex[j][c[0]]) -
                       (m->vertex[j][c[1]] - m->vertex[j][c[0]]) *
                           (m->vertex[i][c[2]] - m->vertex[i][c[0]]);
                six += n[k] * m->vertex[k][c[0]];
                square += n[k] * n[k];
            }
            *area += 0.5 * sqrt(square);
        }
    return six;
}

static uint32_t count_edges(const scree_mesh *m, uint8_t kind)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < 4 * m->n_facets; i++)
        n += m->facet[i] != SCREE_NONE && m->edge[i] == kind;
    return n;
}

static void set_wall(subject *s, const double radii[2], double length, int64_t sides, int outward)
{
    set_defaults(s);
    set_real(s, "length", length);
    *(int64_t *)place_of(s, "sides") = sides;
    *(int32_t *)place_of(s, "facing") = outward;
    if (is(s, "cone"))
        *(scree_reals *)place_of(s, "radii") = (scree_reals){2, radii};
    else
        set_real(s, "radius", radii[0]);
}

/** Prisms and frustums of n sides: closed, with the volume of the polygon's frustum, outward or
 * inward; facets and edges by number. */
static void test_wall_solid(subject *s)
{
    static const double radii[3][2] = {{0.7, 0.7}, {0.3, 0.7}, {0.7, 0.0}};
    double worst = 0.0;
    int good = 1;
    for (int i = 0; i < (is(s, "cone") ? 3 : 1); i++)
        for (int64_t n = 3; n < 300; n = n * 3 / 2 + 1)
            for (int outward = 0; outward < 2; outward++) {
                const double *r = radii[i], l = 1.3, turn = 2.0 * PI / (double)n;
                double area;
                set_wall(s, r, l, n, outward);
                good = make(s) && good;
                const scree_mesh *m = mesh_of(s, 0.0);
                const uint32_t ends = r[1] > 0.0 ? 2 : 1, strips = (uint32_t)(n - 1) / 2;
                const double volume = 0.5 * (double)n * sin(turn) * l / 3.0 *
                                      (r[0] * r[0] + r[0] * r[1] + r[1] * r[1]);
                const double six = six_volumes(m, &area) * (outward ? 1.0 : -1.0);
                worst = fmax(worst, fabs(six / (6.0 * volume) - 1.0));
                good =
                    good && m->n_facets == n + ends * strips && s->measure.n_parts == m->n_facets;
                good = good && m->closed == (uint32_t)outward && s->measure.content == 0.0;
                good = good && count_edges(m, SCREE_EDGE_FLAT) == 2 * ends * (strips - 1);
                good = good && count_edges(m, SCREE_EDGE_OPEN) == 0;
                good = good && count_edges(m, outward ? SCREE_EDGE_CONVEX : SCREE_EDGE_CONCAVE) ==
                                   2 * (n + ends * n);
            }
    tap_ok(good && worst < 1e-13, "with its ends it encloses the frustum of a regular polygon");
}

/** Open ends leave the mantle: n quads, each n-th part of its area. */
static void test_wall_open(subject *s)
{
    static const char *const both[] = {"bottom", "top"};
    static const double radii[2] = {0.4, 0.4};
    int good = 1;
    for (uint64_t n_open = 0; n_open < 3; n_open++) {
        double area;
        set_wall(s, radii, 2.0, 10, 0);
        *(scree_strings *)place_of(s, "open") = (scree_strings){n_open, both};
        good = make(s) && good;
        const scree_mesh *m = mesh_of(s, 0.0);
        six_volumes(m, &area);
        const double mantle = 10.0 * 2.0 * 0.8 * sin(PI / 10.0);
        const double end = 5.0 * 0.16 * sin(2.0 * PI / 10.0);
        good = good && fabs(area - mantle - (2.0 - (double)n_open) * end) < 1e-14;
        good = good && count_edges(m, SCREE_EDGE_OPEN) == 10 * n_open;
    }
    tap_ok(good, "ends are left out by name");
}

/** So many sides as the tolerance asks for, and not one more. */
static void test_wall_tolerance(subject *s)
{
    static const double radii[2] = {0.4, 0.4};
    int good = 1;
    for (double t = 0.3; t > 1e-7; t /= 3.0) {
        set_wall(s, radii, 2.0, 0, 0);
        set_real(s, "tolerance", t);
        good = make(s) && good;
        const double n = mesh_of(s, 0.0)->n_vertices / 2;
        good = good && 0.4 * (1.0 - cos(PI / n)) <= t * (1.0 + 1e-9) &&
               (n == 3.0 || 0.4 * (1.0 - cos(PI / (n - 1.0))) > t * (1.0 - 1e-9));
    }
    set_wall(s, radii, 2.0, 0, 0);
    good = good && make(s) && mesh_of(s, 0.0)->n_vertices == 128;
    tap_ok(good, "sides by tolerance, 64 where neither is given");
}

static int is_refused(subject *s, const char *words)
{
    const int good = !make(s) && strstr(s->fake.text, words) != NULL;
    if (!good)
        printf("# expected '%s', got '%s'\n", words, s->fake.text);
    return good;
}

static void test_wall_refusals(subject *s)
{
    static const char *const words[] = {"left"};
    static const double radii[2] = {0.4, 0.4}, none[2] = {0.0, 0.0};
    int good = 1;
    set_wall(s, radii, 2.0, 10, 0);
    set_real(s, "tolerance", 0.01);
    good = is_refused(s, "sides is given as well as tolerance") && good;
    set_wall(s, radii, 2.0, 2, 0);
    good = is_refused(s, "sides: expected 3 or more, got 2") && good;
    set_wall(s, radii, 2.0, 0, 0);
    set_real(s, "tolerance", 1e-12);
    good = is_refused(s, "sides, expected at most 10000") && good;
    set_wall(s, radii, 2.0, 10, 0);
    *(scree_strings *)place_of(s, "open") = (scree_strings){1, words};
    good = is_refused(s, "open = \"left\" is not an end, which are bottom, top") && good;
    set_wall(s, none, 2.0, 10, 0);
    good = (is(s, "drum") || is_refused(s, "radii: expected one of them > 0")) && good;
    tap_ok(good, "wrong words and numbers are refused by key");
}

/* ---- point ---- */

static void test_point(subject *s)
{
    const scree_frame frame = {
        .size = sizeof frame, .shift = {1.0, 2.0, 3.0}, .q = {0.6, 0.0, 0.0, 0.8}};
    double x[3] = {10.0, 20.0, 30.0}, q[4] = {0.5, 0.5, 0.5, 0.5}, scale = 2.0, out[10],
           d[3] = {1, 2, 3};
    double p[3];
    uint32_t part = 0;
    set_defaults(s);
    set_real(s, "volume", 4.0 / 3.0 * PI * 1e-3);
    int good = make(s) && fabs(s->measure.radius - 0.1) < 1e-15 && s->implicit == NULL;
    good = good && fabs(s->measure.inertia[1] - 0.4e-2) < 1e-16;
    s->ops->place(s->instance, &frame);
    s->measure = (scree_measure){.size = sizeof s->measure, .dimension = 3};
    s->ops->measure(s->instance, &s->measure);
    farthest_of(s, d, p);
    const scree_shape_boxes b = {.size = sizeof b,
                                 .n = 1,
                                 .dimension = 3,
                                 .x = {&x[0], &x[1], &x[2]},
                                 .q = {&q[0], &q[1], &q[2], &q[3]},
                                 .scale = &scale,
                                 .part = &part,
                                 .lo = {&out[0], &out[1], &out[2]},
                                 .hi = {&out[3], &out[4], &out[5]},
                                 .centre = {&out[6], &out[7], &out[8]},
                                 .radius = &out[9]};
    s->ops->boxes(s->instance, &b);
    scree_rotate(q, p, d);
    for (int k = 0; k < 3; k++)
        good = good && p[k] == s->measure.centroid[k] && out[k] == out[k + 3] &&
               fabs(out[k] - x[k] - 2.0 * d[k]) < 1e-14;
    scree_rotate(frame.q, p, d); // back in the first frame it is at its origin
    for (int k = 0; k < 3; k++)
        good = good && fabs(d[k] + frame.shift[k]) < 1e-14;
    tap_ok(good && out[9] == 0.0, "a point is at one place, and so are its box and its ball");
}

/* ---- superquadric: tests/shape has its formulas ---- */

static void test_superquadric(subject *s)
{
    static const double axes[3] = {1.0, 0.8, 0.5}, sharp[3] = {1.0, 1e-4, 0.5},
                        blocks[2] = {4.0, 4.0};
    set_defaults(s);
    *(scree_reals *)place_of(s, "axes") = (scree_reals){3, sharp};
    int good =
        is_refused(s, "axes[1]: expected at least 0.001 m, a thousandth of the longest half axis");
    *(scree_reals *)place_of(s, "axes") = (scree_reals){3, axes};
    *(scree_reals *)place_of(s, "blockiness") = (scree_reals){2, blocks};
    set_real(s, "eta", 0.5);
    good = is_refused(s, "blockiness is given as well as eta; expected one of the two") && good;
    double p[2][3], d[3] = {0.3, -0.5, 0.7};
    set_real(s, "eta", (double)NAN);
    good = make(s) && good;
    farthest_of(s, d, p[0]);
    *(scree_reals *)place_of(s, "blockiness") = (scree_reals){0, NULL};
    set_real(s, "xi", 0.5);
    set_real(s, "eta", 0.5);
    good = make(s) && good;
    farthest_of(s, d, p[1]);
    good = good && memcmp(p[0], p[1], sizeof p[0]) == 0;
    set_real(s, "xi", 2.5);
    good = good && make(s) && !s->support && s->implicit;
    set_real(s, "xi", 0.3);
    good = good && make(s) && s->support && s->implicit;
    tap_ok(good, "exponents by either name; only a convex one has a support function");
}

/* ---- bits ---- */

/** Bits of answers to fixed questions. */
static uint64_t digest(subject *s)
{
    uint64_t sum = 14695981039346656037u;
    s->fake.random_state = 12345;
    for (int i = 0; i < 3000; i++) {
        double d[3], p[3] = {0.0}, g[3] = {0.0}, value = 0.0;
        random_direction(s, d);
        if (s->support)
            farthest_of(s, d, p);
        if (s->implicit)
            value = value_of(s, d, g);
        const double all[7] = {p[0], p[1], p[2], g[0], g[1], g[2], value};
        for (size_t k = 0; k < sizeof all; k++)
            sum = (sum ^ ((const unsigned char *)all)[k]) * 1099511628211u;
    }
    return sum;
}

static uint64_t run(const char *file)
{
    subject s = {0};
    fake_init(&s.fake, 3);
    s.plugin = fake_load(file, SCREE_KIND_SHAPE);
    s.ops = s.plugin->ops;
    printf("# %s\n", s.plugin->id);
    if (is(&s, "point"))
        test_point(&s);
    else if (is(&s, "superquadric"))
        test_superquadric(&s);
    else if (is(&s, "drum") || is(&s, "cone")) {
        test_wall_solid(&s);
        test_wall_open(&s);
        test_wall_tolerance(&s);
        test_wall_refusals(&s);
    } else {
        test_bar_mass(&s);
        test_bar_distance(&s);
        test_bar_support(&s);
        test_bar_mesh(&s);
    }
    const uint64_t bits = s.instance ? digest(&s) : 0;
    if (s.instance)
        s.ops->destroy(s.instance);
    free(s.config);
    return bits;
}

int main(int argc, char **argv)
{
    const uint64_t first = argc > 1 ? run(argv[1]) : 0;
    for (int i = 2; i < argc; i++)
        tap_ok(run(argv[i]) == first, "another build gives the same bits");
    return tap_end();
}
