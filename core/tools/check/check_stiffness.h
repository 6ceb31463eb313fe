/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the stiffness that a law reports with the slopes of its forces. */
#ifndef CORE_CHECK_STIFFNESS_H
#define CORE_CHECK_STIFFNESS_H

#include "tools/check/check.h"

void scree_check_stiffness(scree_check *check);

#endif
