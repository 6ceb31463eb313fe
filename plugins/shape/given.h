/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes of bodies that are given by numbers in the scene or in a table: reads the table, names a
 * row in a message, and moves points into the frame of place(). */
#ifndef PLUGINS_SHAPE_GIVEN_H
#define PLUGINS_SHAPE_GIVEN_H

#include "mesh/mesh.h"

/** Reads the named columns of a file, all of them; 0 with a problem. */
static inline int given_table(const scree_host *host, const scree_file_request *request,
                              scree_file_rows *rows, mesh_lines *problems)
{
    const scree_files *files = scree_files_of(host);
    if (!files || files->table(files->ctx, request, rows) < 0)
        return mesh_say(problems, "%s cannot be read", request->path); // the host has said why
    for (uint32_t k = 0; k < request->n_known; k++)
        if (!rows->real[k])
            return mesh_say(problems, "%s has no column '%s'", request->path,
                            request->known[k]->name);
    return 1;
}

/** "vertex 3", or for a file "vertex 3 (NAME:12)". */
static inline const char *given_name(const char *what, uint32_t number, const char *file,
                                     const uint32_t *line, char text[256])
{
    if (file)
        snprintf(text, 256, "%s %u (%.200s:%u)", what, number, file, line[number]);
    else
        snprintf(text, 256, "%s %u", what, number);
    return text;
}

/** Moves a point of the former frame into the new one; without `shift` a direction. */
static inline void given_enter(const scree_frame *frame, int shift, double p[3])
{
    if (shift)
        for (int k = 0; k < 3; k++)
            p[k] -= frame->shift[k];
    scree_rotate_back(frame->q, p, p);
}

#endif
