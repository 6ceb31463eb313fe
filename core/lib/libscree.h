/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libscree: runs of scree inside another program.
 *
 * Errors     A function that can fail returns SC_OK, or a code above 0: the exit status that
 *            `scree run` would have. sc_error(run) then has the text. The text of a wrong scene
 *            has all its mistakes, one a line: "FILE:LINE: PATH: what, value, allowed". After
 *            SC_E_RUN or SC_E_PLUGIN from a function that takes steps the run has failed: functions
 *            that read its arrays, figures and hash, sc_state_put and sc_close work; sc_state_put
 *            makes it usable again. Calls in a wrong order, and NULL where something is expected,
 *            return SC_E_USE and change nothing. The run NULL has no text of its own.
 * Ownership  Memory behind a `const` pointer that a function returns belongs to the run, and lives
 *            until the next call on the run, unless the function says more. `char **` results
 *            belong to the caller; sc_free frees them. All texts are UTF-8, without a line break
 *            at the end.
 * Threads    One thread at a time may call functions on a run; the thread may change between two
 *            calls. Other threads may have other runs at the same time. Any thread and any signal
 *            handler may call sc_cancel. A function that finds the run at work in another thread
 *            returns SC_E_USE. A thread that calls needs a stack of 1 MiB or more.
 * Callbacks  The function of sc_on_progress may read from the run that calls it; calls that step,
 *            change, finish or close it return SC_E_USE. The functions of sc_on_forces and `say`
 *            may call only sc_fail, sc_cancel, sc_step_count, sc_time and sc_dt on it.
 * fork       A run belongs to the process that opened it. In a child after fork each call on the
 *            run returns SC_E_USE, and sc_close frees nothing.
 * Process    The library installs no signal handler, prints nothing, does not end the process, and
 *            leaves the current folder, locale, umask, limits, environment and allocator as they
 *            are. HDF5 is not for several threads: of runs at the same time only one may have an
 *            observer that uses it. Each call works with the floating-point environment and the
 *            locale of the host, and puts back those of its thread. These can end the process all
 *            the same: want of memory or of threads, and a plugin that crashes
 *            or ends the thread that it is called on. A plugin file that no index lists is tried in a
 *            child process before it is loaded; so are swaps, but only with SC_TRY_SWAPS or
 *            SC_SWAP_TRY.
 * Names      sc_ and SC_. The ABI of plugins and the host have scree_ and SCREE_.
 * Versions   Within a soname no function is changed or removed. A struct begins with its size, and
 *            may get more members at its end: what a caller does not know is 0.
 */
#ifndef LIBSCREE_H
#define LIBSCREE_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

#define SC_OK 0
#define SC_E_RUN 1       /* the run failed */
#define SC_E_USE 2       /* wrong scene, wrong argument, or a call in a wrong order */
#define SC_E_PLUGIN 3    /* a plugin was refused, or misbehaved */
#define SC_E_CANCELLED 4 /* sc_cancel has ended a call that cannot go on: one that opens a run */

typedef struct sc_run sc_run;
typedef struct sc_state sc_state; /* a copy of a state in memory, bit for bit */

/** Version of the library, "0.1.0"; version of the ABI of its plugins, "0.3". Constants. */
const char *sc_version(void);
const char *sc_plugin_abi(void);
/** Frees what a `char **` result points to. NULL does nothing. */
void sc_free(void *memory);

/* ---- open and close ---- */

#define SC_SAY_PROGRESS 0 /* "saved .." */
#define SC_SAY_NEWS 1
#define SC_SAY_DEBUG 2 /* of plugins */
#define SC_SAY_INFO 3
#define SC_SAY_NOTE 4
#define SC_SAY_WARNING 5

#define SC_QUIET_SCENE 1u /* the observers of the scene are left out */
/* Swaps of the schedule are tried first in a forked copy of the process, as by `scree run`. Without
 * it the summary does not compare their forces. */
#define SC_TRY_SWAPS 2u

/** Settings of a run besides its scene. A member that is 0 or NULL has its default. All pointers
 * are borrowed for the call, except `user`. */
typedef struct sc_options {
    uint32_t size;                  /* sizeof(sc_options) */
    uint32_t threads;               /* 1 to 256, with that of the caller; default 1 */
    const char *const *set;         /* "PATH=VALUE" as --set of `scree run`; ended by NULL */
    const char *const *plugin_path; /* folders that are searched for plugins first; ended by NULL */
    const char *folder; /* for the files of the run, new or empty; NULL: the run writes no file, and
                            observers that can write are an error; "": runs/SCENE-NUMBER, as
                            `scree run` without -o. Relative to the current folder. */
    const char *restart; /* checkpoint, or folder with checkpoints, from which the run continues */
    uint32_t flags;      /* SC_QUIET_SCENE, SC_TRY_SWAPS */
    uint32_t reserved;
    /** Gets notes, warnings and lines of plugins, which begin with their slot: "force[0]: text".
     * It is called in the thread of a call on the run, during that call. NULL: they are dropped. */
    void (*say)(void *user, int32_t level, const char *text);
    void *user;
} sc_options;

/** Opens a scene: a path, or the name of one that scree brings ("hopper"). NULL with
 * options->restart: the scene of the checkpoint. `options` NULL: all defaults. *run is set even on
 * failure, for sc_error: close it in any case. The first state is evaluated, unless the scene has a
 * modifier `callback`: then the first call that needs it does so. */
int32_t sc_open(const char *scene, const sc_options *options, sc_run **run);
/** Opens a scene that is given as libconfig text. `name` stands for its file in messages (NULL:
 * "scene.cfg"); without ".cfg" it is the name of the scene. Relative names of files in the text
 * begin in `folder` (NULL: the current folder). Otherwise as sc_open. */
int32_t sc_open_text(const char *text, const char *name, const char *folder,
                     const sc_options *options, sc_run **run);
/** The text of the last failure of a call on the run; "": none has failed yet. It lives until the
 * next call on the run that fails. */
const char *sc_error(const sc_run *run);
/** Frees the run. Files of observers stay as of the last observation unless sc_finish has
 * closed them. NULL does nothing. SC_E_USE: the run is at work, perhaps below this very call;
 * nothing is freed. */
int32_t sc_close(sc_run *run);

/* ---- go on ---- */

/** Limits of sc_advance; 0: no limit. */
typedef struct sc_until {
    uint32_t size; /* sizeof(sc_until) */
    uint32_t reserved;
    uint64_t steps; /* at most so many steps */
    double time;    /* [s] the state reaches this time of the simulation */
    double wall;    /* [s] of time on the clock; at least one step is taken */
} sc_until;

#define SC_ENDED_LIMIT 0     /* a limit of sc_until is reached */
#define SC_ENDED_SCENE 1     /* all steps of the scene are done */
#define SC_ENDED_STOP 2      /* a condition of `stop` holds */
#define SC_ENDED_CANCELLED 3 /* sc_cancel, or the function of sc_on_progress */

/** Takes steps as `scree run` does, with schedule, observers, conditions and checkpoints. The
 * state is complete afterwards. `until` NULL: to the end of the scene. *ended (or NULL): why it
 * has ended. After the end of the scene it takes no step, and answers SC_ENDED_SCENE or
 * SC_ENDED_STOP again. */
int32_t sc_advance(sc_run *run, const sc_until *until, int32_t *ended);
/** Takes `n` steps, or fewer if the scene ends before: sc_advance with only this limit. */
int32_t sc_step(sc_run *run, uint64_t n);
/** Ends the sc_advance that is under way after its step, or the next one before its first step. Any
 * thread and any signal handler may call it while the run is open. */
void sc_cancel(sc_run *run);
/** Sets a function that sc_advance calls after each `every` steps (0: never); it may read. If it
 * does not return 0, the advance ends with SC_ENDED_CANCELLED. */
int32_t sc_on_progress(sc_run *run, uint64_t every, int32_t (*fn)(void *user, sc_run *run),
                       void *user);
/** Lets an observer of the scene see the state, as if it were due; not twice at one state. SC_E_USE: the run has no
 * observer of this name. */
int32_t sc_observe(sc_run *run, const char *name);
/** Ends the run: observers see the last state and close their files; a run with a folder writes
 * summary.json, manifest.json and, if the scene wants it, a checkpoint. *json (or NULL): the
 * summary, as in summary.json. From then on the run can only be read and closed. */
int32_t sc_finish(sc_run *run, char **json);

/* ---- read ---- */

/** Number of steps of the state; with a restart, of both runs. */
uint64_t sc_step_count(const sc_run *run);
/** Number of the step with which the run ends; 0: the scene has no `steps`, and the run no end. */
uint64_t sc_last_step(const sc_run *run);
double sc_time(const sc_run *run); /* [s] time of the state */
double sc_dt(const sc_run *run);   /* [s] time step */
/** Absolute path of the folder with the run's files; NULL: it has none. */
const char *sc_folder(const sc_run *run);
/** Writes the SHA-256 of the state, as in summary.json: 64 hexadecimal digits and a NUL. */
int32_t sc_hash(sc_run *run, char hash[65]);
/** *value: a figure of the state in SI units: one of the summary and of conditions ("kinetic",
 * "unbalanced", "max_speed"), or a scalar of an observer of the scene ("angle.degrees"). Figures
 * of contacts are those of the last step of an advance. SC_E_USE: no such figure; the text names
 * the nearest. */
int32_t sc_figure(sc_run *run, const char *name, double *value);

#define SC_TYPE_INT 0u /* codes of DLPack 1.0 */
#define SC_TYPE_UINT 1u
#define SC_TYPE_FLOAT 2u
#define SC_DEVICE_CPU 1

/** An array of the run itself, in columns: x, y and z of the positions are three blocks. Element r
 * of column c is ((TYPE *)column[c])[r * stride]. */
typedef struct sc_array {
    uint32_t size;       /* sizeof(sc_array), set by the caller */
    int32_t device_type; /* SC_DEVICE_CPU */
    int32_t device_id;   /* 0 */
    uint8_t type_code;   /* SC_TYPE_* */
    uint8_t type_bits;   /* 32 or 64 */
    uint16_t type_lanes; /* 1 */
    uint32_t n_columns;  /* 1 to 9 */
    uint32_t writable;   /* 1: the caller may write to it between two calls */
    uint64_t n;          /* rows: bodies by storage number, contacts, or bodies of walls */
    uint64_t stride;     /* [elements] between two rows: 1, of force and torque 8 */
    void *column[9];
    uint64_t generation; /* the pointers are valid while sc_generation answers this number */
    const char *unit;    /* "m/s"; "-": none */
} sc_array;

/** Fills *array with one of sc_array_names:
 *   - "id" (uint64) of bodies
 *   - "shape", "material", "group" (uint32) of bodies
 *   - "motion" (uint32) of bodies: 0 free, 1 kinematic, 2 fixed
 *   - "x", "v", "w", "radius", "scale", "mass", "force", "torque" (double) of bodies
 *   - "q" (double) of bodies, the scalar first
 *   - "SLOT.NAME" or "NAME" (double), writable: a field of bodies of a plugin, as
 *     "modifiers.fluid.velocity"
 *   - "contacts.a", "contacts.b" (uint64): ids
 *   - "contacts.point", "contacts.normal", "contacts.depth" (double)
 *   - "contacts.force" (double): on a
 * Contacts are those of the last step of an advance after sc_want(run, "contacts").
 * SC_E_USE: no such array; the text names the nearest. */
int32_t sc_array_get(sc_run *run, const char *name, sc_array *array);
/** Names of the arrays that the run has now, ended by NULL. */
const char *const *sc_array_names(sc_run *run);
/** A number that changes when pointers of arrays become invalid: bodies come, go or change their
 * storage numbers, a state is put in, plugins are swapped, or (arrays of contacts) a step is
 * taken. */
uint64_t sc_generation(const sc_run *run);
/** From now on the last step of each advance records a group of arrays: "contacts". */
int32_t sc_want(sc_run *run, const char *name);
/** *json: the bodies in a box or ball, the JSON of `scree query --json`. `query`:
 * "box X0,Y0,Z0:X1,Y1,Z1" or "ball X,Y,Z:R", in metres or with units; without Z in 2D. */
int32_t sc_query_json(sc_run *run, const char *query, char **json);

/* ---- change: between two advances; energy that a change brings is booked as work ---- */

/* manifest.json and checkpoints have what sc_set and sc_swap change as entries of the schedule with
 * by_hand = true, so `scree run --repeat` ends in the same state. If sc_state_put puts a state back
 * that is older than such a change, the entry moves to the step of the state. sc_bodies_set, arrays
 * that were written, and states put back after a failure are not repeated. */

/* The next step of most integrators begins with the forces of the step before it. No change
 * evaluates them again, except that a change of gravity changes the weight. They are up to date after
 * the next step; sc_forces_changed evaluates them at once. */

/** Sets v [m/s], w [rad/s], x [m], q [-], scale [-] or density [kg/m^3] of `n` bodies by their ids,
 * each at most once. values[n * components], a row a body: 3, 3, 3, 4, 1, 1 components. `scale` is
 * the size in units of the shape: of spheres and discs, whose shape has the radius 1 m, it is the
 * radius in metres. All or none are set. */
int32_t sc_bodies_set(sc_run *run, const char *name, uint64_t n, const uint64_t *id,
                      const double *values);
/** Sets one value of the scene that may change in a run: "force.0.friction=0.4", a live parameter
 * of a plugin; "dt=1e-5"; "gravity=(0,0,-5)". SC_E_USE: it may not, and nothing has changed. */
int32_t sc_set(sc_run *run, const char *assignment);
#define SC_SWAP_TRY 1u /* try it in a forked copy of the process first, as `scree run` does */
/** Swaps plugins and settings, as `set` of an entry of the schedule: "gcd = { plugin = \"bvh\";
 * };". *json (or NULL): what became of it, as in `swaps` of the summary. SC_E_USE: it was refused,
 * and nothing has changed. */
int32_t sc_swap(sc_run *run, const char *text, uint32_t flags, char **json);

/* ---- states: for implicit coupling, optimal control, branches ---- */

/** Copies the state. *state: NULL, or an older copy of the same run, whose memory is used again. */
int32_t sc_state_take(sc_run *run, sc_state **state);
/** Puts a state into the run that it was taken from: bodies, contacts, time, energies, states of
 * plugins, values that conditions remember. The run goes on to the bit as it did from there.
 * Settings stay as they are now: dt, gravity and live parameters that sc_set has changed since; the
 * energy that they bring is booked as work. So branches may differ in friction, and a window may be
 * repeated with a smaller dt. A run whose step has failed can go on again, unless sc_finish was
 * called; forces of the caller that failed are called again. Observers are not put back: what they
 * have written stays. So open the run with SC_QUIET_SCENE, or let observers be due after the window.
 * SC_E_USE: it is a state of another run, plugins were swapped since, or an entry of the schedule
 * has acted. */
int32_t sc_state_put(sc_run *run, const sc_state *state);
/** NULL does nothing. A state may outlive its run. */
void sc_state_free(sc_state *state);
/** Writes a checkpoint, from which `scree run --restart` and sc_open continue. It replaces an older
 * checkpoint or an empty file, also behind a symbolic link. SC_E_USE: something else is at `path`,
 * or a step has failed. */
int32_t sc_save(sc_run *run, const char *path);

/* ---- forces of the caller ---- */

struct scree_forces;
/** Sets the function behind `modifiers.NAME = { plugin = "callback"; }` of the scene. `args` is the
 * scree_forces of <scree/modifier.h>: the function reads the bodies, and adds to wrench and power.
 * It is called at each evaluation of the forces, on the thread of the call, also in trials, so the
 * same state must get the same forces. A result below 0 ends the run with the text of sc_fail.
 * Call it before the first advance, for each such modifier. SC_E_USE: the scene has none of this
 * name; after the first advance only a warning, because a swap may bring it. If the first
 * evaluation fails, the call that needed it returns the code, and the run has failed. */
int32_t sc_on_forces(sc_run *run, const char *name,
                     int32_t (*fn)(void *user, const struct scree_forces *args), void *user);
/** The function of sc_on_forces reads other values now: the next step begins with its new forces, and the
 * energy that they store is booked as work. Without it the next step begins with the forces of the
 * step before. */
int32_t sc_forces_changed(sc_run *run);
/** For the function of sc_on_forces: notes the reason of its failure. Returns `code`, which must be
 * below 0. */
int32_t sc_fail(sc_run *run, int32_t code, const char *text);
/** Writes the forces that one modifier adds in the present state; `slot` is "modifiers.NAME".
 * wrench[8 n]: force [N], stored energy [J], torque [N m] and heat [W] of each body; power[n] [W]:
 * as in <scree/modifier.h>. n: number of rows of "x". */
int32_t sc_forces_of(sc_run *run, const char *slot, double *wrench, double *power);

/* ---- plugins and scenes ---- */

/** *json: all plugins, an array of the objects that `scree plugins KIND/ID --json` prints.
 * `plugin_path` as in sc_options, or NULL. On failure *json is the text of the error. */
int32_t sc_plugins_json(const char *const *plugin_path, char **json);
/** *json: the plugins that the run has now, after all swaps: an array of objects with "slot"
 * ("force[0]"), "kind", "id", and "given", an object with the keys of its group in the scene as texts
 * of libconfig. */
int32_t sc_slots_json(sc_run *run, char **json);
/** *json: the scene of the run as it begins, as `scree validate --json` prints it. */
int32_t sc_validate_json(sc_run *run, char **json);

#ifdef __cplusplus
}
#endif
#endif
