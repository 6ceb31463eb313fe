/* SPDX-License-Identifier: Apache-2.0 */
/* A sound observer (a line per look), which breaks one promise: SIN says which. */
#include <unistd.h>

#include "scree/sdk.h"

enum {
    NONE,
    FOLDER,
    WHOLE,
    FINISH,
    SHORT,
    EMPTY,
    UNSERVED,
    BELATED,
    WORDLESS,
    TWICE,
    UNWRITTEN,
    TALLY,
    MARKS,
    BEHIND,
    OTHERS,
    MOVES
};

typedef struct observer {
    const scree_host *host;
    const scree_output *output;
    int32_t fd, reads, asked;
} observer;

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    observer *self = calloc(1, sizeof *self);
    (void)config;
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    *self = (observer){host, host->get_service(host->ctx, SCREE_SERVICE_OUTPUT), -1, 0, 0};
    if (!self->output && SIN != UNSERVED && SIN != BELATED) {
        free(self);
        return SIN == WORDLESS
                   ? SCREE_E_UNSUPPORTED
                   : host->fail(host->ctx, SCREE_E_UNSUPPORTED, "this host offers no files");
    }
    *instance = self;
    return SCREE_OK;
}

/** A line at the end of a file of its own making. */
static int32_t append(const observer *self, const char *folder, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "a");
    if (!file)
        return self->host->fail(self->host->ctx, SCREE_E_IO, "cannot append");
    fputs("seen\n", file);
    return fclose(file) == 0 ? SCREE_OK : SCREE_E_IO;
}

static int32_t observe(void *instance, const scree_view *view)
{
    observer *self = instance;
    char line[128];
    if (SIN == BELATED && !self->output)
        return self->host->fail(self->host->ctx, SCREE_E_UNSUPPORTED, "this host has no files");
    if (SIN == FOLDER && append(self, ".", "outside.txt") < 0)
        return SCREE_E_IO;
    if (SIN == WHOLE && append(self, self->output->folder, "within.txt") < 0)
        return SCREE_E_IO;
    if (SIN == EMPTY && view->bodies->n == 0)
        return self->host->fail(self->host->ctx, SCREE_E_NUMERIC, "the mean of no bodies");
    if (self->fd < 0) {
        int32_t code = self->output->open(self->output->ctx, "seen.txt", &self->fd);
        if (code < 0)
            return code;
    }
    int n = snprintf(line, sizeof line, "%llu %.17g %u %d\n", (unsigned long long)view->step,
                     view->energy->kinetic, view->bodies->n, SIN == MARKS ? self->reads : 0);
    return write(self->fd, line, (size_t)n) == n ? SCREE_OK : SCREE_E_IO;
}

static int32_t finish(void *instance, const scree_view *view)
{
    const observer *self = instance;
    (void)view;
    if (SIN == FINISH)
        return SCREE_OK;
    if (self->fd < 0)
        return SIN == SHORT ? self->host->fail(self->host->ctx, SCREE_E_INTERNAL, "no file")
                            : SCREE_OK;
    return self->output->close(self->output->ctx, self->fd, 1);
}

static const scree_scalar *scalar(void *instance, uint32_t k)
{
    static const scree_scalar all[] = {SCREE_SCALAR("kinetic", "J", 0),
                                       SCREE_SCALAR(SIN == TWICE ? "kinetic" : "free", "-", 0)};
    observer *self = instance;
    if (SIN == OTHERS && self->asked++ > 2) /* all were asked for once */
        return NULL;
    return k < SCREE_COUNT(all) ? &all[k] : NULL;
}

static int32_t read_scalars(void *instance, const scree_view *view, double *value)
{
    observer *self = instance;
    self->reads++;
    value[0] = view->energy->kinetic + (SIN == TALLY ? self->reads : 0);
    if (SIN != UNWRITTEN)
        value[1] = view->bodies->n_free;
    if (SIN == BEHIND)
        value[2] = 0.0;
    if (SIN == MOVES && view->bodies->n > 0)
        ((double *)(uintptr_t)view->bodies->x[0])[0] += 1e-3;
    return SCREE_OK;
}

static const void *get_extension(const char *name)
{
    static const scree_scalars scalars = {
        .size = sizeof scalars, .scalar = scalar, .read = read_scalars};
    return strcmp(name, SCREE_EXTENSION_SCALARS) == 0 ? &scalars : NULL;
}

static const scree_observer_ops ops = {
    .size = sizeof ops, .create = create, .destroy = free, .observe = observe, .finish = finish};
static const scree_plugin unsound = {.size = sizeof unsound,
                                     .kind = SCREE_KIND_OBSERVER,
                                     .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
                                     .id = "unsound",
                                     .version = "1.0.0",
                                     .licence = "Apache-2.0",
                                     .help = "an observer that breaks one promise",
                                     .ops = &ops,
                                     .get_extension = get_extension};
SCREE_DEFINE_MANIFEST(&unsound);
