/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of a state: a row each, by which conditions, the summary, --json, observers and the pages name
 * them. */
#ifndef CORE_SCENE_FIGURE_NAMES_H
#define CORE_SCENE_FIGURE_NAMES_H

#include <stdbool.h>

#include "scree/scree.h"

/* Arrays with a value per figure have so many, and masks of figures a bit each. */
enum { SCREE_MOST_FIGURES = 64 };

/** A figure. engine/figures.c computes it. */
typedef struct scree_figure_row {
    const char *name, *unit;  /* unit NULL: it has none */
    bool of_contacts;         /* it takes the forces of contacts */
    bool in_json;             /* of the summary */
    uint32_t n_bodies;        /* 1, 2: the summary says of which bodies it is */
    const char *title, *what; /* its line of the summary, and what follows the value; NULL: none */
    const char *help;
} scree_figure_row;

/** Figure number k; NULL: k is too large. */
const scree_figure_row *scree_figure_at(uint32_t k);
/** Number of a name; -1: unknown. */
int32_t scree_figure_find(const char *name);
/** Mask of those that take the forces of contacts: bit k is figure number k. */
uint64_t scree_figures_of_contacts(void);
/** Members of the service: SCREE_FIGURE_* of a name; name number k, or NULL. */
int32_t scree_figure_kind(void *ctx, const char *name);
const char *scree_figure_name(void *ctx, uint32_t k);
/** The service where a scene is only checked, without a state. */
extern const scree_figures scree_figures_stateless;

#endif
