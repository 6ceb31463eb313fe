// SPDX-License-Identifier: Apache-2.0
// Observer `hdf5`: the trajectory of all bodies but walls as one HDF5 file in the H5MD layout.
/*
 * Sources: H5MD 1.1, nongnu.org/h5md; its module `units` 1.0. Written by libhdf5.
 *
 * Layout: /particles/bodies holds, per frame and body, one row per body in the order of ids:
 *
 *   position [m], velocity [m/s]     D components, D the dimension of the scene
 *   force [N]                        total, gravity too (H5MD); only of the contacts for bodies
 *                                    that are not free
 *   image                            where a boundary is periodic: position + the sum of image[k]
 *                                    edges[k] is the unwrapped position
 *   angular_velocity [rad/s], torque [N m]     3 components, in 2D as well
 *   radius [m], mass [kg] if the shape is not round, radius of a ball that holds the body; mass is
 *                                    infinite if the body is not free
 *   orientation, scale, shape        where the scene has a shape that is neither ball, disc nor
 *                                    wall: quaternion w x y z, size next to the shape's, and which
 *                                    group /parameters/shapes/NUMBER describes it
 *   id, species, group, motion       species: number of the material; group: into
 *                                    /parameters/group_names; motion: 0 free, 1 kinematic, 2 fixed
 *   NAME                             each of `fields`, with its components as an attribute of value;
 *                                    SLOT.NAME where another field or element has that name
 *   box                              dimension, boundary; with a region also offset (its lower corner)
 *                                    and edges: D lengths, of a tilted region D vectors
 *
 * Each element has step, time [s] and value; step and time are one data set, linked into all.
 * Such scenes have a group /parameters/shapes/NUMBER (hdf5/shapes.c) for each shape but walls. It
 * describes a body at scale 1 about its position, in the axes that its orientation turns.
 *
 * The number of bodies may change: a frame with fewer bodies than another ends in rows whose id is
 * the fill value -1; there reals are NaN and whole numbers -1.
 *
 * Storage: chunks of one frame and up to 8192 bodies, which grow with frames and bodies;
 * compression 1 to 9 is deflate after a byte shuffle. Values go through a buffer of one chunk.
 *
 * After a killed run: the file gets its name when its first frame is complete. Values of a frame go
 * to new places of the file; its metadata stay in memory until the flush that ends the frame. So
 * the file on the disk has all frames up to the last flush, unless the run is killed during that
 * flush: then the index of the chunks may be damaged. Observer `vtk` has no such moment. On a full
 * disk a frame fails before old data are touched: a flush first reserves space for all its data. The
 * file then stays as after the previous flush: closing it would write metadata of the failed frame.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <unistd.h>

#include "groups.h"
#include "hdf5/h5.h"
#include "scree/draft/sums.h"

#define VERSION "0.1.0"

enum { ROWS = 8192, NAME_SIZE = 64, ROOM = 4 << 20 };

typedef struct hdf5_config {
    const char *file, *author;
    scree_strings fields;
    int64_t compression;
    double tolerance; // [-]
} hdf5_config;

typedef struct hdf5 {
    const scree_host *host;
    const scree_output *output;
    const hdf5_config *config;
    const scree_names *scene;      // NULL: the host does not offer names
    hid_t file, step, time, names; // < 0: not open
    hid_t *values;                 // [N_ELEMENTS + fields] data sets of values, < 0: not open
    uint32_t *components;          // [fields] in the file
    hsize_t n_frames, n_rows;      // frames written; the most bodies in any frame
    uint32_t *order;               // bodies that are written, by id
    int64_t *group;                // [bodies->n]
    char (*group_names)[NAME_SIZE];
    uint64_t order_capacity, group_capacity, name_capacity;
    uint32_t n, n_names, n_names_written;
    int32_t has_image, has_solids;
    int32_t fd;    // our own descriptor of the file; -1: none
    int no_space;  // errno of a failed reservation; 0: none
    int no_memory; // libhdf5 has reported a failed allocation
    char why[256]; // the library's message about the first failure
    char path[32]; // path of the descriptor
    union {
        double real[WIDEST * ROWS];
        int64_t whole[WIDEST * ROWS];
    } buffer;
} hdf5;

/* Number of elements and fields; fields follow the elements. */
static uint32_t count_columns(const hdf5 *self)
{
    return N_ELEMENTS + (uint32_t)self->config->fields.n;
}

static int is_field(uint32_t e)
{
    return e >= N_ELEMENTS;
}

static int is_real(uint32_t e)
{
    return is_field(e) || h5_elements[e].is_real;
}

/* Does the file have an element? */
static int has_element(const hdf5 *self, uint32_t e)
{
    if (is_field(e))
        return 1;
    return e >= FIRST_OF_SHAPES ? self->has_solids : e != IMAGE || self->has_image;
}

static uint32_t width_of(const hdf5 *self, uint32_t e)
{
    if (is_field(e))
        return self->components[e - N_ELEMENTS];
    return h5_elements[e].components ? h5_elements[e].components : self->host->dimension;
}

/* Number of rows that the buffer holds. */
static uint32_t most_rows(uint32_t width)
{
    return width <= WIDEST ? ROWS : WIDEST * ROWS / width;
}

/* ---- libhdf5: the first failure of a call is kept, and reported by fail_hdf5 ---- */

static herr_t keep_deepest(unsigned n, const H5E_error2_t *error, void *user)
{
    hdf5 *self = user;
    (void)n;
    self->no_memory |= error->min_num == H5E_NOSPACE || error->min_num == H5E_CANTALLOC;
    snprintf(self->why, sizeof self->why, "%s", error->desc ? error->desc : "");
    return 0;
}

static herr_t keep_failure(hid_t stack, void *user)
{
    const hdf5 *self = user;
    return self->why[0] ? 0 : H5Ewalk2(stack, H5E_WALK_DOWNWARD, keep_deepest, user);
}

/* Prepares calls to the library: it must not print, and failures are kept here. */
static void heed(hdf5 *self)
{
    self->why[0] = '\0';
    self->no_space = 0;
    self->no_memory = 0;
    H5Eset_auto2(H5E_DEFAULT, keep_failure, self);
}

/* Is there memory for a frame? Messages of libhdf5 about a failed allocation are unreliable. */
static int has_room(void)
{
    void *volatile room = malloc(ROOM);
    int found = room != NULL;
    free(room);
    return found;
}

static int32_t fail_hdf5(const hdf5 *self, const char *what)
{
    // "file write failed: time = ..., error message = 'No space left on device', buf = ..."
    static const char before[] = "error message = '";
    const char *found = strstr(self->why, before);
    const char *reason = found ? found + strlen(before) : self->why;
    size_t length = found ? strcspn(reason, "'") : strlen(reason);
    if (self->no_memory && !has_room())
        return scree_failf(self->host, SCREE_E_MEMORY, "no memory for %s.h5 (%s)",
                           self->config->file, what);
    if (self->no_space) {
        reason = strerror(self->no_space);
        length = strlen(reason);
    }
    return scree_failf(self->host, SCREE_E_IO, "cannot write %s.h5 (%s): %.*s", self->config->file,
                       what, (int)length, reason);
}

/* ---- data that are written once ---- */

static int write_metadata(const hdf5 *self)
{
    const int32_t version[2] = {1, 1}, units[2] = {1, 0};
    hid_t h5md = h5_group(self->file, "h5md"), author = h5_group(h5md, "author");
    hid_t creator = h5_group(h5md, "creator"), modules = h5_group(h5md, "modules");
    hid_t unit = h5_group(modules, "units");
    int ok = h5_attribute(h5md, "version", H5T_STD_I32LE, 2, version) &&
             h5_text(author, "name", self->config->author) && h5_text(creator, "name", "scree") &&
             h5_text(creator, "version", VERSION) &&
             h5_attribute(unit, "version", H5T_STD_I32LE, 2, units) &&
             h5_text(unit, "system", "SI");
    h5_drop(unit);
    h5_drop(modules);
    h5_drop(creator);
    h5_drop(author);
    h5_drop(h5md);
    return ok;
}

static int write_real(hid_t box, const char *name, int rank, const hsize_t n[2], const double *from)
{
    hid_t space = H5Screate_simple(rank, n, NULL), how = h5_creation(H5P_DATASET_CREATE), data = -1;
    if (how >= 0)
        data = H5Dcreate2(box, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, how, H5P_DEFAULT);
    int ok = H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, from) >= 0 &&
             h5_text(data, "unit", "m");
    h5_drop(data);
    h5_drop(how);
    h5_drop(space);
    return ok;
}

static int write_box(const hdf5 *self, hid_t bodies, const scree_bodies *b)
{
    const scree_cell *cell = b->cell;
    int32_t dimension = (int32_t)b->dimension, has_region = 1, tilted = scree_is_tilted(cell);
    char boundary[3][16] = {"none", "none", "none"};
    const hsize_t n[2] = {b->dimension, b->dimension};
    double sides[3], edges[9];
    hid_t box = h5_group(bodies, "box"), type = h5_text_type(sizeof boundary[0]);
    int ok = box >= 0 && type >= 0;
    for (int k = 0; k < dimension; k++) {
        if (scree_repeats(cell, k))
            strcpy(boundary[k], "periodic");
        has_region &= isfinite(cell->lo[k]) && isfinite(cell->hi[k]);
        sides[k] = cell->hi[k] - cell->lo[k];
        for (int j = 0; j < dimension; j++)
            edges[k * dimension + j] = j == k ? sides[k] : cell->vector[k][j];
    }
    ok = ok && h5_attribute(box, "dimension", H5T_STD_I32LE, 0, &dimension) &&
         h5_attribute(box, "boundary", type, b->dimension, boundary);
    if (ok && has_region)
        ok = write_real(box, "edges", 1 + tilted, n, tilted ? edges : sides) &&
             write_real(box, "offset", 1, n, cell->lo);
    h5_drop(type);
    h5_drop(box);
    return ok;
}

/* Makes the group of an element with an empty value; step and time are owned by the first
 * element. */
static int make_element(hdf5 *self, hid_t bodies, const char *name, const char *unit, uint32_t e)
{
    const hsize_t start[3] = {0, self->n, width_of(self, e)}, most = most_rows(width_of(self, e));
    const hsize_t rows = self->n < 64 ? 64 : self->n < most ? self->n : most;
    const hsize_t chunk[3] = {1, rows, start[2]}, times[1] = {512};
    const double none = (double)NAN;
    const int64_t minus = -1;
    hid_t group = h5_group(bodies, name);
    int ok = group >= 0;
    if (ok && e == 0) {
        self->step = h5_data(group, "step", H5T_STD_I64LE, 1, start, times, NULL, 0);
        self->time = h5_data(group, "time", H5T_IEEE_F64LE, 1, start, times, NULL, 0);
        ok = self->step >= 0 && self->time >= 0 && h5_text(self->time, "unit", "s");
    } else if (ok) {
        ok =
            H5Lcreate_hard(bodies, "position/step", group, "step", H5P_DEFAULT, H5P_DEFAULT) >= 0 &&
            H5Lcreate_hard(bodies, "position/time", group, "time", H5P_DEFAULT, H5P_DEFAULT) >= 0;
    }
    if (ok)
        self->values[e] = h5_data(
            group, "value", is_real(e) ? H5T_IEEE_F64LE : H5T_STD_I64LE, start[2] > 1 ? 3 : 2,
            start, chunk, is_real(e) ? (const void *)&none : &minus, self->config->compression);
    ok = ok && self->values[e] >= 0 && (!unit || h5_text(self->values[e], "unit", unit));
    h5_drop(group);
    return ok;
}

static int make_elements(hdf5 *self, hid_t bodies, const scree_bodies *b)
{
    int ok = 1;
    for (uint32_t e = 0; e < N_ELEMENTS && ok; e++)
        if (has_element(self, e))
            ok = make_element(self, bodies, h5_elements[e].name, h5_elements[e].unit, e);
    for (uint32_t f = 0; f < self->config->fields.n && ok; f++) {
        char name[H5_FIELD_NAME];
        const char *unit = b->used[f]->unit;
        const int32_t components = (int32_t)b->used[f]->components;
        const uint32_t e = N_ELEMENTS + f;
        h5_name_field(b, f, name);
        ok = make_element(self, bodies, name, unit ? unit : "-", e) &&
             h5_attribute(self->values[e], "components", H5T_STD_I32LE, 0, &components);
    }
    return ok;
}

static int make_names(hdf5 *self)
{
    const hsize_t none[1] = {0}, chunk[1] = {16};
    hid_t parameters = h5_group(self->file, "parameters"), type = h5_text_type(NAME_SIZE);
    if (parameters >= 0 && type >= 0)
        self->names = h5_data(parameters, "group_names", type, 1, none, chunk, NULL, 0);
    h5_drop(type);
    h5_drop(parameters);
    return self->names >= 0;
}

static int make_file(hdf5 *self, const scree_bodies *b)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), particles, bodies;
    int ok = access >= 0 && h5_hold_metadata(access) &&
             H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0;
    snprintf(self->path, sizeof self->path, "/proc/self/fd/%" PRId32, self->fd);
    if (ok)
        self->file = H5Fcreate(self->path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    h5_drop(access);
    if (self->file < 0)
        return 0;
    particles = h5_group(self->file, "particles");
    bodies = h5_group(particles, "bodies");
    ok = write_metadata(self) && make_names(self) && bodies >= 0 && write_box(self, bodies, b);
    ok = ok && make_elements(self, bodies, b);
    if (ok && self->has_solids)
        ok = h5_write_shapes(self->host, self->scene, self->file, b, self->config->tolerance);
    h5_drop(bodies);
    h5_drop(particles);
    return ok;
}

/* ---- frames ---- */

static void gather_field(hdf5 *self, const scree_used_field *field, uint32_t first, uint32_t n)
{
    for (uint32_t r = 0; r < n; r++)
        for (uint32_t k = 0; k < field->components; k++)
            self->buffer.real[r * field->components + k] = field->v[k][self->order[first + r]];
}

/* 0: the host refuses a value. */
static int gather(hdf5 *self, const scree_view *view, uint32_t e, uint32_t first, uint32_t n)
{
    uint32_t width = width_of(self, e);
    if (is_field(e)) {
        gather_field(self, view->bodies->used[e - N_ELEMENTS], first, n);
        return 1;
    }
    for (uint32_t r = 0; r < n; r++) {
        uint32_t i = self->order[first + r];
        double real[WIDEST] = {0.0, 0.0, 0.0, 0.0};
        int64_t whole[WIDEST] = {0, 0, 0, 0};
        if (e == GROUP)
            whole[0] = self->group[i];
        else if (h5_elements[e].get(view, i, real, whole) != SCREE_OK)
            return 0;
        for (uint32_t k = 0; k < width; k++) {
            if (h5_elements[e].is_real)
                self->buffer.real[r * width + k] = real[k];
            else
                self->buffer.whole[r * width + k] = whole[k];
        }
    }
    return 1;
}

static int write_element(hdf5 *self, const scree_view *view, uint32_t e)
{
    uint32_t width = width_of(self, e), most = most_rows(width);
    int rank = width > 1 ? 3 : 2;
    const hsize_t size[3] = {self->n_frames + 1, self->n_rows, width};
    hid_t space;
    int ok = H5Dset_extent(self->values[e], size) >= 0;
    space = H5Dget_space(self->values[e]);
    for (uint32_t first = 0; first < self->n && ok; first += most) {
        uint32_t n = self->n - first < most ? self->n - first : most;
        const hsize_t at[3] = {self->n_frames, first, 0}, count[3] = {1, n, width};
        hid_t memory = H5Screate_simple(rank, count, NULL);
        ok = gather(self, view, e, first, n) &&
             H5Sselect_hyperslab(space, H5S_SELECT_SET, at, NULL, count, NULL) >= 0 &&
             H5Dwrite(self->values[e], is_real(e) ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64, memory,
                      space, H5P_DEFAULT, &self->buffer) >= 0;
        h5_drop(memory);
    }
    h5_drop(space);
    return ok;
}

static int write_names(hdf5 *self)
{
    hid_t type;
    int ok;
    if (self->n_names == self->n_names_written)
        return 1;
    type = h5_text_type(NAME_SIZE);
    ok = type >= 0 && h5_append(self->names, type, 0, self->n_names, self->group_names);
    self->n_names_written = self->n_names;
    h5_drop(type);
    return ok;
}

/* Reserves space for all data of the next flush. */
static int reserve(hdf5 *self)
{
    haddr_t end = 0;
    if (H5Fget_eoa(self->file, &end) < 0)
        return 0;
    do
        self->no_space = posix_fallocate(self->fd, 0, (off_t)end);
    while (self->no_space == EINTR);
    return self->no_space == 0;
}

static int write_frame(hdf5 *self, const scree_view *view)
{
    int64_t step = (int64_t)view->step;
    int ok = write_names(self);
    self->n_rows = self->n > self->n_rows ? self->n : self->n_rows;
    for (uint32_t e = 0; e < count_columns(self) && ok; e++)
        if (self->values[e] >= 0)
            ok = write_element(self, view, e);
    ok = ok && h5_append(self->step, H5T_NATIVE_INT64, self->n_frames, 1, &step) &&
         h5_append(self->time, H5T_NATIVE_DOUBLE, self->n_frames, 1, &view->time) &&
         reserve(self) && H5Fflush(self->file, H5F_SCOPE_GLOBAL) >= 0;
    self->n_frames += (hsize_t)ok;
    return ok;
}

/* Number of a group's name; -1: out of memory. */
static int64_t find_name(hdf5 *self, const char *name)
{
    char cut[NAME_SIZE] = "";
    snprintf(cut, sizeof cut, "%s", name);
    for (uint32_t k = 0; k < self->n_names; k++)
        if (strcmp(self->group_names[k], cut) == 0)
            return k;
    if (!scree_grow(&self->group_names, &self->name_capacity, self->n_names + 1, NAME_SIZE))
        return -1;
    memcpy(self->group_names[self->n_names], cut, NAME_SIZE);
    return self->n_names++;
}

typedef struct numbered {
    uint64_t id;
    uint32_t body, reserved;
} numbered;

static int compare_numbered(const void *a, const void *b)
{
    const numbered *one = a, *other = b;
    return one->id < other->id ? -1 : one->id > other->id;
}

/* Sorts the bodies that are written by id. 0: out of memory. */
static int sort_bodies(hdf5 *self, const scree_bodies *b)
{
    int sorted = 1;
    numbered *by_id;
    self->n = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        if (b->shapes[b->shape[i]]->flags & (SCREE_CAP_WALL | SCREE_CAP_INFINITE))
            continue;
        sorted &= self->n == 0 || b->id[self->order[self->n - 1]] < b->id[i];
        self->order[self->n++] = i;
    }
    if (sorted)
        return 1;
    by_id = malloc(self->n * sizeof *by_id);
    if (!by_id)
        return 0;
    for (uint32_t r = 0; r < self->n; r++)
        by_id[r] = (numbered){b->id[self->order[r]], self->order[r], 0};
    qsort(by_id, self->n, sizeof *by_id, compare_numbered);
    for (uint32_t r = 0; r < self->n; r++)
        self->order[r] = by_id[r].body;
    free(by_id);
    return 1;
}

static int find_bodies(hdf5 *self, const scree_view *view)
{
    const scree_bodies *b = view->bodies;
    uint32_t last = SCREE_NONE;
    int64_t number = -1;
    if (!scree_grow(&self->order, &self->order_capacity, (uint64_t)b->n + 1, sizeof *self->order) ||
        !scree_grow(&self->group, &self->group_capacity, (uint64_t)b->n + 1, sizeof *self->group) ||
        !sort_bodies(self, b))
        return 0;
    for (uint32_t r = 0; r < self->n; r++) {
        uint32_t i = self->order[r];
        if (number < 0 || b->group[i] != last) {
            last = b->group[i];
            number = find_name(self, group_name(self->scene, last));
        }
        if (number < 0)
            return 0;
        self->group[i] = number;
    }
    return 1;
}

static int32_t close_file(hdf5 *self)
{
    hid_t file = self->file;
    int32_t status = SCREE_OK;
    self->file = -1; // closing the file closes all objects in it
    if (file >= 0)
        heed(self);
    if (file >= 0 && H5Fclose(file) < 0)
        status = fail_hdf5(self, "close");
    if (self->fd >= 0)
        close(self->fd);
    self->fd = -1;
    return status;
}

/* A frame has failed: the file stays as it was, see above. */
static int32_t abandon(hdf5 *self, const char *what)
{
    int32_t status = fail_hdf5(self, what);
    self->file = -1;
    close_file(self);
    return status;
}

/* Writes the first frame: the file gets its name when this frame is complete, and grows after
 * that. */
static int32_t start(hdf5 *self, const scree_view *view)
{
    char name[4096];
    int32_t fd, status, closed;
    snprintf(name, sizeof name, "%s.h5", self->config->file);
    self->has_image = view->bodies->cell->repeats != 0;
    self->has_solids = h5_has_solids(view->bodies);
    status = self->output->open(self->output->ctx, name, &fd);
    if (status != SCREE_OK)
        return status;
    self->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (self->fd < 0)
        status = scree_failf(self->host, SCREE_E_IO, "cannot write %s: %s", name, strerror(errno));
    else if (!make_file(self, view->bodies) || !write_frame(self, view))
        status = abandon(self, "first frame");
    closed = self->output->close(self->output->ctx, fd, status == SCREE_OK);
    return status != SCREE_OK ? status : closed;
}

/* Checks the numbers of components: those of the fields may differ from those of the file after a
 * swap. */
static int32_t check_fields(hdf5 *self, const scree_bodies *b)
{
    for (uint32_t f = 0; f < self->config->fields.n; f++) {
        const uint32_t n = b->used[f]->components;
        if (self->file < 0)
            self->components[f] = n;
        if (h5_is_repeated(b, f))
            return scree_failf(self->host, SCREE_E_CONFIG, "`fields` names %s/%s twice",
                               b->used[f]->slot, b->used[f]->name);
        if (n != self->components[f])
            return scree_failf(self->host, SCREE_E_CONFIG,
                               "the field %s has %" PRIu32 " components now, and had %" PRIu32
                               " when the file began",
                               self->config->fields.v[f], n, self->components[f]);
    }
    return SCREE_OK;
}

static int32_t observe(void *instance, const scree_view *view)
{
    hdf5 *self = instance;
    int32_t same = check_fields(self, view->bodies);
    if (same != SCREE_OK)
        return same;
    if (!has_room() || !find_bodies(self, view))
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for a frame");
    heed(self);
    if (self->file < 0)
        return start(self, view);
    return write_frame(self, view) ? SCREE_OK : abandon(self, "frame");
}

static int32_t finish(void *instance, const scree_view *view)
{
    (void)view;
    return close_file(instance);
}

static void free_memory(hdf5 *self)
{
    free(self->order);
    free(self->group);
    free(self->group_names);
    free(self->values);
    free(self->components);
    free(self);
}

static void destroy(void *instance)
{
    hdf5 *self = instance;
    if (!self)
        return;
    // Without finish the run has failed: frames until then are kept.
    if (close_file(self) != SCREE_OK)
        scree_logf(self->host, SCREE_LOG_WARNING, "%s.h5 could not be closed", self->config->file);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    free_memory(self);
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    const hdf5_config *given = config;
    const scree_output *output = host->get_service(host->ctx, SCREE_SERVICE_OUTPUT);
    hdf5 *self;
    if (!output)
        return host->fail(host->ctx, SCREE_E_UNSUPPORTED,
                          "the host offers no " SCREE_SERVICE_OUTPUT ": nowhere to write");
    if (!given->file[0] || strlen(given->file) > 2048)
        return scree_failf(host, SCREE_E_CONFIG,
                           "file: expected a name of 1 to 2048 letters, got \"%.60s\"",
                           given->file);
    // The library does not try again at exit to write data that could not be written.
    H5dont_atexit();
    if (given->compression && H5Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0)
        return scree_failf(host, SCREE_E_UNSUPPORTED,
                           "compression = %" PRId64 ": this libhdf5 has no deflate; 0 is allowed",
                           given->compression);
    self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->values = calloc(N_ELEMENTS + given->fields.n, sizeof *self->values);
    self->components = calloc(given->fields.n + 1, sizeof *self->components);
    if (!self->values || !self->components) {
        free_memory(self);
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    }
    self->host = host;
    self->scene = host->get_service(host->ctx, SCREE_SERVICE_NAMES);
    self->output = output;
    self->config = given;
    self->fd = -1;
    self->file = self->step = self->time = self->names = -1;
    for (uint32_t e = 0; e < count_columns(self); e++)
        self->values[e] = -1;
    *instance = self;
    return SCREE_OK;
}

SCREE_STRING_PARAM(hdf5_config, file, 0, "trajectory", "base name of the .h5 file");
SCREE_STRING_PARAM(hdf5_config, author, 0, "unknown", "author of the run; H5MD requires a name");
SCREE_INT_PARAM(hdf5_config, compression, 0, 0, 0, 9, "deflate after a byte shuffle; 0: none");
SCREE_REAL_PARAM(
    hdf5_config, tolerance, "-", SCREE_PARAM_MIN_OPEN, 0.01, 0, 0.5,
    "distance of a shape's surface from the exact one, as a share of the radius of the "
    "ball that holds it");
SCREE_STRINGS_PARAM(hdf5_config, fields, 0, SCREE_PARAM_OPTIONAL | SCREE_PARAM_FIELD,
                    "names of body fields that the file has too, \"NAME\" or \"SLOT/NAME\"");
static const scree_param *const params[] = {&param_file, &param_author, &param_compression,
                                            &param_tolerance, &param_fields};

static const scree_observer_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = destroy,
    .narrow = scree_narrow_sums,
    .observe = observe,
    .finish = finish,
};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_OBSERVER,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "hdf5",
    .version = VERSION,
    .licence = "Apache-2.0",
    .help = "trajectory of all bodies but walls as one HDF5 file in the H5MD layout",
    .summary =
        "Per frame position, image (where a boundary is periodic), velocity, force (total), "
        "angular_velocity, torque, radius, mass, id, species (material), group and motion of all "
        "bodies but walls, in the order of ids, in /particles/bodies; where the scene has shapes "
        "that are not round also orientation, scale and shape, and each shape once in "
        "/parameters/shapes; each of `fields` by name; the box; names of groups in "
        "/parameters. Where a frame has fewer bodies than another its last rows have id -1. Every "
        "frame ends with a flush.",
    .citation = "de Buyl, Colberg, Hoefling 2014, Comput. Phys. Commun. 185, 1546, "
                "doi:10.1016/j.cpc.2014.01.018",
    .config_size = sizeof(hdf5_config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
