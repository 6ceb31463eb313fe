/* SPDX-License-Identifier: MIT */
/* Sources: bodies, and the shapes that they need, from a file or a formula. */
#ifndef SCREE_SOURCE_H
#define SCREE_SOURCE_H

#include "host.h"
#include "query.h"
#include "types.h"

/*
 * A scene names a source in `generate`: `generate.NAME = { plugin = "lattice"; .. }`. The host
 * makes an instance when it reads the scene, calls make() once, and destroys it. A modifier may own
 * one (a parameter of type PLUGIN, host->make_instance), and call make() in mid-run as often as it
 * likes with functions of its own. Then, as in the modifier `insert`, each body gets the next id in
 * place of its own. A body that would overlap others is not added: the owner lets this body and all
 * later ones wait, or gives it up.
 *
 * A source must make the same bodies for the same config, scene, `first` and `step`. A source draws
 * random numbers by host->random, from host->slot and the number of the body, so that no source
 * depends on another.
 */

/** Arguments of make(): the scene, and functions that take bodies. A modifier that owns a source
 * fills its own struct. Valid until make() returns. */
typedef struct scree_making {
    uint32_t size;
    uint32_t reserved; /* 0 */
    void *ctx;
    /* Shapes, materials, region, gravity. Before the first step n is 0: scree.query/1 answers about
     * the bodies that the scene has made before. */
    const scree_bodies *bodies;
    /* Bodies that this source has added in earlier calls, or that its owner has given up: the
     * numbers of new bodies start here. */
    uint64_t first;
    uint64_t most; /* add at most this many bodies in this call; UINT64_MAX: all */
    uint64_t step;
    double time, dt; /* [s]; before the first step a dt of "auto" is NaN */
    /* SCREE_CAP_BY_INTEGRATOR: instance of the scene's integrator, made for this call; else
     * NULL. */
    void *integrator;
    /** [config][step] Adds bodies, in this order. SCREE_E_CONFIG: a body is invalid, and the host
     * has said why; in mid-run also: a body has no room yet, and those after it wait too. make()
     * returns that code. Before the first step a source that goes on after 20 refusals is stopped.
     */
    int32_t (*add)(void *ctx, const scree_new_bodies *bodies);
    /** [config] Adds a shape: `text` as in `shapes.NAME = { text }`, with 17 digits per number.
     * *index is the value for `shape` of bodies. Before the first step only: NULL later.
     * SCREE_E_CONFIG: the host has said why. */
    int32_t (*add_shape)(void *ctx, const char *name, const char *text, uint32_t *index);
    /** [config] Sets the region lo..hi of a scene that gives none; boundaries along `repeats`
     * become periodic. `rate` is not read. *cell is read before the function returns. Before the
     * first step only: NULL later. */
    int32_t (*set_cell)(void *ctx, const scree_cell *cell);
    /** [config][step] Reports a mistake in the input and lets the source look for more: `file`
     * NULL: the mistake is in the source's group of the scene, and the text may begin with the key,
     * "spacing: .."; line 0: no line. make() then returns SCREE_E_CONFIG, which in mid-run ends the
     * run. In mid-run a lack of room is not a mistake, as it can pass: the source reports it here
     * too, and make() returns SCREE_OK with the bodies that it has added. */
    void (*problem)(void *ctx, const char *file, uint32_t line, const char *text);
    const double *density; /* [kg/m^3] of each material */
    /** [config] Bonds bodies that this source has added: pair k is a[k] and b[k], numbers of bodies
     * that count from 0 in the order of add(). Before the first step only; NULL later, or if the
     * owner makes no bonds. The pairs are bonded as by edits->bond (modifier.h), when the run
     * starts; a pair that cannot be bonded is a mistake of the input. SCREE_E_CONFIG: a number
     * names no body, or a pair names the same body twice. */
    int32_t (*bond)(void *ctx, uint32_t n, const uint32_t *a, const uint32_t *b);
} scree_making;

typedef struct scree_source_ops {
    /* The head (abi.h). */
    uint32_t size;     /* sizeof(scree_source_ops) */
    uint32_t reserved; /* 0 */
    int32_t (*create)(const scree_host *host, const void *config, void **instance);
    void (*destroy)(void *instance);
    uint64_t (*bytes)(void *instance);
    int32_t (*narrow)(void *instance, scree_demands *demands);

    /** [config][step] Adds the bodies of the source by args->add(). */
    int32_t (*make)(void *instance, const scree_making *args);
} scree_source_ops;

#endif
