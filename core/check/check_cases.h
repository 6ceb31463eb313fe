/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check`: the conformance suite of each kind. Cases, and what they have to work with. */
#ifndef CORE_CHECK_CASES_H
#define CORE_CHECK_CASES_H

#include "plugin/call.h"
#include "plugin/guard.h"
#include "plugin/instance.h"
#include "scene/scene.h"

/** One case at work, in a child process of its own with an empty working folder, limits on time and
 * memory, and standard output of its own. */
typedef struct scree_check {
    const scree_plugin *plugin; /* the one under test */
    const scree_file *file;
    scree_registry *registry;         /* knows it, and the host's own plugins */
    const char *const *settings;      /* the user's "NAME=VALUE" for each instance; NULL: none */
    const scree_conformal *conformal; /* what instances get for scree.conformal/1; NULL: none */
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
 * depend on `turn` alone, and everything that the plugin writes in them goes into `bits`. Inputs
 * and outputs lie in arrays of scree_check_guarded, inputs filled anew in each turn and protected
 * while the plugin is called. With several lanes [lane] functions are called from scree_pool_for of
 * the instance's pool (unless the plugin is SCREE_SERIAL), and the bits are the same. */
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
    scree_check_integrator, scree_check_modifier, scree_check_observer;
/** What a file promises before anything is called, and what holds for each kind alike. */
extern const scree_check_case scree_check_static[], scree_check_all[];
/** The suite of a kind. */
const scree_check_suite *scree_check_suite_of(uint32_t kind);

/** The case has failed: numbers, what was expected, what came. The first text counts. Any thread.
 */
void scree_check_fail(scree_check *check, const char *format, ...) G_GNUC_PRINTF(2, 3);
/** The case says nothing about this plugin: why. */
void scree_check_skip(scree_check *check, const char *format, ...) G_GNUC_PRINTF(2, 3);
/** Calls those functions of the instance that no case is about: bytes, resized, stiffness, ... */
void scree_check_rest(scree_check *check, scree_instance *instance);
/** A word that the user should read though the case holds: a warning, a figure. One line each. */
void scree_check_note(scree_check *check, const char *format, ...) G_GNUC_PRINTF(2, 3);

/** A call into the plugin: true when it went well, else the check has failed with the plugin's
 * text. A crash in it is told by the call's name.
 *     SCREE_CHECK_CALL(check, i, "stage", ops->stage(i->self, k, &out)) */
#define SCREE_CHECK_CALL(check, instance, call, ...)                                               \
    (scree_check_enter((instance), (call)),                                                        \
     scree_check_called((check), (instance), (call), (__VA_ARGS__)))
/** The same of a function that answers 0 to `most`: its answer; 0 when the check has failed. */
#define SCREE_CHECK_ANSWER(check, instance, call, most, ...)                                       \
    (scree_check_enter((instance), (call)),                                                        \
     scree_check_answered((check), (instance), (call), (most), (__VA_ARGS__)))
void scree_check_enter(scree_instance *instance, const char *call);
bool scree_check_called(scree_check *check, scree_instance *instance, const char *call,
                        int32_t code);
int32_t scree_check_answered(scree_check *check, scree_instance *instance, const char *call,
                             int32_t most, int32_t answer);

/* Parameters that the check makes up from the schema. */
#define SCREE_CHECK_DEFAULTS 0u /* defaults; what has none, in the middle of its range */
#define SCREE_CHECK_LOWEST 1u   /* each number at the lower end of its range, first choices */
#define SCREE_CHECK_HIGHEST 2u  /* each number at its upper end, last choices */
/** An instance of the plugin under test on `lanes` lanes, in 2 or 3 dimensions, with two materials;
 * `settings` ("sort=\"heap\""; may be NULL) come on top. Modifiers and observers find two groups of
 * bodies, "ball" and, kinematic, "wall". NULL: it refused, and the check has failed with its text.
 * Free with scree_check_instance_free. */
scree_instance *scree_check_instance(scree_check *check, uint32_t dimension, uint32_t lanes,
                                     uint32_t parameters, const char *settings);
/** The same with `settings` as a list. */
scree_instance *scree_check_instance_with(scree_check *check, uint32_t dimension, uint32_t lanes,
                                          uint32_t parameters, const char *const *settings);
/** One more on the same parameters and lanes. */
scree_instance *scree_check_instance_again(scree_check *check, scree_instance *instance);
/** The made-up scene around an instance. */
const scree_scene *scree_check_scene_of(const scree_instance *instance);
void scree_check_instance_free(scree_instance *instance);
/** Whether the user's settings can be read; nothing of the plugin is called. */
bool scree_check_settings(const scree_check *check, GError **error);
/** 3 if the plugin serves it, else 2. */
uint32_t scree_check_dimension(const scree_check *check);
/** "NAME=VALUE" for parameter p at its lowest or highest (`end`: SCREE_CHECK_LOWEST, ..HIGHEST);
 * NULL: it has no such end. */
char *scree_check_at_end(const scree_param *param, uint32_t end);

/** Arrays that a plugin must not read or write beyond, 64-byte aligned where `bytes` is a multiple
 * of 64, filled with a pattern. In the case `inputs` the last byte lies before a page that cannot
 * be touched; elsewhere more of the pattern follows, so that each sin fails in one place. */
void *scree_check_guarded(uint64_t bytes);
void scree_check_guarded_free(void *array);
/** From now on a write to it is a crash (true), or is not (false), in the case `inputs`: inputs are
 * to be left alone. */
void scree_check_protect(void *array, bool read_only);
/** Whether guard pages are on, and what arrays are filled with, from now on. */
void scree_check_guards(bool on);
void scree_check_pattern(uint64_t pattern);
/** A quiet NaN that no computation gives: what is still there was not written. */
double scree_check_tag(void);
bool scree_check_is_tag(double value);
/** From now on a crash says on standard error what the array was used for that was hit. */
void scree_check_explain_crashes(void);

/** Random numbers of the check, the same in every process: 64 bits, and uniform in [a, b). */
uint64_t scree_check_bits(uint64_t *state);
double scree_check_uniform(uint64_t *state, double a, double b);

/* check_cases.c: the cases of a plugin, each in its child. */
typedef enum scree_check_outcome {
    SCREE_CHECK_OK,
    SCREE_CHECK_FAILED,
    SCREE_CHECK_SKIPPED,
} scree_check_outcome;

typedef struct scree_check_verdict {
    const char *id, *claim;
    scree_check_outcome outcome;
    char *text; /* lines, or "" */
    double seconds;
} scree_check_verdict;
void scree_check_verdict_free(scree_check_verdict *verdict);

/** Runs all cases, or that of `id`, which may be NULL; GPtrArray of scree_check_verdict, empty when
 * there is no case of that id. `tell` is called for each as it comes. NULL: no child could be
 * started. */
GPtrArray *scree_check_run(const scree_check *subject, const char *id,
                           void (*tell)(const scree_check_verdict *verdict, void *user), void *user,
                           GError **error);
/** The claim of a case, in the order in which they run; NULL: there are no more. */
const scree_check_case *scree_check_case_at(uint32_t kind, uint32_t number);

#endif
