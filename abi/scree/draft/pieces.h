/* SPDX-License-Identifier: MIT */
/* A draft (README.md): observers that each rank of a run shows its own bodies. */
#ifndef SCREE_DRAFT_PIECES_H
#define SCREE_DRAFT_PIECES_H

#include "../observer.h"

/** Service "draft.pieces/1": offered on several ranks, to observers with SCREE_CAP_RANKS. Where
 * create() asks for it, each rank has an instance, and observe() shows a piece of the state on each
 * rank while the others' bodies are old there. Else rank 0 has the only instance, and sees all.
 *
 * Between two readings of the whole state a rank moves its own bodies only. A state of which only
 * such observers are due is then not made whole. If it is whole for another reason, and at the
 * start and the end of a run, rank 0 shows all bodies as the only piece. So does it always if the
 * observer is due by the clock (every_wall), asks for scree.sum/1, scree.query/1 or
 * scree.figures/1, uses fields, or keeps SCREE_WANTS_LAWS, SCREE_WANTS_EVERY_STEP or
 * SCREE_DRAFT_WANTS_SUMS.
 *
 * In a piece the contacts are those with a body of the piece; rank 0 also has all contacts of
 * bodies that are not free; `load` serves the bodies of the piece; n_contacts is that of this rank.
 * Groups, materials, shapes and ids of all bodies are current.
 *
 * Rank 0 is called after all others have returned from the call of that state: their files are
 * complete then. If one fails, all ranks end. */
#define SCREE_DRAFT_PIECES "draft.pieces/1"

/** The bodies that this rank shows: its own free ones; on rank 0 also those that are not free. */
typedef struct scree_piece {
    uint32_t size;
    uint32_t rank, n; /* number of this piece, and of all pieces of the state */
    uint32_t n_bodies;
    const uint32_t *bodies; /* [n_bodies] ascending */
    /* [m] Bounds of the balls that hold the free bodies of all pieces; lo > hi: none is free. */
    double lo[3], hi[3];
} scree_piece;

typedef struct scree_pieces {
    uint32_t size;
    uint32_t reserved;
    void *ctx;
    /** [step] The piece of the state that observe() shows. Valid until observe() returns. */
    const scree_piece *(*piece)(void *ctx);
} scree_pieces;

#endif
