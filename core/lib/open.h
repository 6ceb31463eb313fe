/* SPDX-License-Identifier: Apache-2.0 */
/* Opens a scene as a run, and closes it. */
#ifndef CORE_LIB_OPEN_H
#define CORE_LIB_OPEN_H

#include "lib/visit.h"

/** Evaluates the first state, if no call has done so. */
bool scree_lib_begin(sc_run *run, GError **error);

#endif
