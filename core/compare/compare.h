/* SPDX-License-Identifier: Apache-2.0 */
/* `scree compare`: variants of a scene, what was measured of each, and what is told of it. */
#ifndef CORE_COMPARE_H
#define CORE_COMPARE_H

#include <json-glib/json-glib.h>
#include <stdio.h>

#include "base/json.h"
#include "compare/compare_stats.h"
#include "compare/compare_vary.h"
#include "plugin/registry.h"

/** Times that are compared, each per step [s]. */
typedef enum scree_metric {
    SCREE_METRIC_GCD,       /* contact detection alone */
    SCREE_METRIC_CONTACT,   /* with extents, ordering of pairs and resolvers */
    SCREE_METRIC_STEP,      /* the whole step */
    SCREE_METRIC_STEP_INIT, /* of contact detection: init and step_init */
    SCREE_METRIC_SEARCH,    /* of contact detection: find_neighbors */
    SCREE_METRICS,
} scree_metric;
/** Names for programs ("gcd_resolve") and for people. */
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
    SCREE_OUTCOME_WAITS, /* no repeat of it is over yet */
    SCREE_OUTCOME_OK,
    SCREE_OUTCOME_FAILED,   /* with status and message */
    SCREE_OUTCOME_SLOW,     /* a repeat took longer than the limit */
    SCREE_OUTCOME_LEFT_OUT, /* a smaller member of its series did */
} scree_outcome;

typedef struct scree_variant {
    const scree_named *named; /* or NULL */
    guint *at;                /* [axes] which of the values */
    char *label;              /* "dess, integrator.count=400" */
    char *short_label;        /* without what its whole group has in common */
    GPtrArray *overrides;     /* of char *, NULL at the end: --set, then its own */
    GPtrArray *own;           /* of char *: its own alone; borrowed from overrides */
    guint group;              /* variants of one group are compared with each other */
    const char *rest;         /* its own overrides but those of `gcd`; interned */
    char *paste;              /* what to write into the scene for it */

    scree_outcome outcome;
    int status;    /* of the program, when failed */
    char *message; /* when failed or left out */
    GArray *samples;
    scree_spread spread[SCREE_METRICS];
    char *state_sha256;   /* after the last step */
    JsonNode *report;     /* what `scree run --json` would print of the last repeat */
    double bytes_per_box; /* that the GCD holds; NaN: it does not tell */
    bool disagrees;       /* with others that it should agree with */
} scree_variant;

/** Two variants that differ in `gcd` alone and come to different states. */
typedef struct scree_disagreement {
    guint odd, other; /* variants */
    bool found;       /* the first step is known */
    uint64_t step;    /* after which the states differ; 0: at the start */
    char *why;        /* when it is not found */
} scree_disagreement;

typedef struct scree_comparison {
    /* What is asked for. */
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
    double load; /* of the machine, before */

    /* What came of it. */
    char *title;
    GPtrArray *variants; /* of scree_variant */
    guint n_groups;
    bool *tasks;           /* [axes] a number of the scene, not of a method */
    bool *splits;          /* [axes] its values part groups: tasks, when there is a choice too */
    bool gcd_alone;        /* the variants of a group differ in `gcd` alone */
    scree_metric by;       /* what decides who is fastest */
    GPtrArray *left_out;   /* of char *: "gcd.plugin=x: reason" */
    GArray *disagreements; /* of scree_disagreement */
    GHashTable *told;      /* lines for standard error that were told already */
    guint rounds;          /* done */
    int *cpus;             /* [threads] that children are pinned to; NULL: they are not */
    double *best;          /* [n_groups][SCREE_METRICS] scree_group_best */
    bool stopped;
} scree_comparison;

/* compare.c: what is compared */
/** Variants of all combinations; each scene is read once, so that mistakes show before anything is
 * measured. `all` as the only value of a path that ends in plugin: every installed one that serves.
 */
bool scree_comparison_build(scree_comparison *c, GError **error);
void scree_comparison_clear(scree_comparison *c);
void scree_named_free(scree_named *named);
/** A line for standard error, once. */
void scree_comparison_tell(scree_comparison *c, const char *format, ...) G_GNUC_PRINTF(2, 3);
static inline scree_variant *scree_comparison_variant(const scree_comparison *c, guint i)
{
    return (scree_variant *)c->variants->pdata[i];
}
static inline const scree_axis *scree_comparison_axis(const scree_comparison *c, guint a)
{
    return (const scree_axis *)c->axes->pdata[a];
}
/** True when the variants differ in this axis at most. */
bool scree_variant_is_sibling(const scree_comparison *c, const scree_variant *a,
                              const scree_variant *b, guint axis);
/* compare_child.c: in a process of its own */
typedef enum scree_trial_end {
    SCREE_TRIAL_DONE,
    SCREE_TRIAL_FAILED,
    SCREE_TRIAL_SLOW,
    SCREE_TRIAL_STOPPED,
} scree_trial_end;
/** Set-up, warm-up and the timed steps. Done: the sample is added; else the variant's outcome,
 * status and message are set. */
scree_trial_end scree_trial_run(scree_comparison *c, scree_variant *v, guint round, guint turn);
/** The hashes of the state after each of `steps` (ascending); NULL when failed, with `message`. */
GPtrArray *scree_trial_hashes(scree_comparison *c, const scree_variant *v, const GArray *steps,
                              char **message);

/* compare_run.c: rounds, and what follows from all samples */
void scree_comparison_run(scree_comparison *c);
/** Looks for variants that should have come to one state and have not; the last step before the
 * figures below. */
void scree_comparison_judge(scree_comparison *c);

/* compare_figures.c: from samples to what is told */
/** Finds the fastest of each group. */
void scree_comparison_rank(scree_comparison *c);
/** Median of a group's fastest, of those that are sound; NaN without any. */
double scree_group_best(const scree_comparison *c, guint group, scree_metric metric);
/** Variant numbers of a group: the fastest first, then those without a time. New array. */
GArray *scree_group_order(const scree_comparison *c, guint group);
/** Whether it has times, and its state is not doubted. */
bool scree_variant_is_sound(const scree_variant *v);

/** How a time grows with a varied number, the rest of a variant's settings as they are. */
typedef struct scree_series {
    guint axis, first; /* the variant with the smallest number */
    scree_metric metric;
    char *label;     /* the rest */
    GArray *x, *t;   /* of double: numbers, medians [s]; ascending */
    double exponent; /* over all */
    GArray *local;   /* of double: between neighbours; one less than x */
} scree_series;
void scree_series_free(scree_series *series);
/** Of all variants and the three times that are compared; of scree_series. Those with two points at
 * least. */
GPtrArray *scree_comparison_series(const scree_comparison *c);

/** The variant that is fastest: of all groups, by the geometric mean of the ratios to the fastest,
 * among those that have a time in as many groups as any. */
typedef struct scree_fastest {
    const scree_variant *variant; /* NULL: nothing was timed */
    guint groups, wins;           /* in which it was timed, of them first */
    double mean_ratio;
} scree_fastest;
scree_fastest scree_comparison_fastest(const scree_comparison *c);

/* compare_table.c: for people */
void scree_comparison_print(const scree_comparison *c, FILE *out);
/** "integrator.count = 400; 400 bodies": what the variants of a group have in common. */
char *scree_comparison_task(const scree_comparison *c, guint group);
/** Rows of texts (GPtrArray of GPtrArray of char *), the first one titles; a row of two has a name
 * and what became of it. */
GPtrArray *scree_comparison_table(const scree_comparison *c, guint group);
/** The same for growth with an axis; no rows: nothing grows. */
GPtrArray *scree_comparison_growth(const scree_comparison *c, guint axis);
char *scree_disagreement_text(const scree_comparison *c, const scree_disagreement *d);
/** "fastest: ..": the last line. */
char *scree_comparison_verdict(const scree_comparison *c);
/** The unit [s] for times like this one, and its name. */
double scree_time_unit(double scale, const char **unit);

/* compare_json.c: for programs */
char *scree_comparison_json(const scree_comparison *c);

/* compare_machine.c: where it runs */
/** Facts: key, value, key, value, ..; of char *. */
GPtrArray *scree_comparison_machine(const scree_comparison *c);
/** Chooses the CPUs that children are pinned to: those that have least to do. */
void scree_comparison_pin(scree_comparison *c);
/** Says when other processes had much of them. */
void scree_comparison_tell_load(scree_comparison *c);

/* compare_report.c, compare_html.c, compare_plots.c: the folder of --report */
/** Writes all of it, each file under another name first. What is missing for want of gnuplot is
 * told, and no error. */
bool scree_comparison_report(scree_comparison *c, const char *folder, GError **error);
/** The page: tables, and the figures of the folder inside of it. New string. */
char *scree_comparison_html(const scree_comparison *c, const char *folder, const GPtrArray *figures,
                            GError **error);
/** Draws into the folder; names of SVG files, of char *; NULL with an error. */
GPtrArray *scree_comparison_plot(const scree_comparison *c, const char *folder, GError **error);

#endif
