// SPDX-License-Identifier: Apache-2.0
/* Service scree.query/1 of a run or a scene in the making: loads the module that answers. */
#include "scene/query_service.h"

#include "base/aligned.h"
#include "build_config.h"
#include "plugin/instance.h"
#include "scene/scene_plugins.h"
#include "scene/scene_runtime.h"
#include "scene/scene_settings.h"
#include "shape/plugin_shape.h"

static scree_module module = {.built = SCREE_BUILD_DIR "/core/scree-query.so",
                              .installed = SCREE_MODULE_DIR "/scree-query.so",
                              .symbol = "scree_query_module",
                              .size = sizeof(scree_query_io),
                              .task = "answers scree.query/1",
                              .need = "the answers of scree.query/1",
                              .bytes = 1 << 20};

struct scree_query_service {
    scree_query_offer offer; // first member: leads to the rest
    scree_query_world world;
    const scree_query_io *io; // NULL: not loaded
    scree_answers *answers;
    const GPtrArray *resolvers;
    bool open;
};

static scree_instance *find_caller(void)
{
    return scree_guard_here()->now.instance;
}

const scree_query_host scree_query_calls = {
    scree_aligned_new,       scree_aligned_grow,     scree_pool_new,       scree_pool_free,
    scree_ends_endless,      scree_instance_new,     scree_instance_free,  scree_call_blame,
    scree_shape_enter_frame, scree_shape_find_boxes, scree_new_bodies_gap, scree_new_bodies_read,
    scree_new_body_fault,    scree_scene_cell,       scree_scene_runtime,  scree_scene_query_gcd,
    scree_tilt_cells,        scree_prepare_shapes,   scree_ask_supports,   scree_ask_contacts,
    scree_ask_index,         scree_ask_objects,      find_caller};

const scree_query *scree_query_service_give(scree_query_service *s, GError **error)
{
    if (!s->io) {
        s->io = scree_module_load(&module, error);
        if (!s->io)
            return NULL;
        s->answers = s->io->answers_new(&scree_query_calls, &s->world);
        if (s->open)
            s->io->open(s->answers, s->resolvers);
    }
    return s->io->give(s->answers);
}

static const scree_query *give(scree_query_offer *offer, GError **error)
{
    return scree_query_service_give((scree_query_service *)offer, error);
}

scree_query_service *scree_query_service_new(const scree_query_world *world)
{
    scree_query_service *s = g_new0(scree_query_service, 1);
    scree_module_hold(&module); // a plugin may come late in a run
    s->offer.give = give;
    s->world = *world;
    return s;
}

void scree_query_service_free(scree_query_service *s)
{
    if (s && s->io)
        s->io->answers_free(s->answers);
    g_free(s);
}

scree_query_offer *scree_query_service_offer(scree_query_service *s)
{
    return &s->offer;
}

void scree_query_service_open(scree_query_service *s, const GPtrArray *resolvers)
{
    if (!s)
        return;
    s->open = true;
    s->resolvers = resolvers;
    if (s->io)
        s->io->open(s->answers, resolvers);
}

bool scree_query_service_close(scree_query_service *s, GError **error)
{
    if (!s)
        return false;
    s->open = false;
    return s->io && s->io->close(s->answers, error);
}

void scree_query_service_forget(scree_query_service *s)
{
    if (s && s->io)
        s->io->forget(s->answers);
}
