/* SPDX-License-Identifier: Apache-2.0 */
/* CRC-32C by the CPU and by a table. */
#include <glib.h>

#include "base/cpu.h"
#include "base/crc32c.h"
#include "base/random.h"

enum { MOST = 500 };

/** The examples of RFC 3720, B.4, and the check value of the polynomial. */
static void test_known(void)
{
    uint8_t zeros[32] = {0}, rising[32];
    for (uint8_t i = 0; i < 32; i++)
        rising[i] = i;
    g_assert_cmphex(scree_crc32c(0, zeros, 32), ==, 0x8a9136aa);
    g_assert_cmphex(scree_crc32c(0, rising, 32), ==, 0x46dd794e);
    g_assert_cmphex(scree_crc32c(0, "123456789", 9), ==, 0xe3069283);
    g_assert_cmphex(scree_crc32c_plain(0, "123456789", 9), ==, 0xe3069283);
}

static void test_same(void)
{
    uint8_t bytes[MOST];
    for (int i = 0; i < MOST; i++)
        bytes[i] = (uint8_t)(256.0 * scree_random_unit(5, 0, (uint64_t)i, 0));
    g_test_message("by %s", scree_cpu_has_digests() ? "the CPU" : "the table");
    for (size_t n = 0; n < MOST; n++) {
        const uint32_t want = scree_crc32c_plain(0, bytes, n);
        g_assert_cmphex(scree_crc32c(0, bytes, n), ==, want);
        g_assert_cmphex(scree_crc32c(scree_crc32c(0, bytes, n / 3), bytes + n / 3, n - n / 3), ==,
                        want);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/crc32c/of-known-bytes", test_known);
    g_test_add_func("/crc32c/by-the-cpu-as-by-the-table", test_same);
    return g_test_run();
}
