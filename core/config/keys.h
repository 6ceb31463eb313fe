/* SPDX-License-Identifier: Apache-2.0 */
/* Keys as rows of a table; a group of a scene fills a plain struct by them. */
#ifndef CORE_CONFIG_KEYS_H
#define CORE_CONFIG_KEYS_H

#include "config/config.h"
#include "scree/params.h"

/* Types of the host's own keys; plugins have those of params.h, too. */
#define SCREE_KEY_COUNT 32u /* uint32_t: an integer */
#define SCREE_KEY_VECTOR                                                                           \
    33u /* double[3]: in 2D two numbers, or three with a last 0; length 3: three */
#define SCREE_KEY_AXES 34u  /* int32_t[3]: a choice for all axes, or one per axis */
#define SCREE_KEY_GROUP 35u /* scree_node *: a group */
#define SCREE_KEY_LIST 36u  /* scree_node *: a list */
#define SCREE_KEY_NODE 37u  /* scree_node *: its reader checks its type */
#define SCREE_KEY_SPIN 38u  /* double[3]: a vector, in 2D a number about z */

/* Flags of the host's own keys. */
#define SCREE_KEY_AUTO (1u << 30)  /* REAL: also "auto", which is NaN */
#define SCREE_KEY_UNSET (1u << 31) /* a missing key means none; its default has no range */

/** The keys of a group of a scene. */
typedef struct scree_key_table {
    const char *name, *help;
    size_t size; /* size of the struct that they fill */
    const scree_param *rows;
    uint32_t n;
} scree_key_table;

/** A struct that a group fills. */
typedef struct scree_keys {
    scree_config *config;
    scree_node *group; /* NULL: every key is missing */
    void *to;
    GPtrArray *memory;  /* owns memory of the struct */
    const char *user;   /* "force/linear": the plugin that needs the keys; NULL: the host */
    uint32_t dimension; /* dimension of vectors: 2 or 3 */
} scree_keys;

/** Zeroed memory, owned by keys->memory. */
void *scree_keys_alloc(const scree_keys *keys, size_t n, size_t size);
/** The setting of a row. NULL: it is missing, with a problem if it is required. */
scree_node *scree_keys_find(const scree_keys *keys, const scree_param *row);
/** Reads a number of a row of reals from a node, checked. False with a problem. */
bool scree_keys_real(const scree_keys *keys, const scree_param *row, const scree_node *node,
                     double *out);
/** Fills the member of a row. False: this reader does not know its type. A missing key gives the
 * default; so does a wrong one, which is a problem. */
bool scree_keys_fill(const scree_keys *keys, const scree_param *row);
/** Fills the members of all rows in a table of the host. */
void scree_keys_read(const scree_keys *keys, const scree_key_table *table);

#endif
