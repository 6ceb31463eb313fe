/* SPDX-License-Identifier: Apache-2.0 */
/* CRC-32C: finds damage of a file as fast as it is read. */
#include "base/crc32c.h"

#include "base/cpu.h"
#include "base/digests_x86.h"
#include "build_config.h"

/*
 * Source: G. Castagnoli et al., "Optimization of cyclic redundancy-check codes with 24 and 32 parity
 * bits", IEEE Trans. Commun. 41 (1993) 883-892, polynomial 0x11edc6f41; as iSCSI (RFC 3720) uses it.
 * It finds every burst of up to 32 wrong bits, and all but one of 4e9 other damages.
 */
enum { CRC_BYTES = 256 };

uint32_t scree_crc32c_plain(uint32_t before, const void *bytes, size_t n)
{
    uint32_t table[CRC_BYTES], state = ~before; // table: the remainders of all bytes
    const uint8_t *byte = bytes;
    for (uint32_t k = 0; k < CRC_BYTES; k++) {
        table[k] = k;
        for (int bit = 0; bit < 8; bit++)
            table[k] = table[k] >> 1 ^ (table[k] & 1 ? 0x82f63b78 : 0);
    }
    for (size_t i = 0; i < n; i++)
        state = state >> 8 ^ table[(state ^ byte[i]) & 0xff];
    return ~state;
}

uint32_t scree_crc32c(uint32_t before, const void *bytes, size_t n)
{
#if SCREE_DIGESTS_X86
    if (scree_cpu_has_digests())
        return ~scree_crc32c_x86(~before, bytes, n);
#endif
    return scree_crc32c_plain(before, bytes, n);
}
