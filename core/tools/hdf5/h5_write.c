/* SPDX-License-Identifier: Apache-2.0 */
/* Makes, writes and closes HDF5 files. */
#include "tools/hdf5/h5_write.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* HDF5 1.10.8 does not survive a failed allocation: a run without memory crashed in it. So memory
 * is asked for before each part of the work. Where HDF5 still reports a failed allocation, the
 * process ends before it closes anything. */
enum { LIBRARY_BYTES = 8 << 20 }; // tables, free lists, cache of metadata

enum { ROW_BYTES = 1 << 20 };

const scree_h5_host *scree_h5_program;

const size_t scree_h5_type_bytes[] = {[SCREE_H5_U8] = 1,
                                      [SCREE_H5_U32] = 4,
                                      [SCREE_H5_I32] = 4,
                                      [SCREE_H5_U64] = 8,
                                      [SCREE_H5_F64] = 8};

hid_t scree_h5_file_type(scree_h5_type type)
{
    const hid_t types[] = {[SCREE_H5_U8] = H5T_STD_U8LE,
                           [SCREE_H5_U32] = H5T_STD_U32LE,
                           [SCREE_H5_I32] = H5T_STD_I32LE,
                           [SCREE_H5_U64] = H5T_STD_U64LE,
                           [SCREE_H5_F64] =
                               H5T_IEEE_F64LE}; // in memory as well: the host is little-endian
    return types[type];
}

static herr_t find_shortage(unsigned n, const H5E_error2_t *error, void *user)
{
    return error->min_num == H5E_NOSPACE || error->min_num == H5E_CANTALLOC;
}

/* ---- the file ---- */

void scree_h5_fail(scree_h5 *h5, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    if (!h5->error)
        h5->error = g_error_new(SCREE_ERROR, SCREE_EXIT_RUN, "%s/: %s", h5->place->str, text);
}

/** Called each time a function of HDF5 fails. */
static herr_t on_failure(hid_t stack, void *user)
{
    if (H5Ewalk2(stack, H5E_WALK_DOWNWARD, find_shortage, NULL) > 0)
        scree_h5_program->need_memory(SCREE_H5_DATASET_BYTES,
                                      "a checkpoint"); // a damaged file also asks for too much
    return 0;
}

void scree_h5_prepare(void)
{
    scree_h5_program->need_memory(LIBRARY_BYTES, "a checkpoint");
    H5Eset_auto2(H5E_DEFAULT, on_failure, NULL);
}

static int file_descriptor(hid_t file)
{
    void *handle = NULL;
    return H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) >= 0 && handle ? *(const int *)handle : -1;
}

/** Takes room on the disk for the file as it is now, so that HDF5 does not run out of it. */
static bool reserve_room(scree_h5 *h5)
{
    hsize_t size = 0;
    const int fd = file_descriptor(h5->file);
    if (fd < 0 || H5Fget_filesize(h5->file, &size) < 0)
        scree_h5_fail(h5, "the size of the file is not known");
    if (h5->error || (off_t)size <= h5->reserved)
        return !h5->error;
    const int number = posix_fallocate(fd, h5->reserved, (off_t)size - h5->reserved);
    if (number)
        h5->error = g_error_new_literal(SCREE_ERROR, SCREE_EXIT_RUN, g_strerror(number));
    h5->reserved = (off_t)size;
    return number == 0;
}

/** Points the descriptor of a failed file to /dev/null: HDF5 writes to it again, and does not end
 * well if that fails. */
static void divert_file(const scree_h5 *h5)
{
    const int fd = file_descriptor(h5->file), nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (fd >= 0 && nowhere >= 0)
        dup2(nowhere, fd);
    if (nowhere >= 0)
        close(nowhere);
}

static void close_file(scree_h5 *h5)
{
    if (h5->writing && h5->error && h5->file >= 0)
        divert_file(h5);
    while (h5->depth)
        H5Gclose(h5->group[h5->depth--]);
    if (h5->group[0] >= 0)
        H5Gclose(h5->group[0]);
    if (h5->file >= 0 && H5Fclose(h5->file) < 0 && h5->writing)
        scree_h5_fail(h5, "HDF5 cannot end the file");
    h5->file = H5I_INVALID_HID;
}

void scree_h5_free(scree_h5 *h5)
{
    if (h5->file >= 0)
        close_file(h5);
    g_string_free(h5->place, TRUE);
    g_clear_error(&h5->error);
    g_free(h5);
}

scree_h5 *scree_h5_take_file(hid_t file, bool writing, const char *refusal, GError **error)
{
    scree_h5 *h5 = g_new0(scree_h5, 1);
    *h5 = (scree_h5){.writing = writing, .place = g_string_new(NULL), .file = file};
    h5->group[0] = file >= 0 ? H5Gopen2(file, "/", H5P_DEFAULT) : H5I_INVALID_HID;
    if (h5->group[0] >= 0)
        return h5;
    g_set_error_literal(error, SCREE_ERROR, SCREE_EXIT_RUN, refusal);
    scree_h5_free(h5);
    return NULL;
}

scree_h5 *scree_h5_create(const char *path, GError **error)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666); // HDF5 would not give the
                                                                         // reason
    if (fd < 0) {
        g_set_error_literal(error, SCREE_ERROR, SCREE_EXIT_RUN, g_strerror(errno));
        return NULL;
    }
    close(fd);
    scree_h5_prepare();
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), create = H5Pcreate(H5P_FILE_CREATE);
    hid_t file = H5I_INVALID_HID;
#if H5_VERSION_GE(1, 10, 7)
    H5Pset_file_locking(access, false, true); // only one run writes into a folder
#endif
    if (H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V110) >= 0 &&
        H5Pset_userblock(create, SCREE_H5_HEAD) >= 0 && H5Pset_obj_track_times(create, false) >= 0)
        file = H5Fcreate(path, H5F_ACC_TRUNC, create, access);
    H5Pclose(access);
    H5Pclose(create);
    return scree_h5_take_file(file, true, "HDF5 cannot make the file", error);
}

bool scree_h5_end(scree_h5 *h5, GError **error)
{
    if (!h5->error && reserve_room(h5) && H5Fflush(h5->file, H5F_SCOPE_GLOBAL) < 0)
        scree_h5_fail(h5, "HDF5 cannot write the file");
    close_file(h5);
    if (h5->error && error)
        *error = g_error_copy(h5->error);
    return !h5->error;
}

/* ---- groups, attributes, datasets ---- */

hid_t scree_h5_here(const scree_h5 *h5)
{
    return h5->group[h5->depth];
}

void scree_h5_leave(scree_h5 *h5)
{
    if (h5->error)
        return;
    H5Gclose(h5->group[h5->depth--]);
    g_string_truncate(h5->place, h5->place_length[h5->depth]);
}

void scree_h5_write_attribute(scree_h5 *h5, const char *name, hid_t type, const void *value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t at = H5Acreate2(scree_h5_here(h5), name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (at < 0 || H5Awrite(at, type, value) < 0)
        scree_h5_fail(h5, "the attribute %s cannot be written", name);
    if (at >= 0)
        H5Aclose(at);
    H5Sclose(space);
}

hid_t scree_h5_text_type(size_t bytes)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, bytes);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

void scree_h5_write_text(scree_h5 *h5, const char *name, const char *text)
{
    size_t bytes = strlen(text);
    if (bytes > SCREE_H5_TEXT) {
        scree_h5_fail(h5, "the text of %s is longer than %d bytes", name, SCREE_H5_TEXT);
        return;
    }
    hid_t type = scree_h5_text_type(MAX(bytes, 1));
    scree_h5_write_attribute(h5, name, type, text);
    H5Tclose(type);
}

/** Makes a dataset with its bytes in one piece: the SHA-256 of the file finds all damage, and
 * packing numbers took longer than writing them. */
static hid_t make_array(scree_h5 *h5, const char *name, scree_h5_type type, const hsize_t extent[2])
{
    scree_h5_program->need_memory(SCREE_H5_DATASET_BYTES, "a checkpoint");
    hid_t space = H5Screate_simple(2, extent, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(how, false);
    H5Pset_layout(how, H5D_CONTIGUOUS);
    H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(how, H5D_FILL_TIME_NEVER);
    hid_t set = H5Dcreate2(scree_h5_here(h5), name, scree_h5_file_type(type), space, H5P_DEFAULT,
                           how, H5P_DEFAULT);
    H5Pclose(how);
    H5Sclose(space);
    if (set < 0)
        scree_h5_fail(h5, "the dataset %s cannot be made", name);
    return set;
}

/** Writes n rows, starting at row `first`. */
static bool write_rows(hid_t set, scree_h5_type type, hsize_t columns, hsize_t first, hsize_t n,
                       const void *data)
{
    const hsize_t begin[2] = {first, 0}, extent[2] = {n, columns};
    hid_t to = H5Dget_space(set), from = H5Screate_simple(2, extent, NULL);
    bool good = H5Sselect_hyperslab(to, H5S_SELECT_SET, begin, NULL, extent, NULL) >= 0 &&
                H5Dwrite(set, scree_h5_file_type(type), from, to, H5P_DEFAULT, data) >= 0;
    H5Sclose(to);
    H5Sclose(from);
    return good;
}

void scree_h5_write_array(scree_h5 *h5, const char *name, scree_h5_type type,
                          const hsize_t extent[2], scree_h5_fill fill, void *data)
{
    hid_t set = make_array(h5, name, type, extent);
    bool good = set >= 0 && reserve_room(h5);
    const size_t row = extent[1] * scree_h5_type_bytes[type];
    const hsize_t some = fill ? MAX(1, ROW_BYTES / row) : extent[0];
    g_autofree void *rows = good && fill ? g_malloc(MIN(some, extent[0]) * row) : NULL;
    for (hsize_t first = 0; good && first < extent[0]; first += some) {
        const hsize_t n = MIN(some, extent[0] - first);
        if (fill)
            fill(data, first, n, rows);
        good = write_rows(set, type, extent[1], first, n, fill ? rows : data);
    }
    if (set >= 0 && H5Dclose(set) < 0)
        good = false;
    if (!good && !h5->error)
        scree_h5_fail(h5, "the dataset %s cannot be written", name);
}
