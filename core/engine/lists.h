/* SPDX-License-Identifier: Apache-2.0 */
/* Candidate lists in memory: segments of pairs, with the tables of their contacts. */
#ifndef CORE_LISTS_H
#define CORE_LISTS_H

#include "engine/shift.h"
#include "plugin/instance_data.h"
#include "plugin/quantities.h"

/*
 * Blocks, segments, lists
 *
 * The free bodies are cut into blocks of consecutive rows. A list holds the candidates of one pair
 * of types. Its segment (b, B) holds candidates whose lower body is in block b and whose higher one
 * is in block B >= b, or, with B = n_blocks, is not free. Phase 1 computes the segments b < B, and
 * stores a load per contact. Phase 2 gives each block to one lane: lower partners from the stored
 * loads, own segment (b, b) added directly, higher partners from the stored loads. So each body's
 * sum runs over ascending partners, whatever the number of blocks and threads (determinism.md, S3).
 */

enum { SCREE_MAX_BLOCKS = 256 };

/** Contacts of a segment, in canonical order, with the fields of all laws. */
typedef struct scree_table {
    uint64_t n, capacity;
    uint32_t *pair;    /* index of the pair in the segment */
    uint64_t *feature; /* NULL: pairs have at most one contact */
    uint8_t *keep;     /* bit k: the k-th law with kept contacts keeps it; NULL: no law keeps */
    double *stored;    /* [J] NULL: no law stores energy */
    double **field;    /* [sim->plugins.contact.n_fields] */
} scree_table;

/** The forces of a contact, kept until both of its bodies have added them. */
typedef struct scree_contact_load {
    double f[3], stored, torque_row[3], lost, torque_col[3];
    double surface; /* [W] power of the column's surface on the row; undefined if no surface
                       moves */
} scree_contact_load;

/** Records of contacts, each of one or more scree_record or scree_law_record, by columns: equal
 * slots of all contacts are consecutive. */
typedef struct scree_record_table {
    char *bytes;
    uint64_t capacity; /* number of contacts with room */
    size_t width;      /* [bytes] per contact */
} scree_record_table;

/** Returns the column of a slot. */
static inline void *scree_record_column(const scree_record_table *table, size_t slot)
{
    return table->bytes + slot * table->capacity;
}

/** The data of a contact for a survey of critical steps, which is a bound: seven digits suffice. */
typedef struct scree_survey_record {
    float push, depth, normal[3], arm[3]; /* push: [N] normal force */
} scree_survey_record;

/** [m] Radii of a and b where they touch: for clumps of the ball, for solids by curvature; 0: flat
 * or unknown. */
typedef struct scree_touching {
    double radius[2];
    uint32_t by_body; /* 1: a or b is a solid, and laws may use the body's radius instead */
} scree_touching;

/** Energy lost at once in a contact. */
typedef struct scree_contact_heat {
    uint32_t contact; /* index in the newest table */
    double energy;    /* [J] */
} scree_contact_heat;

/** The place of a batch in the list of near pairs of its segment. */
typedef struct scree_near_cursor {
    uint64_t at;  /* of the next batch in segment->near */
    uint32_t end; /* of the pairs in batches so far */
} scree_near_cursor;

/** How far the batches of a segment have come in an evaluation. */
typedef struct scree_segment_walk {
    uint32_t next;      /* pair with which the next batch begins */
    uint64_t committed; /* committed contact at which it begins to look */
    scree_near_cursor near;
    bool ahead; /* batches before it are done, and their loads are stored (ahead.c) */
} scree_segment_walk;

typedef struct scree_segment {
    uint32_t n_pairs;
    uint64_t pair_capacity, first_capacity, part_capacity, hint_capacity;
    uint32_t *a, *b;    /* [n_pairs] oriented; min(a, b) is the row; SCREE_NONE: a dropped body */
    scree_cells *shift; /* [n_pairs] unwrapped cells from row to column; NULL: not periodic */
    uint32_t *first;    /* [n_pairs + 1] first part; NULL: one part each */
    uint32_t *part_a, *part_b;
    uint16_t *near; /* pairs that may touch soon, by batches: the numbers of all pairs and of those
                       listed, then their numbers in the batch (near.c) */
    uint64_t near_capacity, near_number; /* near_number: scree_near_rule.number of the list */
    uint32_t *ball[2]; /* [parts] places in scree_posed, if culled (balls.c); made when needed */
    uint32_t *owner;   /* [parts] their pairs; made with `ball` */
    uint64_t ball_capacity[2], owner_capacity;
    bool numbered;          /* `ball` and `owner` are those of the current parts */
    uint8_t *keep;          /* [n_pairs] 1: of a committed contact; NULL: no law keeps */
    uint8_t *alive[2];      /* [n_pairs] tight boxes overlapped when committed; pair fields only */
    double **pair_field[2]; /* [n_pair_fields][n_pairs] */
    uint8_t *hints;         /* [hint_bytes * candidates] */
    scree_table table[2];
    uint64_t load_capacity, n_loads;
    scree_contact_load *loads; /* per contact of the newest evaluation, in segments b < B */
    double *rate_loads; /* [2 rates per load] added to the row, then to the column (rates.c) */
    uint64_t rate_capacity;
    scree_record_table records;     /* scree_record, if recorded */
    scree_record_table law_records; /* scree_law_record [n_laws], if recorded by law */
    scree_survey_record *surveyed;  /* per contact, during a survey; otherwise NULL */
    uint64_t survey_capacity;
    scree_touching *touching; /* per contact, during a survey with clumps or solids */
    uint64_t touching_capacity;
    uint32_t *ended; /* committed contacts that the newest evaluation did not find */
    uint64_t n_ended, ended_capacity;
    double *parted; /* [n_ended] [J] lost as they opened */
    uint64_t parted_capacity;
    scree_contact_heat *heats; /* [n_heats] in the newest evaluation, if it is accepted */
    uint64_t n_heats, heat_capacity;
    uint64_t n_touching; /* number of contacts with depth >= 0 */
    scree_segment_walk walk;
} scree_segment;

typedef struct scree_list {
    uint32_t type_a, type_b;
    scree_instance *resolver;
    const scree_resolver_ops *ops;
    uint64_t laws;      /* bits of the laws that act on its contacts */
    bool single;        /* at most one contact per pair */
    bool one;           /* at most one per pair, or per candidate of balls, from the resolver */
    bool has_parts;     /* candidates have parts */
    bool clump[2];      /* a, b are balls fixed together (balls.h) */
    bool grouped;       /* parts of b go to the resolver together */
    bool culled;        /* balls that are apart do not go to the resolver */
    uint32_t served[2]; /* types for the resolver: the round type instead of clumps */
    bool is_flat;       /* b is a wall or infinite: its radius is 0 */
    bool off_centre;    /* a or b is not round, and not a wall: arms may leave the normal */
    bool has_planes;    /* b is infinite: its pairs do not come from the GCD */
    uint32_t hint_bytes;
    uint64_t gives;                           /* SCREE_GIVES_* of the resolver for these types */
    uint64_t wants;                           /* outputs that some law needs */
    uint64_t asks;                            /* outputs in this evaluation, also for records */
    uint32_t first_pair_field, n_pair_fields; /* the resolver's part of the pair fields */
    scree_segment *segments; /* [n_blocks * (n_blocks + 1)], (b, B) at b * (n_blocks + 1) + B */
    uint32_t n_segments;     /* number of allocated segments */
} scree_list;

static inline bool scree_list_has_clumps(const scree_list *list)
{
    return list->clump[0] || list->clump[1];
}

/** Returns the segment (b, B). */
static inline scree_segment *scree_list_segment(const scree_list *list, uint32_t n_blocks,
                                                uint32_t b, uint32_t B)
{
    return &list->segments[b * (n_blocks + 1) + B];
}

/** Returns the row (lower storage number) and column of a pair. */
static inline uint32_t scree_pair_row(const scree_segment *s, uint32_t p)
{
    return s->a[p] < s->b[p] ? s->a[p] : s->b[p];
}

static inline uint32_t scree_pair_column(const scree_segment *s, uint32_t p)
{
    return s->a[p] < s->b[p] ? s->b[p] : s->a[p];
}

static inline uint64_t scree_pair_key(const scree_segment *s, uint32_t p)
{
    return (uint64_t)scree_pair_row(s, p) << 32 | scree_pair_column(s, p);
}

/** Returns the number of parts of a segment's pairs. */
static inline uint32_t scree_segment_parts(const scree_segment *s)
{
    return s->first && s->n_pairs ? s->first[s->n_pairs] : s->n_pairs;
}

/** Returns the first contact from `low` on of a pair from p on. */
static inline uint64_t scree_table_find(const scree_table *t, uint64_t low, uint32_t p)
{
    uint64_t high = t->n;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (t->pair[middle] >= p)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

#endif
