/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check`: the conformance suite of each kind, and what its cases share. */
#ifndef CORE_CHECK_H
#define CORE_CHECK_H

#include "plugin/call.h"
#include "plugin/guard.h"
#include "plugin/instance_data.h"
#include "scene/scene_data.h"

/** A case that is running, in its own child process with an empty working folder, limits on time
 * and memory, and its own standard output. */
typedef struct scree_check {
    const scree_plugin *plugin; /* the plugin under test */
    const scree_file *file;
    scree_registry *registry;    /* knows the plugin and the host's own ones */
    const char *const *settings; /* "NAME=VALUE" of the user for each instance; NULL: none */
    const char *const *given;  /* all such settings, also for shapes in the same file; NULL: none */
    const char *const *world;  /* "PATH=VALUE" of the scene around an instance; NULL: none */
    const scree_plugin *solid; /* a solid from another file for resolvers; NULL: none */
    const scree_conformal *conformal; /* given to instances as draft.conformal/1; NULL: none */
    const char *withheld; /* a service that instances do not get; "": they get none; NULL: all */
    uint32_t absent_use;  /* 1 + number of an optional use without its field; 0: none */
    bool no_files;        /* instances get no files by scree.output/1 */
    GPtrArray *asked;     /* collects the names of services that instances ask for; NULL: nothing */
    uint32_t threads;     /* that run since the file was loaded */
    const char *scene; /* routes run this scene, not a made-up one, for `steps`; or NULL. Without a
                          plugin the scene itself is tried */
    uint32_t steps;
    const char *const *variant; /* settings of the variant that is tried; NULL: none */
    bool flat;                  /* the user's settings are for the plane, not for space */
    bool isotropic;             /* the plugin has no directions but those of its parameters */
    const char *idle;     /* "NAME,NAME": numbers without effect, fields that stay; NULL: unknown */
    const char *launcher; /* command that starts P processes: P and their command follow; or NULL */
    const char *as_rank;  /* "FILE:CALL": this process is one of those; NULL: it is not */
    const char *case_id;  /* of the case that runs */
    bool one_choice;      /* as that case has it */
    bool failed, skipped;
    bool at_ends;  /* instances have a parameter at an end of its range */
    bool refused;  /* it failed because a call returned an error with a text */
    GString *text; /* reason of a failure or a skip; otherwise figures for the user */
} scree_check;

/** A promise that a plugin of a kind must keep. */
typedef struct scree_check_case {
    const char *id;    /* "pairs": of [a-z0-9-]; it never changes */
    const char *claim; /* "each pair of overlapping boxes is found exactly once" */
    /** Runs the case, and puts its result into the check. */
    void (*run)(scree_check *check);
    /** Runs the case for an instance of each setting (scree_check_variants), in place of run(). */
    void (*each)(scree_check *check, scree_instance *instance, const char *setting);
    /** Runs the case as the row says, in place of run(). */
    void (*by)(scree_check *check, const void *row);
    const void *row;
    /** Returns why the plugin lacks what the case tries, which skips it; NULL: it does not. */
    const char *(*lacks)(const scree_check *check);
    bool one_choice; /* with each(): choices are not tried together */
    bool of_scenes;  /* it tries a user's scene as well */
    uint32_t kinds;  /* mask 1 << SCREE_KIND_*: only plugins of these kinds have it; 0: all */
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
    const scree_check_exercise *exercise; /* NULL: cases that need it are skipped */
    const scree_check_case *cases;        /* the last one has no id */
} scree_check_suite;
extern const scree_check_suite scree_check_gcd, scree_check_resolver, scree_check_force,
    scree_check_integrator, scree_check_modifier, scree_check_observer, scree_check_shape,
    scree_check_sources, scree_check_domain;
/** Promises that a file keeps before any call, promises of all kinds, and runs of the engine that
 * must give one state (routes.c). The last case of a list has no id. */
extern const scree_check_case scree_check_static[], scree_check_all[], scree_check_routes[];

#endif
