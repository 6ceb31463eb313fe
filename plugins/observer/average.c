// SPDX-License-Identifier: Apache-2.0
// Observer `average`: mean, standard error, least and largest value of figures over windows.
/*
 * Writes NAME.csv, a row per window of `samples` observations:
 *
 *   step, time [s]    of the last sample
 *   begin [s]         time of the first sample
 *   samples
 *   Q_mean, Q_error, Q_min, Q_max   of each quantity Q, in its unit
 *
 * Quantities are those of the conditions in `stop`, from the same code (scree.figures/1).
 *
 * Idea: successive samples are not independent. The samples of a window are divided into `blocks`
 * of equal length, and the error of the mean follows from the B means of blocks. These are nearly
 * independent when a block is longer than the memory of the quantity:
 *
 *     error^2 = sum (b_k - b)^2 / (B (B - 1))
 *
 * Source: Flyvbjerg, Petersen 1989, J. Chem. Phys. 91, 461. The sum of squares is updated by
 * Welford 1962, Technometrics 4, 419, so that a mean far from 0 does not cancel it.
 *
 * A sample without a value (`unbalanced` without contacts) leaves its row without a value: nan.
 *
 * The current window is the observer's state (scree.state/1): rows continue over a restart.
 *
 * Cost: per sample the requested figures; figures of contacts need the list of contacts.
 */
#include <inttypes.h>

#include "scree/draft/sums.h"
#include "stream.h"

typedef struct average_config {
    const char *file;
    scree_strings quantities;
    int64_t samples, blocks;
} average_config;

/* The window of a quantity. */
typedef struct window {
    double sum, block;    // sums of the samples of the window, and of the block
    double mean, squares; // of the full blocks: mean, sum of squares about it
    double least, largest;
} window;

typedef struct average {
    const scree_host *host;
    const average_config *config;
    const scree_figures *figures;
    text_stream out;
    uint32_t n;          // quantities
    int32_t of_contacts; /* 1: a quantity is one of contacts */
    const char *const *names;
    double *values;  // [n]
    window *windows; // [n]
    uint64_t taken, rows;
    double begin; // [s]
} average;

static const char *const usual[] = {"kinetic", "max_speed", "coordination", "solid_fraction"};

static void clear_windows(average *self)
{
    for (uint32_t k = 0; k < self->n; k++)
        self->windows[k] = (window){.least = HUGE_VAL, .largest = -HUGE_VAL};
    self->taken = 0;
}

static void add_sample(window *w, double value, uint64_t taken, uint64_t per_block)
{
    w->sum += value;
    w->block += value;
    w->least = value < w->least ? value : w->least;
    w->largest = value > w->largest ? value : w->largest;
    if (taken % per_block)
        return;
    const double full = (double)(taken / per_block), b = w->block / (double)per_block;
    const double off = b - w->mean;
    w->mean += off / full;
    w->squares += off * (b - w->mean);
    w->block = 0.0;
}

static int32_t begin_table(average *self)
{
    int32_t status = stream_open(&self->out, ".csv");
    if (status != SCREE_OK)
        return status;
    fputs("step,time,begin,samples", self->out.file);
    for (uint32_t k = 0; k < self->n; k++) {
        const char *q = self->names[k];
        fprintf(self->out.file, ",%s_mean,%s_error,%s_min,%s_max", q, q, q, q);
    }
    putc('\n', self->out.file);
    return SCREE_OK;
}

static void write_row(average *self, const scree_view *view)
{
    const double n = (double)self->taken, blocks = (double)self->config->blocks;
    fprintf(self->out.file, "%" PRIu64 ",%.17g,%.17g,%" PRIu64, view->step, view->time, self->begin,
            self->taken);
    for (uint32_t k = 0; k < self->n; k++) {
        const window *w = &self->windows[k];
        const int whole = !isnan(w->sum);
        fprintf(self->out.file, ",%.17g,%.17g,%.17g,%.17g", stream_real(w->sum / n),
                stream_real(sqrt(w->squares / (blocks * (blocks - 1.0)))),
                whole ? w->least : (double)NAN, whole ? w->largest : (double)NAN);
    }
    putc('\n', self->out.file);
    self->rows++;
}

static int32_t observe(void *instance, const scree_view *view)
{
    average *self = instance;
    const uint64_t samples = (uint64_t)self->config->samples;
    int32_t status = self->out.file ? SCREE_OK : begin_table(self);
    if (status == SCREE_OK)
        status = self->figures->now(self->figures->ctx, self->n, self->names, self->values);
    if (status != SCREE_OK)
        return status;
    if (self->taken++ == 0)
        self->begin = view->time;
    for (uint32_t k = 0; k < self->n; k++)
        add_sample(&self->windows[k], self->values[k], self->taken,
                   samples / (uint64_t)self->config->blocks);
    if (self->taken == samples) {
        write_row(self, view);
        clear_windows(self);
    }
    return stream_keep(&self->out, ".csv");
}

static int32_t finish(void *instance, const scree_view *view)
{
    average *self = instance;
    (void)view;
    if (self->out.file && self->rows == 0)
        scree_logf(self->host, SCREE_LOG_WARNING,
                   "%s.csv has no row: %" PRIu64 " of the %" PRId64
                   " samples of a window were taken",
                   self->config->file, self->taken, self->config->samples);
    return self->out.file ? stream_close(&self->out, ".csv") : SCREE_OK;
}

static int32_t narrow(void *instance, scree_demands *demands)
{
    if (!((const average *)instance)->of_contacts)
        demands->needs &= ~(uint64_t)SCREE_WANTS_CONTACTS;
    return scree_narrow_sums(instance, demands);
}

static void destroy(void *instance)
{
    average *self = instance;
    if (!self)
        return;
    // Without finish the run has failed: the rows until then are kept.
    if (self->out.file && stream_close(&self->out, ".csv") != SCREE_OK)
        scree_logf(self->host, SCREE_LOG_WARNING, "%s.csv could not be closed", self->out.base);
    free(self->values);
    free(self->windows);
    free(self);
}

/* ---- state, for a restart ---- */

typedef struct memo {
    uint64_t n, taken;
    double begin;
} memo;

static int32_t save(void *instance, const scree_state_sink *to)
{
    const average *self = instance;
    const memo m = {self->n, self->taken, self->begin};
    int32_t status = to->write(to->ctx, &m, sizeof m);
    return status == SCREE_OK ? to->write(to->ctx, self->windows, self->n * sizeof *self->windows)
                              : status;
}

static int32_t load(void *instance, const void *bytes, uint64_t n)
{
    average *self = instance;
    memo m = {0};
    if (n == sizeof m + self->n * sizeof *self->windows)
        memcpy(&m, bytes, sizeof m);
    if (m.n != self->n || m.taken >= (uint64_t)self->config->samples)
        return scree_failf(self->host, SCREE_E_CONFIG,
                           "expected the state of a window of %" PRIu32 " quantities and %" PRId64
                           " samples, got another one",
                           self->n, self->config->samples);
    self->taken = m.taken;
    self->begin = m.begin;
    memcpy(self->windows, (const char *)bytes + sizeof m, self->n * sizeof *self->windows);
    return SCREE_OK;
}

static const scree_state state = {.size = sizeof state, .save = save, .load = load};

static const void *get_extension(const char *name)
{
    return strcmp(name, SCREE_EXTENSION_STATE) == 0 ? &state : NULL;
}

/* ---- create ---- */

static int32_t check_config(const scree_host *host, const average_config *c)
{
    if (c->samples % c->blocks)
        return scree_failf(host, SCREE_E_CONFIG,
                           "samples: expected a multiple of blocks (%" PRId64 "), got %" PRId64,
                           c->blocks, c->samples);
    if (!c->file[0] || strchr(c->file, '\n'))
        return scree_failf(host, SCREE_E_CONFIG,
                           "file: expected a name without line ends, got \"%s\"", c->file);
    return SCREE_OK;
}

static int32_t refuse_quantity(const average *self, const char *name)
{
    char all[400] = "";
    const char *one;
    for (uint32_t k = 0; (one = self->figures->name(self->figures->ctx, k)) != NULL; k++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", k ? ", " : "", one);
    return scree_failf(self->host, SCREE_E_CONFIG, "quantities: expected some of %s, got \"%.40s\"",
                       all, name);
}

static int32_t find_quantities(average *self)
{
    for (uint32_t k = 0; k < self->n; k++) {
        const int32_t kind = self->figures->kind(self->figures->ctx, self->names[k]);
        if (kind == SCREE_FIGURE_UNKNOWN)
            return refuse_quantity(self, self->names[k]);
        for (uint32_t other = 0; other < k; other++)
            if (strcmp(self->names[other], self->names[k]) == 0)
                return scree_failf(self->host, SCREE_E_CONFIG, "quantities: %s is there twice",
                                   self->names[k]);
        if (kind == SCREE_FIGURE_OF_CONTACTS)
            self->of_contacts = 1;
    }
    return SCREE_OK;
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    const average_config *given = config;
    const scree_output *output = host->get_service(host->ctx, SCREE_SERVICE_OUTPUT);
    const scree_figures *figures = host->get_service(host->ctx, SCREE_SERVICE_FIGURES);
    average *self;
    int32_t status = check_config(host, given);
    if (status != SCREE_OK)
        return status;
    if (!output || !figures)
        return scree_failf(host, SCREE_E_UNSUPPORTED, "the host offers no %s",
                           output ? SCREE_SERVICE_FIGURES : SCREE_SERVICE_OUTPUT);
    self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->host = host;
    self->config = given;
    self->figures = figures;
    self->out = (text_stream){.host = host, .output = output, .base = given->file};
    self->n = given->quantities.n ? (uint32_t)given->quantities.n : SCREE_COUNT(usual);
    self->names = given->quantities.n ? given->quantities.v : usual;
    self->values = calloc(self->n, sizeof *self->values);
    self->windows = calloc(self->n, sizeof *self->windows);
    status = self->values && self->windows
                 ? find_quantities(self)
                 : host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    if (status != SCREE_OK) {
        destroy(self);
        return status;
    }
    clear_windows(self);
    *instance = self;
    return SCREE_OK;
}

SCREE_STRING_PARAM(average_config, file, 0, "average", "base name of the .csv file");
SCREE_STRINGS_PARAM(average_config, quantities, 0, SCREE_PARAM_OPTIONAL,
                    "names as in `stop`; none: kinetic, max_speed, coordination, solid_fraction");
SCREE_INT_PARAM(average_config, samples, 0, 100, 2, 1000000000,
                "observations of a window, a multiple of blocks");
SCREE_INT_PARAM(average_config, blocks, 0, 10, 2, 1000000,
                "parts of a window; the error of its mean is that of their means");
static const scree_param *const params[] = {&param_file, &param_quantities, &param_samples,
                                            &param_blocks};

static const scree_observer_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = destroy,
    .narrow = narrow,
    .observe = observe,
    .finish = finish,
};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_OBSERVER,
    .needs = SCREE_WANTS_CONTACTS,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "average",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "mean, standard error, least and largest value of figures over windows",
    .summary =
        "A sample is taken at each observation; `samples` of them make a window and a row of "
        "NAME.csv. The error is that of the means of `blocks` parts of the window, which should "
        "be longer than the memory of the quantity. A window that the run does not fill has no "
        "row; a run that goes on from a checkpoint goes on with it.",
    .citation = "Flyvbjerg, Petersen 1989, J. Chem. Phys. 91, 461",
    .config_size = sizeof(average_config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
    .get_extension = get_extension,
};

SCREE_DEFINE_MANIFEST(&plugin);
