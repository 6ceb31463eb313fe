/* SPDX-License-Identifier: Apache-2.0 */
/* Room for occasional work: the first gap that fits, in memory that others lend. */
#include "base/scratch.h"

#include <glib.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/aligned.h"

/** Memory with rooms in it. `own`: allocated here, and kept. */
typedef struct region {
    char *memory;
    size_t bytes, most; /* most: the farthest end of a room in own memory so far */
    uint32_t n_rooms;
    bool own;
} region;

/** A taken room: bytes [begin, end) of a region. */
typedef struct room {
    uint32_t region;
    size_t begin, end;
} room;

struct scree_scratch {
    pthread_mutex_t mutex;
    GArray *regions; /* elements: region; lent ones come first */
    GArray *rooms;   /* elements: room, sorted by region, then by place */
};

scree_scratch *scree_scratch_new(void)
{
    scree_scratch *s = g_new0(scree_scratch, 1);
    pthread_mutex_init(&s->mutex, NULL);
    s->regions = g_array_new(FALSE, FALSE, sizeof(region));
    s->rooms = g_array_sized_new(FALSE, FALSE, sizeof(room), 64);
    return s;
}

void scree_scratch_free(scree_scratch *s)
{
    if (!s)
        return;
    for (guint k = 0; k < s->regions->len; k++)
        if (g_array_index(s->regions, region, k).own)
            free(g_array_index(s->regions, region, k).memory);
    g_array_unref(s->regions);
    g_array_unref(s->rooms);
    pthread_mutex_destroy(&s->mutex);
    g_free(s);
}

void scree_scratch_lend(scree_scratch *s, void *memory, size_t bytes)
{
    region lent = {.memory = memory, .bytes = bytes};
    guint at = 0;
    g_assert(s->rooms->len == 0 && (uintptr_t)memory % 64 == 0);
    while (at < s->regions->len && !g_array_index(s->regions, region, at).own)
        at++;
    if (bytes >= 64)
        g_array_insert_val(s->regions, at, lent);
}

/** Puts a room of `bytes` into the first gap of region k; NULL: none is wide enough. `at`: index in
 * s->rooms of the first room of the region. */
static void *place_entry(scree_scratch *s, uint32_t k, guint at, size_t bytes)
{
    region *r = &g_array_index(s->regions, region, k);
    room one = {k, 0, bytes};
    for (uint32_t i = 0; i < r->n_rooms; i++, at++) {
        const room *next = &g_array_index(s->rooms, room, at);
        if (one.end <= next->begin)
            break;
        one.begin = next->end;
        one.end = one.begin + bytes;
    }
    if (one.end > r->bytes)
        return NULL;
    r->n_rooms++;
    r->most = MAX(r->most, one.end);
    g_array_insert_val(s->rooms, at, one);
    return r->memory + one.begin;
}

/** Makes an own region that is wide enough; it replaces an empty region. */
static uint32_t widen(scree_scratch *s, size_t bytes)
{
    const size_t wide = (bytes + bytes / 8 + 4095) & ~(size_t)4095;
    for (guint k = 0; k < s->regions->len; k++) {
        region *r = &g_array_index(s->regions, region, k);
        if (!r->own || r->n_rooms)
            continue;
        free(r->memory);
        *r = (region){.memory = scree_aligned_new(wide), .bytes = wide, .own = true};
        return k;
    }
    region added = {.memory = scree_aligned_new(wide), .bytes = wide, .own = true};
    g_array_append_val(s->regions, added);
    return s->regions->len - 1;
}

void *scree_scratch_take(scree_scratch *s, size_t bytes)
{
    void *memory = NULL;
    bytes = (MAX(bytes, 64) + 63) & ~(size_t)63;
    pthread_mutex_lock(&s->mutex);
    guint at = 0;
    for (uint32_t k = 0; k < s->regions->len && !memory; k++) {
        uint32_t n_rooms = g_array_index(s->regions, region, k).n_rooms;
        memory = place_entry(s, k, at, bytes);
        at += n_rooms;
    }
    if (!memory) {
        uint32_t k = widen(s, bytes);
        for (at = 0; at < s->rooms->len && g_array_index(s->rooms, room, at).region < k;)
            at++;
        memory = place_entry(s, k, at, bytes);
    }
    pthread_mutex_unlock(&s->mutex);
    return memory;
}

void scree_scratch_give(scree_scratch *s, void *memory)
{
    if (!memory)
        return;
    pthread_mutex_lock(&s->mutex);
    for (guint i = 0; i < s->rooms->len; i++) {
        room one = g_array_index(s->rooms, room, i);
        region *r = &g_array_index(s->regions, region, one.region);
        if (r->memory + one.begin != memory)
            continue;
        r->n_rooms--;
        g_array_remove_index(s->rooms, i);
        memory = NULL;
        break;
    }
    pthread_mutex_unlock(&s->mutex);
    g_assert(!memory); // otherwise the room belongs to another scratch
}

void scree_scratch_end(scree_scratch *s)
{
    guint kept = 0;
    g_array_set_size(s->rooms, 0);
    for (guint k = 0; k < s->regions->len; k++) {
        region *r = &g_array_index(s->regions, region, k);
        r->n_rooms = 0;
        if (r->own)
            g_array_index(s->regions, region, kept++) = *r;
    }
    g_array_set_size(s->regions, kept);
}

uint64_t scree_scratch_bytes(const scree_scratch *s)
{
    uint64_t bytes = 0;
    if (s)
        for (guint k = 0; k < s->regions->len; k++)
            if (g_array_index(s->regions, region, k).own)
                bytes += g_array_index(s->regions, region, k).most;
    return bytes;
}
