/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin that a scene has chosen, with its filled config struct. Data only. */
#ifndef CORE_CHOICE_H
#define CORE_CHOICE_H

#include "config/config_tree.h"
#include "plugin/plugin_file.h"
#include "scree/scree.h"

struct scree_build;
typedef struct scree_fill scree_fill; /* schema_fill.h */

/** Source of PER_MATERIAL and PER_PAIR tables. */
typedef struct scree_materials {
    uint32_t n;
    const char *const *names;  /* [n] */
    scree_node *const *groups; /* [n] the groups of `materials` */
    scree_node *pairs;         /* the list `material_pairs`, or NULL */
    /* The scene in the making, and the function that fills parameters about it (schema_scene.c);
     * NULL: no scene. */
    struct scree_build *build;
    void (*fill)(scree_fill *fill, const scree_param *param, scree_node *node, void *at);
} scree_materials;

/** A plugin of the scene with its filled config struct. */
typedef struct scree_choice_of {
    const scree_plugin *plugin;
    const scree_file *file; /* where it comes from */
    scree_node *group;      /* of the scene; NULL when the choice is the host's default */
    void *config;           /* [plugin->config_size], NULL without parameters */
    GPtrArray *memory;      /* what the config points to, nested choices included */
    GPtrArray *bonds;       /* of scree_bond_rule, of a force law; NULL: none */
    GArray *between;        /* of scree_pair: types of shapes that a force law acts between, by
                               code, the lower one first; NULL: all */
} scree_choice_of;

/** The opaque handle of a SCREE_TYPE_PLUGIN parameter is the nested choice. */
struct scree_plugin_ref {
    scree_choice_of choice;
};

#endif
