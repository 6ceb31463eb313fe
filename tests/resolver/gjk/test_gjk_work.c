// SPDX-License-Identifier: Apache-2.0
// Claims about the work of `gjk` on polytopes: walks find what looking at all finds, and searches try few axes.
/*
 * The linker puts counters in front of the functions that searches call: --wrap in meson.build. Bodies are globes of
 * rings of planar quads between two flat caps; one of two rings is a prism, whose caps have many corners.
 */
#include "../meshes.h"

#include "gjk/cover.h"
#include "gjk/graph.h"

enum { PAIRS = 200, MANY = 34 };

/* ---- counters ---- */

static uint32_t n_supports, n_axes;

scree_vec __real_convex_farthest(const convex *c, scree_vec n, uint32_t *vertex);
scree_vec __wrap_convex_farthest(const convex *c, scree_vec n, uint32_t *vertex);
void __real_axes_face(const convex *a, const convex *b, int of_b, uint32_t f, axis *best);
void __wrap_axes_face(const convex *a, const convex *b, int of_b, uint32_t f, axis *best);
void __real_axes_pair(const convex *a, const convex *b, uint32_t i, uint32_t j, const edge *e,
                      axis *best);
void __wrap_axes_pair(const convex *a, const convex *b, uint32_t i, uint32_t j, const edge *e,
                      axis *best);

scree_vec __wrap_convex_farthest(const convex *c, scree_vec n, uint32_t *vertex)
{
    n_supports++;
    return __real_convex_farthest(c, n, vertex);
}

void __wrap_axes_face(const convex *a, const convex *b, int of_b, uint32_t f, axis *best)
{
    n_axes++;
    __real_axes_face(a, b, of_b, f, best);
}

void __wrap_axes_pair(const convex *a, const convex *b, uint32_t i, uint32_t j, const edge *e,
                      axis *best)
{
    n_axes++;
    __real_axes_pair(a, b, i, j, e, best);
}

/* ---- bodies ---- */

/* A cap: a fan over ring `from` to `from` + columns, flat inside. */
static void add_cap(test_solid *s, uint32_t from, uint32_t columns, int up)
{
    for (uint32_t k = 1; k + 1 < columns; k++) {
        const uint32_t f = s->mesh.n_facets, i = from + (up ? k : k + 1),
                       j = from + (up ? k + 1 : k);
        solid_facet(s, from, i, j, SCREE_NONE);
        const uint32_t before = up ? 0 : 2, after = up ? 2 : 0; // edges along the fan
        if (k > 1) {
            s->edge[4 * f + before] = SCREE_EDGE_FLAT;
            s->neighbour[4 * f + before] = f - 1;
        }
        if (k + 2 < columns) {
            s->edge[4 * f + after] = SCREE_EDGE_FLAT;
            s->neighbour[4 * f + after] = f + 1;
        }
    }
}

static polytope *make_globe(uint32_t rows, uint32_t columns)
{
    static const double half[3] = {1.0, 0.8, 0.5};
    static test_solid s;
    const char *why;
    int32_t code;
    solid_start(&s);
    memset(s.edge, SCREE_EDGE_CONVEX, sizeof s.edge);
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t k = 0; k < columns; k++) {
            const double up = M_PI * (row + 0.5) / rows, turn = 2.0 * M_PI * k / columns;
            solid_vertex(&s, half[0] * sin(up) * cos(turn), half[1] * sin(up) * sin(turn),
                         half[2] * cos(up));
        }
    add_cap(&s, 0, columns, 1);
    for (uint32_t row = 0; row + 1 < rows; row++)
        for (uint32_t k = 0; k < columns; k++) {
            const uint32_t next = (k + 1) % columns, at = row * columns;
            solid_facet(&s, at + k, at + columns + k, at + columns + next, at + next);
        }
    add_cap(&s, (rows - 1) * columns, columns, 0);
    solid_finish(&s);
    polytope *p = polytope_new(&s.mesh, &why, &code);
    if (!p)
        bail_out("%s", why);
    return p;
}

/* Two bodies in the world. */
typedef struct scene {
    double q[4][2], x[3][2], scale[2], radius[2];
    scree_bodies bodies;
    void *room[2], *search;
    const polytope *flat[2];
} scene;

static void start_scene(scene *s, const polytope *a, const polytope *b)
{
    memset(s, 0, sizeof *s);
    s->flat[0] = a;
    s->flat[1] = b;
    s->bodies = (scree_bodies){
        .size = sizeof s->bodies, .dimension = 3, .n = 2, .scale = s->scale, .radius = s->radius};
    for (int k = 0; k < 4; k++)
        s->bodies.q[k] = s->q[k];
    for (int k = 0; k < 3; k++)
        s->bodies.x[k] = s->x[k];
    for (int k = 0; k < 2; k++)
        s->room[k] = malloc(convex_bytes(s->flat[k]));
    s->search = malloc(cover_bytes() > least_bytes() ? cover_bytes() : least_bytes());
}

static void end_scene(scene *s)
{
    free(s->room[0]);
    free(s->room[1]);
    free(s->search);
}

static void turn(fake_host *f, scene *s, int body)
{
    double square = 0.0;
    for (int k = 0; k < 4; k++) {
        s->q[k][body] = fake_uniform(f, -1.0, 1.0);
        square += s->q[k][body] * s->q[k][body];
    }
    for (int k = 0; k < 4; k++)
        s->q[k][body] /= sqrt(square);
    s->scale[body] = fake_uniform(f, 0.5, 1.5);
    s->radius[body] = s->scale[body] * s->flat[body]->size;
}

static convex body_at(const scene *s, int body, scree_vec at)
{
    convex c = convex_frame(&s->bodies, (uint32_t)body, s->flat[body], NULL, at, s->room[body]);
    convex_place_corners(&c);
    return c;
}

static scree_vec random_way(fake_host *f)
{
    scree_vec n;
    do {
        n = scree_vec_of(fake_uniform(f, -1.0, 1.0), fake_uniform(f, -1.0, 1.0),
                         fake_uniform(f, -1.0, 1.0));
    } while (!(scree_dot(n, n) > 0.01 && scree_dot(n, n) < 1.0));
    return unit_of(n);
}

/* ---- walks ---- */

static uint32_t first_of_all(const convex *c, scree_vec n)
{
    uint32_t best = 0;
    for (uint32_t v = 1; v < c->flat->n_vertices; v++)
        if (scree_dot(n, corner(c, v)) > scree_dot(n, corner(c, best)))
            best = v;
    return best;
}

static uint32_t nearest_of_all(const polytope *p, scree_vec n)
{
    uint32_t best = 0;
    for (uint32_t f = 1; f < p->n_faces; f++)
        if (scree_dot(p->normal[f], n) > scree_dot(p->normal[best], n))
            best = f;
    return best;
}

static scree_vec nudged(fake_host *f, scree_vec n)
{
    const double by = pow(10.0, fake_uniform(f, -18.0, -6.0));
    return unit_of(scree_less(n, by, random_way(f)));
}

/* Along n, -n, and directions next to them. */
static uint32_t count_wrong(fake_host *f, const convex *c, scree_vec n)
{
    uint32_t wrong = 0;
    for (int k = 0; k < 4; k++) {
        const scree_vec m = scree_scaled(k % 2 ? -1.0 : 1.0, k < 2 ? n : nudged(f, n));
        wrong += graph_farthest(c, m) != first_of_all(c, m);
        wrong += graph_facing(c->flat, m) != nearest_of_all(c->flat, m);
    }
    return wrong;
}

static void test_walks(fake_host *f)
{
    static const uint32_t rows[] = {2, 5, 12, MANY};
    uint32_t wrong = 0, n_graphs = 0, n_ways = 0;
    for (int k = 0; k < 4; k++) {
        polytope *p = make_globe(rows[k], MANY);
        scene s;
        start_scene(&s, p, p);
        turn(f, &s, 0);
        const convex c = body_at(&s, 0, scree_scaled((double)k, random_way(f)));
        const uint32_t n_edges = p->graph ? p->n_edges : 0;
        n_graphs += p->graph != NULL;
        for (uint32_t e = 0; e < n_edges; e++, n_ways += 3) {
            const scree_vec m = p->normal[p->edges[e].face[0]], n = p->normal[p->edges[e].face[1]];
            wrong += count_wrong(f, &c, turned(&c, m));
            wrong += count_wrong(f, &c, unit_of(turned(&c, scree_sum(m, n))));
            wrong += count_wrong(f, &c, random_way(f));
        }
        end_scene(&s);
        polytope_free(p);
    }
    printf("# %u directions of %u bodies, %u wrong\n", 4 * n_ways, n_graphs, wrong);
    tap_ok(n_graphs == 4 && wrong == 0, "walks end at the first of the highest corners, and find "
                                        "the nearest face, also along normals");
}

/* ---- searches ---- */

/* Work of searches. */
typedef struct tally {
    uint32_t n, n_least, n_same, supports, axes, hinted, hinted_axes;
} tally;

static int is_same(const axis *l, const axis *r)
{
    return memcmp(&l->span, &r->span, sizeof l->span) == 0 && l->type == r->type && l->i == r->i &&
           l->j == r->j;
}

static int search(const scene *s, scree_vec d, surface *known, axis *out)
{
    const scree_vec none = {0, 0, 0};
    const convex a = body_at(s, 0, none), b = body_at(s, 1, d);
    *out = (axis){.type = AXIS_GAP};
    n_supports = n_axes = 0;
    return cover_least(&a, &b, 0.0, known, s->search, out);
}

/* By all axes. */
static void search_all(const scene *s, scree_vec d, double range, axis *out)
{
    const scree_vec none = {0, 0, 0};
    const convex a = body_at(s, 0, none), b = body_at(s, 1, d);
    *out = (axis){.type = AXIS_GAP};
    n_supports = n_axes = 0;
    axes_least(&a, &b, range, SCREE_NONE, s->search, out);
}

/* A place of b where the least translation is `deep`. */
static scree_vec place(fake_host *f, const scene *s, double deep)
{
    scree_vec d = scree_scaled(s->radius[0] + s->radius[1], random_way(f));
    for (int round = 0; round < 12; round++) {
        axis least;
        search_all(s, d, (double)INFINITY, &least);
        d = scree_less(d, deep - least.span.depth, least.span.normal);
    }
    return d;
}

static void search_pair(fake_host *f, scene *s, double part, tally *t)
{
    surface known = {0};
    axis cold, all, hinted;
    turn(f, s, 0);
    turn(f, s, 1);
    const double size = fmin(s->radius[0], s->radius[1]);
    const scree_vec d = place(f, s, part * size), moved = scree_less(d, 1e-5, random_way(f));
    t->n++;
    search(s, d, &known, &cold);
    t->n_least += search(s, moved, NULL, &cold) == COVER_LEAST;
    t->supports += n_supports;
    t->axes += n_axes;
    search(s, moved, &known, &hinted);
    t->hinted += n_supports;
    t->hinted_axes += n_axes;
    search_all(s, moved, 0.0, &all);
    t->n_same += is_same(&cold, &all) && is_same(&cold, &hinted);
}

static tally search_pairs(fake_host *f, const polytope *p, int deep)
{
    tally t = {0};
    scene s;
    start_scene(&s, p, p);
    for (uint32_t i = 0; i < PAIRS; i++)
        search_pair(f, &s,
                    deep ? fake_uniform(f, 0.05, 0.3) : pow(10.0, fake_uniform(f, -4.0, -2.0)), &t);
    end_scene(&s);
    printf("# %u pairs: per pair %.1f supports, %.1f axes; with a hint %.1f and %.1f\n", t.n,
           (double)t.supports / t.n, (double)t.axes / t.n, (double)t.hinted / t.n,
           (double)t.hinted_axes / t.n);
    return t;
}

static void test_searches(fake_host *f)
{
    polytope *p = make_globe(MANY, MANY);
    const tally shallow = search_pairs(f, p, 0), deep = search_pairs(f, p, 1);
    tap_ok(shallow.n_least == PAIRS && deep.n_least == PAIRS,
           "of polytopes of 1 124 faces that overlap each search ends with a proof");
    tap_ok(shallow.n_same == PAIRS && deep.n_same == PAIRS,
           "the axis is that of the search of all, with and without a hint, to the bit");
    tap_ok(shallow.supports < 50 * PAIRS && shallow.axes < 8 * PAIRS &&
               deep.supports < 60 * PAIRS && deep.axes < 8 * PAIRS,
           "it takes less than 60 support points of a body, and 8 axes");
    tap_ok(5 * shallow.hinted < shallow.supports && 3 * deep.hinted < deep.supports,
           "a hint leaves less than a fifth of the support points, of deep pairs a third");
    polytope_free(p);
}

int main(void)
{
    fake_host fake;
    fake_init(&fake, 3);
    test_walks(&fake);
    test_searches(&fake);
    return tap_end();
}
