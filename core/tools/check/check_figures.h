/* SPDX-License-Identifier: Apache-2.0 */
/* Service scree.figures/1 for observers under test. */
#ifndef CORE_CHECK_FIGURES_H
#define CORE_CHECK_FIGURES_H

#include "scree/scree.h"

/** Figures with values that follow from their numbers; the one of contacts is NaN. */
const scree_figures *scree_check_figures(void);

#endif
