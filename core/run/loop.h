/* SPDX-License-Identifier: Apache-2.0 */
/* A run from its first state to its last: set-up, steps with all that happens between them, end. */
#ifndef CORE_LOOP_H
#define CORE_LOOP_H

#include <signal.h>

#include "run/checkpoint.h"
#include "run/keeper.h"
#include "run/report.h"
#include "run/save.h"

typedef struct scree_run scree_run;

/** A run besides its scene. All borrowed. */
typedef struct scree_run_plan {
    uint32_t threads, blocks, batch; /* as in scree_sim_options */
    const char
        *folder; /* to write to, new or empty; NULL: runs/SCENE-NUMBER, if something is written */
    scree_checkpoint
        *from; /* where it continues, its state is dropped; NULL: the start of the scene */
    bool allow_plugin_change; /* with `from` */
    bool only_steps;          /* no state is kept or saved, no `stop` ends it; `folder` is there */
    const volatile int *stop; /* not 0: it ends after this step, and plugins see host->cancelled */
    volatile sig_atomic_t
        *ask; /* not 0: the state is saved after this step, and *ask is 0 again; or NULL */
    void (*stepped)(void *user, const scree_run *run); /* after each step; or NULL */
    void (*saved)(void *user, const char *checkpoint); /* after each checkpoint; or NULL */
    void *user;
} scree_run_plan;

/** A run under way; zeros but for `plan` and `begin` at first. */
struct scree_run {
    scree_run_plan plan;
    double begin; /* [s] scree_now() at the start of its set-up */
    scree_sim *sim;
    scree_observers *observers;
    scree_keeper *keeper;
    scree_saver *saver;
    char *folder; /* absolute; NULL: nothing is written */
    bool made;    /* the folder, by this run */
    uint64_t steps, done;
    double end;        /* [s] the moment at which it ends, whatever dt becomes; 0: after `steps` */
    int ended_by;      /* the condition of `stop`; -1: none */
    double loop_begin; /* [s] */
    double particle_steps;
    scree_phase_times times; /* of the steps */
    guint n_unsaved;         /* failed checkpoints since the last good one */
    uint64_t unsaved_step;   /* of the last failed one */
    char *unsaved_why;
};

/** Makes the folder and the simulation, which owns the scene from then on, also when it fails. */
bool scree_run_make(scree_run *run, scree_scene *scene, GError **error);
/** The fewest steps to run->end, without a part of one that rounding leaves. */
double scree_run_steps_left(const scree_run *run);
/** Once run->steps is set: makes the observers, and evaluates and shows them the start. The time of the steps
 * begins. */
bool scree_run_begin(scree_run *run, GError **error);
/** Takes `n` steps, or fewer when the run ends; the state after them is complete. */
bool scree_run_go(scree_run *run, uint64_t n, GError **error);
/** The steps so far have warmed up: their number, their time and all that is counted begin again. */
void scree_run_count_anew(scree_run *run);
/** After the last step: saves the state, shows it to the observers, and closes their files. */
bool scree_run_finish(scree_run *run, GError **error);
/** Fills the report, and writes summary.json and manifest.json if the run has a folder. Clear the report
 * also after an error. */
bool scree_run_report(const scree_run *run, scree_report *report, char **json, GError **error);
/** The newest checkpoint of this run as a path for messages; borrowed, NULL: none. */
const char *scree_run_latest(const scree_run *run);
/** After a plugin was blamed for a call: saves the state of some steps ago. Returns its path, a new string; or NULL
 * and why, a new string: "" when the start is as good. */
char *scree_run_keep(scree_run *run, char **why);
/** Releases all but the folder's name. */
void scree_run_clear(scree_run *run);
/** After a run that has failed: removes its folder if that is empty, says that it is there if not. */
void scree_run_leave_folder(const scree_run *run);

#endif
