/* SPDX-License-Identifier: Apache-2.0 */
/* STL files, text and binary. */
#ifndef CORE_MESH_STL_H
#define CORE_MESH_STL_H

#include "shape/mesh.h"

/*
 * Readers: NULL with problems. STL is binary when its length is what the count at byte 80 asks for,
 * whatever its header says; else it is text when it starts with "solid" and has no zero byte.
 */
scree_soup *scree_mesh_read_stl(const char *bytes, size_t length, const char *file,
                                GPtrArray *problems);

#endif
