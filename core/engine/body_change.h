/* SPDX-License-Identifier: Apache-2.0 */
/* Edits of a body: pose, velocities, shape, size and material. */
#ifndef CORE_BODY_CHANGE_H
#define CORE_BODY_CHANGE_H

#include "engine/state.h"

/** New values of a body, checked. */
typedef struct scree_body_values {
    bool has[4]; /* x, q, v, w are given */
    double value[4][4];
    bool remade;              /* one of the next four is given */
    double scale, density;    /* [-], [kg/m^3]; 0: not given */
    uint32_t material, shape; /* SCREE_NONE: not given */
} scree_body_values;

/** Reads the change of body i. False, with *why, a new string: it is invalid. */
bool scree_body_values_read(const scree_sim *sim, uint32_t i, const scree_body_change *change,
                            scree_body_values *values, char **why);

/** Bodies that are remade in a step. */
typedef struct scree_remaking {
    double stored;    /* [J] stored in contacts and modifiers before */
    uint32_t *number; /* [n] of body i; SCREE_NONE: its contacts begin again; NULL: none do */
} scree_remaking;

/** Sets new values; the energy of the body itself is booked as work. */
void scree_body_set(scree_sim *sim, uint32_t i, const scree_body_values *values,
                    scree_remaking *remaking);
/** Called before and after bodies are set, if some are remade: the change of the energy stored in
 * springs and modifiers is booked as work. */
bool scree_remaking_begin(scree_sim *sim, scree_remaking *remaking, GError **error);
bool scree_remaking_end(scree_sim *sim, scree_remaking *remaking, GError **error);

#endif
