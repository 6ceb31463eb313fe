/* SPDX-License-Identifier: Apache-2.0 */
/* Forces of the caller. */
#ifndef CORE_LIB_FORCES_H
#define CORE_LIB_FORCES_H

#include "lib/visit.h"

/** Frees the functions of sc_on_forces. */
void scree_lib_forces_clear(sc_run *run);

#endif
