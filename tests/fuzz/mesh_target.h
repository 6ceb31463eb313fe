/* SPDX-License-Identifier: Apache-2.0 */
/* Shared code of the fuzz targets of mesh formats: a mesh goes all the way to a shape and its
 * survey.
 */
#ifndef TESTS_FUZZ_MESH_TARGET_H
#define TESTS_FUZZ_MESH_TARGET_H

#include <math.h>
#include <stdlib.h>

#include "../shape/mesh_plugin.h"
#include "tools/look/shape_survey.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_surface(mesh_surface *surface)
{
    const scree_shape shape = shape_of_surface(surface);
    const scree_mesh *mesh = shape.mesh;
    scree_survey survey;
    if (mesh->n_facets == 0 || mesh->n_vertices == 0)
        abort();
    for (uint32_t i = 0; i < 4 * mesh->n_facets; i++)
        if (mesh->facet[i] != SCREE_NONE && mesh->facet[i] >= mesh->n_vertices)
            abort();
    scree_shape_survey(&shape, &survey);
    if (survey.n_parts == 0 || survey.turned > mesh->n_facets)
        abort();
    if (mesh->closed && (survey.open_edges || survey.turned || !(survey.volume > 0.0)))
        abort();
    mesh_surface_free(surface);
}

/** Welds with the usual tolerance, checks and turns; takes the mesh. No mesh: there was a reason.
 */
static void finish(mesh_soup *m, GPtrArray *problems, GPtrArray *notes, bool drop)
{
    if ((m != NULL) == (problems->len > 0) || problems->len > 25)
        abort();
    if (m)
        for (uint64_t i = 0; i < 3 * m->n_vertices; i++)
            if (!isfinite(m->xyz[i]))
                abort();
    mesh_surface *surface =
        m ? finish_soup(m, 1e-6 * mesh_diagonal(m), drop ? MESH_DROP : MESH_ERROR,
                        drop ? MESH_TURN : MESH_ERROR, problems, notes)
          : NULL;
    if ((surface != NULL) == (problems->len > 0))
        abort();
    if (surface)
        check_surface(surface);
    free_soup(m);
    g_ptr_array_free(problems, TRUE);
    g_ptr_array_free(notes, TRUE);
}

#endif
