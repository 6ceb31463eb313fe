/* SPDX-License-Identifier: Apache-2.0 */
/* LAMMPS data files (`write_data`, `read_data`) of atom_style sphere and bpm/sphere: atoms,
 * velocities, box, bonds. */
#ifndef PLUGINS_SOURCE_LAMMPS_DATA_H
#define PLUGINS_SOURCE_LAMMPS_DATA_H

#include "../shape/mesh/mesh.h"

/** Numbers as in the file, in its units. */
typedef struct lammps_atom {
    uint64_t id;
    uint32_t type; /* type, from 1 */
    uint32_t line;
    double diameter, density;
    double x[3], v[3], w[3]; /* v, w: 0 without a Velocities section */
} lammps_atom;

typedef struct lammps_bond {
    uint64_t id[2]; /* of atoms; lammps_parse() sets index to their places in the file */
    uint32_t index[2];
    uint32_t line;
    uint32_t reserved; /* 0 */
} lammps_bond;

typedef struct lammps_data {
    const char *file; /* file name, borrowed */
    char units[16];   /* units of the title line ("units = si"); "": none */
    int64_t n_said;   /* atoms by the header; -1: not given */
    int64_t n_types;
    int64_t n_bonds_said, n_bond_types; /* types: -1: not given */
    uint32_t tilt_line;                 /* 0: no tilt */
    int has_velocities, has_images;     /* images: counts of box crossings other than 0 */
    int bounded[3];                     /* the header gives lo and hi */
    double lo[3], hi[3], tilt[3];       /* tilt: xy xz yz */
    uint64_t n_labels, n_atoms, n_bonds, room_labels, room_atoms, room_bonds;
    char **label;      /* [n_labels] by type - 1, NULL: none */
    lammps_atom *atom; /* [n_atoms] in the order of the file */
    lammps_bond *bond; /* [n_bonds] in the order of the file */
} lammps_data;

/** Reads a file from memory; 0 with problems. Sections may come in any order; sections with only
 * coefficients are skipped with a note, others are refused by name. */
int lammps_parse(lammps_data *data, const char *bytes, size_t length, const char *file,
                 mesh_notes *notes);
void lammps_clear(lammps_data *data);

#endif
