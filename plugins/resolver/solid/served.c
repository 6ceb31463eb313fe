// SPDX-License-Identifier: Apache-2.0
// Limits of resolvers of solids in cells: the deepest contact of each lane, for one warning when the instance ends, which
// is the same for any number of lanes.
#include "served.h"

#include <math.h>

const char *solid_name_of(const scree_host *host, uint32_t index)
{
    const scree_names *names = host->get_service(host->ctx, SCREE_SERVICE_NAMES);
    const char *name = names ? names->shape_name(names->ctx, index) : NULL;
    return name ? name : "?";
}

double solid_off_function(const scree_implicit *view, const double x[3])
{
    double g[3], value;
    const double *const at[3] = {&x[0], &x[1], &x[2]};
    double *const gradient[3] = {&g[0], &g[1], &g[2]};
    view->value(view->ctx, 1, at, &value, gradient);
    const double slope = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    return slope > 0.0 ? fabs(value) / slope : 0.0;
}

int32_t solid_served_start(solid_served *s, const scree_host *host)
{
    *s = (solid_served){.host = host, .lane = calloc(host->lanes, sizeof *s->lane)};
    return s->lane ? SCREE_OK : host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
}

int32_t solid_served_add(solid_served *s, uint32_t index, double size)
{
    if (!scree_grow(&s->shape, &s->room, index + 1ull, sizeof *s->shape))
        return s->host->fail(s->host->ctx, SCREE_E_MEMORY, "no memory for shapes");
    for (; s->n <= index; s->n++)
        s->shape[s->n] = (solid_known){.size = 0.0};
    s->shape[index] = (solid_known){size, solid_name_of(s->host, index)};
    return SCREE_OK;
}

void solid_served_note(const solid_served *s, const scree_candidates *in, const scree_contacts *out)
{
    solid_deepest *deepest = &s->lane[in->lane];
    const scree_bodies *bodies = in->bodies;
    for (uint32_t c = 0; c < out->n; c++) {
        const uint32_t body[2] = {in->a[out->pair[c]], in->b[out->pair[c]]};
        for (int k = 0; k < 2; k++) {
            const uint32_t shape = bodies->shape[body[k]];
            const double size = shape < s->n ? s->shape[shape].size * bodies->scale[body[k]] : 0.0;
            if (!(size > 0.0) || !(out->depth[c] >= deepest->share * size))
                continue;
            const double share = out->depth[c] / size;
            if (share > deepest->share || (share == deepest->share && shape < deepest->shape))
                *deepest = (solid_deepest){.share = share, .shape = shape};
        }
    }
}

void solid_served_end(solid_served *s, const char *what, double most, const char *advice)
{
    solid_deepest worst = {.share = 0.0};
    for (uint32_t k = 0; s->lane && k < s->host->lanes; k++) {
        const solid_deepest *one = &s->lane[k];
        if (one->share > worst.share || (one->share == worst.share && one->shape < worst.shape))
            worst = *one;
    }
    if (what && worst.share > most)
        scree_logf(s->host, SCREE_LOG_WARNING,
                   "shape \"%s\": contacts as deep as %.3g %% of its longest side, %.3g m at scale "
                   "1: %s serves up to %g %%, %s",
                   s->shape[worst.shape].name, 100.0 * worst.share,
                   worst.share * s->shape[worst.shape].size, what, 100.0 * most, advice);
    free(s->lane);
    free(s->shape);
    memset(s, 0, sizeof *s);
}

uint64_t solid_served_bytes(const solid_served *s)
{
    return s->host->lanes * sizeof *s->lane + s->room * sizeof *s->shape;
}
