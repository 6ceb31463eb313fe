/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of observers in a checkpoint. */
#ifndef CORE_SUMS_FILE_H
#define CORE_SUMS_FILE_H

#include "base/h5io.h"
#include "plugin/sums.h"

/** To a file or from it; a file without sums leaves *sums NULL. */
void scree_kept_sums_transfer(scree_h5 *h5, GArray **sums);

#endif
