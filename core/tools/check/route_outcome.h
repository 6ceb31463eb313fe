/* SPDX-License-Identifier: Apache-2.0 */
/* The results of a run by a route, and how far they are from those of another. */
#ifndef CORE_ROUTE_OUTCOME_H
#define CORE_ROUTE_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

/** The results of a run. */
typedef struct scree_route_outcome {
    char *hash;
    GPtrArray *parts; /* GHashTable: name of a file to GBytes; one for each part of the run */
    uint32_t n;       /* bodies, by id */
    uint32_t n_old;   /* bodies at the start, which have the ids from 1 on */
    uint64_t *id;
    double *x; /* [3 n] [m] unwrapped */
    uint32_t n_fields;
    double *field;    /* [n_fields n] components of body fields, and their rates */
    uint32_t steps;   /* of the reference */
    double *residual; /* [steps + 1] [J] of the energy after each of these steps */
    double turnover;  /* [J] largest energy of a kind */
    double dt;        /* [s] */
    GArray *scalars;  /* double: of the observer under test after each step, one after the other */
    GPtrArray *named; /* "name (unit)" of each of them in a step */
} scree_route_outcome;

void scree_route_outcome_clear(scree_route_outcome *o);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(scree_route_outcome, scree_route_outcome_clear)
/** The largest distance [m] of bodies with the same id; infinite: other bodies. */
double scree_route_distance(const scree_route_outcome *a, const scree_route_outcome *b);
/** The same, of bodies that both have had from the start on: others came at some step. */
double scree_route_distance_of_old(const scree_route_outcome *a, const scree_route_outcome *b);
/** The same, of the body with id k in one run, for each of the start from `first` on, and that with
 * id k + `shift` in the other. */
double scree_route_distance_from(const scree_route_outcome *a, const scree_route_outcome *b,
                                 uint32_t first, uint32_t shift);
/** The largest difference of a component of body fields, over the largest value of it; infinite:
 * other components. */
double scree_route_fields_differ(const scree_route_outcome *a, const scree_route_outcome *b);
/** The first scalar that is another one, new string; NULL: none. mixed: their order says nothing. */
char *scree_route_scalars_differ(const scree_route_outcome *a, const scree_route_outcome *b,
                                 bool mixed);
/** Puts places and energies into units. */
void scree_route_outcome_divide(scree_route_outcome *o, double length, double energy);
/** [J] The largest residual of the energy account. */
double scree_route_residual(const scree_route_outcome *o);

#endif
