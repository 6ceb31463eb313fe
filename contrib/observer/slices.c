/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slices: a table per state and rank: the bodies that this rank has, and how often each is touched.
 *
 *   FILE_STEP_RANK.csv   id, x, y, z [m], touches [-]: contacts with depth >= 0
 *
 * On one rank a state has one table, FILE_STEP_0.csv. On several ranks no rank needs the bodies of
 * the others for it (draft/pieces.h): together the tables have the rows that one rank would write.
 * Without draft.pieces/1 rank 0 writes all.
 */
#include <errno.h>
#include <inttypes.h>
#include <scree/draft/pieces.h>
#include <scree/draft/sums.h>
#include <scree/sdk.h>
#include <stdio.h>
#include <unistd.h>

typedef struct config {
    const char *file;
} config;

typedef struct observer {
    const scree_host *host;
    const config *config;
    const scree_output *output;
    const scree_pieces *pieces; /* NULL: this rank sees all bodies */
    uint32_t *touches;          /* [bodies] */
    uint64_t capacity;
} observer;

static int32_t write_text(const observer *self, int32_t fd, const char *text)
{
    for (size_t n = strlen(text); n > 0;) {
        const ssize_t done = write(fd, text, n);
        if (done < 0 && errno != EINTR)
            return scree_failf(self->host, SCREE_E_IO, "cannot write a table of \"%s\": %s",
                               self->config->file, strerror(errno));
        text += done > 0 ? done : 0;
        n -= done > 0 ? (size_t)done : 0;
    }
    return SCREE_OK;
}

static int32_t write_rows(const observer *self, int32_t fd, const scree_bodies *b,
                          const scree_piece *piece)
{
    const uint32_t n = piece ? piece->n_bodies : b->n;
    int32_t status = write_text(self, fd, "id,x,y,z,touches\n");
    for (uint32_t k = 0; k < n && status == SCREE_OK; k++) {
        const uint32_t i = piece ? piece->bodies[k] : k;
        char line[256];
        snprintf(line, sizeof line, "%" PRIu64 ",%.17g,%.17g,%.17g,%" PRIu32 "\n", b->id[i],
                 b->x[0][i], b->x[1][i], b->x[2][i], self->touches[i]);
        status = write_text(self, fd, line);
    }
    return status;
}

static int32_t observe(void *instance, const scree_view *view)
{
    observer *self = instance;
    const scree_contact_list *l = view->contacts;
    const scree_piece *piece = self->pieces ? self->pieces->piece(self->pieces->ctx) : NULL;
    char name[1024];
    int32_t fd, status, closed;
    if (!scree_grow(&self->touches, &self->capacity, (uint64_t)view->bodies->n + 1,
                    sizeof *self->touches))
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for the bodies");
    memset(self->touches, 0, view->bodies->n * sizeof *self->touches);
    for (uint64_t c = 0; c < l->n; c++)
        if (l->depth[c] >= 0.0) {
            self->touches[l->a[c]]++;
            self->touches[l->b[c]]++;
        }
    snprintf(name, sizeof name, "%.900s_%010" PRIu64 "_%" PRIu32 ".csv", self->config->file,
             view->step, piece ? piece->rank : 0);
    status = self->output->open(self->output->ctx, name, &fd);
    if (status != SCREE_OK)
        return status;
    status = write_rows(self, fd, view->bodies, piece);
    closed = self->output->close(self->output->ctx, fd, status == SCREE_OK);
    return status != SCREE_OK ? status : closed;
}

static int32_t finish(void *instance, const scree_view *view)
{
    (void)instance;
    (void)view;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    observer *self = instance;
    if (!self)
        return;
    free(self->touches);
    free(self);
}

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    observer *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->host = host;
    self->config = given;
    self->output = host->get_service(host->ctx, SCREE_SERVICE_OUTPUT);
    self->pieces = host->get_service(host->ctx, SCREE_DRAFT_PIECES);
    *instance = self;
    if (self->output)
        return SCREE_OK;
    destroy(self);
    return host->fail(host->ctx, SCREE_E_UNSUPPORTED, "the host offers no " SCREE_SERVICE_OUTPUT);
}

SCREE_STRING_PARAM(config, file, 0, "slices", "start of the names of the tables");
static const scree_param *const params[] = {&param_file};

static const scree_observer_ops ops = {.size = sizeof ops,
                                       .create = create,
                                       .destroy = destroy,
                                       .narrow = scree_narrow_sums,
                                       .observe = observe,
                                       .finish = finish};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_OBSERVER,
    .flags = SCREE_CAP_RANKS,
    .needs = SCREE_WANTS_CONTACTS,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "slices",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "a table of bodies per state and rank",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
