// SPDX-License-Identifier: Apache-2.0
// Surfaces that a scene lists, or that a file holds: the parameters of `mesh` and `facets`.
#include "mesh_params.h"

SCREE_REAL_ROWS_PARAM(mesh_config, vertices, 3, "m", SCREE_PARAM_OPTIONAL, -HUGE_VAL, HUGE_VAL,
                      "points");
SCREE_INT_ROWS_PARAM(mesh_config, facets, 0, SCREE_PARAM_OPTIONAL, 0, UINT32_MAX - 1,
                     "3 or 4 vertices each, by number from 0; quads must be planar");
SCREE_FILE_PARAM(mesh_config, file, SCREE_PARAM_OPTIONAL,
                 "STL, text or binary, or OBJ; instead of vertices and facets");
SCREE_CHOICE_VALUE(auto, MESH_FORMAT_AUTO, "by the end of the name");
SCREE_CHOICE_VALUE(stl, MESH_FORMAT_STL, "STL");
SCREE_CHOICE_VALUE(obj, MESH_FORMAT_OBJ, "OBJ");
SCREE_CHOICE_PARAM(mesh_config, format, 0, "auto", "format of the file", &choice_auto, &choice_stl,
                   &choice_obj);
SCREE_PLACING_PARAM(mesh_config, placing, SCREE_PARAM_OPTIONAL,
                    "unit of the coordinates, then scale, rotate and move as they are written");
SCREE_REAL_PARAM(mesh_config, weld, "m", SCREE_PARAM_OPTIONAL, 0, 0, HUGE_VAL,
                 "vertices of a file this near are merged; without it 1e-6 of the diagonal of the "
                 "box around it");
SCREE_CHOICE_VALUE(error, MESH_ERROR, "they are refused");
SCREE_CHOICE_VALUE(drop, MESH_DROP, "they are left out");
SCREE_CHOICE_VALUE(note, MESH_NOTE, "they are reported");
SCREE_CHOICE_VALUE(turn, MESH_TURN, "their corners are taken the other way round");
SCREE_CHOICE_PARAM(mesh_config, degenerate, 0, "error",
                   "facets of a file with two corners in one place, or lower than weld",
                   &choice_error, &choice_drop);
SCREE_CHOICE_PARAM(mesh_config, duplicate, 0, "error",
                   "facets of a file with the corners of an earlier one, whatever their order",
                   &choice_error, &choice_drop);
SCREE_CHOICE_PARAM(mesh_config, inside_out, 0, "note",
                   "facets of a file whose order of corners is opposite to most of their surface",
                   &choice_error, &choice_note, &choice_turn);

const scree_param *const mesh_params[MESH_N_PARAMS] = {
    &param_vertices, &param_facets,     &param_file,      &param_format,    &param_placing,
    &param_weld,     &param_degenerate, &param_duplicate, &param_inside_out};

/** The rows as four corners each; NULL with a problem. */
static uint32_t *take_corners(const scree_int_rows *rows, uint64_t least, uint64_t most,
                              mesh_lines *problems)
{
    uint32_t *corner = malloc((4 * rows->n + 1) * sizeof *corner);
    int ok = corner != NULL;
    if (!ok)
        mesh_say(problems, "no memory for %llu facets", (unsigned long long)rows->n);
    for (uint64_t i = 0; ok && i < rows->n; i++) {
        uint64_t n = rows->first[i + 1] - rows->first[i];
        ok = n >= least && n <= most;
        if (!ok)
            mesh_say(problems, "%s %llu has %llu vertices, expected %s",
                     most == 2 ? "segment" : "facet", (unsigned long long)i, (unsigned long long)n,
                     most == 2 ? "2" : "3 or 4");
        for (uint64_t k = 0; k < 4; k++)
            corner[4 * i + k] = k < n ? (uint32_t)rows->v[rows->first[i] + k] : SCREE_NONE;
    }
    if (!ok) {
        free(corner);
        corner = NULL;
    }
    return corner;
}

int32_t mesh_create_listed(const scree_host *host, const scree_real_rows *vertices, const char *key,
                           const scree_int_rows *facets, const scree_placing *placing,
                           void **instance)
{
    mesh_notes notes = {0};
    mesh_soup soup = {.file = "vertices"};
    mesh_surface *surface = NULL;
    uint32_t *corner = NULL;
    uint64_t flat = host->dimension == 2;
    if (vertices->n == 0 || facets->n == 0)
        mesh_say(&notes.problems, "%s = (%s, ..) are missing", vertices->n ? key : "vertices",
                 vertices->n ? "(0, 1, ..)"
                 : flat      ? "(x, y)"
                             : "(x, y, z)");
    else
        corner = take_corners(facets, flat ? 2 : 3, flat ? 2 : 4, &notes.problems);
    if (corner && mesh_reserve(&soup, vertices->n, 0, &notes.problems)) {
        for (uint64_t i = 0; i < vertices->n; i++) {
            double x[3] = {0.0, 0.0, 0.0};
            for (uint64_t k = 0; k < vertices->first[i + 1] - vertices->first[i]; k++)
                x[k] = vertices->v[vertices->first[i] + k];
            mesh_add_vertex(&soup, x);
        }
        if (placing)
            mesh_apply_placing(&soup, placing);
        surface = mesh_surface_new(host->dimension, soup.n_vertices, soup.xyz, facets->n, corner,
                                   &notes.problems);
    }
    free(corner);
    mesh_soup_clear(&soup);
    return mesh_wall_new(host, surface, &notes, instance);
}

static int32_t create_of_file(const scree_host *host, const mesh_config *config, void **instance)
{
    mesh_notes notes = {0};
    mesh_soup soup = {.file = config->file};
    mesh_surface *surface = NULL;
    if (mesh_read_file(host, config->file, config->format, &soup, &notes) &&
        mesh_place_soup(config->placing, &soup, &notes)) {
        double weld = isnan(config->weld) ? 1e-6 * mesh_diagonal(&soup) : config->weld;
        if (mesh_weld(&soup, weld, &notes.problems) &&
            mesh_check(&soup, weld, config->degenerate, config->duplicate, &notes))
            surface = mesh_finish(&soup, config->inside_out, &notes);
    }
    mesh_soup_clear(&soup);
    return mesh_wall_new(host, surface, &notes, instance);
}

int32_t mesh_create(const scree_host *host, const void *given, void **instance)
{
    const mesh_config *config = given;
    if (!config->file)
        return mesh_create_listed(host, config->vertices, "facets", config->facets, config->placing,
                                  instance);
    if (config->vertices->n || config->facets->n)
        return scree_failf(host, SCREE_E_CONFIG,
                           "file is given as well as %s; expected one of the two",
                           config->vertices->n ? "vertices" : "facets");
    return create_of_file(host, config, instance);
}
