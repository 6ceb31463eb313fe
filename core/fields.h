/* SPDX-License-Identifier: Apache-2.0 */
/* Which field of one run is which of another: states across a restart, or a swap, with another law
 * (design, section 5). */
#ifndef CORE_FIELDS_H
#define CORE_FIELDS_H

#include "sim.h"

enum { SCREE_N_SCOPES = SCREE_SCOPE_GLOBAL + 1 };

/** A field of a plugin at work. A field is the same as another when slot, scope, name, components,
 * unit and revision are. */
typedef struct scree_field_slot {
    char *slot;   /* "force[0]"; of a resolver with its type pair: "resolvers[0].sphere-facets" */
    char *plugin; /* "linear" */
    char *name, *unit;
    uint32_t scope, components, revision, if_missing;
    uint32_t first; /* component among those of its scope, in the order of the state's arrays */
    double initial;
} scree_field_slot;

/** All fields of a run, in the order of their components within each scope. */
typedef struct scree_fields {
    GArray *all;                           /* of scree_field_slot */
    uint32_t n_components[SCREE_N_SCOPES]; /* by scope */
} scree_fields;

scree_fields *scree_fields_new(void);
scree_fields *scree_fields_of(const scree_sim *sim);
/** Appends a field, whose `first` it sets; texts are copied. */
void scree_fields_add(scree_fields *fields, const scree_field_slot *field);
void scree_fields_free(scree_fields *fields);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_fields, scree_fields_free)
/** "contact", "pair", "body", "global". */
const char *scree_scope_name(uint32_t scope);
/** The number of the same field among `in`, or SCREE_NONE. */
uint32_t scree_fields_find(const scree_fields *in, const scree_field_slot *field);

/** What becomes of the fields `from` in a state with the fields `to`. */
typedef struct scree_field_map {
    uint32_t n[SCREE_N_SCOPES];       /* components of `to` */
    uint32_t n_from[SCREE_N_SCOPES];  /* components of `from` */
    uint32_t *source[SCREE_N_SCOPES]; /* [n] component of `from`, SCREE_NONE: there is none */
    double *initial[SCREE_N_SCOPES];  /* [n] what such a component starts from */
    GPtrArray *lines;                 /* of char *: what became of each field, one line each */
    GArray *dormant; /* of uint32_t: numbers of fields of `from` that nobody wants now */
    bool same;       /* every field is kept at its place, none is left over */
} scree_field_map;

/** NULL with an error (SCREE_EXIT_USAGE) when a field is missing whose policy is
 * SCREE_MISSING_FAIL. `rests`: fields that sleep since an earlier swap, tried where `from` has none
 * (their components count on from those of `from`); or NULL. */
scree_field_map *scree_field_map_new(const scree_fields *from, const scree_fields *rests,
                                     const scree_fields *to, GError **error);
void scree_field_map_free(scree_field_map *map);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_field_map, scree_field_map_free)

/** Values [rows][n_from] of one scope as the new state wants them, [rows][n]; new array. */
double *scree_field_map_rows(const scree_field_map *map, uint32_t scope, uint64_t rows,
                             const double *values);
/** The same for arrays by component, of which there may be none: `to` [n] of arrays [count]. */
void scree_field_map_columns(const scree_field_map *map, uint32_t scope, uint64_t count,
                             const double *const *from, double *const *to);

#endif
