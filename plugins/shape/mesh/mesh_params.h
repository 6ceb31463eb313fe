/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters that `mesh` and `facets` share. */
#ifndef PLUGINS_SHAPE_MESH_PARAMS_H
#define PLUGINS_SHAPE_MESH_PARAMS_H

#include "mesh.h"

typedef struct mesh_config {
    const scree_real_rows *vertices;
    const scree_int_rows *facets;
    const char *file;
    const scree_placing *placing;
    double weld;
    int32_t format, degenerate, duplicate, inside_out;
} mesh_config;

enum { MESH_N_PARAMS = 9 };
extern const scree_param *const mesh_params[MESH_N_PARAMS];

int32_t mesh_create(const scree_host *host, const void *config, void **instance);
/** An instance of vertices and facets that the scene gives, under the key `facets` or `segments`.
 * placing may be NULL. */
int32_t mesh_create_listed(const scree_host *host, const scree_real_rows *vertices, const char *key,
                           const scree_int_rows *facets, const scree_placing *placing,
                           void **instance);

#endif
