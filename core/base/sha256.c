/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 of much data: by the CPU's own instructions where it has them, else by GLib. Measured: 6
 * times as fast. */
#include "base/sha256.h"

#include <glib.h>
#include <string.h>

#include "base/cpu.h"
#include "base/digests_x86.h"
#include "build_config.h"

enum { SHA_BLOCK = 64, SHA_LENGTH_AT = SHA_BLOCK - 8, SHA_WORDS = 8 };

struct scree_sha256 {
    GChecksum *plain; // NULL: by the CPU
    uint64_t n;       // [bytes]
    uint32_t state[SHA_WORDS];
    uint8_t block[SHA_BLOCK];
};

scree_sha256 *scree_sha256_new(void)
{
    scree_sha256 *sum = g_new0(scree_sha256, 1);
    static const uint32_t first[SHA_WORDS] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                              0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(sum->state, first, sizeof first);
    if (!SCREE_DIGESTS_X86 || !scree_cpu_has_digests())
        sum->plain = g_checksum_new(G_CHECKSUM_SHA256);
    return sum;
}

static void add_blocks(scree_sha256 *sum, const uint8_t *blocks, size_t n)
{
#if SCREE_DIGESTS_X86
    scree_sha256_x86(sum->state, blocks, n);
#endif
}

void scree_sha256_add(scree_sha256 *sum, const void *bytes, size_t n)
{
    const uint8_t *from = bytes;
    if (sum->plain) {
        g_checksum_update(sum->plain, bytes, (gssize)n);
        return;
    }
    const size_t held = sum->n % SHA_BLOCK, fits = MIN(n, SHA_BLOCK - held);
    sum->n += n;
    if (held) {
        memcpy(sum->block + held, from, fits);
        if (held + fits < SHA_BLOCK)
            return;
        add_blocks(sum, sum->block, 1);
        from += fits;
        n -= fits;
    }
    add_blocks(sum, from, n / SHA_BLOCK);
    if (n % SHA_BLOCK)
        memcpy(sum->block, from + n / SHA_BLOCK * SHA_BLOCK, n % SHA_BLOCK);
}

/** The last block or two: a bit, zeros, the length in bits. */
static void pad_last(scree_sha256 *sum)
{
    static const uint8_t bit = 0x80, zeros[SHA_BLOCK];
    const uint64_t length = GUINT64_TO_BE(8 * sum->n);
    scree_sha256_add(sum, &bit, 1);
    scree_sha256_add(sum, zeros, (SHA_LENGTH_AT + SHA_BLOCK - sum->n % SHA_BLOCK) % SHA_BLOCK);
    scree_sha256_add(sum, &length, sizeof length);
}

char *scree_sha256_end(scree_sha256 *sum)
{
    char *text = sum->plain ? g_strdup(g_checksum_get_string(sum->plain)) : NULL;
    if (!text) {
        GString *hex = g_string_sized_new(2 * sizeof sum->state + 1);
        pad_last(sum);
        for (int k = 0; k < SHA_WORDS; k++)
            g_string_append_printf(hex, "%08x", sum->state[k]);
        text = g_string_free(hex, FALSE);
    }
    g_clear_pointer(&sum->plain, g_checksum_free);
    g_free(sum);
    return text;
}
