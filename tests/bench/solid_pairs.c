// SPDX-License-Identifier: Apache-2.0
// Time per pair of convex solids against the error of the depth: the resolvers, libccd, FCL.
/*
 * usage: solid_pairs PLUGINS LEVEL [PAIRS [MILLISECONDS]]     LEVEL: "" or ".x86-64-v3"
 *
 * Three sets of pairs in random poses, half axes 1, 0.8, 0.5, which overlap by 0.001 to 0.01: ellipsoids,
 * superquadrics of exponent 4, and polyhedra of 2 312 facets, the hulls of points of such ellipsoids. Depths are
 * known without a resolver (solid_pairs.h). Shapes come from their plugins, so that support functions and meshes are
 * those of a run; libccd has the same ones. FCL has no superquadrics: it has ellipsoids, and hulls of 1 158 points.
 * Prints a row for each resolver and resolution, separated by tabs: set, what, resolution, [s] to prepare a shape,
 * [ns] per pair (of the processor, least of many rounds over all pairs), error of the depth, mean and largest,
 * contacts per pair, pairs that were missed. Status 1: `gjk` is more than 1e-9 off, of smooth solids, or of
 * polyhedra less than the least depth or more than 1e-3 of it over.
 */
#include <time.h>

#include "solid_pairs.h"
#ifdef HAVE_FCL
#include "fcl_pairs.h"
#endif
#ifdef HAVE_CCD
#include <ccd/ccd.h>
#endif

enum { ROWS = 34, POINTS = ROWS * ROWS + 2 };

/** A shape of a plugin, and its views. */
typedef struct made {
    fake_host fake;
    const scree_shape_ops *ops;
    void *instance;
    scree_shape shape;
    const scree_support *support;
    const scree_mesh *mesh;
} made;

typedef struct bench {
    const char *set, *plugins, *level;
    const placing *list;
    uint32_t n;
    double budget; // [s] of a row
} bench;

static double worst_gjk;
static double off_faces
    [2]; /* of gjk, of polyhedra: by how much depths are less than the least, and over it as a part */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); // others use the machine too
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- shapes ---- */

static const void *view_made(const scree_shape *shape, const char *name, double tolerance)
{
    const made *m = shape->ctx;
    const void *view = NULL;
    return m->ops->view(m->instance, name, tolerance, &view) == SCREE_OK ? view : NULL;
}

static char *path_of(const bench *b, const char *name)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s%s.so", b->plugins, name, b->level);
    return path;
}

static void *new_config(const scree_plugin *plugin)
{
    void *config = calloc(1, plugin->config_size);
    fake_defaults(plugin, config);
    return config;
}

static void create_shape(made *m, const scree_plugin *plugin, void *config)
{
    fake_init(&m->fake, 3);
    m->ops = plugin->ops;
    scree_measure measure = {.size = sizeof measure, .dimension = 3};
    if (m->ops->create(&m->fake.host, config, &m->instance) != SCREE_OK ||
        m->ops->measure(m->instance, &measure) != SCREE_OK)
        bail_out("%s: %s", plugin->id, m->fake.text);
    m->shape =
        (scree_shape){.size = sizeof m->shape,
                      .type = TYPE_SOLID,
                      .n_parts = 1,
                      .plugin = plugin,
                      .radius = measure.radius,
                      .volume = measure.content,
                      .inertia = {measure.inertia[0], measure.inertia[1], measure.inertia[2]},
                      .view = view_made,
                      .ctx = m};
    m->shape.mesh = m->mesh = view_made(&m->shape, SCREE_VIEW_MESH, 0.0);
    m->support = view_made(&m->shape, SCREE_VIEW_SUPPORT, 0.0);
}

static void make_superquadric(const bench *b, made *m, const formula *f)
{
    const scree_plugin *plugin = fake_load(path_of(b, "shape/superquadric"), SCREE_KIND_SHAPE);
    void *config = new_config(plugin);
    const double exponents[2] = {f->exponent, f->exponent};
    *(scree_reals *)fake_member(plugin, config, "axes") = (scree_reals){3, f->axis};
    *(scree_reals *)fake_member(plugin, config, "blockiness") = (scree_reals){2, exponents};
    create_shape(m, plugin, config);
    free(config);
}

static void farthest(const made *m, const double n[3], double at[3])
{
    const double *const direction[3] = {&n[0], &n[1], &n[2]};
    double *const point[3] = {&at[0], &at[1], &at[2]};
    m->support->farthest(m->support->ctx, 1, direction, point);
}

/** The hull of the points of a superquadric with the normals of a globe's grid. */
static void make_hull_of(const bench *b, made *m, const made *of)
{
    static double points[POINTS][3];
    static uint64_t first[POINTS + 1];
    const scree_plugin *plugin = fake_load(path_of(b, "shape/polyhedron"), SCREE_KIND_SHAPE);
    void *config = new_config(plugin);
    for (uint32_t i = 0; i < POINTS; i++) {
        const uint32_t row = i / ROWS, column = i % ROWS;
        const double up = i < ROWS * ROWS ? M_PI * (row + 1) / (ROWS + 1)
                          : i % 2         ? 0.0
                                          : M_PI,
                     turn = 2.0 * M_PI * column / ROWS;
        const double n[3] = {sin(up) * cos(turn), sin(up) * sin(turn), cos(up)};
        farthest(of, n, points[i]);
        first[i + 1] = 3 * (uint64_t)(i + 1);
    }
    const scree_real_rows rows = {
        .size = sizeof rows, .n = POINTS, .first = first, .v = &points[0][0]};
    const scree_real_rows no_rows = {.size = sizeof no_rows, .first = first};
    const scree_int_rows no_facets = {.size = sizeof no_facets, .first = first};
    *(const scree_real_rows **)fake_member(plugin, config, "points") = &rows;
    *(const scree_real_rows **)fake_member(plugin, config, "vertices") = &no_rows;
    *(const scree_int_rows **)fake_member(plugin, config, "facets") = &no_facets;
    create_shape(m, plugin, config);
    free(config);
}

/* ---- rows ---- */

typedef struct row {
    double prepare, ns, mean, most, less, over, contacts;
    uint32_t missed;
} row;

static void print(const bench *b, const char *what, const char *resolution, const row *r)
{
    printf("%s\t%s\t%s\t%.3e\t%.0f\t%.2e\t%.2e\t%.2f\t%u\n", b->set, what, resolution, r->prepare,
           r->ns, r->mean, r->most, r->contacts, r->missed);
}

/** Calls of one pair of a row: contacts, and their largest depth. */
typedef uint32_t (*touch_fn)(void *ctx, const placing *p, double *depth);

static void note_row(row *r, const placing *p, uint32_t contacts, double depth, uint32_t n)
{
    const double off = fabs((double)(depth - p->depth));
    r->contacts += (double)contacts / n;
    r->missed += contacts == 0;
    if (contacts == 0)
        return;
    r->mean += off;
    r->most = fmax(r->most, off);
    r->less = fmax(r->less, (double)(p->depth - depth));
    r->over = fmax(r->over, (double)((depth - p->depth) / p->depth));
}

/** All pairs once for the errors, then again until the budget is spent. */
static row measure(const bench *b, touch_fn touch, void *ctx)
{
    row r = {.ns = HUGE_VAL};
    double depth;
    const double end = now() + b->budget;
    for (uint32_t i = 0; i < b->n; i++) {
        const uint32_t contacts = touch(ctx, &b->list[i], &depth);
        note_row(&r, &b->list[i], contacts, depth, b->n);
    }
    r.mean /= b->n - r.missed ? b->n - r.missed : 1;
    do {
        const double from = now();
        for (uint32_t i = 0; i < b->n; i++)
            touch(ctx, &b->list[i], &depth);
        r.ns = fmin(r.ns, 1e9 * (now() - from) / b->n);
    } while (now() < end);
    return r;
}

typedef struct resolver {
    subject s;
    test_pair p;
    const placing *list;
    unsigned char *hints; // of each pair, from call to call; NULL: none
} resolver;

static uint32_t touch_resolver(void *ctx, const placing *p, double *depth)
{
    static test_touches t;
    resolver *r = ctx;
    memcpy(r->p.q, p->q, sizeof r->p.q);
    memcpy(r->p.d, p->d, sizeof r->p.d);
    r->p.hints = r->hints ? r->hints + (p - r->list) * r->s.ops->hint_bytes : NULL;
    const uint32_t n = touch_pair(&r->s, &r->p, 0.0, NULL, &t);
    *depth = n ? t.depth[deepest_touch(&t)] : 0.0;
    return n;
}

static void quiet(void *ctx, int32_t level, const char *text)
{
}

static void run_resolver(const bench *b, const char *id, const made *m, const char *resolution,
                         const setting *settings)
{
    static resolver r;
    char name[64];
    snprintf(name, sizeof name, "resolver/%s", id);
    start_resolver(&r.s, path_of(b, name), 3, settings);
    r.s.fake.host.log = quiet;
    r.s.fake.keeps_scratch = 1;
    init_pair(&r.p, 3);
    double from = now();
    for (uint32_t k = 0; k < 2; k++) {
        r.p.shapes[k] = &m->shape;
        r.p.radius[k] = m->shape.radius;
        from = k ? from : now();
        if (r.s.ops->prepare(r.s.self, k, &m->shape) != SCREE_OK) {
            printf("# %s, %s: %s\n", b->set, id, r.s.fake.text);
            stop_resolver(&r.s);
            return;
        }
    }
    const double prepare = 0.5 * (now() - from);
    r.list = b->list;
    r.hints = NULL;
    row of = measure(b, touch_resolver, &r);
    of.prepare = prepare;
    print(b, id, resolution, &of);
    if (strcmp(id, "gjk") == 0 && !m->mesh)
        worst_gjk = fmax(worst_gjk, of.missed ? HUGE_VAL : of.most);
    if (r.s.ops->hint_bytes && m->mesh) { // of polyhedra that overlap, too
        r.hints = calloc(b->n, r.s.ops->hint_bytes);
        row hinted = measure(b, touch_resolver, &r);
        hinted.prepare = prepare;
        print(b, id, "with a hint", &hinted);
        free(r.hints);
    }
    if (strcmp(id, "gjk") == 0 && m->mesh) { // a face on a face has depths of its own corners
        off_faces[0] = of.missed ? HUGE_VAL : of.less;
        off_faces[1] = of.over;
    }
    stop_resolver(&r.s);
}

static void run_resolvers(const bench *b, const made *m, int polyhedra)
{
    static const double cells[] = {8.0, 16.0, 32.0, 64.0};
    char resolution[64];
    run_resolver(b, "gjk", m, "", NULL);
    if (polyhedra)
        run_resolver(b, "cyrus_beck", m, "", NULL);
    for (int c = 0; c < 4; c++) {
        snprintf(resolution, sizeof resolution, "%g cells", cells[c]);
        run_resolver(b, "dfr3d", m, resolution, (const setting[]){{"cells", cells[c]}, {0}});
    }
    for (int c = 0; c < 3; c++) {
        snprintf(resolution, sizeof resolution, "%g cells", cells[c]);
        run_resolver(b, "sdf", m, resolution, (const setting[]){{"cells", cells[c]}, {0}});
    }
    for (double spacing = 0.5; spacing <= 2.0; spacing *= 4.0) {
        snprintf(resolution, sizeof resolution, "16 cells, spacing %g", spacing);
        run_resolver(b, "sdf", m, resolution,
                     (const setting[]){{"cells", 16.0}, {"spacing", spacing}, {0}});
    }
}

#ifdef HAVE_CCD
typedef struct ccd_body {
    const made *of;
    double m[3][3], at[3];
} ccd_body;

typedef struct ccd_pair {
    ccd_t ccd;
    ccd_body body[2];
    int portal; // ccdMPRPenetration
} ccd_pair;

static void ccd_support(const void *object, const ccd_vec3_t *dir, ccd_vec3_t *out)
{
    const ccd_body *b = object;
    double n[3], v[3], at[3];
    for (int k = 0; k < 3; k++)
        n[k] = b->m[0][k] * dir->v[0] + b->m[1][k] * dir->v[1] + b->m[2][k] * dir->v[2];
    farthest(b->of, n, v);
    for (int k = 0; k < 3; k++)
        at[k] = b->at[k] + b->m[k][0] * v[0] + b->m[k][1] * v[1] + b->m[k][2] * v[2];
    ccdVec3Set(out, at[0], at[1], at[2]);
}

static void ccd_centre(const void *object, ccd_vec3_t *out)
{
    const ccd_body *b = object;
    ccdVec3Set(out, b->at[0], b->at[1], b->at[2]);
}

static uint32_t touch_ccd(void *ctx, const placing *p, double *depth)
{
    ccd_pair *c = ctx;
    ccd_vec3_t dir, pos;
    for (int k = 0; k < 2; k++) {
        const double q[4] = {p->q[0][k], p->q[1][k], p->q[2][k], p->q[3][k]};
        for (int j = 0; j < 3; j++) {
            const double axis[3] = {j == 0, j == 1, j == 2};
            double out[3];
            scree_rotate(q, axis, out);
            for (int i = 0; i < 3; i++)
                c->body[k].m[i][j] = out[i];
            c->body[k].at[j] = k ? p->d[j] : 0.0;
        }
    }
    *depth = 0.0;
    return c->portal ? ccdMPRPenetration(&c->body[0], &c->body[1], &c->ccd, depth, &dir, &pos) == 0
                     : ccdGJKPenetration(&c->body[0], &c->body[1], &c->ccd, depth, &dir, &pos) == 0;
}

static void run_ccd(const bench *b, const made *m)
{
    ccd_pair c = {.body = {{.of = m}, {.of = m}}};
    CCD_INIT(&c.ccd);
    c.ccd.support1 = c.ccd.support2 = ccd_support;
    c.ccd.center1 = c.ccd.center2 = ccd_centre;
    c.ccd.max_iterations = 500;
    c.ccd.epa_tolerance = c.ccd.mpr_tolerance = c.ccd.dist_tolerance = 1e-6;
    for (c.portal = 0; c.portal < 2; c.portal++) {
        const row r = measure(b, touch_ccd, &c);
        print(b, c.portal ? "libccd, portals" : "libccd, GJK and polytope", "", &r);
    }
}
#else
static void run_ccd(const bench *b, const made *m)
{
}
#endif

#ifdef HAVE_FCL
typedef struct fcl_pair {
    void *body;
    int own;
} fcl_pair;

static uint32_t touch_fcl(void *ctx, const placing *p, double *depth)
{
    const fcl_pair *f = ctx;
    double q[4][2];
    memcpy(q, p->q, sizeof q);
    return fcl_pairs_touch(f->body, f->body, q, p->d, f->own, depth);
}

/** Takes the body. */
static void run_fcl_body(const bench *b, const char *what, void *body, int own, double prepare)
{
    fcl_pair f = {body, own};
    row r = measure(b, touch_fcl, &f);
    r.prepare = prepare;
    print(b, what, "", &r);
    fcl_pairs_free(body);
}

static void run_fcl(const bench *b, const formula *f, const made *hull, int polyhedra)
{
    const scree_mesh *m = hull->mesh;
    char what[64];
    for (int own = 0; own < 2; own++) {
        const char *const solver = own ? "FCL, own solver" : "FCL, libccd";
        if (!polyhedra && f->exponent == 2.0) {
            snprintf(what, sizeof what, "%s: ellipsoids", solver);
            run_fcl_body(b, what, fcl_pairs_ellipsoid(f->axis), own, 0.0);
        }
        snprintf(what, sizeof what, "%s: hulls of %u facets", solver, m->n_facets);
        const double from = now();
        void *body = fcl_pairs_convex(m->n_vertices, m->vertex, m->n_facets, m->facet);
        run_fcl_body(b, what, body, own, now() - from);
    }
    const double from = now();
    void *body = fcl_pairs_mesh(m->n_vertices, m->vertex, m->n_facets, m->facet);
    snprintf(what, sizeof what, "FCL: tree of %u triangles", m->n_facets);
    run_fcl_body(b, what, body, 0, now() - from);
}
#else
static void run_fcl(const bench *b, const formula *f, const made *hull, int polyhedra)
{
}
#endif

/** The closed form of the support function and the plugin's are the same. */
static void check_formula(const formula *f, const made *m)
{
    static real same[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    fake_host fake;
    fake_init(&fake, 3);
    for (int i = 0; i < 1000; i++) {
        double n[3], at[3];
        for (int k = 0; k < 3; k++)
            n[k] = fake_uniform(&fake, -1.0, 1.0);
        const real of[3] = {n[0], n[1], n[2]};
        farthest(m, n, at);
        const real off = height(f, same, of) - (of[0] * at[0] + of[1] * at[1] + of[2] * at[2]);
        if (fabsl(off) > 1e-13L)
            bail_out("shape/superquadric is %Lg off its formula", off);
    }
}

int main(int argc, char **argv)
{
    static const formula forms[2] = {{{1.0, 0.8, 0.5}, 2.0}, {{1.0, 0.8, 0.5}, 4.0}};
    static made solid[2], hull[2];
    fake_host fake;
    if (argc < 3)
        return 2;
    bench b = {.plugins = argv[1], .level = argv[2]};
    b.n = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 60;
    b.budget = argc > 4 ? 1e-3 * strtod(argv[4], NULL) : 0.5;
    placing *list = calloc(b.n, sizeof *list);
    if (!list || b.n == 0)
        return 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    fake_init(&fake, 3);
    b.list = list;
    for (int k = 0; k < 2; k++) {
        b.set = k ? "superquadrics" : "ellipsoids";
        make_superquadric(&b, &solid[k], &forms[k]);
        make_hull_of(&b, &hull[k], &solid[k]);
        check_formula(&forms[k], &solid[k]);
        place_pairs(&fake, &forms[k], list, b.n);
        run_resolvers(&b, &solid[k], 0);
        run_ccd(&b, &solid[k]);
        run_fcl(&b, &forms[k], &hull[k], 0);
        if (k == 1)
            break;
        b.set = "polyhedra";
        for (uint32_t i = 0; i < b.n; i++)
            move_meshes(hull[0].mesh, &list[i]);
        run_resolvers(&b, &hull[0], 1);
        run_ccd(&b, &hull[0]);
        run_fcl(&b, &forms[0], &hull[0], 1);
    }
    free(list);
    printf("%s 1 - depths of gjk of smooth solids are within 1e-9 of the least found by a search, "
           "%.1e\n",
           worst_gjk <= 1e-9 ? "ok" : "not ok", worst_gjk);
    const int exact = off_faces[0] <= 1e-12 && off_faces[1] <= 1e-3;
    printf(
        "%s 2 - of polyhedra of many faces none is less than the least of all axes, %.1e, and the "
        "deepest corner of faces that touch is over it by 1e-3 of itself at most, %.1e\n1..2\n",
        exact ? "ok" : "not ok", off_faces[0], off_faces[1]);
    return !(worst_gjk <= 1e-9 && exact);
}
