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

/** All lines as one text, which the caller frees; NULL: no memory. */
static char *join(const mesh_lines *lines)
{
    size_t length = 1, at = 0;
    for (uint64_t i = 0; i < lines->n; i++)
        length += strlen(lines->line[i]) + 1;
    char *text = malloc(length);
    if (!text)
        return NULL;
    *text = '\0';
    for (uint64_t i = 0; i < lines->n; i++)
        at += (size_t)snprintf(text + at, length - at, "%s%s", i ? "\n" : "", lines->line[i]);
    return text;
}

int32_t mesh_fail(const scree_host *host, mesh_lines *problems)
{
    char *text = join(problems);
    int32_t code = text && problems->n
                       ? host->fail(host->ctx, SCREE_E_CONFIG, text)
                       : host->fail(host->ctx, SCREE_E_MEMORY, "no memory for a shape");
    free(text);
    mesh_lines_clear(problems);
    return code;
}
