// SPDX-License-Identifier: Apache-2.0
/*
 * Parts that are put together: the field of nested shapes.
 *
 * Sources  [1] R. O'Connor, A Distributed Discrete Element Modeling Environment, PhD thesis, MIT, 1996, 8.3,
 *              (8.3) to (8.6).
 * Field    Part i has the function f_i [m], 0 on its surface and -a_i at its origin.
 *            I_i = (1 + f_i / a_i)^2, which is (8.3) of an ellipsoid or ball: 0 at the origin, 1 on the surface
 *            F_i = b_i exp(-alpha I_i)                         (8.4), b_i: `strengths`, alpha: `decay`
 *            M   = sum of F_i                                  (8.5)
 *          The solid is where M is above exp(-alpha), the value of a part with b = 1 on its own surface. [1] does
 *          not give the level. Two balls of radius a that touch are joined by a neck of radius
 *          a sqrt(ln 2 / alpha). Without `decay` the solid is the union of the parts: the least f_i is below 0.
 * Value    -a / (2 alpha) ln(M exp(alpha)), with the least a: f of a part, near its surface, if it is the only one.
 * Ends     F_i ends where it is exp(-30) of its value on the surface, and is lowered by that much before, so that the
 *          field has no step. Without `decay` a part ends where f_i = a.
 * Bins     a grid of bins lists the parts whose field does not end before a bin: the field of n parts costs as much as
 *          that of the few near a point.
 * Limits   The origin of each nested shape is inside of it.
 */
#include "level.h"

#define LAST 9.357622968840175e-14 /* exp(-30) */
enum { BLOCK = 64, DIRECTIONS = 200, MOST_BINS = 64 };

/* ---- nested shapes ---- */

void parts_free_kind(parts_kind *kind)
{
    if (kind->instance && SCREE_HAS(kind->ops, destroy))
        kind->ops->destroy(kind->instance);
    *kind = (parts_kind){.ops = NULL};
}

/** The function of a nested shape; NULL: it has none. */
static const scree_implicit *find_function(const parts_kind *kind)
{
    const void *view = NULL;
    if (SCREE_HAS(kind->ops, view) &&
        (kind->ops->view(kind->instance, LEVEL_VIEW, 0.0, &view) != SCREE_OK || !view) &&
        kind->ops->view(kind->instance, SCREE_VIEW_IMPLICIT, 0.0, &view) != SCREE_OK)
        view = NULL;
    return view;
}

static double value_at(const scree_implicit *view, double x, double y, double z)
{
    const double *const at[3] = {&x, &y, &z};
    double value = 0.0;
    view->value(view->ctx, 1, at, &value, NULL);
    return value;
}

int32_t parts_take_kind(const scree_host *host, const scree_plugin_ref *ref, const char *name,
                        parts_kind *out)
{
    const uint32_t others = SCREE_CAP_WALL | SCREE_CAP_INFINITE | SCREE_CAP_BALLS;
    scree_measure measure = {.size = sizeof measure, .dimension = host->dimension};
    const scree_plugin *plugin;
    const void *ops;
    *out = (parts_kind){.ops = NULL};
    int32_t code = host->make_instance(host->ctx, ref, &plugin, &ops, &out->instance);
    if (code != SCREE_OK)
        return code;
    out->ops = ops;
    out->view = plugin->flags & others ? NULL : find_function(out);
    if (!out->view)
        return scree_failf(
            host, SCREE_E_CONFIG,
            "%s: shape/%s has no function of its surface; expected a solid that has one, "
            "such as sphere, superquadric, capsule, cylinder, blend, cast",
            name, plugin->id);
    code = out->ops->measure(out->instance, &measure);
    if (code != SCREE_OK)
        return code;
    const double *c = measure.centroid;
    out->depth = -value_at(out->view, 0.0, 0.0, 0.0);
    out->reach = measure.radius + sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
    out->equal = cbrt(0.75 / 3.14159265358979323846 * measure.content);
    return SCREE_OK;
}

/** [-] I of (8.3). */
static double index_of(const parts_kind *kind, double value)
{
    const double root = scree_max(0.0, 1.0 + value / kind->depth);
    return root * root;
}

/** I where the field of a part ends. */
static double last_index(const parts *p)
{
    return isnan(p->decay) ? 4.0 : 1.0 + 30.0 / p->decay;
}

/** Does the field of the kind end within so many reaches, in all directions? */
static int ends_within(const parts *p, const parts_kind *kind, double reaches)
{
    for (int i = 0; i < DIRECTIONS; i++) {
        const double z = 1.0 - (2.0 * i + 1.0) / DIRECTIONS, turn = 2.399963229728653 * i;
        const double far = reaches * kind->reach, ring = far * sqrt(1.0 - z * z);
        const double value = value_at(kind->view, ring * cos(turn), ring * sin(turn), far * z);
        if (!(index_of(kind, value) >= last_index(p)))
            return 0;
    }
    return 1;
}

static int32_t find_spread(const parts *p, const char *name, parts_kind *kind)
{
    kind->spread = sqrt(last_index(p));
    if (!(kind->depth > 0.0))
        return scree_failf(
            p->host, SCREE_E_CONFIG,
            "%s: its own origin is not inside of it, where the field of a part is strongest", name);
    for (int i = 0; i < 12 && !ends_within(p, kind, kind->spread); i++)
        kind->spread *= 1.25;
    return ends_within(p, kind, kind->spread)
               ? SCREE_OK
               : scree_failf(p->host, SCREE_E_CONFIG,
                             "%s: its function does not grow with the distance", name);
}

/* ---- bins ---- */

/** The range of bins that the influence of a part meets along an axis. */
static void range_of(const parts *p, const part *v, int axis, uint32_t range[2])
{
    const double most = p->bins[axis] - 1.0;
    const double from = floor((v->centre[axis] - v->influence - p->lo[axis]) / p->bin);
    const double to = floor((v->centre[axis] + v->influence - p->lo[axis]) / p->bin);
    range[0] = (uint32_t)scree_min(scree_max(from, 0.0), most);
    range[1] = (uint32_t)scree_min(scree_max(to, 0.0), most);
}

/** Visits the bins of all parts: `list` NULL counts them in first[bin + 1], else lists them. */
static void fill_bins(parts *p, uint32_t *list)
{
    for (uint32_t i = 0; i < p->n; i++) {
        uint32_t r[3][2];
        for (int k = 0; k < 3; k++)
            range_of(p, &p->v[i], k, r[k]);
        for (uint32_t z = r[2][0]; z <= r[2][1]; z++)
            for (uint32_t y = r[1][0]; y <= r[1][1]; y++)
                for (uint32_t x = r[0][0]; x <= r[0][1]; x++) {
                    const uint32_t bin = x + p->bins[0] * (y + p->bins[1] * z);
                    if (list)
                        list[p->first[bin]++] = i;
                    else
                        p->first[bin + 1]++;
                }
    }
}

static void size_bins(parts *p)
{
    double hi[3], mean = 0.0, longest = 0.0;
    for (int k = 0; k < 3; k++) {
        p->lo[k] = HUGE_VAL;
        hi[k] = -HUGE_VAL;
    }
    for (uint64_t i = 0; i < p->n; i++) {
        mean += p->v[i].influence / (double)p->n;
        for (int k = 0; k < 3; k++) {
            p->lo[k] = scree_min(p->lo[k], p->v[i].centre[k] - p->v[i].influence);
            hi[k] = scree_max(hi[k], p->v[i].centre[k] + p->v[i].influence);
        }
    }
    for (int k = 0; k < 3; k++)
        longest = scree_max(longest, hi[k] - p->lo[k]);
    p->bin = scree_max(0.5 * mean, longest / MOST_BINS * (1.0 + 1e-9));
    for (int k = 0; k < 3; k++)
        p->bins[k] = (uint32_t)scree_max(1.0, ceil((hi[k] - p->lo[k]) / p->bin));
}

static int make_bins(parts *p)
{
    size_bins(p);
    const uint64_t n = (uint64_t)p->bins[0] * p->bins[1] * p->bins[2];
    p->first = calloc(n + 2, sizeof *p->first);
    if (!p->first)
        return 0;
    fill_bins(p, NULL);
    uint64_t sum = 0;
    for (uint64_t i = 1; i <= n; i++) {
        sum += p->first[i];
        if (sum > UINT32_MAX)
            return 0;
        p->first[i] = (uint32_t)sum;
    }
    p->list = malloc((sum + 1) * sizeof *p->list);
    if (!p->list)
        return 0;
    fill_bins(p, p->list);
    memmove(p->first + 1, p->first, n * sizeof *p->first);
    p->first[0] = 0;
    return 1;
}

/** The bin of a point; SCREE_NONE: the field has ended there. */
static uint32_t bin_of(const parts *p, double x, double y, double z)
{
    const double u[3] = {(x - p->lo[0]) / p->bin, (y - p->lo[1]) / p->bin, (z - p->lo[2]) / p->bin};
    for (int k = 0; k < 3; k++)
        if (!(u[k] >= 0.0 && u[k] < p->bins[k]))
            return SCREE_NONE;
    return (uint32_t)u[0] + p->bins[0] * ((uint32_t)u[1] + p->bins[1] * (uint32_t)u[2]);
}

/* ---- values ---- */

/** Adds a part to the sums, or the least values, of n <= BLOCK points. */
static void add_part(const parts *p, const part *v, uint32_t n, const double *const x[3],
                     double *sum)
{
    const parts_kind *kind = &p->kind[v->kind];
    double own[3][BLOCK], value[BLOCK];
    for (uint32_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            own[k][i] = (v->turn[k][0] * (x[0][i] - v->centre[0]) +
                         v->turn[k][1] * (x[1][i] - v->centre[1]) +
                         v->turn[k][2] * (x[2][i] - v->centre[2])) /
                        v->scale;
    kind->view->value(kind->view->ctx, n, (const double *const[3]){own[0], own[1], own[2]}, value,
                      NULL);
    for (uint32_t i = 0; i < n; i++) {
        if (isnan(p->decay)) {
            sum[i] = scree_min(sum[i], v->scale * value[i]);
            continue;
        }
        const double above = exp(-p->decay * (index_of(kind, value[i]) - 1.0)) - LAST;
        sum[i] += v->strength * scree_max(above, 0.0);
    }
}

/** Points that are all in one bin. */
static void value_in_bin(const parts *p, uint32_t bin, uint32_t n, const double *const x[3],
                         double *value)
{
    const int joined = isnan(p->decay);
    const uint32_t from = bin == SCREE_NONE ? 0 : p->first[bin];
    const uint32_t to = bin == SCREE_NONE ? 0 : p->first[bin + 1];
    for (uint32_t i = 0; i < n; i++)
        value[i] = joined ? p->unit : LAST;
    for (uint32_t i = from; i < to; i++)
        add_part(p, &p->v[p->list[i]], n, x, value);
    if (joined)
        return;
    for (uint32_t i = 0; i < n; i++)
        value[i] = -0.5 * p->unit / p->decay * log(value[i]);
}

void parts_value(const parts *p, uint32_t n, const double *const x[3], double *value)
{
    for (uint32_t at = 0, end; at < n; at = end) {
        const uint32_t bin = bin_of(p, x[0][at], x[1][at], x[2][at]);
        for (end = at + 1; end < n && end - at < BLOCK; end++)
            if (bin_of(p, x[0][end], x[1][end], x[2][end]) != bin)
                break;
        value_in_bin(p, bin, end - at, (const double *const[3]){x[0] + at, x[1] + at, x[2] + at},
                     value + at);
    }
}

/** The sum of parts swells each of them: as many as share a bin, all of the largest strength. */
void parts_box(const parts *p, double lo[3], double hi[3])
{
    const uint64_t n = (uint64_t)p->bins[0] * p->bins[1] * p->bins[2];
    double strongest = 1.0, swollen = 1.0;
    uint32_t most = 1;
    for (uint64_t i = 0; i < n; i++)
        most = p->first[i + 1] - p->first[i] > most ? p->first[i + 1] - p->first[i] : most;
    for (uint64_t i = 0; i < p->n; i++)
        strongest = scree_max(strongest, p->v[i].strength);
    if (!isnan(p->decay))
        swollen = sqrt(1.0 + log(most * strongest) / p->decay);
    for (int k = 0; k < 3; k++) {
        lo[k] = HUGE_VAL;
        hi[k] = -HUGE_VAL;
        for (uint64_t i = 0; i < p->n; i++) {
            const part *v = &p->v[i];
            const double far =
                scree_min(1.01 * swollen * v->scale * p->kind[v->kind].reach, v->influence);
            lo[k] = scree_min(lo[k], v->centre[k] - far);
            hi[k] = scree_max(hi[k], v->centre[k] + far);
        }
    }
}

/* ---- make ---- */

/** Sets what follows from all parts: influences, the least depth, bins. */
static int32_t finish(parts *p)
{
    p->unit = HUGE_VAL;
    for (uint64_t i = 0; i < p->n; i++) {
        part *v = &p->v[i];
        const parts_kind *kind = &p->kind[v->kind];
        v->influence = kind->spread * v->scale * kind->reach;
        p->unit = scree_min(p->unit, v->scale * kind->depth);
    }
    return make_bins(p) ? SCREE_OK
                        : p->host->fail(p->host->ctx, SCREE_E_MEMORY, "no memory for the parts");
}

int32_t parts_new(const scree_host *host, const parts_config *c, parts **out)
{
    const scree_plugin_ref *const ref[PARTS_KINDS] = {c->first, c->second, c->third, c->fourth};
    static const char *const name[PARTS_KINDS] = {"first", "second", "third", "fourth"};
    parts *p = calloc(1, sizeof *p);
    int32_t code = SCREE_OK;
    if (!p)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the parts");
    p->host = host;
    p->decay = c->decay;
    for (int k = 0; k < PARTS_KINDS && code == SCREE_OK; k++) {
        code = ref[k] ? parts_take_kind(host, ref[k], name[k], &p->kind[k]) : SCREE_OK;
        code = code == SCREE_OK && ref[k] ? find_spread(p, name[k], &p->kind[k]) : code;
    }
    code = code == SCREE_OK ? parts_read(p, c) : code;
    code = code == SCREE_OK ? finish(p) : code;
    if (code == SCREE_OK)
        *out = p;
    else
        parts_free(p);
    return code;
}

void parts_free(void *given)
{
    parts *p = given;
    if (!p)
        return;
    for (int k = 0; k < PARTS_KINDS; k++)
        parts_free_kind(&p->kind[k]);
    free(p->v);
    free(p->first);
    free(p->list);
    free(p);
}

uint64_t parts_bytes(const parts *p)
{
    const uint64_t n = (uint64_t)p->bins[0] * p->bins[1] * p->bins[2];
    uint64_t sum = sizeof *p + p->room * sizeof *p->v + (n + 2) * sizeof *p->first +
                   (p->first[n] + 1ull) * sizeof *p->list;
    for (int k = 0; k < PARTS_KINDS; k++)
        if (p->kind[k].instance && SCREE_HAS(p->kind[k].ops, bytes))
            sum += p->kind[k].ops->bytes(p->kind[k].instance);
    return sum;
}
