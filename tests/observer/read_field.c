/* SPDX-License-Identifier: Apache-2.0 */
/* usage: read_field FILE GROUP: a data set GROUP/value of an HDF5 file by libhdf5, in lines: "unit
 * UNIT", "components N", "size FRAMES ROWS COMPONENTS", then a line per frame and row. */
#include <hdf5.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int read_attributes(hid_t data)
{
    char unit[64] = "";
    int32_t components = -1;
    hid_t one = H5Aopen(data, "unit", H5P_DEFAULT), type = H5Aget_type(one);
    hid_t other = H5Aopen(data, "components", H5P_DEFAULT);
    const int ok = H5Tget_size(type) < sizeof unit && H5Aread(one, type, unit) >= 0 &&
                   H5Aread(other, H5T_NATIVE_INT32, &components) >= 0;
    printf("unit %s\ncomponents %" PRId32 "\n", unit, components);
    H5Aclose(other);
    H5Tclose(type);
    H5Aclose(one);
    return ok;
}

int main(int argc, char **argv)
{
    char name[256];
    hsize_t size[3] = {0, 0, 1};
    if (argc != 3)
        return 2;
    snprintf(name, sizeof name, "%s/value", argv[2]);
    hid_t file = H5Fopen(argv[1], H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t data = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(data);
    if (H5Sget_simple_extent_dims(space, size, NULL) < 2 || !read_attributes(data))
        return 1;
    printf("size %d %d %d\n", (int)size[0], (int)size[1], (int)size[2]);
    double *values = calloc(size[0] * size[1] * size[2] + 1, sizeof *values);
    if (!values || H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
        return 1;
    for (hsize_t at = 0; at < size[0] * size[1] * size[2]; at++)
        printf("%.17g%s", values[at], (at + 1) % size[2] ? " " : "\n");
    free(values);
    H5Sclose(space);
    H5Dclose(data);
    H5Fclose(file);
    return 0;
}
