/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of a state: what each rank shows to observers while ranks are apart (draft/pieces.h). */
#ifndef CORE_PIECES_H
#define CORE_PIECES_H

#include "engine/state.h"

typedef struct scree_shown_piece scree_shown_piece;

/** Lets observers of the sim ask for pieces, if it has several ranks; NULL: it has one. */
scree_shown_piece *scree_pieces_new(scree_sim *sim);
void scree_pieces_free(scree_shown_piece *shown);
/** The piece becomes all bodies of a state that is whole. */
void scree_pieces_whole(scree_shown_piece *shown);
/** Collective, between steps, while ranks are apart: the piece becomes the bodies of this rank, and
 * rank 0 gets loads and recorded contacts of bodies that are not free. */
bool scree_pieces_meet(scree_shown_piece *shown, GError **error);

#endif
