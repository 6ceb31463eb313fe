/* SPDX-License-Identifier: Apache-2.0 */
/* The plugins of a run and all that follows only from them: a swap exchanges these. */
#ifndef CORE_PLUGINS_H
#define CORE_PLUGINS_H

#include "engine/column.h"
#include "engine/law.h"
#include "engine/lists.h"
#include "plugin/instance_data.h"
#include "shape/shape_types.h"

typedef struct scree_lane scree_lane; /* lane.h: buffers of one thread */

/** Resolvers and force laws, with data about their contacts. */
typedef struct scree_contact_plugins {
    GPtrArray *resolvers; /* elements: scree_instance */
    scree_law *laws;
    uint32_t n_laws;
    uint32_t n_fields, n_pair_fields; /* numbers of components */
    double *initial, *pair_initial;   /* [n_fields], [n_pair_fields] */
    /* Body fields of others, over all laws: numbers of components read, and added to. */
    uint32_t n_reads, n_adds, n_rates;
    uint32_t *read_at;              /* [n_reads] component of the world; SCREE_NONE: missing */
    uint32_t *add_at;               /* [n_adds] index of the rate; SCREE_NONE: missing */
    uint32_t *rate_at;              /* [n_adds], n_rates of them used: component of the world */
    uint64_t needs;                 /* inputs of all laws */
    uint64_t near_needs, far_needs; /* of laws without and with SCREE_IN_LEVER_RADIUS */
    uint32_t n_keeping;             /* number of laws that keep contacts */
    bool any_keep, any_stored, any_heat, any_after_step, serial;
    bool any_unset;           /* `unset` of some law or resolver, see law.h */
    bool reach_known;         /* false: range and gap belong to other laws or bodies (reach.h) */
    double range;             /* [m] largest range of any law, for the current bodies */
    double *gap;              /* [n_materials^2] largest range of any law; NULL: no law reaches or
                                 keeps beyond touch */
    struct scree_span *spans; /* [n_materials] sizes in the queries to laws, or NULL */
    scree_list *lists;        /* by (type_a, type_b) ascending */
    uint32_t n_lists;
    uint8_t list_of[SCREE_MAX_TYPES][SCREE_MAX_TYPES]; /* UINT8_MAX: no such list */
    bool unserved[SCREE_MAX_TYPES]; /* [types] spare types that lack a list: no body may get them */
    scree_lane *lanes;              /* [lanes] */
} scree_contact_plugins;

/** Integrator and modifiers, with the fields of bodies and of the run. */
typedef struct scree_body_plugins {
    scree_instance *integrator;
    const scree_integrator_ops *integrator_ops;
    const struct scree_joined *joined;  /* draft.joined/1; NULL: it does each move by itself */
    GPtrArray *modifiers;               /* elements: scree_instance */
    GPtrArray *modifier_slots;          /* const scree_timed_choice of each modifier */
    uint32_t n_fields, n_global_fields; /* numbers of components */
    uint32_t first_rate, n_rates;       /* part of these: rates of body fields */
    double *global_field;               /* [n_global_fields] */
} scree_body_plugins;

typedef struct scree_plugins {
    scree_instance *gcd;
    const scree_gcd_ops *gcd_ops;
    scree_contact_plugins contact;
    scree_body_plugins body;
    GPtrArray *columns[SCREE_SCOPES]; /* elements: scree_column, in use or (behind these) dormant */
    uint32_t n_live[SCREE_SCOPES];    /* number of components in use */
} scree_plugins;

#endif
