/* SPDX-License-Identifier: Apache-2.0 */
/* A live plugin: its instance, its host table, the error it gave; and what all of a run share. Data only. */
#ifndef CORE_INSTANCE_DATA_H
#define CORE_INSTANCE_DATA_H

#include <pthread.h>

#include "base/pool.h"
#include "plugin/choice.h"
#include "plugin/slot.h"

typedef struct scree_event_log scree_event_log; /* events.h */

/** Shared by all instances of a run. */
typedef struct scree_runtime {
    scree_pool *pool;
    uint32_t dimension, n_materials;
    uint64_t seed;
    const volatile int *cancelled;
    char *output_dir;    /* NULL: no files (scree.output/1 refuses) */
    GHashTable *writers; /* file name -> slot that wrote it, NULL: none yet; the owner frees it */
    GPtrArray *handed; /* of scree_saved_state, for new instances; NULL: none; the owner frees it */
    bool handed_lax;   /* one of another version of its plugin is left */
    GPtrArray *summing; /* of scree_instance: observers with sums, NULL: none; the owner frees it */
    const GPtrArray *group_names;      /* of char *, for scree.names/1; NULL: not offered */
    const GPtrArray *shape_names;      /* of char *; NULL: none is known, as in the next two */
    const char *const *material_names; /* [n_materials] */
    GHashTable *shapes_by_name;        /* name -> scree_shape_name (names.h) */
    double thickness;                  /* [m] of discs; 0: 1 m */
    const scree_conformal *conformal;  /* NULL: not offered */
    /** Bodies and contacts of the present call, which scree.sum/1 goes over; NULL: there are none. */
    struct {
        const scree_bodies *bodies;
        const scree_contact_list *contacts;
    } summed;
    const scree_query *query;     /* NULL: not offered */
    const scree_figures *figures; /* NULL: not offered; to observers */
    scree_event_log *events;      /* NULL: what is reported goes nowhere */
    const char *withheld; /* a service that is not offered, "": any; NULL: all are offered */
    GPtrArray *asked;     /* of char *: services that were asked for, each once; NULL: not listed */
    /** Gets what instances give to host->log (level >= 0) and host->fail (a code < 0); NULL: it is
     * printed, and becomes the text of the error. */
    void (*say)(void *listener, int32_t level_or_code, const char *text);
    void *listener;
} scree_runtime;

typedef struct scree_instance {
    const scree_plugin *plugin;
    const scree_file *file;
    const scree_choice_of *choice; /* what it was made of */
    const void *ops;
    void *self;
    uint32_t flags; /* of the descriptor, or fewer when the instance says so */
    uint32_t first_body_field, first_global_field; /* of its own, in the world and the sim */
    uint32_t n_uses;   /* fields of others that it uses (field_uses.h) */
    char *slot;        /* "force[0]" */
    const char *shown; /* "force/x (force[0])", of scree_shared_text: a parent may read it */
    scree_host host;
    scree_runtime *runtime;
    pthread_mutex_t mutex; /* of error */
    bool misbehaved;       /* `error` is what the host has found after a call (call.h) */
    bool refused;   /* the host refused what the present call asked of it: the plugin's fault */
    char *error;    /* first text given to host->fail since the last take */
    void **scratch; /* [lanes] */
    uint64_t *scratch_bytes;
    bool failed;           /* one of its calls has */
    bool bad_name;         /* the present call asked for a file whose name is bad or taken */
    GPtrArray *open_files; /* scree.output/1: files not yet closed */
    scree_output *output;
    scree_names *names;
    struct scree_file_answers *files; /* files.h; NULL: not asked for */
    const scree_state *state;         /* scree.state/1; NULL: it has none */
    const scree_scalars *scalars;     /* scree.scalars/1; NULL: it has none */
    scree_scalar *kept_scalars;       /* [n_scalars] as it gave them at first */
    uint32_t n_scalars;
    double *sum_values; /* of scree.sums/1; NULL: not asked for */
    scree_sums sums;
    scree_summer summer;
    scree_events events;
    GPtrArray *nested; /* of scree_instance */
} scree_instance;

#endif
