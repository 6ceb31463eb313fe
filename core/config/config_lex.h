/* SPDX-License-Identifier: Apache-2.0 */
/* Scene text to tokens. */
#ifndef CORE_CONFIG_LEX_H
#define CORE_CONFIG_LEX_H

#include "config/config_text.h"

/** Reads all tokens; takes the source. Invalid characters go to problems, wrong numbers stay with
 * their tokens. */
scree_tokens *scree_tokens_read(scree_config *config, scree_source *source);
void scree_tokens_free(scree_tokens *tokens);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_tokens, scree_tokens_free)

#endif
