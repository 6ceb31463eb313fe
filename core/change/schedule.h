/* SPDX-License-Identifier: Apache-2.0 */
/* The schedule of a scene: which plugins come in the place of which, and when. */
#ifndef CORE_SCHEDULE_H
#define CORE_SCHEDULE_H

#include "run/observers.h"
#include "scene/scene_build.h"

/** "kinetic < 1e-6": one of the terms of a condition, all of which must hold. */
typedef struct scree_term {
    uint32_t quantity; /* schedule.c */
    bool less, or_equal;
    double value;
} scree_term;

/** Plugins that were read to be put in the place of others, with the memory of all of it. */
typedef struct scree_plugin_set_read {
    scree_choice_of *gcd, *integrator;
    GPtrArray *resolvers, *forces;    /* of scree_choice_of; NULL: as they are */
    GPtrArray *modifiers, *observers; /* of scree_hook, without a choice: taken out; NULL */
    bool relative;        /* some group names no plugin: it changes parameters of what is there */
    scree_config *config; /* of its own, or NULL */
} scree_plugin_set_read;

/** An entry that has acted. */
typedef struct scree_acted {
    uint32_t entry; /* its number */
    bool refused;   /* nothing came of it */
} scree_acted;

typedef struct scree_schedule_entry {
    const char *file;
    int line;
    bool at_step, at_time; /* neither: when the terms hold */
    uint64_t step;         /* at_step */
    double time;           /* [s] at_time */
    GArray *terms;         /* of scree_term */
    char *cause;           /* "at step 500", "kinetic < 1e-6" */
    scree_plugin_set_read *set;
    scree_node
        *relative; /* the group it was read from, to be read again when it acts, since what is
                      there then may be another than that of the entries before; or NULL */
} scree_schedule_entry;

/** The terms of a condition, "kinetic < 1e-6 and time > 0.1 s"; NULL with an error. */
GArray *scree_condition_parse(const char *text, GError **error);

/** The plugin that stands in a slot before an entry: an instance's or the scene's choice. */
typedef const scree_choice_of *(*scree_base_fn)(void *user, const char *slot);
/** Reads the members of a group (`set` of an entry, or a text's root); problems go to
 * build->config. */
scree_plugin_set_read *scree_build_set(scree_build *build, scree_node *group, scree_base_fn base,
                                       void *user);
void scree_plugin_set_free(scree_plugin_set_read *set);
void scree_schedule_entry_free(void *entry);

/** A scene as its entry number `k` leaves it: the plugins of the entry in the place of those that
 * it changes. For a run that goes on after it. */
void scree_schedule_adopt(scree_scene *scene, guint k);
/** In a run that goes on: entries whose step or time lies before the present state do not act. */
void scree_schedule_pass(scree_sim *sim);
/** Before a step: has the state after it complete when an entry may look at it. */
void scree_schedule_prepare(scree_sim *sim);
/** Before the step that follows: carries out the entries whose moment has come, each once, and
 * calls `tell` for each. False: the run cannot go on. */
bool scree_schedule_run(scree_sim *sim, scree_hooks *hooks, void (*tell)(void *user, guint swap),
                        void *user, GError **error);

#endif
