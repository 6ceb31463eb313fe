/* SPDX-License-Identifier: Apache-2.0 */
/* Scratch memory: rooms do not overlap, gaps are used again, what does not fit is held for later.
 */
#include <stdlib.h>
#include <string.h>

#include "../../test.h"
#include "base/aligned.h"
#include "base/random.h"
#include "engine/world.h"

enum { BYTES = 1 << 16, ROOMS = 40, TURNS = 4000 };

typedef struct room {
    unsigned char *memory, mark;
    size_t bytes;
} room;

static bool is_inside(const void *at, const void *memory)
{
    const char *from = memory, *p = at;
    return p >= from && p < from + BYTES;
}

/* Lent memory is filled before anything else is allocated, and returns to the lender at the end. */
TEST("/scratch/what-is-lent-comes-first")
{
    scree_scratch *s = scree_scratch_new();
    void *lent = scree_aligned_new(BYTES);
    scree_scratch_lend(s, lent, BYTES);
    char *first = scree_scratch_take(s, BYTES / 2), *second = scree_scratch_take(s, BYTES / 2);
    g_assert_true(first == lent);
    g_assert_true(second == first + BYTES / 2);
    g_assert_cmpuint(scree_scratch_bytes(s), ==, 0);
    scree_scratch_give(s, first);
    g_assert_true(scree_scratch_take(s, 100) == first); // the first gap
    void *own = scree_scratch_take(s, BYTES);
    g_assert_false(is_inside(own, lent));
    g_assert_cmpuint(scree_scratch_bytes(s), ==, BYTES);
    scree_scratch_end(s);
    free(lent);
    g_assert_true(scree_scratch_take(s, BYTES) == own); // held for the next time
    scree_scratch_end(s);
    char *wider = scree_scratch_take(s, 4 * BYTES); // in its place, not after it
    memset(wider, 1, 4 * BYTES);
    g_assert_cmpuint(scree_scratch_bytes(s), ==, 4 * BYTES);
    scree_scratch_give(s, wider);
    scree_scratch_give(s, NULL);
    scree_scratch_free(s);
}

static void check(const room *one)
{
    for (size_t k = 0; k < one->bytes; k++)
        g_assert_cmpuint(one->memory[k], ==, one->mark);
}

/* Takes and gives at random: every room keeps what was written into it. */
TEST("/scratch/rooms-keep-their-bytes")
{
    scree_scratch *s = scree_scratch_new();
    void *lent[3];
    room rooms[ROOMS] = {{0}};
    for (int k = 0; k < 3; k++) {
        lent[k] = scree_aligned_new(BYTES);
        scree_scratch_lend(s, lent[k], BYTES);
    }
    for (uint64_t turn = 0; turn < TURNS; turn++) {
        room *one = &rooms[(size_t)(ROOMS * scree_random_unit(5, 0, turn, 0))];
        if (one->memory) {
            check(one);
            scree_scratch_give(s, one->memory);
            one->memory = NULL;
            continue;
        }
        one->bytes = (size_t)(0.3 * BYTES * scree_random_unit(5, 0, turn, 1));
        one->mark = (unsigned char)(turn % 251);
        one->memory = scree_scratch_take(s, one->bytes);
        g_assert_cmpuint((uintptr_t)one->memory % 64, ==, 0);
        memset(one->memory, one->mark, one->bytes);
    }
    for (int k = 0; k < ROOMS; k++)
        if (rooms[k].memory)
            check(&rooms[k]);
    scree_scratch_end(s);
    for (int k = 0; k < 3; k++)
        free(lent[k]);
    scree_scratch_free(s);
}

static void *take_many(void *user)
{
    scree_scratch *s = user;
    for (int turn = 0; turn < 300; turn++) {
        unsigned char *mine = scree_scratch_take(s, 500);
        memset(mine, turn % 251, 500);
        for (int k = 0; k < 500; k++)
            g_assert_cmpuint(mine[k], ==, turn % 251);
        if (turn % 2)
            scree_scratch_give(s, mine);
    }
    return NULL;
}

TEST("/scratch/any-thread-may-take")
{
    scree_scratch *s = scree_scratch_new();
    GThread *threads[4];
    for (int k = 0; k < 4; k++)
        threads[k] = g_thread_new("taker", take_many, s);
    for (int k = 0; k < 4; k++)
        g_thread_join(threads[k]);
    scree_scratch_end(s);
    scree_scratch_free(s);
}
