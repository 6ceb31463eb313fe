/* SPDX-License-Identifier: Apache-2.0 */
/* Ends the process with one line and status 1 when memory, descriptors, processes or stack run
 * out. */
#ifndef CORE_SHORTAGE_H
#define CORE_SHORTAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/** Beginnings of the line, after "scree: ". */
#define SCREE_OUT_OF_MEMORY "out of memory: "
#define SCREE_SHORT_OF "out of resources: "

/** Called first by the program: failures of GLib end here from now on, and the stack has room.
 * False: the limit of the stack is too low. */
bool scree_shortage_install(GError **error);

/** Additions to the line by the room that calls plugins. */
typedef struct scree_shortage_place {
    /** Writes the call into a plugin that the calling thread is in. False: it is in none. */
    bool (*name_call)(char *text, size_t size);
    /** Notes that the host ends the process now, perhaps in a service that a plugin has called. */
    void (*leave_call)(void);
} scree_shortage_place;
/** Sets the place, a constant, for the rest of the process. */
void scree_shortage_set_place(const scree_shortage_place *place);

/** Names the current work of the process in the line; a constant. */
void scree_working_on(const char *what);
/** Names a part of the current work in the line; copied. */
void scree_working_part(const char *name);
/** Sets the number of bodies in the line, present or to come. */
void scree_working_bodies(uint64_t n);
/** Names the folder of the run in the line; copied. NULL: none. */
void scree_working_folder(const char *folder);

/** Ends the process because an allocation of `bytes` (0: unknown) for `what` (NULL: the current
 * work) has failed. Any thread may call it; it allocates nothing. Files keep what was written to
 * them. */
_Noreturn void scree_out_of_memory(uint64_t bytes, const char *what);
/** Ends the process unless so much can be allocated now. Called before libraries that do not
 * survive a failed allocation. */
void scree_need_memory(uint64_t bytes, const char *what);

/** Bytes that the machine has free, or less if ulimit -v or the control group allows less. It reads
 * files: not to be called for each item. */
uint64_t scree_room_left(void);

/** Whether an errno means that the system has run out of something. */
bool scree_is_shortage(int number);
/** Ends the process because of a shortage with this errno; `what` could not be made. */
_Noreturn void scree_short_of(const char *what, int number);
/** Calls scree_short_of if errno is a shortage; of files only in a program of scree: a library's
 * caller reports them as an error. */
void scree_check_shortage(const char *what);
/** Calls scree_short_of if GLib's error about a file is a shortage. */
void scree_check_file_shortage(const GError *error, const char *what);
/** Ends the process with the line that a child has ended with. */
_Noreturn void scree_pass_on_shortage(const char *line);

#endif
