// SPDX-License-Identifier: Apache-2.0
// Files of facets: the format by the end of the name, and the way of their vertices to metres.
#include "mesh_params.h"

#include <ctype.h>

int mesh_ends_in(const char *path, const char *end)
{
    size_t n = strlen(path), m = strlen(end), same = 0;
    while (same < m && same < n && tolower((unsigned char)path[n - 1 - same]) == end[m - 1 - same])
        same++;
    return same == m;
}

/** Reports a compressed file, and a binary STL file instead of OBJ; then returns 1. */
static int is_other(const char *path, const char *bytes, uint64_t length, int stl,
                    mesh_notes *notes)
{
    static const struct {
        const char *mark, *kind; // first bytes
    } packed[] = {{"\x1f\x8b", "gzip"}, {"PK\x03\x04", "zip"}, {"\xfd\x37zXZ", "xz"}};
    for (size_t k = 0; k < SCREE_COUNT(packed); k++) {
        const size_t n = strlen(packed[k].mark);
        if (length < n || memcmp(bytes, packed[k].mark, n) != 0 ||
            mesh_is_binary_stl(bytes, length))
            continue;
        mesh_say(&notes->problems, "%s: the file is %s-compressed: unpack it first", path,
                 packed[k].kind);
        return 1;
    }
    if (stl || !mesh_is_binary_stl(bytes, length))
        return 0;
    mesh_say(&notes->problems,
             "%s: expected an OBJ file, got a binary STL file: give format = \"stl\"", path);
    return 1;
}

int mesh_read_file(const scree_host *host, const char *path, int32_t format, mesh_soup *soup,
                   mesh_notes *notes)
{
    const char *bytes = NULL;
    uint64_t length = 0;
    int stl = format == MESH_FORMAT_STL, obj = format == MESH_FORMAT_OBJ;
    if (format == MESH_FORMAT_AUTO) {
        stl = mesh_ends_in(path, ".stl");
        obj = mesh_ends_in(path, ".obj");
    }
    if (!stl && !obj)
        return mesh_say(&notes->problems,
                        "%s ends neither in .stl nor in .obj; format = \"stl\" or \"obj\" says "
                        "what it is",
                        path);
    const scree_files *files = scree_files_of(host);
    if (!files || files->load(files->ctx, path, &bytes, &length) < 0)
        return mesh_say(&notes->problems, "%s cannot be read", path); // the host has said why
    int ok = !is_other(path, bytes, length, stl, notes) &&
             (stl ? mesh_read_stl(soup, bytes, length, notes)
                  : mesh_read_obj(soup, bytes, length, notes));
    files->release(files->ctx, bytes);
    return ok;
}

int mesh_place_soup(const scree_placing *placing, mesh_soup *soup, mesh_notes *notes)
{
    if (placing)
        mesh_apply_placing(soup, placing);
    for (uint64_t i = 0; i < 3 * soup->n_vertices; i++)
        if (!isfinite(soup->xyz[i]))
            return mesh_say(&notes->problems,
                            "vertex %llu is beyond all bounds after unit, scale, rotate, move",
                            (unsigned long long)(i / 3));
    return 1;
}
