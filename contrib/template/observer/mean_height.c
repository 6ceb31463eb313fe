/* SPDX-License-Identifier: MIT */
/*
 * mean_height: writes a line of CSV per call: the step, the time, the mean height of free bodies.
 *
 * The height is against gravity's usual direction: z, in 2D y.
 *
 * This is the smallest observer: copy it. plugins/observer/csv.c of the sources goes on with reals
 * of full length, contacts, a plot.
 */
#include <errno.h>
#include <inttypes.h>
#include <scree/sdk.h>
#include <unistd.h>

/* The values of the scene. The host reads, checks and fills them by the table `params` below. */
typedef struct config {
    const char *file; /* without .csv */
} config;

typedef struct observer {
    const scree_host *host;
    const scree_output *output; /* the host's service for files */
    const config *config;       /* valid until destroy() */
    int32_t fd;                 /* -1: not open */
    int32_t reserved;
} observer;

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    const scree_output *output = host->get_service(host->ctx, SCREE_SERVICE_OUTPUT);
    if (!output)
        return host->fail(host->ctx, SCREE_E_UNSUPPORTED, "this host writes no files");
    observer *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->host = host;
    self->output = output;
    self->config = config_;
    self->fd = -1;
    *instance = self;
    return SCREE_OK;
}

/** Writes all of a text; the caller has opened the file. */
static int32_t write_text(observer *self, const char *text, size_t n)
{
    while (n > 0) {
        ssize_t done = write(self->fd, text, n);
        if (done < 0 && errno != EINTR)
            return scree_failf(self->host, SCREE_E_IO, "cannot write %s.csv: %s",
                               self->config->file, strerror(errno));
        text += done > 0 ? done : 0;
        n -= done > 0 ? (size_t)done : 0;
    }
    return SCREE_OK;
}

/** Opens FILE.csv in the folder of the run, and writes the names of the columns. */
static int32_t open_table(observer *self)
{
    static const char header[] = "step,time,bodies,height\n"; /* time [s], height [m] */
    char name[1024];
    if (snprintf(name, sizeof name, "%s.csv", self->config->file) >= (int)sizeof name)
        return self->host->fail(self->host->ctx, SCREE_E_CONFIG, "file: the name is too long");
    int32_t status = self->output->open(self->output->ctx, name, &self->fd);
    if (status != SCREE_OK)
        self->fd = -1;
    return status == SCREE_OK ? write_text(self, header, sizeof header - 1) : status;
}

/** Called at the interval of the scene, at the start and at the end. Everything in the view is read
 * only. */
static int32_t observe(void *instance, const scree_view *view)
{
    observer *self = instance;
    const scree_bodies *b = view->bodies;
    const double *height = b->x[b->dimension - 1];
    double sum = 0.0;
    char line[128];
    int32_t status = self->fd < 0 ? open_table(self) : SCREE_OK;
    if (status != SCREE_OK)
        return status;
    for (uint32_t i = 0; i < b->n_free; i++) /* free bodies have the lowest numbers */
        sum += height[i];
    int n = snprintf(line, sizeof line, "%" PRIu64 ",%.17g,%" PRIu32 ",%.17g\n", view->step,
                     view->time, b->n_free, b->n_free ? sum / b->n_free : 0.0);
    return write_text(self, line, (size_t)n);
}

/** The run is over: the file gets its name. */
static int32_t finish(void *instance, const scree_view *view)
{
    observer *self = instance;
    (void)view;
    if (self->fd < 0)
        return SCREE_OK;
    int32_t fd = self->fd;
    self->fd = -1;
    return self->output->close(self->output->ctx, fd, 1);
}

/** After finish(), or without it after a failure: the lines until then are kept. */
static void destroy(void *instance)
{
    if (instance)
        finish(instance, NULL);
    free(instance);
}

SCREE_STRING_PARAM(config, file, 0, "mean_height", "name of the table, without .csv");
static const scree_param *const params[] = {&param_file};

static const scree_observer_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = destroy,
    .observe = observe,
    .finish = finish,
};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_OBSERVER,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "mean_height",
    .version = "0.1.0",
    .licence = "MIT",
    .help = "the mean height of free bodies as a CSV table",
    .summary = "A line per observation: step, time [s], number of free bodies, mean of z (2D: y) "
               "of their centres [m].",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
