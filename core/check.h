/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check`: the conformance suite of each kind. Cases, and what they have to work with. */
#ifndef CORE_CHECK_H
#define CORE_CHECK_H

#include "instance.h"

/** One case at work, in a child process of its own with an empty working folder, limits on time and
 * memory, and standard output of its own. */
typedef struct scree_check {
    const scree_plugin *plugin; /* the one under test */
    const scree_file *file;
    scree_registry *registry; /* knows it, and the host's own plugins */
    bool failed, skipped;
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
 * depend on `turn` alone, and everything that the plugin writes in them goes into `bits`. */
typedef struct scree_check_exercise {
    void *(*begin)(scree_check *check, scree_instance *instance);
    void (*turn)(void *state, uint32_t turn, GChecksum *bits);
    void (*end)(void *state);
} scree_check_exercise;

/** The cases of one kind (check_gcd.c, check_resolver.c, ...). */
typedef struct scree_check_suite {
    uint32_t kind;
    const scree_check_exercise *exercise;
    const scree_check_case *cases; /* ended by one without an id */
} scree_check_suite;
extern const scree_check_suite scree_check_gcd, scree_check_resolver, scree_check_force,
    scree_check_integrator, scree_check_modifier, scree_check_observer;

/** The case has failed: numbers, what was expected, what came. The first text counts. */
void scree_check_fail(scree_check *check, const char *format, ...) G_GNUC_PRINTF(2, 3);
/** The case says nothing about this plugin: why. */
void scree_check_skip(scree_check *check, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Parameters that the check makes up from the schema. */
#define SCREE_CHECK_DEFAULTS 0u /* defaults; what has none, in the middle of its range */
#define SCREE_CHECK_LOWEST 1u   /* each number at the lower end of its range, first choices */
#define SCREE_CHECK_HIGHEST 2u  /* each number at its upper end, last choices */
/** An instance of the plugin under test on `lanes` lanes, in 2 or 3 dimensions, with two materials;
 * `settings` ("sort=\"heap\""; may be NULL) come on top. NULL: it refused, and the check has failed
 * with its text. Free with scree_check_instance_free. */
scree_instance *scree_check_instance(scree_check *check, uint32_t dimension, uint32_t lanes,
                                     uint32_t parameters, const char *settings);
void scree_check_instance_free(scree_instance *instance);

/** Arrays that a plugin must not read or write beyond: the last byte lies before a page that cannot
 * be touched, 64-byte aligned where `bytes` is a multiple of 64. Filled with a pattern. */
void *scree_check_guarded(uint64_t bytes);
void scree_check_guarded_free(void *array);
/** From now on a write to it is a crash (true), or is not (false): inputs are to be left alone. */
void scree_check_protect(void *array, bool read_only);
/** A quiet NaN that no computation gives: what is still there was not written. */
double scree_check_tag(void);
bool scree_check_is_tag(double value);

/** Random numbers of the check, the same in every process: 64 bits, and uniform in [a, b). */
uint64_t scree_check_bits(uint64_t *state);
double scree_check_uniform(uint64_t *state, double a, double b);

#endif
