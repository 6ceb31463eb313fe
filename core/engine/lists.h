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
 * The free bodies are cut into blocks of consecutive rows. A list holds the candidates of one type
 * pair; its segment (b, B) holds those whose lower body is in block b and whose higher one is in
 * block B >= b, or, with B = n_blocks, is not free. Phase 1 computes the segments b < B and stores
 * a load per contact; phase 2 gives each block to one lane: lower partners from the stored loads,
 * own segment (b, b) added directly, higher partners from the stored loads. So each body's sum runs
 * over ascending partners, whatever the number of blocks and threads (determinism.md, S3).
 */

enum { SCREE_MAX_BLOCKS = 256 };

/** Contacts of a segment, in canonical order, with the fields of all laws. */
typedef struct scree_table {
    uint64_t n, capacity;
    uint32_t *pair;    /* pair of the segment */
    uint64_t *feature; /* NULL when pairs have one contact at most */
    uint8_t *keep;     /* bit k: the k-th law that keeps does; NULL when no law keeps */
    double *stored;    /* [J] NULL when no law stores */
    double **field;    /* [sim->plugins.contact.n_fields] */
} scree_table;

/** The forces of a contact, kept until each of its two bodies adds them. */
typedef struct scree_contact_load {
    double f[3], stored, torque_row[3], lost, torque_col[3];
    double surface; /* [W] that the column's surface puts into the row; undefined when no surface
                       moves */
} scree_contact_load;

/** Records of contacts, of one or more scree_record or scree_law_record each, by columns: all slots at the same
 * offset in them lie together. */
typedef struct scree_record_table {
    char *bytes;
    uint64_t capacity; /* contacts */
    size_t width;      /* [bytes] of a contact */
} scree_record_table;

/** The column of a slot. */
static inline void *scree_record_column(const scree_record_table *table, size_t slot)
{
    return table->bytes + slot * table->capacity;
}

/** The data of a contact for a survey of critical steps, which is a bound: seven digits are enough. */
typedef struct scree_survey_record {
    float push, depth, normal[3], arm[3]; /* push: [N] normal force */
} scree_survey_record;

/** [m] Radii of a and b where they touch: of balls, of clumps that of the ball, of solids that of
 * their curvature; 0: flat, or not known. */
typedef struct scree_touching {
    double radius[2];
    uint32_t by_body; /* 1: a or b is a solid, and a law may go by the radius of the body instead */
} scree_touching;

/** Energy that went at once in a contact. */
typedef struct scree_contact_heat {
    uint32_t contact; /* of the newest table */
    double energy;    /* [J] */
} scree_contact_heat;

typedef struct scree_segment {
    uint32_t n_pairs;
    uint64_t pair_capacity, first_capacity, part_capacity, hint_capacity;
    uint32_t *a, *b; /* [n_pairs] oriented; min(a, b) is the row; SCREE_NONE: of a dropped body */
    scree_shift
        *shift; /* [n_pairs] unwrapped cells of the column against the row; NULL: not periodic */
    uint32_t *first; /* [n_pairs + 1] into parts; NULL: one part each */
    uint32_t *part_a, *part_b;
    uint8_t *keep; /* [n_pairs] 1: of a committed contact; NULL when no law keeps */
    uint8_t
        *alive[2]; /* [n_pairs] tight boxes overlapped at the committed state; pair fields only */
    double **pair_field[2]; /* [n_pair_fields][n_pairs] */
    uint8_t *hints;         /* [hint_bytes * candidates] */
    scree_table table[2];
    uint64_t load_capacity, n_loads;
    scree_contact_load *loads; /* per contact of the newest evaluation; segments b < B */
    double *rate_loads;        /* [2 rates per load] to the row's, then the column's (rates.c) */
    uint64_t rate_capacity;
    scree_record_table records;     /* of scree_record, when recorded */
    scree_record_table law_records; /* of scree_law_record [n_laws], when recorded by law */
    scree_survey_record *surveyed;  /* per contact, during a survey; else NULL */
    uint64_t survey_capacity;
    scree_touching *touching; /* likewise, where a body is a clump or a solid */
    uint64_t touching_capacity;
    uint32_t *ended; /* committed contacts that the newest evaluation did not refresh */
    uint64_t n_ended, ended_capacity;
    double *parted; /* [n_ended] [J] that they lost as they opened */
    uint64_t parted_capacity;
    scree_contact_heat *heats; /* [n_heats] of the newest evaluation, if it is accepted */
    uint64_t n_heats, heat_capacity;
    uint64_t n_touching;    /* contacts with depth >= 0 */
    uint64_t n_overlapping; /* candidates whose tight boxes overlap; counted on demand */
} scree_segment;

/** The pairs of a list as they were before a refresh, of all segments one after the other, in
 * scratch memory; their contacts are still in the segments' committed tables (pair_history.c). */
typedef struct scree_previous_pairs {
    uint32_t n_segments, n_pairs;
    uint32_t *offset;             /* [n_segments + 1] first pair of a segment */
    uint32_t *a, *b, *index;      /* [n_pairs] index: first committed contact, or SCREE_NONE */
    uint32_t *first;              /* [n_pairs + 1] into parts, NULL: one part each */
    uint32_t *part_a, *part_b;    /* [parts] */
    scree_shift *shift;           /* [n_pairs] NULL: not periodic */
    uint8_t *keep, *alive;        /* [n_pairs] NULL: no law keeps; no pair fields */
    double **pair_field;          /* [n_pair_fields][n_pairs] */
    uint8_t *hints;               /* [hint_bytes * parts] */
    uint32_t *row_start, *of_row; /* [n_free + 1]; pairs with history, by row */
} scree_previous_pairs;

typedef struct scree_list {
    uint32_t type_a, type_b;
    scree_instance *resolver;
    const scree_resolver_ops *ops;
    uint64_t laws;      /* that act on its contacts, by bit */
    bool single;        /* at most one contact per pair */
    bool one;           /* the resolver: likewise, per candidate of a ball of a clump */
    bool has_parts;     /* candidates name parts */
    bool clump[2];      /* a, b are balls fixed together (balls.h) */
    bool grouped;       /* of these, parts of b go to the resolver together */
    bool culled;        /* balls that are apart do not go to it */
    uint32_t served[2]; /* types of which the resolver knows: round instead of clumps */
    bool is_flat;       /* b is a wall or infinite: its radius counts as 0 */
    bool off_centre;    /* a or b is not round, and not a wall: arms need not lie along normals */
    bool has_planes;    /* b is infinite: its pairs do not come from the GCD */
    uint32_t hint_bytes;
    uint64_t gives;                           /* SCREE_GIVES_* of the resolver for these types */
    uint64_t wants;                           /* those of them that some law needs */
    uint64_t asks;                            /* in this evaluation: with those that records need */
    uint32_t first_pair_field, n_pair_fields; /* of the resolver among the pair fields */
    scree_segment *segments; /* [n_blocks * (n_blocks + 1)], (b, B) at b * (n_blocks + 1) + B */
    uint32_t n_segments;     /* allocated */
    /* while lists are made, in scratch memory (order.c) */
    uint32_t *row_start; /* [n_free + 2] */
    uint64_t *key;       /* partner << 32 | index of the raw pair */
    scree_previous_pairs previous;
} scree_list;

static inline bool scree_list_has_clumps(const scree_list *list)
{
    return list->clump[0] || list->clump[1];
}

/** Segment (b, B). */
static inline scree_segment *scree_list_segment(const scree_list *list, uint32_t n_blocks,
                                                uint32_t b, uint32_t B)
{
    return &list->segments[b * (n_blocks + 1) + B];
}

/** The row (lower storage number) and column of a pair. */
static inline uint32_t scree_pair_row(const scree_segment *s, uint32_t p)
{
    return s->a[p] < s->b[p] ? s->a[p] : s->b[p];
}

static inline uint32_t scree_pair_column(const scree_segment *s, uint32_t p)
{
    return s->a[p] < s->b[p] ? s->b[p] : s->a[p];
}

#endif
