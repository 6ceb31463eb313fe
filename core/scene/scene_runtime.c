// SPDX-License-Identifier: Apache-2.0
// The part of a scene shared by all instances of its plugins; first questions to resolvers.
#include "scene/scene_runtime.h"

#include <inttypes.h>

#include "config/config_node.h"
#include "plugin/call.h"
#include "scene/figure_names.h"
#include "scene/scene_settings.h"
#include "scree/cell_sdk.h"
#include "shape/plugin_shape.h"

scree_runtime scree_scene_runtime(const scree_scene *s, scree_pool *pool)
{
    scree_cell cell;
    scree_scene_cell(s, &cell);
    return (scree_runtime){.pool = pool,
                           .dimension = s->dimension,
                           .n_materials = s->materials.n,
                           .seed = s->seed,
                           .group_names = s->group_names,
                           .shape_names = s->shape_names,
                           .material_names = s->materials.names,
                           .shapes_by_name = s->shape_names_known,
                           .lattice = scree_is_tilted(&cell) ? SCREE_LATTICE_TILTED : 0u,
                           .thickness = s->thickness,
                           .figures = &scree_figures_stateless};
}

void scree_keep_quiet(void *listener, int32_t level_or_code, const char *text)
{
    (void)listener;
    (void)level_or_code;
    (void)text;
}

/* ---- resolvers before their first pair ---- */

/** Turns the refusal of a shape into an error of the scene. */
static void blame_shape(const scree_shape *shape, GError **error)
{
    const scree_choice_of *choice = scree_shape_choice(shape);
    if (!choice || !error || !*error)
        return;
    (*error)->code = SCREE_EXIT_USAGE;
    scree_node_blame(choice->group, error);
}

bool scree_prepare_shapes(const GPtrArray *shapes, scree_instance *resolver, GError **error)
{
    const scree_resolver_ops *ops = resolver->ops;
    for (uint32_t i = 0; SCREE_HAS(ops, prepare) && i < shapes->len; i++) {
        const scree_shape *shape = shapes->pdata[i];
        scree_call call = scree_call_begin(resolver, SCREE_CALL_CONFIG, "prepare");
        int32_t code = ops->prepare(resolver->self, i, shape);
        code = scree_call_end(&call, code, SCREE_OK, error);
        if (code == SCREE_E_CONFIG || code == SCREE_E_UNSUPPORTED)
            blame_shape(shape, error);
        if (code < 0)
            return false;
    }
    return true;
}

bool scree_ask_contacts(scree_instance *resolver, const scree_candidates *in, scree_contacts *out,
                        uint32_t *done, GError **error)
{
    const scree_resolver_ops *ops = resolver->ops;
    scree_call call = scree_call_begin(resolver, SCREE_CALL_LANE, "resolve");
    int32_t code = ops->resolve(resolver->self, in, out, done);
    return scree_call_end(&call, code, SCREE_OK, error) >= 0;
}

bool scree_ask_supports(scree_instance *resolver, scree_pair_support *answer, GError **error)
{
    const scree_resolver_ops *ops = resolver->ops;
    answer->size = sizeof *answer;
    answer->contacts = SCREE_SUPPORTS_NOT;
    answer->provides = resolver->demands.provides;
    scree_call call = scree_call_begin(resolver, SCREE_CALL_CONFIG, "supports");
    int32_t code = ops->supports(resolver->self, answer);
    if (scree_call_end(&call, code, SCREE_OK, error) < 0)
        return false;
    if (answer->contacts <= SCREE_SUPPORTS_ONE && !(answer->provides & ~resolver->demands.provides))
        return true;
    return scree_call_blame(resolver, "supports", SCREE_EXIT_PLUGIN, error,
                            "expected contacts 0 to %d and no bits beyond provides %#" PRIx64
                            " of the descriptor, got %u and %#" PRIx64,
                            SCREE_SUPPORTS_ONE, resolver->demands.provides, answer->contacts,
                            answer->provides);
}

/* ---- a GCD of its own boxes ---- */

bool scree_ask_index(scree_instance *gcd, const scree_boxes *boxes, GError **error)
{
    const scree_gcd_ops *ops = gcd->ops;
    uint64_t pivots = 0;
    scree_call call = scree_call_begin(gcd, SCREE_CALL_STEP, "init");
    int32_t code = ops->init(gcd->self, boxes, 0);
    if (scree_call_end(&call, code, SCREE_OK, error) < 0)
        return false;
    call = scree_call_begin(gcd, SCREE_CALL_STEP, "step_init");
    code = ops->step_init(gcd->self, boxes, NULL, 0, &pivots);
    return scree_call_end(&call, code, SCREE_OK, error) >= 0;
}

bool scree_ask_objects(scree_instance *gcd, const scree_zone *zone, scree_index_sink *sink,
                       GError **error)
{
    const scree_gcd_ops *ops = gcd->ops;
    scree_call call = scree_call_begin(gcd, SCREE_CALL_LANE, "find_objects");
    int32_t code = ops->find_objects(gcd->self, zone, sink);
    return scree_call_end(&call, code, SCREE_OK, error) >= 0;
}
