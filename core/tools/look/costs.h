/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of costs.tsv: measured costs of bodies, pairs and contacts. costs.py writes them in C. */
#ifndef CORE_COSTS_H
#define CORE_COSTS_H

#include <stdint.h>

/** Costs of a resolver for bodies with so many facets, of a law, of a modifier, of the pixels of a
 * picture, or of a step without bodies. */
typedef struct scree_cost {
    const char *name;
    uint32_t dimension; /* 0: either */
    double facets;
    double pair, contact, body, step; /* [ns] */
} scree_cost;

extern const scree_cost scree_costs[];
extern const uint32_t scree_costs_n;

#endif
