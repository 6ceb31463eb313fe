/* SPDX-License-Identifier: Apache-2.0 */
/* This process becomes another program. */
#ifndef CORE_BECOME_H
#define CORE_BECOME_H

/** Becomes the program with these words, which end in NULL. Returns the exit status if the system cannot
 * run it, after a message. */
int scree_become(const char *path, char **words);

#endif
