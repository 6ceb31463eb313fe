/* SPDX-License-Identifier: MIT */
/* Questions about space: the bodies in a zone, and room for new bodies. */
#ifndef SCREE_QUERY_H
#define SCREE_QUERY_H

#include "gcd.h"

/** Bodies in zones. Arrays of the host, valid until the plugin's next call of the service. */
typedef struct scree_hits {
    uint32_t size;
    uint32_t reserved;     /* 0 */
    const uint64_t *first; /* [n + 1] the bodies of zone k: id[first[k]] to id[first[k + 1] - 1] */
    const uint64_t *id;    /* ascending within a zone */
    const uint8_t
        *by_box; /* in the order of `id`. 0: the body is in the zone; 1: its box or the box of a
                    part is in the zone, and no resolver of the scene can test the body itself */
} scree_hits;

/** Pairs of trials. The array is the host's, valid until the plugin's next call of the service. */
typedef struct scree_trial_pairs {
    uint32_t size;
    uint32_t reserved; /* 0 */
    uint64_t n;
    const scree_pair *pair; /* [n] numbers of trials, a < b; ascending by b, then by a */
} scree_trial_pairs;

/** Service "scree.query/1", for sources, modifiers and observers: answers questions about the
 * bodies at their current places, with walls, planes and periodic images. It answers during make(),
 * enter(), after_step() and observe(); in other calls SCREE_E_UNSUPPORTED. In after_step() the
 * edits of this step count: inserted bodies, and bodies that set() has moved, at both places;
 * removed bodies are in the way until the end of the step. In make() of a source the bodies of the
 * scene so far count, and those that the source has added. Answers follow from the shapes of the
 * bodies. The service has its own GCD (`query.gcd` of the scene); answers depend neither on that
 * GCD nor on the number of threads. Bodies overlap when their depth is more than 1e-12 of their
 * size; touching does not count. Balls (each ball of a clump) are tested against balls and planes
 * by distance, other pairs by the resolvers of the scene. Collective: on several ranks all ranks
 * ask, in the same order. */
#define SCREE_SERVICE_QUERY "scree.query/1"
typedef struct scree_query {
    uint32_t size;
    uint32_t reserved; /* 0 */
    void *ctx;
    /** [config][step] Finds the bodies that overlap or touch each of n zones (BOX, BALL or
     * CYLINDER): walls by their facets, a plane as all that is behind it. Balls, clumps and planes
     * are tested exactly. The resolvers of the scene test a BALL against other bodies, as if the
     * BALL were a body. Where no resolver serves a pair, and for a BOX or CYLINDER, the box of a
     * body (or of its part) is tested, and hits->by_box is 1. In make() of a source before the
     * first step the id of a body is its place in the order in which the scene has made the bodies.
     * In enter() find() also finds the new bodies. SCREE_E_CONFIG, and *out keeps its value: a
     * number out of range, a box lo..hi that does not hold the zone; along a periodic axis a zone
     * of more than 1000 cells, or a zone that reaches 10^6 cells from 0, fewer in a tilted cell.
     * Only memory limits n and the number of bodies. */
    int32_t (*find)(void *ctx, uint32_t n, const scree_zone *const *zones, scree_hits *out);
    /** [config][step] Finds the first trials (types.h), `most` of them or fewer, that overlap
     * nothing: index[0] to index[*n_free - 1]. Trials do not block each other. With most = 1 it
     * finds the first free one. A body that a trial names in `instead` does not block that trial,
     * at any of its places. SCREE_E_CONFIG: a shape without a volume, a number out of range;
     * SCREE_E_UNSUPPORTED: no resolver of the scene serves a pair that must be asked. */
    int32_t (*find_free)(void *ctx, const scree_new_bodies *trials, uint32_t most, uint32_t *index,
                         uint32_t *n_free);
    /** [config][step] Treats bodies in these poses as obstacles, until the present call of the
     * plugin returns. Bodies that edits->insert, or add() of a source, has accepted are obstacles
     * anyway. */
    int32_t (*hold)(void *ctx, const scree_new_bodies *trials);
    /** [config][step] Finds the pairs a < b of trials that overlap each other, at any periodic
     * image, where b is `first` or more: with first = 0 all pairs, else those of the first trials
     * among themselves are not asked. Two trials with the same `instead`, two
     * poses of one body, are not a pair. Bodies are not asked about. Errors are those of find_free. */
    int32_t (*find_pairs)(void *ctx, const scree_new_bodies *trials, uint32_t first,
                          scree_trial_pairs *out);
} scree_query;

#endif
