/* SPDX-License-Identifier: Apache-2.0 */
/* Service scree.figures/1 for observers under test. */
#ifndef CORE_CHECK_FIGURES_H
#define CORE_CHECK_FIGURES_H

#include "scree/scree.h"

/** Figures whose values follow from their numbers; that of contacts is NaN. */
const scree_figures *scree_check_figures(void);

#endif
