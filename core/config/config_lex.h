/* SPDX-License-Identifier: Apache-2.0 */
/* Scene text to tokens. */
#ifndef CORE_CONFIG_LEX_H
#define CORE_CONFIG_LEX_H

#include "config/config_text.h"

/** Takes the source. What is no token at all goes to problems, wrong numbers stay with theirs. */
scree_tokens *scree_tokens_read(scree_config *config, scree_source *source);
void scree_tokens_free(scree_tokens *tokens);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_tokens, scree_tokens_free)

#endif
