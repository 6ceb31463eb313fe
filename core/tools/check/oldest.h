/* SPDX-License-Identifier: Apache-2.0 */
/* The plugin under test, called as the oldest host of this ABI would call it. */
#ifndef CORE_OLDEST_H
#define CORE_OLDEST_H

#include "tools/check/check.h"

/** Replaces the plugin under test by one whose structs of the host end where they ended in
 * abi/frozen, each with a guard page behind: a tail that is read without SCREE_HAS or SCREE_KNOWS
 * crashes, and the crash names the struct. Only for the process of a case. */
void scree_oldest_use(scree_check *check);
/** The plugin of the check is found again, instead of the one that replaced it. */
void scree_oldest_end(const scree_check *check);

typedef struct scree_oldest_struct scree_oldest_struct;
/** A pointer in a struct to another one. */
typedef struct scree_oldest_inner {
    size_t offset;
    const scree_oldest_struct *of;
} scree_oldest_inner;
struct scree_oldest_struct {
    const char *name;
    size_t bytes; /* in the frozen headers */
    uint32_t n_inner;
    const scree_oldest_inner *inner;
};
/** A copy of *from, and of the structs that it points to, as long as the oldest host's; NULL of
 * NULL. The same struct gets the same copy in each call. */
void *scree_oldest_cut(const void *from, const scree_oldest_struct *of);
/** Takes over what the plugin has written into a copy. */
void scree_oldest_back(void *to, const void *copy, const scree_oldest_struct *of);
/** The generated part. */
typedef struct scree_oldest_calls {
    /** The vtable of a kind, or the extension of a name, with functions that hand copies on to those
     * of `real`, which is the only one of its kind at a time. */
    const void *(*ops)(uint32_t kind, const void *real);
    const void *(*extension)(const char *name, const void *real);
    /** The struct of a service; NULL: it is a draft, which has no oldest host. */
    const scree_oldest_struct *(*service)(const char *name);
} scree_oldest_calls;
extern const scree_oldest_calls scree_check_oldest_calls; /* written by oldest.py */

#endif
