/* SPDX-License-Identifier: Apache-2.0 */
/* Parameter `sin` of a plugin that does wrong when it is told to. A file lists what it can do as SINS(SIN), by
 * enumerator and word; the first is NONE. */
#ifndef FAULTS_SINS_H
#define FAULTS_SINS_H

#include "../plugin.h"

#define SIN_ENUMERATOR(NAME, word) NAME,
#define SIN_CHOICE(NAME, word) SCREE_CHOICE_VALUE(word, NAME, "a sin");
#define SIN_LISTED(NAME, word) &choice_##word,
#define SIN_PARAM                                                                                  \
    SINS(SIN_CHOICE)                                                                               \
    SCREE_CHOICE_PARAM(config, sin, 0, "none", "what it does wrong", SINS(SIN_LISTED))

#endif
