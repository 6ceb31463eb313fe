/* SPDX-License-Identifier: Apache-2.0 */
/* How much memory this process may still take, so that what grows without end is refused in time.
 */
#ifndef CORE_MEMORY_LEFT_H
#define CORE_MEMORY_LEFT_H

#include <stdint.h>

/** Bytes: what the machine has free, or less where a limit of the process (ulimit -v) or of its
 * control group says so. Reads files: not for each item. */
uint64_t scree_room_left(void);

#endif
