/* SPDX-License-Identifier: Apache-2.0 */
/* Volumes of numbers, from a file. */
#ifndef PLUGINS_SHAPE_VOXELS_H
#define PLUGINS_SHAPE_VOXELS_H

#include "../mesh/mesh.h"

/* Types of numbers in a file. */
enum {
    VOXELS_INT8 = 1,
    VOXELS_UINT8,
    VOXELS_INT16,
    VOXELS_UINT16,
    VOXELS_INT32,
    VOXELS_UINT32,
    VOXELS_INT64,
    VOXELS_UINT64,
    VOXELS_FLOAT,
    VOXELS_DOUBLE,
    VOXELS_N_TYPES
};
#define VOXELS_LITTLE 0
#define VOXELS_BIG 1
#define VOXELS_RAW 0
#define VOXELS_GZIP 1

/** Most voxels of a volume, and of a side. */
#define VOXELS_MOST (UINT64_C(1) << 31)
#define VOXELS_MOST_SIDE 4000

/** The form of a volume: its numbers, from `data` on, follow each other along axis 0 first. */
typedef struct voxels_form {
    uint32_t n[3];
    int32_t type, endian, encoding;
    double step[3][3]; /* [step[axis]]: from a voxel to the next along an axis */
    double origin[3];  /* of the middle of voxel (0, 0, 0) */
    const char *units; /* of the space, as the file names them; NULL: not given */
    char units_text[16];
} voxels_form;

/** Reads the header of a NRRD file; *data: where the numbers begin. 0 with a problem. */
int voxels_read_nrrd(const char *file, const char *bytes, uint64_t length, voxels_form *form,
                     uint64_t *data, mesh_lines *problems);
/** Reads the numbers, from `length` bytes, as means of blocks of coarse^3 voxels: out[n0 n1 n2] for
 * the sides n that are cut to whole blocks, which `form` then has. free() frees them; NULL with a
 * problem. */
float *voxels_read_numbers(const char *file, const char *bytes, uint64_t length, uint32_t coarse,
                           voxels_form *form, mesh_lines *problems);
/** [B] of a number. */
uint32_t voxels_size_of(int32_t type);

#endif
