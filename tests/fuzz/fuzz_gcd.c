/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: any bytes as boxes that move, come, go and grow in number, some of which may be
 * known to hold a line, as regions and as lists of what moved; every GCD of the build (or the one
 * that SCREE_FUZZ_GCD names, FILE.so or FILE.so:ID) must find what brute force finds. */
#include <dirent.h>
#include <float.h>
#include <math.h>
#include <unistd.h>

#include "../bench/gcd_load.h"
#include "scree/draft/conformal.h"

enum { MOST = 48, STEPS = 24, PLUGINS = 64, LINES = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct input {
    const uint8_t *at, *end;
} input;

typedef struct state {
    gcd *g;
    input in;
    world w;
    pair_list pairs;
    index_list found;
    uint32_t flags, list[MOST];
    uint32_t n_moved;
    int incremental, all; // the plugin takes lists; this step is given none
    uint8_t moved[MOST], seen[MOST][MOST];
    double scale;
} state;

/* ---- plugins ---- */

static int32_t silent_fail(void *ctx, int32_t code, const char *text)
{
    return code;
}

/* The folder of the plugins, seen from this program: both are in one build. */
static int list_files(char files[PLUGINS][4096])
{
    char folder[3072], *slash;
    const char *one = getenv("SCREE_FUZZ_GCD");
    ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 64);
    struct dirent *entry;
    int n = 0;
    if (one) {
        snprintf(files[0], sizeof files[0], "%s", one);
        return 1;
    }
    folder[length > 0 ? length : 0] = '\0';
    slash = strrchr(folder, '/');
    strcpy(slash ? slash : folder, "/../../plugins/gcd");
    DIR *dir = opendir(folder);
    if (dir)
        while (n < PLUGINS && (entry = readdir(dir))) {
            const char *dot = strchr(entry->d_name, '.');
            if (dot && strcmp(dot, ".so") == 0) // not the twins of other CPU levels
                snprintf(files[n++], sizeof files[0], "%s/%s", folder, entry->d_name);
        }
    if (dir)
        closedir(dir);
    return n;
}

static gcd *load_all(int *n)
{
    static gcd all[PLUGINS];
    static char files[PLUGINS][4096];
    static int loaded = -1;
    if (loaded < 0) {
        loaded = list_files(files);
        for (int k = 0; k < loaded; k++)
            if (!load_gcd(&all[k], files[k], 0, NULL))
                abort();
        if (loaded == 0)
            abort();
    }
    *n = loaded;
    return all;
}

/* ---- bytes ---- */

static uint32_t next(input *in)
{
    return in->at < in->end ? *in->at++ : 0;
}

static uint32_t below(input *in, uint32_t n)
{
    return next(in) % n;
}

/* Another value than the default for a parameter, where a byte says so; none that takes long. */
static void draw_param(state *t, const scree_param *p)
{
    void *to = t->g->config + p->offset;
    const uint32_t byte = next(&t->in);
    const int32_t truth = byte & 1, least = byte % 8 == 1;
    const double real = least ? p->real_min : fmin(p->real_max, 0.5 * p->real_default);
    const int64_t whole = least ? p->int_min : p->int_default / 2;
    set_param(t->g, p, NULL);
    if (!strcmp(p->name, "as_printed"))
        return; // it may miss pairs
    if (p->type == SCREE_TYPE_BOOL)
        memcpy(to, &truth, sizeof truth);
    else if (p->type == SCREE_TYPE_CHOICE)
        memcpy(to, &p->choices[byte % p->n_choices]->value, sizeof(int32_t));
    else if (byte % 8 > 2)
        return;
    else if (p->type == SCREE_TYPE_REAL && real >= p->real_min)
        memcpy(to, &real, sizeof real);
    else if (p->type == SCREE_TYPE_INT && whole >= p->int_min)
        memcpy(to, &whole, sizeof whole);
}

/* Any finite number: denormal, of ordinary size, near the largest, or one whose square is beyond.
 */
static double draw_number(state *t)
{
    static const double sizes[] = {0.0,     5e-324, 3e-310, 2.3e-308, 1e-200, 1e-155, 1e-30,
                                   1.0,     1.0625, 3.0,    1e9,      1e16,   1e100,  1.3e154,
                                   1.5e154, 1e155,  1e200,  1e300,    8e307,  DBL_MAX};
    const uint32_t byte = next(&t->in);
    const double x = sizes[byte % (sizeof sizes / sizeof *sizes)];
    return byte & 128 ? -x : x;
}

/* Corners anywhere among the finite numbers, on each axis apart, together, or a bit apart. */
static void draw_wild(state *t, uint32_t i)
{
    world *w = &t->w;
    double half[3];
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t form = k < w->dimension ? next(&t->in) : 0;
        const double a = k < w->dimension ? draw_number(t) : 0.0;
        const double b = form % 4 == 0 ? a : form % 4 == 1 ? nextafter(a, 0.0) : draw_number(t);
        w->lo[k][i] = a < b ? a : b;
        w->hi[k][i] = a < b ? b : a;
        w->centre[k][i] = 0.5 * a + 0.5 * b;
        half[k] = 0.5 * w->hi[k][i] - 0.5 * w->lo[k][i];
    }
    w->radius[i] = fmin(hypot(hypot(half[0], half[1]), half[2]) * (1.0 + 1e-12), DBL_MAX);
}

static void draw_box(state *t, uint32_t i)
{
    static const double halves[] = {0.5, 0.5, 1.0, 0.25, 0.0, 2.0, 16.0, 1000.0};
    const uint32_t form = next(&t->in);
    double x[3], h[3];
    if (form % 16 == 7) {
        empty_slot(&t->w, i);
        return;
    }
    if (form >= 192 && t->scale == 1.0) {
        draw_wild(t, i);
        return;
    }
    for (uint32_t k = 0; k < 3; k++) {
        x[k] = t->scale * 0.25 * (int8_t)next(&t->in) / (form & 64 ? 3.0 : 1.0);
        h[k] = t->scale * halves[form & 32 ? below(&t->in, 8) : form / 2 % 8];
    }
    set_box(&t->w, i, x, h);
}

/* Slots that have never had a box. */
static void grow(state *t, uint32_t n)
{
    const uint32_t first = t->w.n;
    resize_world(&t->w, n, t->w.dimension);
    for (uint32_t i = first; i < n; i++) {
        draw_box(t, i);
        t->moved[i] = 1;
    }
}

/* ---- draft.conformal/1: every so many boxes hold the line between their corners ---- */

static int32_t knows(void *ctx, uint32_t slot)
{
    const scree_boxes *b = ctx;
    return slot < b->n && slot % LINES == 0 && !scree_box_empty(b, slot);
}

static int32_t comes_within(void *ctx, uint32_t slot, const double lo[3], const double hi[3],
                            double d)
{
    const scree_boxes *b = ctx;
    double from = 0.0, to = 1.0;
    int near = 1;
    for (uint32_t k = 0; k < b->dimension && knows(ctx, slot); k++) {
        const double at = b->lo[k][slot], by = b->hi[k][slot] - at;
        const double first = (lo[k] - d - at) / by, last = (hi[k] + d - at) / by;
        from = by > 0.0 && first > from ? first : from;
        to = by > 0.0 && last < to ? last : to;
        near &= by > 0.0 || (at >= lo[k] - d && at <= hi[k] + d);
    }
    return near && from <= to + 1e-9;
}

static scree_conformal lines = {
    .size = sizeof(scree_conformal), .knows = knows, .comes_within = comes_within};

static const void *give_lines(void *ctx, const char *name)
{
    return strcmp(name, SCREE_DRAFT_CONFORMAL) == 0 ? &lines : NULL;
}

static int stays_clear(uint32_t i, const scree_boxes *b, uint32_t j)
{
    const double lo[3] = {b->lo[0][j], b->lo[1][j], b->lo[2][j]};
    const double hi[3] = {b->hi[0][j], b->hi[1][j], b->hi[2][j]};
    return knows(lines.ctx, i) && (knows(lines.ctx, j) || !comes_within(lines.ctx, i, lo, hi, 0.0));
}

/* ---- what is required ---- */

static void blame(const state *t, const char *what, uint32_t a, uint32_t b)
{
    fprintf(stderr, "gcd/%s, %uD: %s (%u, %u) of %u boxes\n", t->g->id, t->w.dimension, what, a, b,
            t->w.n);
    abort();
}

static int spheres_meet(const scree_boxes *b, uint32_t i, uint32_t j)
{
    double d2 = 0.0, reach = b->radius[i] + b->radius[j];
    for (uint32_t k = 0; k < 3; k++)
        d2 += (b->centre[k][i] - b->centre[k][j]) * (b->centre[k][i] - b->centre[k][j]);
    return d2 <= reach * reach; // squares beyond all numbers part nothing
}

static void judge_pairs(state *t)
{
    const scree_boxes *b = &t->w.view;
    memset(t->seen, 0, sizeof t->seen);
    for (uint64_t p = 0; p < t->pairs.n; p++) {
        const scree_pair v = t->pairs.v[p];
        if (v.a >= b->n || v.b >= b->n || v.a == v.b || scree_box_empty(b, v.a) ||
            scree_box_empty(b, v.b))
            blame(t, "no pair", v.a, v.b);
        if (t->seen[v.a][v.b]++ || t->seen[v.b][v.a])
            blame(t, "a pair twice", v.a, v.b);
        if (!t->all && !t->moved[v.a] && !t->moved[v.b])
            blame(t, "a pair that did not move", v.a, v.b);
    }
    for (uint32_t i = 0; i < b->n; i++)
        for (uint32_t j = i + 1; j < b->n; j++)
            if (scree_boxes_overlap(b, i, j) && !t->seen[i][j] && !t->seen[j][i] &&
                (t->all || t->moved[i] || t->moved[j]) &&
                (!(t->flags & SCREE_GCD_SPHERES) || spheres_meet(b, i, j)) &&
                (!(t->flags & SCREE_GCD_CONFORMAL) ||
                 (!stays_clear(i, b, j) && !stays_clear(j, b, i))))
                blame(t, "missed", i, j);
}

static int zone_meets(const scree_zone *z, const scree_boxes *b, uint32_t i)
{
    double d2 = 0.0;
    int inside = !scree_box_empty(b, i);
    for (uint32_t k = 0; k < 3; k++) {
        const double c = z->a[k], lo = b->lo[k][i], hi = b->hi[k][i];
        const double d = c < lo ? lo - c : c > hi ? c - hi : 0.0;
        d2 += d * d;
        inside &= lo <= z->hi[k] && z->lo[k] <= hi;
    }
    return inside && (z->type == SCREE_ZONE_BOX || d2 <= z->radius * z->radius);
}

static void judge_zone(state *t)
{
    const uint32_t form = next(&t->in);
    scree_zone z = {.size = sizeof z, .type = 1 + form % 2, .radius = t->scale * (form / 2)};
    uint8_t found[MOST] = {0};
    const int wild = form >= 192 && t->scale == 1.0;
    if (wild)
        z.radius = fabs(draw_number(t));
    for (uint32_t k = 0; k < t->w.dimension; k++) {
        const double at = wild ? draw_number(t) : t->scale * 0.25 * (int8_t)next(&t->in);
        const double to = wild ? draw_number(t) : at;
        z.a[k] = z.b[k] = at;
        z.lo[k] = z.type == SCREE_ZONE_BALL ? at - z.radius : fmin(at, to);
        z.hi[k] = z.type == SCREE_ZONE_BALL ? at + z.radius : fmax(at, to);
        if (wild || z.type == SCREE_ZONE_BALL)
            continue;
        z.lo[k] = at - t->scale * 0.5 * below(&t->in, 32);
        z.hi[k] = at + t->scale * 0.5 * below(&t->in, 32);
    }
    open_indices(&t->found);
    if (t->g->ops->find_objects(t->g->instance, &z, &t->found.sink) != SCREE_OK)
        blame(t, "find_objects failed", 0, 0);
    for (uint64_t k = 0; k < t->found.n; k++) {
        const uint32_t i = t->found.v[k];
        if (i >= t->w.n || scree_box_empty(&t->w.view, i) || found[i]++)
            blame(t, "a wrong object", i, z.type);
    }
    for (uint32_t i = 0; i < t->w.n; i++)
        if (zone_meets(&z, &t->w.view, i) && !found[i])
            blame(t, "missed object", i, z.type);
}

/* ---- steps ---- */

static void search(state *t)
{
    uint64_t n_pivots = 0;
    const uint32_t cut = next(&t->in);
    const uint32_t *list = t->all ? NULL : t->list;
    if (t->g->ops->step_init(t->g->instance, &t->w.view, list, t->n_moved, &n_pivots) != SCREE_OK)
        blame(t, "step_init failed", 0, 0);
    const uint64_t middle = n_pivots * cut / 256;
    open_pairs(&t->pairs, 0);
    if (t->g->ops->find_neighbors(t->g->instance, 0, middle, &t->pairs.sink) != SCREE_OK ||
        t->g->ops->find_neighbors(t->g->instance, middle, n_pivots, &t->pairs.sink) != SCREE_OK)
        blame(t, "find_neighbors failed", 0, 0);
    judge_pairs(t);
    judge_zone(t);
}

/* All boxes are others, in any number. */
static void replace(state *t)
{
    t->all = 1;
    resize_world(&t->w, below(&t->in, MOST + 1), t->w.dimension);
    for (uint32_t i = 0; i < t->w.n; i++)
        draw_box(t, i);
}

/* Some move, and there may be more. */
static void move(state *t)
{
    const uint32_t most = t->w.n + below(&t->in, 4), n = below(&t->in, 6);
    memset(t->moved, 0, sizeof t->moved);
    for (uint32_t k = 0; k < n && t->w.n; k++) {
        const uint32_t i = below(&t->in, t->w.n);
        draw_box(t, i);
        t->moved[i] = 1;
    }
    grow(t, most < MOST ? most : MOST);
    t->all = !t->incremental;
    t->n_moved = 0;
    for (uint32_t i = 0; i < t->w.n; i++)
        if (t->moved[i])
            t->list[t->n_moved++] = i;
}

static void start(state *t)
{
    const uint32_t form = below(&t->in, 4);
    t->flags = (form & 1 ? SCREE_GCD_SPHERES : 0) | (form & 2 ? SCREE_GCD_CONFORMAL : 0);
    replace(t);
    if (t->g->ops->init(t->g->instance, &t->w.view, t->flags) != SCREE_OK)
        blame(t, "init failed", 0, 0);
}

static void drive(gcd *g, const uint8_t *data, size_t size)
{
    static const double scales[] = {1.0, 1.0, 0.1, 1e9, 1e-300, 1e290};
    state t = {.g = g, .in = {data, data + size}};
    scree_host host = fake_host;
    const uint32_t form = next(&t.in);
    host.fail = silent_fail;
    host.get_service = give_lines;
    lines.ctx = &t.w.view;
    host.dimension = 2 + form % 2;
    t.scale = scales[form / 2 % 6];
    t.incremental = (g->flags & SCREE_CAP_INCREMENTAL) != 0;
    for (uint32_t k = 0; k < g->plugin->n_params; k++)
        draw_param(&t, g->plugin->params[k]);
    if (!(g->plugin->dimensions & (host.dimension == 2 ? SCREE_DIMENSION_2 : SCREE_DIMENSION_3)) ||
        g->ops->create(&host, g->config, &g->instance) != SCREE_OK) {
        free_nested();
        return; // one that needs another plugin
    }
    resize_world(&t.w, MOST, host.dimension);
    start(&t);
    search(&t);
    for (uint32_t step = 0; step < STEPS && t.in.at < t.in.end; step++) {
        const uint32_t what = below(&t.in, 8);
        if (what == 0)
            start(&t);
        else if (what == 1)
            replace(&t);
        else
            move(&t);
        search(&t);
    }
    g->ops->destroy(g->instance);
    free_nested(); // the parameters are drawn again for the next run
    free_world(&t.w);
    free(t.pairs.v);
    free(t.found.v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int n;
    gcd *all = load_all(&n);
    for (int k = 0; k < n; k++)
        drive(&all[k], data, size);
    return 0;
}
