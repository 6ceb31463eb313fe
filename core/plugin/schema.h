/* SPDX-License-Identifier: Apache-2.0 */
/* From a plugin's declared parameters and a group of the scene to its filled config struct. */
#ifndef CORE_SCHEMA_H
#define CORE_SCHEMA_H

#include "config/config.h"
#include "plugin/registry.h"
#include "scree/scree.h"

struct scree_build;
struct scree_fill;

/** Source of PER_MATERIAL and PER_PAIR tables. */
typedef struct scree_materials {
    uint32_t n;
    const char *const *names;  /* [n] */
    scree_node *const *groups; /* [n] the groups of `materials` */
    scree_node *pairs;         /* the list `material_pairs`, or NULL */
    /* The scene in the making, and the function that fills parameters about it (schema_scene.c);
     * NULL: no scene. */
    struct scree_build *build;
    void (*fill)(struct scree_fill *fill, const scree_param *param, scree_node *node, void *at);
} scree_materials;

/** A plugin of the scene with its filled config struct. */
typedef struct scree_choice_of {
    const scree_plugin *plugin;
    const scree_file *file; /* where it comes from */
    scree_node *group;      /* of the scene; NULL when the choice is the host's default */
    void *config;           /* [plugin->config_size], NULL without parameters */
    GPtrArray *memory;      /* what the config points to, nested choices included */
    GPtrArray *bonds;       /* of scree_bond_rule, of a force law; NULL: none */
} scree_choice_of;

/** The opaque handle of a SCREE_PLUGIN parameter is the nested choice. */
struct scree_plugin_ref {
    scree_choice_of choice;
};

/** Checks the schema and fields of a descriptor at load: types, units, offsets (inside, aligned,
 * apart), defaults in range, names. `where` starts the error. */
bool scree_schema_check(const scree_plugin *plugin, GError **error);

/** Reads `group` (its key `plugin` names the plugin; missing: `otherwise`) for a plugin of `kind`.
 * Problems go to config: unknown plugin (nearest name), unknown key, type, unit, range, missing
 * material property. `further`: keys of the group that the host itself knows, NULL-terminated, or
 * NULL. NULL when the plugin cannot be had. `group` may be NULL (all defaults). */
scree_choice_of *scree_schema_choose(scree_config *config, scree_node *group, uint32_t kind,
                                     const char *otherwise, const char *const *further,
                                     const scree_materials *materials, scree_registry *registry);
void scree_choice_of_free(scree_choice_of *choice);

/* schema_hint.c: problems with the line that the user means, where that can be guessed. */

/** `at` should be the group of a plugin (`many`: a list of them) and is something else. */
void scree_schema_want_plugin(scree_config *config, const scree_node *at, bool many);
/** `at` should be named groups of plugins (observers, modifiers) and is something else, or one such
 * group without its name. */
void scree_schema_want_named(scree_config *config, const scree_node *at);

/** One problem per key of `materials` and `material_pairs` that no installed plugin declares, one
 * note for those that are known but unused by this scene. Keys the host knows: `further`. */
void scree_schema_check_material_keys(scree_config *config, const scree_materials *materials,
                                      const char *const *further, scree_registry *registry);

#endif
