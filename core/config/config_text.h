/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the config reader: text to tokens (config_lex.c), tokens by libconfig to nodes
 * (config_parse.c). */
#ifndef CORE_CONFIG_TEXT_H
#define CORE_CONFIG_TEXT_H

#include <stddef.h>

#include "config/config.h"

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
    char *canonical; /* path without links; NULL for text that is no file */
    bool is_override;
} scree_source;

typedef struct scree_token {
    scree_token_type type;
    char sign;
    int line;
    uint32_t parent; /* the bracket that is open before it; SCREE_NO_TOKEN: none */
    uint32_t depth;  /* of an opening bracket: how many are open */
    uint32_t n_keys; /* of an opening bracket: in it so far */
    int long_text;   /* line of the last text before it that spans lines, for its closing quote may
                      * be missing; 0: none */
    const scree_source *source;
    uint32_t offset, length; /* in the source's text [bytes] */
    int64_t i;               /* INT */
    double d;                /* INT, REAL */
    char *text;              /* what libconfig reads in its place; NULL: as written; owned */
    char *wrong;             /* what is wrong with it, or NULL; owned */
} scree_token;

/** All tokens of a source and of what it includes. */
typedef struct scree_tokens {
    GPtrArray *sources; /* tokens point into them */
    GArray *all;        /* of scree_token; the last one is END */
    bool cut;           /* too deep or too much: told, and not to be read on */
} scree_tokens;

/** Takes the source. What is no token at all goes to problems, wrong numbers stay with theirs. */
scree_tokens *scree_tokens_read(scree_config *config, scree_source *source);
void scree_tokens_free(scree_tokens *tokens);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_tokens, scree_tokens_free)

/** Adds "FILE:LINE: text" with the line that the token stands in. */
void scree_token_problem(scree_config *config, const scree_token *token, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/** Reads a file as a source; its text goes to config->text. The name is for messages. */
scree_source *scree_source_read(scree_config *config, const char *path, GError **error);
/** Text at hand. NULL, with a problem, when it is not UTF-8 without NUL. */
scree_source *scree_source_text(scree_config *config, const char *text, const char *name,
                                const char *dir);
void scree_source_free(scree_source *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_source, scree_source_free)

/** Parses settings into a group / exactly one value; takes the source. Problems go to config. */
void scree_parse_settings(scree_config *config, scree_source *source, scree_node *group);
scree_node *scree_parse_value(scree_config *config, scree_source *source);

/* Nodes (config.c). */
scree_node *scree_node_new(scree_node_type type, const char *file, const char *dir, int line);
void scree_node_free(scree_node *node);
/** Appends, taking the child; false when the group has one of that name (it is then not taken). */
bool scree_node_add(scree_node *parent, scree_node *child);

/** The same again, without a parent. */
scree_node *scree_node_copy(const scree_node *node);
/** Puts `by` in the place of `old`, which is freed. */
void scree_node_replace(scree_node *old, scree_node *by);
void scree_node_set_layer(scree_node *node, unsigned layer);
/** Takes the node out of its group and frees it. */
void scree_node_remove(scree_node *node);

scree_config *scree_config_new(void); /* without a root */
/** Adds a message, which it takes, if it is not there yet: a key may be asked for more than once.
 * Nobody reads the 201st. */
void scree_message_add(GPtrArray *messages, char *message);

/** "dir/name", or name when it is absolute or dir is ".". */
char *scree_path_join(const char *dir, const char *name);

#endif
