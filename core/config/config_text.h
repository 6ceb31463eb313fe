/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the config reader: text to tokens (config_lex.c), tokens to nodes (config_parse.c). */
#ifndef CORE_CONFIG_TEXT_H
#define CORE_CONFIG_TEXT_H

#include <stddef.h>

#include "config/config_tree.h"

#define SCREE_MAX_NESTING 64
#define SCREE_NO_TOKEN UINT32_MAX

typedef enum scree_token_type {
    SCREE_TOKEN_END,
    SCREE_TOKEN_NAME,
    SCREE_TOKEN_INT,
    SCREE_TOKEN_REAL,
    SCREE_TOKEN_BOOL,
    SCREE_TOKEN_STRING,
    SCREE_TOKEN_SIGN,    /* one of = : ; , ( ) [ ] { }, in `sign` */
    SCREE_TOKEN_INVALID, /* already a problem */
} scree_token_type;

/** One file's text, or an override. */
typedef struct scree_source {
    char *text; /* ends with NUL, holds no other */
    const char *name, *dir;
    char *canonical; /* path without links; NULL for text without a file */
    bool is_override;
} scree_source;

typedef struct scree_token {
    scree_token_type type;
    char sign;
    int line;
    uint32_t parent; /* the bracket that is open before it; SCREE_NO_TOKEN: none */
    uint32_t depth;  /* of an opening bracket: how many are open */
    int long_text;   /* line of the last text before it that spans lines, for its closing quote may
                      * be missing; 0: none */
    const scree_source *source;
    uint32_t offset, length; /* in the source's text [bytes] */
    int64_t i;               /* INT, BOOL */
    double d;                /* INT, REAL */
    char *text;              /* STRING: its letters; owned */
    char *wrong;             /* what is wrong with it, or NULL; owned */
} scree_token;

/** All tokens of a source and of what it includes. */
typedef struct scree_tokens {
    GPtrArray *sources; /* tokens point into them */
    GArray *all;        /* of scree_token; the last one is END */
    bool cut;           /* too deep or too much: reported; do not read on */
} scree_tokens;

#endif
