/* SPDX-License-Identifier: Apache-2.0 */
/* The rim of the triangles of a polytope that a new point sees: edges that only one removed
 * triangle has. */
#ifndef GJK_RIM_H
#define GJK_RIM_H

#include <stdint.h>
#include <string.h>

enum { RIM_POINTS = 256 }; // numbers of corners are bytes

/** Adds an edge of a triangle to the rim [n][2], or removes it if the rim has it reversed. Returns
 * how many edges follow then: `n` + 1 or `n` - 1. */
static inline uint32_t rim_turn(uint8_t (*rim)[2], uint32_t n, uint32_t from, uint32_t to)
{
    uint32_t r = 0;
    while (r < n && (rim[r][0] != to || rim[r][1] != from))
        r++;
    if (r < n) {
        memcpy(rim[r], rim[n - 1], sizeof *rim);
        return n - 1;
    }
    rim[n][0] = (uint8_t)from;
    rim[n][1] = (uint8_t)to;
    return n + 1;
}

#endif
