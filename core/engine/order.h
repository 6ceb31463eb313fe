/* SPDX-License-Identifier: Apache-2.0 */
/* Turns pairs of boxes into candidate lists in canonical order. */
#ifndef CORE_ORDER_H
#define CORE_ORDER_H

#include "engine/state.h"

/** Renews extents and lists. *edited: mirrors and wrenches are as before; otherwise they must be
 * written again. */
bool scree_order_refresh(scree_sim *sim, bool *edited, GError **error);
void scree_order_prepare(scree_sim *sim);
void scree_order_clear(scree_sim *sim);

#endif
