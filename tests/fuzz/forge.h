/* SPDX-License-Identifier: Apache-2.0 */
/* Code of the fuzz target of checkpoints: a good file whose content the
 * input changes, object by object, and which is then signed again. So what is tried lies behind the
 * checksum. */
#ifndef TESTS_FUZZ_FORGE_H
#define TESTS_FUZZ_FORGE_H

#include <glib/gstdio.h>
#include <hdf5.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../unit/sim_fixture.h"
#include "tools/restart/checkpoint_read.h"
#include "tools/restart/restart.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** libhdf5 keeps some headers of files whose links or groups are broken: that leak is its own. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5\n";
}

typedef struct forge_input {
    const uint8_t *at, *end;
} forge_input;

/** A good file, and the names of all that is in it: "OBJECT" or "OBJECT:ATTRIBUTE". */
typedef struct forge_seed {
    char *bytes;
    gsize n;
    GPtrArray *names;
    char state_sha256[65];
} forge_seed;

static char *forge_path; // of the file that is read

static inline uint8_t forge_next(forge_input *in)
{
    return in->at < in->end ? *in->at++ : 0;
}

static inline void forge_bytes(forge_input *in, void *to, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((uint8_t *)to)[i] = forge_next(in);
}

/** Some number: those at the edges come often. */
static inline uint64_t forge_whole(forge_input *in)
{
    static const uint64_t edges[] = {
        0,        1,        2,          31,        32,         33,         INT32_MAX,  UINT32_MAX,
        1u << 20, 1u << 21, UINT64_MAX, INT64_MAX, 4294967296, 1ull << 53, 1ull << 63, 1ull << 40};
    const uint8_t form = forge_next(in);
    uint64_t raw = 0;
    if (form < 128)
        return edges[form % G_N_ELEMENTS(edges)];
    forge_bytes(in, &raw, form < 192 ? 1 : 8);
    return raw;
}

static inline double forge_real(forge_input *in)
{
    static const double edges[] = {
        0.0,   -0.0,  1.0,    -1.0, 1e-300,           1e300,      -1e300, 1e20,
        1e-20, 1e155, -1e155, 0.5,  (double)INFINITY, (double)NAN};
    const uint8_t form = forge_next(in);
    double raw;
    if (form < 128)
        return edges[form % G_N_ELEMENTS(edges)];
    forge_bytes(in, &raw, sizeof raw);
    return raw;
}

/* ---- what is in a file ---- */

static herr_t forge_list_attribute(hid_t at, const char *name, const H5A_info_t *info, void *user)
{
    GPtrArray *names = user;
    char ours[512];
    if (H5Iget_name(at, ours, sizeof ours) > 0)
        g_ptr_array_add(names, g_strdup_printf("%s:%s", ours, name));
    return 0;
}

static herr_t forge_list_object(hid_t root, const char *name, const H5O_info_t *info, void *user)
{
    hid_t object = H5Oopen(root, name, H5P_DEFAULT);
    g_ptr_array_add(user, g_strdup(name));
    H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, forge_list_attribute, user);
    H5Oclose(object);
    return 0;
}

/** The seed from a written file; removes the file. */
static inline forge_seed forge_seed_of(const char *path)
{
    forge_seed seed = {.names = g_ptr_array_new_with_free_func(g_free)};
    g_autoptr(GError) error = NULL;
    g_autoptr(scree_checkpoint) c = scree_checkpoint_read(path, &error);
    g_assert_no_error(error);
    g_strlcpy(seed.state_sha256, c->state_sha256, sizeof seed.state_sha256);
    g_assert_true(g_file_get_contents(path, &seed.bytes, &seed.n, NULL));
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_NATIVE, forge_list_object, seed.names, H5O_INFO_BASIC);
    H5Fclose(file);
    return seed;
}

/* ---- changes ---- */

/** Some elements of a dataset, or all of an attribute, become other numbers. */
static inline void forge_values(forge_input *in, hid_t type, uint8_t *bytes, size_t n)
{
    const size_t width = H5Tget_size(type), count = width ? n / width : 0;
    const uint8_t many = forge_next(in) % 4;
    if (count)
        for (uint8_t k = 0; k <= many; k++) {
            const size_t i = (size_t)(forge_next(in) | forge_next(in) << 8) % count;
            uint8_t *at = bytes + i * width;
            const uint64_t whole = forge_whole(in);
            const double real = forge_real(in);
            const uint8_t from = forge_next(in);
            if (from < 40) // what another element has
                memcpy(at, bytes + from % count * width, width);
            else if (H5Tget_class(type) == H5T_FLOAT)
                memcpy(at, &real, MIN(width, sizeof real));
            else
                memcpy(at, &whole, MIN(width, sizeof whole));
        }
}

static inline void forge_attribute(forge_input *in, hid_t object, const char *name)
{
    hid_t at = H5Aopen(object, name, H5P_DEFAULT), type = H5Aget_type(at);
    const size_t n = H5Tget_size(type);
    g_autofree uint8_t *bytes = g_malloc0(n + 8);
    if (H5Tis_variable_str(type) == 0 && n < 1 << 20 && H5Aread(at, type, bytes) >= 0) {
        if (H5Tget_class(type) == H5T_STRING)
            forge_bytes(in, bytes + forge_next(in) % n, MIN(n - 1, 4) / 2 + (n == 1));
        else
            forge_values(in, type, bytes, n);
        H5Awrite(at, type, bytes);
    }
    H5Tclose(type);
    H5Aclose(at);
}

static inline void forge_dataset(forge_input *in, hid_t set)
{
    hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    const hssize_t n = H5Sget_simple_extent_npoints(space);
    const size_t width = H5Tget_size(type);
    if (n > 0 && n < 1 << 20 && width && width <= 64) {
        g_autofree uint8_t *bytes = g_malloc0((size_t)n * width);
        if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0) {
            forge_values(in, type, bytes, (size_t)n * width);
            H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes);
        }
    }
    H5Sclose(space);
    H5Tclose(type);
}

/** A dataset of other size, type or layout takes the place of one. */
static inline void forge_other_dataset(forge_input *in, hid_t file, const char *name)
{
    const hid_t types[] = {H5T_STD_U8LE,   H5T_STD_U32LE,  H5T_STD_I32LE, H5T_STD_U64LE,
                           H5T_IEEE_F64LE, H5T_IEEE_F32LE, H5T_STD_I64BE, H5T_C_S1};
    const uint8_t form = forge_next(in);
    hsize_t extent[3] = {forge_whole(in), forge_whole(in) % 17, 1};
    const hsize_t chunk[3] = {CLAMP(extent[0], 1, 4096), MAX(extent[1], 1), 1};
    hid_t space = H5Screate_simple(form / 64 == 3 ? 3 : 2, extent, NULL),
          how = H5Pcreate(H5P_DATASET_CREATE);
    if (form & 8)
        H5Pset_chunk(how, form / 64 == 3 ? 3 : 2, chunk);
    if ((form & 24) == 24)
        H5Pset_deflate(how, 1);
    H5Ldelete(file, name, H5P_DEFAULT);
    hid_t set = H5Dcreate2(file, name, types[form % 8], space, H5P_DEFAULT, how, H5P_DEFAULT);
    if (set >= 0)
        H5Dclose(set);
    H5Pclose(how);
    H5Sclose(space);
}

static inline void forge_link(forge_input *in, hid_t file, const forge_seed *seed, const char *name)
{
    const char *other = seed->names->pdata[forge_next(in) % seed->names->len];
    const uint8_t form = forge_next(in) % 4;
    H5Ldelete(file, name, H5P_DEFAULT);
    if (form == 0)
        H5Lcreate_soft(other, file, name, H5P_DEFAULT, H5P_DEFAULT);
    else if (form == 1)
        H5Lcreate_external(forge_path, other, file, name, H5P_DEFAULT, H5P_DEFAULT);
    else if (form == 2 && !strchr(other, ':'))
        H5Lcreate_hard(file, other, file, name, H5P_DEFAULT, H5P_DEFAULT);
}

/** One change, as the input says. */
static inline void forge_change(forge_input *in, hid_t file, const forge_seed *seed)
{
    const char *name =
        seed->names->pdata[(forge_next(in) | forge_next(in) << 8) % seed->names->len];
    const char *colon = strchr(name, ':');
    g_autofree char *object_name = colon ? g_strndup(name, (gsize)(colon - name)) : g_strdup(name);
    const uint8_t what = forge_next(in) % 16;
    hid_t object = H5Oopen(file, object_name, H5P_DEFAULT);
    if (object < 0)
        return;
    if (colon && what == 0)
        H5Adelete(object, colon + 1);
    else if (colon && H5Aexists(object, colon + 1) > 0)
        forge_attribute(in, object, colon + 1);
    else if (!colon && what == 0 && strcmp(name, ".") != 0)
        H5Ldelete(file, name, H5P_DEFAULT);
    else if (!colon && what == 1 && strcmp(name, ".") != 0)
        forge_link(in, file, seed, name);
    else if (!colon && H5Iget_type(object) == H5I_DATASET && what < 4)
        forge_other_dataset(in, file, name);
    else if (!colon && H5Iget_type(object) == H5I_DATASET)
        forge_dataset(in, object);
    H5Oclose(object);
}

/* ---- signed again ---- */

static inline void forge_store(char *bytes, gsize n)
{
    g_autofree char *sum = g_compute_checksum_for_data(
        G_CHECKSUM_SHA256, (const guchar *)bytes + SCREE_H5_HEAD, n - SCREE_H5_HEAD);
    memset(bytes, 0, SCREE_H5_HEAD);
    g_snprintf(bytes, SCREE_H5_HEAD,
               "scree checkpoint %d\nbytes %020" G_GUINT64_FORMAT "\nsha256 %s\n",
               SCREE_CHECKPOINT_VERSION, (uint64_t)n, sum);
    FILE *file = fopen(forge_path, "wb");
    g_assert_nonnull(file);
    g_assert_cmpuint(fwrite(bytes, 1, n, file), ==, n);
    fclose(file);
}

/** The good file with changes; new bytes, or NULL. */
static inline char *forge_image(forge_input *in, const forge_seed *seed, gsize *n)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    void *handle = NULL;
    char *bytes = NULL;
    H5Pset_fapl_core(access, 1 << 16, false);
    H5Pset_file_image(access, seed->bytes, seed->n);
    hid_t file = H5Fopen("forged", H5F_ACC_RDWR, access);
    g_assert_cmpint(file, >=, 0);
    for (int k = 0; k < 8 && in->at < in->end; k++)
        forge_change(in, file, seed);
    if (H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0 &&
        H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) >= 0) {
        ssize_t size = H5Fget_file_image(file, NULL, 0);
        *n = (gsize)size + SCREE_H5_HEAD;
        uint8_t *const *image = handle; // what the handle of the core driver is
        bytes = size > 0 ? g_memdup2(*image, *n) : NULL;
    }
    H5Fclose(file);
    H5Pclose(access);
    return bytes;
}

/** Puts the sum in that the reader has named, as a forger would. */
static inline bool forge_sum(const forge_seed *seed, char *bytes, gsize n, const char *message)
{
    const char *at = strstr(message, "its state has SHA-256 ");
    char *old =
        at ? memmem(bytes + SCREE_H5_HEAD, n - SCREE_H5_HEAD, seed->state_sha256, 64) : NULL;
    if (old)
        memcpy(old, at + strlen("its state has SHA-256 "), 64);
    return old != NULL;
}

/** Changes the seed by an input: a checkpoint that was accepted, or NULL. */
static inline scree_checkpoint *forge_read(const forge_seed *seed, const uint8_t *data, size_t size)
{
    forge_input in = {data, data + size};
    gsize n = 0;
    g_autofree char *bytes = forge_image(&in, seed, &n);
    scree_checkpoint *c = NULL;
    if (bytes)
        for (int turn = 0; !c && turn < 2; turn++) {
            g_autoptr(GError) error = NULL;
            forge_store(bytes, n);
            c = scree_checkpoint_read(forge_path, &error);
            g_assert_true((c != NULL) == (error == NULL));
            g_assert_true(c || *error->message);
            if (!c && (turn || !forge_sum(seed, bytes, n, error->message)))
                break;
        }
    return c;
}

static void forge_end(void)
{
    g_unlink(forge_path);
}

/** Once for a program. */
static inline void forge_begin(void)
{
    char name[] = "fuzz", *words[] = {name, NULL}, **argv = words;
    int argc = 1;
    g_test_init(&argc, &argv, NULL);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    int fd = g_file_open_tmp("scree-fuzz-XXXXXX", &forge_path, NULL);
    g_assert_cmpint(fd, >=, 0);
    close(fd);
    atexit(forge_end);
}

#endif
