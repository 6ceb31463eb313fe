/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters that `mesh` and `facets` share. */
#ifndef PLUGINS_SHAPE_MESH_PARAMS_H
#define PLUGINS_SHAPE_MESH_PARAMS_H

#include "mesh.h"

/** Format of a file. */
#define MESH_FORMAT_AUTO 0 /* by the end of its name */
#define MESH_FORMAT_STL 1
#define MESH_FORMAT_OBJ 2

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

/** Reads the facets of a file in its format; 0 with a problem (files.c). */
int mesh_read_file(const scree_host *host, const char *path, int32_t format, mesh_soup *soup,
                   mesh_notes *notes);
/** Does the path end in the lower-case letters of `end`, in any case? */
int mesh_ends_in(const char *path, const char *end);
/** Applies a placing, which may be NULL; 0 with a problem: coordinates are no longer finite. */
int mesh_place_soup(const scree_placing *placing, mesh_soup *soup, mesh_notes *notes);

int32_t mesh_create(const scree_host *host, const void *config, void **instance);
/** Makes an instance from vertices and facets of the scene, under the key `facets` or `segments`.
 * placing may be NULL. */
int32_t mesh_create_listed(const scree_host *host, const scree_real_rows *vertices, const char *key,
                           const scree_int_rows *facets, const scree_placing *placing,
                           void **instance);

#endif
