/* SPDX-License-Identifier: Apache-2.0 */
/* Text files of words: cut into lines and words, numbers read strictly, mistakes reported with
 * line. */
#ifndef CORE_TEXT_H
#define CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define SCREE_TEXT_MOST_PROBLEMS 20

typedef struct scree_text {
    const char *file; /* as the user named it; for messages */
    char comment;     /* starts a comment; 0: there are none */
    bool joins;       /* a backslash at its end joins a line with the next */
    uint64_t line;    /* of the words at hand, from 1; where it starts when joined */
    GPtrArray *words; /* of char *, of this line; may be changed, valid until the next line */
    char *remark;     /* text after `comment` on this line, or NULL */
    GPtrArray *problems;
    uint32_t n_problems; /* of this file */
    const char *at, *end;
    uint64_t lines_taken;
    GString *buffer;
} scree_text;

/** Starts at the first line of `length` bytes, after a byte-order mark. Borrows its arguments. */
void scree_text_init(scree_text *text, const char *bytes, size_t length, const char *file,
                     GPtrArray *problems);
void scree_text_clear(scree_text *text);
/** Goes to the next line that has a word; false at the end, and after too many problems. */
bool scree_text_next(scree_text *text);
/** Adds "FILE:LINE: .." to the problems; at most SCREE_TEXT_MOST_PROBLEMS of a file are shown. */
void scree_text_report(scree_text *text, const char *format, ...) G_GNUC_PRINTF(2, 3);
/** The word as a finite number, else a problem that names it by `what`. */
bool scree_text_real(scree_text *text, const char *what, const char *word, double *value);
/** The same for a whole number in [min, max]. */
bool scree_text_int(scree_text *text, const char *what, const char *word, int64_t min, int64_t max,
                    int64_t *value);

/** A finite decimal number and nothing else; no "nan", no hexadecimal, no overflow. */
bool scree_parse_real(const char *word, double *value);

/** Reads a whole file for a reader of `problems`; NULL with a problem that names it. */
char *scree_text_load(const char *path, size_t *length, GPtrArray *problems);

#endif
