/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of boxes become candidate lists in canonical order. */
#ifndef CORE_ORDER_H
#define CORE_ORDER_H

#include "engine/sim.h"

bool scree_order_refresh(scree_sim *sim, GError **error);
void scree_order_prepare(scree_sim *sim);
void scree_order_clear(scree_sim *sim);
/** Empty segments for so many blocks; memory is kept. */
void scree_list_resize(scree_list *list, uint32_t n_blocks);
/** Cuts the free bodies into blocks of about equal work; `weight` [n_free + 1] running sum or NULL.
 */
void scree_order_cut_blocks(scree_sim *sim, const uint64_t *weight);

#endif
