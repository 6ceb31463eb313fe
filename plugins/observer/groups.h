// SPDX-License-Identifier: Apache-2.0
// Groups of bodies by name.
#ifndef OBSERVER_GROUPS_H
#define OBSERVER_GROUPS_H

#include "scree/sdk.h"

/** Name of a group of bodies (scree_bodies.group); "": the host offers no names, or no group has
 * this index. */
static inline const char *group_name(const scree_names *names, uint32_t group)
{
    const char *name = names ? names->group_name(names->ctx, group) : NULL;
    return name ? name : "";
}

/** Does a list contain a word? */
static inline int has_word(const scree_strings *list, const char *word)
{
    for (uint64_t k = 0; k < list->n; k++)
        if (strcmp(word, list->v[k]) == 0)
            return 1;
    return 0;
}

/** Is a group one of those that a parameter lists? An empty list means all groups. */
static inline int is_of_groups(const scree_strings *groups, const scree_names *names,
                               uint32_t group)
{
    return groups->n == 0 || has_word(groups, group_name(names, group));
}

#endif
