/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in text, the order of texts, whole texts to a file, lines of one, names that are near to an
 * unknown word. */
#ifndef CORE_TEXT_H
#define CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/** Reads a finite decimal number and nothing else: no "nan", no hexadecimal, no overflow. */
bool scree_parse_real(const char *word, double *value);

/** Compares two elements of an array of char *, for sorting. */
int scree_compare_texts(const void *a, const void *b);

/** Writes all n bytes, even if a signal interrupts. False with errno. Signal handlers may call
 * it. */
bool scree_write_all(int fd, const char *text, size_t n);

/** The rest of the first line of a file that begins with `key`, without blanks at its ends. New
 * string; NULL: the file or the line is missing. */
char *scree_line_value(const char *path, const char *key);

/** The nearest of NULL-terminated `names` to `word`; NULL: none is near. */
const char *scree_nearest_word(const char *word, const char *const *names);
/** The end of a message about `word`: "; did you mean "NAME"?"; "": no name is near. New string. */
char *scree_did_you_mean(const char *word, const char *const *names);

#endif
