/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check` for GCDs that ask for draft.conformal/1. */
#ifndef CORE_CHECK_GCD_SURFACES_H
#define CORE_CHECK_GCD_SURFACES_H

#include "tools/check/check_gcd.h"

/** The case about draft.conformal/1 (check_gcd_surfaces.c). */
void scree_gcd_check_surfaces(scree_check *check);

#endif
