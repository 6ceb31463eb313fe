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

/** Given to create(); stays valid until the instance's destroy() has returned. `ctx` is the first
 * argument of every service and names the instance in logs and errors. */
typedef struct scree_host {
    uint32_t size;  /* of the host's struct: read later members by SCREE_HAS */
    uint32_t minor; /* SCREE_ABI_MINOR of the host */
    void *ctx;
    uint32_t lanes;     /* threads that may call [lane] functions at the same time, 1 or more */
    uint32_t dimension; /* 2 or 3 */
    uint32_t n_materials;
    uint32_t reserved; /* 0 */

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
} scree_names;

/** Service "scree.sums/1", for observers: what they sum up over a run. They declare it as fields of
 * scope SCREE_SCOPE_GLOBAL. The host keeps the values in a checkpoint, next to the state and not
 * in its hash, so that totals go on over a restart, and hands them on at a swap. */
#define SCREE_SERVICE_SUMS "scree.sums/1"
typedef struct scree_sums {
    uint32_t size;
    uint32_t reserved;
    /** [step] The components of the fields, in the order of the descriptor, to be read and written
     * in place. They hold what they go on from at the first watch() or observe(), not yet in
     * create(). Valid until the instance's destroy() has returned. */
    double *values;
} scree_sums;

/** Service "scree.events/1": named events of a run: a bond breaks, a bridge ruptures. The host
 * puts the events of an accepted evaluation, or of an after_step, in an order that does
 * not depend on threads, batches or the GCD, counts them by name in the summary, and writes them
 * with their time into events.csv of the run's folder. Events of an evaluation that is
 * not accepted has not happened. */
#define SCREE_SERVICE_EVENTS "scree.events/1"
#define SCREE_NO_BODY UINT64_MAX
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

/** Service "scree.conformal/1": where, in its box, a surface is (the conformal-surface check of
 * PFC's cell space, figure 3). For GCDs, after an init with SCREE_GCD_CONFORMAL, of the boxes of
 * the last step_init; a box that is known stays so, as it is, until it is among the moved ones. */
#define SCREE_SERVICE_CONFORMAL "scree.conformal/1"
typedef struct scree_conformal {
    uint32_t size;
    uint32_t reserved;
    void *ctx;
    /** [any] Whether more is known of box `slot` than its corners: it holds a surface at rest. 0
     * for an empty slot. */
    int32_t (*knows)(void *ctx, uint32_t slot);
    /** [any] Of a known box: 0 when its surface, grown by what the box is larger than the surface,
     * does not come within d >= 0 [m] of the closed box lo..hi [m], which may be infinite; else 1.
     * Near the border, by rounding and at corners, it says 1. */
    int32_t (*comes_within)(void *ctx, uint32_t slot, const double lo[3], const double hi[3],
                            double d);
} scree_conformal;

#endif
