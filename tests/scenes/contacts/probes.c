/* SPDX-License-Identifier: Apache-2.0 */
/* Laws of the tests of contacts: one whose couple on b is not minus that on a, and one that takes volume,
 * parts and principal curvatures. And an observer that sums by scree.sum/1 and prints what it is given. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../plugin.h"

typedef struct config {
    double k;
} config;

/* A couple (1, 2, 3) k depth on a and (-3, 1, 2) k depth on b. */
static int32_t couple_both(void *instance, const scree_contact_batch *b)
{
    const config *c = instance;
    for (uint32_t i = 0; i < b->n; i++)
        for (int k = 0; k < 3; k++) {
            b->f[k][i] = 0.0;
            b->couple[k][i] = c->k * b->depth[i] * (k + 1);
            b->couple_b[k][i] = c->k * b->depth[i] * (k ? k : -3);
        }
    return SCREE_OK;
}

/* Stores k volume; pushes with its slope over depth, k area. Keeps what else it is given. */
static int32_t press(void *instance, const scree_contact_batch *b)
{
    const config *c = instance;
    for (uint32_t i = 0; i < b->n; i++) {
        b->stored[i] = c->k * b->volume[i];
        for (int k = 0; k < 3; k++)
            b->f[k][i] = -c->k * b->area[i] * b->normal[k][i];
        for (int k = 0; k < 2; k++)
            b->out[k][i] = b->part[k][i];
        for (int k = 0; k < 4; k++)
            b->out[2 + k][i] = b->principal[k][i];
        for (int k = 0; k < 3; k++) {
            b->out[6 + k][i] = b->direction[0][k][i];
            b->out[9 + k][i] = b->direction[1][k][i];
        }
    }
    return SCREE_OK;
}

SCREE_REAL_PARAM(config, k, "-", 0, 1, 0, 1e12, "of its law");
static const scree_param *const params[] = {&param_k};
SCREE_FIELD(parts, CONTACT, 2, 1, "-", 0.0, "parts that touch");
SCREE_FIELD(principal, CONTACT, 4, 1, "1/m", 0.0, "principal curvatures");
SCREE_FIELD(directions, CONTACT, 6, 1, "-", 0.0, "directions of the first of a and of b");
static const scree_field *const fields[] = {&field_parts, &field_principal, &field_directions};

static const scree_force_ops lever_ops = {OPS(force, plain_create, plain_destroy),
                                          .compute = couple_both};
static const scree_force_ops press_ops = {OPS(force, plain_create, plain_destroy),
                                          .compute = press};

static const scree_plugin lever = {PLUGIN(FORCE, "lever", "of a test"), PLUGIN_CONFIG,
                                   .provides = SCREE_OUT_COUPLE | SCREE_OUT_COUPLE_B,
                                   .ops = &lever_ops};
static const scree_plugin presses = {PLUGIN(FORCE, "press", "of a test"),
                                     PLUGIN_CONFIG,
                                     PLUGIN_FIELDS(fields),
                                     .needs = SCREE_IN_AREA | SCREE_IN_VOLUME | SCREE_IN_PARTS |
                                              SCREE_IN_PRINCIPAL,
                                     .provides = SCREE_OUT_STORED,
                                     .ops = &press_ops};

/* ---- sums ---- */

typedef struct adder_config {
    int32_t want; /* SCREE_WANTS_*, 0 */
    int32_t reserved;
} adder_config;

typedef struct adder {
    const scree_host *host;
    const scree_summer *summer;
    const adder_config *config;
    double *value;
    uint64_t capacity;
} adder;

static int32_t narrow(void *instance, scree_demands *demands)
{
    const adder *self = instance;
    demands->needs &= (uint64_t)self->config->want;
    return SCREE_OK;
}

/* A value of any size and sign for number k. */
static double value_of(double x, uint64_t k)
{
    return (x + 1e-3) * (k % 3 ? 1.0 : -1e6) * (1.0 + (double)(k % 7));
}

static void fill(adder *self, uint64_t n, const double *x, double *direct)
{
    long double sum = 0.0L, size = 0.0L;
    for (uint64_t i = 0; i < n; i++) {
        self->value[i] = value_of(x[i], i);
        sum += (long double)self->value[i];
        size += (long double)(self->value[i] < 0.0 ? -self->value[i] : self->value[i]);
    }
    direct[0] = (double)sum;
    direct[1] = (double)size;
}

/* "SUM STEP N BITS GAP", GAP: difference from a direct sum over the sum of the sizes; a line for bodies,
 * another for contacts. */
static void report(const char *what, uint64_t step, uint64_t n, const double *sum,
                   const double *direct)
{
    uint64_t bits;
    double gap = direct[1] > 0.0 ? (sum[0] - direct[0]) / direct[1] : sum[0];
    memcpy(&bits, sum, sizeof bits);
    printf("%s %" PRIu64 " %" PRIu64 " %016" PRIx64 " %g %g\n", what, step, n, bits, gap, sum[1]);
}

/* The spring of the first law is used by its name, too; and one that is not there. */
static int is_used(const scree_contact_list *list)
{
    int same = list->n_used == 2 && list->used[0]->components == 3 &&
               strcmp(list->used[0]->slot, list->laws[0]->slot) == 0 && !list->used[1]->v;
    if (same)
        for (uint64_t c = 0; c < list->n; c++)
            for (int k = 0; k < 3; k++)
                same &= list->used[0]->v[k][c] == list->laws[0]->fields[k][c];
    return same;
}

static int32_t add(void *instance, const scree_view *view)
{
    adder *self = instance;
    const scree_bodies *b = view->bodies;
    const scree_contact_list *list = view->contacts;
    const uint64_t most = list && list->n > b->n ? list->n : b->n;
    double sum[2], direct[2];
    int32_t status;
    if (!scree_grow(&self->value, &self->capacity, most + 1, sizeof(double)))
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory");
    const double *const values[2] = {self->value, NULL};
    for (uint32_t i = 0; i < b->n; i++)
        if (i && b->number[i] <= b->number[i - 1])
            return self->host->fail(self->host->ctx, SCREE_E_INTERNAL, "a number is wrong");
    if (b->n_total != b->n || b->n_free_total != b->n_free || b->n_ghosts != 0)
        return self->host->fail(self->host->ctx, SCREE_E_INTERNAL, "totals are wrong");
    fill(self, b->n, b->x[0], direct);
    status = self->summer->bodies(self->summer->ctx, 2, values, sum);
    if (status != SCREE_OK)
        return status;
    report("sum-bodies", view->step, b->n, sum, direct);
    fill(self, list ? list->n : 0, list ? list->depth : NULL, direct);
    status = self->summer->contacts(self->summer->ctx, 2, values, sum);
    if (status != (list ? SCREE_OK : SCREE_E_UNSUPPORTED))
        return self->host->fail(self->host->ctx, SCREE_E_INTERNAL,
                                "contacts are summed where there are none, or are not");
    if (list)
        report("sum-contacts", view->step, list->n, sum, direct);
    if (list && list->n_laws && !is_used(list))
        return self->host->fail(self->host->ctx, SCREE_E_INTERNAL,
                                "a used field is not that of the law");
    if (list)
        printf("sum-laws %" PRIu64 " %u\n", view->step, list->n_laws);
    return SCREE_OK;
}

static int32_t end(void *instance, const scree_view *view)
{
    return SCREE_OK;
}

static int32_t create_adder(const scree_host *host, const void *given, void **instance)
{
    adder *self = calloc(1, sizeof *self);
    double sum;
    const double *const none[1] = {NULL};
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    self->host = host;
    self->config = given;
    self->summer = host->get_service(host->ctx, SCREE_SERVICE_SUM);
    if (!self->summer || self->summer->bodies(self->summer->ctx, 1, none, &sum) >= 0) {
        free(self);
        return host->fail(host->ctx, SCREE_E_UNSUPPORTED, "bodies are summed before there are any");
    }
    *instance = self;
    return SCREE_OK;
}

static void destroy_adder(void *instance)
{
    adder *self = instance;
    if (self)
        free(self->value);
    free(self);
}

SCREE_CHOICE_VALUE(none, 0, "no contacts");
SCREE_CHOICE_VALUE(total, SCREE_WANTS_CONTACTS, "contacts");
SCREE_CHOICE_VALUE(by_law, SCREE_WANTS_LAWS, "contacts by law");
SCREE_CHOICE_PARAM(adder_config, want, 0, "total", "contacts", &choice_none, &choice_total,
                   &choice_by_law);
static const scree_param *const adder_params[] = {&param_want};
static const scree_use use_spring = {.size = sizeof use_spring,
                                     .scope = SCREE_SCOPE_CONTACT,
                                     .components = 3,
                                     .access = SCREE_USE_READ,
                                     .name = "shear_spring",
                                     .unit = "m",
                                     .help = "of the law"};
static const scree_use use_nothing = {.size = sizeof use_nothing,
                                      .scope = SCREE_SCOPE_PAIR,
                                      .components = 1,
                                      .access = SCREE_USE_READ,
                                      .flags = SCREE_USE_OPTIONAL,
                                      .name = "not_there",
                                      .unit = "m",
                                      .help = "of nobody"};
static const scree_use *const adder_uses[] = {&use_spring, &use_nothing};
static const scree_observer_ops adder_ops = {OPS(observer, create_adder, destroy_adder),
                                             .narrow = narrow, .observe = add, .finish = end};
static const scree_plugin adds = {PLUGIN(OBSERVER, "adder", "of a test"),
                                  .needs = SCREE_WANTS_CONTACTS | SCREE_WANTS_LAWS,
                                  PLUGIN_USES(adder_uses),
                                  .config_size = sizeof(adder_config),
                                  .n_params = SCREE_COUNT(adder_params),
                                  .params = adder_params,
                                  .ops = &adder_ops};

SCREE_DEFINE_MANIFEST(&lever, &presses, &adds);
