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
    SCREE_TOKEN_INVALID, /* reported already */
} scree_token_type;

/** The text of a file, or an override. */
typedef struct scree_source {
    char *text; /* ends with its only NUL */
    const char *name, *dir;
    char *canonical; /* path without links; NULL: no file */
    bool is_override;
} scree_source;

typedef struct scree_token {
    scree_token_type type;
    char sign;
    int line;
    uint32_t parent; /* innermost open bracket before it; SCREE_NO_TOKEN: none */
    uint32_t depth;  /* number of open brackets; opening brackets only */
    int long_text;   /* first line of the last text with several lines before it; 0: none */
    const scree_source *source;
    uint32_t offset, length; /* in the source's text [bytes] */
    int64_t i;               /* INT, BOOL */
    double d;                /* INT, REAL */
    char *text;              /* STRING: its characters; owned */
    char *wrong;             /* text of its mistake, or NULL; owned */
} scree_token;

/** All tokens of a source and its includes. */
typedef struct scree_tokens {
    GPtrArray *sources; /* texts that tokens point into */
    GArray *all;        /* elements: scree_token; the last one is END */
    bool cut;           /* too deep or too long: reported; the rest was not read */
} scree_tokens;

#endif
