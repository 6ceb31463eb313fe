/* SPDX-License-Identifier: Apache-2.0 */
/* A small world for modifiers and observers without an engine: bodies of a made-up scene; edits are
 * checked and recorded. */
#ifndef CORE_CHECK_WORLD_H
#define CORE_CHECK_WORLD_H

#include "tools/check/check.h"

enum { SCREE_CHECK_MOST_BODY_FIELDS = 16, SCREE_CHECK_MOST_GLOBAL_FIELDS = 64 };

/** A body; `old`: its number before the last renumbering; SCREE_NONE: it is new. */
typedef struct scree_check_body {
    uint64_t id;
    uint32_t shape, material, motion, group, old;
    double scale, density, x[3], q[4], v[3], w[3], fields[SCREE_CHECK_MOST_BODY_FIELDS];
} scree_check_body;

typedef struct scree_check_world {
    scree_check *check;
    scree_instance *instance;
    GArray *list;        /* elements: scree_check_body; free ones first, then kinematic, fixed */
    scree_bodies bodies; /* the same bodies as a plugin sees them */
    scree_cell cell;
    double *wrench; /* [8 n] */
    double *power;  /* [n] [W] */
    double time, dt;
    uint64_t step, next_id;
    uint64_t fresh_from; /* bodies from this id on have fresh fields; 0: all have */
    double *fields[SCREE_CHECK_MOST_BODY_FIELDS];
    uint32_t n_body_fields, n_global_fields; /* number of components */
    double *global_fields;                   /* [n_global_fields] */
    struct scree_check_used *used;           /* fields of others (check_uses.h) */
    scree_edits edits;
    bool editing;             /* a call of after_step is under way */
    GArray *dead;             /* elements: uint64_t, ids removed in this step */
    bool strict;              /* strict: arrays are protected during calls */
    bool begun;               /* the evaluation before the first step has been made */
    char *refused;            /* the first edit that the host would refuse */
    uint32_t dimension, seed; /* seed of the positions */
    GPtrArray *arrays, *inputs;
} scree_check_world;

/** The cell of worlds without a region. */
extern const scree_cell scree_check_open_cell;

/** Makes flying balls, led bodies and a fixed one, at step 0 as a run begins, and calls enter().
 * NULL: the plugin has more fields than the check allows, which is reported. */
scree_check_world *scree_check_world_new(scree_check *check, scree_instance *instance,
                                         uint32_t seed);
/** Lets scree.query/1 answer about this world; worlds of instances that take turns share it. */
void scree_check_world_enter(scree_check_world *world);
void scree_check_world_free(scree_check_world *world);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_check_world, scree_check_world_free)
/** Says that enter() or after_step() has returned, which could set fields of bodies below this
 * id. */
void scree_check_world_seen(scree_check_world *world, uint64_t next_id);
/** Ends a step (applies edits, calls enter()) and begins the next: bodies fly on. */
bool scree_check_world_advance(scree_check_world *world);
/** Fails when a field is not finite; `what` begins the message. */
bool scree_check_world_judge_fields(const scree_check_world *world, const char *what);
/** Protects the fields, which forces() and pose() only read, as scree_check_world_protect does. */
void scree_check_world_protect_fields(scree_check_world *world, bool read_only);
void scree_check_world_protect(scree_check_world *world, bool read_only);
/** Adds all that the plugin may have written by edits to `bits`. */
void scree_check_world_digest(const scree_check_world *world, GChecksum *bits);

#endif
