/* SPDX-License-Identifier: Apache-2.0 */
/* A run of libscree, and the begin and end of each call on it. */
#ifndef CORE_LIB_VISIT_H
#define CORE_LIB_VISIT_H

#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/context.h"
#include "lib/libscree.h"
#include "run/loop.h"
#include "scree/draft/embed.h"

typedef enum scree_lib_phase {
    SCREE_LIB_REFUSED,  /* the scene could not be opened */
    SCREE_LIB_OPEN,     /* the first state is not evaluated yet: it may need the caller's forces */
    SCREE_LIB_READY,    /* the run can go on */
    SCREE_LIB_FAILED,   /* a step has failed: the run can be read, and put back to a state */
    SCREE_LIB_FINISHED, /* sc_finish: the run can be read */
} scree_lib_phase;

/** The surroundings that a call has found in its thread, and puts back. */
typedef struct scree_lib_outside {
    fenv_t floats;
    locale_t locale;
    scree_context *context;
} scree_lib_outside;

/** A line that waits for the caller. */
typedef struct scree_lib_line {
    int32_t level;
    char *text;
} scree_lib_line;

/** A change by hand that the run has noted. */
typedef struct scree_lib_change {
    uint64_t step;
    guint override; /* its number among the overrides of the scene */
    char *cause;    /* "at_step 500", as the entry has it; owned */
} scree_lib_change;

struct sc_run {
    scree_context context;
    scree_run run;
    scree_registry *registry;
    scree_checkpoint *from; /* NULL: the run does not continue one */
    scree_lib_phase phase;
    bool (*ready)(sc_run *run, GError **error); /* evaluates the first state */
    void (*look)(sc_run *run); /* after a call: begins a generation if arrays have moved */
    uint64_t number;           /* of the run in the process: states know it */
    pid_t process;
    atomic_uintptr_t worker; /* mark of the thread that works; 0: none */
    volatile int cancelled;
    scree_lib_outside outside; /* of the call under way */
    bool placed;               /* its thread had a place among those that call plugins before */
    bool shows;                /* the function of sc_on_progress is called: it may read */
    bool nested;               /* it reads */
    bool ends;                 /* sc_finish was called: no state can be put in */
    char *error;
    /* lines of other threads wait for the thread of the call */
    void (*say)(void *user, int32_t level, const char *text);
    void *say_user;
    GArray *lines; /* elements: scree_lib_line */
    pthread_mutex_t lines_mutex;
    /* sc_on_progress, and limits of the advance under way */
    int32_t (*progress)(void *user, sc_run *run);
    void *progress_user;
    uint64_t progress_every;
    double wall_end; /* [s] of scree_now(); 0: none */
    GArray *changes; /* change.c; elements: scree_lib_change */
    /* forces.c */
    GPtrArray *forces; /* elements: given_forces */
    scree_embed embed;
    char *failure; /* text of sc_fail; NULL: none */
    /* arrays.c */
    GPtrArray *names; /* char *, the last answer of sc_array_names */
    uint64_t generation;
    const void *seen[4]; /* arrays and counts at the last call: others begin a generation */
    uint64_t seen_numbering, seen_step;
    guint seen_swaps;
    bool wants_contacts;
    void *contact_columns[5]; /* a, b, point of the contacts that were asked for last */
};

/** A run without a scene; `say` NULL: its lines are dropped. */
sc_run *scree_lib_new(void (*say)(void *user, int32_t level, const char *text), void *user);
/** Begins a call. `least`: the phase that the call needs, SCREE_LIB_FAILED: one that a failed run
 * serves too; `reads`: a callback may make it, and a
 * run that has ended serves it. False: it is refused, and sc_error has the reason. */
bool scree_lib_enter(sc_run *run, scree_lib_phase least, bool reads);
/** The code of the call that scree_lib_enter has just refused in this thread. */
int32_t scree_lib_refused(const sc_run *run);
/** Begins a function of libscree.h: declares `error`, for scree_lib_leave; a call that is refused
 * returns here. */
#define SCREE_LIB_ENTER(run, least, reads)                                                         \
    GError *error = NULL;                                                                          \
    if (!scree_lib_enter(run, least, reads))                                                       \
    return scree_lib_refused(run)
/** Refuses a call with a wrong argument: enters, leaves, and returns SC_E_USE or the code of enter. */
int32_t scree_lib_refuse(sc_run *run, const char *text);
/** Ends it. Returns the code of the error, which it takes, or SC_OK for NULL. */
int32_t scree_lib_leave(sc_run *run, GError *error);
/** Before and after a function of the caller: it finds its own surroundings. */
void scree_lib_out(sc_run *run);
void scree_lib_in(sc_run *run);
/** Gives the lines of other threads to the caller. */
void scree_lib_say_rest(sc_run *run);

#endif
