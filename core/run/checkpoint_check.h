/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the state that a checkpoint holds: anyone may have made the file, with the right checksum.
 */
#ifndef CORE_CHECKPOINT_CHECK_H
#define CORE_CHECKPOINT_CHECK_H

#include "run/checkpoint.h"

/** NULL, or which part of the state is invalid: "PLACE: expected .., got .."; new string. */
char *scree_checkpoint_fault(const scree_checkpoint *checkpoint);

#endif
