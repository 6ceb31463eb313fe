// SPDX-License-Identifier: Apache-2.0
// Blocks of the file of observer `frames`: kind, size, CRC-32, payload (docs/reference/frames-file.md).
#include <zlib.h>

#include "frames.h"

enum { HEAD = 16, SPARE = 256 };

/* Room for bytes and zeros to align them; 0: out of memory. */
static int make_room(blocks *b, uint64_t bytes)
{
    b->no_memory |= !scree_grow(&b->bytes, &b->room, b->n + bytes + SPARE, 1);
    return !b->no_memory;
}

/* Adds bytes at a multiple of `align` of the payload. */
static void *add(blocks *b, uint64_t bytes, uint64_t align)
{
    const uint64_t pad = (align - (b->n - b->begin) % align) % align, at = b->n + pad;
    memset(b->bytes + b->n, 0, pad);
    b->n = at + bytes;
    return b->bytes + at;
}

int block_begin(blocks *b, const char *kind, uint64_t bytes)
{
    b->begin = b->n;
    if (!make_room(b, bytes))
        return 0;
    memcpy(memset(add(b, HEAD, 1), 0, HEAD), kind, 4);
    return 1;
}

void block_end(blocks *b)
{
    const uint64_t n = b->n - b->begin - HEAD;
    if (b->no_memory)
        return; // text had no room: the block is given up with the others
    b->too_long |= n > UINT32_MAX;
    const uint32_t head[2] = {(uint32_t)n, (uint32_t)crc32_z(0, block_payload(b), n)};
    memcpy(b->bytes + b->begin + 4, head, sizeof head);
    add(b, 0, 8);
}

void *block_array(blocks *b, uint64_t n, size_t size)
{
    return add(b, n * size, size == 8 ? 8 : 4);
}

void block_put(blocks *b, const void *from, uint64_t n, size_t size)
{
    memcpy(block_array(b, n, size), from, n * size);
}

static void put_bytes(blocks *b, const char *text, size_t n)
{
    if (make_room(b, n))
        memcpy(add(b, n, 1), text, n);
}

void block_text(blocks *b, const char *text, int quoted)
{
    if (!quoted) {
        put_bytes(b, text, strlen(text));
        return;
    }
    put_bytes(b, "\"", 1);
    for (; *text; text++) {
        char word[8] = {*text, '\0'};
        if (*text == '"' || *text == '\\' || (unsigned char)*text < ' ')
            snprintf(word, sizeof word, "\\u%04x", (unsigned)(unsigned char)*text);
        put_bytes(b, word, strlen(word));
    }
    put_bytes(b, "\"", 1);
}
