// SPDX-License-Identifier: Apache-2.0
// Blocks of the file of observer `frames`: kind, size, CRC-32, payload (docs/reference/frames-file.md).
/*
 * Sources: D. Sarwate 1988, Commun. ACM 31, 1008 (a table of 256 remainders); M. Kounavis, F. Berry
 * 2008, IEEE Trans. Comput. 57, 1550 (eight bytes at once by eight tables).
 */
#include "frames.h"

enum { HEAD = 16, SPARE = 256 };
#define POLYNOMIAL 0xedb88320u // of IEEE 802.3, bits reversed

void blocks_init(blocks *b)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t rest = byte;
        for (int bit = 0; bit < 8; bit++)
            rest = rest >> 1 ^ (rest & 1 ? POLYNOMIAL : 0);
        b->crc[0][byte] = rest;
    }
    for (uint32_t byte = 0; byte < 256; byte++)
        for (int k = 1; k < 8; k++)
            b->crc[k][byte] = b->crc[k - 1][byte] >> 8 ^ b->crc[0][b->crc[k - 1][byte] & 255];
}

static uint32_t crc_of(const blocks *b, const uint8_t *at, uint64_t n)
{
    const uint32_t(*t)[256] = b->crc;
    uint32_t crc = 0xffffffffu;
    for (; n >= 8; n -= 8, at += 8) {
        uint32_t lo, hi;
        memcpy(&lo, at, 4);
        memcpy(&hi, at + 4, 4);
        lo ^= crc;
        crc = t[7][lo & 255] ^ t[6][lo >> 8 & 255] ^ t[5][lo >> 16 & 255] ^ t[4][lo >> 24] ^
              t[3][hi & 255] ^ t[2][hi >> 8 & 255] ^ t[1][hi >> 16 & 255] ^ t[0][hi >> 24];
    }
    for (; n > 0; n--)
        crc = crc >> 8 ^ t[0][(crc ^ *at++) & 255];
    return ~crc;
}

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
    const uint32_t head[2] = {(uint32_t)n, crc_of(b, block_payload(b), n)};
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
