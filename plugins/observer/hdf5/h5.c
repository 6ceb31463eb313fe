// SPDX-License-Identifier: Apache-2.0
// The calls of libhdf5 that observer `hdf5` makes, in fewer words.
#include "h5.h"

#include <string.h>

void h5_drop(hid_t id)
{
    if (id >= 0)
        H5Idec_ref(id);
}

hid_t h5_text_type(size_t size)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && H5Tset_size(type, size) < 0) {
        H5Tclose(type);
        return -1;
    }
    return type;
}

int h5_attribute(hid_t to, const char *name, hid_t type, hsize_t n, const void *values)
{
    hid_t space = n ? H5Screate_simple(1, &n, NULL) : H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(to, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    int ok = H5Awrite(attribute, type, values) >= 0;
    h5_drop(attribute);
    h5_drop(space);
    return ok;
}

int h5_text(hid_t to, const char *name, const char *text)
{
    hid_t type = h5_text_type(strlen(text) + 1);
    int ok = type >= 0 && h5_attribute(to, name, type, 0, text);
    h5_drop(type);
    return ok;
}

hid_t h5_creation(hid_t of)
{
    hid_t how = H5Pcreate(of);
    if (how >= 0 && H5Pset_obj_track_times(how, 0) >= 0)
        return how;
    h5_drop(how);
    return -1;
}

hid_t h5_data(hid_t to, const char *name, hid_t type, int rank, const hsize_t *size,
              const hsize_t *chunk, const void *fill, int64_t compression)
{
    const hsize_t most[3] = {H5S_UNLIMITED, H5S_UNLIMITED, rank == 3 ? size[2] : 0};
    hid_t space = H5Screate_simple(rank, size, most), made = -1;
    hid_t how = h5_creation(H5P_DATASET_CREATE), access = H5Pcreate(H5P_DATASET_ACCESS);
    int ok = how >= 0 && space >= 0 && H5Pset_chunk_cache(access, 0, 0, 0.0) >= 0 &&
             H5Pset_chunk(how, rank, chunk) >= 0 &&
             (!fill || H5Pset_fill_value(how, type, fill) >= 0);
    if (ok && compression)
        ok = H5Pset_shuffle(how) >= 0 && H5Pset_deflate(how, (unsigned)compression) >= 0;
    if (ok)
        made = H5Dcreate2(to, name, type, space, H5P_DEFAULT, how, access);
    h5_drop(access);
    h5_drop(how);
    h5_drop(space);
    return made;
}

hid_t h5_group(hid_t to, const char *name)
{
    hid_t how = h5_creation(H5P_GROUP_CREATE), made = -1;
    if (how >= 0)
        made = H5Gcreate2(to, name, H5P_DEFAULT, how, H5P_DEFAULT);
    h5_drop(how);
    return made;
}

int h5_hold_metadata(hid_t access)
{
    H5AC_cache_config_t cache = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
    if (H5Pget_mdc_config(access, &cache) < 0)
        return 0;
    cache.evictions_enabled = 0;
    cache.incr_mode = H5C_incr__off;
    cache.flash_incr_mode = H5C_flash_incr__off;
    cache.decr_mode = H5C_decr__off;
    return H5Pset_mdc_config(access, &cache) >= 0;
}

int h5_append(hid_t data, hid_t type, hsize_t first, hsize_t n, const void *values)
{
    const hsize_t size[1] = {first + n};
    int ok = H5Dset_extent(data, size) >= 0;
    hid_t space = H5Dget_space(data), memory = H5Screate_simple(1, &n, NULL);
    ok = ok && H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &n, NULL) >= 0 &&
         H5Dwrite(data, type, memory, space, H5P_DEFAULT, values) >= 0;
    h5_drop(memory);
    h5_drop(space);
    return ok;
}
