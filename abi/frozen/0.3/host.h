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
    uint32_t lattice; /* SCREE_LATTICE_*: a plugin that cannot serve it says so in create() */

    /** [any] A line for the user; `level` SCREE_LOG_*. Copied; of a longer text the first 1000
     * bytes are shown, here and by fail(). */
    void (*log)(void *ctx, int32_t level, const char *text);

    /** [any] Says why the function is about to return `code` (< 0): name the key or item, its value
     * and what would be allowed. Copied. Returns `code`, so that `return host->fail(...)` reads
     * well. The first text of a call counts. */
    int32_t (*fail)(void *ctx, int32_t code, const char *text);

    /** [config][step] Calls fn for consecutive chunks of [begin, end), at most `grain` long, on all
     * lanes, and returns when all are done. Chunk edges depend only on the arguments. Inside a
     * [lane] function, or nested, it runs inline. If chunks fail the code of the lowest is
     * returned. */
    int32_t (*parallel_for)(void *ctx, uint64_t begin, uint64_t end, uint64_t grain,
                            scree_range_fn fn, void *user);

    /** [config][step][lane] 64-byte aligned memory of this lane and instance: the lane that the
     * function is on (abi.h), in a parallel_for the one that fn is given. Its content is undefined.
     * Valid until the next scratch call of the same lane and instance, also over calls of the
     * plugin. NULL: no memory, or no such lane. Any size; the host keeps the largest that was asked
     * for. */
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
 * folder and renamed when it is closed, so that a half-written one never has the name. */
#define SCREE_SERVICE_OUTPUT "scree.output/1"
typedef struct scree_output {
    uint32_t size;
    uint32_t reserved;
    void *ctx;
    /** [step] Opens `name` (relative to the run's folder; folders in it are made) for writing and
     * sets *fd to a file descriptor. */
    int32_t (*open)(void *ctx, const char *name, int32_t *fd);
    /** [step] Syncs, closes and renames what open gave; with `keep` 0 it is removed instead.
     * Reports a full disk. */
    int32_t (*close)(void *ctx, int32_t fd, int32_t keep);
    /** The folder that names are relative to, for messages: an absolute path in a run;
     * NULL: unknown. Valid until the instance's destroy() has returned. */
    const char *folder;
} scree_output;

/** Service "scree.names/1": what the names of a scene stand for. */
#define SCREE_SERVICE_NAMES "scree.names/1"
typedef struct scree_names {
    uint32_t size;
    uint32_t reserved;
    void *ctx;
    /** [config] Index of a group of `bodies` or `generate`, as in scree_bodies.group; SCREE_NONE
     * (types.h): the scene has none of that name. */
    uint32_t (*group)(void *ctx, const char *name);
    /** [config] Index of a material, or of a shape as in scree_bodies.shapes; SCREE_NONE: unknown. */
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

/** Service "scree.files/1": files to read. The host opens them: on several ranks once. A path is
 * the value of a parameter with SCREE_PARAM_FILE. The answers are valid until the instance's
 * destroy() has returned. */
#define SCREE_SERVICE_FILES "scree.files/1"
#define SCREE_COLUMN_REAL 1u  /* double, finite */
#define SCREE_COLUMN_WHOLE 2u /* uint64_t, 0 to 2^63 - 1 */
#define SCREE_COLUMN_TEXT 3u  /* const char * */
/* Words of which the host says in which line one is unknown. */
#define SCREE_COLUMN_MATERIAL 4u /* uint64_t, the index of the material of that name */
#define SCREE_COLUMN_SHAPE 5u    /* const char *, the name of a shape of the scene */
typedef struct scree_file_column {
    uint32_t size;
    uint32_t type;    /* SCREE_COLUMN_* */
    const char *name; /* of the column */
    const char *unit; /* REAL: of bare numbers, and what a unit in the header is made into */
} scree_file_column;
typedef struct scree_file_request {
    uint32_t size;
    uint32_t n_known;
    const char *path;
    const scree_file_column *const *known; /* [n_known] columns that may be there */
    /* Names of the columns of the file, "-": to skip. Empty: the first line names them. */
    scree_strings columns;
} scree_file_request;
typedef struct scree_file_rows {
    uint32_t size;
    uint32_t n;           /* rows */
    const uint32_t *line; /* [n] of the file, from 1 */
    /* [n_known] arrays [n], by type the one or the other; NULL: the file has no such column */
    const double *const *real;
    const uint64_t *const *whole;
    const char *const *const *text;
} scree_file_rows;
typedef struct scree_files {
    uint32_t size;
    uint32_t reserved;
    void *ctx;
    /** [config][step] The bytes of a whole file, ended by a 0 that does not count. SCREE_E_CONFIG: it
     * cannot be read; the host has said why. */
    int32_t (*load)(void *ctx, const char *path, const char **bytes, uint64_t *n);
    /** [config][step] A table of numbers and words, CSV or white space, of which the host checks names,
     * units and numbers. SCREE_E_CONFIG: it cannot be read, or is wrong; the host has said what and
     * in which line. */
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
    /** [step] sum[k] = sum over the bodies of v[k][i], by a fixed tree over their numbers; v[k] has
     * the length bodies->n of the present call. v[k] NULL: zeros, which cost nothing.
     * SCREE_E_UNSUPPORTED: the present call has no bodies. */
    int32_t (*bodies)(void *ctx, uint32_t components, const double *const *v, double *sum);
    /** [step] The same over the contacts of the view, v[k][c], in their order.
     * SCREE_E_UNSUPPORTED: the present call has no view->contacts. */
    int32_t (*contacts)(void *ctx, uint32_t components, const double *const *v, double *sum);
} scree_summer;

/** Extension "scree.state/1" of a descriptor of any kind but gcd, shape, source: what cannot be a
 * field. The host saves it with each checkpoint and each copy of the state, and hands it on over a
 * restart, and over a swap to the same version of the same plugin in its slot; else it is dropped.
 * The state of an observer is outside the state of the run. That of another kind is part of it, and
 * of its hash: it changes only in begin(), stage(), after_step() and where `accepted` is 1, never in
 * enter() or in a trial, so that a swap that fails leaves it as it was. */
#define SCREE_EXTENSION_STATE "scree.state/1"
#define SCREE_MAX_STATE_BYTES (1u << 28) /* of an instance */
typedef struct scree_state_sink {
    uint32_t size;
    uint32_t reserved;
    void *ctx;
    /** Appends bytes. An answer below 0 is returned to the host. */
    int32_t (*write)(void *ctx, const void *bytes, uint64_t n);
} scree_state_sink;
typedef struct scree_state {
    uint32_t size;
    uint32_t reserved;
    /** [step] Between two steps, in a swap, and after load(). The same state gives the same bytes,
     * and is not changed by it. The host calls it twice and compares. */
    int32_t (*save)(void *instance, const scree_state_sink *sink);
    /** [config] After create() and narrow(), before any other call:
     * goes on from what save() gave, of the same version of the plugin; with its live parameters the
     * config may be another. SCREE_E_CONFIG: it cannot be these bytes. */
    int32_t (*load)(void *instance, const void *bytes, uint64_t n);
} scree_state;

/** Service "scree.figures/1", for observers: figures of the state, those that the conditions of a
 * scene (`stop`) and the summary speak of, with the same bits: "kinetic", "max_speed". */
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
    /** [step] In observe() and read() (scree.scalars/1): value[k] of figure name[k], k < n, in SI
     * units. NaN: it has no meaning in this state, or it is one of contacts and this call has no
     * view->contacts.
     * SCREE_E_CONFIG: a name is unknown; SCREE_E_UNSUPPORTED: another call. */
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
    const char *mode;    /* in what way, "tension", alike; NULL: it has none */
    uint64_t id_a, id_b; /* of bodies; SCREE_NO_BODY: none */
    const double *x;     /* [3] [m] where; NULL: not said */
    double value;        /* what the plugin's summary says; NaN: none */
} scree_event;
typedef struct scree_events {
    uint32_t size;
    uint32_t reserved;
    void *ctx;
    /** [lane] In compute(), forces() or after_step(). Rare by nature: it takes a lock.
     * SCREE_E_CONFIG: no event, a name or mode as above it is not, an infinite number;
     * SCREE_E_UNSUPPORTED: another call, more than 10^7 in one step, or more than 768 different
     * slots, names and modes in a run. */
    int32_t (*report)(void *ctx, const scree_event *event);
} scree_events;

#endif
