/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens to nodes. */
#ifndef CORE_CONFIG_PARSE_H
#define CORE_CONFIG_PARSE_H

#include "config/config_text.h"

/** Parses settings into a group / exactly one value; takes the source. Problems go to config. */
void scree_parse_settings(scree_config *config, scree_source *source, scree_node *group);
scree_node *scree_parse_value(scree_config *config, scree_source *source);

#endif
