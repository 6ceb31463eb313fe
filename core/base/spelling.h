/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the known name that is nearest to an unknown word, for messages. */
#ifndef CORE_SPELLING_H
#define CORE_SPELLING_H

/** The nearest of NULL-terminated `names` to `word`; NULL: none is near. */
const char *scree_nearest_word(const char *word, const char *const *names);
/** The end of a message about `word`: "; did you mean "NAME"?"; "": no name is near. New string. */
char *scree_did_you_mean(const char *word, const char *const *names);

#endif
