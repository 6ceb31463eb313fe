/* SPDX-License-Identifier: Apache-2.0 */
/* A scene text as a tree of nodes that know file and line, with all that is wrong with it. Data only. */
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

/** One setting. Owned by its config. */
typedef struct scree_node {
    scree_node_type type;
    bool implied;     /* the reader of a scene has added it; nobody has written it */
    bool known;       /* a reader has asked for it; see scree_config_report_unknown */
    bool is_path;     /* STRING: the name of a file, from `dir` on */
    unsigned layer;   /* 0: lowest base, 1: the scene on it, ..; SCREE_LAYER_SET: an override */
    int line;         /* 0: none, as in an override */
    const char *file; /* as the user named it, or "--set" */
    const char *dir;  /* folder that relative file names of this node start from */
    char *name;       /* NULL in a list */
    struct scree_node *parent;
    GPtrArray *children; /* GROUP, LIST: of scree_node */
    GHashTable *by_name; /* GROUP with many children; NULL: look through them */
    GPtrArray *missed;   /* GROUP: keys asked for and not found (interned), or NULL */
    int64_t i;           /* INT, BOOL */
    double d;            /* REAL; INT as well */
    char *s;             /* STRING */
} scree_node;

/** A file that a scene was read from: where its text lies in config->text. */
typedef struct scree_config_file {
    char *path; /* absolute */
    size_t start, length;
} scree_config_file;

/** An override, and the absolute folder that its file names start from. */
typedef struct scree_config_override {
    char *assignment, *dir;
} scree_config_override;

/** A scene text with its overrides, and all that is wrong with it. */
typedef struct scree_config {
    scree_node *root;
    GPtrArray *problems; /* of char *, each "file:line: path: what, value, allowed"; errors */
    GPtrArray *notes;    /* of char *; what the user should know, no errors */
    GString *text;       /* the scene as read: file texts with their names, then overrides */
    GStringChunk *names; /* what node->file and node->dir point to */
    GArray *files;       /* of scree_config_file, in the order in which they were read */
    GArray *overrides;   /* of scree_config_override */
    GHashTable *stored; /* absolute path to text: read in place of the files; NULL: they are read */
    bool broken;        /* a text could not be parsed, its settings are missing in the tree */
    bool fields_made_up; /* what plugins use of others need not be there: the caller makes it up */
    bool refused;        /* a plugin file was refused: scree_config_failed says SCREE_EXIT_PLUGIN */
    bool failed;         /* a call failed for want of memory, say: it says SCREE_EXIT_RUN */
} scree_config;

#endif
