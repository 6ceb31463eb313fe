/* SPDX-License-Identifier: Apache-2.0 */
/* CRC-32C: finds damage of a file as fast as it is read. */
#ifndef CORE_CRC32C_H
#define CORE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/** The checksum of n bytes after those of `before` (0: none). */
uint32_t scree_crc32c(uint32_t before, const void *bytes, size_t n);
/** The same by a table, a byte at a time: where the CPU has no instruction for it. */
uint32_t scree_crc32c_plain(uint32_t before, const void *bytes, size_t n);

#endif
