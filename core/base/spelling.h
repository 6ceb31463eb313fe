/* SPDX-License-Identifier: Apache-2.0 */
/* The nearest of known names to a word that is not one of them, for messages. */
#ifndef CORE_SPELLING_H
#define CORE_SPELLING_H

/** The nearest of NULL-terminated `names` to `word`, or NULL when none is near. */
const char *scree_nearest(const char *word, const char *const *names);
/** The end of a message about `word`: "; did you mean "NAME"?", or "" when none is near. New
 * string. */
char *scree_did_you_mean(const char *word, const char *const *names);

#endif
