/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 and CRC-32C by instructions of x86: only where scree_cpu_has_digests(). */
#ifndef CORE_DIGESTS_X86_H
#define CORE_DIGESTS_X86_H

#include <stddef.h>
#include <stdint.h>

/** Updates the state of a SHA-256 with n blocks of 64 bytes. */
void scree_sha256_x86(uint32_t state[8], const uint8_t *blocks, size_t n);
/** A CRC-32C without the inversions at both ends. */
uint32_t scree_crc32c_x86(uint32_t state, const uint8_t *bytes, size_t n);

#endif
