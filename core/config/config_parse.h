/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens to nodes. */
#ifndef CORE_CONFIG_PARSE_H
#define CORE_CONFIG_PARSE_H

#include "config/config_text.h"

/** Parses a text into a group, which is empty if the syntax has a mistake; takes the source.
 * Problems go to config. */
scree_node *scree_parse_settings(scree_config *config, scree_source *source);
/** Parses exactly one value; NULL: the syntax has a mistake. Otherwise as scree_parse_settings. */
scree_node *scree_parse_value(scree_config *config, scree_source *source);

#endif
