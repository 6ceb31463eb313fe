// SPDX-License-Identifier: Apache-2.0
// The part of the scene that all instances of its plugins share.
#include "scene/scene_runtime.h"

#include "scene/figure_names.h"

scree_runtime scree_scene_runtime(const scree_scene *s, scree_pool *pool)
{
    return (scree_runtime){.pool = pool,
                           .dimension = s->dimension,
                           .n_materials = s->materials.n,
                           .seed = s->seed,
                           .group_names = s->group_names,
                           .shape_names = s->shape_names,
                           .material_names = s->materials.names,
                           .shapes_by_name = s->shape_names_known,
                           .thickness = s->thickness,
                           .figures = &scree_figures_stateless};
}
