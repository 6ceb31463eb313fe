/* SPDX-License-Identifier: Apache-2.0 */
/* observer/sins: writes a line per observation, and does something wrong; `sin` says what. */
#include <inttypes.h>
#include <unistd.h>
#include <xmmintrin.h>

#include "scree/draft/sums.h"
#include "sins.h"

#define SINS(SIN)                                                                                  \
    SIN(NONE, none)                                                                                \
    SIN(FAILS, fails)                                                                              \
    SIN(CRASHES, crashes)                                                                          \
    SIN(ROUNDS, rounds)                                                                            \
    SIN(LEAVES_THE_FOLDER, leaves_the_folder)                                                      \
    SIN(FAILS_BETWEEN, fails_between)                                                              \
    SIN(ASKS_BEYOND, asks_beyond)                                                                  \
    SIN(INFINITE, infinite)                                                                        \
    SIN(SILENT, silent)                                                                            \
    SIN(SUMS, sums)
enum { SINS(SIN_ENUMERATOR) };

typedef struct config {
    int32_t sin, reserved;
    int64_t after; /* observations */
} config;

typedef struct observer {
    const scree_host *host;
    const scree_output *output;
    const config *config;
    int32_t fd, is_open;
    int64_t seen;
} observer;

CREATE(observer, .host = host, .output = host->get_service(host->ctx, SCREE_SERVICE_OUTPUT),
       .config = given)

static int32_t write_line(observer *self, const scree_view *view)
{
    char line[128];
    int n = snprintf(line, sizeof line, "%" PRIu64 " %" PRIu64 "\n", view->step, view->contacts->n);
    return write(self->fd, line, (size_t)n) == n ? SCREE_OK : SCREE_E_IO;
}

/* Fails at a step between two intervals. */
static int32_t look_between(const observer *self, const scree_view *view)
{
    scree_load load = {.size = sizeof load};
    if (self->config->sin != FAILS_BETWEEN || (int64_t)view->step < self->config->after)
        return SCREE_OK;
    if (view->energy || view->again)
        return self->host->fail(self->host->ctx, SCREE_E_NUMERIC, "saw what it should not");
    return view->load(view, 0, &load);
}

static int32_t narrow(void *instance, scree_demands *demands)
{
    const observer *self = instance;
    return self->config->sin == SUMS ? scree_narrow_sums(instance, demands) : SCREE_OK;
}

/* Only a view of an observer that has cleared the bit is without sums. */
static int32_t look_for_sums(const observer *self, const scree_view *view)
{
    const double *p = view->momentum, *l = view->angular_momentum;
    const double all = fabs(p[0]) + fabs(p[1]) + fabs(p[2]) + fabs(l[0]) + fabs(l[1]) + fabs(l[2]);
    const int sums = view->energy || all > 0.0;
    return sums == (self->config->sin != SUMS)
               ? SCREE_OK
               : self->host->fail(self->host->ctx, SCREE_E_NUMERIC,
                                  "sums that it has (not) left out");
}

static int32_t observe(void *instance, const scree_view *view)
{
    observer *self = instance;
    volatile int *nowhere = NULL;
    scree_load load = {.size = sizeof load};
    if (!view->due)
        return look_between(self, view);
    if (look_for_sums(self, view) != SCREE_OK)
        return SCREE_E_NUMERIC;
    if (self->config->sin == ASKS_BEYOND)
        return view->load(view, view->bodies->n, &load);
    const char *name = self->config->sin == LEAVES_THE_FOLDER ? "../seen.txt" : "seen.txt";
    if (!self->is_open) {
        int32_t status = self->output->open(self->output->ctx, name, &self->fd);
        if (status != SCREE_OK)
            return status;
        self->is_open = 1;
    }
    if (self->seen++ >= self->config->after) {
        if (self->config->sin == FAILS)
            return self->host->fail(self->host->ctx, SCREE_E_NUMERIC, "seen enough");
        if (self->config->sin == CRASHES)
            *nowhere = 1;
        if (self->config->sin == ROUNDS)
            _mm_setcsr(_mm_getcsr() | 0x8040);
    }
    return write_line(self, view);
}

static int32_t finish(void *instance, const scree_view *view)
{
    observer *self = instance;
    return self->is_open ? self->output->close(self->output->ctx, self->fd, 1) : SCREE_OK;
}

static const scree_scalar *scalar(void *instance, uint32_t k)
{
    static const scree_scalar seen = SCREE_SCALAR("seen", "-", 0);
    return k == 0 ? &seen : NULL;
}

static int32_t read_scalars(void *instance, const scree_view *view, double *value)
{
    const observer *self = instance;
    if (self->config->sin != SILENT)
        *value = self->config->sin == INFINITE ? HUGE_VAL : (double)self->seen;
    return SCREE_OK;
}

static const void *get_extension(const char *name)
{
    static const scree_scalars scalars = {
        .size = sizeof scalars, .scalar = scalar, .read = read_scalars};
    return strcmp(name, SCREE_EXTENSION_SCALARS) == 0 ? &scalars : NULL;
}

SIN_PARAM;
SCREE_INT_PARAM(config, after, 0, 0, 0, 1000000, "observations that it does right before");
static const scree_param *const params[] = {&param_sin, &param_after};
static const scree_observer_ops ops = {OPS(observer, create, free), .observe = observe,
                                       .finish = finish, .narrow = narrow};
static const scree_plugin sins = {PLUGIN(OBSERVER, "sins", "does wrong when told to"),
                                  PLUGIN_CONFIG,
                                  .needs = SCREE_WANTS_CONTACTS | SCREE_WANTS_EVERY_STEP,
                                  .ops = &ops, .get_extension = get_extension};
SCREE_DEFINE_MANIFEST(&sins);
