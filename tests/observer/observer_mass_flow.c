// SPDX-License-Identifier: Apache-2.0
// Claims about the observer `mass_flow` where bodies come, go and change their numbers: none of
// that is a crossing. usage: observer_mass_flow PLUGIN.so [PLUGIN.x86-64-v3.so]
#include <fcntl.h>
#include <math.h>
#include <unistd.h>

#include "../fake_host.h"

enum { MOST = 10000 };

static char row[512]; /* the last line that was written */

static int32_t output_open(void *ctx, const char *name, int32_t *fd)
{
    *fd = open("/tmp", O_TMPFILE | O_RDWR, 0600);
    return *fd < 0 ? SCREE_E_IO : SCREE_OK;
}

static int32_t output_close(void *ctx, int32_t fd, int32_t keep)
{
    char text[65536];
    ssize_t n = pread(fd, text, sizeof text - 1, 0);
    text[n > 0 ? n - 1 : 0] = '\0'; /* without the last line end */
    snprintf(row, sizeof row, "%.511s", strrchr(text, '\n') ? strrchr(text, '\n') + 1 : text);
    return close(fd) == 0 ? SCREE_OK : SCREE_E_IO;
}

static const scree_output output = {
    .size = sizeof output, .open = output_open, .close = output_close};

static uint32_t n_bodies; // of the present call

/* In turn; without arrays 0. */
static int32_t sum_bodies(void *ctx, uint32_t components, const double *const *v, double *sum)
{
    for (uint32_t k = 0; k < components; k++) {
        sum[k] = 0.0;
        if (!v[k])
            continue;
        for (uint32_t i = 0; i < n_bodies; i++)
            sum[k] += v[k][i];
    }
    return SCREE_OK;
}

static const scree_summer summer = {.size = sizeof summer, .bodies = sum_bodies};

/* A world that the test changes by hand. */
typedef struct world {
    uint64_t id[MOST];
    double x[3][MOST], inv_mass[MOST];
    int32_t image[3][MOST];
    uint32_t group[MOST];
    scree_bodies bodies;
    scree_view view;
} world;

static void make_world(world *w, uint32_t n)
{
    static const scree_cell cell = {.size = sizeof cell};
    memset(w, 0, sizeof *w);
    w->bodies = (scree_bodies){
        .size = sizeof w->bodies, .dimension = 3, .n = n, .n_free = n, .cell = &cell};
    w->bodies.id = w->id;
    w->bodies.inv_mass = w->inv_mass;
    for (int k = 0; k < 3; k++) {
        w->bodies.x[k] = w->x[k];
        w->bodies.image[k] = w->image[k];
    }
    for (uint32_t i = 0; i < n; i++) {
        w->id[i] = i + 1;
        w->x[0][i] = i % 2 ? 1.0 : -1.0;
        w->inv_mass[i] = 1.0 / (double)(i + 1); /* a body weighs what its number says */
    }
    w->bodies.group = w->group;
    w->view = (scree_view){.size = sizeof w->view, .dt = 1.0, .bodies = &w->bodies};
}

static void copy_body(world *w, uint32_t to, uint32_t from)
{
    w->id[to] = w->id[from];
    w->inv_mass[to] = w->inv_mass[from];
    for (int k = 0; k < 3; k++) {
        w->x[k][to] = w->x[k][from];
        w->image[k][to] = w->image[k][from];
    }
}

typedef struct setting {
    fake_host fake;
    const scree_observer_ops *ops;
    void *self;
    uint64_t config[64];
} setting;

static void start(setting *s, const char *path)
{
    static const double origin[3] = {0.0, 0.0, 0.0}, along[3] = {2.0, 0.0, 0.0};
    static const char *const file = "flow";
    const scree_reals point = {3, origin}, normal = {3, along};
    const scree_plugin *plugin = fake_load(path, SCREE_KIND_OBSERVER);
    memset(s, 0, sizeof *s);
    fake_init(&s->fake, 3);
    s->fake.output = &output;
    s->fake.summer = &summer;
    s->ops = plugin->ops;
    fake_defaults(plugin, s->config);
    memcpy(fake_member(plugin, s->config, "file"), &file, sizeof file);
    memcpy(fake_member(plugin, s->config, "point"), &point, sizeof point);
    memcpy(fake_member(plugin, s->config, "normal"), &normal, sizeof normal);
    if (s->ops->create(&s->fake.host, s->config, &s->self) != SCREE_OK)
        printf("Bail out! create: %s\n", s->fake.text);
}

/* A step of the world; then what has been counted is compared. */
static void step(setting *s, world *w)
{
    n_bodies = w->bodies.n;
    w->view.step++;
    w->view.time += 1.0;
    w->view.due = w->view.again = 0;
    if (s->ops->observe(s->self, &w->view) != SCREE_OK)
        printf("# observe: %s\n", s->fake.text);
}

static int counted(setting *s, world *w, double forward, double backward, double mass)
{
    double seen[9] = {0};
    w->view.due = w->view.again = 1;
    s->ops->observe(s->self, &w->view);
    s->ops->finish(s->self, &w->view);
    for (char *at = row, k = 0; k < 9; k++) {
        seen[(int)k] = strtod(at, &at);
        if (*at == ',')
            at++;
    }
    if (seen[2] == forward && seen[3] == backward && seen[6] == mass)
        return 1;
    printf("# %s\n", row);
    return 0;
}

static void test_file(const char *path)
{
    static world w;
    setting s;

    make_world(&w, MOST);
    start(&s, path);
    step(&s, &w);
    w.x[0][4] = 0.0; /* body 5, on the plane: it is in front */
    w.x[0][9000] = 0.5;
    w.x[0][9999] = -0.5;
    step(&s, &w);
    tap_ok(counted(&s, &w, 2.0, 1.0, 5.0 + 9001.0 - 10000.0), "three of 10 000 bodies cross");
    s.ops->destroy(s.self);

    make_world(&w, 8);
    start(&s, path);
    step(&s, &w);
    w.bodies.n = w.bodies.n_free = 10; /* two new ones, before and behind */
    for (uint32_t i = 8; i < 10; i++) {
        w.id[i] = i + 1;
        w.x[0][i] = i == 8 ? 3.0 : -3.0;
        w.inv_mass[i] = 1.0;
    }
    step(&s, &w);
    w.x[0][9] = 3.0; /* one of them crosses later, and an old one does */
    w.x[0][0] = 1.0;
    step(&s, &w);
    tap_ok(counted(&s, &w, 2.0, 0.0, 2.0), "insertion is not a crossing");
    s.ops->destroy(s.self);

    make_world(&w, 8);
    start(&s, path);
    step(&s, &w);
    for (uint32_t i = 3; i < 8; i++) /* bodies 1 to 3 go, the others move up; body 5 crosses */
        copy_body(&w, i - 3, i);
    w.bodies.n = w.bodies.n_free = 5;
    w.x[0][1] = 1.0;
    step(&s, &w);
    tap_ok(counted(&s, &w, 1.0, 0.0, 5.0), "deletion is not a crossing");
    s.ops->destroy(s.self);

    make_world(&w, 9);
    start(&s, path);
    step(&s, &w);
    for (uint32_t i = 0; i < 4; i++) { /* storage is turned round; body 2 crosses back, 9 goes on */
        copy_body(&w, 9, i);
        copy_body(&w, i, 8 - i);
        copy_body(&w, 8 - i, 9);
    }
    w.x[0][7] = -1.0;
    w.x[0][0] = 1.0;
    step(&s, &w);
    tap_ok(counted(&s, &w, 1.0, 1.0, 7.0), "new storage numbers are not a crossing");
    s.ops->destroy(s.self);

    make_world(&w, 2);
    start(&s, path);
    step(&s, &w);
    w.bodies.n = w.bodies.n_free = 0; /* all go, then others come */
    step(&s, &w);
    w.bodies.n = w.bodies.n_free = 2;
    w.id[0] = 11;
    w.id[1] = 12;
    w.x[0][0] = 1.0;
    w.x[0][1] = -1.0;
    step(&s, &w);
    tap_ok(counted(&s, &w, 0.0, 0.0, 0.0), "an empty world, and a new one");
    s.ops->destroy(s.self);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (i == 1 || __builtin_cpu_supports("avx2"))
            test_file(argv[i]);
    return tap_end();
}
