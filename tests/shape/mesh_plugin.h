/* SPDX-License-Identifier: Apache-2.0 */
/* The files of plugins/shape/mesh for tests: lines as arrays of text, surfaces as shapes. */
#ifndef TESTS_SHAPE_MESH_PLUGIN_H
#define TESTS_SHAPE_MESH_PLUGIN_H

#include <glib.h>

#include "../../plugins/shape/mesh/mesh.h"
#include "shape/shape.h"

static inline void free_soup(mesh_soup *m)
{
    if (m)
        mesh_soup_clear(m);
    g_free(m);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(mesh_soup, free_soup)

static inline void take_lines(mesh_lines *from, GPtrArray *to)
{
    g_assert_true(to || from->n == 0);
    for (uint64_t i = 0; i < from->n; i++)
        g_ptr_array_add(to, g_strdup(from->line[i]));
    mesh_lines_clear(from);
}

static inline void take_notes(mesh_notes *from, GPtrArray *problems, GPtrArray *notes)
{
    take_lines(&from->problems, problems);
    take_lines(&from->notes, notes);
}

/** Reads with one of the two readers; NULL with problems. */
static inline mesh_soup *read_soup(int (*read)(mesh_soup *, const char *, size_t, mesh_notes *),
                                   const char *bytes, size_t length, const char *file,
                                   GPtrArray *problems, GPtrArray *notes)
{
    mesh_notes said = {0};
    mesh_soup *m = g_new0(mesh_soup, 1);
    m->file = file;
    bool good = read(m, bytes, length, &said);
    take_notes(&said, problems, notes);
    if (good)
        return m;
    free_soup(m);
    return NULL;
}

/** Welds and checks; the surface, or NULL with problems. */
static inline mesh_surface *finish_soup(mesh_soup *m, double weld, int32_t policy,
                                        int32_t inside_out, GPtrArray *problems, GPtrArray *notes)
{
    mesh_notes said = {0};
    mesh_surface *surface = NULL;
    if (mesh_weld(m, weld, &said.problems) && mesh_check(m, weld, policy, policy, &said))
        surface = mesh_finish(m, inside_out, &said);
    take_notes(&said, problems, notes);
    return surface;
}

/** A shape with this mesh, for scree_shape_survey(). */
static inline scree_shape shape_of_surface(const mesh_surface *surface)
{
    return (scree_shape){.size = sizeof(scree_shape),
                         .flags = SCREE_CAP_WALL,
                         .n_parts = surface->view.n_facets,
                         .mesh = &surface->view};
}

#endif
