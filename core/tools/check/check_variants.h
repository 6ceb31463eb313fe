/* SPDX-License-Identifier: Apache-2.0 */
/* Instances of a plugin under test with each of its choices, and with all terms at work. */
#ifndef CORE_CHECK_VARIANTS_H
#define CORE_CHECK_VARIANTS_H

#include "tools/check/check.h"

/** Settings with which the plugin under test is tried. */
typedef struct scree_check_variant {
    uint32_t dimension;
    const char *const *settings; /* "NAME=VALUE", NULL-terminated; NULL: none */
    bool must;                   /* they may not be refused */
    const char *name;            /* for messages */
    bool guessed;                /* a refusal with a text, at any time, is fine */
} scree_check_variant;

/** Calls fn for each variant, as scree_check_variants; false from fn: it is refused, which fails
 * the check for the defaults if they `must` be taken. False: all defaults were refused. */
bool scree_check_settings_each(scree_check *check, bool must,
                               bool (*fn)(scree_check *check, const scree_check_variant *variant,
                                          void *user),
                               void *user);
/** Calls fn with instances of the plugin under test, in each of its dimensions: with defaults;
 * with all terms at work (numbers that are 0 or at an end of their range get others, which differ
 * from each other unless create() refuses that); with each value of each choice, or one optional
 * parameter, on top, and with choices together, except what create() refuses. It ends when the
 * check fails. `setting`: for messages. */
void scree_check_variants(scree_check *check,
                          void (*fn)(scree_check *check, scree_instance *instance,
                                     const char *setting));

#endif
