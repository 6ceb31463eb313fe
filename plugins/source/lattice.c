// SPDX-License-Identifier: Apache-2.0
/*
 * Source `lattice`: bodies on the sites of a cubic or hexagonal lattice.
 *
 * Idea: sites are filled in their order, x first, then y, then z, until `count` or `fraction` is
 * reached or the region is full. A site is skipped when another body takes it, or when the whole
 * body would not be in the region; the numbers of the bodies have no gaps.
 *
 * Hexagonal: rows a sqrt(3)/2 apart, every second one moved by a/2; layers a sqrt(2/3) apart in the
 * hollows of those below, A B A B.
 *
 * `jitter` moves a body by no more than that share of half the gap between neighbours: so
 * neighbours never meet. Along a periodic axis that the region spans, the lattice continues over
 * the boundary when the pitch divides the region; otherwise it has a seam.
 *
 * Bodies of the lattice never meet each other. So before the first body is added, the source asks
 * the host which rows are empty. It does not ask again about sites of these rows, and the host
 * needs no list of the added bodies. A region wider than the period of space meets its own images:
 * there the host is asked about each site.
 *
 * Cost: one question to the host per row, and one per chunk of up to 64 sites in rows that are not
 * empty.
 */
#include "packing.h"

#include <float.h>
#include <stdlib.h>

enum { CUBIC, HEXAGONAL };
enum { MOST_ROWS = 1 << 20 }; // rows that are asked about beforehand
#define MOST_SITES 1e15       // sites of which `count` takes the first

typedef struct lattice_config {
    packing_config packing; // first
    double spacing, jitter;
    int32_t lattice;
    int32_t reserved;
} lattice_config;

typedef struct lattice_source {
    const scree_host *host;
    const scree_query *query; // NULL: the host does not offer it
    const lattice_config *config;
} lattice_source;

/* The state of one call of make(). */
typedef struct filling {
    packing p; // first
    const lattice_config *config;
    double spacing, pitch[3], start[3];
    int64_t sites[3];
    uint64_t number, first; // number of the next body, and of the first one of this call
    double sum, target;     // solid volumes or areas
    int enough;
    chunk chunk;     // bodies of one row that are not placed yet
    uint8_t *empty;  // [n_rows] 1: the row is empty
    uint64_t n_rows; // rows known in `empty`
    int is_empty;    // the current row is empty
    uint32_t most;   // sites of a chunk; 1: bodies may meet the images of others
} filling;

/* Refuses a lattice that is too large for memory, or that takes too long to search. */
static int32_t refuse_sites(const filling *f, double sites)
{
    const packing *p = &f->p;
    const packing_config *c = p->config;
    double box = 1.0, made;
    for (uint32_t k = 0; k < p->dimension; k++)
        box *= p->max[k] - p->min[k];
    made = sites * (packing_region(p) / box);
    if (!isnan(c->fraction))
        made = fmin(made, f->target / packing_solid(p, p->max_scale));
    made = c->count >= 0 ? (double)c->count : made;
    if (made > MOST_BODIES && p->args->most > MOST_BODIES)
        return packing_problem(
            p,
            "the lattice would hold %.3g bodies, %g m apart: expected %d at most; "
            "take a smaller region, larger bodies, or count",
            made, f->spacing, MOST_BODIES);
    if (sites > MOST_SITES)
        return packing_problem(p,
                               "the region has %.3g sites, %g m apart: expected %g at most; take a "
                               "smaller region or a larger spacing",
                               sites, f->spacing, MOST_SITES);
    return SCREE_OK;
}

/* Counts the sites of the lattice along each axis; finds the pitch. */
static int32_t count_sites(filling *f)
{
    const packing *p = &f->p;
    double a = f->spacing, widest = packing_reach(p, p->max_scale), n[3], sites = 1.0;
    int hexagonal = f->config->lattice == HEXAGONAL;
    f->pitch[0] = a;
    f->pitch[1] = hexagonal ? a * sqrt(0.75) : a;
    f->pitch[2] = hexagonal ? a * sqrt(2.0 / 3.0) : a;
    for (uint32_t k = 0; k < 3; k++) {
        double lo = 0.0, hi = 0.0;
        if (k < p->dimension && !packing_range(p, widest, k, &lo, &hi))
            return SCREE_OK;
        f->start[k] = lo + (k < p->dimension && p->spans[k] ? 0.5 * f->pitch[k] : 0.0);
        // 1e-9: a whole number of sites may be missed by rounding
        n[k] = k >= p->dimension ? 1.0
               : p->spans[k]     ? floor((hi - lo) / f->pitch[k] + 1e-9)
                                 : floor((hi - lo) / f->pitch[k] + 1e-9) + 1.0;
        sites *= n[k];
    }
    if (!(sites >= 1.0))
        return SCREE_OK;
    const int32_t code = refuse_sites(f, sites);
    if (code < 0)
        return code;
    for (uint32_t k = 0; k < 3; k++)
        f->sites[k] = (int64_t)n[k];
    return SCREE_OK;
}

/* Centre of a site, not jittered. Rows and layers lie in the hollows of those below: A B A B. */
static void site_of(const filling *f, const int64_t at[3], double x[3])
{
    const int hexagonal = f->config->lattice == HEXAGONAL;
    double offset[3] = {0.0, 0.0, 0.0};
    if (hexagonal) {
        offset[0] = 0.5 * f->pitch[0] * (double)((at[1] + at[2]) & 1);
        offset[1] = at[2] & 1 ? f->pitch[1] / 3.0 : 0.0;
    }
    for (uint32_t k = 0; k < 3; k++)
        x[k] = k < f->p.dimension ? f->start[k] + f->pitch[k] * (double)at[k] + offset[k] : 0.0;
}

/* [m] Largest shift of a body along each axis, so that two neighbours never meet. */
static double find_jitter(const filling *f)
{
    const packing *p = &f->p;
    const double gap =
        0.5 * f->config->jitter * (f->spacing - 2.0 * packing_reach(p, p->max_scale));
    return gap / sqrt((double)p->dimension);
}

/* Centre of a site, jittered; 0 when it is outside the region. */
static int find_site(const filling *f, const int64_t at[3], uint64_t number, double scale,
                     double x[3])
{
    const packing *p = &f->p;
    double r = packing_reach(p, scale), jitter = find_jitter(f), lo, hi;
    site_of(f, at, x);
    for (uint32_t k = 0; k < p->dimension; k++) {
        packing_range(p, r, k, &lo, &hi);
        if (x[k] > hi + 1e-9 * f->spacing)
            return 0;
        if (jitter > 0.0)
            x[k] += jitter * (2.0 * packing_draw(p, STREAM_JITTER, number, k) - 1.0);
        x[k] = x[k] > hi ? hi : x[k] < lo ? lo : x[k];
    }
    return packing_holds(p, x, r);
}

/* Does the last body of the chunk overlap the previous one? They are not asked about together
 * then. */
static int meets_last(const filling *f)
{
    const chunk *c = &f->chunk;
    double d2 = 0.0, sum;
    uint32_t b = c->n - 1, a = b - 1;
    if (c->n < 2)
        return 0;
    for (int k = 0; k < 3; k++)
        d2 += (c->x[k][b] - c->x[k][a]) * (c->x[k][b] - c->x[k][a]);
    sum = packing_reach(&f->p, c->scale[a]) + packing_reach(&f->p, c->scale[b]);
    return d2 < sum * sum * (1.0 - 1e-12);
}

/* Fills the chunk with sites from `site` of a row on, as if all were free; `at_site` has their
 * numbers. */
static void collect(filling *f, int64_t at[3], int64_t site, int64_t at_site[CHUNK],
                    double solid[CHUNK])
{
    const packing *p = &f->p;
    double sum = f->sum;
    f->chunk.n = 0;
    for (; site < f->sites[0] && f->chunk.n < f->most; site++) {
        uint64_t number = f->number + f->chunk.n;
        double scale = packing_scale(p, number), x[3], one = packing_solid(p, scale);
        uint64_t made = number - f->first;
        f->enough = (p->config->count >= 0 && made >= (uint64_t)p->config->count) ||
                    made >= p->args->most ||
                    (!isnan(p->config->fraction) && sum + 0.5 * one > f->target);
        if (f->enough)
            return;
        at[0] = site;
        if (!find_site(f, at, number, scale, x))
            continue;
        packing_put(p, &f->chunk, number, scale, x);
        if (meets_last(f)) {
            f->chunk.n--;
            return;
        }
        sum += one;
        at_site[f->chunk.n - 1] = site;
        solid[f->chunk.n - 1] = one;
    }
}

/* Places the bodies of a chunk up to the first taken site. *n: their number. */
static int32_t place(filling *f, uint32_t *n)
{
    const packing *p = &f->p;
    uint32_t index[CHUNK], n_free = 0;
    scree_new_bodies trials = packing_bodies(&f->chunk, f->chunk.n);
    int32_t code = SCREE_OK;
    if (f->is_empty) {
        *n = f->chunk.n;
        return packing_add(p, &f->chunk, *n);
    }
    code = p->query->find_free(p->query->ctx, &trials, f->chunk.n, index, &n_free);
    if (code < 0)
        return code;
    for (*n = 0; *n < n_free && index[*n] == *n;)
        ++*n;
    trials.n = *n;
    if (*n && p->config->grow != 1.0) // added bodies have other sizes than those in the chunk
        code = p->query->hold(p->query->ctx, &trials);
    return code < 0 ? code : packing_add(p, &f->chunk, *n);
}

static int32_t fill_row(filling *f, int64_t at[3])
{
    int64_t at_site[CHUNK], site = 0;
    double solid[CHUNK];
    while (site < f->sites[0]) {
        uint32_t n = 0, asked;
        collect(f, at, site, at_site, solid);
        asked = f->chunk.n;
        if (!asked)
            return SCREE_OK; // no further site of this row is in the region
        int32_t code = place(f, &n);
        if (code < 0)
            return code;
        for (uint32_t i = 0; i < n; i++)
            f->sum += solid[i];
        f->number += n;
        if (n == asked && f->enough)
            return SCREE_OK;
        f->enough = 0;
        site = n < asked ? at_site[n] + 1 : at_site[asked - 1] + 1; // a taken site is skipped
    }
    return SCREE_OK;
}

static int32_t fill(filling *f)
{
    int64_t at[3];
    uint64_t row = 0;
    for (at[2] = 0; at[2] < f->sites[2] && !f->enough; at[2]++)
        for (at[1] = 0; at[1] < f->sites[1] && !f->enough; at[1]++, row++) {
            f->is_empty = row < f->n_rows && f->empty[row];
            int32_t code = fill_row(f, at);
            if (code < 0)
                return code;
        }
    return SCREE_OK;
}

/* ---- empty rows ---- */

/* The box that holds all bodies of a row, less rounding. */
static scree_zone row_box(const filling *f, uint64_t row)
{
    const packing *p = &f->p;
    const int64_t y = (int64_t)(row % (uint64_t)f->sites[1]), z = (int64_t)row / f->sites[1];
    const int64_t first[3] = {0, y, z}, last[3] = {f->sites[0] - 1, y, z};
    const double reach = packing_reach(p, p->max_scale) + find_jitter(f);
    double from[3], to[3];
    scree_zone box;
    memset(&box, 0, sizeof box);
    box.size = sizeof box;
    box.type = SCREE_ZONE_BOX;
    site_of(f, first, from);
    site_of(f, last, to);
    for (uint32_t k = 0; k < p->dimension; k++) {
        box.lo[k] = from[k] - reach;
        box.hi[k] = to[k] + reach;
        if (!p->spans[k]) { // bodies are inside the region
            box.lo[k] = fmax(box.lo[k], p->min[k]);
            box.hi[k] = fmax(box.lo[k], fmin(box.hi[k], p->max[k]));
        }
        const double rounding =
            fmin(4.0 * DBL_EPSILON * fmax(fabs(box.lo[k]), fabs(box.hi[k])), 1e-9 * reach);
        box.lo[k] += rounding;
        box.hi[k] -= rounding;
    }
    return box;
}

/* Number of rows that may be filled: twice as many as the bodies need. */
static uint64_t count_rows(const filling *f)
{
    const packing_config *c = f->p.config;
    const double one = packing_solid(&f->p, f->p.max_scale), sites = (double)f->sites[0];
    double n = (double)f->sites[1] * (double)f->sites[2];
    if (c->count >= 0)
        n = fmin(n, 2.0 * (double)c->count / sites + 1.0);
    if (!isnan(c->fraction))
        n = fmin(n, 2.0 * f->target / one / sites + 1.0);
    return (uint64_t)fmin(n, MOST_ROWS);
}

/* Finds the empty rows. It does so neither for bodies that grow, which may overlap, nor for those
 * that may meet images, nor in a run, in which few bodies are made. */
static int32_t find_empty(filling *f)
{
    enum { AT_ONCE = 64 };
    const packing *p = &f->p;
    const uint64_t n = count_rows(f);
    if (p->config->grow != 1.0 || !p->args->add_shape || !n || f->most == 1)
        return SCREE_OK;
    f->empty = (uint8_t *)calloc((size_t)n, 1);
    if (!f->empty)
        return p->host->fail(p->host->ctx, SCREE_E_MEMORY, "out of memory");
    for (uint64_t row = 0; row < n; row += AT_ONCE) {
        const uint32_t some = (uint32_t)(n - row < AT_ONCE ? n - row : AT_ONCE);
        scree_zone box[AT_ONCE];
        const scree_zone *each[AT_ONCE];
        scree_hits hits = {sizeof hits, 0, NULL, NULL, NULL};
        for (uint32_t k = 0; k < some; k++) {
            box[k] = row_box(f, row + k);
            each[k] = &box[k];
        }
        int32_t code = p->query->find(p->query->ctx, some, each, &hits);
        if (code < 0)
            return code;
        for (uint32_t k = 0; k < some; k++)
            f->empty[row + k] = hits.first[k + 1] == hits.first[k];
    }
    f->n_rows = n;
    return SCREE_OK;
}

/* Is the region wider than the period of space along an axis? */
static int meets_images(const packing *p)
{
    const scree_cell *cell = p->args->bodies->cell;
    int meets = 0;
    for (uint32_t k = 0; k < p->dimension; k++)
        meets |= scree_repeats(cell, (int)k) &&
                 p->max[k] - p->min[k] > cell->vector[k][k] * (1.0 + 1e-12);
    return meets;
}

static int32_t make(void *instance, const scree_making *args)
{
    const lattice_source *self = (const lattice_source *)instance;
    filling f = {.config = self->config, .number = args->first, .first = args->first};
    const packing_config *c = &self->config->packing;
    int32_t code = packing_begin(&f.p, self->host, self->query, c, args);
    if (code < 0)
        return code;
    double widest = packing_reach(&f.p, f.p.max_scale);
    f.most = meets_images(&f.p) ? 1 : CHUNK;
    f.spacing = isnan(self->config->spacing) ? 2.0 * widest : self->config->spacing;
    f.target = c->fraction * packing_region(&f.p);
    if (!(f.spacing >= 2.0 * widest * (1.0 - 1e-12)))
        return packing_problem(
            &f.p, "spacing: expected the largest %sdiameter, %g m, or more, got %g m",
            f.p.shape->flags & SCREE_CAP_ROUND ? "" : "bounding ", 2.0 * widest, f.spacing);
    if (c->count != 0 && !packing_fits(&f.p, widest))
        return SCREE_E_CONFIG;
    code = count_sites(&f);
    code = code < 0 ? code : find_empty(&f);
    code = code < 0 ? code : fill(&f);
    free(f.empty);
    if (code < 0)
        return code;
    uint64_t made = f.number - f.first;
    int short_of = c->count >= 0 ? made < (uint64_t)c->count : !isnan(c->fraction) && !f.enough;
    int filled = c->count < 0 && isnan(c->fraction);
    if ((short_of && made < args->most) || (filled && made == 0 && args->most > 0))
        return PACKING_FULL(
            &f.p,
            "the lattice has room for %llu bodies, solid fraction %.3f; take a larger region, a "
            "smaller spacing or fewer bodies",
            (unsigned long long)made, f.sum / packing_region(&f.p));
    return SCREE_OK;
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    lattice_source *self = (lattice_source *)calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "out of memory");
    self->host = host;
    self->query = packing_query(host);
    self->config = (const lattice_config *)config;
    if (!self->query) {
        free(self);
        return SCREE_E_UNSUPPORTED;
    }
    *instance = self;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    free(instance);
}

static uint64_t bytes(void *instance)
{
    return instance ? sizeof(lattice_source) : 0;
}

PACKING_PARAMS(lattice_config);
SCREE_CHOICE_VALUE(cubic, CUBIC, "rows and layers above each other");
SCREE_CHOICE_VALUE(hexagonal, HEXAGONAL, "rows and layers in the hollows of those below, A B A B");
SCREE_CHOICE_PARAM(lattice_config, lattice, 0, "cubic", "sites of the lattice", &choice_cubic,
                   &choice_hexagonal);
SCREE_REAL_PARAM(lattice_config, spacing, "m", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 0,
                 HUGE_VAL, "distance between neighbours; absent: the largest diameter");
SCREE_REAL_PARAM(lattice_config, jitter, "-", 0, 0.0, 0.0, 1.0,
                 "moves bodies at random by up to this share of half the gap between neighbours");

static const scree_param *const params[] = {&param_region,   &param_body,  &param_count,
                                            &param_fraction, &param_grow,  &param_lattice,
                                            &param_spacing,  &param_jitter};

static const scree_source_ops ops = {.size = sizeof(scree_source_ops),
                                     .create = create,
                                     .destroy = destroy,
                                     .bytes = bytes,
                                     .make = make};

static const scree_plugin plugin = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_SOURCE,
    .flags = SCREE_CAP_USES_LIBM,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "lattice",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "bodies on the sites of a cubic or hexagonal lattice",
    .summary = "Fills a region, x first, then y, then z, until count or fraction is reached; with "
               "neither, all of it. Bodies are inside the region with the whole ball that holds "
               "them, and overlap nothing that is there. Along a periodic axis that the region "
               "spans from end to end they may be anywhere. Sizes, turns and velocities are drawn "
               "by the number of the body from the scene's seed and the name of the group.",
    .config_size = sizeof(lattice_config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
