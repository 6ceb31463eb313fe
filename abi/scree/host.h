/* SPDX-License-Identifier: MIT */
/* The services that the host gives to a plugin. */
#ifndef SCREE_HOST_H
#define SCREE_HOST_H

#include "params.h"

#define SCREE_LOG_DEBUG 0
#define SCREE_LOG_INFO 1
#define SCREE_LOG_WARNING 2

/** Work on [begin, end) of a parallel_for. `lane` numbers the thread, 0 to lanes-1. Returns
 * SCREE_OK or a negative code. */
typedef int32_t (*scree_range_fn)(void *user, uint64_t begin, uint64_t end, uint32_t lane);

/* Lattices of scree_cell (types.h) that a scene may have. */
#define SCREE_LATTICE_TILTED 1u /* a vector has parts along other axes than its own */
#define SCREE_LATTICE_MOVES 2u  /* vectors change in the run */

/** Given to create(); stays valid until the instance's destroy() has returned. `ctx` is the first
 * argument of every service and names the instance in logs and errors. */
typedef struct scree_host {
    uint32_t size;  /* of the host's struct: read later members by SCREE_HAS */
    uint32_t minor; /* SCREE_ABI_MINOR of the host */
    void *ctx;
    uint32_t lanes;     /* threads that may call [lane] functions at the same time, 1 or more */
    uint32_t dimension; /* 2 or 3 */
    uint32_t n_materials;
    uint32_t lattice; /* SCREE_LATTICE_*: a plugin that does not serve it fails in create() */

    /** [any] Prints a line for the user; `level` SCREE_LOG_*. The text is copied; log() and fail()
     * show the first 1000 bytes of a text. */
    void (*log)(void *ctx, int32_t level, const char *text);

    /** [any] Says why the function is about to return `code` (< 0): name the key or item, its value
     * and what would be allowed. Copied. Returns `code`, so that `return host->fail(...)` reads
     * well. Only the first text of a call is used. */
    int32_t (*fail)(void *ctx, int32_t code, const char *text);

    /** [config][step] Calls fn for consecutive chunks of [begin, end), at most `grain` long, on all
     * lanes, and returns when all are done. Chunk edges depend only on the arguments. Inside a
     * [lane] function, or nested, it runs inline. If chunks fail, it returns the code of the failed
     * chunk with the lowest `begin`. */
    int32_t (*parallel_for)(void *ctx, uint64_t begin, uint64_t end, uint64_t grain,
                            scree_range_fn fn, void *user);

    /** [config][step][lane] 64-byte aligned memory of this lane and instance. `lane` is the lane of
     * the calling function (abi.h); in a parallel_for it is the lane of fn. The content is
     * undefined. Valid until the next scratch call of the same lane and instance, also across calls
     * of the plugin. NULL: no memory, or no such lane. The size may be any; the host keeps the
     * largest one requested. */
    void *(*scratch)(void *ctx, uint32_t lane, uint64_t bytes);

    /** [any] 1 when the user wants the run to stop: long work may return SCREE_E_CANCELLED. */
    int32_t (*cancelled)(void *ctx);

    /** [any] 64 random bits, a pure function of its arguments and the scene's seed (Philox 4x32-10,
     * Salmon et al. 2011). */
    uint64_t (*random)(void *ctx, uint64_t seed, uint64_t id, uint64_t step);

    /** [config] Makes an instance of a nested plugin. `*ops` gets its vtable, `*plugin` its
     * descriptor; the caller destroys it with ops->destroy. */
    int32_t (*make_instance)(void *ctx, const scree_plugin_ref *ref, const scree_plugin **plugin,
                             const void **ops, void **instance);

    /** [config] An optional service by name and revision ("scree.output/1"), or NULL. */
    const void *(*get_service)(void *ctx, const char *name);

    const char *slot; /* place of the instance in the scene: "force[0]", "modifiers.feed" */

    double thickness; /* [m] of discs in 2D (scene.thickness) */
} scree_host;

/** Service "scree.output/1": files of a run. A file is written under another name in the same
 * folder and renamed when it is closed, so that a half-written file never has the final name. */
#define SCREE_SERVICE_OUTPUT "scree.output/1"
typedef struct scree_output {
    uint32_t size;
    uint32_t reserved;
    void *ctx;
    /** [step] Opens `name` (relative to the run's folder; folders in it are made) for writing and
     * sets *fd to a file descriptor. */
    int32_t (*open)(void *ctx, const char *name, int32_t *fd);
    /** [step] Syncs, closes and renames the file that open gave; with `keep` 0 removes it instead.
     * Reports a full disk. */
    int32_t (*close)(void *ctx, int32_t fd, int32_t keep);
    /** Folder that names of files are relative to, for messages: an absolute path in a run; NULL:
     * unknown. Valid until the instance's destroy() has returned. */
    const char *folder;
} scree_output;

/** Service "scree.names/1": the indices of names in a scene, and the names of indices. */
#define SCREE_SERVICE_NAMES "scree.names/1"
typedef struct scree_names {
    uint32_t size;
    uint32_t reserved;
    void *ctx;
    /** [config] Index of a group of `bodies` or `generate`, as in scree_bodies.group; SCREE_NONE
     * (types.h): the scene has no such group. */
    uint32_t (*group)(void *ctx, const char *name);
    /** [config] Index of a material; index of a shape in scree_bodies.shapes. SCREE_NONE: unknown
     * name. */
    uint32_t (*material)(void *ctx, const char *name);
    uint32_t (*shape)(void *ctx, const char *name);
    /** [any] Name of a material, shape or group; NULL: none has that index. Valid until the
     * instance's destroy() has returned. Shapes 0 and 1 are "sphere" and "disc". */
    const char *(*material_name)(void *ctx, uint32_t index);
    const char *(*shape_name)(void *ctx, uint32_t index);
    const char *(*group_name)(void *ctx, uint32_t index);
    /** [config] Scale at which a body has the size of the shape of that name: 1, or the radius of a
     * sphere or disc of `shapes`. NaN: unknown, or "sphere" or "disc", which have no size. */
    double (*shape_scale)(void *ctx, const char *name);
} scree_names;

/** Service "scree.files/1": files to read. The host opens them; on several ranks it opens each file
 * once. A path is the value of a parameter with SCREE_PARAM_FILE. The answers are valid until the
 * instance's destroy() has returned. */
#define SCREE_SERVICE_FILES "scree.files/1"
#define SCREE_COLUMN_REAL 1u  /* double, finite */
#define SCREE_COLUMN_WHOLE 2u /* uint64_t, 0 to 2^63 - 1 */
#define SCREE_COLUMN_TEXT 3u  /* const char * */
/* Words that the host looks up; it reports the line of an unknown one. */
#define SCREE_COLUMN_MATERIAL 4u /* uint64_t, the index of the material of that name */
#define SCREE_COLUMN_SHAPE 5u    /* const char *, the name of a shape of the scene */
typedef struct scree_file_column {
    uint32_t size;
    uint32_t type;    /* SCREE_COLUMN_* */
    const char *name; /* of the column */
    const char *unit; /* REAL: unit of numbers without a unit in the header of the file; the host
                         converts numbers with a unit to this unit */
} scree_file_column;
typedef struct scree_file_request {
    uint32_t size;
    uint32_t n_known;
    const char *path;
    const scree_file_column *const *known; /* [n_known] columns that may be there */
    /* Names of the columns of the file; "-" skips a column. Empty: the first line names them. */
    scree_strings columns;
} scree_file_request;
typedef struct scree_file_rows {
    uint32_t size;
    uint32_t n;           /* rows */
    const uint32_t *line; /* [n] line of the file, from 1 */
    /* [n_known] arrays [n], each in the member of its type; NULL: the file has no such column */
    const double *const *real;
    const uint64_t *const *whole;
    const char *const *const *text;
} scree_file_rows;
typedef struct scree_files {
    uint32_t size;
    uint32_t reserved;
    void *ctx;
    /** [config][step] Gives the n bytes of a whole file; a 0 follows them. SCREE_E_CONFIG: the file
     * cannot be read; the host has said why. */
    int32_t (*load)(void *ctx, const char *path, const char **bytes, uint64_t *n);
    /** [config][step] Reads a table of numbers and words, CSV or white space; the host checks
     * names, units and numbers. SCREE_E_CONFIG: the table cannot be read or is wrong; the host has
     * said why and in which line. */
    int32_t (*table)(void *ctx, const scree_file_request *request, scree_file_rows *rows);
    /** [config][step] Frees the bytes that load() gave, before destroy(). NULL is fine. */
    int32_t (*release)(void *ctx, const char *bytes);
} scree_files;

/** Service "scree.sum/1", for modifiers and observers: sums that have the same bits for any number
 * of threads and ranks. Collective: on several ranks all call it, in the same order. */
#define SCREE_SERVICE_SUM "scree.sum/1"
typedef struct scree_summer {
    uint32_t size;
    uint32_t reserved;
    void *ctx;
    /** [step] Sets sum[k] to the sum of v[k][i] over all bodies i. Each block of 64 consecutive
     * bodies is summed as doubles. The sums of the blocks are added exactly, and the total is
     * rounded once. v[k] has the length bodies->n of the present call. v[k] NULL: zeros, which cost
     * nothing. SCREE_E_UNSUPPORTED: the present call has no bodies. */
    int32_t (*bodies)(void *ctx, uint32_t components, const double *const *v, double *sum);
    /** [step] Sets sum[k] to the exact sum of v[k][c] over all contacts c of the view, rounded
     * once. SCREE_E_UNSUPPORTED: the present call has no view->contacts. */
    int32_t (*contacts)(void *ctx, uint32_t components, const double *const *v, double *sum);
} scree_summer;

/** Extension "scree.state/1" of a descriptor of any kind but gcd, shape, source: data that cannot
 * be a field. The host saves them with each checkpoint and each copy of the state. It passes them
 * on at a restart, and at a swap to the same version of the same plugin in its slot; else it drops
 * them. The data of an observer are not part of the state of the run. The data of every other kind
 * are part of the state and of its hash: they change only in begin(), stage(), after_step() and
 * where `accepted` is 1, never in enter() or in a trial, so that a failed swap changes nothing. */
#define SCREE_EXTENSION_STATE "scree.state/1"
#define SCREE_MAX_STATE_BYTES (1u << 28) /* of an instance */
typedef struct scree_state_sink {
    uint32_t size;
    uint32_t reserved;
    void *ctx;
    /** Appends bytes. save() returns an answer below 0 to the host. */
    int32_t (*write)(void *ctx, const void *bytes, uint64_t n);
} scree_state_sink;
typedef struct scree_state {
    uint32_t size;
    uint32_t reserved;
    /** [step] Called between two steps, in a swap, and after load(). It changes nothing; the same
     * state gives the same bytes: the host compares after load(), `scree check` calls it twice. */
    int32_t (*save)(void *instance, const scree_state_sink *sink);
    /** [config] Called after create() and narrow(), before any other call: restores the state from
     * bytes of save() of the same version of the plugin. Live parameters may have changed since.
     * SCREE_E_CONFIG: save() cannot have given these bytes. */
    int32_t (*load)(void *instance, const void *bytes, uint64_t n);
} scree_state;

/** Service "scree.figures/1", for observers: figures of the state, with the same bits as in the
 * conditions of a scene (`stop`) and in the summary: "kinetic", "max_speed". */
#define SCREE_SERVICE_FIGURES "scree.figures/1"
/* Kinds of figures, by the part of the state that is read. */
#define SCREE_FIGURE_UNKNOWN 0
#define SCREE_FIGURE_OF_STATE 1    /* counts, energies, bodies */
#define SCREE_FIGURE_OF_CONTACTS 2 /* forces of contacts: for observers that want contacts */
typedef struct scree_figures {
    uint32_t size;
    uint32_t reserved;
    void *ctx;
    /** [any] SCREE_FIGURE_* of a name. */
    int32_t (*kind)(void *ctx, const char *name);
    /** [any] Figure number k as kind() knows it, from 0, for messages; NULL: k is too large. */
    const char *(*name)(void *ctx, uint32_t k);
    /** [step] Sets value[k] to the figure name[k], k < n, in SI units. May be called in observe()
     * and read() (scree.scalars/1). NaN: the figure has no value in this state, or it is a figure
     * of contacts and this call has no view->contacts. SCREE_E_CONFIG: a name is unknown;
     * SCREE_E_UNSUPPORTED: called in another function. */
    int32_t (*now)(void *ctx, uint32_t n, const char *const *name, double *value);
} scree_figures;

/** Service "scree.events/1": named events of a run: a bond breaks, a bridge ruptures. The host
 * puts the events of an accepted evaluation, or of an after_step, in an order that does
 * not depend on threads, batches or the GCD, counts them by name in the summary, and writes them
 * with their time into events.csv of the run's folder. Events of an evaluation that is
 * not accepted are dropped. */
#define SCREE_SERVICE_EVENTS "scree.events/1"
#define SCREE_MAX_EVENTS 10000000 /* in one step */
#define SCREE_MAX_EVENT_TEXT 63   /* letters of a name or mode */
#define SCREE_MAX_EVENT_WORDS 768 /* different slots, names and modes in a run */
typedef struct scree_event {
    uint32_t size;
    uint32_t reserved;   /* 0 */
    const char *name;    /* "bond_broken": 1 to 63 of a-z, 0-9, _ and -; copied */
    const char *mode;    /* how it happened, such as "tension"; letters as in `name`; NULL: none */
    uint64_t id_a, id_b; /* of bodies; SCREE_NO_BODY: none */
    const double *x;     /* [3] [m] place; NULL: not given */
    double value;        /* its meaning is in the plugin's summary; NaN: none */
} scree_event;
typedef struct scree_events {
    uint32_t size;
    uint32_t reserved;
    void *ctx;
    /** [lane] Reports an event. May be called in compute(), forces() or after_step(). Events should
     * be rare: each call takes a lock. SCREE_E_CONFIG: `event` is NULL, a name or mode is invalid,
     * a number is infinite; SCREE_E_UNSUPPORTED: called in another function, more than 10^7 in one
     * step, or more than 768 different slots, names and modes in a run. */
    int32_t (*report)(void *ctx, const scree_event *event);
} scree_events;

#endif
