/* SPDX-License-Identifier: Apache-2.0 */
/* The plugins of a run and all that follows from them alone: made at the start, and at a swap. */
#ifndef CORE_SIM_PLUGINS_H
#define CORE_SIM_PLUGINS_H

#include "engine/sim.h"

/** What to put in the place of what is there; NULL: that stays as it is. */
typedef struct scree_plugin_set {
    const scree_choice_of *gcd, *integrator;
    const GPtrArray *resolvers, *forces; /* of scree_choice_of: all of them */
    /* of scree_hook, by name: those that are there already, and new ones; without a choice: to be
     * taken out */
    const GPtrArray *modifiers, *observers;
} scree_plugin_set;

/** Members of scree_sim of the same names, set aside. */
typedef struct scree_crew {
    bool has_gcd, has_contacts, has_bodies; /* which parts are here */
    scree_instance *gcd;
    const scree_gcd_ops *gcd_ops;
    /* resolvers, laws, the contacts that they see */
    GPtrArray *resolvers;
    scree_law *laws;
    uint32_t n_laws;
    uint32_t n_contact_fields, n_pair_fields;
    double *contact_initial, *pair_initial;
    uint64_t needs;
    uint32_t n_keepers;
    bool any_keep, any_stored, serial, any_newcomer;
    double range, *gap;
    bool reach_known;
    struct scree_span *spans;
    scree_list *lists;
    uint32_t n_lists;
    uint8_t list_of[SCREE_MAX_TYPES][SCREE_MAX_TYPES];
    scree_lane *lanes;
    /* integrator and modifiers, the fields of bodies and of the run */
    scree_instance *integrator;
    const scree_integrator_ops *integrator_ops;
    GPtrArray *modifiers, *modifier_hooks;
    uint32_t n_body_fields, n_global_fields;
    double *global_field;
    scree_body_fields body_fields; /* of the world */
    /* of both */
    uint32_t n_live[SCREE_SCOPES];
    GPtrArray *columns[SCREE_SCOPES];
} scree_crew;

/** Puts the parts that `crew` has into the sim, and what was there into the crew. */
void scree_crew_exchange(scree_sim *sim, scree_crew *crew);
/** Sets aside the parts that `set` touches and makes new ones of what is in `set` and what stays;
 * fields are laid out, but empty: scree_columns_map comes next. `old` starts as zeros. After a
 * failure all is as before. */
bool scree_crew_make(scree_sim *sim, const scree_plugin_set *set, scree_crew *old, GError **error);
/** Frees the parts that were set aside, but for the instances that the sim still uses. */
void scree_crew_free(scree_sim *sim, scree_crew *crew);
/** Tells modifiers where their fields are: after the parts of bodies were exchanged. */
void scree_crew_place(scree_sim *sim);

#endif
