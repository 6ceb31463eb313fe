/* SPDX-License-Identifier: Apache-2.0 */
/* Turns pairs of boxes into candidate lists in canonical order. */
#ifndef CORE_ORDER_H
#define CORE_ORDER_H

#include "engine/state.h"

bool scree_order_refresh(scree_sim *sim, GError **error);
void scree_order_prepare(scree_sim *sim);
void scree_order_clear(scree_sim *sim);

#endif
