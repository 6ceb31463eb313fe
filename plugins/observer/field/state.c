// SPDX-License-Identifier: Apache-2.0
// State of observer `field` (scree.state/1): sums of the window under way, which a later run continues.
#include <math.h>

#include "instance.h"

enum { VERSION = 2 };

static double hash_of(const field_config *c)
{
    uint64_t h = 1469598103934665603ull;
    const scree_strings *lists[2] = {&c->groups, &c->fields};
    for (int l = 0; l < 2; l++)
        for (uint64_t k = 0; k <= lists[l]->n; k++)
            for (const char *at = k < lists[l]->n ? lists[l]->v[k] : "\n"; *at; at++)
                h = (h ^ (uint8_t)*at) * 1099511628211ull;
    return (double)(h >> 12);
}

/* Writes the settings that the sums depend on: sums of another grid or window are refused. */
static void write_recipe(const field *self, double recipe[24])
{
    const field_grid *g = &self->grid;
    const field_config *c = self->config;
    double *at = recipe;
    for (int k = 0; k < 3; k++) {
        *at++ = g->n[k];
        *at++ = g->lo[k];
        *at++ = g->hi[k];
        *at++ = g->origin[k];
        *at++ = g->frame[2][k];
    }
    *at++ = 2 * g->shape + g->kind;
    *at++ = c->kernel;
    *at++ = isnan(c->width) ? 0.0 : c->width;
    *at++ = c->cutoff;
    *at++ = isnan(c->window) ? 0.0 : c->window;
    *at++ = (double)c->block;
    *at++ = hash_of(c);
    *at++ = self->out.host->thickness;
    *at = self->out.host->dimension;
}

/* Lists the arrays of the state. */
static int arrays(const field *self, double *v[5], uint64_t n[5])
{
    const field_average *a = &self->average;
    const uint64_t cells = self->grid.n_cells;
    double *const all[5] = {a->total, a->block, a->mean, a->spread, a->counts};
    const uint64_t counts[5] = {cells * a->head.n_sums, cells * a->head.n_sums, cells * a->n_values,
                                cells * a->n_values, 2 * cells};
    memcpy(v, all, sizeof all);
    memcpy(n, counts, sizeof counts);
    return a->total != NULL;
}

int32_t state_save(void *instance, const scree_state_sink *sink)
{
    const field *self = instance;
    double *v[5];
    uint64_t n[5];
    int32_t status = sink->write(sink->ctx, &self->average.head, sizeof self->average.head);
    const int any = arrays(self, v, n);
    if (!any)
        return status < 0 ? status : SCREE_OK;
    for (int k = 0; k < 5 && status >= 0; k++)
        status = sink->write(sink->ctx, v[k], n[k] * sizeof(double));
    return status < 0 ? status : SCREE_OK;
}

/* The sums of the cells must fit into a checkpoint. */
int32_t state_check_size(const field *self, uint64_t n_sums)
{
    const uint64_t cells = self->grid.n_cells;
    const uint64_t per_cell =
        (2 * n_sums + 2 * values_count((uint32_t)n_sums) + 2) * sizeof(double);
    const uint64_t most = (SCREE_MAX_STATE_BYTES - sizeof(field_head)) / per_cell;
    if (cells > most)
        return scree_failf(self->out.host, SCREE_E_CONFIG,
                           "cells: expected at most %" PRIu64 " cells, got %" PRIu64, most, cells);
    return SCREE_OK;
}

int32_t state_allocate(field *self, uint64_t n_sums)
{
    const scree_host *host = self->out.host;
    const uint64_t cells = self->grid.n_cells;
    int32_t status = state_check_size(self, n_sums);
    if (status != SCREE_OK)
        return status;
    self->scene.n_sums = (uint32_t)n_sums;
    self->scene.sum = malloc(cells * n_sums * sizeof(double));
    self->values = malloc(cells * values_count((uint32_t)n_sums) * sizeof(double));
    if (!average_allocate(&self->average, cells, (uint32_t)n_sums) || !self->scene.sum ||
        !self->values)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the sums of the cells");
    return SCREE_OK;
}

int32_t state_load(void *instance, const void *bytes, uint64_t size)
{
    field *self = instance;
    const scree_host *host = self->out.host;
    const char *at = bytes;
    field_head head;
    double *v[5];
    uint64_t n[5], want = sizeof head;
    int32_t status;
    if (size < sizeof head)
        return host->fail(host->ctx, SCREE_E_CONFIG, "the saved averages are cut off");
    memcpy(&head, at, sizeof head);
    if (head.version != VERSION ||
        memcmp(head.recipe, self->average.head.recipe, sizeof head.recipe))
        return host->fail(host->ctx, SCREE_E_CONFIG,
                          "the saved averages are of other cells, windows or groups");
    if (head.n_sums == 0)
        return size == sizeof head ? SCREE_OK
                                   : host->fail(host->ctx, SCREE_E_CONFIG,
                                                "the saved averages have bytes too many");
    if (head.n_cells != self->grid.n_cells || head.n_sums < SUM_FIELDS ||
        head.n_sums > SUM_FIELDS + self->config->fields.n * SCREE_MAX_COMPONENTS)
        return host->fail(host->ctx, SCREE_E_CONFIG, "the saved averages are of other fields");
    status = state_allocate(self, head.n_sums);
    if (status != SCREE_OK)
        return status;
    arrays(self, v, n);
    for (int k = 0; k < 5; k++)
        want += n[k] * sizeof(double);
    if (size != want)
        return scree_failf(host, SCREE_E_CONFIG,
                           "the saved averages: expected %" PRIu64 " bytes, got %" PRIu64, want,
                           size);
    self->average.head = head;
    at += sizeof head;
    for (int k = 0; k < 5; k++) {
        memcpy(v[k], at, n[k] * sizeof(double));
        at += n[k] * sizeof(double);
    }
    return SCREE_OK;
}

void state_begin(field *self)
{
    self->average.head.version = VERSION;
    write_recipe(self, self->average.head.recipe);
}
