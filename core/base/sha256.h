/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 of large data. */
#ifndef CORE_SHA256_H
#define CORE_SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct scree_sha256 scree_sha256;

scree_sha256 *scree_sha256_new(void);
void scree_sha256_add(scree_sha256 *sum, const void *bytes, size_t n);
/** The sum in hexadecimal, a new string; frees `sum`. */
char *scree_sha256_end(scree_sha256 *sum);

#endif
