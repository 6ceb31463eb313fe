/* SPDX-License-Identifier: Apache-2.0 */
/* The one reader of scene files: libconfig text in, a tree of nodes that know file and line out. */
#ifndef CORE_CONFIG_H
#define CORE_CONFIG_H

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

/** Reads `path` with all it includes and bases itself on. NULL only when nothing could be read at
 * all (missing file); every other mistake goes to problems. */
scree_config *scree_config_load(const char *path, GError **error);
/** The same from a string; `name` stands for the file's name in messages. */
scree_config *scree_config_parse(const char *text, const char *name, const char *dir);
void scree_config_free(scree_config *config);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_config, scree_config_free)

/** The same from texts that were kept: `texts` maps absolute paths to them, and lives as long. */
scree_config *scree_config_load_stored(const char *path, GHashTable *texts, GError **error);

scree_config *scree_config_new(void); /* without a root */

#endif
