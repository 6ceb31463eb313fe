/* SPDX-License-Identifier: Apache-2.0 */
/* The checksum of a checkpoint. */
#include "tools/restart/checkpoint_sum.h"

#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/sha256.h"
#include "run/checkpoint.h"

/* It maps nothing, because mapped pages count as memory of the process. */
char *scree_checkpoint_sum(int fd, uint64_t n, const char *kind)
{
    enum { SOME = 1 << 18 };
    g_autofree uint8_t *bytes = g_malloc(SOME);
    scree_sha256 *sum = strcmp(kind, SCREE_CHECKPOINT_CRC32) ? scree_sha256_new() : NULL;
    uint64_t at = SCREE_H5_HEAD;
    uLong crc = 0;
    for (ssize_t got = 1; at < n && got > 0; at += (uint64_t)MAX(got, 0)) {
        got = pread(fd, bytes, MIN(SOME, n - at), (off_t)at);
        if (got > 0 && sum)
            scree_sha256_add(sum, bytes, (size_t)got);
        else if (got > 0)
            crc = crc32_z(crc, bytes, (size_t)got);
    }
    char *text = sum ? scree_sha256_end(sum) : g_strdup_printf("%08lx", crc);
    if (at < n)
        g_clear_pointer(&text, g_free);
    return text;
}
