/* SPDX-License-Identifier: Apache-2.0 */
/* `scree compare`: variants of a scene, their samples and figures. */
#ifndef CORE_COMPARE_H
#define CORE_COMPARE_H

#include <json-glib/json-glib.h>
#include <stdio.h>

#include "base/json.h"
#include "plugin/plugin_file.h"
#include "tools/compare/compare_stats.h"
#include "tools/compare/compare_vary.h"

/** Times [s/step] that are compared. */
typedef enum scree_metric {
    SCREE_METRIC_GCD,       /* contact detection */
    SCREE_METRIC_CONTACT,   /* with extents, sorting of pairs and resolvers */
    SCREE_METRIC_STEP,      /* the whole step */
    SCREE_METRIC_STEP_INIT, /* contact detection: init and step_init */
    SCREE_METRIC_SEARCH,    /* contact detection: find_neighbors */
    SCREE_METRICS,
} scree_metric;
/** Names of times, for programs ("gcd_resolve") and for people. */
extern const char *const scree_metric_keys[SCREE_METRICS];
extern const char *const scree_metric_titles[SCREE_METRICS];

/** A named combination of settings. */
typedef struct scree_named {
    char *name;
    GPtrArray *assignments; /* elements: char * */
} scree_named;

/** One repeat of a variant. */
typedef struct scree_sample {
    guint round, turn;             /* number, from 0 */
    double time[SCREE_METRICS];    /* [s] per step */
    double setup_s, wall_s, cpu_s; /* [s] cpu_s: CPU time of the process within wall_s */
} scree_sample;

typedef enum scree_outcome {
    SCREE_OUTCOME_WAITS, /* no repeat is done yet */
    SCREE_OUTCOME_OK,
    SCREE_OUTCOME_FAILED,   /* with status and message */
    SCREE_OUTCOME_SLOW,     /* a repeat took longer than the limit */
    SCREE_OUTCOME_LEFT_OUT, /* a smaller member of its series was too slow */
} scree_outcome;

typedef struct scree_variant {
    const scree_named *named; /* name of the variant, or NULL */
    guint *at;                /* [axes] index of its value on each axis */
    char *label;              /* "dess, integrator.count=400" */
    char *short_label;        /* without settings that its whole group shares */
    GPtrArray *overrides;     /* elements: char *, ending in NULL: values of --set, then its own */
    GPtrArray *own;           /* elements: char *, only its own, borrowed from overrides */
    guint threads, ranks;
    guint group;      /* variants of a group are compared with each other */
    const char *rest; /* its own overrides without those of `gcd`, `domain`; interned */
    char *paste;      /* lines of a scene for this variant */

    scree_outcome outcome;
    int status;    /* exit status of a failure */
    char *message; /* reason of a failure, or why it was left out */
    GArray *samples;
    scree_spread spread[SCREE_METRICS];
    char *state_sha256;   /* after the last step */
    JsonNode *report;     /* of the last repeat, as `scree run --json` prints it */
    double bytes_per_box; /* held by the GCD; NaN: unknown */
    bool disagrees;       /* its state should equal that of another variant, and does not */
} scree_variant;

/** Two variants that differ only in `gcd`, threads or ranks and reach different states. */
typedef struct scree_disagreement {
    guint odd, other; /* numbers of the variants */
    bool found;       /* the first differing step is known */
    uint64_t step;    /* first step after which the states differ; 0: the start */
    char *why;        /* reason why the step is unknown */
} scree_disagreement;

/** The path of --vary that sets no key of the scene: number of threads. */
#define SCREE_VARY_THREADS "threads"

typedef struct scree_comparison {
    /* The request. */
    const char *scene;
    const char *const *overrides; /* --set, NULL-terminated or NULL */
    GPtrArray *axes;              /* elements: scree_axis */
    GPtrArray *named;             /* elements: scree_named */
    uint64_t steps, warmup;
    guint repeats, threads; /* threads: the most of a variant */
    guint ranks;            /* of all variants; 0: as the scenes say */
    double limit;           /* [s] limit of a repeat; infinite: none */
    bool quiet;
    scree_registry *registry;
    char *command; /* the command line */
    const volatile int *stop;
    double load; /* load average before the comparison */

    /* The result. */
    char *title;
    GPtrArray *variants; /* elements: scree_variant */
    guint n_groups;
    bool *tasks;           /* [axes] it varies a number of the scene, not of a method */
    bool *splits;          /* [axes] values separate groups: a task, when methods vary, too */
    bool only_gcd;         /* variants of a group differ only in `gcd` */
    scree_metric by;       /* time that decides which variant is fastest */
    GPtrArray *left_out;   /* elements: char *, "gcd.plugin=x: reason" */
    GArray *disagreements; /* elements: scree_disagreement */
    GHashTable *printed;   /* lines that standard error has already */
    guint rounds;          /* done */
    guint n_cpus;          /* threads of all ranks, the most of a variant */
    int *cpus;             /* [n_cpus] CPUs of the children; NULL: any */
    double *best;          /* [n_groups][SCREE_METRICS] scree_group_best */
    bool stopped;
} scree_comparison;

/** Makes the variants of all combinations. It reads each scene once, so that mistakes show before
 * anything is timed. "all" as the only value of a path that ends in plugin means each installed
 * plugin that serves the scene. */
bool scree_comparison_build(scree_comparison *c, GError **error);
void scree_comparison_clear(scree_comparison *c);
void scree_named_free(scree_named *named);
/** Prints a line on standard error, once. */
void scree_comparison_note(scree_comparison *c, const char *format, ...) G_GNUC_PRINTF(2, 3);
static inline scree_variant *scree_comparison_variant(const scree_comparison *c, guint i)
{
    return (scree_variant *)c->variants->pdata[i];
}
static inline const scree_axis *scree_comparison_axis(const scree_comparison *c, guint a)
{
    return (const scree_axis *)c->axes->pdata[a];
}
/** Whether what the variants of a group differ in was not timed. */
static inline bool scree_comparison_is_blind(const scree_comparison *c)
{
    return c->only_gcd && c->by == SCREE_METRIC_STEP;
}
/** Whether the variants differ at most in this axis. */
bool scree_variant_is_sibling(const scree_comparison *c, const scree_variant *a,
                              const scree_variant *b, guint axis);
typedef enum scree_trial_end {
    SCREE_TRIAL_DONE,
    SCREE_TRIAL_FAILED,
    SCREE_TRIAL_SLOW,
    SCREE_TRIAL_STOPPED,
} scree_trial_end;

/** Growth of a time with a varied number, while other settings stay. */
typedef struct scree_series {
    guint axis, first; /* variant with the smallest number */
    scree_metric metric;
    char *label;     /* the other settings */
    GArray *x, *t;   /* elements: double, numbers and medians [s], ascending */
    GArray *q1, *q3; /* elements: double, quartiles [s] */
    double exponent; /* over all points */
    GArray *local;   /* elements: double, exponents between neighbours; one fewer than x */
} scree_series;

/** The fastest variant over all groups, by the geometric mean of its ratios to the fastest of each
 * group. It has a time in as many groups as any other variant. */
typedef struct scree_fastest {
    const scree_variant *variant; /* NULL: nothing was timed */
    guint groups, wins;           /* groups in which it has a time; in which it is first */
    double mean_ratio;
} scree_fastest;

#endif
