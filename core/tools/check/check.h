/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check`: the conformance suite of each kind. Cases, and what they have to work with. */
#ifndef CORE_CHECK_H
#define CORE_CHECK_H

#include "plugin/call.h"
#include "plugin/guard.h"
#include "plugin/instance_data.h"
#include "scene/scene_data.h"

/** One case at work, in a child process of its own with an empty working folder, limits on time and
 * memory, and standard output of its own. */
typedef struct scree_check {
    const scree_plugin *plugin; /* the one under test */
    const scree_file *file;
    scree_registry *registry;    /* knows it, and the host's own plugins */
    const char *const *settings; /* the user's "NAME=VALUE" for each instance; NULL: none */
    const char *const *given;  /* all of the user's, for shapes in the same file too; NULL: none */
    const scree_plugin *solid; /* of another file, that a resolver is tried with; NULL: none */
    const scree_conformal *conformal; /* what instances get for scree.conformal/1; NULL: none */
    const char *withheld; /* a service that instances do not get, "" any; NULL: they get all */
    uint32_t absent_use;  /* 1 + number of an optional use whose field is not there; 0: none */
    bool no_files;        /* nor files by scree.output/1 */
    GPtrArray *asked;     /* takes the names of services that instances ask for; NULL: none */
    bool failed, skipped;
    bool at_ends;  /* instances have a parameter at an end of its range */
    bool refused;  /* failed because a call gave an error with a text */
    GString *text; /* why it failed or was skipped; else figures worth a word */
} scree_check;

/** One promise that a plugin of a kind must keep. */
typedef struct scree_check_case {
    const char *id;    /* "pairs": lasting, of [a-z0-9-] */
    const char *claim; /* "each pair of overlapping boxes is found exactly once" */
    /** Puts what it finds into the check; returns when it has failed, or is done. */
    void (*run)(scree_check *check);
} scree_check_case;

/** A kind's way to call an instance, for the promises that hold for all kinds: the calls of a turn
 * depend only on `turn` and the turns before it, and everything that the plugin writes in them goes
 * into `bits`. Inputs and outputs are in arrays of scree_check_guarded, inputs filled again in each
 * turn and protected while the plugin is called. With several lanes [lane] functions are called
 * from scree_pool_for of the instance's pool (unless the plugin is SCREE_CAP_SERIAL), and the bits
 * are the same. */
typedef struct scree_check_exercise {
    void *(*begin)(scree_check *check, scree_instance *instance);
    void (*turn)(void *state, uint32_t turn, GChecksum *bits);
    void (*end)(void *state);
} scree_check_exercise;

/** The cases of one kind (check_gcd.c, check_resolver.c, ...). */
typedef struct scree_check_suite {
    uint32_t kind;
    const scree_check_exercise *exercise; /* NULL: none, cases that need it are skipped */
    const scree_check_case *cases;        /* ended by one without an id */
} scree_check_suite;
extern const scree_check_suite scree_check_gcd, scree_check_resolver, scree_check_force,
    scree_check_integrator, scree_check_modifier, scree_check_observer, scree_check_shape,
    scree_check_sources;
/** Promises of a file before anything is called, and promises of every kind. */
extern const scree_check_case scree_check_static[], scree_check_all[];

#endif
