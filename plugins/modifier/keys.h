/* SPDX-License-Identifier: Apache-2.0 */
/* Keys that modifiers share: `groups`, the bodies that a modifier acts on, and vectors of the
 * scene's dimension. */
#ifndef MODIFIER_KEYS_H
#define MODIFIER_KEYS_H

#include <math.h>

#include "scree/sdk.h"

/** Descriptor `param_groups`; `flags` SCREE_PARAM_GROUP or SCREE_PARAM_KINEMATIC_GROUP. */
#define GROUPS_PARAM(config_type, flags, help)                                                     \
    SCREE_STRINGS_PARAM(config_type, groups, 0, (flags) | SCREE_PARAM_OPTIONAL, help)

/** Descriptor of a text that may be absent; `flags` 0 or SCREE_PARAM_FILE. */
#define TEXT_PARAM(config_type, id, flags, help)                                                   \
    SCREE_STRING_PARAM(config_type, id, (flags) | SCREE_PARAM_OPTIONAL, NULL, help)

/** Descriptor of a vector for read_vector. */
#define VECTOR_PARAM(config_type, id, unit, help)                                                  \
    SCREE_REALS_PARAM(config_type, id, 0, unit, SCREE_PARAM_OPTIONAL, 0, -HUGE_VAL, HUGE_VAL, help)

/** Groups by index; all bodies when no group is named. */
typedef struct groups {
    uint32_t n;
    uint32_t *index;
} groups;

static inline int32_t groups_find(const scree_host *host, const scree_strings *names, groups *out)
{
    const scree_names *service = host->get_service(host->ctx, SCREE_SERVICE_NAMES);
    out->n = 0;
    out->index = malloc((names->n + 1) * sizeof *out->index);
    if (!out->index)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the names of groups");
    if (!service && names->n)
        return host->fail(host->ctx, SCREE_E_UNSUPPORTED, "this host names no groups of bodies");
    for (uint64_t k = 0; k < names->n; k++) {
        uint32_t index = service->group(service->ctx, names->v[k]);
        if (index == SCREE_NONE)
            return scree_failf(host, SCREE_E_CONFIG, "groups: the scene has no group '%s'",
                               names->v[k]);
        out->index[out->n++] = index;
    }
    return SCREE_OK;
}

static inline int groups_have(const groups *self, uint32_t group)
{
    int has = self->n == 0;
    for (uint32_t k = 0; k < self->n; k++)
        has |= self->index[k] == group;
    return has;
}

/** Reads axes by their letters, each once, into on[3]. */
static inline int32_t read_axes(const scree_host *host, const char *key, const char *text,
                                const char *allowed, int32_t on[3])
{
    for (const char *c = text ? text : ""; *c; c++) {
        if (!strchr(allowed, *c) || on[*c - 'x'])
            return scree_failf(host, SCREE_E_CONFIG,
                               "%s = \"%s\": expected letters of \"%s\"%s, each once", key, text,
                               allowed, host->dimension == 2 ? " (in 2D)" : "");
        on[*c - 'x'] = 1;
    }
    return SCREE_OK;
}

/** Reads a vector; 0 when it is not given. In 2D two components, or three of which the last is
 * 0. */
static inline int32_t read_vector(const scree_host *host, const char *key, const scree_reals *given,
                                  double out[3])
{
    uint64_t want = host->dimension;
    out[0] = out[1] = out[2] = 0.0;
    if (given->n && given->n != want && !(want == 2 && given->n == 3 && given->v[2] == 0.0))
        return scree_failf(host, SCREE_E_CONFIG, "%s: expected a vector of %u components, got %u",
                           key, host->dimension, (unsigned)given->n);
    for (uint64_t k = 0; k < given->n; k++)
        out[k] = given->v[k];
    return SCREE_OK;
}

/** Reads a vector and makes it a unit vector. */
static inline int32_t read_direction(const scree_host *host, const char *key,
                                     const scree_reals *given, double out[3])
{
    int32_t code = read_vector(host, key, given, out);
    double length = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
    if (code >= 0 && !(length > 0.0 && length < HUGE_VAL))
        return scree_failf(host, SCREE_E_CONFIG, "%s: expected a direction, got (%g, %g, %g)", key,
                           out[0], out[1], out[2]);
    if (code >= 0)
        for (int k = 0; k < 3; k++)
            out[k] /= length;
    return code;
}

#endif
