/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of a state, a row each; conditions, the summary, --json, observers and the pages read
 * their names. */
#ifndef CORE_SCENE_FIGURE_NAMES_H
#define CORE_SCENE_FIGURE_NAMES_H

#include <stdbool.h>

#include "scree/scree.h"

/* length of arrays with a value per figure, number of bits in masks of figures */
enum { SCREE_MOST_FIGURES = 64 };

/** A figure, computed by engine/figures.c. */
typedef struct scree_figure_row {
    const char *name, *unit;  /* unit NULL: none */
    bool of_contacts;         /* it reads the forces of contacts */
    bool in_json;             /* it is in the summary */
    bool positive;            /* no state has a value below 0 */
    uint32_t n_bodies;        /* 1, 2: the summary names its bodies */
    const char *title, *what; /* line in the summary, text after the value; NULL: none */
    const char *help;
} scree_figure_row;

/** Returns figure k; NULL: k is too large. */
const scree_figure_row *scree_figure_at(uint32_t k);
/** Returns the number of the figure with this name; -1: unknown. */
int32_t scree_figure_find(const char *name);
/** Returns the mask of the figures that read the forces of contacts: bit k is figure k. */
uint64_t scree_figures_of_contacts(void);
/** Serve as members of the service: SCREE_FIGURE_* of a name; name k, or NULL. */
int32_t scree_figure_kind(void *ctx, const char *name);
const char *scree_figure_name(void *ctx, uint32_t k);
/** The service when a scene is only checked, without a state. */
extern const scree_figures scree_figures_stateless;

#endif
