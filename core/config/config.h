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
    bool known;       /* an accessor has asked for it; see scree_config_report_unknown */
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
    bool refused;       /* a plugin file was refused: scree_config_failed says SCREE_EXIT_PLUGIN */
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
/** Applies one override "PATH=VALUE" (as on the command line): false with an error for a bad path
 * or value. */
bool scree_config_set(scree_config *config, const char *assignment, GError **error);
/** The same, with file names that start from `dir`. */
bool scree_config_set_in(scree_config *config, const char *assignment, const char *dir,
                         GError **error);

/** Adds an error, "FILE:LINE: PATH: text"; `at` may be NULL. */
void scree_config_problem(scree_config *config, const scree_node *at, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
void scree_config_note(scree_config *config, const scree_node *at, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
/** How the problem of a missing key starts; its group is the place. */
#define SCREE_KEY_MISSING "the key %s is missing"
#define SCREE_PAIR_MISSING "no %s between"
/** Takes back the problem that `key` is missing in `group`: it is there, misspelt, which is a
 * problem of its own. */
void scree_config_found(scree_config *config, const scree_node *group, const char *key);
/** True, with an error that lists every problem, when there are any. */
bool scree_config_failed(const scree_config *config, GError **error);
/** "force[0].kn", for messages. */
char *scree_node_path(const scree_node *node);
/** A value as a user would write it, shortened, for messages: 0.5, "0.5 mm", a group. */
char *scree_node_show(const scree_node *node);
/** The child, or NULL; unlike scree_config_child it leaves `known` alone. */
scree_node *scree_node_find(const scree_node *group, const char *key);

/*
 * Accessors. Each marks the key as known. A missing key gives the default; a key of the wrong type,
 * or out of range, adds a problem and gives the default. `group` may be NULL: then all is missing.
 */
#define SCREE_KEY_REQUIRED (1u << 0) /* missing is a problem */
#define SCREE_KEY_MIN_OPEN (1u << 1)
#define SCREE_KEY_MAX_OPEN (1u << 2)

/** The child, or NULL. */
scree_node *scree_config_child(scree_node *group, const char *key);
/** The child, which must be a group (a list); else a problem, and NULL. */
scree_node *scree_config_group(scree_config *config, scree_node *group, const char *key);
scree_node *scree_config_list(scree_config *config, scree_node *group, const char *key);
bool scree_config_bool(scree_config *config, scree_node *group, const char *key, bool otherwise);
int64_t scree_config_int(scree_config *config, scree_node *group, const char *key,
                         int64_t otherwise, int64_t min, int64_t max, unsigned flags);
/** A number, or a string with a unit that has the dimension of `unit` ("m/s"; NULL: none). SI. */
double scree_config_real(scree_config *config, scree_node *group, const char *key, const char *unit,
                         double otherwise, double min, double max, unsigned flags);
/** Borrowed; `otherwise` (may be NULL) when missing. */
const char *scree_config_string(scree_config *config, scree_node *group, const char *key,
                                const char *otherwise, unsigned flags);
/** Index into the NULL-terminated `names`. */
int scree_config_choice(scree_config *config, scree_node *group, const char *key,
                        const char *const *names, int otherwise);
/** Exactly `n` reals into out; false when missing or wrong (out is then untouched). */
bool scree_config_vector(scree_config *config, scree_node *group, const char *key, const char *unit,
                         unsigned n, double *out, unsigned flags);
/** A file name, made relative to the file that holds it; new string or NULL. */
char *scree_config_path(scree_config *config, scree_node *group, const char *key, unsigned flags);

/* The same for a node at hand (an element of a list): problems name it; false when wrong. */
bool scree_node_real(scree_config *config, const scree_node *node, const char *unit, double min,
                     double max, unsigned flags, double *out);
bool scree_node_int(scree_config *config, const scree_node *node, int64_t min, int64_t max,
                    int64_t *out);

/** Every child of `group` that no accessor has asked for is a problem that names the nearest known
 * key. Call when all keys of the group have been read. `extra`: further names that would have been
 * known, NULL-terminated, or NULL. */
void scree_config_report_unknown(scree_config *config, scree_node *group, const char *const *extra);

#endif
