/* SPDX-License-Identifier: Apache-2.0 */
/* Plugins are put in the place of others in mid-run: checked, tried on a copy, then done or not. */
#ifndef CORE_SWAP_H
#define CORE_SWAP_H

#include "change/schedule.h"
#include "engine/sim_plugins.h"

/** One slot: "force[0]", from "linear" (NULL: nothing) to "hertz_mindlin" (NULL: off). */
typedef struct scree_swap_change {
    char *slot, *from, *to;
} scree_swap_change;

/** What became of a swap. */
typedef struct scree_swap {
    uint64_t step;
    double time;       /* [s] */
    char *cause;       /* "at_step 500", "kinetic < 1e-6" */
    char *refused;     /* why all stays as it was; NULL: it is done */
    GArray *changes;   /* of scree_swap_change */
    GPtrArray *fields; /* of char *: "force[0]/shear_spring: kept" */
    /* Old and new on the same inputs, in a copy of the process. */
    double difference, largest; /* [N] largest difference of a body's force, largest force before */
    uint64_t body;              /* id of that body */
    uint64_t candidates, missing, extra; /* gcd: pairs, those that the new one lacks, or has more */
    double work;                         /* [J] what is stored more after it */
    double dt, critical; /* [s] step, critical step of the laws that came; 0: none came */
    uint64_t dropped;    /* contacts whose past found no place (resolvers) */
} scree_swap;

void scree_swap_free(scree_swap *swap);

/** Puts `set` in the place of what is there, all of it or nothing, in between two steps whose state
 * is complete (sim->watched). `hooks` may be NULL, then observers cannot be switched. NULL: the run
 * cannot go on. A swap that is refused is none of that: all is as before, and says why. What is
 * returned is the sim's, as the last of sim->swaps; `set` must live as long as the sim. */
const scree_swap *scree_swap_run(scree_sim *sim, scree_hooks *hooks,
                                 const scree_plugin_set_read *set, const char *cause,
                                 GError **error);
/** The same from a text, "gcd = { plugin = \"grid\"; };"; what is wrong with it is a refusal too.
 * `name` stands for a file's name in messages. */
const scree_swap *scree_swap_text(scree_sim *sim, scree_hooks *hooks, const char *text,
                                  const char *name, const char *cause, GError **error);

/** The same from a group of a scene that lives as long as the sim. */
const scree_swap *scree_swap_group(scree_sim *sim, scree_hooks *hooks, const scree_node *group,
                                   const char *cause, GError **error);

/** After fields were laid out: laws whose contact fields start anew see all contacts as fresh until
 * the next commit. */
void scree_swap_mark_newcomers(scree_sim *sim);

/* swap.c, for swap_trial.c */
/** Does it, in this process; observers are left staged. `trial`: in a copy, where nothing that is
 * outside of it may be touched; they are committed. False, and all as before, with an error. */
bool scree_swap_carry_out(scree_sim *sim, scree_hooks *hooks, const scree_plugin_set *set,
                          scree_swap *swap, bool trial, GError **error);

/* convert.c */
/** Fields of laws that start anew, from those of the laws of before when the new ones know how:
 * rows of `to` from those of `from`, which are the same contacts. */
bool scree_convert_fields(scree_sim *sim, const scree_crew *old, const scree_contact_store *from,
                          scree_contact_store *to, GPtrArray *told, GError **error);

/* contact_match.c */
/** Where the contacts of the present state are, by key; NULL with an error. */
GArray *scree_nearest_points(scree_sim *sim, GError **error);
/** What was stored under the features of one resolver gets those of another, by where the contacts
 * are that both find. Returns how many rows found none and were dropped. */
uint64_t scree_nearest_match(scree_contact_store *store, uint32_t n_fields, const GArray *before,
                             const GArray *now);

/* swap_trial.c */
/** The whole swap and a step after it in a forked child, with a time limit: whatever the new
 * plugins do there, this process goes on. Fills what the swap tells of differences, and
 * *critical [s]. False with an error that says why not. */
bool scree_shadow_try(scree_sim *sim, scree_hooks *hooks, const scree_plugin_set *set,
                      scree_swap *swap, double *critical, GError **error);
/** Forces at the present state, without accepting them: to `wrench` [8 n]; the sim's own stay as
 * they are. *stored [J]: in contacts. */
bool scree_shadow_evaluate(scree_sim *sim, double *wrench, double *stored, GError **error);

#endif
