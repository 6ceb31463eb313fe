/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin that a scene has chosen, with its filled config struct. Data only. */
#ifndef CORE_CHOICE_H
#define CORE_CHOICE_H

#include "config/config_tree.h"
#include "plugin/plugin_file.h"
#include "scree/scree.h"

struct scree_build;
typedef struct scree_fill scree_fill; /* schema_tables.h */

/** The materials of a scene, for parameters of type PER_MATERIAL and PER_PAIR. */
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
    const scree_file *file; /* of the plugin */
    scree_node *group;      /* settings in the scene; NULL: the host chose by default */
    void *config;           /* [plugin->config_size], NULL without parameters */
    GPtrArray *memory;      /* elements: what the config points to, with nested choices */
    GPtrArray *bonds;       /* elements: scree_bond_rule of a force law; NULL: none */
    GArray *between;        /* elements: scree_pair, types of shapes that a force law acts between,
                             * the lower one first; NULL: all */
} scree_choice_of;

/** A SCREE_TYPE_PLUGIN parameter holds its nested choice by this opaque handle. */
struct scree_plugin_ref {
    scree_choice_of choice;
};

#endif
