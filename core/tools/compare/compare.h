/* SPDX-License-Identifier: Apache-2.0 */
/* `scree compare`: variants of a scene, their samples, and the figures that are printed. */
#ifndef CORE_COMPARE_H
#define CORE_COMPARE_H

#include <json-glib/json-glib.h>
#include <stdio.h>

#include "base/json.h"
#include "plugin/plugin_file.h"
#include "tools/compare/compare_stats.h"
#include "tools/compare/compare_vary.h"

/** Times that are compared [s/step]. */
typedef enum scree_metric {
    SCREE_METRIC_GCD,       /* contact detection only */
    SCREE_METRIC_CONTACT,   /* with extents, ordering of pairs and resolvers */
    SCREE_METRIC_STEP,      /* the whole step */
    SCREE_METRIC_STEP_INIT, /* of contact detection: init and step_init */
    SCREE_METRIC_SEARCH,    /* of contact detection: find_neighbors */
    SCREE_METRICS,
} scree_metric;
/** Names for programs ("gcd_resolve") and for readers. */
extern const char *const scree_metric_keys[SCREE_METRICS];
extern const char *const scree_metric_titles[SCREE_METRICS];

/** A combination of settings with a name of its own. */
typedef struct scree_named {
    char *name;
    GPtrArray *assignments; /* of char * */
} scree_named;

/** One repeat of one variant. */
typedef struct scree_sample {
    guint round, turn;             /* from 0 */
    double time[SCREE_METRICS];    /* [s] per step */
    double setup_s, wall_s, cpu_s; /* [s] cpu_s: of the process, in wall_s */
} scree_sample;

typedef enum scree_outcome {
    SCREE_OUTCOME_WAITS, /* no repeat is done yet */
    SCREE_OUTCOME_OK,
    SCREE_OUTCOME_FAILED,   /* with status and message */
    SCREE_OUTCOME_SLOW,     /* a repeat took longer than the limit */
    SCREE_OUTCOME_LEFT_OUT, /* a smaller member of its series was too slow */
} scree_outcome;

typedef struct scree_variant {
    const scree_named *named; /* or NULL */
    guint *at;                /* [axes] index of its value */
    char *label;              /* "dess, integrator.count=400" */
    char *short_label;        /* without the settings that its whole group has */
    GPtrArray *overrides;     /* of char *, NULL at the end: those of --set, then its own */
    GPtrArray *own;           /* of char *: only its own; borrowed from overrides */
    guint group;              /* variants of one group are compared with each other */
    const char *rest;         /* its own overrides without those of `gcd`; interned */
    char *paste;              /* lines of a scene that give this variant */

    scree_outcome outcome;
    int status;    /* exit status, when failed */
    char *message; /* when failed or left out */
    GArray *samples;
    scree_spread spread[SCREE_METRICS];
    char *state_sha256;   /* after the last step */
    JsonNode *report;     /* of the last repeat, as `scree run --json` prints it */
    double bytes_per_box; /* that the GCD holds; NaN: unknown */
    bool disagrees;       /* its state should be that of another variant and is not */
} scree_variant;

/** Two variants that differ only in `gcd` and reach different states. */
typedef struct scree_disagreement {
    guint odd, other; /* variants */
    bool found;       /* the first step is known */
    uint64_t step;    /* the first after which the states differ; 0: the start */
    char *why;        /* the step is unknown */
} scree_disagreement;

typedef struct scree_comparison {
    /* The request. */
    const char *scene;
    const char *const *overrides; /* --set, NULL-terminated or NULL */
    GPtrArray *axes;              /* of scree_axis */
    GPtrArray *named;             /* of scree_named */
    uint64_t steps, warmup;
    guint repeats, threads;
    double limit; /* [s] of a repeat; infinite: none */
    bool quiet;
    scree_registry *registry;
    char *command; /* the command line */
    const volatile int *stop;
    double load; /* load average before the comparison */

    /* The result. */
    char *title;
    GPtrArray *variants; /* of scree_variant */
    guint n_groups;
    bool *tasks;           /* [axes] varies a number of the scene, not of a method */
    bool *splits;          /* [axes] its values separate groups: a task, when methods vary too */
    bool only_gcd;         /* the variants of a group differ only in `gcd` */
    scree_metric by;       /* decides which variant is fastest */
    GPtrArray *left_out;   /* of char *: "gcd.plugin=x: reason" */
    GArray *disagreements; /* of scree_disagreement */
    GHashTable *printed;   /* lines that standard error already has */
    guint rounds;          /* done */
    int *cpus;             /* [threads] that children are pinned to; NULL: none */
    double *best;          /* [n_groups][SCREE_METRICS] scree_group_best */
    bool stopped;
} scree_comparison;

/** Makes the variants of all combinations. Each scene is read once, so that mistakes are found
 * before anything is measured. "all" as the only value of a path that ends in plugin means every
 * installed plugin that serves the scene. */
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
/** Whether the variants differ at most in this axis. */
bool scree_variant_is_sibling(const scree_comparison *c, const scree_variant *a,
                              const scree_variant *b, guint axis);
typedef enum scree_trial_end {
    SCREE_TRIAL_DONE,
    SCREE_TRIAL_FAILED,
    SCREE_TRIAL_SLOW,
    SCREE_TRIAL_STOPPED,
} scree_trial_end;

/** Growth of a time with a varied number, the other settings of a variant fixed. */
typedef struct scree_series {
    guint axis, first; /* the variant with the smallest number */
    scree_metric metric;
    char *label;     /* the other settings */
    GArray *x, *t;   /* of double: numbers, medians [s]; ascending */
    double exponent; /* over all points */
    GArray *local;   /* of double: exponents between neighbours; one less than x */
} scree_series;

/** The fastest variant over all groups, by the geometric mean of its ratios to the fastest of each
 * group; it has a time in as many groups as any other. */
typedef struct scree_fastest {
    const scree_variant *variant; /* NULL: nothing was timed */
    guint groups, wins;           /* with a time; where it is first */
    double mean_ratio;
} scree_fastest;

#endif
