/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in files of text. */
#ifndef CORE_TEXT_H
#define CORE_TEXT_H

#include <stdbool.h>

/** A finite decimal number and nothing else; no "nan", no hexadecimal, no overflow. */
bool scree_parse_real(const char *word, double *value);

#endif
