/* SPDX-License-Identifier: Apache-2.0 */
/* A live plugin, and what all live plugins of a run share. Data only. */
#ifndef CORE_INSTANCE_DATA_H
#define CORE_INSTANCE_DATA_H

#include <pthread.h>

#include "base/pool.h"
#include "plugin/choice.h"
#include "plugin/slot.h"
#include "scree/draft/conformal.h"
#include "scree/draft/embed.h"
#include "scree/draft/pieces.h"
#include "scree/draft/sums.h"

typedef struct scree_event_log scree_event_log; /* events.h */

/** scree.query/1, which is made when it is first asked for. NULL with an error: it cannot be. */
typedef struct scree_query_offer {
    const scree_query *(*give)(struct scree_query_offer *offer, GError **error);
} scree_query_offer;

/** Shared by all instances of a run. */
typedef struct scree_runtime {
    scree_pool *pool;
    uint32_t dimension, n_materials;
    uint64_t seed;
    const volatile int *cancelled;
    char *output_dir;    /* NULL: scree.output/1 refuses to open files */
    GHashTable *writers; /* name of a file -> its slot; NULL: none yet; the owner frees it */
    GPtrArray
        *handed;     /* elements: scree_saved_state, for new instances; NULL; the owner frees it */
    bool handed_lax; /* a state from another version of the plugin is passed over */
    const GPtrArray *group_names;      /* elements: char *; NULL: no scree.names/1 */
    const GPtrArray *shape_names;      /* elements: char *; NULL: none; so the next two */
    const char *const *material_names; /* [n_materials] */
    GHashTable *shapes_by_name;        /* name -> scree_shape_name (services.h) */
    uint32_t lattice;                  /* SCREE_LATTICE_* */
    double thickness;                  /* [m] of discs; 0: 1 m */
    const scree_conformal *conformal;  /* NULL: not offered */
    /** Bodies and contacts of the current call, for scree.sum/1; NULL: none. */
    struct {
        const scree_bodies *bodies;
        const scree_contact_list *contacts;
    } summed;
    scree_query_offer *query;     /* NULL: not offered */
    const scree_figures *figures; /* for observers; NULL: not offered */
    const scree_pieces *pieces;   /* for observers with SCREE_CAP_RANKS; NULL: not offered */
    scree_event_log *events;      /* NULL: reports are dropped */
    const char *withheld; /* a service that is not offered; "": no service is; NULL: all are */
    GPtrArray *asked;     /* elements: char *, each service that was asked for; NULL: not listed */
    /** Gets the texts that instances give to host->log (level >= 0) and to host->fail (code < 0).
     * NULL: they are printed, or become the text of the error. */
    void (*say)(void *listener, int32_t level_or_code, const char *text);
    void *listener;
} scree_runtime;

typedef struct scree_instance {
    const scree_plugin *plugin;
    const scree_file *file;
    const scree_choice_of *choice; /* the choice that it was made from */
    const void *ops;
    void *self;
    scree_demands demands; /* those of the descriptor, or what narrow() has left of them */
    uint32_t first_body_field, first_global_field; /* first own field in world and sim */
    uint32_t n_uses;   /* number of fields that it uses and others have (field_uses.h) */
    char *slot;        /* "force[0]" */
    const char *shown; /* "force/x (force[0])", a text of scree_shared_text: a parent may read it */
    scree_host host;
    scree_runtime *runtime;
    pthread_mutex_t mutex; /* guards error, misbehaved */
    bool misbehaved;       /* `error` is a fault that the host has found after a call (call.h) */
    bool refused;   /* the host has refused a request of the current call: the plugin is to blame */
    char *error;    /* first text given to host->fail since the last take */
    void **scratch; /* [lanes] */
    uint64_t *scratch_bytes;
    bool failed;           /* one of its calls has failed */
    bool bad_name;         /* the current call asked for a file with a bad or a taken name */
    GPtrArray *open_files; /* elements: open_file of scree.output/1 */
    scree_output output;   /* size 0: not asked for; so the services below */
    scree_names names;
    struct scree_file_answers *files; /* files.h; NULL: not asked for */
    const scree_state *state;         /* scree.state/1; NULL: the plugin has none */
    const scree_scalars *scalars;     /* scree.scalars/1; NULL: the plugin has none */
    scree_scalar *kept_scalars;       /* [n_scalars] its first answers */
    uint32_t n_scalars;
    scree_summer summer;
    bool unserved;  /* a service that is offered could not be made */
    bool has_query; /* it has scree.query/1 or scree.figures/1, which read all bodies */
    bool in_pieces; /* it has draft.pieces/1 */
    scree_events events;
    GPtrArray *nested; /* elements: scree_instance */
} scree_instance;

#endif
