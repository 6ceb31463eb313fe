/* SPDX-License-Identifier: Apache-2.0 */
/* Names of figures, for the service scree.figures/1. */
#ifndef CORE_SCENE_FIGURE_NAMES_H
#define CORE_SCENE_FIGURE_NAMES_H

#include "scree/scree.h"

/** SCREE_QUANTITY_* of a name; -1: unknown. */
int32_t scree_figure_find(const char *name);
/** Members of the service: SCREE_FIGURE_* of a name; name number k, or NULL. */
int32_t scree_figure_kind(void *ctx, const char *name);
const char *scree_figure_name(void *ctx, uint32_t k);
/** The service where a scene is only checked, without a state. */
extern const scree_figures scree_figures_stateless;

#endif
