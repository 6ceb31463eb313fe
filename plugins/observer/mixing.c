// SPDX-License-Identifier: Apache-2.0
// Observer `mixing`: how well two kinds of bodies are mixed, by sample cells and by height.
/*
 * Writes NAME.csv, a row per observation. The free bodies are of two kinds: tracers, by group
 * (`tracers`) or by radius (`radius_above`), and the others.
 *
 *   bodies, tracers, cells   that count [-]
 *   share p, that of tracers
 *   variance        S^2 = sum_k n_k (p_k - p)^2 / N of the shares p_k of cells of n_k bodies
 *   segregated      S_0^2 = p (1 - p): each cell has bodies of one kind
 *   mixed           S_r^2 = p (1 - p) (C - 1) / (N - 1): expected of C cells when the N bodies swap
 *                   places at random; for many cells of n bodies p (1 - p) / n
 *   lacey           M = (S_0^2 - S^2) / (S_0^2 - S_r^2): 0 segregated, 1 mixed at random, above 1
 *                   more even than that
 *   height_tracers, height_others [m]  mean places along the axis
 *   segregation 2 (mean rank of tracers - that of the others) / N by that place: 1: all tracers are
 *                   above all others; -1: below; 0: expected of a random mixture
 *
 * Sources: Lacey 1954, J. Appl. Chem. 4, 257, by number of bodies. S_r^2 is exact for cells of any
 * numbers: the share of n_k labels drawn without replacement has the variance
 * p (1 - p) / n_k (N - n_k) / (N - 1), and the weighted sum of these is S_r^2. The segregation is
 * the rank-biserial correlation (Mann, Whitney 1947, Ann. Math. Stat. 18, 50), ties at mean ranks.
 *
 * Cells are cubes, in 2D squares, of the side `cell`, with a corner at `origin`: a body is in the
 * cell of its centre. Without `cell` the side is that of 4 mean diameters of the bodies that count.
 * Cells with fewer than `min_count` bodies, and these bodies, count for none of the variances. The
 * index depends on the size of the cells: compare only results with the same size.
 *
 * The index is nan, and a warning says so once, with fewer than LEAST bodies per cell on average (at
 * one body per cell mixed and segregated are the same), and with cells larger than the bed.
 *
 * Cost: two sorts of the free bodies per observation, 40 bytes per body.
 */
#include <inttypes.h>

#include "groups.h"
#include "scree/draft/sums.h"
#include "stream.h"
#include "upright.h"

#define LEAST 2.0 // bodies per cell

typedef struct mixing_config {
    const char *file;
    scree_strings tracers;
    double radius_above, cell; // NaN: not given
    scree_reals origin, min, max, axis;
    int64_t min_count;
} mixing_config;

typedef struct sample {
    double cell[3]; // whole numbers
    double height;  // [m] along the axis
    int64_t tracer; // 1 or 0
} sample;

typedef struct mixing {
    const scree_host *host;
    const mixing_config *config;
    const scree_names *names;
    text_stream out;
    sample *samples;
    uint64_t capacity;
    int warned; // of an index that is not defined
} mixing;

/* The numbers of a row. */
typedef struct mixture {
    uint64_t n, tracers, cells;
    double side, extent; // [m] of the cells, and the largest one of the bodies
    double variance, height[2], rank[2];
} mixture;

static double component(const scree_reals *v, uint32_t k, double otherwise)
{
    return k < v->n ? v->v[k] : otherwise;
}

static int is_inside(const mixing_config *c, const scree_bodies *b, uint32_t i)
{
    int inside = 1;
    for (uint32_t k = 0; k < b->dimension; k++)
        inside &= b->x[k][i] >= component(&c->min, k, -HUGE_VAL) &&
                  b->x[k][i] <= component(&c->max, k, HUGE_VAL);
    return inside;
}

/* [m] Side of the cells. */
static double find_side(const mixing_config *c, const scree_bodies *b)
{
    double sum = 0.0;
    uint64_t n = 0;
    if (c->cell > 0.0)
        return c->cell;
    for (uint32_t i = 0; i < b->n_free; i++)
        if (is_inside(c, b, i)) {
            sum += b->radius[i];
            n++;
        }
    return n ? 8.0 * sum / (double)n : 1.0;
}

static void find_axis(const mixing_config *c, const scree_bodies *b, double axis[3])
{
    double across[2][3], length = 0.0;
    find_up(b, axis, across);
    if (!c->axis.n)
        return;
    for (uint32_t k = 0; k < 3; k++) {
        axis[k] = component(&c->axis, k, 0.0);
        length += axis[k] * axis[k];
    }
    for (int k = 0; k < 3; k++)
        axis[k] /= sqrt(length);
}

/* Takes the bodies that count, limited by the box. */
static uint64_t take_samples(mixing *self, const scree_view *view, mixture *m)
{
    const mixing_config *c = self->config;
    const scree_bodies *b = view->bodies;
    const double side = find_side(c, b);
    double axis[3], lo[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                    hi[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    uint64_t n = 0;
    find_axis(c, b, axis);
    for (uint32_t i = 0; i < b->n_free; i++) {
        sample *s = &self->samples[n];
        if (!is_inside(c, b, i))
            continue;
        for (uint32_t k = 0; k < 3; k++)
            s->cell[k] =
                k < b->dimension ? floor((b->x[k][i] - component(&c->origin, k, 0.0)) / side) : 0.0;
        for (uint32_t k = 0; k < b->dimension; k++) {
            lo[k] = scree_min(lo[k], b->x[k][i]);
            hi[k] = scree_max(hi[k], b->x[k][i]);
        }
        s->height = place_along(b, i, axis);
        s->tracer = c->tracers.n ? is_of_groups(&c->tracers, self->names, b->group[i])
                                 : b->radius[i] > c->radius_above;
        n++;
    }
    m->side = side;
    for (uint32_t k = 0; k < b->dimension; k++)
        m->extent = scree_max(m->extent, hi[k] - lo[k]); // no bodies: 0
    return n;
}

static int compare_cells(const void *pa, const void *pb)
{
    const sample *a = pa, *b = pb;
    for (int k = 0; k < 3; k++)
        if (a->cell[k] != b->cell[k])
            return a->cell[k] < b->cell[k] ? -1 : 1;
    return 0;
}

static int compare_heights(const void *pa, const void *pb)
{
    const sample *a = pa, *b = pb;
    if (a->height != b->height)
        return a->height < b->height ? -1 : 1;
    return a->tracer < b->tracer ? -1 : a->tracer > b->tracer;
}

/* End of the cell of sample `first`, and the number of tracers in the cell. */
static uint64_t end_of_cell(const sample *s, uint64_t first, uint64_t n, uint64_t *tracers)
{
    uint64_t end = first;
    *tracers = 0;
    for (; end < n && compare_cells(&s[end], &s[first]) == 0; end++)
        *tracers += (uint64_t)s[end].tracer;
    return end;
}

/* Leaves out cells with few bodies; counts the others. */
static void count_cells(mixing *self, uint64_t n, mixture *m)
{
    sample *s = self->samples;
    uint64_t kept = 0, tracers;
    qsort(s, n, sizeof *s, compare_cells);
    for (uint64_t first = 0, end; first < n; first = end) {
        end = end_of_cell(s, first, n, &tracers);
        if (end - first < (uint64_t)self->config->min_count)
            continue;
        memmove(s + kept, s + first, (end - first) * sizeof *s);
        kept += end - first;
        m->tracers += tracers;
        m->cells++;
    }
    m->n = kept;
}

static void sum_variance(const mixing *self, mixture *m)
{
    const double p = (double)m->tracers / (double)m->n;
    uint64_t tracers;
    for (uint64_t first = 0, end; first < m->n; first = end) {
        end = end_of_cell(self->samples, first, m->n, &tracers);
        const double n = (double)(end - first), off = (double)tracers / n - p;
        m->variance += n * off * off / (double)m->n;
    }
}

/* Mean heights and ranks (from 1, ties at their mean) of the others [0] and the tracers [1]. */
static void rank_heights(mixing *self, mixture *m)
{
    sample *s = self->samples;
    const double count[2] = {(double)(m->n - m->tracers), (double)m->tracers};
    qsort(s, m->n, sizeof *s, compare_heights);
    for (uint64_t first = 0, end; first < m->n; first = end) {
        for (end = first; end < m->n && s[end].height == s[first].height; end++)
            ;
        for (uint64_t k = first; k < end; k++) {
            m->rank[s[k].tracer] += 0.5 * (double)(first + end + 1);
            m->height[s[k].tracer] += s[k].height;
        }
    }
    for (int kind = 0; kind < 2; kind++) {
        m->rank[kind] /= count[kind];
        m->height[kind] /= count[kind];
    }
}

/* ---- rows, and scalars for conditions ---- */

enum { COUNTS = 3 }; // scalars that are whole numbers
static const scree_scalar scalars[] = {
    SCREE_SCALAR("bodies", "-", 0),         SCREE_SCALAR("tracers", "-", 0),
    SCREE_SCALAR("cells", "-", 0),          SCREE_SCALAR("share", "-", 0),
    SCREE_SCALAR("variance", "-", 0),       SCREE_SCALAR("segregated", "-", 0),
    SCREE_SCALAR("mixed", "-", 0),          SCREE_SCALAR("lacey", "-", 0),
    SCREE_SCALAR("height_tracers", "m", 0), SCREE_SCALAR("height_others", "m", 0),
    SCREE_SCALAR("segregation", "-", 0)};

static int has_index(const mixture *m)
{
    return (double)m->n >= LEAST * (double)m->cells && m->side <= m->extent;
}

static void warn_of_cells(mixing *self, const mixture *m)
{
    if (self->warned || m->n < 2 || has_index(m))
        return;
    self->warned = 1;
    if (m->side > m->extent)
        scree_logf(self->host, SCREE_LOG_WARNING,
                   "no lacey index: cell = %g m is more than the %g m over which the bodies spread",
                   m->side, m->extent);
    else
        scree_logf(self->host, SCREE_LOG_WARNING,
                   "no lacey index: %.3g bodies per cell of %g m, expected %g or more",
                   (double)m->n / (double)m->cells, m->side, LEAST);
}

/* Lists the values in the order of the table. */
static void list_values(const mixture *m, double *value)
{
    const double n = (double)m->n, p = (double)m->tracers / n, segregated = p * (1.0 - p);
    const double mixed = segregated * ((double)m->cells - 1.0) / (n - 1.0);
    const double both = m->tracers > 0 && m->tracers < m->n ? 1.0 : (double)NAN;
    const double fits = has_index(m) ? 1.0 : (double)NAN;
    const double all[SCREE_COUNT(scalars)] = {n,
                                              (double)m->tracers,
                                              (double)m->cells,
                                              p,
                                              m->variance,
                                              segregated,
                                              mixed,
                                              fits * both * (segregated - m->variance) /
                                                  (segregated - mixed),
                                              m->height[1],
                                              m->height[0],
                                              both * 2.0 * (m->rank[1] - m->rank[0]) / n};
    memcpy(value, all, sizeof all);
}

static int32_t read_scalars(void *instance, const scree_view *view, double *value)
{
    mixing *self = instance;
    mixture m = {0};
    if (!scree_grow(&self->samples, &self->capacity, (uint64_t)view->bodies->n_free + 1,
                    sizeof(sample)))
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for the bodies");
    count_cells(self, take_samples(self, view, &m), &m);
    warn_of_cells(self, &m);
    sum_variance(self, &m);
    rank_heights(self, &m);
    list_values(&m, value);
    return SCREE_OK;
}

static void write_header(mixing *self)
{
    fputs("step,time", self->out.file);
    for (uint32_t k = 0; k < SCREE_COUNT(scalars); k++)
        fprintf(self->out.file, ",%s", scalars[k].name);
    putc('\n', self->out.file);
}

static int32_t observe(void *instance, const scree_view *view)
{
    mixing *self = instance;
    double value[SCREE_COUNT(scalars)];
    int32_t status = self->out.file ? SCREE_OK : stream_open(&self->out, ".csv");
    if (status == SCREE_OK && !self->out.whole)
        write_header(self);
    if (status == SCREE_OK)
        status = read_scalars(self, view, value);
    if (status != SCREE_OK)
        return status;
    fprintf(self->out.file, "%" PRIu64 ",%.17g", view->step, view->time);
    for (uint32_t k = 0; k < SCREE_COUNT(scalars); k++)
        fprintf(self->out.file, k < COUNTS ? ",%.0f" : ",%.17g", stream_real(value[k]));
    putc('\n', self->out.file);
    return stream_keep(&self->out, ".csv");
}

static const scree_scalar *scalar(void *instance, uint32_t k)
{
    (void)instance;
    return k < SCREE_COUNT(scalars) ? &scalars[k] : NULL;
}

static const scree_scalars scalars_given = {
    .size = sizeof scalars_given, .scalar = scalar, .read = read_scalars};

static const void *get_extension(const char *name)
{
    return strcmp(name, SCREE_EXTENSION_SCALARS) == 0 ? &scalars_given : NULL;
}

static int32_t finish(void *instance, const scree_view *view)
{
    mixing *self = instance;
    (void)view;
    return self->out.file ? stream_close(&self->out, ".csv") : SCREE_OK;
}

static void destroy(void *instance)
{
    mixing *self = instance;
    if (!self)
        return;
    // Without finish the run has failed: the rows until then are kept.
    if (self->out.file && stream_close(&self->out, ".csv") != SCREE_OK)
        scree_logf(self->host, SCREE_LOG_WARNING, "%s.csv could not be closed", self->out.base);
    free(self->samples);
    free(self);
}

static int32_t check_vector(const scree_host *host, const char *key, const scree_reals *v)
{
    return v->n == 0 || v->n == 3 || v->n == host->dimension
               ? SCREE_OK
               : scree_failf(host, SCREE_E_CONFIG, "%s: expected %s numbers, got %" PRIu64, key,
                             host->dimension == 2 ? "2 or 3" : "3", v->n);
}

static int32_t check_axis(const scree_host *host, const scree_reals *axis)
{
    double length = 0.0;
    for (uint64_t k = 0; k < axis->n; k++)
        length += axis->v[k] * axis->v[k];
    if (axis->n == 0 || (length > 0.0 && isfinite(length)))
        return SCREE_OK;
    return scree_failf(host, SCREE_E_CONFIG, "axis: expected a direction, got one of length %g",
                       sqrt(length));
}

static int32_t check_config(const scree_host *host, const mixing_config *c)
{
    const scree_reals *vectors[] = {&c->origin, &c->min, &c->max, &c->axis};
    static const char *const keys[] = {"origin", "min", "max", "axis"};
    int32_t status = SCREE_OK;
    if ((c->tracers.n > 0) == !isnan(c->radius_above))
        return scree_failf(host, SCREE_E_CONFIG, "expected one of tracers and radius_above, got %s",
                           c->tracers.n ? "both" : "neither");
    for (int k = 0; k < 4 && status == SCREE_OK; k++)
        status = check_vector(host, keys[k], vectors[k]);
    for (uint64_t k = 0; k < c->min.n && k < c->max.n && status == SCREE_OK; k++)
        if (k < host->dimension && !(c->min.v[k] < c->max.v[k]))
            status =
                scree_failf(host, SCREE_E_CONFIG, "expected min[%d] < max[%d], got %g m and %g m",
                            (int)k, (int)k, c->min.v[k], c->max.v[k]);
    return status == SCREE_OK ? check_axis(host, &c->axis) : status;
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    const mixing_config *given = config;
    const scree_output *output = host->get_service(host->ctx, SCREE_SERVICE_OUTPUT);
    mixing *self;
    int32_t status = check_config(host, given);
    if (status != SCREE_OK)
        return status;
    if (!output)
        return host->fail(host->ctx, SCREE_E_UNSUPPORTED,
                          "the host offers no " SCREE_SERVICE_OUTPUT ": nowhere to write");
    if (!given->file[0] || strchr(given->file, '\n'))
        return scree_failf(host, SCREE_E_CONFIG,
                           "file: expected a name without line ends, got \"%s\"", given->file);
    self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->host = host;
    self->config = given;
    self->names = host->get_service(host->ctx, SCREE_SERVICE_NAMES);
    self->out = (text_stream){.host = host, .output = output, .base = given->file};
    *instance = self;
    return SCREE_OK;
}

SCREE_STRING_PARAM(mixing_config, file, 0, "mixing", "base name of the .csv file");
SCREE_STRINGS_PARAM(mixing_config, tracers, 0, SCREE_PARAM_OPTIONAL | SCREE_PARAM_GROUP,
                    "names of the groups that are one of the two kinds of bodies");
SCREE_REAL_PARAM(mixing_config, radius_above, "m", SCREE_PARAM_OPTIONAL, 0, 0, HUGE_VAL,
                 "instead of tracers: bodies with a larger radius are one of the two kinds");
SCREE_REAL_PARAM(mixing_config, cell, "m", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 0,
                 HUGE_VAL, "side of the sample cells; absent: 4 mean diameters");
SCREE_INT_PARAM(mixing_config, min_count, 0, 1, 1, 1000000000,
                "bodies of a cell; cells with fewer do not count");
#define VECTOR_PARAM(id, unit_text, text)                                                          \
    static const scree_param param_##id = {                                                        \
        .size = sizeof param_##id,                                                                 \
        .type = SCREE_TYPE_REAL_ARRAY,                                                             \
        .flags = SCREE_PARAM_OPTIONAL,                                                             \
        .offset = offsetof(mixing_config, id),                                                     \
        .name = #id,                                                                               \
        .unit = unit_text,                                                                         \
        .help = text,                                                                              \
        .real_min = -HUGE_VAL,                                                                     \
        .real_max = HUGE_VAL,                                                                      \
    }
VECTOR_PARAM(origin, "m", "a corner of the cells; absent: 0");
VECTOR_PARAM(min, "m", "bodies with a lower place do not count");
VECTOR_PARAM(max, "m", "bodies with a higher place do not count");
VECTOR_PARAM(
    axis, "-",
    "along which heights are measured, of any length; absent: against gravity, or the last "
    "axis");
static const scree_param *const params[] = {&param_file, &param_tracers, &param_radius_above,
                                            &param_cell, &param_origin,  &param_min,
                                            &param_max,  &param_axis,    &param_min_count};

static const scree_observer_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = destroy,
    .narrow = scree_narrow_sums,
    .observe = observe,
    .finish = finish,
};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_OBSERVER,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "mixing",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "how well two kinds of bodies are mixed: Lacey's index, segregation by height",
    .summary =
        "Lacey's index by number of bodies in cells, with the variances that it is made of: that "
        "of "
        "the cells, of separate kinds, and the exact expectation of bodies that swap places at "
        "random: 0 segregated, 1 mixed. Segregation compares mean ranks of height: 1 tracers "
        "above, -1 below, 0 mixed.",
    .citation = "Lacey 1954, J. Appl. Chem. 4, 257",
    .config_size = sizeof(mixing_config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
    .get_extension = get_extension,
};

SCREE_DEFINE_MANIFEST(&plugin);
