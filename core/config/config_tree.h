/* SPDX-License-Identifier: Apache-2.0 */
/* A scene text as a tree of nodes with file and line, and all its problems. Data only. */
#ifndef CORE_CONFIG_TREE_H
#define CORE_CONFIG_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

typedef enum scree_node_type {
    SCREE_NODE_GROUP,
    SCREE_NODE_LIST, /* a list (..) or an array [..] */
    SCREE_NODE_INT,
    SCREE_NODE_REAL,
    SCREE_NODE_BOOL,
    SCREE_NODE_STRING,
} scree_node_type;

#define SCREE_LAYER_SET 1000u

/** One setting, owned by its config. */
typedef struct scree_node {
    scree_node_type type;
    bool implied;     /* added by the reader of a scene, not by the user */
    bool known;       /* a reader has asked for it (scree_config_report_unknown) */
    bool is_path;     /* STRING: name of a file, relative to `dir` */
    unsigned layer;   /* 0: lowest base, 1: the scene on it, ..; SCREE_LAYER_SET: an override */
    int line;         /* 0: none, as in an override */
    const char *file; /* as the user named it, or "--set" */
    const char *dir;  /* folder that file names in this node start from */
    char *name;       /* NULL in a list */
    struct scree_node *parent;
    GPtrArray *children; /* GROUP, LIST; elements: scree_node */
    GHashTable *by_name; /* GROUP: its children */
    GPtrArray *missed;   /* GROUP: keys asked for and not found (interned), or NULL */
    int64_t i;           /* INT, BOOL */
    double d;            /* REAL, INT */
    char *s;             /* STRING */
} scree_node;

/** The texts of a scene and its overrides. Files that the texts name (tables of bodies, meshes) are
 * not included: they are read from their former paths, and their checksums are in the identity. */
typedef struct scree_stored_scene {
    char *name;                  /* name of the file, without folder and .cfg */
    GPtrArray *paths, *texts;    /* char *: absolute paths and texts; the scene's own file first */
    GPtrArray *overrides, *dirs; /* char *: assignments, and the folders for their file names */
} scree_stored_scene;

/** A scene text with its overrides, and all its problems. */
typedef struct scree_config {
    scree_node *root;
    GPtrArray *problems;       /* errors, char *: "file:line: path: what, value, allowed" */
    GPtrArray *notes;          /* notes for the user, char *; not errors */
    GString *text;             /* texts of all files with their names, then overrides */
    GStringChunk *names;       /* texts of node->file and node->dir */
    scree_stored_scene *parts; /* what was read, in this order; name: set by scene.c, or NULL */
    GHashTable *stored; /* absolute path to text, read in place of files; NULL: files are read */
    /* scree_config_home of a key that is not in `group`; NULL: the host's keys are not known. */
    char *(*homes)(const char *key, const char *group, unsigned *n);
    bool broken;  /* a text could not be parsed; its settings are missing in the tree */
    bool refused; /* a plugin file was refused: scree_config_failed gives SCREE_EXIT_PLUGIN */
    bool failed;  /* a call failed, for lack of memory, say: it gives SCREE_EXIT_RUN */
} scree_config;

#endif
