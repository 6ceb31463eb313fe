// SPDX-License-Identifier: Apache-2.0
// Meshes of a curved solid: each tolerance that was asked for has one, which stays until destroy.
#include "solid.h"

void solid_meshes_clear(solid_meshes *m)
{
    for (uint64_t i = 0; i < m->n; i++) {
        mesh_surface_free(m->v[i]->surface);
        free(m->v[i]);
    }
    free(m->v);
    *m = (solid_meshes){0};
}

uint64_t solid_meshes_bytes(const solid_meshes *m)
{
    uint64_t sum = m->room * sizeof *m->v;
    for (uint64_t i = 0; i < m->n; i++)
        sum += sizeof *m->v[i] + (m->v[i]->surface ? m->v[i]->surface->bytes : 0);
    return sum;
}

const solid_mesh *solid_meshes_find(const solid_meshes *m, double tolerance)
{
    for (uint64_t i = 0; i < m->n; i++)
        if (m->v[i]->tolerance == tolerance)
            return m->v[i];
    return NULL;
}

int solid_meshes_add(solid_meshes *m, double tolerance, mesh_surface *surface)
{
    solid_mesh *mesh = malloc(sizeof *mesh);
    if (!mesh || !scree_grow(&m->v, &m->room, m->n + 1, sizeof *m->v)) {
        mesh_surface_free(surface);
        free(mesh);
        return 0;
    }
    *mesh = (solid_mesh){tolerance, surface};
    m->v[m->n++] = mesh;
    return 1;
}
