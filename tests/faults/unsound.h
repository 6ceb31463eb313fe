/* SPDX-License-Identifier: Apache-2.0 */
/* One descriptor per sin: a file of this folder lists its sins as SINS(SIN), by name and id. Its create() is
 * given the sin of the descriptor, and keeps it in the instance. VTABLE and DESCRIPTOR are rows of a sin. */
#ifndef FAULTS_UNSOUND_H
#define FAULTS_UNSOUND_H

#include "../plugin.h"

#define UNSOUND_NAME(NAME, ID) NAME,
#define UNSOUND_CREATE(NAME, ID)                                                                   \
    static int32_t create_##NAME(const scree_host *host, const void *given, void **instance)       \
    {                                                                                              \
        return create(NAME, host, given, instance);                                                \
    }
#define UNSOUND(kind)                                                                              \
    SINS(UNSOUND_CREATE)                                                                           \
    static const scree_##kind##_ops ops[] = {SINS(VTABLE)};                                        \
    static const scree_plugin unsound[] = {SINS(DESCRIPTOR)};
#define UNSOUND_LISTED(NAME, ID) &unsound[NAME],
#define UNSOUND_LIST SINS(UNSOUND_LISTED)

/** A metre, a kilogram and a second in the units of the made-up scenes of the check, which are a
 * metre wide; in others 1. A sound plugin has no constants in SI. */
static inline double unsound_metre(const scree_bodies *b)
{
    return b->cell->vector[0][0] > 0.0 ? b->cell->vector[0][0] : 1.0;
}

static inline double unsound_kilogram(const scree_bodies *b)
{
    const double metre = unsound_metre(b);
    return b->material_density[0] / 2500.0 * metre * metre * metre;
}

static inline double unsound_second(const scree_bodies *b)
{
    const double g = fabs(b->gravity[0]);
    return g > 0.0 ? sqrt(unsound_metre(b) / (2.0 * g)) : 1.0;
}

/** How often a body has a lower id than the one before it: it shows another order of storage. */
static inline uint32_t unsound_falls(const scree_bodies *b)
{
    uint32_t n = 0;
    for (uint32_t i = 1; i < b->n_free; i++)
        n += b->id[i] < b->id[i - 1];
    return n;
}

/** A field of another plugin, read where there is one. */
#define UNSOUND_WARMTH                                                                             \
    static const scree_use use_warmth = {.size = sizeof use_warmth,                                \
                                         .scope = SCREE_SCOPE_BODY,                                \
                                         .components = 1,                                          \
                                         .access = SCREE_USE_READ,                                 \
                                         .flags = SCREE_USE_OPTIONAL,                              \
                                         .name = "warmth",                                         \
                                         .unit = "K",                                              \
                                         .help = "of the bodies"}

#endif
