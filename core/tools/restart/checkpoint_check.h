/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the state in a checkpoint: anyone may have written the file, with the right checksum. */
#ifndef CORE_CHECKPOINT_CHECK_H
#define CORE_CHECKPOINT_CHECK_H

#include "run/checkpoint.h"

/** Returns a new string about the invalid part of the state, or NULL: "PLACE: expected .., got ..". */
char *scree_checkpoint_fault(const scree_checkpoint *checkpoint);

#endif
