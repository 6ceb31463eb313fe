// SPDX-License-Identifier: Apache-2.0
// Claims about the observer `csv`: what it writes reads back bit for bit, its scripts run, and a
// full disk is reported. usage: observer_csv PLUGIN.so [PLUGIN.x86-64-v3.so]
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../fake_host.h"

#define N_BODIES 4

/* As the plugin's descriptor says: filled through its offsets. */
typedef struct setting {
    fake_host fake;
    const scree_plugin *plugin;
    const scree_observer_ops *ops;
    void *self;
    uint64_t config[16];
    char log[512];
    int full, closed, kept;
} setting;

static char folder[] = "/tmp/observer_csv_XXXXXX";
static char open_name[4096];

static int32_t output_open(void *ctx, const char *name, int32_t *fd)
{
    char path[4200];
    snprintf(open_name, sizeof open_name, "%s/%s", folder, name);
    snprintf(path, sizeof path, "%s.part", open_name);
    if (((setting *)ctx)->full)
        snprintf(path, sizeof path, "/dev/full");
    *fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    return *fd < 0 ? SCREE_E_IO : SCREE_OK;
}

static int32_t output_close(void *ctx, int32_t fd, int32_t keep)
{
    setting *s = ctx;
    char path[4200];
    snprintf(path, sizeof path, "%s.part", open_name);
    s->closed++;
    s->kept += keep;
    if (close(fd) != 0)
        return SCREE_E_IO;
    if (s->full)
        return SCREE_OK;
    return (keep ? rename(path, open_name) : unlink(path)) == 0 ? SCREE_OK : SCREE_E_IO;
}

static void keep_log(void *ctx, int32_t level, const char *text)
{
    setting *s = (setting *)ctx; /* the fake host is its first member */
    snprintf(s->log, sizeof s->log, "%s", text);
}

static scree_output output = {.size = sizeof output, .open = output_open, .close = output_close};

static const char *name_group(void *ctx, uint32_t group)
{
    static const char *const all[] = {"beads", "pistons", "floor"};
    return group < 3 ? all[group] : NULL;
}

/* Names of groups only. */
static const scree_names names_given = {.size = sizeof names_given, .group_name = name_group};

static int32_t start(setting *s, const char *path, const char *file, const char *what,
                     scree_strings body)
{
    memset(s, 0, sizeof *s);
    fake_init(&s->fake, 2);
    s->fake.host.log = keep_log;
    output.ctx = s;
    s->fake.output = &output;
    s->fake.names = strcmp(what, "bodies") ? NULL : &names_given;
    s->plugin = fake_load(path, SCREE_KIND_OBSERVER);
    s->ops = s->plugin->ops;
    memcpy(fake_member(s->plugin, s->config, "file"), &file, sizeof file);
    memcpy(fake_member(s->plugin, s->config, "groups"), &body, sizeof body);
    fake_choose(s->plugin, s->config, "what", what);
    return s->ops->create(&s->fake.host, s->config, &s->self);
}

/* ---- a world of four bodies and two contacts, full of numbers that need all their digits ---- */

static double number(int k)
{
    static const double awkward[] = {0.1, -0.0, 1e-300, 1.0 / 3, -2.5e17, 6.02214076e23};
    return awkward[k % 6] * (1 + k / 6);
}

static int32_t find_load(const scree_view *view, uint32_t i, scree_load *out)
{
    for (int k = 0; k < 3; k++) {
        out->force[k] = number((int)i + k);
        out->torque[k] = number((int)i + k + 3);
    }
    return SCREE_OK;
}

static scree_view *make_view(void)
{
    static double values[64];
    static const uint64_t id[N_BODIES] = {3, 5, 8, 18446744073709551614ull};
    static const uint32_t a[2] = {0, 1}, b[2] = {1, 3};
    static const int32_t image[2] = {0, -1};
    static const uint64_t feature[2] = {0, 9223372036854775810ull};
    static scree_bodies bodies = {
        .size = sizeof bodies, .dimension = 2, .n = N_BODIES, .n_free = 1};
    static scree_contact_list list = {.size = sizeof list, .n = 2};
    static const scree_energy energy = {sizeof energy, 0, 0.1, 1.0 / 3, 1e-300, 2, -0.0, 3, 1e-17};
    static scree_view view = {.size = sizeof view, .step = 12, .time = 0.1, .dt = 1e-5};
    for (int k = 0; k < 64; k++)
        values[k] = number(k);
    static const uint32_t group[N_BODIES] = {0, 1, 1, 2};
    bodies.id = id;
    bodies.group = group;
    bodies.radius = values + 50;
    bodies.inv_mass = values + 54;
    list.a = a;
    list.b = b;
    list.feature = feature;
    list.depth = list.stored = list.lost = values;
    list.part[0] = list.part[1] = a;
    for (int k = 0; k < 4; k++)
        bodies.q[k] = values + 36 + k;
    for (int k = 0; k < 3; k++) {
        bodies.x[k] = values + 4 * k;
        bodies.v[k] = values + 12 + 4 * k;
        bodies.w[k] = values + 24 + 4 * k;
        list.image[k] = image;
        list.normal[k] = list.arm[k] = values + 30 + k;
        list.f[k] = list.couple[k] = values + 40 + k;
        list.couple_b[k] = list.branch[k] = values + 44 + k;
        view.momentum[k] = view.angular_momentum[k] = values[k];
    }
    view.bodies = &bodies;
    view.energy = &energy;
    view.n_contacts = 2;
    view.contacts = &list;
    view.load = find_load;
    return &view;
}

/* ---- reading back ---- */

/* Fields of line `row` (0: the header) of a file, at most 32; 0 when there is no such line. */
static int read_row(const char *name, int row, char fields[32][64])
{
    char path[4200], line[4096];
    int n = 0;
    FILE *file;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "r");
    if (file)
        while (row >= 0 && fgets(line, sizeof line, file))
            row--;
    if (file)
        fclose(file);
    if (row >= 0)
        return 0;
    line[strcspn(line, "\n")] = '\0';
    for (char *at = line; at && n < 32; n++) {
        char *end = strchr(at, ',');
        if (end)
            *end++ = '\0';
        snprintf(fields[n], 64, "%.63s", at);
        at = end;
    }
    return n;
}

static int same_real(const char *text, double value)
{
    double read = strtod(text, NULL);
    return memcmp(&read, &value, sizeof read) == 0;
}

static int exists(const char *name)
{
    char path[4200];
    struct stat state;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return stat(path, &state) == 0 && state.st_size > 0;
}

/* Runs FILE.gp: it must succeed and leave a picture, if there is anything to draw. */
static void test_script(const char *file, int drawn)
{
    char command[8192], claim[128];
    snprintf(claim, sizeof claim, "gnuplot draws what %s.gp says", file);
    if (system("gnuplot --version > /dev/null 2>&1") != 0) {
        printf("ok %d - %s # SKIP gnuplot is not installed\n", ++tap_count, claim);
        return;
    }
    snprintf(command, sizeof command,
             "cd %s && gnuplot %s.gp > out 2> err && %s '</svg>' %s.svg || "
             "{ sed 's/^/# /' err; false; }",
             folder, file, drawn ? "grep -q" : "! grep -q", file);
    tap_ok(system(command) == 0, claim);
}

/** Needs of the instance. */
static uint64_t needs_of(const setting *s)
{
    scree_demands demands = {.size = sizeof demands, .needs = s->plugin->needs};
    s->ops->narrow(s->self, &demands);
    return demands.needs;
}

static void test_scalars(const char *path)
{
    char f[32][64], h[32][64];
    setting s;
    scree_view *view = make_view();
    int status = start(&s, path, NULL, "scalars", (scree_strings){0});
    status |= s.ops->observe(s.self, view);
    view->step = 13;
    status |= s.ops->observe(s.self, view);
    status |= s.ops->finish(s.self, view);
    view->step = 12;
    tap_ok(status == SCREE_OK && s.closed == 2 && s.kept == 2 && exists("scalars.gp") &&
               needs_of(&s) == 0,
           "scalars: a table and a script, both closed and kept");
    tap_ok(read_row("scalars.csv", 0, h) == 22 && read_row("scalars.csv", 1, f) == 22 &&
               strcmp(h[12], "residual") == 0 && strcmp(f[0], "12") == 0 && same_real(f[1], 0.1) &&
               strcmp(f[19], "4") == 0 && strcmp(f[20], "1") == 0 && strcmp(f[21], "2") == 0,
           "scalars: step, time and counts");
    tap_ok(same_real(f[7], 0.1) && same_real(f[8], 1.0 / 3) && same_real(f[9], 1e-300) &&
               same_real(f[11], -0.0) && same_real(f[12], 1e-17) && same_real(f[15], number(2)) &&
               strcmp(h[2], "mass") == 0 && same_real(f[2], 1.0 / number(54)),
           "scalars: energies, momentum and mass read back bit for bit");
    tap_ok(strcmp(h[4], "coordination") == 0 && isnan(strtod(f[4], NULL)) &&
               strcmp(h[3], "solid_fraction") == 0 && isnan(strtod(f[3], NULL)),
           "scalars: figures of a host that gives none are nan");
    tap_ok(read_row("scalars.csv", 2, f) == 22 && strcmp(f[0], "13") == 0 &&
               read_row("scalars.csv", 3, f) == 0,
           "scalars: one row per observation");
    s.ops->destroy(s.self);
    test_script("scalars", 1);
}

static void test_bodies(const char *path)
{
    static const char *const names[] = {"pistons", "absent"};
    char f[32][64], h[32][64];
    setting s;
    scree_view *view = make_view();
    int status = start(&s, path, "wall", "bodies", (scree_strings){2, names});
    status |= s.ops->observe(s.self, view) | s.ops->finish(s.self, view);
    tap_ok(status == SCREE_OK && read_row("wall.csv", 0, h) == 24 &&
               read_row("wall.csv", 2, f) == 24 && strcmp(f[2], "8") == 0 &&
               read_row("wall.csv", 1, f) == 24 && strcmp(f[2], "5") == 0 &&
               strcmp(f[3], "pistons") == 0 && read_row("wall.csv", 3, f) == 0,
           "bodies: a row for each body of the name, none of another");
    read_row("wall.csv", 1, f);
    tap_ok(same_real(f[4], number(1)) && same_real(f[7], number(13)) &&
               same_real(f[13], number(1)) && same_real(f[18], number(6)) &&
               strcmp(h[19], "radius") == 0 && same_real(f[19], number(51)) &&
               strcmp(h[20], "qw") == 0 && strcmp(h[23], "qz") == 0 &&
               same_real(f[20], number(37)) && same_real(f[23], number(40)),
           "bodies: position, velocity, force, torque and orientation read back bit for bit");
    s.ops->destroy(s.self);
    test_script("wall", 1);
    status = start(&s, path, NULL, "bodies", (scree_strings){0});
    status |= s.ops->observe(s.self, view) | s.ops->finish(s.self, view);
    tap_ok(status == SCREE_OK && read_row("bodies.csv", 4, f) == 24 &&
               strcmp(f[2], "18446744073709551614") == 0,
           "bodies: without a name all are written");
    s.ops->destroy(s.self);
}

static void test_contacts(const char *path)
{
    char f[32][64];
    setting s;
    scree_view *view = make_view();
    int status = start(&s, path, "touch", "contacts", (scree_strings){0});
    status |= s.ops->observe(s.self, view) | s.ops->finish(s.self, view);
    tap_ok(status == SCREE_OK && needs_of(&s) == SCREE_WANTS_CONTACTS &&
               read_row("touch.csv", 2, f) == 31 && strcmp(f[2], "5") == 0 &&
               strcmp(f[3], "18446744073709551614") == 0 && strcmp(f[4], "-1") == 0 &&
               strcmp(f[7], "9223372036854775810") == 0,
           "contacts: ids, image and feature");
    tap_ok(same_real(f[8], number(31)) && same_real(f[11], number(1)) &&
               same_real(f[12], number(1) + number(31)) && same_real(f[15], number(41)),
           "contacts: normal, depth, point and force read back bit for bit");
    s.ops->destroy(s.self);
    test_script("touch", 1);
    status = start(&s, path, "none", "contacts", (scree_strings){0});
    view->contacts = &(scree_contact_list){.size = sizeof *view->contacts};
    status |= s.ops->observe(s.self, view) | s.ops->finish(s.self, view);
    tap_ok(status == SCREE_OK && read_row("none.csv", 0, f) == 31 && !read_row("none.csv", 1, f),
           "contacts: only a header when nothing touches");
    s.ops->destroy(s.self);
    test_script("none", 0);
}

static void test_faults(const char *path)
{
    static const char *const names[] = {"floor"};
    char f[32][64];
    setting s;
    scree_view *view = make_view();
    int status = start(&s, path, "full", "scalars", (scree_strings){0});
    s.full = 1;
    status |= s.ops->observe(s.self, view);
    tap_ok(status == SCREE_E_IO && strstr(s.fake.text, "full.csv") != NULL &&
               strstr(s.fake.text, strerror(ENOSPC)) != NULL,
           "a full disk is reported with the file's name");
    s.ops->destroy(s.self);
    tap_ok(s.kept == 0 && s.closed == 1, "of nothing that was written whole nothing is kept");
    status = start(&s, path, "half", "scalars", (scree_strings){0});
    status |= s.ops->observe(s.self, view);
    s.ops->destroy(s.self);
    tap_ok(status == SCREE_OK && s.closed == 2 && s.kept == 2 && read_row("half.csv", 1, f) == 22,
           "what a failed run has observed is kept");
    tap_ok(start(&s, path, "x", "scalars", (scree_strings){1, names}) == SCREE_E_CONFIG &&
               strstr(s.fake.text, "`groups`") != NULL,
           "names of bodies without `bodies` are refused");
    s.fake.output = NULL;
    tap_ok(s.ops->create(&s.fake.host, s.config, &s.self) == SCREE_E_UNSUPPORTED,
           "a host without files is refused");
    s.ops->destroy(NULL);
}

int main(int argc, char **argv)
{
    char command[64];
    if (argc < 2 || !mkdtemp(folder))
        return 2;
    for (int i = 1; i < argc; i++) {
        if (i == 2 && !__builtin_cpu_supports("avx2"))
            break;
        test_scalars(argv[i]);
        test_bodies(argv[i]);
        test_contacts(argv[i]);
        test_faults(argv[i]);
    }
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (system(command) != 0)
        printf("# %s stays\n", folder);
    return tap_end();
}
