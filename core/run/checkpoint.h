/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a run as one file, which is written under another name, synced and renamed.
 * tools/restart reads it. */
#ifndef CORE_CHECKPOINT_H
#define CORE_CHECKPOINT_H

#include "engine/snapshot.h"
#include "plugin/plugin_state.h"
#include "scene/identity.h"
#include "scene/scene_data.h"

#define SCREE_CHECKPOINT_VERSION 2 /* 1: without numbers of bodies */

enum {
    SCREE_H5_HEAD = 512,             /* bytes of the head, which is HDF5's user block */
    SCREE_CHECKPOINT_COLUMNS = 1024, /* most columns of fields of bodies and of the run */
};

/** A plugin in use when the state was taken. */
typedef struct scree_saved_plugin {
    char *slot, *kind, *id, *version, *path, *sha256, *cpu_level;
    const scree_plugin *plugin; /* NULL: read from a file */
    const scree_file *file;     /* NULL: read from a file, or the host's own */
} scree_saved_plugin;

/** The contents of a file. */
typedef struct scree_checkpoint {
    char *path;
    scree_snapshot *snapshot;         /* its world has only columns: no shapes, no derived data */
    const scree_contact_order *order; /* set while contacts of a run are written; otherwise NULL */
    GPtrArray *columns[SCREE_SCOPES]; /* elements: scree_column; NULL: no columns of this scope */
    GArray *acted;                    /* elements: scree_acted, in the order in which they acted */
    GArray *plugins;                  /* elements: scree_saved_plugin */
    GPtrArray *keeping; /* char *: "force[1]/ID", the law with bit k of the keep masks */
    scree_identity *identity;
    const GPtrArray *shapes; /* scree_shape of the run that is written */
    scree_stored_scene *scene;
    uint32_t n_body_fields; /* number of components */
    GPtrArray *states;      /* scree_saved_state of all plugins; NULL: the file has none */
    GArray *conditions;     /* double: scree_conditions_keep; NULL: the file has none */
    char *host;             /* version of the program that wrote the file */
    char *state_sha256;
    uint64_t seed;
} scree_checkpoint;

/** The state of a run some steps ago; the run still has its plugins. */
typedef struct scree_earlier {
    scree_snapshot *snapshot; /* sorted; without states of observers */
    GArray *conditions;       /* as in scree_checkpoint */
} scree_earlier;

/** Writes an earlier state of a run, or (NULL) the current one, which must be settled. On failure
 * an older file of this name stays as it was. */
bool scree_checkpoint_write(const scree_sim *sim, const scree_earlier *earlier, const char *path,
                            GError **error);
/** Returns the path "FOLDER/checkpoint-STEP.h5"; new string. */
char *scree_checkpoint_path(const char *folder, uint64_t step);
/** Reads the step from the name of a file. False: it is not the name of a checkpoint. */
bool scree_checkpoint_step(const char *path, uint64_t *step);
/** Returns whether a folder has a checkpoint; *step: the highest step of one. */
bool scree_checkpoint_newest(const char *folder, uint64_t *step);

/* An empty array of scree_saved_plugin. */
GArray *scree_saved_plugins_new(void);
/** Appends an instance, and the instances that it has made. */
void scree_saved_plugins_add(GArray *plugins, const scree_instance *instance);
/** Appends a plugin without an instance. */
void scree_saved_plugins_add_of(GArray *plugins, const char *slot, const scree_plugin *plugin,
                                const scree_file *file);
GArray *scree_saved_plugins_of(const scree_sim *sim);
/** All plugins that a restart compares, with each type of shapes once, which older checkpoints
 * lack. */
GArray *scree_saved_plugins_for_restart(const scree_sim *sim);
GPtrArray *scree_keeping_laws_of(const scree_sim *sim);

#endif
