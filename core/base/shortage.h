/* SPDX-License-Identifier: Apache-2.0 */
/* Out of memory, descriptors, processes or stack: one true line, then the process ends with 1. */
#ifndef CORE_SHORTAGE_H
#define CORE_SHORTAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/** Start of the line of a shortage, after "scree: ". */
#define SCREE_OUT_OF_MEMORY "out of memory: "
#define SCREE_SHORT_OF "out of resources: "

/** First thing of the program: GLib's failures end here from now on, and the stack has room. False:
 * the limit of the stack is too low. */
bool scree_shortage_install(GError **error);

/** Text that the room that calls plugins adds to the line. */
typedef struct scree_shortage_place {
    /** Writes the call into a plugin that the calling thread is in; false: it is in none. */
    bool (*name_call)(char *text, size_t size);
    /** The step that the run is at, or UINT64_MAX before the first one. */
    uint64_t (*find_step)(void);
    /** Notes that the host ends the process now, maybe in a service that a plugin has called. */
    void (*leave_call)(void);
} scree_shortage_place;
/** Sets it, for the rest of the process; a constant. */
void scree_shortage_set_place(const scree_shortage_place *place);

/** Names the current work of the process, for the line: a constant. */
void scree_working_on(const char *what);
/** Names the part of it, until the next scree_working_on; copied. */
void scree_working_part(const char *name);
/** How many bodies there are, or will be once the part is done, for the line. */
void scree_working_bodies(uint64_t n);
/** Where the run writes, for the line; copied. NULL: nowhere. */
void scree_working_folder(const char *folder);

/** Ends the process with status 1: an allocation of `bytes` (0: unknown) for `what` (NULL: the
 * current work) failed. Any thread; allocates nothing; files keep what was written to them. */
_Noreturn void scree_out_of_memory(uint64_t bytes, const char *what);
/** Ends the process the same way unless so much can be allocated now: before libraries that do not
 * survive a failed allocation. */
void scree_need_memory(uint64_t bytes, const char *what);

/** Whether an errno says that the system has run out of something, whatever was asked of it. */
bool scree_is_shortage(int number);
/** Ends the process the same way: there was none of `what` for this errno. */
_Noreturn void scree_short_of(const char *what, int number);
/** The same, if errno is a shortage. */
void scree_check_shortage(const char *what);
/** The same, if GLib's error about a file is one. */
void scree_check_file_shortage(const GError *error, const char *what);
/** Ends the process with the line of a child's shortage, which scree_find_shortage gave. */
_Noreturn void scree_pass_on_shortage(const char *line);
/** The line of a shortage in what a child has written to standard error, without "scree: "; new
 * string, or NULL. */
char *scree_find_shortage(const char *text);

#endif
