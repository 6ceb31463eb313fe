// SPDX-License-Identifier: Apache-2.0
// The numbers of a volume: bytes of any type, packed or not, to means of blocks.
#include <zlib.h>

#include "voxels.h"

uint32_t voxels_size_of(int32_t type)
{
    static const uint8_t size[VOXELS_N_TYPES] = {
        [VOXELS_INT8] = 1,  [VOXELS_UINT8] = 1,  [VOXELS_INT16] = 2, [VOXELS_UINT16] = 2,
        [VOXELS_INT32] = 4, [VOXELS_UINT32] = 4, [VOXELS_INT64] = 8, [VOXELS_UINT64] = 8,
        [VOXELS_FLOAT] = 4, [VOXELS_DOUBLE] = 8};
    return size[type];
}

static double number_of(int32_t type, uint64_t bits)
{
    const uint32_t low = (uint32_t)bits;
    double real;
    float single;
    switch (type) {
    case VOXELS_INT8:
        return (int8_t)bits;
    case VOXELS_INT16:
        return (int16_t)bits;
    case VOXELS_INT32:
        return (int32_t)bits;
    case VOXELS_INT64:
        return (double)(int64_t)bits;
    case VOXELS_FLOAT:
        memcpy(&single, &low, sizeof single);
        return (double)single;
    case VOXELS_DOUBLE:
        memcpy(&real, &bits, sizeof real);
        return real;
    default: // without a sign
        return (double)bits;
    }
}

static double read_number(const unsigned char *at, int32_t type, int32_t endian)
{
    const uint32_t size = voxels_size_of(type);
    uint64_t bits = 0;
    for (uint32_t i = 0; i < size; i++)
        bits |= (uint64_t)at[endian == VOXELS_BIG ? size - 1 - i : i] << 8 * i;
    return number_of(type, bits);
}

/** Adds the numbers to their blocks. 0 with a problem: one is not finite. */
static int add_numbers(const char *file, const unsigned char *bytes, const voxels_form *f,
                       uint32_t coarse, const uint32_t n[3], double *sum, mesh_lines *problems)
{
    const uint32_t size = voxels_size_of(f->type);
    for (uint32_t k = 0; k < n[2] * coarse; k++)
        for (uint32_t j = 0; j < n[1] * coarse; j++) {
            const unsigned char *row = bytes + (size_t)size * f->n[0] * (j + (size_t)f->n[1] * k);
            double *to = sum + (size_t)n[0] * (j / coarse + (size_t)n[1] * (k / coarse));
            for (uint32_t i = 0; i < n[0] * coarse; i++) {
                const double v = read_number(row + (size_t)size * i, f->type, f->endian);
                if (!(fabs(v) < 1e30))
                    return mesh_say(problems,
                                    "%s: voxel (%u, %u, %u): expected a number below 1e30, got %g",
                                    file, i, j, k, v);
                to[i / coarse] += v;
            }
        }
    return 1;
}

/** Unpacks exactly n bytes; NULL with a problem. */
static unsigned char *unpack(const char *file, const char *bytes, uint64_t length, uint64_t n,
                             mesh_lines *problems)
{
    unsigned char *out = malloc(n), *from;
    z_stream z = {.next_out = out};
    int code = Z_OK;
    uint64_t given = 0, room = 0;
    memcpy(&from, &bytes, sizeof from); // zlib only reads it
    if (!out || inflateInit2(&z, 15 + 32) != Z_OK) {
        mesh_say(problems, "no memory for the numbers of %s", file);
        free(out);
        return NULL;
    }
    while (code == Z_OK && (given < length || z.avail_in > 0) && (room < n || z.avail_out > 0)) {
        if (z.avail_in == 0) {
            z.next_in = from + given;
            z.avail_in = (uInt)(length - given < 1u << 30 ? length - given : 1u << 30);
            given += z.avail_in;
        }
        if (z.avail_out == 0) {
            z.avail_out = (uInt)(n - room < 1u << 30 ? n - room : 1u << 30);
            room += z.avail_out;
        }
        code = inflate(&z, Z_NO_FLUSH);
    }
    unsigned char more;
    if (code == Z_OK && z.total_out == n) { // the end of the data has their check sum
        z.next_out = &more;
        z.avail_out = 1;
        code = inflate(&z, Z_FINISH);
    }
    const uint64_t got = z.total_out;
    inflateEnd(&z);
    if (got == n && code == Z_STREAM_END)
        return out;
    mesh_say(problems, "%s: expected %llu bytes in its gzip data, got %llu%s", file,
             (unsigned long long)n, (unsigned long long)got,
             code == Z_DATA_ERROR ? " and damaged ones"
             : got > n            ? " or more"
                                  : "");
    free(out);
    return NULL;
}

/** Sets the form of means of blocks. */
static void coarsen(voxels_form *f, uint32_t coarse, const uint32_t n[3])
{
    for (int k = 0; k < 3; k++) {
        for (int a = 0; a < 3; a++) {
            f->origin[a] += 0.5 * (coarse - 1) * f->step[k][a];
            f->step[k][a] *= coarse;
        }
        f->n[k] = n[k];
    }
}

float *voxels_read_numbers(const char *file, const char *bytes, uint64_t length, uint32_t coarse,
                           voxels_form *f, mesh_lines *problems)
{
    const uint32_t n[3] = {f->n[0] / coarse, f->n[1] / coarse, f->n[2] / coarse};
    const uint64_t all = (uint64_t)f->n[0] * f->n[1] * f->n[2];
    const uint64_t blocks = (uint64_t)n[0] * n[1] * n[2], size = all * voxels_size_of(f->type);
    unsigned char *unpacked = NULL;
    double *sum;
    if (all > VOXELS_MOST || n[0] < 2 || n[1] < 2 || n[2] < 2) {
        mesh_say(problems,
                 "%s: expected 2 to %d voxels along each side, and at most %llu, got %u x %u x %u",
                 file, VOXELS_MOST_SIDE, (unsigned long long)VOXELS_MOST, n[0], n[1], n[2]);
        return NULL;
    }
    if (f->encoding == VOXELS_GZIP && !(unpacked = unpack(file, bytes, length, size, problems)))
        return NULL;
    if (f->encoding == VOXELS_RAW && length != size) {
        mesh_say(problems, "%s: expected %llu bytes for %u x %u x %u numbers of %u bytes, got %llu",
                 file, (unsigned long long)size, f->n[0], f->n[1], f->n[2], voxels_size_of(f->type),
                 (unsigned long long)length);
        return NULL;
    }
    float *out = malloc(blocks * sizeof *out);
    sum = calloc(blocks, sizeof *sum);
    int good = out && sum;
    if (!good)
        mesh_say(problems, "no memory for the numbers of %s", file);
    good = good && add_numbers(file, unpacked ? unpacked : (const unsigned char *)bytes, f, coarse,
                               n, sum, problems);
    const uint64_t n_out = good ? blocks : 0;
    for (uint64_t i = 0; i < n_out; i++)
        out[i] = (float)(sum[i] / ((double)coarse * coarse * coarse));
    free(unpacked);
    free(sum);
    if (good) {
        coarsen(f, coarse, n);
        return out;
    }
    free(out);
    return NULL;
}
