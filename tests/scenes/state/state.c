/* SPDX-License-Identifier: Apache-2.0 */
/* State besides fields: a running mean over a window (observer), a push that remembers the last
 * times (modifier), both by scree.state/1.
 * SIN: what save() or load() does wrong. */
#include "../../plugin.h"
#include <inttypes.h>
#include <unistd.h>

#ifndef SIN
#define SIN 0
#endif
enum { NONE, FAILS, ENDLESS, UNLIKE, IGNORES, FORGETS, TAKES, HIDES, NO_STATE };

enum { WINDOW = 16 };

typedef struct config {
    const char *file;
    double stiffness; /* [N/m] */
} config;

/** The state, as bytes without holes. */
typedef struct memory {
    uint64_t n;          /* samples until now */
    double last[WINDOW]; /* ring */
} memory;

typedef struct holder {
    const scree_host *host;
    const config *config;
    memory memory;
    uint64_t saves, hidden;
    int32_t fd, reserved;
} holder;

static int32_t create(const scree_host *host, const void *config_, void **out)
{
    holder *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->host = host;
    self->config = config_;
    self->fd = -1;
    *out = self;
    return SCREE_OK;
}

static int32_t create_writer(const scree_host *host, const void *config_, void **out)
{
    if (!host->get_service(host->ctx, SCREE_SERVICE_OUTPUT))
        return host->fail(host->ctx, SCREE_E_UNSUPPORTED, "this host writes no files");
    return create(host, config_, out);
}

static int32_t save(void *instance_, const scree_state_sink *sink)
{
    holder *self = instance_;
    static const char much[1 << 20];
    self->saves++;
    if (SIN == FAILS)
        return self->host->fail(self->host->ctx, SCREE_E_NUMERIC, "nothing to save today");
    if (SIN == UNLIKE)
        self->memory.n += self->saves;
    if (SIN == ENDLESS)
        while (sink->write(sink->ctx, much, sizeof much) == SCREE_OK)
            continue;
    int32_t code = sink->write(sink->ctx, &self->memory.n, sizeof self->memory.n);
    return code < 0 ? code : sink->write(sink->ctx, self->memory.last, sizeof self->memory.last);
}

static int32_t load(void *instance_, const void *bytes, uint64_t n)
{
    holder *self = instance_;
    if (n != sizeof(memory) && SIN != TAKES)
        return self->host->fail(self->host->ctx, SCREE_E_CONFIG, "expected a window of 16 samples");
    if (SIN != IGNORES)
        memcpy(&self->memory, bytes, n < sizeof(memory) ? n : sizeof(memory));
    if (SIN == FORGETS)
        self->memory.last[0] = 0.0;
    return SCREE_OK;
}

static const scree_state state = {.size = sizeof state, .save = save, .load = load};

static const void *get_extension(const char *name)
{
    return SIN != NO_STATE && !strcmp(name, SCREE_EXTENSION_STATE) ? &state : NULL;
}

static void remember(holder *self, double value)
{
    if (SIN == HIDES) /* a count that save() leaves out */
        value += (double)self->hidden++;
    self->memory.last[self->memory.n++ % WINDOW] = value;
}

static double mean_of(const memory *m)
{
    uint64_t n = m->n < WINDOW ? m->n : WINDOW;
    double sum = 0.0;
    for (uint64_t k = 0; k < n; k++)
        sum += m->last[(m->n - n + k) % WINDOW];
    return n ? sum / (double)n : 0.0;
}

static int32_t write_row(holder *self, const scree_view *view, double value)
{
    const scree_output *output = self->host->get_service(self->host->ctx, SCREE_SERVICE_OUTPUT);
    char line[96];
    if (self->fd < 0) {
        int32_t code = output->open(output->ctx, self->config->file, &self->fd);
        if (code < 0)
            return code;
    }
    int n = snprintf(line, sizeof line, "%" PRIu64 ",%.17g\n", view->step, value);
    return write(self->fd, line, (size_t)n) == n
               ? SCREE_OK
               : self->host->fail(self->host->ctx, SCREE_E_IO, "cannot write");
}

static int32_t observe_window(void *instance_, const scree_view *view)
{
    holder *self = instance_;
    remember(self, view->energy->kinetic);
    return write_row(self, view, mean_of(&self->memory));
}

static int32_t finish(void *instance_, const scree_view *view)
{
    holder *self = instance_;
    const scree_output *output = self->host->get_service(self->host->ctx, SCREE_SERVICE_OUTPUT);
    return self->fd < 0 ? SCREE_OK : output->close(output->ctx, self->fd, 1);
}

static int32_t push(void *instance_, const scree_forces *args)
{
    const holder *self = instance_;
    const double force = -self->config->stiffness * mean_of(&self->memory);
    for (uint32_t i = 0; i < args->bodies->n_free; i++) {
        args->wrench[8 * (uint64_t)i] += force;
        args->power[i] += force * args->bodies->v[0][i];
    }
    return SCREE_OK;
}

static int32_t look(void *instance_, const scree_step *args)
{
    holder *self = instance_;
    remember(self, args->time);
    return SCREE_OK;
}

SCREE_STRING_PARAM(config, file, 0, "mean.csv", "name of the table");
SCREE_REAL_PARAM(config, stiffness, "N/s", SCREE_PARAM_LIVE, 1.0, 0, 1e9, "push by mean time");
static const scree_param *const params[] = {&param_file, &param_stiffness};

static const scree_observer_ops window_ops = {OPS(observer, create_writer, free),
                                              .observe = observe_window, .finish = finish};
static const scree_modifier_ops push_ops = {OPS(modifier, create, free), .forces = push,
                                            .after_step = look};

static const scree_plugin window = {PLUGIN(OBSERVER, "window_mean", "mean over a window"),
                                    PLUGIN_CONFIG, .ops = &window_ops,
                                    .get_extension = get_extension};
static const scree_plugin pusher = {PLUGIN(MODIFIER, "recall", "pushes by what it remembers"),
                                    PLUGIN_CONFIG, .ops = &push_ops,
                                    .get_extension = get_extension};

SCREE_DEFINE_MANIFEST(&window, &pusher);
