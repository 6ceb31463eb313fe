/* SPDX-License-Identifier: Apache-2.0 */
/* Shared code of the probe plugins: descriptors in a line, an instance with memory, vectors.
 */
#ifndef PROBES_PROBE_H
#define PROBES_PROBE_H

#include "../../plugin.h"

#define UNUSED __attribute__((unused))

/** A real parameter, member of a struct `config`. */
#define PROBE_REAL(member, unit, def)                                                              \
    SCREE_REAL_PARAM(config, member, unit, 0, def, -HUGE_VAL, HUGE_VAL, #member " of the probe")

/** A field `name` of so many components. */
#define PROBE_FIELD(name, scope, components, initial)                                              \
    SCREE_FIELD(name, scope, components, 1, "-", initial, #name " of the probe");                  \
    static const scree_field *const fields[] = {&field_##name}

/** The file's one plugin, with the vtable `ops`; the rest are further members. */
#define PROBE(kind_, id_, ...)                                                                     \
    static const scree_plugin probe = {PLUGIN(kind_, id_, "probes the ABI"), .ops = &ops,          \
                                       __VA_ARGS__};                                               \
    SCREE_DEFINE_MANIFEST(&probe)

/** The same for a resolver of one type pair, with the function `resolve`. */
#define PROBE_RESOLVER(id_, type_a_, type_b_, answer_, ...)                                        \
    static int32_t supports(void *instance, scree_pair_support *pair)                              \
    {                                                                                              \
        (void)instance;                                                                            \
        if (strcmp(pair->a->name, type_a_) == 0 && strcmp(pair->b->name, type_b_) == 0)            \
            pair->contacts = answer_;                                                              \
        return SCREE_OK;                                                                           \
    }                                                                                              \
    static const scree_resolver_ops ops = {OPS(resolver, plain_create, plain_destroy),             \
                                           .supports = supports, .resolve = resolve};              \
    PROBE(RESOLVER, id_, __VA_ARGS__)

/** An instance with its config and memory that grows. */
typedef struct probe_memory {
    const void *config;
    void *data;
    uint64_t capacity; /* elements */
} probe_memory;

UNUSED static int32_t memory_create(const scree_host *host, const void *config, void **instance)
{
    probe_memory *self = calloc(1, sizeof *self);
    *instance = self;
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    self->config = config;
    return SCREE_OK;
}

UNUSED static void memory_destroy(void *instance)
{
    if (instance)
        free(((probe_memory *)instance)->data);
    free(instance);
}

UNUSED static double dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

UNUSED static void cross3(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/** out = v turned by body i's orientation (sign 1) or back (-1). */
UNUSED static void turn3(const scree_bodies *bodies, uint32_t i, double sign, const double v[3],
                         double out[3])
{
    double axis[3] = {bodies->q[1][i], bodies->q[2][i], bodies->q[3][i]}, t[3], u[3];
    cross3(axis, v, t);
    cross3(axis, t, u);
    for (int k = 0; k < 3; k++)
        out[k] = v[k] + 2.0 * (sign * bodies->q[0][i] * t[k] + u[k]);
}

#endif
