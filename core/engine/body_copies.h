/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of bodies, made before a call to a plugin that must not change them. */
#ifndef CORE_BODY_COPIES_H
#define CORE_BODY_COPIES_H

#include <stdint.h>

/** Where bodies [first, last) were, and how they moved, before a plugin was called (motion.c). */
typedef struct scree_body_copy {
    uint32_t first, last;
    double *values;
    uint64_t capacity;
} scree_body_copy;

#endif
