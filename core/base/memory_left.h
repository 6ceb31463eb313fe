/* SPDX-License-Identifier: Apache-2.0 */
/* How much memory this process may still take. */
#ifndef CORE_MEMORY_LEFT_H
#define CORE_MEMORY_LEFT_H

#include <stdint.h>

/** Bytes that the machine has free, or less if ulimit -v or the control group allows less. It reads
 * files: not to be called for each item. */
uint64_t scree_room_left(void);

#endif
