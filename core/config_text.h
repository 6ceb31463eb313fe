/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the config reader: text to tokens (config_lex.c), tokens to nodes (config_parse.c). */
#ifndef CORE_CONFIG_TEXT_H
#define CORE_CONFIG_TEXT_H

#include <stddef.h>

#include "config.h"

#define SCREE_MAX_NESTING 64

typedef enum scree_token_type {
    SCREE_TOKEN_END,
    SCREE_TOKEN_NAME,
    SCREE_TOKEN_INT,
    SCREE_TOKEN_REAL,
    SCREE_TOKEN_BOOL,
    SCREE_TOKEN_STRING,
    SCREE_TOKEN_SIGN,    /* one of = : ; , ( ) [ ] { }, in `sign` */
    SCREE_TOKEN_INVALID, /* already a problem; stands where a value might */
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
    char *text;  /* as written; STRING: its value; owned */
    char *wrong; /* a number that is none, or does not fit: what is wrong with it; owned */
    int64_t i;
    double d;
    int line;
    const scree_source *source;
    size_t offset; /* of its first byte in the source */
} scree_token;

typedef struct scree_lexer scree_lexer;

/** Takes the source. Included files are read as they come. */
scree_lexer *scree_lexer_new(scree_config *config, scree_source *source);
void scree_lexer_free(scree_lexer *lexer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_lexer, scree_lexer_free)
/** The next token; what it held before is freed. */
void scree_lexer_next(scree_lexer *lexer, scree_token *token);
/** Frees what a token holds. */
void scree_token_clear(scree_token *token);
/** First line of the last text that spans lines, 0: none; a missing quote makes such texts. */
int scree_lexer_long_text(const scree_lexer *lexer);

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
