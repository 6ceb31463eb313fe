/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a run as one file: written under another name, synced, renamed; checked before it is
 * read. */
#ifndef CORE_CHECKPOINT_H
#define CORE_CHECKPOINT_H

#include "engine/snapshot.h"
#include "plugin/plugin_state.h"
#include "plugin/sums.h"
#include "run/scene_stored.h"
#include "scene/identity.h"

#define SCREE_CHECKPOINT_VERSION 1

/** A plugin at work when the state was taken. */
typedef struct scree_saved_plugin {
    char *slot, *kind, *id, *version, *path, *sha256, *cpu_level;
} scree_saved_plugin;

/** An entry of the schedule that has acted before the state was taken. */
typedef struct scree_saved_entry {
    char *cause;
    uint32_t entry;
    bool refused;
} scree_saved_entry;

/** The contents of a file. */
typedef struct scree_checkpoint {
    char *path;
    scree_snapshot *snapshot;         /* its world has only columns: no shapes, nothing derived */
    const scree_contact_order *order; /* while a run's own contacts are written; else NULL */
    GPtrArray *columns[SCREE_SCOPES]; /* of scree_column; NULL: none of that scope */
    GArray *acted;                    /* of scree_saved_entry: in the order in which they acted */
    GArray *plugins;                  /* of scree_saved_plugin */
    GPtrArray *keeping; /* of char *: "force[1]/ID", the law that has bit k of the keep masks */
    scree_identity *identity;
    scree_stored_scene *scene;
    uint32_t n_body_fields; /* components */
    GPtrArray *states;      /* of scree_saved_state: of all plugins; NULL: the file has none */
    GArray *sums;           /* of scree_saved_sum: of observers; NULL: the file has none */
    GArray *conditions;     /* of double: scree_conditions_keep; NULL: the file has none */
    char *printed;          /* the scene with all defaults, as scree_scene_print gives it */
    char *host;             /* version of the program that wrote it */
    char *state_sha256;
    uint64_t seed;
} scree_checkpoint;

/** The state of a run some steps ago, with the plugins that it still has. */
typedef struct scree_earlier {
    scree_snapshot *snapshot;  /* sorted; of observers it has no states */
    GArray *conditions, *sums; /* as in scree_checkpoint */
} scree_earlier;

/** Writes an earlier state of a run, or (NULL) the present one, which must be settled. When it fails an
 * older file of that name stays as it was. */
bool scree_checkpoint_write(const scree_sim *sim, const scree_earlier *earlier, const char *path,
                            GError **error);
/** Reads a file. Refuses it with the reason unless every byte and the state's SHA-256 are as they
 * were written. */
scree_checkpoint *scree_checkpoint_read(const char *path, GError **error);
/** Frees bodies and contacts, once a run has them: three fifths of its own memory. */
void scree_checkpoint_drop_state(scree_checkpoint *checkpoint);
void scree_checkpoint_free(scree_checkpoint *checkpoint);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_checkpoint, scree_checkpoint_free)

/** "FOLDER/checkpoint-STEP.h5"; new string. */
char *scree_checkpoint_path(const char *folder, uint64_t step);
/** Reads the step from a file's name; false when it is not the name of a checkpoint. */
bool scree_checkpoint_step(const char *path, uint64_t *step);
/** The checkpoints in a folder, newest step first; GPtrArray of char *. NULL: there is no folder.
 */
GPtrArray *scree_checkpoint_list(const char *folder, GError **error);
/** Reads the newest good checkpoint of a folder, or the file itself. Warns of bad ones on standard
 * error. */
scree_checkpoint *scree_checkpoint_find(const char *path, GError **error);

#endif
