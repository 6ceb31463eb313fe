/* SPDX-License-Identifier: Apache-2.0 */
/* Shared code of the fuzz targets of mesh formats: a mesh goes all the way to a shape and its
 * survey.
 */
#ifndef TESTS_FUZZ_MESH_TARGET_H
#define TESTS_FUZZ_MESH_TARGET_H

#include <math.h>
#include <stdlib.h>

#include "shape/mesh.h"
#include "shape/mesh_faults.h"
#include "shape/shape.h"
#include "shape/shape_survey.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_shape(scree_shape *shape)
{
    scree_survey survey;
    if (shape->mesh->n_facets == 0 || shape->mesh->n_vertices == 0)
        abort();
    for (uint32_t i = 0; i < 4 * shape->mesh->n_facets; i++)
        if (shape->mesh->facet[i] != SCREE_NONE && shape->mesh->facet[i] >= shape->mesh->n_vertices)
            abort();
    scree_shape_survey(shape, &survey);
    if (survey.n_parts == 0 || survey.turned > shape->mesh->n_facets)
        abort();
    scree_shape_free(shape);
}

/** Welds with the usual tolerance, checks and turns; takes the mesh. No mesh: there was a reason.
 */
static void finish(scree_soup *m, GPtrArray *problems, GPtrArray *notes, bool drop)
{
    if ((m != NULL) == (problems->len > 0) || problems->len > 25)
        abort();
    scree_mesh_policy policy = drop ? SCREE_MESH_DROP : SCREE_MESH_ERROR;
    if (m)
        for (uint64_t i = 0; i < 3 * m->n_vertices; i++)
            if (!isfinite(m->xyz[i]))
                abort();
    double weld = m ? 1e-6 * scree_mesh_diagonal(m) : 0.0;
    scree_shape *shape = NULL;
    if (m && scree_mesh_weld(m, weld, problems) &&
        scree_mesh_check(m, weld, policy, policy, problems, notes))
        shape = scree_mesh_shape(m, drop ? SCREE_MESH_TURN : SCREE_MESH_ERROR, problems, notes);
    if ((shape != NULL) == (problems->len > 0))
        abort();
    if (shape)
        check_shape(shape);
    scree_mesh_free(m);
    g_ptr_array_free(problems, TRUE);
    g_ptr_array_free(notes, TRUE);
}

#endif
