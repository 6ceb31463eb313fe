/* SPDX-License-Identifier: Apache-2.0 */
/* The ranks of a run, and which rows are those of this rank. */
#ifndef CORE_RANK_ROWS_H
#define CORE_RANK_ROWS_H

#include "engine/lane.h"
#include "scree/draft/domain.h"

/** Work and messages of a rank since the ledger was opened. */
typedef struct scree_rank_work {
    double phase[SCREE_PHASES];     /* [s] of its lanes */
    double cpu_begin, cpu, cpu_out; /* [s] CPU time: at the opening, since then, in exchanges */
    uint64_t exchanges, ghosts;     /* number of exchanges; ghosts that came in them */
    uint64_t sent;                  /* [bytes] of bodies that are ghosts of other ranks */
    uint64_t ahead;                 /* pairs that were computed while ghosts were on their way */
    uint64_t peak_rss;              /* [bytes] */
} scree_rank_work;

/** The ranks of a run, as one of them sees them. */
typedef struct scree_ranks {
    scree_instance *domain;
    const scree_domain_ops *ops;
    scree_runtime runtime; /* of the domain, which is there before the run */
    scree_scene *only;     /* the scene that only the domain was made from; NULL: that of the run */
    uint32_t rank, n;
    bool forked;       /* rank 0 has forked the others; else a launcher has started all */
    bool joined;       /* the others wait for this rank */
    bool over;         /* the last step is done: they do not */
    bool working;      /* all ranks take a step */
    bool computes_all; /* this rank computes all contacts in this evaluation: observers read them */
    int64_t *bytes;    /* [n] of the image of each rank */
    GByteArray *own, *in; /* images of this rank, and of all */
    int *process; /* [n] rank 0: those it has forked, by number of the process; NULL: none */
    bool splits;  /* in this evaluation each rank moves and accounts for its own rows only */
    bool apart;   /* bodies and contacts of other ranks' rows are old; sums are those of own rows */
    bool lists_own; /* lists have only pairs with own rows: a refresh was made while apart */
    struct scree_vicinity *vicinity; /* bodies of other ranks near own rows (vicinity.c) */
    uint8_t
        *near;    /* [chunks] since the last refresh for own rows: extents of its bodies are made */
    double share; /* of the velocity in extents, at that refresh (extent.c) */
    GArray **
        shared; /* [n] elements: double; of leaves that ranks share, since they are apart (energy.c) */
    bool ahead_failed;  /* a plugin failed for contacts of own rows (ahead.c) */
    scree_overlap deep; /* deepest overlap of the last evaluation, to be reported; n = 0: none */
    uint64_t deep_step; /* the step at whose end that was */
    struct scree_ghosts *ghosts; /* bodies of other ranks in own segments (ghosts.c) */
    uint64_t n_apart;            /* number of evaluations that ended apart */
    uint64_t n_refreshed;        /* number of refreshes for own rows only */
    uint64_t work_of_rows;       /* of own rows at such a refresh (order.c) */
    double cut;                  /* most work of a rank over the mean, when rows were cut */
    bool uneven;                 /* then: rows are to be cut again at the next refresh */
    uint32_t n_kept;             /* such refreshes since uneven rows were cut */
    uint64_t n_cuts;             /* number of such cuts */
    scree_rank_work *work;       /* [n] this rank's own; at the end of the steps, on rank 0, all */
    scree_ledger *ledger;        /* of the run; NULL: no step was taken so far */
    const scree_pool *lanes;     /* that work on the ledger */
} scree_ranks;

/** Returns whether this process writes the files of the run, and speaks: it is rank 0. */
static inline bool scree_ranks_writes(const scree_ranks *ranks)
{
    return !ranks || ranks->rank == 0;
}

/** Returns the first block of a rank; consecutive ranks have consecutive blocks, or none. */
static inline uint32_t scree_ranks_first(const scree_sim *sim, uint32_t rank)
{
    const uint64_t n = sim->ranks->n;
    return (uint32_t)((rank * (uint64_t)sim->contacts.n_blocks + n - 1) / n);
}

/** Returns whether this rank computes the rows of a block; b == n_blocks: no rank has it. */
static inline bool scree_ranks_has(const scree_sim *sim, uint32_t b)
{
    const scree_ranks *r = sim->ranks;
    return !r || !r->working || r->computes_all ||
           (b >= scree_ranks_first(sim, r->rank) && b < scree_ranks_first(sim, r->rank + 1));
}

/** Returns whether other ranks have moved their bodies, and this rank only its own. */
static inline bool scree_ranks_apart(const scree_sim *sim)
{
    return sim->ranks && sim->ranks->apart;
}

/** Returns the free bodies of the blocks of a rank. */
static inline scree_rows scree_ranks_rows_of(const scree_sim *sim, uint32_t rank)
{
    return (scree_rows){sim->contacts.block_first[scree_ranks_first(sim, rank)],
                        sim->contacts.block_first[scree_ranks_first(sim, rank + 1)]};
}

/** Returns the first chunk of a rank: SCREE_SLACK_BODIES consecutive bodies. Ranks share no
 * chunk. */
static inline uint32_t scree_ranks_chunk(const scree_sim *sim, uint32_t rank)
{
    const uint32_t row = sim->contacts.block_first[scree_ranks_first(sim, rank)];
    return (row + SCREE_SLACK_BODIES - 1) / SCREE_SLACK_BODIES;
}

/** Returns the free bodies that this rank moves. */
static inline scree_rows scree_ranks_rows(const scree_sim *sim)
{
    return scree_ranks_apart(sim) ? scree_ranks_rows_of(sim, sim->ranks->rank)
                                  : (scree_rows){0, sim->world->n_free};
}

/** Returns whether a body of this chunk may be in a pair of this rank; while ranks list their own
 * pairs, free bodies far from own rows are in none. */
static inline bool scree_ranks_uses(const scree_sim *sim, uint64_t chunk)
{
    const scree_ranks *r = sim->ranks;
    return !r || !r->apart || !r->lists_own || r->near[chunk] ||
           (chunk + 1) * SCREE_SLACK_BODIES > sim->world->n_free;
}

/** Returns whether this rank computes segment `number`, which has a row or a column of it. */
static inline bool scree_ranks_computes(const scree_sim *sim, uint32_t number)
{
    const uint32_t n = sim->contacts.n_blocks, k = number % (n * (n + 1));
    return !scree_ranks_apart(sim) || scree_ranks_has(sim, k / (n + 1)) ||
           scree_ranks_has(sim, k % (n + 1));
}

/** Returns whether this rank accounts for the contacts of segment `number`. */
static inline bool scree_ranks_books(const scree_sim *sim, uint32_t number)
{
    const uint32_t n = sim->contacts.n_blocks;
    return !scree_ranks_apart(sim) || scree_ranks_has(sim, number % (n * (n + 1)) / (n + 1));
}

#endif
