// SPDX-License-Identifier: Apache-2.0
// Shared by the files of observer `frames`: blocks of the file, rows of bodies.
#ifndef OBSERVER_FRAMES_H
#define OBSERVER_FRAMES_H

#include "scree/sdk.h"

#include "../groups.h"

enum { MOST_FIELDS = 4 };

/** The blocks that the next write() puts into the file. */
typedef struct blocks {
    uint8_t *bytes;
    uint64_t n, room;
    uint64_t begin;    // of the open block
    int32_t no_memory; // a growth has failed: the bytes are not whole
    int32_t too_long;  // a payload has more than 2^32 - 1 bytes
} blocks;

/** Begins a block of a kind of four letters, with room for arrays of so many bytes in all; 0: out of
 * memory. block_end() adds size, CRC and zeros. */
int block_begin(blocks *b, const char *kind, uint64_t bytes);
void block_end(blocks *b);
/** Adds n numbers of `size` bytes, at a multiple of 4 of the payload, of 8 for numbers of 8 bytes.
 * Returns their place, valid until the end of the block if the block has room for them. */
void *block_array(blocks *b, uint64_t n, size_t size);
/** Adds numbers, from memory. */
void block_put(blocks *b, const void *from, uint64_t n, size_t size);
/** Adds text; `quoted`: as a string of JSON. */
void block_text(blocks *b, const char *text, int quoted);
/** Payload of the open block so far. */
static inline const void *block_payload(const blocks *b)
{
    return b->bytes + b->begin + 16;
}

/** Which bodies the rows of the file are, and what the last blocks say of them. */
typedef struct rows {
    uint32_t n, n_free, n_oriented;
    uint64_t numbering;
    int32_t is_plain; // row i of the free ones is body i
    double smallest;  // [m] radius of a free body
    uint32_t *order;  // [n] bodies by row
    uint32_t *row_of; // [n] rows by body
    uint32_t *kept; // [6 n] scale, shape, material, group, motion of the bodies when BODY was made
    uint8_t *body, *wall; // payloads of the last BODY and WALL
    uint64_t n_body, n_wall;
    uint64_t order_room, row_room, kept_room, body_room, wall_room, seen_room;
    uint8_t *seen; // [n_seen] of shapes: 1 when the file has it
    uint32_t n_seen, n_groups;
} rows;

/** Bodies, and what else blocks of rows need. */
typedef struct row_source {
    const scree_host *host;
    const scree_names *names; // NULL: the host offers no names
    const scree_bodies *bodies;
    double tolerance; // [-]
} row_source;

/** Adds the blocks GRPS, SHAP, BODY and WALL that the next frame needs; 0: out of memory. */
int rows_write(rows *r, blocks *b, const row_source *from);
/** A new file begins: it has no blocks yet. */
void rows_forget(rows *r);
void rows_free(rows *r);

/** shapes.c: adds the block SHAP of a shape; 0: out of memory. */
int shape_write(blocks *b, const row_source *from, uint32_t number);

/** Numbers of bodies that a frame shows, by storage number. */
typedef struct column {
    double *value; // [n]; NaN: none
    uint64_t room;
} column;

/** frame.c: adds the block FRAM; 0: out of memory. */
typedef struct frame_memory {
    uint16_t *low;    // [n]
    uint64_t *listed; // contacts that are written
    uint64_t low_room, listed_room;
} frame_memory;
int frame_write(blocks *b, frame_memory *memory, const rows *r, const scree_view *view,
                const column *columns, uint32_t n_columns, int32_t contacts);

#endif
