/* SPDX-License-Identifier: Apache-2.0 */
/* The key `schedule` of a scene: which plugins are replaced, and when. */
#ifndef CORE_SCENE_SCHEDULE_H
#define CORE_SCENE_SCHEDULE_H

#include "plugin/slot.h"
#include "scene/scene_build.h"
#include "scene/scene_condition.h"
#include "scene/scene_settings.h"

/** Plugins that replace others, with their memory. */
typedef struct scree_plugin_set {
    scree_choice_of *gcd, *integrator;
    GPtrArray *resolvers, *forces;    /* elements: scree_choice_of; NULL: unchanged */
    GPtrArray *modifiers, *observers; /* scree_timed_choice, NULL in it: removed; NULL: unchanged */
    bool relative;        /* some group names no plugin: it changes parameters of the current one */
    scree_config *config; /* its own config, or NULL */
} scree_plugin_set;

typedef struct scree_schedule_entry {
    const char *file;
    int line;
    bool at_step, at_time; /* neither: it acts when the terms hold */
    uint64_t step;         /* step of at_step */
    double time;           /* [s] time of at_time */
    scree_condition *when; /* NULL: at_step or at_time is set */
    char *cause;           /* "at step 500", "kinetic < 1e-6" */
    bool goes_on;          /* the run goes on if the entry is refused */
    bool by_hand;          /* it repeats what was done by hand in a run */
    scree_plugin_set *set;
    scree_settings settings; /* all settings but plugins */
    scree_node *relative;    /* the plugins of the group it was read from, to be read again when it
                             acts, because the current plugin may then be another one; or NULL */
} scree_schedule_entry;

/** Returns the plugins of a scene at its start; it still owns them. */
static inline scree_plugin_set scree_scene_set(const scree_scene *scene)
{
    return (scree_plugin_set){.gcd = scene->gcd,
                              .integrator = scene->integrator,
                              .resolvers = scene->resolvers,
                              .forces = scene->forces,
                              .modifiers = scene->modifiers,
                              .observers = scene->observers};
}

/** Returns the observers of a scene at its start (k = 0), or of entry k - 1 of its schedule, or
 * NULL. */
static inline const GPtrArray *scree_scene_observers(const scree_scene *scene, guint k)
{
    return k ? ((const scree_schedule_entry *)scene->schedule->pdata[k - 1])->set->observers
             : scene->observers;
}

/** The plugin in a slot before an entry: the choice of an instance or of the scene. */
typedef const scree_choice_of *(*scree_base_fn)(void *user, scree_slot slot);
/** Reads the members of a group (`set` of an entry, or the root of a text); problems go to
 * build->config. */
scree_plugin_set *scree_build_set(scree_build *build, scree_node *group, scree_base_fn base,
                                  void *user);
/** Reads the members of a group that are not plugins. */
void scree_build_set_settings(scree_build *build, scree_node *set, scree_settings *settings);
void scree_plugin_set_free(scree_plugin_set *set);
/** Returns the place of an entry: "scene.cfg:12", or "--set". New string. */
char *scree_schedule_place(const scree_schedule_entry *entry);

void scree_build_schedule(scree_build *build);

#endif
