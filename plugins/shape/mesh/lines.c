// SPDX-License-Identifier: Apache-2.0
// Lines for the user: problems and notes, collected until create() hands them to the host.
#include "mesh.h"

void mesh_lines_clear(mesh_lines *lines)
{
    for (uint64_t i = 0; i < lines->n; i++)
        free(lines->line[i]);
    free(lines->line);
    *lines = (mesh_lines){0};
}

int mesh_say(mesh_lines *lines, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    char *text = n >= 0 ? malloc((size_t)n + 1) : NULL;
    if (text)
        vsnprintf(text, (size_t)n + 1, format, again);
    va_end(args);
    va_end(again);
    if (text && scree_grow(&lines->line, &lines->room, lines->n + 1, sizeof *lines->line))
        lines->line[lines->n++] = text;
    else
        free(text);
    return 0;
}
