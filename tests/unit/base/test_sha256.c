/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 in pieces against that of GLib. */
#include <glib.h>
#include <string.h>

#include "../../test.h"
#include "base/random.h"
#include "base/sha256.h"

enum { MOST = 1000 };

static void fill(uint8_t *bytes, int n)
{
    for (int i = 0; i < n; i++)
        bytes[i] = (uint8_t)(256.0 * scree_random_unit(3, 0, (uint64_t)i, 0));
}

/** In pieces of so many bytes. */
static char *sum_in_pieces(const uint8_t *bytes, int n, int piece)
{
    scree_sha256 *sum = scree_sha256_new();
    for (int at = 0; at < n; at += piece)
        scree_sha256_add(sum, bytes + at, (size_t)MIN(piece, n - at));
    return scree_sha256_end(sum);
}

TEST("/sha256/in-pieces-it-is-that-of-glib")
{
    static const int pieces[] = {1, 7, 63, 64, 65, 200, MOST};
    uint8_t bytes[MOST];
    fill(bytes, MOST);
    for (int n = 0; n <= MOST; n += n < 200 ? 1 : 37)
        for (size_t k = 0; k < G_N_ELEMENTS(pieces); k++) {
            g_autofree char *want = g_compute_checksum_for_data(G_CHECKSUM_SHA256, bytes, (gsize)n);
            g_autofree char *is = sum_in_pieces(bytes, n, pieces[k]);
            g_assert_cmpstr(is, ==, want);
        }
}

/** FIPS 180-4's example. */
TEST("/sha256/of-abc")
{
    g_autofree char *is = sum_in_pieces((const uint8_t *)"abc", 3, 3);
    g_assert_cmpstr(is, ==, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}
