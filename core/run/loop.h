/* SPDX-License-Identifier: Apache-2.0 */
/* A run from its first state to its last: set-up, steps and all between them, end. */
#ifndef CORE_LOOP_H
#define CORE_LOOP_H

#include <signal.h>

#include "engine/sim.h"
#include "run/checkpoint.h"
#include "run/rank_processes.h"
#include "run/report.h"
#include "run/save.h"

typedef struct scree_run scree_run;
/** Makes a run of the scene that continues from a checkpoint (tools/restart has it). */
typedef scree_sim *(*scree_restart_fn)(scree_scene *scene, const scree_sim_options *options,
                                       scree_checkpoint *from, bool allow_plugin_change,
                                       GError **error);

/** The settings of a run besides its scene. All borrowed. */
typedef struct scree_run_plan {
    uint32_t threads, blocks, batch; /* as in scree_sim_options */
    const char *folder; /* folder to write to, new or empty; NULL: runs/SCENE-NUMBER, if needed */
    scree_checkpoint *from;   /* checkpoint to continue from, whose state is freed; NULL: none */
    bool allow_plugin_change; /* only with `from` */
    scree_restart_fn restart; /* set with `from` */
    bool writes_nothing;      /* the run has no folder, and saves no state */
    bool ranks;               /* the run may have several ranks */
    bool says_notes;          /* the notes of the scene are printed, by rank 0 */
    bool trusts_swaps;        /* swaps are not tried in a forked copy of the process */
    bool only_steps;          /* the run saves no state and ignores `stop`; `folder` exists */
    const volatile int *stop; /* not 0: it ends after this step, and plugins see host->cancelled */
    volatile sig_atomic_t
        *ask; /* not 0: the state is saved after this step, and *ask becomes 0; or NULL */
    /* before the set-up: NULL: the run has one rank; or NULL */
    void (*joined)(void *user, const scree_ranks *ranks);
    void (*stepped)(void *user, const scree_run *run); /* called after each step; or NULL */
    void (*saved)(void *user, const char *checkpoint); /* called after each checkpoint; or NULL */
    void *user;
    /* once the observers are made: false refuses the run; `end`: the first step that is not taken;
     * or NULL */
    bool (*check)(const scree_sim *sim, uint64_t end, GError **error);
} scree_run_plan;

/** A run under way; only `plan` and `begin` are set at first. */
struct scree_run {
    scree_run_plan plan;
    double begin;       /* [s] scree_now() at the start of the set-up */
    scree_ranks *ranks; /* NULL: one rank */
    scree_sim *sim;
    scree_observers *observers;
    scree_keeper keeper;
    scree_saver saver;
    char *folder;        /* absolute; NULL: the run writes nothing */
    bool made;           /* the run has made the folder */
    char *folder_of_all; /* that of rank 0; "": none; NULL: one rank */
    uint64_t steps, done;
    bool pause;    /* scree_run_go returns once its last step has recorded what observers need */
    bool complete; /* the last step has */
    bool saves;    /* the state is saved before the next step */
    bool wants_contacts; /* the last step of scree_run_go records the contacts */
    double end;          /* [s] time at which the run ends, whatever dt becomes; 0: after `steps` */
    int ended_by;        /* index of the condition of `stop`; -1: none */
    double loop_begin;   /* [s] scree_now() at the first step */
    double particle_steps;
    scree_phase_times times; /* times of the steps */
    guint n_unsaved;         /* number of failed checkpoints since the last good one */
    uint64_t unsaved_step;   /* step of the last failed one */
    char *unsaved_why;
};

/** Makes the folder and the simulation, which owns the scene from then on, even on failure. */
bool scree_run_make(scree_run *run, scree_scene *scene, GError **error);
/** Returns the number of steps to run->end; a fraction left by rounding does not count. */
double scree_run_steps_left(const scree_run *run);
/** Makes the observers, evaluates the start, and shows it to them; run->steps is set. The time of
 * the steps begins. */
bool scree_run_begin(scree_run *run, GError **error);
/** Takes `n` steps, or fewer if the run ends or pauses; the state after them is complete. */
bool scree_run_go(scree_run *run, uint64_t n, GError **error);
/** After the last step: saves the state, shows it to the observers, and closes their files. */
bool scree_run_finish(scree_run *run, GError **error);
/** Returns the hash of the state and the text of summary.json, new strings, even on failure; writes
 * summary.json and manifest.json if the run has a folder. */
bool scree_run_report(const scree_run *run, char **state_sha256, char **json, GError **error);
/** Returns the path of the newest checkpoint of this run, for messages; borrowed, NULL: none. */
const char *scree_run_latest(const scree_run *run);
/** After a plugin was blamed for a call: saves an earlier state. Returns its path, a new string.
 * NULL, with the reason *why, a new string: "" if the start replaces it. */
char *scree_run_keep(scree_run *run, char **why);
/** Frees all but the folder's name. */
void scree_run_clear(scree_run *run);
/** After a failed run: removes its folder if it is empty, otherwise prints a note about it. */
void scree_run_leave_folder(const scree_run *run);

#endif
