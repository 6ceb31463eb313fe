/* SPDX-License-Identifier: Apache-2.0 */
/* integrator/integer_motion without a host: the fingerprints of frames 0, 20 and 500, numbers and
 * sums of the pairs of frame 0, as an independent program has them (the reference generator of the
 * broad phase comparison, of which this plugin is another implementation). */
#include <inttypes.h>
#include <stdbool.h>

#include "../fake_host.h"

/** One workload, and what the reference says of it. */
typedef struct row {
    const char *name, *workload;
    int64_t count, ratio, percent;
    double pace;
    uint32_t n;
    double side; /* [m] to ten digits */
    uint64_t frame_0, pairs, sums, products, frame_20, frame_500;
    bool slow;
} row;

static const row rows[] = {
    {"P1:400", "perkins_1", 400, 0, 0, 1.0, 400, 20.0, 0x4c744abc9d466f25, 1482, 591351, 59785586,
     0xb406d2583dca19a0, 0x25d253cd3704ee15, false},
    {"P2:400:4", "mixed_2d", 400, 4, 0, 1.0, 400, 19.73913574, 0x05ebf1682079e21f, 741, 292185,
     28306615, 0xd10568f427e5e368, 0, false},
    {"P3:125:1", "spheres", 125, 0, 0, 1.0, 125, 4.918701172, 0x78b39047b51ddfd3, 1013, 125567,
     3878903, 0x44a96d004d47e654, 0, false},
    {"P4a:1", "mixed_10", 0, 0, 0, 1.0, 1000, 12.39233398, 0x4265b7bea84f9c73, 3054, 2934265,
     703178110, 0xbcde960ae747170a, 0, false},
    {"P4b:1", "mixed_100", 0, 0, 1, 1.0, 2056, 103.0058594, 0x319d720bc4c253cb, 1973, 2526607,
     497646302, 0xe64b87614c778a8b, 0, false},
    {"P1:1600", "perkins_1", 1600, 0, 0, 1.0, 1600, 40.0, 0x04705731f8798245, 6162, 9834943,
     3923242522, 0x8c2bc08ccd31ac56, 0x6fd88489b3e6646f, false},
    {"P1:6400", "perkins_1", 6400, 0, 0, 1.0, 6400, 80.0, 0x390bb185e73a7a65, 25122, 160781956,
     257256960814, 0x4992139904d9b45c, 0x25f77cd02f5754fd, false},
    {"P2:800:1", "mixed_2d", 800, 1, 0, 1.0, 800, 14.01428223, 0x13ad52cf98968a9b, 1549, 1241973,
     250830585, 0x278fed9e50594209, 0, false},
    {"P2:800:2", "mixed_2d", 800, 2, 0, 1.0, 800, 19.89575195, 0xb516667b2742cdb1, 1542, 1223994,
     239263900, 0x8ca091b7a784d06d, 0, false},
    {"P2:800:4", "mixed_2d", 800, 4, 0, 1.0, 800, 28.20861816, 0x780280120d74839e, 1467, 1175344,
     235159184, 0x7c7be180fdf50771, 0, false},
    {"P2:800:32", "mixed_2d", 800, 32, 0, 1.0, 800, 84.81115723, 0x8e8b1ecaa46d0051, 1031, 829018,
     165887528, 0x521bfb58b44d69a1, 0, false},
    {"P2:6400:1", "mixed_2d", 6400, 1, 0, 1.0, 6400, 39.63818359, 0x9f87893b41301a42, 12520,
     80114228, 127598375118, 0x3c42dbaa30fd617f, 0, false},
    {"P2:6400:2", "mixed_2d", 6400, 2, 0, 1.0, 6400, 55.88415527, 0x918552f8f59f1596, 12417,
     79294410, 126817156410, 0x6e3833ef36c49b06, 0, true},
    {"P2:6400:4", "mixed_2d", 6400, 4, 0, 1.0, 6400, 79.16259766, 0x655f0e86eebac513, 11873,
     76279185, 122843872331, 0xd2342ea4a70aedb6, 0, false},
    {"P2:6400:8", "mixed_2d", 6400, 8, 0, 1.0, 6400, 111.3417969, 0x09e5042b3dbe5ad9, 11133,
     71431649, 114340232064, 0x342c2eadd6c819f9, 0, true},
    {"P2:6400:32", "mixed_2d", 6400, 32, 0, 1.0, 6400, 224.4381104, 0x691f959f40258b25, 8351,
     53467876, 85853217028, 0x8add93cf030f0995, 0, false},
    {"P3:1000:1", "spheres", 1000, 0, 0, 1.0, 1000, 9.837402344, 0x3472f73b306a1d0f, 4702, 4659408,
     1146789569, 0xb8725c9dd6f0adbf, 0, false},
    {"P3:1000:0.1", "spheres", 1000, 0, 0, 0.1, 1000, 9.837402344, 0x3472f73b306a1d0f, 4702,
     4659408, 1146789569, 0x5681f45686cc3a84, 0, false},
    {"P3:1000:10", "spheres", 1000, 0, 0, 10.0, 1000, 9.837402344, 0x3472f73b306a1d0f, 4702,
     4659408, 1146789569, 0xd00064e2983238c8, 0, false},
    {"P3:10648:1", "spheres", 10648, 0, 0, 1.0, 10648, 21.64221191, 0x011ab1abacd5bb76, 45281,
     481722070, 1283109392525, 0xd2104be12135c0c9, 0, true},
    {"P3:10648:0.1", "spheres", 10648, 0, 0, 0.1, 10648, 21.64221191, 0x011ab1abacd5bb76, 45281,
     481722070, 1283109392525, 0xd0107e30d9f57f10, 0, true},
    {"P3:10648:10", "spheres", 10648, 0, 0, 10.0, 10648, 21.64221191, 0x011ab1abacd5bb76, 45281,
     481722070, 1283109392525, 0x940e65c23344c9c0, 0, true},
    {"P1:25600", "perkins_1", 25600, 0, 0, 1.0, 25600, 160.0, 0x7abfee0a9d5eee85, 101442,
     2596462590, 16616598653269, 0xd7713d35a15ab4e0, 0, true},
    {"P1:102400", "perkins_1", 102400, 0, 0, 1.0, 102400, 320.0, 0xa7197c04bd75f665, 407682,
     41748760996, 1069176524745626, 0xdd2e7895ad6da9d1, 0, true},
    {"P4a", "mixed_10", 0, 0, 100, 1.0, 100000, 57.51965332, 0xd823af5a3de10871, 317585,
     31648693459, 789042707830195, 0x47dd57aa87565d58, 0, true},
    {"P4b", "mixed_100", 0, 0, 100, 1.0, 205409, 129.192749, 0xf2564865651d9fcf, 265808,
     51741291637, 2507108879568806, 0xb7893a37d826fd22, 0, true},
    {"P3:97336:1", "spheres", 97336, 0, 0, 1.0, 97336, 45.25195312, 0x076f118a50e38149, 410887,
     40017389677, 973581965301370, 0xd541cd0333dfc926, 0, true},
    {"P3:97336:10", "spheres", 97336, 0, 0, 10.0, 97336, 45.25195312, 0x076f118a50e38149, 410887,
     40017389677, 973581965301370, 0xb6492d7cb6235d14, 0, true},
    {"P3:97336:0.1", "spheres", 97336, 0, 0, 0.1, 97336, 45.25195312, 0x076f118a50e38149, 410887,
     40017389677, 973581965301370, 0x4291c92b25ad24ae, 0, true},
    {"P3:1000000:1", "spheres", 1000000, 0, 0, 1.0, 1000000, 98.37365723, 0x5e6b3d9b5a270f6d,
     4230546, 4230481802644, 1057793472089132981, 0x95d52e31a8dddfc0, 0, true},
    {"P3:97336:1 lattice", "spheres", 97336, 0, 0, 1.0, 97336, 45.25195312, 0x8096092124fd9e19,
     410887, 39963992639, 1292308102625822, 0x693a667ec77f4c3e, 0, true},
};

static const scree_plugin *source; /* of the file that is at work */

/** The bodies as a host keeps them: free ones first, from the highest id to the lowest. */
typedef struct world {
    scree_motion motion;
    double *columns[3 + 3 + 9 + 1]; /* x, v, fields, radius */
    uint64_t *id;
    double region[3];
} world;

enum { X, V = 3, FIELDS = 6, RADIUS = 15, COLUMNS };

static uint64_t fingerprint_word(uint64_t h, int32_t word)
{
    for (int k = 0; k < 4; k++)
        h = (h ^ ((uint32_t)word >> (8 * k) & 255)) * 0x100000001b3u;
    return h;
}

/** Place of a body along an axis in 2^-13 m; -1 if it is not a whole number of them. */
static int32_t reported(const world *w, uint32_t axis, uint32_t i)
{
    double x = w->columns[X + axis][i] * 8192.0;
    return x == floor(x) && fabs(x) < 1e9 ? (int32_t)x : -1;
}

static uint64_t fingerprint(const world *w)
{
    uint32_t n = w->motion.n;
    uint32_t *of_id = malloc(n * sizeof *of_id);
    uint64_t h = 0xcbf29ce484222325u;
    for (uint32_t i = 0; i < n; i++)
        of_id[w->id[i]] = i;
    for (uint32_t id = 0; id < n; id++)
        for (uint32_t k = 0; k < w->motion.dimension; k++)
            h = fingerprint_word(h, reported(w, k, of_id[id]));
    free(of_id);
    return h;
}

/** A box of the sweep below, in 2^-15 m. */
typedef struct box {
    int32_t x[3], r, low;
    uint64_t id;
} box;

static int by_low(const void *pa, const void *pb)
{
    const box *a = pa, *b = pb;
    return a->low < b->low ? -1 : a->low > b->low;
}

static void count_pairs(const world *w, uint64_t *n, uint64_t *sums, uint64_t *products)
{
    box *all = calloc(w->motion.n, sizeof *all);
    *n = *sums = *products = 0;
    for (uint32_t i = 0; i < w->motion.n; i++) {
        box *b = &all[i];
        *b = (box){.r = (int32_t)(w->columns[RADIUS][i] * 32768.0), .id = w->id[i]};
        for (uint32_t k = 0; k < w->motion.dimension; k++)
            b->x[k] = 4 * reported(w, k, i);
        b->low = b->x[0] - b->r;
    }
    qsort(all, w->motion.n, sizeof *all, by_low);
    for (uint32_t i = 0; i < w->motion.n; i++)
        for (uint32_t j = i + 1; j < w->motion.n && all[j].low < all[i].x[0] + all[i].r; j++) {
            int32_t reach = all[i].r + all[j].r;
            bool apart =
                abs(all[i].x[1] - all[j].x[1]) >= reach || abs(all[i].x[2] - all[j].x[2]) >= reach;
            *n += !apart;
            *sums += apart ? 0 : all[i].id + all[j].id;
            *products += apart ? 0 : all[i].id * all[j].id;
        }
    free(all);
}

/** The world that a source fills. */
typedef struct taking {
    world *w;
    double region[3];
} taking;

/** A component of a field by its name, NULL: there are no start values of it. */
static const double *find_field(const scree_new_bodies *s, uint32_t field)
{
    static const char *const names[] = {"integrator/place", "integrator/speed",
                                        "integrator/before"};
    for (uint32_t f = 0; f < s->n_fields; f++)
        if (strcmp(s->fields[f]->name, names[field / 3]) == 0)
            return s->fields[f]->v[field % 3];
    return NULL;
}

static double read_start(const scree_new_bodies *s, uint32_t column, uint32_t id)
{
    const double *v = column == RADIUS  ? s->scale
                      : column < V      ? s->x[column]
                      : column < FIELDS ? s->v[column - V]
                                        : find_field(s, column - FIELDS);
    return v ? v[id] : 0.0;
}

static int32_t fill(void *ctx, const scree_new_bodies *s)
{
    const taking *t = ctx;
    world *w = t->w;
    uint32_t at = 0;
    w->motion.n = s->n;
    w->id = malloc(s->n * sizeof *w->id);
    for (uint32_t fixed = 0; fixed < 2; fixed++) {
        for (uint32_t k = s->n; k-- > 0;)
            if ((s->motion && s->motion[k] == SCREE_MOTION_FIXED) == (fixed == 1))
                w->id[at++] = s->id[k];
        w->motion.n_free = fixed ? w->motion.n_free : at;
    }
    for (uint32_t c = 0; c < COLUMNS; c++) {
        w->columns[c] = malloc(s->n * sizeof(double));
        for (uint32_t i = 0; i < s->n; i++)
            w->columns[c][i] = read_start(s, c, (uint32_t)w->id[i]);
    }
    for (int k = 0; k < 3; k++) {
        w->motion.x[k] = w->columns[X + k];
        w->motion.v[k] = w->columns[V + k];
        w->region[k] = t->region[k];
    }
    w->motion.dt = 1.0;
    w->motion.fields = w->columns + FIELDS;
    w->motion.radius = w->columns[RADIUS];
    w->motion.id = w->id;
    return SCREE_OK;
}

static int32_t take_cell(void *ctx, const scree_cell *cell)
{
    memcpy(((taking *)ctx)->region, cell->hi, sizeof cell->hi);
    return SCREE_OK;
}

static void release(world *w)
{
    for (uint32_t c = 0; c < COLUMNS; c++)
        free(w->columns[c]);
    free(w->id);
}

static void stop(const fake_host *fake, const char *what)
{
    bail_out("%s: %s", what, fake->text);
}

/** The bodies of an integrator, by the source of its file. */
static void take_bodies(fake_host *fake, void *integrator, world *w)
{
    const scree_source_ops *ops = source->ops;
    const char config[64] = {0};
    const scree_bodies scene = {.size = sizeof scene, .dimension = fake->host.dimension};
    taking t = {.w = w};
    void *self = NULL;
    const scree_making args = {.size = sizeof args,
                               .ctx = &t,
                               .bodies = &scene,
                               .most = UINT64_MAX,
                               .dt = 1.0,
                               .integrator = integrator,
                               .add = fill,
                               .set_cell = take_cell};
    *w = (world){.motion = {.size = sizeof w->motion, .dimension = fake->host.dimension}};
    if (ops->create(&fake->host, config, &self) || ops->make(self, &args))
        stop(fake, "make");
    ops->destroy(self);
}

/** An instance for a row, and its bodies. */
static void *begin(const scree_plugin *plugin, fake_host *fake, const row *r, char *config,
                   world *w)
{
    const scree_integrator_ops *ops = plugin->ops;
    void *maker = NULL, *mover = NULL;
    fake_init(fake, strncmp(r->name, "P1", 2) && strncmp(r->name, "P2", 2) ? 3 : 2);
    const char *order = strstr(r->name, "lattice") ? "creation" : "shuffled";
    fake_choose(plugin, config, "workload", r->workload);
    fake_choose(plugin, config, "order", order);
    *(int64_t *)fake_member(plugin, config, "count") = r->count;
    *(int64_t *)fake_member(plugin, config, "ratio") = r->ratio;
    *(int64_t *)fake_member(plugin, config, "percent") = r->percent;
    *(double *)fake_member(plugin, config, "pace") = r->pace;
    if (ops->create(&fake->host, config, &maker) || ops->create(&fake->host, config, &mover))
        stop(fake, r->name);
    take_bodies(fake, maker, w);
    ops->destroy(maker);
    return mover; // which has made nothing: all state is in the fields
}

static void run(const scree_plugin *plugin, fake_host *fake, void *self, world *w, uint64_t until)
{
    const scree_integrator_ops *ops = plugin->ops;
    for (; w->motion.step < until; w->motion.step++) {
        scree_stage stage = {.size = sizeof stage};
        if (ops->begin(self, &w->motion) || ops->stage(self, &w->motion, 0, &stage))
            stop(fake, "stage");
    }
}

static void claim_row(const row *r, const char *what, uint64_t is, uint64_t should)
{
    char text[160];
    snprintf(text, sizeof text, "%s: %s is %016" PRIx64 "%s", r->name, what, should,
             is == should ? "" : ", found another");
    if (is != should)
        printf("# found %016" PRIx64 "\n", is);
    tap_ok(is == should, text);
}

static void test_row(const scree_plugin *plugin, const row *r)
{
    enum { MOST_SWEPT = 250000 };
    fake_host fake;
    world w;
    char config[256] = {0}, side[32], want[32];
    uint64_t pairs, sums, products;
    void *self = begin(plugin, &fake, r, config, &w);
    snprintf(side, sizeof side, "%.10g", w.region[0]);
    snprintf(want, sizeof want, "%.10g", r->side);
    printf("# %s: %u bodies, side %s m\n", r->name, w.motion.n, side);
    tap_ok(w.motion.n == r->n && !strcmp(side, want), "bodies and box are those of the reference");
    claim_row(r, "frame 0", fingerprint(&w), r->frame_0);
    if (w.motion.n < MOST_SWEPT) {
        count_pairs(&w, &pairs, &sums, &products);
        tap_ok(pairs == r->pairs && sums == r->sums && products == r->products,
               "its pairs and their sums are those of the reference");
    }
    run(plugin, &fake, self, &w, 20);
    claim_row(r, "frame 20", fingerprint(&w), r->frame_20);
    if (r->frame_500) {
        run(plugin, &fake, self, &w, 500);
        claim_row(r, "frame 500", fingerprint(&w), r->frame_500);
    }
    ((const scree_integrator_ops *)plugin->ops)->destroy(self);
    release(&w);
}

/** One integer of one body off by one: seen at frame 0, or at frame 20. */
static void test_controls(const scree_plugin *plugin)
{
    for (int which = 0; which < 3; which++) {
        static const char *const claims[] = {
            "negative control: a body 2^-13 m off changes frame 0",
            "negative control: an internal place 2^-14 m off changes frame 20",
            "negative control: another radius changes frame 20"};
        fake_host fake;
        world w;
        char config[256] = {0};
        void *self = begin(plugin, &fake, &rows[0], config, &w);
        if (which == 0)
            w.columns[X][7] += 1.0 / 8192.0;
        else if (which == 1)
            w.columns[FIELDS][7] += 1024.0;
        else
            w.columns[RADIUS][7] += 4.0 / 32768.0;
        uint64_t first = fingerprint(&w);
        run(plugin, &fake, self, &w, 20);
        tap_ok(which ? first == rows[0].frame_0 && fingerprint(&w) != rows[0].frame_20
                     : first != rows[0].frame_0,
               claims[which]);
        w.columns[FIELDS][3] = w.columns[FIELDS + 1][3] = 0.0; // as of a body from elsewhere
        scree_stage stage = {.size = sizeof stage};
        tap_ok(((const scree_integrator_ops *)plugin->ops)->stage(self, &w.motion, 0, &stage) < 0 &&
                   strstr(fake.text, "not one of its own"),
               "a free body of another origin is refused");
        ((const scree_integrator_ops *)plugin->ops)->destroy(self);
        release(&w);
    }
}

/** Arguments: "quick" or "slow" rows, the plugin's files. */
int main(int argc, char **argv)
{
    const bool slow = argc > 1 && strcmp(argv[1], "slow") == 0;
    for (int a = 2; a < argc; a++) {
        if (strstr(argv[a], "x86-64-v3") && !__builtin_cpu_supports("avx2")) {
            tap_ok(1, "the level x86-64-v3 # SKIP this CPU lacks it");
            continue;
        }
        const scree_plugin *plugin = fake_load(argv[a], SCREE_KIND_INTEGRATOR);
        source = fake_other(argv[a], SCREE_KIND_SOURCE);
        for (uint32_t k = 0; k < SCREE_COUNT(rows); k++)
            if (rows[k].slow == slow)
                test_row(plugin, &rows[k]);
        if (!slow)
            test_controls(plugin);
    }
    return tap_end();
}
