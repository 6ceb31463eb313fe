/* SPDX-License-Identifier: Apache-2.0 */
/* Scene files as text. */
#ifndef CORE_CONFIG_SOURCE_H
#define CORE_CONFIG_SOURCE_H

#include "config/config_text.h"

/** Adds the problem "FILE:LINE: text" with the line of the token. */
void scree_token_problem(scree_config *config, const scree_token *token, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
/** Reads a file as a source; its text goes to config->text. Messages show the name. */
scree_source *scree_source_read(scree_config *config, const char *path, GError **error);
/** A source with this text. NULL, with a problem: it is not UTF-8 without NUL. */
scree_source *scree_source_text(scree_config *config, const char *text, const char *name,
                                const char *dir);
void scree_source_free(scree_source *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_source, scree_source_free)

#endif
