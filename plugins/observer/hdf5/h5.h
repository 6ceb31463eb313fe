// SPDX-License-Identifier: Apache-2.0
// The calls of libhdf5 that observer `hdf5` makes, in fewer words.
#ifndef OBSERVER_HDF5_H5_H
#define OBSERVER_HDF5_H5_H

#include <hdf5.h>
#include <stdint.h>

#include "scree/sdk.h"

/** Invalid ids are negative: every function accepts them and fails. */

/** Releases a valid id. */
void h5_drop(hid_t id);

/** Text of a fixed size, its NUL included. */
hid_t h5_text_type(size_t size);

/** An attribute of `n` values of a type, or of one value without dimensions when n is 0. Returns 0
 * on failure.
 */
int h5_attribute(hid_t to, const char *name, hid_t type, hsize_t n, const void *values);
int h5_text(hid_t to, const char *name, const char *text);

/** Creation properties of class `of` without the time of day: so equal runs give equal bytes. */
hid_t h5_creation(hid_t of);

hid_t h5_group(hid_t to, const char *name);

/** A data set in chunks that grows along its first two dimensions, of 1 to 3; compression 0: none.
 * No chunk waits in memory: its space is taken and its values are written at once. */
hid_t h5_data(hid_t to, const char *name, hid_t type, int rank, const hsize_t *size,
              const hsize_t *chunk, const void *fill, int64_t compression);

/** Writes `n` values from `first` on along the only dimension. 0: it failed. */
int h5_append(hid_t data, hid_t type, hsize_t first, hsize_t n, const void *values);

/** elements.c: the elements of bodies. */
/** Meaning of a row of an element, and its number of components; 0: that of the dimension. */
typedef struct h5_element {
    const char *name, *unit;
    int32_t is_real; // else a whole number
    uint32_t components;
    int32_t (*get)(const scree_view *view, uint32_t body, double *real, int64_t *whole);
} h5_element;

enum { N_ELEMENTS = 15, IMAGE = 1, GROUP = 10, FIRST_OF_SHAPES = 12, WIDEST = 4 };
extern const h5_element h5_elements[N_ELEMENTS];

enum { H5_FIELD_NAME = 256 };
/** fields.c: the name in the file for field `f` of b->used: NAME, or SLOT.NAME when an element or
 * another of these fields has that name. */
void h5_name_field(const scree_bodies *b, uint32_t f, char name[H5_FIELD_NAME]);
/** fields.c: has field f of b->used been named before, by another text? */
int h5_is_repeated(const scree_bodies *b, uint32_t f);

/** shapes.c: does the scene have a shape that is neither ball, disc nor wall? */
int h5_has_solids(const scree_bodies *b);
/** Writes /parameters/shapes; surfaces to `tolerance` radii. `names` may be NULL. 0: it failed. */
int h5_write_shapes(const scree_host *host, const scree_names *names, hid_t file,
                    const scree_bodies *b, double tolerance);

/** For a file's access list: metadata stay in memory until a flush. 0: it failed. */
int h5_hold_metadata(hid_t access);

#endif
