/* SPDX-License-Identifier: Apache-2.0 */
/* Opens HDF5 files, and reads or writes their groups, attributes and datasets. */
#include "tools/hdf5/h5_values.h"

#include <string.h>

#include "tools/hdf5/h5_write.h"

enum { CHUNK_BYTES = 1 << 18 };

scree_h5 *scree_h5_open(const char *path, GError **error)
{
    scree_h5_prepare();
    H5PLset_loading_state(0); // a filter would be code from outside
    return scree_h5_take_file(H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), false,
                              "HDF5 cannot read it", error);
}

/* ---- groups ---- */

/** Whether the object is in this file: links may lead to any other file. */
static bool is_own(const scree_h5 *h5, const char *name)
{
    H5L_info_t link;
    return H5Lget_info(scree_h5_here(h5), name, &link, H5P_DEFAULT) >= 0 &&
           link.type == H5L_TYPE_HARD;
}

bool scree_h5_has(const scree_h5 *h5, const char *name)
{
    return !h5->error && H5Lexists(scree_h5_here(h5), name, H5P_DEFAULT) > 0;
}

void scree_h5_group(scree_h5 *h5, const char *name)
{
    if (h5->error)
        return;
    g_assert(h5->depth + 1 < SCREE_H5_GROUPS);
    hid_t group = h5->writing
                      ? H5Gcreate2(scree_h5_here(h5), name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)
                  : is_own(h5, name) ? H5Gopen2(scree_h5_here(h5), name, H5P_DEFAULT)
                                     : H5I_INVALID_HID;
    if (group < 0) {
        scree_h5_fail(h5, "the group %s %s", name, h5->writing ? "cannot be made" : "is missing");
        return;
    }
    h5->place_length[h5->depth] = h5->place->len;
    g_string_append_printf(h5->place, "/%s", name);
    h5->group[++h5->depth] = group;
}

/* ---- attributes ---- */

/** Opens an attribute with one element of that class. False: it is missing. */
static bool open_attribute(scree_h5 *h5, const char *name, H5T_class_t class, hid_t *at,
                           hid_t *type)
{
    *type = H5I_INVALID_HID;
    *at = H5Aopen(scree_h5_here(h5), name, H5P_DEFAULT);
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
        scree_h5_write_attribute(h5, name, scree_h5_file_type(kind), value);
        return;
    }
    bool good =
        open_attribute(h5, name, kind == SCREE_H5_F64 ? H5T_FLOAT : H5T_INTEGER, &at, &type);
    if (!good || H5Tequal(type, scree_h5_file_type(kind)) <= 0 ||
        H5Aread(at, scree_h5_file_type(kind), value) < 0)
        scree_h5_fail(h5, "the attribute %s is missing, or of another type", name);
    close_attribute(at, type);
}

void scree_h5_u64(scree_h5 *h5, const char *name, uint64_t *value)
{
    number_attribute(h5, name, SCREE_H5_U64, value);
}

void scree_h5_count(scree_h5 *h5, const char *name, uint64_t *value, uint64_t max)
{
    scree_h5_u64(h5, name, value);
    if (h5->error || *value <= max)
        return;
    scree_h5_fail(h5, "%s: expected at most %" G_GUINT64_FORMAT ", got %" G_GUINT64_FORMAT, name,
                  max, *value);
    *value = 0;
}

void scree_h5_u32(scree_h5 *h5, const char *name, uint32_t *value, uint32_t max)
{
    uint64_t wide = *value;
    scree_h5_count(h5, name, &wide, max);
    *value = (uint32_t)wide;
}

void scree_h5_real(scree_h5 *h5, const char *name, double *value)
{
    number_attribute(h5, name, SCREE_H5_F64, value);
}

void scree_h5_text(scree_h5 *h5, const char *name, char **text)
{
    hid_t at, type;
    if (h5->error)
        return;
    if (h5->writing) {
        scree_h5_write_text(h5, name, *text ? *text : "");
        return;
    }
    *text = NULL;
    if (open_attribute(h5, name, H5T_STRING, &at, &type) && H5Tis_variable_str(type) == 0 &&
        H5Tget_size(type) <= SCREE_H5_TEXT) {
        size_t bytes = H5Tget_size(type);
        hid_t memory = scree_h5_text_type(MAX(bytes, 1));
        *text = g_malloc0(bytes + 1);
        if (H5Aread(at, memory, *text) < 0 || !g_utf8_validate(*text, -1, NULL))
            g_clear_pointer(text, g_free);
        H5Tclose(memory);
    }
    close_attribute(at, type);
    if (!*text)
        scree_h5_fail(h5, "the text %s is missing, or not UTF-8", name);
}

/* ---- datasets ---- */

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
    double bytes = (double)extent[0] * (double)extent[1] * (double)scree_h5_type_bytes[type];
    bool plain = how >= 0 && is_plain(set, how, bytes);
    bool good =
        how >= 0 && H5Pget_layout(how) == H5D_CHUNKED && H5Pget_chunk(how, 2, chunk) == 2 &&
        H5Pget_nfilters(how) <= MOST_FILTERS && chunk[1] == extent[1] &&
        (chunk[0] <= 1 ||
         (double)chunk[0] * (double)chunk[1] * (double)scree_h5_type_bytes[type] <= CHUNK_BYTES) &&
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
    hid_t set = is_own(h5, name) ? H5Dopen2(scree_h5_here(h5), name, H5P_DEFAULT) : H5I_INVALID_HID;
    hid_t space = set >= 0 ? H5Dget_space(set) : H5I_INVALID_HID;
    hid_t is = set >= 0 ? H5Dget_type(set) : H5I_INVALID_HID;
    bool good = space >= 0 && is >= 0 && H5Sget_simple_extent_ndims(space) == 2 &&
                H5Sget_simple_extent_dims(space, extent, NULL) == 2 &&
                H5Tequal(is, scree_h5_file_type(type)) > 0;
    if (space >= 0)
        H5Sclose(space);
    if (is >= 0)
        H5Tclose(is);
    if (good)
        return set;
    if (set >= 0)
        H5Dclose(set);
    scree_h5_fail(h5, "the dataset %s is missing, or of another type", name);
    return H5I_INVALID_HID;
}

/** Reads a dataset into `memory`, or (NULL) into a new array. */
static void *read_array(scree_h5 *h5, const char *name, scree_h5_type type, const hsize_t extent[2],
                        void *memory)
{
    hsize_t is[2] = {0, 0};
    const size_t bytes = extent[0] * extent[1] * scree_h5_type_bytes[type];
    hid_t set = open_array(h5, name, type, is);
    void *data = NULL;
    if (set < 0)
        return NULL;
    if (is[0] != extent[0] || is[1] != extent[1])
        scree_h5_fail(h5,
                      "the dataset %s has %" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT
                      " elements, expected %" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT,
                      name, (uint64_t)is[0], (uint64_t)is[1], (uint64_t)extent[0],
                      (uint64_t)extent[1]);
    else if (!is_stored(set, type, is))
        scree_h5_fail(
            h5,
            "the dataset %s is not stored as it was written: expected the bytes of all of "
            "its %" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT " elements",
            name, (uint64_t)is[0], (uint64_t)is[1]);
    else {
        scree_h5_program->need_memory((memory ? 0 : bytes) + SCREE_H5_DATASET_BYTES,
                                      "a checkpoint");
        data = memory ? memory : g_try_malloc_n(extent[0], extent[1] * scree_h5_type_bytes[type]);
        if (!data)
            scree_h5_program->out_of_memory(bytes, NULL);
        else if (H5Dread(set, scree_h5_file_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)
            scree_h5_fail(h5, "the dataset %s cannot be read, or its checksum is wrong", name);
    }
    H5Dclose(set);
    if (!h5->error || data == memory)
        return data;
    g_free(data);
    return NULL;
}

void scree_h5_rows(scree_h5 *h5, const char *name, scree_h5_type type, uint64_t rows,
                   uint64_t columns, scree_h5_fill fill, void *user)
{
    const hsize_t extent[2] = {rows, columns};
    if (!h5->error && rows && columns)
        scree_h5_write_array(h5, name, type, extent, fill, user);
}

void scree_h5_memory(scree_h5 *h5, const char *name, scree_h5_type type, uint64_t rows,
                     uint64_t columns, void *memory)
{
    const hsize_t extent[2] = {rows, columns};
    if (h5->error || !rows || !columns)
        return;
    if (h5->writing)
        scree_h5_write_array(h5, name, type, extent, NULL, memory);
    else
        read_array(h5, name, type, extent, memory);
}

void scree_h5_array(scree_h5 *h5, const char *name, scree_h5_type type, uint64_t rows,
                    uint64_t columns, void *data)
{
    const hsize_t extent[2] = {rows, columns};
    void *array;
    if (h5->error)
        return;
    memcpy(&array, data, sizeof array);
    if (h5->writing) {
        scree_h5_memory(h5, name, type, rows, columns, array);
        return;
    }
    array = rows && columns ? read_array(h5, name, type, extent, NULL) : g_malloc0(1);
    memcpy(data, &array, sizeof array);
}

void scree_h5_blob(scree_h5 *h5, const char *name, char **text)
{
    uint64_t n = h5->writing ? strlen(*text) : 0;
    g_autofree char *bytes_name = g_strconcat(name, "_bytes", NULL);
    scree_h5_count(h5, bytes_name, &n, INT32_MAX);
    if (h5->writing) {
        scree_h5_array(h5, name, SCREE_H5_U8, n, 1, text);
        return;
    }
    g_autofree char *bytes = NULL;
    scree_h5_array(h5, name, SCREE_H5_U8, n, 1, &bytes);
    *text = h5->error ? NULL : g_strndup(bytes, n);
    if (*text && strlen(*text) != n)
        scree_h5_fail(h5, "the text %s holds a NUL", name);
}
