// SPDX-License-Identifier: Apache-2.0
// Size distributions against the curves they were given: Kolmogorov and Smirnov's distance by
// number, the input again when draws are weighted by volume, and measured powders.
#include <glib/gstdio.h>

#define OWN_MAIN
#include "../../test.h"
#include "../scene_fixture.h"
#include "base/random.h"
#include "config/config_read.h"
#include "scene/scene_sizes.h"
#include "scree/sdk.h"

#define DRAWS 20000
// The distance of so many draws exceeds 1.95 / sqrt(n) once in a thousand samples; seeds are fixed.
#define KS_BOUND (1.95 / sqrt(DRAWS))

static char *path;

/** The sizes of a `distribution` group; `expected`: what a problem says, NULL: there is none. */
static scree_sizes *read_group(const char *keys, int power, const char *expected, char **note)
{
    g_autofree char *text = g_strdup_printf("d = { %s };", keys);
    g_autoptr(scree_config) config = scree_config_parse(text, "s.cfg", "/");
    scree_scene scene = {.dimension = 3};
    scree_build b = {.scene = &scene, .config = config};
    scree_sizes *s = scree_sizes_read(&b, scree_config_child(config->root, "d"), power);
    g_ptr_array_unref(scene.memory);
    if (note)
        *note = config->notes->len ? g_strdup(config->notes->pdata[0]) : NULL;
    if (!expected) {
        if (config->problems->len)
            g_assert_cmpstr(config->problems->pdata[0], ==, NULL);
        g_assert_nonnull(s);
        return s;
    }
    g_assert_null(s);
    for (guint i = 1; i < config->problems->len; i++) // one mistake is one problem
        g_assert_cmpstr(config->problems->pdata[i], ==, expected);
    g_assert_cmpuint(config->problems->len, ==, 1);
    const char *problem = config->problems->pdata[0];
    g_assert_cmpstr(strstr(problem, expected) ? expected : problem, ==, expected);
    return NULL;
}

static void refuse(const char *keys, const char *expected)
{
    read_group(keys, 3, expected, NULL);
}

static void put(const char *text)
{
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
}

static char *from_file(const char *keys)
{
    return g_strdup_printf("type = \"table\"; file = \"%s\"; %s", path, keys);
}

static int compare_reals(const void *pa, const void *pb)
{
    double a = *(const double *)pa, b = *(const double *)pb;
    return (a > b) - (a < b);
}

static double *draw_sorted(const scree_sizes *s, uint64_t seed)
{
    double *r = g_new(double, DRAWS);
    scree_size_table table;
    scree_sizes_table(s, &table);
    for (uint64_t i = 0; i < DRAWS; i++)
        r[i] = scree_size_draw(&table, scree_random_unit(seed, 1, i, 0));
    qsort(r, DRAWS, sizeof *r, compare_reals);
    return r;
}

/** A lognormal, cut at both ends. */
typedef struct lognormal {
    double median, sigma, lo, hi;
} lognormal;

static double below(const lognormal *l, double r)
{
    double at = 0.5 * erfc(-log(r / l->median) / (l->sigma * sqrt(2.0)));
    double lo = 0.5 * erfc(-log(l->lo / l->median) / (l->sigma * sqrt(2.0)));
    double hi = 0.5 * erfc(-log(l->hi / l->median) / (l->sigma * sqrt(2.0)));
    return (at - lo) / (hi - lo);
}

/** Largest distance between the draws' share below a size and the curve's. */
static double distance(const double *r, const lognormal *l)
{
    double d = 0.0;
    for (int i = 0; i < DRAWS; i++) {
        double f = below(l, r[i]);
        d = fmax(d, fmax(fabs(f - (double)i / DRAWS), fabs(f - (i + 1.0) / DRAWS)));
    }
    return d;
}

/** Hatch and Choate 1929: a lognormal by r^p has the same sigma by number, and the median times
 * exp(-p sigma^2). */
static void check_lognormal(const scree_sizes *s, double median, double sigma, double lo, double hi,
                            int power, uint64_t seed)
{
    lognormal by_number = {median * exp(-power * sigma * sigma), sigma, lo, hi};
    lognormal by_volume = {median, sigma, lo, hi};
    g_autofree double *r = draw_sorted(s, seed);
    g_assert_cmpfloat(distance(r, &by_number), <, KS_BOUND);
    if (power > 0) // the curve itself is far off
        g_assert_cmpfloat(distance(r, &by_volume), >, 10.0 * KS_BOUND);
    g_assert_cmpfloat(r[0], >=, lo * (1.0 - 1e-12));
    g_assert_cmpfloat(r[DRAWS - 1], <=, hi * (1.0 + 1e-12));
}

TEST("/sizes/lognormals-by-volume-are-drawn-by-number")
{
    static const struct {
        const char *by;
        int shape_power, power;
    } cases[] = {{"number", 3, 0}, {"volume", 3, 3}, {"mass", 3, 3}, {"mass", 2, 2}};
    for (size_t k = 0; k < G_N_ELEMENTS(cases); k++) {
        g_autofree char *keys = g_strdup_printf("type = \"lognormal\"; of = \"diameter\"; median = "
                                                "\"120 um\"; sigma = 0.45; by = \"%s\";",
                                                cases[k].by);
        g_autoptr(scree_sizes) s = read_group(keys, cases[k].shape_power, NULL, NULL);
        check_lognormal(s, 60e-6, 0.45, 60e-6 * exp(-1.35), 60e-6 * exp(1.35), cases[k].power,
                        k + 5);
        g_autofree char *cut = g_strconcat(keys, "min = \"50 um\"; max = \"300 um\";", NULL);
        g_autoptr(scree_sizes) t = read_group(cut, cases[k].shape_power, NULL, NULL);
        check_lognormal(t, 60e-6, 0.45, 25e-6, 150e-6, cases[k].power, k + 50);
    }
}

/** The same curve as a measured one: 400 diameters in um, percent. */
static GString *lognormal_file(const char *head, const char *separator, const char *eol,
                               bool descending, bool classes)
{
    GString *s = g_string_new(head);
    lognormal l = {120.0, 0.45, 40.0, 400.0};
    for (int k = 0; k <= 400; k++) {
        int i = descending ? 400 - k : k;
        double d = 40.0 * pow(10.0, i / 400.0), before = 40.0 * pow(10.0, (i - 1) / 400.0);
        double share = below(&l, d) - (classes && i ? below(&l, before) : 0.0);
        g_string_append_printf(s, "%.17g%s%.17g%s", d, separator, 100.0 * share, eol);
    }
    return s;
}

TEST("/sizes/files-in-all-their-forms-give-the-same")
{
    static const struct {
        const char *head, *separator, *eol, *keys;
        bool descending, classes;
    } cases[] = {
        {"\xef\xbb\xbf", ",", "\r\n", "columns = [\"diameter_um\", \"cumulative_%\"];", false,
         false},
        {"diameter[um];cumulative[%]\n", ";", "\n", "", false, false},
        {"# a comment\n# size_um cumulative\n", "\t", "\n", "of = \"diameter\";", true, false},
        {"\xef\xbb\xbfSieve, Share of volume\r\n", " , ", "\r\n",
         "columns = [\"diameter(um)\", \"weight_%\"];", false, true},
        {"Diameter_um weight\n", " ", "\n", "min = \"40 um\"; max = 400e-6;", false, true},
    };
    for (size_t k = 0; k < G_N_ELEMENTS(cases); k++) {
        GString *text = lognormal_file(cases[k].head, cases[k].separator, cases[k].eol,
                                       cases[k].descending, cases[k].classes);
        put(text->str);
        g_autofree char *keys = g_strconcat(cases[k].keys, " by = \"volume\";", NULL);
        g_autofree char *group = from_file(keys);
        g_autoptr(scree_sizes) s = read_group(group, 3, NULL, NULL);
        check_lognormal(s, 60e-6, 0.45, 20e-6, 200e-6, 3, k + 20);
        g_string_free(text, TRUE);
    }
}

/** Share of the draws' volume below r. */
static double volume_below(const double *draws, double r)
{
    double sum = 0.0, whole = 0.0;
    for (int i = 0; i < DRAWS; i++) {
        double v = draws[i] * draws[i] * draws[i];
        whole += v;
        sum += draws[i] < r ? v : 0.0;
    }
    return sum / whole;
}

TEST("/sizes/shares-by-volume-come-back")
{
    // Radii 1, 2, 3, 4 mm with 20, 30, 50 % of the volume; and the same as shares of classes.
    static const char *const cases[] = {
        "values = (\"1 mm\", \"2 mm\", 3e-3, 4e-3); cumulative = [0, 20, 50, 100]; by = "
        "\"volume\";",
        "values = [4e-3, 3e-3, 2e-3]; weights = [50, 30, 20]; min = \"1 mm\"; by = \"mass\";",
        ("values = [2e-3, 4e-3, 6e-3, 8e-3, 10e-3]; of = \"diameter\"; max = \"8 mm\";"
         "cumulative = [0.0, 0.1, 0.25, 0.5, 1.0]; by = \"volume\";"),
    };
    for (size_t k = 0; k < G_N_ELEMENTS(cases); k++) {
        g_autofree char *group = g_strconcat("type = \"table\"; ", cases[k], NULL);
        g_autoptr(scree_sizes) s = read_group(group, 3, NULL, NULL);
        g_autofree double *r = draw_sorted(s, 9 + k);
        // largest standard error, of the last class: 0.006
        assert_near(volume_below(r, 2e-3), 0.2, 5 * 0.006);
        assert_near(volume_below(r, 3e-3), 0.5, 5 * 0.006);
        assert_near(volume_below(r, 2.5e-3), 0.35, 5 * 0.006);
        g_assert_cmpfloat(r[DRAWS - 1], <=, 4e-3);
        g_assert_cmpfloat(r[0], >=, 1e-3);
    }
    // By number the same table gives half of the draws below 3 mm, and far less of the volume.
    g_autoptr(scree_sizes) n = read_group("type = \"table\"; values = [1e-3, 2e-3, 3e-3, 4e-3]; "
                                          "cumulative = [0, 20, 50, 100];",
                                          3, NULL, NULL);
    g_autofree double *r = draw_sorted(n, 3);
    assert_near(r[DRAWS / 2], 3e-3, 5 * 0.5 / sqrt(DRAWS) * 2e-3);
    g_assert_cmpfloat(volume_below(r, 3e-3), <, 0.3);
}

TEST("/sizes/tables-are-cut-at-min-and-max")
{
    g_autofree char *note = NULL;
    g_autoptr(scree_sizes) s = read_group("type = \"table\"; values = [1, 2, 3]; cumulative = [10, "
                                          "60, 100]; min = 1.5; max = 2.5;",
                                          3, NULL, &note);
    g_assert_nonnull(strstr(note, "radii from 1.5 m to 2.5 m: 55 % of the curve is cut off"));
    g_autofree double *r = draw_sorted(s, 1);
    // 25 % of the curve from 1.5 to 2, 20 % from 2 to 2.5
    assert_near(r[(int)(DRAWS * 25.0 / 45.0)], 2.0, 5 * 0.5 / sqrt(DRAWS) / 0.9);
    g_autoptr(scree_sizes) t =
        read_group("type = \"table\"; values = [1, 2]; cumulative = [50, 100]; "
                   "min = 0.5;",
                   3, NULL, NULL);
    g_autofree double *q = draw_sorted(t, 1);
    assert_near(q[DRAWS / 2], 1.0, 5 * 0.5 / sqrt(DRAWS) * 2.0);
    assert_near(q[DRAWS / 4], 0.75, 5 * 0.5 / sqrt(DRAWS) * 2.0);
}

TEST("/sizes/mistakes-are-refused-with-their-line")
{
#define TABLE "type = \"table\"; values = [1, 2, 3]; "
    refuse(TABLE "cumulative = [0, 1];", "3 sizes, but 2 shares");
    refuse(TABLE "cumulative = [0, 60, 50];", "cumulative falls from 60 to 50");
    refuse(TABLE "cumulative = [5, 60, 100];", "a share of 5 lies below the smallest size; `min`");
    refuse(TABLE "cumulative = [0, 60, 87];", "the curve ends at 87, neither at 1 nor at 100");
    scree_sizes_free(
        read_group(TABLE "cumulative = [0, 60, 87]; normalise = true;", 3, NULL, NULL));
    refuse(TABLE "weights = [5, 60, 100];", "a share of 5 lies below the smallest size");
    refuse(TABLE "weights = [0, 0, 0];", "the shares sum up to nothing");
    refuse(TABLE "cumulative = [0, 60, 100]; min = 3.5;", "0 < min < max");
    refuse(TABLE "cumulative = [0, 60, 100]; unit = \"mm\";", "unknown key");
    refuse("type = \"table\"; values = [1, 2, 2]; cumulative = [0, 60, 100];", "sizes must ascend");
    refuse("type = \"table\"; values = [0, 1, 2]; cumulative = [0, 60, 100];",
           "expected a radius > 0, got 0 m");
    refuse("type = \"table\"; values = [1]; cumulative = [0];", "two sizes or more, not 1");
    static const char *const files[][3] = {
        {"1,0\n2,100\n", "", "no line above the numbers names the columns"},
        {"1,0\n2,100\n", "columns = [\"diameter_um\", \"share\"];", "unknown column \"share\""},
        {"1,0\n2\n", "columns = [\"diameter_um\"];", "2 cells, but there are 1 columns"},
        {"1,0\n2,100\n", "columns = [\"diameter_kg\", \"weight\"];", "unknown column"},
        {"1,0\n2,100\n", "columns = [\"diameter\", \"-\"];", "needs one of the columns radius"},
        {"size cumulative weight\n1 0 0\n2 1 1\n", "", "one of cumulative, weight"},
        {"size radius weight\n1 0 0\n2 1 1\n", "", "needs one of the columns radius"},
        {"size cumulative\n1 0\n2 nan\n", "", ":3: cumulative = 'nan' is not a finite number"},
        {"size cumulative\n1 0\n2 50\n1.5 100\n", "", ":4: sizes must ascend"},
        {"size cumulative\n-1 0\n2 100\n", "", ":2: expected a radius > 0, got -1 m"},
        {"size cumulative\n1 0\n2 70\n3 60\n4 100\n", "", ":4: cumulative falls from 70 to 60"},
        {"size weight\n1 0\n2 -1\n3 60\n", "", ":3: expected a share >= 0, got -1"},
        {"size cumulative_%\n1 0\n2 70\n", "", ":3: the curve ends at 0.7"},
        {"size cumulative\n1 3\n2 100\n", "", ":2: a share of 3 lies below the smallest size"},
    };
    for (size_t k = 0; k < G_N_ELEMENTS(files); k++) {
        put(files[k][0]);
        g_autofree char *group = from_file(files[k][1]);
        refuse(group, files[k][2]);
    }
    g_remove(path);
    g_autofree char *group = from_file("");
    refuse(group, "No such file");
}

/** Points of a measured curve: radii and shares below them. */
typedef struct measured {
    int n;
    double r[200], below[200];
} measured;

static measured read_measured(const char *file, double to_radius, double whole)
{
    measured m = {.n = 0};
    g_autofree char *text = NULL;
    g_assert_true(g_file_get_contents(file, &text, NULL, NULL));
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line && m.n < 200; line++) {
        const char *at = g_str_has_prefix(*line, "\xef\xbb\xbf") ? *line + 3 : *line;
        const char *comma = strchr(at, ',');
        if (!comma)
            continue;
        m.r[m.n] = g_ascii_strtod(at, NULL) * to_radius;
        m.below[m.n++] = g_ascii_strtod(comma + 1, NULL) / whole;
    }
    return m;
}

static double measured_below(const measured *m, double r)
{
    int i = 1;
    while (i + 1 < m->n && m->r[i] < r)
        i++;
    double t = (r - m->r[i - 1]) / (m->r[i] - m->r[i - 1]);
    return m->below[i - 1] + t * (m->below[i] - m->below[i - 1]);
}

static double number_below(const double *draws, double r)
{
    int n = 0;
    while (n < DRAWS && draws[n] < r)
        n++;
    return (double)n / DRAWS;
}

/** Largest distance of the draws from the curve at its points between lo and hi. */
static double measured_distance(const measured *m, const double *draws, double lo, double hi,
                                double (*below_of)(const double *, double))
{
    double a = measured_below(m, lo), b = measured_below(m, hi), worst = 0.0;
    for (int i = 0; i < m->n; i++)
        if (m->r[i] >= lo && m->r[i] <= hi)
            worst = fmax(worst, fabs(below_of(draws, m->r[i]) - (m->below[i] - a) / (b - a)));
    return worst;
}

TEST("/sizes/measured-powders-come-back")
{
    static const char *const by_volume[] = {"CVDFLactose.csv", "CVDFMCC.csv", "CVDFPVP.csv"};
    const char *data = g_getenv("SCREE_DATA");
    if (!data) {
        g_test_skip("the measured curves are not here; SCREE_DATA names their folder");
        return;
    }
    for (size_t k = 0; k < G_N_ELEMENTS(by_volume); k++) {
        g_autofree char *file = g_build_filename(data, "powder-psd", by_volume[k], NULL);
        g_autofree char *group = g_strdup_printf(
            "type = \"table\"; file = \"%s\"; columns = [\"diameter_um\", \"cumulative_%%\"]; by = "
            "\"volume\"; min = \"100 um\"; max = \"600 um\";",
            file);
        g_autoptr(scree_sizes) s = read_group(group, 3, NULL, NULL);
        g_autofree double *r = draw_sorted(s, k);
        measured m = read_measured(file, 0.5e-6, 100.0);
        double d = measured_distance(&m, r, 50e-6, 300e-6, volume_below);
        g_test_message("%s: distance %.4f by volume", by_volume[k], d);
        // by volume few large draws weigh much: as 1000 equal ones at least
        g_assert_cmpfloat(d, <, 1.95 / sqrt(1000.0));
    }
    g_autofree char *file = g_build_filename(data, "powder-psd", "APAPM.csv", NULL);
    g_autofree char *group = g_strdup_printf(
        "type = \"table\"; file = \"%s\"; columns = [\"radius\", \"cumulative\"];", file);
    g_autoptr(scree_sizes) s = read_group(group, 3, NULL, NULL);
    g_autofree double *r = draw_sorted(s, 3);
    measured m = read_measured(file, 1.0, 1.0);
    double d = measured_distance(&m, r, m.r[0], m.r[m.n - 1], number_below);
    g_test_message("APAPM.csv: distance %.4f by number", d);
    g_assert_cmpfloat(d, <, KS_BOUND);
}

int main(int argc, char **argv)
{
    g_autofree char *folder = g_dir_make_tmp("scree-XXXXXX", NULL);
    path = g_build_filename(folder, "psd.csv", NULL);
    int status = test_run(argc, argv);
    g_remove(path);
    g_rmdir(folder);
    g_free(path);
    return status;
}
