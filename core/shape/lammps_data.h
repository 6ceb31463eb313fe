/* SPDX-License-Identifier: Apache-2.0 */
/* LAMMPS data files (`write_data`, `read_data`) of atom_style sphere: atoms, velocities, box. */
#ifndef CORE_LAMMPS_DATA_H
#define CORE_LAMMPS_DATA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/** Numbers as in the file, in its units. */
typedef struct scree_lammps_atom {
    uint64_t id;
    uint32_t type; /* from 1 */
    uint32_t line;
    double diameter, density;
    double x[3], v[3], w[3]; /* v, w: 0 without a Velocities section */
} scree_lammps_atom;

typedef struct scree_lammps_data {
    char *file;
    char *units;    /* what the title line says ("units = si"), or NULL */
    int64_t n_said; /* atoms, by the header; -1: not said */
    int64_t n_types;
    bool has_velocities, has_images; /* images: counts of box crossings other than 0 */
    bool bounded[3];                 /* the header gives lo and hi */
    double lo[3], hi[3];
    GPtrArray *labels; /* of char *, by type - 1; empty: none */
    GArray *atoms;     /* of scree_lammps_atom, in the order of the file */
} scree_lammps_data;

/** Reads a file from memory; NULL with problems. Sections may come in any order; those that hold no
 * more than coefficients are skipped with a note, others refused by name. */
scree_lammps_data *scree_lammps_parse(const char *bytes, size_t length, const char *file,
                                      GPtrArray *problems, GPtrArray *notes);
void scree_lammps_free(scree_lammps_data *data);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_lammps_data, scree_lammps_free)

#endif
