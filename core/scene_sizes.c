// SPDX-License-Identifier: Apache-2.0
/*
 * Size distributions.
 *
 * Every continuous distribution becomes a table: radii r_0 < r_1 < .. < r_n and the share w_i of
 * each class, spread evenly over it. A uniform one is a single class, a table is what was given,
 * normal and lognormal are cut at both ends and divided into 512 classes of equal width (of the
 * logarithm).
 *
 * Bodies are drawn by number. A share by volume (or mass: one group has one material) is a share
 * density q_3(r) = w_i / (r_i+1 - r_i); the number density is q_0 ~ q_3 / r^p, with p = 3 for
 * spheres and 2 for discs, so that class i has the number share
 *
 *     N_i = w_i / (b - a) * integral_a^b r^-p dr,     p = 3: (a^-2 - b^-2) / 2,     p = 2: 1/a -
 * 1/b
 *
 * and within it r is found by inverting the integral, which needs no more than a square root.
 */
#include <math.h>
#include <string.h>

#include "scene_sizes.h"
#include "scree/sdk.h"
#include "table.h"

#define CLASSES 512

struct scree_sizes {
    bool discrete;
    int power;      // 0: evenly within a class
    uint32_t n;     // classes, or values
    double *radius; // [n + 1] edges; [n] values
    double *sum;    // [n] shares by number, summed, the last is 1
};

static scree_sizes *new_sizes(bool discrete, uint32_t n)
{
    scree_sizes *s = g_new0(scree_sizes, 1);
    s->discrete = discrete;
    s->n = n;
    s->radius = g_new0(double, n + 1);
    s->sum = g_new0(double, n);
    return s;
}

scree_sizes *scree_sizes_new_single(double radius)
{
    scree_sizes *s = new_sizes(true, 1);
    s->radius[0] = radius;
    s->sum[0] = 1.0;
    return s;
}

void scree_sizes_free(scree_sizes *s)
{
    if (!s)
        return;
    g_free(s->radius);
    g_free(s->sum);
    g_free(s);
}

double scree_sizes_max(const scree_sizes *s)
{
    return s->radius[s->discrete ? s->n - 1 : s->n];
}

/** integral of r^-p over [a, b]. */
static double inverse_power(int p, double a, double b)
{
    if (p == 3)
        return 0.5 * (1.0 / (a * a) - 1.0 / (b * b));
    if (p == 2)
        return 1.0 / a - 1.0 / b;
    return b - a;
}

void scree_sizes_table(const scree_sizes *s, scree_size_table *table)
{
    *table = (scree_size_table){.n = s->n,
                                .discrete = s->discrete,
                                .power = (uint32_t)s->power,
                                .radius = s->radius,
                                .sum = s->sum};
}

double scree_sizes_draw(const scree_sizes *s, double u)
{
    scree_size_table table;
    scree_sizes_table(s, &table);
    return scree_size_draw(&table, u);
}

/** Turns the shares in sum[] into summed number shares. */
static bool finish(scree_sizes *s, int power)
{
    double total = 0.0;
    s->power = s->discrete ? 0 : power;
    for (uint32_t i = 0; i < s->n; i++) {
        double a = s->radius[i], share = s->sum[i];
        if (s->discrete)
            share /= power == 3 ? a * a * a : power == 2 ? a * a : 1.0;
        else
            share *= inverse_power(power, a, s->radius[i + 1]) / (s->radius[i + 1] - a);
        total += share;
        s->sum[i] = total;
    }
    if (!(total > 0.0) || !isfinite(total))
        return false;
    for (uint32_t i = 0; i < s->n; i++)
        s->sum[i] /= total;
    s->sum[s->n - 1] = 1.0;
    return true;
}

/** Classes of a normal distribution of x between two cuts, x being r or its logarithm. */
static scree_sizes *new_normal(double mean, double deviation, double lo, double hi, bool logarithm)
{
    scree_sizes *s = new_sizes(false, CLASSES);
    double before = 0.0;
    for (uint32_t i = 0; i <= CLASSES; i++) {
        double x = lo + (hi - lo) * i / CLASSES;
        double p = 0.5 * erfc(-(x - mean) / (deviation * sqrt(2.0)));
        s->radius[i] = logarithm ? exp(x) : x;
        if (i > 0)
            s->sum[i - 1] = p - before;
        before = p;
    }
    return s;
}

static double positive(scree_build *b, scree_node *group, const char *key, const char *unit,
                       double otherwise)
{
    return scree_config_real(b->config, group, key, unit, otherwise, 0.0, HUGE_VAL,
                             SCREE_KEY_MIN_OPEN | (isnan(otherwise) ? SCREE_KEY_REQUIRED : 0u));
}

static bool check_range(scree_build *b, scree_node *group, double min, double max)
{
    if (isnan(min) || isnan(max))
        return false; // said already
    if (max > min && min > 0.0)
        return true;
    scree_config_problem(b->config, group, "sizes from %g m to %g m: 0 < min < max is wanted%s",
                         min, max, min > 0.0 ? "" : " (give `min`)");
    return false;
}

static scree_sizes *read_uniform(scree_build *b, scree_node *group)
{
    double min = positive(b, group, "min", "m", (double)NAN),
           max = positive(b, group, "max", "m", (double)NAN);
    if (!check_range(b, group, min, max))
        return NULL;
    scree_sizes *s = new_sizes(false, 1);
    s->radius[0] = min;
    s->radius[1] = max;
    s->sum[0] = 1.0;
    return s;
}

static scree_sizes *read_normal(scree_build *b, scree_node *group)
{
    double mean = positive(b, group, "mean", "m", (double)NAN);
    double deviation = positive(b, group, "deviation", "m", (double)NAN);
    if (isnan(mean) || isnan(deviation))
        return NULL;
    double min = scree_config_real(b->config, group, "min", "m", mean - 3.0 * deviation, 0.0,
                                   HUGE_VAL, SCREE_KEY_MIN_OPEN);
    double max = positive(b, group, "max", "m", mean + 3.0 * deviation);
    return check_range(b, group, min, max) ? new_normal(mean, deviation, min, max, false) : NULL;
}

static scree_sizes *read_lognormal(scree_build *b, scree_node *group)
{
    double median = positive(b, group, "median", "m", (double)NAN);
    double sigma = positive(b, group, "sigma", NULL, (double)NAN);
    if (isnan(median) || isnan(sigma))
        return NULL;
    double min = positive(b, group, "min", "m", median * exp(-3.0 * sigma));
    double max = positive(b, group, "max", "m", median * exp(3.0 * sigma));
    if (!check_range(b, group, min, max))
        return NULL;
    return new_normal(log(median), sigma, log(min), log(max), true);
}

/** A list of reals, or NULL with a problem. */
static GArray *read_reals(scree_build *b, scree_node *group, const char *key, const char *unit)
{
    scree_node *list = scree_config_list(b->config, group, key);
    GArray *out = g_array_new(FALSE, FALSE, sizeof(double));
    bool ok = list != NULL;
    if (!list && !scree_config_child(group, key))
        scree_config_problem(b->config, group, "%s = [..] or a file is missing", key);
    for (uint32_t i = 0; list && i < list->children->len; i++) {
        double value = 0.0;
        ok &= scree_node_real(b->config, list->children->pdata[i], unit, 0.0, HUGE_VAL, 0, &value);
        g_array_append_val(out, value);
    }
    if (ok)
        return out;
    g_array_free(out, TRUE);
    return NULL;
}

/** Both columns of a table in a file. */
static bool load_columns(scree_build *b, scree_node *group, const char *second, GArray **values,
                         GArray **shares)
{
    const scree_column known[] = {{"radius", SCREE_COLUMN_REAL, "m"},
                                  {"diameter", SCREE_COLUMN_REAL, "m"},
                                  {second, SCREE_COLUMN_REAL, NULL}};
    g_autofree char *path = scree_config_path(b->config, group, "file", 0);
    g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func(g_free);
    if (!path)
        return false;
    g_autoptr(scree_table) t = scree_table_load(path, path, known, 3, NULL, problems);
    for (uint32_t i = 0; i < problems->len; i++)
        scree_config_problem(b->config, NULL, "%s", (const char *)problems->pdata[i]);
    if (!t)
        return false;
    int radius = scree_table_column(t, "radius"), diameter = scree_table_column(t, "diameter");
    int share = scree_table_column(t, second);
    if (share < 0 || (radius < 0) == (diameter < 0)) {
        scree_config_problem(b->config, scree_config_child(group, "file"),
                             "%s needs the columns radius (or diameter) and %s", path, second);
        return false;
    }
    *values = g_array_new(FALSE, FALSE, sizeof(double));
    *shares = g_array_new(FALSE, FALSE, sizeof(double));
    for (uint32_t i = 0; i < t->n_rows; i++) {
        double r = radius >= 0 ? scree_table_cell(t, i, (uint32_t)radius).real
                               : 0.5 * scree_table_cell(t, i, (uint32_t)diameter).real;
        double w = scree_table_cell(t, i, (uint32_t)share).real;
        g_array_append_val(*values, r);
        g_array_append_val(*shares, w);
    }
    return true;
}

/** Sizes must ascend from above 0; shares >= 0, sums must not fall and start at 0. */
static bool check_columns(scree_build *b, scree_node *group, const GArray *values,
                          const GArray *shares, bool sums)
{
    const char *wrong = NULL;
    if (values->len != shares->len || values->len < (sums ? 2u : 1u))
        wrong = "as many sizes as shares are wanted, at least two for a table";
    for (uint32_t i = 0; !wrong && i < values->len; i++) {
        double r = g_array_index(values, double, i), w = g_array_index(shares, double, i);
        if (!(r > 0.0) || (i && !(r > g_array_index(values, double, i - 1))))
            wrong = "sizes must be above 0 and ascend";
        else if (!(w >= 0.0))
            wrong = "shares must be 0 or more";
        else if (sums && i == 0 && w != 0.0)
            wrong = "cumulative must start at 0 (at the smallest size)";
        else if (sums && i && w < g_array_index(shares, double, i - 1))
            wrong = "cumulative must not fall";
    }
    if (wrong)
        scree_config_problem(b->config, group, "%s", wrong);
    return !wrong;
}

static scree_sizes *read_table(scree_build *b, scree_node *group, bool discrete)
{
    const char *second = discrete ? "weight" : "cumulative";
    g_autoptr(GArray) values = NULL, shares = NULL;
    if (scree_config_child(group, "file")) {
        if (!load_columns(b, group, second, &values, &shares))
            return NULL;
    } else {
        values = read_reals(b, group, "values", "m");
        shares = read_reals(b, group, discrete ? "weights" : "cumulative", NULL);
    }
    if (!values || !shares || !check_columns(b, group, values, shares, !discrete))
        return NULL;
    scree_sizes *s = new_sizes(discrete, discrete ? values->len : values->len - 1);
    memcpy(s->radius, values->data, values->len * sizeof(double));
    for (uint32_t i = 0; i < s->n; i++) {
        double w = g_array_index(shares, double, i);
        s->sum[i] = discrete ? w : g_array_index(shares, double, i + 1) - w;
    }
    return s;
}

scree_sizes *scree_sizes_read(scree_build *b, scree_node *group, int power)
{
    static const char *const types[] = {"uniform", "normal",   "lognormal",
                                        "table",   "discrete", NULL};
    static const char *const bys[] = {"number", "volume", "mass", NULL};
    static const char *const ofs[] = {"radius", "diameter", NULL};
    uint32_t before = b->config->problems->len;
    if (!scree_config_string(b->config, group, "type", NULL, SCREE_KEY_REQUIRED))
        return NULL;
    int type = scree_config_choice(b->config, group, "type", types, -1);
    int by = scree_config_choice(b->config, group, "by", bys, 0);
    bool file = scree_config_child(group, "file") != NULL; // its header says radius or diameter
    int of = file ? 0 : scree_config_choice(b->config, group, "of", ofs, 0);
    g_autoptr(scree_sizes) s = NULL;
    if (type == 0)
        s = read_uniform(b, group);
    else if (type == 1)
        s = read_normal(b, group);
    else if (type == 2)
        s = read_lognormal(b, group);
    else if (type >= 3)
        s = read_table(b, group, type == 4);
    if (type >= 0)
        scree_config_report_unknown(b->config, group, NULL);
    if (!s || b->config->problems->len != before)
        return NULL;
    for (uint32_t i = 0; of == 1 && i < s->n + 1; i++)
        s->radius[i] *= 0.5;
    if (finish(s, by == 0 ? 0 : power))
        return g_steal_pointer(&s);
    scree_config_problem(b->config, group, "the shares sum up to nothing");
    return NULL;
}
