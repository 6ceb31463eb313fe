/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of a scene for the bonds of a force law. */
#ifndef CORE_BONDS_RULE_H
#define CORE_BONDS_RULE_H

#include <glib.h>
#include <stdint.h>

/** Two bodies to bond, by id. */
typedef struct scree_bond_pair {
    uint64_t id[2];
    uint32_t line; /* line in the list */
} scree_bond_pair;

typedef enum scree_bond_how {
    SCREE_BONDS_LISTED,  /* pairs by id */
    SCREE_BONDS_NEAR,    /* pairs across a gap of at most `gap` */
    SCREE_BONDS_TOUCHING /* contacts that begin between `from` and `until` */
} scree_bond_how;

/** An entry of `bonds` of a law (scene_bonds.c). */
typedef struct scree_bond_rule {
    scree_bond_how how;
    char *file;                     /* LISTED: file with the pairs */
    GArray *pairs;                  /* elements: scree_bond_pair */
    double gap;                     /* [m] */
    double from, until;             /* [s] */
    uint32_t group[2], material[2]; /* SCREE_NONE: any */
} scree_bond_rule;

#endif
