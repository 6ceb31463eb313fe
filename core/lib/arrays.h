/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays of a run: the columns of the world, fields of plugins, contacts. */
#ifndef CORE_LIB_ARRAYS_H
#define CORE_LIB_ARRAYS_H

#include "lib/visit.h"

/** After a call: begins a generation if pointers of arrays have changed. */
void scree_lib_look_at_arrays(sc_run *run);

#endif
