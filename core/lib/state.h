/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of a state in memory, and what a change of the state costs. */
#ifndef CORE_LIB_STATE_H
#define CORE_LIB_STATE_H

#include "lib/visit.h"

/** Books as work the stored energy that a change has brought. */
bool scree_lib_book_stored(scree_sim *sim, GError **error);

#endif
