/* SPDX-License-Identifier: Apache-2.0 */
/* A GCD that another one owns, and the pairs that it finds: for gcd/neighbor_list, gcd/compare,
 * gcd/auto. */
#ifndef SCREE_GCD_INNER_H
#define SCREE_GCD_INNER_H

#include <scree/draft/layout.h>
#include <scree/gcd_sdk.h>

typedef struct inner {
    const scree_host *host; // the owner's host
    const scree_plugin *plugin;
    const scree_gcd_ops *ops;
    void *self;
    uint64_t n_pivots;
    uint32_t flags;
    int in_step; // it got its owner's previous boxes: a list of moved boxes is complete
    int listed;  // its last step_init got the list
} inner;

/* Pairs that one lane has found. */
typedef struct found_by_lane {
    scree_pair_sink sink;
    scree_pair *v;
    uint64_t n, reserved, room;
    uint32_t n_boxes;
    uint32_t wrong; // the inner GCD's fault, and the pair that shows it
    scree_pair bad;
    char apart[64]; // so that lanes write to different lines of memory
} found_by_lane;

/* All pairs of a search. */
typedef struct found_pairs {
    found_by_lane *lane;
    uint32_t n_lanes;
    uint64_t n;
} found_pairs;

/* Which pairs are kept, by the current boxes. */
typedef struct pair_filter {
    const scree_boxes *boxes;
    const uint32_t *stamp; // [slot] `now`: it has moved; NULL: all have
    uint32_t now;
    uint32_t spheres; // bounding spheres count
} pair_filter;

/* A parameter that names a nested GCD: `def` is the default, NULL with SCREE_PARAM_OPTIONAL. */
#define INNER_PARAM(config_type, id, is, def, text)                                                \
    static const scree_param param_##id = {.size = sizeof(scree_param),                            \
                                           .type = SCREE_TYPE_PLUGIN,                              \
                                           .flags = is,                                            \
                                           .offset = offsetof(config_type, id),                    \
                                           .name = #id,                                            \
                                           .help = text,                                           \
                                           .string_default = def,                                  \
                                           .kind = SCREE_KIND_GCD}

/** [config] Makes the instance; the owner's error is set when that fails. */
int32_t scree_inner_make(inner *in, const scree_host *host, const scree_plugin_ref *ref);
void scree_inner_free(inner *in);

/** [step] The functions of scree_gcd_ops. Only a GCD that takes lists and got the previous boxes
 * gets the list. */
int32_t scree_inner_init(inner *in, const scree_boxes *boxes, uint32_t flags);
int32_t scree_inner_step(inner *in, const scree_boxes *boxes, const uint32_t *moved,
                         uint32_t n_moved);
uint64_t scree_inner_bytes(const inner *in);
/** [step] Puts its cells, if it shows any (draft.layout/1). */
int32_t scree_inner_cells(const inner *in, const scree_layout_sink *sink);

/** [config] Room for the lanes of the host. */
int32_t scree_found_make(found_pairs *found, const scree_host *host);
void scree_found_free(found_pairs *found);
uint64_t scree_found_bytes(const found_pairs *found);

/** [step] Finds all pairs that `in` finds among n_boxes, on all lanes. An invalid pair, or more
 * pairs than reserved, is an error. */
int32_t scree_inner_find(inner *in, found_pairs *found, uint32_t n_boxes);

/** [lane] Names the invalid pair; returns SCREE_E_INTERNAL. */
int32_t scree_inner_blame(const inner *in, scree_pair pair, uint32_t n_boxes);

/* A function that works on some of the pairs; n is at most FOUND_PIECE. */
#define FOUND_PIECE 1024u
typedef int32_t (*piece_fn)(const void *owner, const scree_pair *v, uint64_t n,
                            scree_pair_sink *sink);

/** [lane] Calls fn for the pieces [first, last) of the found pairs, until a call fails. */
int32_t scree_found_each(const found_pairs *found, uint64_t first, uint64_t last, piece_fn fn,
                         const void *owner, scree_pair_sink *sink);
uint64_t scree_found_pieces(const found_pairs *found);

static inline int pair_is_none(scree_pair p, uint32_t n_boxes)
{
    return (p.a >= n_boxes) | (p.b >= n_boxes) | (p.a == p.b);
}

/** [lane] Finds those of `boxes` that overlap the zone; `boxes` lie within the boxes of `in`. */
int32_t scree_inner_objects(const inner *in, const scree_boxes *boxes, const scree_zone *zone,
                            scree_index_sink *sink);

/** [any] 1: the boxes overlap and, where they count, their spheres. */
static inline int filter_meets(const pair_filter *f, scree_pair p)
{
    const scree_boxes *b = f->boxes;
    const int overlap = scree_boxes_overlap(b, p.a, p.b);
    if (!f->spheres) // the spheres are the same for all pairs: their centres need not be read
        return overlap;
    const double dx = b->centre[0][p.a] - b->centre[0][p.b];
    const double dy = b->centre[1][p.a] - b->centre[1][p.b];
    const double dz = b->centre[2][p.a] - b->centre[2][p.b];
    const double reach = b->radius[p.a] + b->radius[p.b];
    return overlap & (dx * dx + dy * dy + dz * dz <= reach * reach);
}

/** [any] 1: one of them has moved. */
static inline int filter_moved(const pair_filter *f, scree_pair p)
{
    return !f->stamp || ((f->stamp[p.a] == f->now) | (f->stamp[p.b] == f->now));
}

#endif
