/* SPDX-License-Identifier: Apache-2.0 */
/* The calls into plugins that are under way, in memory that a program and its child processes share,
 * so that a call can be named after its process has ended. */
#ifndef CORE_SHARED_CALLS_H
#define CORE_SHARED_CALLS_H

#include <glib.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct scree_instance;

/** A call into a plugin; instance NULL: none, the host itself runs. */
typedef struct scree_guard_call {
    struct scree_instance *instance;
    const char *call;  /* name of the function in the vtable; a constant */
    const char *shown; /* "force/x (force[0])", of scree_shared_text */
} scree_guard_call;

/** The present work of one thread. */
typedef struct scree_guard_place {
    scree_guard_call now; /* set by call.h only */
    /* Plugin files, of scree_shared_text, or NULL: whose constructors it runs; which its process
     * tries, as long as it lives (probe.c). */
    const char *loading, *tried;
    uint64_t step;         /* of the run, noted by its main thread; UINT64_MAX: none yet */
    _Atomic pid_t process; /* 0: the place is free */
} scree_guard_place;

extern _Thread_local scree_guard_place *scree_guard_place_taken;
/** Takes a place for the calling thread. */
scree_guard_place *scree_guard_take_place(void);
/** The place of the calling thread. */
static inline scree_guard_place *scree_guard_here(void)
{
    scree_guard_place *place = scree_guard_place_taken;
    return G_LIKELY(place != NULL) ? place : scree_guard_take_place();
}
/** Frees the place of a thread that ends. */
void scree_guard_leave_place(void);
/** The call of the lowest thread of this process that is in one; false: none is. */
bool scree_guard_find_call(scree_guard_call *found);

/** A call as --break takes it: "force[0]/compute@26"; `step` UINT64_MAX: before the first. New string. */
char *scree_guard_where(const scree_guard_call *call, uint64_t step);

/** From now on children of this process share the places; called before it has any. False with
 * errno. */
bool scree_shared_begin(void);
/** This process is the one whose end counts. */
void scree_shared_own(void);
/** The host ends this process, and has printed its reason. Any other end is a plugin's. */
void scree_shared_said(void);
bool scree_shared_is_said(void);
/** The same text in memory that is shared, for good. A child may read it after this process has
 * ended, and its parent too. */
const char *scree_shared_text(const char *text);
/** The folder that the run writes to, NULL before something is in it that the run has not made. */
void scree_shared_set_folder(const char *folder);
const char *scree_shared_folder(void);
/** The command that repeats the run from its start, or from a state that it has saved; "": none. It may have
 * 16 KiB. */
void scree_shared_set_repeat(const char *command);
const char *scree_shared_repeat(void);
/** Whether that process tries a plugin file. From signal handlers too. */
bool scree_shared_is_trial(pid_t process);
/** Frees the places of a child that has ended. */
void scree_shared_forget(pid_t process);
/** Whether that process is in a call of a plugin, or loads one. */
bool scree_shared_is_in_call(pid_t process);
/** How a process has ended of which the host has not said so: the call that it was in, the file that
 * it was loading, or the files that its children were trying, and `status` of waitpid. New string. */
char *scree_shared_describe_end(pid_t process, int status);
/** That call as --break takes it, new string; NULL: it was in none. */
char *scree_shared_where(pid_t process);

#endif
