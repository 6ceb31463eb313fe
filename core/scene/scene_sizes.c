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

#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "config/table.h"
#include "scene/scene_keys.h"
#include "scene/scene_sizes.h"

#define CLASSES 512

struct scree_sizes {
    bool discrete;
    int power;      // 0: evenly in a class
    uint32_t n;     // number of classes, or of values
    double *radius; // [n + 1] edges; [n] values
    double *sum;    // [n] cumulative number shares; the last is 1
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

void scree_sizes_divide(scree_sizes *s, double unit)
{
    for (uint32_t i = 0; i < s->n + !s->discrete; i++)
        s->radius[i] /= unit;
}

/** Returns the integral of r^-p over [a, b]. */
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
    *table = (scree_size_table){.size = sizeof *table,
                                .n = s->n,
                                .discrete = s->discrete,
                                .power = (uint32_t)s->power,
                                .radius = s->radius,
                                .sum = s->sum};
}

/** Turns the shares in sum[] into cumulative number shares. */
static bool finish_sizes(scree_sizes *s, int power)
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

static bool check_range(scree_build *b, scree_node *group, double min, double max)
{
    if (max > min && min > 0.0)
        return true;
    scree_config_problem(b->config, group, "expected 0 < min < max, got radii from %g m to %g m%s",
                         min, max, min > 0.0 ? "" : " (give `min`)");
    return false;
}

static double or_else(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

/** Makes one class, or those of a normal distribution of r or its logarithm x between two cuts. */
static scree_sizes *make_classes(scree_build *b, scree_node *group, const scree_size_keys *k)
{
    const bool uniform = k->type == SCREE_SIZES_UNIFORM, logs = k->type == SCREE_SIZES_LOGNORMAL;
    const double min = or_else(k->min, logs ? k->median * exp(-3.0 * k->sigma)
                                            : k->mean - 3.0 * k->deviation),
                 max = or_else(k->max, logs ? k->median * exp(3.0 * k->sigma)
                                            : k->mean + 3.0 * k->deviation);
    const double mean = logs ? log(k->median) : k->mean, lo = logs ? log(min) : min,
                 hi = logs ? log(max) : max, deviation = logs ? k->sigma : k->deviation;
    if (!check_range(b, group, min, max))
        return NULL;
    scree_sizes *s = new_sizes(false, uniform ? 1 : CLASSES);
    s->radius[0] = min;
    s->radius[1] = max;
    s->sum[0] = 1.0;
    if (uniform)
        return s;
    double before = 0.0;
    for (uint32_t i = 0; i <= CLASSES; i++) {
        double x = lo + (hi - lo) * i / CLASSES;
        double p = 0.5 * erfc(-(x - mean) / (deviation * sqrt(2.0)));
        s->radius[i] = logs ? exp(x) : x;
        if (i > 0)
            s->sum[i - 1] = p - before;
        before = p;
    }
    return s;
}

/** A size and its share; line: of a file. */
typedef struct point {
    double size, share;
    uint32_t line;
} point;

/** Sizes and shares as given. */
typedef struct curve {
    GArray *points; // elements: point
    char *file;     // NULL: the scene gave them
    bool summed;    // shares are cumulative
    bool half;      // diameters were halved
} curve;

static void curve_clear(curve *c)
{
    if (c->points)
        g_array_free(c->points, TRUE);
    g_free(c->file);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(curve, curve_clear)

static point *point_at(const curve *c, uint32_t i)
{
    return &g_array_index(c->points, point, i);
}

/** Adds a problem with point i of a curve, at its line in a file. */
static void G_GNUC_PRINTF(5, 6) complain(scree_build *b, const scree_node *group, const curve *c,
                                         uint32_t i, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    if (c->file)
        scree_config_problem(b->config, NULL, "%s:%u: %s", c->file, point_at(c, i)->line, text);
    else
        scree_config_problem(b->config, group, "%s (point %u)", text, i);
}

/** Reads the columns of a curve from a file. */
static bool load_curve(scree_build *b, scree_node *group, const scree_size_keys *keys, curve *c)
{
    static const scree_column known[] = {
        {"radius", SCREE_COLUMN_REAL, "m"},     {"diameter", SCREE_COLUMN_REAL, "m"},
        {"size", SCREE_COLUMN_REAL, "m"},       {"weight", SCREE_COLUMN_REAL, "-"},
        {"cumulative", SCREE_COLUMN_REAL, "-"},
    };
    const bool discrete = keys->type == SCREE_SIZES_DISCRETE;
    g_autoptr(scree_table) t =
        scree_build_table(b, group, "file", keys->file, known, G_N_ELEMENTS(known),
                          keys->columns.n ? keys->columns.v : NULL);
    if (!t)
        return false;
    c->file = g_strdup(keys->file);
    const scree_table_word *weight = t->cells[3], *summed = t->cells[4], *shares;
    int size = 0, n_sizes = 0;
    for (int k = 0; k < 3; k++) {
        size = t->cells[k] ? k : size;
        n_sizes += t->cells[k] != NULL;
    }
    if (n_sizes != 1 || !weight == !summed || (discrete && !weight)) {
        scree_config_problem(b->config, scree_node_find(group, "file"),
                             "%s needs one of the columns radius, diameter, size, and %s", c->file,
                             discrete ? "weight" : "one of cumulative, weight");
        return false;
    }
    c->half = size == 1 || (size == 2 && keys->of == SCREE_SIZES_DIAMETER);
    c->summed = summed != NULL;
    shares = summed ? summed : weight;
    for (uint32_t i = 0; i < t->n_rows; i++) {
        const point one = {t->cells[size][i].real * (c->half ? 0.5 : 1.0), shares[i].real,
                           t->lines[i]};
        g_array_append_val(c->points, one);
    }
    return true;
}

/** Reads values, with cumulative or weights, which are as many. */
static bool take_curve(scree_build *b, scree_node *group, const scree_size_keys *keys, curve *c)
{
    c->half = keys->of == SCREE_SIZES_DIAMETER;
    c->summed = keys->type == SCREE_SIZES_TABLE && !scree_node_find(group, "weights");
    const char *const names[] = {"values", c->summed ? "cumulative" : "weights"};
    const scree_reals *shares = c->summed ? &keys->cumulative : &keys->weights;
    const guint before = b->config->problems->len;
    for (size_t k = 0; k < G_N_ELEMENTS(names); k++)
        if (!scree_node_find(group, names[k]))
            scree_config_problem(b->config, group, SCREE_KEY_MISSING ": a list, or file", names[k]);
    if (b->config->problems->len == before && keys->values.n != shares->n)
        scree_config_problem(b->config, group, "%u sizes, but %u shares", (guint)keys->values.n,
                             (guint)shares->n);
    if (b->config->problems->len > before)
        return false;
    for (uint64_t i = 0; i < shares->n; i++) {
        const point one = {keys->values.v[i] * (c->half ? 0.5 : 1.0), shares->v[i], 0};
        g_array_append_val(c->points, one);
    }
    return true;
}

/** Reverses a curve that begins with the largest size. */
static void turn_curve(curve *c)
{
    const uint32_t n = c->points->len;
    if (n < 2 || point_at(c, 0)->size <= point_at(c, n - 1)->size)
        return;
    for (uint32_t i = 0; i < n / 2; i++) {
        const point t = *point_at(c, i);
        *point_at(c, i) = *point_at(c, n - 1 - i);
        *point_at(c, n - 1 - i) = t;
    }
}

/** Checks that sizes ascend from above 0, that no share is negative, and that no sum falls. */
static bool check_curve(scree_build *b, scree_node *group, const curve *c)
{
    uint32_t before = b->config->problems->len;
    for (uint32_t i = 0; i < c->points->len && b->config->problems->len == before; i++) {
        double r = point_at(c, i)->size, w = point_at(c, i)->share;
        if (!(r > 0.0))
            complain(b, group, c, i, "expected a radius > 0, got %g m", r);
        else if (i && !(r > point_at(c, i - 1)->size))
            complain(b, group, c, i, "sizes must ascend (or descend) from line to line");
        else if (!(w >= 0.0))
            complain(b, group, c, i, "expected a share >= 0, got %g", w);
        else if (c->summed && i && w < point_at(c, i - 1)->share)
            complain(b, group, c, i, "cumulative falls from %g to %g", point_at(c, i - 1)->share,
                     w);
    }
    return b->config->problems->len == before;
}

/** Checks that a cumulative curve ends at 1 or at 100 %. */
static bool check_whole(scree_build *b, scree_node *group, bool normalise, const curve *c)
{
    double last = point_at(c, c->points->len - 1)->share;
    if (normalise || fabs(last - 1.0) <= 5e-3 || fabs(last - 100.0) <= 0.5)
        return true;
    complain(b, group, c, c->points->len - 1,
             "the curve ends at %g, neither at 1 nor at 100; normalise = true takes that as the "
             "whole",
             last);
    return false;
}

/** Returns the share of the curve below size r. */
static double curve_below(const curve *c, double r)
{
    uint32_t n = c->points->len, i = 1;
    if (r <= point_at(c, 0)->size)
        return point_at(c, 0)->share;
    while (i < n && point_at(c, i)->size < r)
        i++;
    if (i == n)
        return point_at(c, n - 1)->share;
    double a = point_at(c, i - 1)->size, t = (r - a) / (point_at(c, i)->size - a);
    return point_at(c, i - 1)->share + t * (point_at(c, i)->share - point_at(c, i - 1)->share);
}

/** Returns the classes of a cumulative curve from `min` to `max`; others are reported. */
static scree_sizes *cut_curve(scree_build *b, scree_node *group, const scree_size_keys *keys,
                              const curve *c)
{
    uint32_t n = c->points->len;
    double first = point_at(c, 0)->size, last = point_at(c, n - 1)->size,
           whole = point_at(c, n - 1)->share;
    double given = c->half ? 0.5 : 1.0; // min and max are diameters if the sizes are
    double min = given * or_else(keys->min, first / given);
    double max = given * or_else(keys->max, last / given);
    if (point_at(c, 0)->share > 0.0 && !(min < first) && !(min > first)) {
        complain(
            b, group, c, 0,
            "a share of %g lies below the smallest size; `min` says where it begins (cumulative "
            "0), or what is cut off",
            point_at(c, 0)->share);
        return NULL;
    }
    bool below = point_at(c, 0)->share > 0.0 && min < first; // adds a class
    double lo = below ? min : fmax(min, first), hi = fmin(max, last);
    if (!check_range(b, group, lo, hi))
        return NULL;
    scree_sizes *s = new_sizes(false, n + 1);
    double before = below ? 0.0 : curve_below(c, lo);
    double kept = curve_below(c, hi) - before;
    uint32_t count = 0;
    s->radius[0] = lo;
    for (uint32_t i = 0; i < n; i++) {
        double r = fmin(point_at(c, i)->size, hi);
        if (!(r > s->radius[count]))
            continue;
        double sum = r < point_at(c, i)->size ? curve_below(c, r) : point_at(c, i)->share;
        s->sum[count++] = sum - before;
        s->radius[count] = r;
        before = sum;
    }
    s->n = count;
    if (kept < whole * (1.0 - 1e-9))
        scree_config_note(b->config, group,
                          "radii from %g m to %g m: %.3g %% of the curve is cut off", lo, hi,
                          100.0 * (1.0 - kept / whole));
    return s;
}

static scree_sizes *make_table(scree_build *b, scree_node *group, const scree_size_keys *keys)
{
    g_auto(curve) c = {.points = g_array_new(FALSE, FALSE, sizeof(point))};
    const bool discrete = keys->type == SCREE_SIZES_DISCRETE;
    const bool good = keys->file ? load_curve(b, group, keys, &c) : take_curve(b, group, keys, &c);
    const guint n = c.points->len;
    if (good && n < (discrete ? 1u : 2u))
        scree_config_problem(b->config, group, "a table has two sizes or more, not %u", n);
    if (!good || n < (discrete ? 1u : 2u))
        return NULL;
    turn_curve(&c);
    if (!check_curve(b, group, &c))
        return NULL;
    if (!discrete) {
        if (c.summed && !check_whole(b, group, keys->normalise, &c))
            return NULL;
        for (uint32_t i = 1; i < n && !c.summed;
             i++) // the share between the previous size and this
            point_at(&c, i)->share += point_at(&c, i - 1)->share;
        c.summed = true;
        return cut_curve(b, group, keys, &c);
    }
    scree_sizes *s = new_sizes(true, n);
    for (uint32_t i = 0; i < n; i++) {
        s->radius[i] = point_at(&c, i)->size;
        s->sum[i] = point_at(&c, i)->share;
    }
    return s;
}

scree_sizes *scree_sizes_read(scree_build *b, scree_node *group, int power)
{
    const guint before = b->config->problems->len;
    scree_size_keys keys = {0};
    scree_build_keys(b, group, SCREE_KEYS_SIZES, &keys);
    if (b->config->problems->len > before) // the allowed keys depend on the type
        return NULL;
    scree_build_group(b, group, SCREE_KEYS_UNIFORM + keys.type, &keys);
    if (b->config->problems->len > before)
        return NULL;
    const bool given = keys.type >= SCREE_SIZES_TABLE; // its sizes are radii already
    g_autoptr(scree_sizes) s = (given ? make_table : make_classes)(b, group, &keys);
    if (!s || b->config->problems->len != before)
        return NULL;
    if (!given && keys.of == SCREE_SIZES_DIAMETER)
        scree_sizes_divide(s, 2.0);
    if (finish_sizes(s, keys.by == SCREE_SIZES_BY_NUMBER ? 0 : power))
        return g_steal_pointer(&s);
    scree_config_problem(b->config, group, "the shares sum up to nothing");
    return NULL;
}
