/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric: the directions of contacts in a packing, and the share of shear in its stress.
 *
 *   coordination [-] contacts per body, as in the summary (scree.figures/1)
 *   contacts [-] contacts that touch
 *   anisotropy     [-] of phi_ij = <n_i n_j>: sqrt(d/(d-1) D:D), D = phi - I/d: 0 the same in all
 *                  directions, 1 all along one line. Satake 1982; Oda 1982, Soils Found. 22(4), 96
 *   stress_ratio   [-] the same measure of sigma_ij = sum f_i l_j / V, over its trace: sqrt(d/(d-1)
 *                  S:S), S = sigma/tr(sigma) - I/d; V cancels
 *
 * Each value is also a scalar for conditions: stop = { when = "fabric.anisotropy > 0.3"; .. }.
 */
#include <inttypes.h>
#include <scree/draft/sums.h>
#include <scree/sdk.h>
#include <unistd.h>

enum { DIM = 3, TENSOR = DIM * DIM };

typedef struct config {
    const char *file;
} config;

typedef struct observer {
    const scree_host *host;
    const config *config;
    const scree_output *output;
    const scree_figures *figures;
    const scree_summer *summer;
    double *terms[2 * TENSOR]; /* [contacts] terms of phi, then of sigma */
    uint64_t capacity;
    int32_t fd, reserved;
} observer;

static const scree_scalar scalars[] = {
    SCREE_SCALAR("coordination", "-", 0), SCREE_SCALAR("contacts", "-", 0),
    SCREE_SCALAR("anisotropy", "-", 0), SCREE_SCALAR("stress_ratio", "-", 0)};
enum { N = SCREE_COUNT(scalars) };

static const scree_scalar *scalar(void *instance, uint32_t k)
{
    (void)instance;
    return k < N ? &scalars[k] : NULL;
}

static int32_t grow(observer *self, uint64_t n)
{
    for (int k = 0; k < 2 * TENSOR; k++) {
        uint64_t capacity = self->capacity;
        if (!scree_grow(&self->terms[k], &capacity, n + 1, sizeof(double)))
            return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for the contacts");
        if (k == 2 * TENSOR - 1)
            self->capacity = capacity;
    }
    return SCREE_OK;
}

/** Measure of a tensor with this trace: 0 for a multiple of the identity, 1 for n_i n_j. */
static double deviator(const double t[TENSOR], double trace, double d)
{
    double sum = 0.0;
    for (int i = 0; i < DIM; i++)
        for (int j = 0; j < DIM; j++) {
            const double part = t[DIM * i + j] / trace - (i == j && i < (int)d ? 1.0 / d : 0.0);
            sum += part * part;
        }
    return sqrt(sum * d / (d - 1.0));
}

/** Computes the values of this state: it writes only scratch memory. */
static int32_t read_scalars(void *instance, const scree_view *view, double *value)
{
    observer *self = instance;
    const scree_contact_list *l = view->contacts;
    const char *const name[] = {"coordination"};
    const double d = view->bodies->dimension;
    double sum[2 * TENSOR];
    uint64_t touching = 0;
    int32_t status = grow(self, l->n);
    if (status != SCREE_OK)
        return status;
    for (uint64_t c = 0; c < l->n; c++) {
        const double touches = l->depth[c] >= 0.0 ? 1.0 : 0.0;
        touching += l->depth[c] >= 0.0;
        for (int k = 0; k < TENSOR; k++) {
            const int i = k / DIM, j = k % DIM;
            self->terms[k][c] = touches * l->normal[i][c] * l->normal[j][c];
            self->terms[TENSOR + k][c] = -l->f[i][c] * l->branch[j][c];
        }
    }
    /* The sums have the same bits for any number of threads. */
    status = self->summer->contacts(self->summer->ctx, 2 * TENSOR,
                                    (const double *const *)self->terms, sum);
    if (status == SCREE_OK)
        status = self->figures->now(self->figures->ctx, 1, name, &value[0]);
    value[1] = (double)touching;
    if (status != SCREE_OK)
        return status;
    const double *sigma = sum + TENSOR, trace = sigma[0] + sigma[4] + sigma[8];
    value[2] = touching ? deviator(sum, (double)touching, d) : (double)NAN;
    value[3] = trace > 0.0 ? deviator(sigma, trace, d) : (double)NAN;
    return SCREE_OK;
}

static int32_t write_text(observer *self, const char *text)
{
    const size_t n = strlen(text);
    return write(self->fd, text, n) == (ssize_t)n
               ? SCREE_OK
               : scree_failf(self->host, SCREE_E_IO, "cannot write %s.csv", self->config->file);
}

static int32_t open_table(observer *self)
{
    char name[1024];
    if (snprintf(name, sizeof name, "%s.csv", self->config->file) >= (int)sizeof name)
        return self->host->fail(self->host->ctx, SCREE_E_CONFIG, "file: the name is too long");
    int32_t status = self->output->open(self->output->ctx, name, &self->fd);
    if (status == SCREE_OK)
        return write_text(self, "step,time,coordination,contacts,anisotropy,stress_ratio\n");
    self->fd = -1;
    return status;
}

static int32_t observe(void *instance, const scree_view *view)
{
    observer *self = instance;
    double v[N];
    char line[256];
    int32_t status = self->fd < 0 ? open_table(self) : SCREE_OK;
    if (status == SCREE_OK)
        status = read_scalars(self, view, v);
    if (status != SCREE_OK)
        return status;
    snprintf(line, sizeof line, "%" PRIu64 ",%.17g,%.17g,%.0f,%.17g,%.17g\n", view->step,
             view->time, v[0], v[1], v[2], v[3]);
    return write_text(self, line);
}

static int32_t finish(void *instance, const scree_view *view)
{
    observer *self = instance;
    const int32_t fd = self->fd;
    (void)view;
    self->fd = -1;
    return fd < 0 ? SCREE_OK : self->output->close(self->output->ctx, fd, 1);
}

static void destroy(void *instance)
{
    observer *self = instance;
    if (!self)
        return;
    finish(self, NULL);
    for (int k = 0; k < 2 * TENSOR; k++)
        free(self->terms[k]);
    free(self);
}

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    const scree_output *output = host->get_service(host->ctx, SCREE_SERVICE_OUTPUT);
    const scree_figures *figures = host->get_service(host->ctx, SCREE_SERVICE_FIGURES);
    const scree_summer *summer = host->get_service(host->ctx, SCREE_SERVICE_SUM);
    if (!output || !figures || !summer)
        return scree_failf(host, SCREE_E_UNSUPPORTED, "the host offers no %s",
                           !output    ? SCREE_SERVICE_OUTPUT
                           : !figures ? SCREE_SERVICE_FIGURES
                                      : SCREE_SERVICE_SUM);
    observer *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    *self = (observer){.host = host,
                       .config = given,
                       .output = output,
                       .figures = figures,
                       .summer = summer,
                       .fd = -1};
    *instance = self;
    return SCREE_OK;
}

static const scree_scalars given_scalars = {
    .size = sizeof given_scalars, .scalar = scalar, .read = read_scalars};

static const void *get_extension(const char *name)
{
    return strcmp(name, SCREE_EXTENSION_SCALARS) == 0 ? &given_scalars : NULL;
}

SCREE_STRING_PARAM(config, file, 0, "fabric", "name of the table, without .csv");
static const scree_param *const params[] = {&param_file};

static const scree_observer_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = destroy,
    .narrow = scree_narrow_sums, /* it reads no energies */
    .observe = observe,
    .finish = finish,
};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_OBSERVER,
    .needs = SCREE_WANTS_CONTACTS,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "fabric",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "direction of contacts and share of shear in the stress",
    .citation = "Oda 1982, Soils and Foundations 22(4), 96",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
    .get_extension = get_extension,
};

SCREE_DEFINE_MANIFEST(&plugin);
