/* SPDX-License-Identifier: MIT */
/* A draft (README.md): integrators that advance the body fields of other plugins. */
#ifndef SCREE_DRAFT_RATES_H
#define SCREE_DRAFT_RATES_H

#include "../integrator.h"

/** A body field to advance: arguments of advance(). Arrays [n_free], 64-byte aligned. */
typedef struct scree_rate_step {
    uint32_t size;
    uint32_t components;
    const char *name; /* of the field */
    const char *slot; /* of its plugin */
    uint32_t n_free;
    uint32_t reserved;          /* 0 */
    double dt;                  /* [s] */
    const double *const *rate;  /* [components] per second, of the last accepted evaluation */
    double *const *value;       /* [components] to be advanced */
    const scree_motion *motion; /* with the integrator's own fields; begin() has been called */
} scree_rate_step;

/** Extension "draft.rates/1" of a descriptor: the integrator advances the body fields to whose
 * rates plugins add (params.h). Without it the host does: value += dt rate. */
#define SCREE_DRAFT_RATES "draft.rates/1"
typedef struct scree_rates {
    uint32_t size;
    uint32_t reserved; /* 0 */
    /** [step] Once per step and field, after begin() and before stage(0). The result for a body
     * depends only on that body. */
    int32_t (*advance)(void *instance, const scree_rate_step *args);
} scree_rates;

#endif
