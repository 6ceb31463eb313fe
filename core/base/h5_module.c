/* SPDX-License-Identifier: Apache-2.0 */
/* The module scree-hdf5.so, which h5io.c loads: it reads and writes HDF5 files. */
#include "base/h5io.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <string.h>
#include <unistd.h>

#include "build_config.h"

/* HDF5 1.10.8 does not survive a failed allocation: a run without memory crashed in it. So memory
 * is asked for before each part of the work. Where HDF5 still reports a failed allocation, the
 * process ends before it closes anything. */
enum {
    LIBRARY_BYTES = 8 << 20, // tables, free lists, cache of metadata
    DATASET_BYTES = 4 << 20, // cache of chunks, filters
};

enum { MOST_GROUPS = 8, CHUNK_BYTES = 1 << 18, ROW_BYTES = 1 << 20, LONGEST_TEXT = 1 << 15 };

typedef struct scree_h5_store {
    hid_t file;
    hid_t group[MOST_GROUPS]; // group[0] is the root
    size_t place_length[MOST_GROUPS];
    unsigned depth;
    off_t reserved; // [bytes] of the file for which the disk has room
} scree_h5_store;

/** Functions of the program that loads this module. */
static const scree_h5_host *host;

static const size_t type_bytes[] = {[SCREE_H5_U8] = 1,
                                    [SCREE_H5_U32] = 4,
                                    [SCREE_H5_I32] = 4,
                                    [SCREE_H5_U64] = 8,
                                    [SCREE_H5_F64] = 8};

static hid_t file_type(scree_h5_type type)
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

G_GNUC_PRINTF(2, 3)
static void fail(scree_h5 *h5, const char *format, ...)
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
        host->need_memory(DATASET_BYTES,
                          "a checkpoint"); // a damaged file also asks for too much
    return 0;
}

/** Called before other functions of HDF5; errors are reported here, not by HDF5. */
static void prepare_library(const scree_h5_host *functions)
{
    host = functions;
    host->need_memory(LIBRARY_BYTES, "a checkpoint");
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
    scree_h5_store *store = h5->store;
    hsize_t size = 0;
    const int fd = file_descriptor(store->file);
    if (fd < 0 || H5Fget_filesize(store->file, &size) < 0)
        fail(h5, "the size of the file is not known");
    if (h5->error || (off_t)size <= store->reserved)
        return !h5->error;
    const int number = posix_fallocate(fd, store->reserved, (off_t)size - store->reserved);
    if (number)
        h5->error = g_error_new_literal(SCREE_ERROR, SCREE_EXIT_RUN, g_strerror(number));
    store->reserved = (off_t)size;
    return number == 0;
}

/** Points the descriptor of a failed file to /dev/null: HDF5 writes to it again, and does not end
 * well if that fails. */
static void divert_file(const scree_h5 *h5)
{
    const int fd = file_descriptor(h5->store->file),
              nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (fd >= 0 && nowhere >= 0)
        dup2(nowhere, fd);
    if (nowhere >= 0)
        close(nowhere);
}

static void close_file(scree_h5 *h5)
{
    scree_h5_store *store = h5->store;
    if (h5->writing && h5->error && store->file >= 0)
        divert_file(h5);
    while (store->depth)
        H5Gclose(store->group[store->depth--]);
    if (store->group[0] >= 0)
        H5Gclose(store->group[0]);
    if (store->file >= 0 && H5Fclose(store->file) < 0 && h5->writing)
        fail(h5, "HDF5 cannot end the file");
    g_free(store);
    h5->store = NULL;
}

static void free_h5(scree_h5 *h5)
{
    if (h5->store)
        close_file(h5);
    g_string_free(h5->place, TRUE);
    g_clear_error(&h5->error);
    g_free(h5);
}

/** Wraps an open file. NULL, with `refusal` as the error: the file is missing, or has no root. */
static scree_h5 *take_file(hid_t file, bool writing, const char *refusal, GError **error)
{
    scree_h5 *h5 = g_new0(scree_h5, 1);
    *h5 = (scree_h5){.io = &scree_hdf5,
                     .writing = writing,
                     .place = g_string_new(NULL),
                     .store = g_new0(scree_h5_store, 1)};
    h5->store->file = file;
    h5->store->group[0] = file >= 0 ? H5Gopen2(file, "/", H5P_DEFAULT) : H5I_INVALID_HID;
    if (h5->store->group[0] >= 0)
        return h5;
    g_set_error_literal(error, SCREE_ERROR, SCREE_EXIT_RUN, refusal);
    free_h5(h5);
    return NULL;
}

static scree_h5 *create_file(const scree_h5_host *functions, const char *path, GError **error)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666); // HDF5 would not give the
                                                                         // reason
    if (fd < 0) {
        g_set_error_literal(error, SCREE_ERROR, SCREE_EXIT_RUN, g_strerror(errno));
        return NULL;
    }
    close(fd);
    prepare_library(functions);
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
    return take_file(file, true, "HDF5 cannot make the file", error);
}

static bool end_file(scree_h5 *h5, GError **error)
{
    if (!h5->error && reserve_room(h5) && H5Fflush(h5->store->file, H5F_SCOPE_GLOBAL) < 0)
        fail(h5, "HDF5 cannot write the file");
    close_file(h5);
    if (h5->error && error)
        *error = g_error_copy(h5->error);
    return !h5->error;
}

static scree_h5 *open_file(const scree_h5_host *functions, const char *path, GError **error)
{
    prepare_library(functions);
    H5PLset_loading_state(0); // a filter would be code from outside
    return take_file(H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), false, "HDF5 cannot read it",
                     error);
}

/* ---- groups ---- */

static hid_t here(const scree_h5 *h5)
{
    return h5->store->group[h5->store->depth];
}

/** Whether the object is in this file: links may lead to any other file. */
static bool is_own(const scree_h5 *h5, const char *name)
{
    H5L_info_t link;
    return H5Lget_info(here(h5), name, &link, H5P_DEFAULT) >= 0 && link.type == H5L_TYPE_HARD;
}

static bool has_name(const scree_h5 *h5, const char *name)
{
    return !h5->error && H5Lexists(here(h5), name, H5P_DEFAULT) > 0;
}

static void enter_group(scree_h5 *h5, const char *name)
{
    if (h5->error)
        return;
    g_assert(h5->store->depth + 1 < MOST_GROUPS);
    hid_t group = h5->writing ? H5Gcreate2(here(h5), name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)
                  : is_own(h5, name) ? H5Gopen2(here(h5), name, H5P_DEFAULT)
                                     : H5I_INVALID_HID;
    if (group < 0) {
        fail(h5, "the group %s %s", name, h5->writing ? "cannot be made" : "is missing");
        return;
    }
    h5->store->place_length[h5->store->depth] = h5->place->len;
    g_string_append_printf(h5->place, "/%s", name);
    h5->store->group[++h5->store->depth] = group;
}

static void leave_group(scree_h5 *h5)
{
    if (h5->error)
        return;
    H5Gclose(h5->store->group[h5->store->depth--]);
    g_string_truncate(h5->place, h5->store->place_length[h5->store->depth]);
}

/* ---- attributes ---- */

static void write_attribute(scree_h5 *h5, const char *name, hid_t type, const void *value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t at = H5Acreate2(here(h5), name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (at < 0 || H5Awrite(at, type, value) < 0)
        fail(h5, "the attribute %s cannot be written", name);
    if (at >= 0)
        H5Aclose(at);
    H5Sclose(space);
}

/** Opens an attribute with one element of that class. False: it is missing. */
static bool open_attribute(scree_h5 *h5, const char *name, H5T_class_t class, hid_t *at,
                           hid_t *type)
{
    *type = H5I_INVALID_HID;
    *at = H5Aopen(here(h5), name, H5P_DEFAULT);
    hid_t space = *at >= 0 ? H5Aget_space(*at) : H5I_INVALID_HID;
    if (*at >= 0)
        *type = H5Aget_type(*at);
    bool good = space >= 0 && *type >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
                H5Tget_class(*type) == class;
    if (space >= 0)
        H5Sclose(space);
    return good;
}

static void close_attribute(hid_t at, hid_t type)
{
    if (type >= 0)
        H5Tclose(type);
    if (at >= 0)
        H5Aclose(at);
}

static void number_attribute(scree_h5 *h5, const char *name, scree_h5_type kind, void *value)
{
    hid_t at, type;
    if (h5->error)
        return;
    if (h5->writing) {
        write_attribute(h5, name, file_type(kind), value);
        return;
    }
    bool good =
        open_attribute(h5, name, kind == SCREE_H5_F64 ? H5T_FLOAT : H5T_INTEGER, &at, &type);
    if (!good || H5Tequal(type, file_type(kind)) <= 0 || H5Aread(at, file_type(kind), value) < 0)
        fail(h5, "the attribute %s is missing, or of another type", name);
    close_attribute(at, type);
}

static void u64_attribute(scree_h5 *h5, const char *name, uint64_t *value)
{
    number_attribute(h5, name, SCREE_H5_U64, value);
}

static void count_attribute(scree_h5 *h5, const char *name, uint64_t *value, uint64_t max)
{
    u64_attribute(h5, name, value);
    if (h5->error || *value <= max)
        return;
    fail(h5, "%s: expected at most %" G_GUINT64_FORMAT ", got %" G_GUINT64_FORMAT, name, max,
         *value);
    *value = 0;
}

static void u32_attribute(scree_h5 *h5, const char *name, uint32_t *value, uint32_t max)
{
    uint64_t wide = *value;
    count_attribute(h5, name, &wide, max);
    *value = (uint32_t)wide;
}

static void real_attribute(scree_h5 *h5, const char *name, double *value)
{
    number_attribute(h5, name, SCREE_H5_F64, value);
}

static hid_t text_type(size_t bytes)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, bytes);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

static void write_text(scree_h5 *h5, const char *name, const char *text)
{
    size_t bytes = strlen(text);
    if (bytes > LONGEST_TEXT) {
        fail(h5, "the text of %s is longer than %d bytes", name, LONGEST_TEXT);
        return;
    }
    hid_t type = text_type(MAX(bytes, 1));
    write_attribute(h5, name, type, text);
    H5Tclose(type);
}

static void text_attribute(scree_h5 *h5, const char *name, char **text)
{
    hid_t at, type;
    if (h5->error)
        return;
    if (h5->writing) {
        write_text(h5, name, *text ? *text : "");
        return;
    }
    *text = NULL;
    if (open_attribute(h5, name, H5T_STRING, &at, &type) && H5Tis_variable_str(type) == 0 &&
        H5Tget_size(type) <= LONGEST_TEXT) {
        size_t bytes = H5Tget_size(type);
        hid_t memory = text_type(MAX(bytes, 1));
        *text = g_malloc0(bytes + 1);
        if (H5Aread(at, memory, *text) < 0 || !g_utf8_validate(*text, -1, NULL))
            g_clear_pointer(text, g_free);
        H5Tclose(memory);
    }
    close_attribute(at, type);
    if (!*text)
        fail(h5, "the text %s is missing, or not UTF-8", name);
}

/* ---- datasets ---- */

/** Makes a dataset with its bytes in one piece: the SHA-256 of the file finds all damage, and
 * packing numbers took longer than writing them. */
static hid_t make_array(scree_h5 *h5, const char *name, scree_h5_type type, const hsize_t extent[2])
{
    host->need_memory(DATASET_BYTES, "a checkpoint");
    hid_t space = H5Screate_simple(2, extent, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(how, false);
    H5Pset_layout(how, H5D_CONTIGUOUS);
    H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(how, H5D_FILL_TIME_NEVER);
    hid_t set = H5Dcreate2(here(h5), name, file_type(type), space, H5P_DEFAULT, how, H5P_DEFAULT);
    H5Pclose(how);
    H5Sclose(space);
    if (set < 0)
        fail(h5, "the dataset %s cannot be made", name);
    return set;
}

/** Writes n rows, starting at row `first`. */
static bool write_rows(hid_t set, scree_h5_type type, hsize_t columns, hsize_t first, hsize_t n,
                       const void *data)
{
    const hsize_t begin[2] = {first, 0}, extent[2] = {n, columns};
    hid_t to = H5Dget_space(set), from = H5Screate_simple(2, extent, NULL);
    bool good = H5Sselect_hyperslab(to, H5S_SELECT_SET, begin, NULL, extent, NULL) >= 0 &&
                H5Dwrite(set, file_type(type), from, to, H5P_DEFAULT, data) >= 0;
    H5Sclose(to);
    H5Sclose(from);
    return good;
}

/** Writes a dataset. `fill` NULL: `data` holds all rows; otherwise fill() gets `data`. */
static void write_array(scree_h5 *h5, const char *name, scree_h5_type type, const hsize_t extent[2],
                        scree_h5_fill fill, void *data)
{
    hid_t set = make_array(h5, name, type, extent);
    bool good = set >= 0 && reserve_room(h5);
    const size_t row = extent[1] * type_bytes[type];
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
        fail(h5, "the dataset %s cannot be written", name);
}

/** Whether the file holds all bytes of a dataset, in one piece. */
static bool is_plain(hid_t set, hid_t how, double bytes)
{
    return H5Pget_layout(how) == H5D_CONTIGUOUS && H5Pget_external_count(how) == 0 &&
           (double)H5Dget_storage_size(set) == bytes;
}

/** Whether the file holds the bytes of a dataset, in one piece or in chunks, as earlier versions
 * wrote it: a false count must not make us ask for terabytes. Deflate makes at most 1032 bytes from
 * one. */
static bool is_stored(hid_t set, scree_h5_type type, const hsize_t extent[2])
{
    enum { MOST_OF_A_BYTE = 1100, MOST_FILTERS = 3 };
    hid_t how = H5Dget_create_plist(set);
    hsize_t chunk[2] = {0, 0};
    double bytes = (double)extent[0] * (double)extent[1] * (double)type_bytes[type];
    bool plain = how >= 0 && is_plain(set, how, bytes);
    bool good = how >= 0 && H5Pget_layout(how) == H5D_CHUNKED && H5Pget_chunk(how, 2, chunk) == 2 &&
                H5Pget_nfilters(how) <= MOST_FILTERS && chunk[1] == extent[1] &&
                (chunk[0] <= 1 ||
                 (double)chunk[0] * (double)chunk[1] * (double)type_bytes[type] <= CHUNK_BYTES) &&
                (double)H5Dget_storage_size(set) * MOST_OF_A_BYTE >= bytes;
    for (unsigned k = 0; good && k < (unsigned)H5Pget_nfilters(how); k++) {
        unsigned flags, config;
        size_t n = 0;
        H5Z_filter_t filter = H5Pget_filter2(how, k, &flags, &n, NULL, 0, NULL, &config);
        good = filter == H5Z_FILTER_SHUFFLE || filter == H5Z_FILTER_DEFLATE ||
               filter == H5Z_FILTER_FLETCHER32;
    }
    if (how >= 0)
        H5Pclose(how);
    return plain || good;
}

/** Opens a dataset of that type, and gives its extent. */
static hid_t open_array(scree_h5 *h5, const char *name, scree_h5_type type, hsize_t extent[2])
{
    hid_t set = is_own(h5, name) ? H5Dopen2(here(h5), name, H5P_DEFAULT) : H5I_INVALID_HID;
    hid_t space = set >= 0 ? H5Dget_space(set) : H5I_INVALID_HID;
    hid_t is = set >= 0 ? H5Dget_type(set) : H5I_INVALID_HID;
    bool good = space >= 0 && is >= 0 && H5Sget_simple_extent_ndims(space) == 2 &&
                H5Sget_simple_extent_dims(space, extent, NULL) == 2 &&
                H5Tequal(is, file_type(type)) > 0;
    if (space >= 0)
        H5Sclose(space);
    if (is >= 0)
        H5Tclose(is);
    if (good)
        return set;
    if (set >= 0)
        H5Dclose(set);
    fail(h5, "the dataset %s is missing, or of another type", name);
    return H5I_INVALID_HID;
}

/** Reads a dataset into `memory`, or (NULL) into a new array. */
static void *read_array(scree_h5 *h5, const char *name, scree_h5_type type, const hsize_t extent[2],
                        void *memory)
{
    hsize_t is[2] = {0, 0};
    const size_t bytes = extent[0] * extent[1] * type_bytes[type];
    hid_t set = open_array(h5, name, type, is);
    void *data = NULL;
    if (set < 0)
        return NULL;
    if (is[0] != extent[0] || is[1] != extent[1])
        fail(h5,
             "the dataset %s has %" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT
             " elements, expected %" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT,
             name, (uint64_t)is[0], (uint64_t)is[1], (uint64_t)extent[0], (uint64_t)extent[1]);
    else if (!is_stored(set, type, is))
        fail(h5,
             "the dataset %s is not stored as it was written: expected the bytes of all of "
             "its %" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT " elements",
             name, (uint64_t)is[0], (uint64_t)is[1]);
    else {
        host->need_memory((memory ? 0 : bytes) + DATASET_BYTES, "a checkpoint");
        data = memory ? memory : g_try_malloc_n(extent[0], extent[1] * type_bytes[type]);
        if (!data)
            host->out_of_memory(bytes, NULL);
        else if (H5Dread(set, file_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)
            fail(h5, "the dataset %s cannot be read, or its checksum is wrong", name);
    }
    H5Dclose(set);
    if (!h5->error || data == memory)
        return data;
    g_free(data);
    return NULL;
}

static void rows_dataset(scree_h5 *h5, const char *name, scree_h5_type type, uint64_t rows,
                         uint64_t columns, scree_h5_fill fill, void *user)
{
    const hsize_t extent[2] = {rows, columns};
    if (!h5->error && rows && columns)
        write_array(h5, name, type, extent, fill, user);
}

static void memory_dataset(scree_h5 *h5, const char *name, scree_h5_type type, uint64_t rows,
                           uint64_t columns, void *memory)
{
    const hsize_t extent[2] = {rows, columns};
    if (h5->error || !rows || !columns)
        return;
    if (h5->writing)
        write_array(h5, name, type, extent, NULL, memory);
    else
        read_array(h5, name, type, extent, memory);
}

static void array_dataset(scree_h5 *h5, const char *name, scree_h5_type type, uint64_t rows,
                          uint64_t columns, void *data)
{
    const hsize_t extent[2] = {rows, columns};
    void *array;
    if (h5->error)
        return;
    memcpy(&array, data, sizeof array);
    if (h5->writing) {
        memory_dataset(h5, name, type, rows, columns, array);
        return;
    }
    array = rows && columns ? read_array(h5, name, type, extent, NULL) : g_malloc0(1);
    memcpy(data, &array, sizeof array);
}

static void blob_dataset(scree_h5 *h5, const char *name, char **text)
{
    uint64_t n = h5->writing ? strlen(*text) : 0;
    g_autofree char *bytes_name = g_strconcat(name, "_bytes", NULL);
    count_attribute(h5, bytes_name, &n, INT32_MAX);
    if (h5->writing) {
        array_dataset(h5, name, SCREE_H5_U8, n, 1, text);
        return;
    }
    g_autofree char *bytes = NULL;
    array_dataset(h5, name, SCREE_H5_U8, n, 1, &bytes);
    *text = h5->error ? NULL : g_strndup(bytes, n);
    if (*text && strlen(*text) != n)
        fail(h5, "the text %s holds a NUL", name);
}

const scree_h5_io scree_hdf5 = {.version = SCREE_VERSION,
                                .size = sizeof(scree_h5_io),
                                .create = create_file,
                                .open = open_file,
                                .end = end_file,
                                .free = free_h5,
                                .fail = fail,
                                .has = has_name,
                                .group = enter_group,
                                .leave = leave_group,
                                .u64 = u64_attribute,
                                .count = count_attribute,
                                .u32 = u32_attribute,
                                .real = real_attribute,
                                .text = text_attribute,
                                .array = array_dataset,
                                .memory = memory_dataset,
                                .rows = rows_dataset,
                                .blob = blob_dataset};
