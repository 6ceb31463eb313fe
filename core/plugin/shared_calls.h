/* SPDX-License-Identifier: Apache-2.0 */
/* Calls into plugins that are under way, in memory shared by a program and its children: a call can
 * be named after its process has ended. */
#ifndef CORE_SHARED_CALLS_H
#define CORE_SHARED_CALLS_H

#include <glib.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct scree_instance;

/** A call into a plugin. instance NULL: the host itself runs. */
typedef struct scree_guard_call {
    struct scree_instance *instance;
    const char *call;  /* name of the function in the vtable; a constant */
    const char *shown; /* "force/x (force[0])", a text of scree_shared_text */
} scree_guard_call;

/** The current work of one thread. */
typedef struct scree_guard_place {
    scree_guard_call now; /* only call.h sets it */
    /* Plugin files, texts of scree_shared_text, or NULL: the file whose constructors run; the file
     * that the process tries until its end (probe.c). */
    const char *loading, *tried;
    uint64_t step;         /* step of the run, set by its main thread; UINT64_MAX: none yet */
    _Atomic pid_t process; /* number of the process; 0: the place is free */
} scree_guard_place;

enum { SCREE_SHARED_PLACES = 1024, SCREE_SHARED_TEXT = 1 << 18, SCREE_SHARED_COMMAND = 1 << 14 };

/** A run that may be taken up again, as one of its ranks knows it. */
typedef struct scree_shared_run {
    uint32_t rank;
    _Atomic uint32_t ranks;            /* 0: they have not joined, or the texts change */
    uint64_t begin, end;               /* steps */
    char folder[SCREE_SHARED_COMMAND]; /* of rank 0, where its checkpoints are; "": none */
    /* Command that begins again at `begin`, and that continues from the last state in `folder`; the
     * number of steps is missing; "": none. */
    char start[SCREE_SHARED_COMMAND], more[SCREE_SHARED_COMMAND];
} scree_shared_run;

/** Memory that a program shares with its children. */
typedef struct scree_shared {
    _Atomic pid_t own;            /* the process whose end counts */
    _Atomic bool said;            /* scree_shared_said was called there */
    _Atomic(const char *) folder; /* of the run; NULL: it holds nothing */
    scree_shared_run run;         /* one of several ranks */
    /* Command that repeats the run from its start, or from a saved state; "": none. */
    char repeat[SCREE_SHARED_COMMAND];
    scree_guard_place places[SCREE_SHARED_PLACES];
    _Atomic size_t used; /* bytes of `text` in use */
    char text[SCREE_SHARED_TEXT];
} scree_shared;
/** That of this program; its own if it has no children that count. */
extern scree_shared *scree_shared_now;

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
/** Finds the call of the lowest thread of this process that is in one. False: none is. */
bool scree_guard_find_call(scree_guard_call *found);

/** Finds the call that another process is in, or the plugin file that it tries, as "load". Signal
 * handlers may call it. */
bool scree_shared_find_other(scree_guard_call *found);

/** A call as --break takes it: "force[0]/compute@26"; without @26 for UINT64_MAX. New string. */
char *scree_guard_where(const scree_guard_call *call, uint64_t step);

/** Shares the places with all later children; called before the first one. False with errno. */
bool scree_shared_begin(void);
/** Notes that the host ends this process and has printed its reason. A plugin causes any other
 * end. */
void scree_shared_said(void);
/** Copies a text into shared memory, where it stays. Parent and children may read it after this
 * process has ended. */
const char *scree_shared_text(const char *text);
/** Sets the folder of the run, once it holds anything; NULL: it does not. */
void scree_shared_set_folder(const char *folder);
/** Sets a command in shared memory; one of more than 16 KiB becomes "". */
void scree_shared_set_command(char *to, const char *command);
/** Whether a process that has ended so was a rank, and no plugin that computes has ended it. */
bool scree_shared_is_lost_rank(pid_t process, int status);
/** Whether that process tries a plugin file. Signal handlers may call it. */
bool scree_shared_is_trial(pid_t process);
/** Frees the places of a child that has ended. */
void scree_shared_forget(pid_t process);
/** Whether that process is in a call of a plugin, or loads one. */
bool scree_shared_is_in_call(pid_t process);
/** Describes an end of a process for which the host has given no reason, by `status` of waitpid:
 * the call under way, the file being loaded, or the files being tried. New string. */
char *scree_shared_describe_end(pid_t process, int status);
/** The call under way as --break takes it, a new string; NULL: none. */
char *scree_shared_where(pid_t process);

#endif
