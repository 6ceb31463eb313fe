/* SPDX-License-Identifier: Apache-2.0 */
/* The module scree-query.so, which answers scree.query/1 (tools/query). */
#ifndef CORE_QUERY_MODULE_H
#define CORE_QUERY_MODULE_H

#include "base/module.h"
#include "plugin/call.h"
#include "scene/new_bodies.h"

typedef struct scree_answers scree_answers; /* tools/query/answers.c */

/** Adds a body to a space; answers call it `id`, and several may have the same. */
typedef bool (*scree_query_add)(void *space, const scree_body *body, uint64_t id, GError **error);

/** The source of the bodies. */
typedef struct scree_query_world {
    const scree_scene *scene;
    void *user;
    /** Adds all bodies (`all`), or only new ones, to the space. A body with several entries is at
     * all of these places. Bodies outside of [lo, hi] may be left out, along axes that are not
     * periodic. */
    bool (*catch_up)(void *user, scree_query_add add, void *space, bool all, const double lo[3],
                     const double hi[3], GError **error);
    /** Number of bodies in a box, roughly. Set if bodies move often: only bodies near the questions
     * are then listed. NULL: always all. */
    uint64_t (*count)(void *user, const double lo[3], const double hi[3]);
} scree_query_world;

/** Functions of the host that the module calls; it is not linked to the host. Each is
 * scree_NAME. */
typedef struct scree_query_host {
    void *(*aligned_new)(size_t bytes);
    void (*aligned_grow)(void *array, uint64_t *capacity, uint64_t n, uint64_t used, size_t size);
    scree_pool *(*pool_new)(uint32_t lanes);
    void (*pool_free)(scree_pool *pool);
    void (*ends_endless)(const char *what);
    scree_instance *(*instance_new)(scree_runtime *runtime, const scree_choice_of *choice,
                                    const char *slot, GError **error);
    void (*instance_free)(scree_instance *instance);
    bool (*call_blame)(const scree_instance *instance, const char *name, int status, GError **error,
                       const char *format, ...) G_GNUC_PRINTF(5, 6);
    void (*shape_enter_frame)(const scree_shape *shape, double scale, double x[3], double q[4]);
    bool (*shape_find_boxes)(const scree_shape *shape, const scree_shape_boxes *batch,
                             scree_call_tag tag, GError **error);
    const char *(*new_bodies_gap)(const scree_new_bodies *from, uint32_t dimension,
                                  scree_new_as as);
    scree_body (*new_bodies_read)(const scree_new_bodies *from, uint32_t i, uint32_t dimension,
                                  scree_new_as as);
    const char *(*new_body_fault)(const scree_scene *scene, const scree_body *body,
                                  scree_new_as as);
    void (*scene_cell)(const scree_scene *scene, scree_cell *cell);
    scree_runtime (*scene_runtime)(const scree_scene *scene, scree_pool *pool);
    const scree_choice_of *(*scene_query_gcd)(const scree_scene *scene, GError **error);
    double (*tilt_cells)(const double min[3], const double max[3], const double tilt[3]);
    bool (*prepare_shapes)(const GPtrArray *shapes, scree_instance *resolver, GError **error);
    bool (*ask_supports)(scree_instance *resolver, scree_pair_support *answer, GError **error);
    bool (*ask_contacts)(scree_instance *resolver, const scree_candidates *in, scree_contacts *out,
                         uint32_t *done, GError **error);
    bool (*ask_index)(scree_instance *gcd, const scree_boxes *boxes, GError **error);
    bool (*ask_objects)(scree_instance *gcd, const scree_zone *zone, scree_index_sink *sink,
                        GError **error);
    scree_instance *(*caller)(void); /* the plugin that is called on this thread, or NULL */
} scree_query_host;

extern const scree_query_host scree_query_calls;

/** The only symbol that the module exports: functions of a service, as in query_service.h. */
typedef struct scree_query_io {
    scree_module_head head;
    scree_answers *(*answers_new)(const scree_query_host *host, const scree_query_world *world);
    void (*answers_free)(scree_answers *answers);
    const scree_query *(*give)(scree_answers *answers);
    void (*open)(scree_answers *answers, const GPtrArray *resolvers);
    bool (*close)(scree_answers *answers, GError **error);
    void (*forget)(scree_answers *answers);
} scree_query_io;

extern __attribute__((visibility("default"))) const scree_query_io scree_query_module;

#endif
