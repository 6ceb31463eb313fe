/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 by Nettle, which uses the CPU's instructions: five times as fast as GLib's. */
#include "base/sha256.h"

#include <glib.h>
#include <nettle/sha2.h>

struct scree_sha256 {
    struct sha256_ctx state;
};

scree_sha256 *scree_sha256_new(void)
{
    scree_sha256 *sum = g_new(scree_sha256, 1);
    sha256_init(&sum->state);
    return sum;
}

void scree_sha256_add(scree_sha256 *sum, const void *bytes, size_t n)
{
    sha256_update(&sum->state, n, bytes);
}

char *scree_sha256_end(scree_sha256 *sum)
{
    static const char digits[] = "0123456789abcdef";
    uint8_t found[SHA256_DIGEST_SIZE];
    char *text = g_malloc0(2 * sizeof found + 1);
    sha256_digest(&sum->state, sizeof found, found);
    g_free(sum);
    for (size_t k = 0; k < sizeof found; k++) {
        text[2 * k] = digits[found[k] >> 4];
        text[2 * k + 1] = digits[found[k] & 15];
    }
    return text;
}
