/* SPDX-License-Identifier: Apache-2.0 */
/* The head of a checkpoint, and its checksum. The module scree-hdf5.so has this function too. */
#ifndef CORE_CHECKPOINT_SUM_H
#define CORE_CHECKPOINT_SUM_H

#include <inttypes.h>

/** The head of a file: layout version, bytes, kind of the checksum of the rest, checksum. */
#define SCREE_CHECKPOINT_HEAD "scree checkpoint %u\nbytes %020" PRIu64 "\n%s %s\n"
#define SCREE_CHECKPOINT_CRC32 "crc32"

/** Returns the checksum of this kind, SCREE_CHECKPOINT_CRC32 or another text: SHA-256, over all
 * bytes of a file after its head, a new string; NULL: some cannot be read. */
char *scree_checkpoint_sum(int fd, uint64_t n, const char *kind);

#endif
