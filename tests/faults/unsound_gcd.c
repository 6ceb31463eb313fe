/* SPDX-License-Identifier: Apache-2.0 */
/* A sound GCD (brute force, incremental), once per promise that it breaks. */
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "scree/draft/conformal.h"
#include "scree/draft/layout.h"
#include "unsound.h"

#define SINS(SIN)                                                                                  \
    SIN(NONE, "none")                                                                              \
    SIN(TEXTS, "texts")                                                                            \
    SIN(PARAMETERS, "parameters")                                                                  \
    SIN(MUTE, "mute") /* refuses a parameter without a word */                                     \
    SIN(INSTANCES, "instances")                                                                    \
    SIN(PROCESSES, "processes")                                                                    \
    SIN(LANES, "lanes")                                                                            \
    SIN(INPUTS, "inputs")                                                                          \
    SIN(BEYOND, "beyond")                                                                          \
    SIN(LEAKS, "leaks")                                                                            \
    SIN(FILES, "files")                                                                            \
    SIN(ENVIRONMENT, "environment")                                                                \
    SIN(PRINTS, "prints")                                                                          \
    SIN(ROUNDS, "rounds")                                                                          \
    SIN(MISSED, "missed")                                                                          \
    SIN(TWICE, "twice")                                                                            \
    SIN(ITSELF, "itself")                                                                          \
    SIN(EMPTY, "empty")                                                                            \
    SIN(PIVOTS, "pivots")                                                                          \
    SIN(CYLINDERS, "cylinders")                                                                    \
    SIN(REGIONS, "regions")                                                                        \
    SIN(UNMOVED, "unmoved")                                                                        \
    SIN(MOVED, "moved")                                                                            \
    SIN(GROWN, "grown")       /* does not see slots that came with a list */                       \
    SIN(LATE, "late")         /* goes wrong after many steps */                                    \
    SIN(SURFACES, "surfaces") /* takes the middle of a box for the box */                          \
    SIN(RENUMBERED, "renumbered")                                                                  \
    SIN(DRAWN, "drawn")     /* a cell for pictures that holds too many */                          \
    SIN(REDRAWN, "redrawn") /* other cells in a second call */                                     \
    SIN(MEMORY, "memory")                                                                          \
    SIN(HIDES, "hides")                                                                            \
    SIN(HANGS, "hangs")                                                                            \
    SIN(SPINS, "spins")                                                                            \
    SIN(EXITS, "exits")                                                                            \
    SIN(STALLS, "stalls")   /* in each search */                                                   \
    SIN(FREEZES, "freezes") /* stops itself */                                                     \
    SIN(STOPS, "stops")     /* stops the check */                                                  \
    SIN(DRAGS, "drags")     /* hangs in a second process */
enum sin { SINS(UNSOUND_NAME) };

typedef struct config {
    double skin; // [m]
} config;

typedef struct gcd {
    enum sin sin;
    const scree_host *host;
    const scree_conformal *surfaces;
    const scree_boxes *boxes;
    uint8_t *moved;
    uint64_t capacity, n_bytes;
    uint32_t flags, n_inits, process, n_known, n_shown;
} gcd;

static pid_t first_process; // that made an instance
static uint32_t n_steps;    // since init; a mutable static, which no plugin may have

static int32_t create(enum sin sin, const scree_host *host, const void *given, void **instance)
{
    const config *c = given;
    gcd *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    self->sin = sin;
    self->host = host;
    self->surfaces = host->get_service(host->ctx, SCREE_DRAFT_CONFORMAL);
    first_process = first_process ? first_process : getpid();
    self->process = self->sin == PROCESSES ? (uint32_t)getpid() * 2654435761u : 0;
    if (self->sin == HIDES && !scree_grow(&self->moved, &self->capacity, 1 << 16, 1))
        return SCREE_E_MEMORY;
    if (self->sin == LEAKS && !malloc(64))
        return SCREE_E_MEMORY;
    if (self->sin == FILES && dup(0) < 0)
        return SCREE_E_IO;
#ifdef OF_THE_FILE /* a sin of all its descriptors */
    if (c->skin > 1e300)
        setlocale(LC_ALL, "");
#endif
    if (self->sin == PARAMETERS && c->skin == 1.0)
        __builtin_trap(); // as an assertion does
    if (self->sin == MUTE && c->skin == 1.0)
        return SCREE_E_CONFIG;
    *instance = self;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    gcd *self = instance;
    free(self ? self->moved : NULL);
    free(self);
}

static int32_t init(void *instance, const scree_boxes *boxes, uint32_t flags)
{
    gcd *self = instance;
    n_steps = 0;
    if (self->sin != RENUMBERED || self->n_inits++ == 0)
        self->flags = flags;
    return SCREE_OK;
}

static int32_t step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                         uint32_t n_moved, uint64_t *n_pivots)
{
    gcd *self = instance;
    self->boxes = boxes;
    n_steps++;
    if (!scree_grow(&self->moved, &self->capacity, boxes->n + 1u, 1))
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory");
    memset(self->moved, !moved || self->sin == UNMOVED, boxes->n);
    if (moved)
        for (uint32_t m = 0; m < n_moved; m++)
            self->moved[moved[m]] = 1;
    self->n_known = self->sin == GROWN && moved ? self->n_known : boxes->n;
    self->n_bytes += self->sin == MEMORY ? 64 : 0;
    if (self->sin == ENVIRONMENT)
        syscall(SYS_umask, 0);
    if (self->sin == PRINTS)
        puts("step");
    if (self->sin == ROUNDS)
        __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8000);
    *n_pivots = boxes->n;
    return SCREE_OK;
}

static int touch(const scree_boxes *b, uint32_t i, uint32_t j)
{
    int touching = 0;
    for (uint32_t k = 0; k < b->dimension; k++)
        touching |= b->lo[k][i] == b->hi[k][j] || b->lo[k][j] == b->hi[k][i];
    return touching;
}

static int spheres_meet(const scree_boxes *b, uint32_t i, uint32_t j)
{
    double d2 = 0.0, reach = b->radius[i] + b->radius[j];
    for (uint32_t k = 0; k < 3; k++)
        d2 += (b->centre[k][i] - b->centre[k][j]) * (b->centre[k][i] - b->centre[k][j]);
    return d2 <= reach * reach;
}

/* An allowed further pair, in a process or on a host that shall have it. */
static int is_extra(const gcd *self, uint32_t i, uint32_t j)
{
    int in_process = self->sin == PROCESSES && (self->process >> j % 32) & 1;
    return i == 0 && (in_process || (self->sin == INSTANCES && j % 32 == n_steps % 32) ||
                      (self->sin == LANES && self->host->lanes > 1));
}

/* The box i is known to hold a surface, which stays clear of box j. */
static int stays_clear(const gcd *self, const scree_boxes *b, uint32_t i, uint32_t j)
{
    const scree_conformal *s = self->surfaces;
    double lo[3], hi[3];
    if (!s || !(self->flags & SCREE_GCD_CONFORMAL) || !s->knows(s->ctx, i))
        return 0;
    for (uint32_t k = 0; k < 3; k++) {
        lo[k] = self->sin == SURFACES ? b->centre[k][j] : b->lo[k][j];
        hi[k] = self->sin == SURFACES ? b->centre[k][j] : b->hi[k][j];
    }
    return !s->comes_within(s->ctx, i, lo, hi, 0.0);
}

static int is_pair(const gcd *self, const scree_boxes *b, uint32_t i, uint32_t j)
{
    int due = self->sin == MOVED ? self->moved[i] : self->moved[i] || self->moved[j];
    if (scree_box_empty(b, i) || scree_box_empty(b, j) || !due)
        return self->sin == EMPTY && scree_box_empty(b, i) && j == i + 1;
    if (is_extra(self, i, j))
        return 1;
    if ((self->sin == MISSED && touch(b, i, j)) || j >= self->n_known ||
        (self->sin == LATE && n_steps > 900))
        return 0;
    return scree_boxes_overlap(b, i, j) && !stays_clear(self, b, i, j) &&
           !stays_clear(self, b, j, i) &&
           (!(self->flags & SCREE_GCD_SPHERES) || spheres_meet(b, i, j));
}

static void spoil_inputs(const gcd *self, const scree_boxes *b)
{
    volatile double *radius = (volatile double *)(uintptr_t)b->radius;
    if (self->sin == INPUTS && b->n > 0)
        radius[0] = radius[0];
    if (self->sin == BEYOND)
        (void)radius[(b->n + 7) / 8 * 8];
}

static int32_t find_neighbors(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    const gcd *self = instance;
    const scree_boxes *b = self->boxes;
    if (self->sin == PIVOTS && first == last && last < b->n)
        last++;
    spoil_inputs(self, b);
    if (self->sin == STALLS || (self->sin == DRAGS && getpid() != first_process))
        for (;;)
            continue;
    for (uint32_t i = (uint32_t)first; i < last && i < b->n; i++) {
        scree_pair *out;
        uint64_t n = 0;
        int32_t code = sink->reserve(sink, b->n + 2u, &out);
        if (code != SCREE_OK)
            return code;
        for (uint32_t j = i + 1; j < b->n; j++)
            if (is_pair(self, b, i, j))
                out[n++] = (scree_pair){i, j};
        if (self->sin == TWICE && n > 0) {
            out[n] = (scree_pair){out[0].b, out[0].a};
            n++;
        }
        if (self->sin == ITSELF && i == 3)
            out[n++] = (scree_pair){i, i};
        code = sink->commit(sink, n);
        if (code != SCREE_OK)
            return code;
    }
    return SCREE_OK;
}

static int meets(const gcd *self, const scree_zone *z, const scree_boxes *b, uint32_t i)
{
    int around = 1;
    for (uint32_t k = 0; k < b->dimension; k++)
        around &= b->lo[k][i] < z->lo[k] && z->hi[k] < b->hi[k][i];
    if (self->sin == REGIONS && around && z->type == SCREE_ZONE_BOX)
        return 0;
    if (self->sin == CYLINDERS && z->type == SCREE_ZONE_CYLINDER) { /* a ball about one end */
        scree_zone ball = *z;
        ball.type = SCREE_ZONE_BALL;
        return scree_zone_meets_box(&ball, b, i);
    }
    return scree_zone_meets_box(z, b, i);
}

static int32_t find_objects(void *instance, const scree_zone *zone, scree_index_sink *sink)
{
    const gcd *self = instance;
    for (uint32_t i = 0; i < self->boxes->n; i++) {
        uint32_t *out;
        int32_t code;
        if (!meets(self, zone, self->boxes, i))
            continue;
        code = sink->reserve(sink, 1, &out);
        if (code != SCREE_OK)
            return code;
        *out = i;
        code = sink->commit(sink, 1);
        if (code != SCREE_OK)
            return code;
    }
    return SCREE_OK;
}

/* One cell around all boxes. */
static int32_t show_cells(void *instance, const scree_layout_sink *sink)
{
    gcd *self = instance;
    scree_layout_cell all = {.kind = SCREE_LAYOUT_CELL, .n = self->sin == DRAWN};
    for (uint32_t k = 0; k < self->boxes->dimension; k++) {
        all.lo[k] = -HUGE_VAL;
        all.hi[k] = HUGE_VAL;
    }
    for (uint32_t i = 0; i < self->boxes->n; i++)
        all.n += !scree_box_empty(self->boxes, i);
    all.level = self->sin == REDRAWN ? self->n_shown++ : 0;
    return all.n ? sink->put(sink->ctx, &all, 1) : SCREE_OK;
}

static const void *get_extension(const char *name)
{
    static const scree_layout layout = {.size = sizeof layout, .cells = show_cells};
    return strcmp(name, SCREE_DRAFT_LAYOUT) == 0 ? &layout : NULL;
}

static uint64_t bytes(void *instance)
{
    const gcd *self = instance;
    if (self->sin == HANGS)
        for (;;)
            pause();
    if (self->sin == SPINS)
        for (;;)
            continue;
    if (self->sin == FREEZES || self->sin == STOPS)
        syscall(SYS_kill, self->sin == STOPS ? getppid() : getpid(), SIGSTOP);
    if (self->sin == EXITS)
        exit(0);
    return sizeof *self + self->n_bytes;
}

SCREE_REAL_PARAM(config, skin, "m", 0, 0.5, 0.0, 1.0, "nothing follows from it");
static const scree_param *const params[] = {&param_skin};
#define VTABLE(NAME, ID)                                                                           \
    [NAME] = {OPS(gcd, create_##NAME, destroy), .init = init,                                      \
              .step_init = step_init,           .find_neighbors = find_neighbors,                  \
              .find_objects = find_objects,     .bytes = bytes},
#define DESCRIPTOR(NAME, ID)                                                                       \
    [NAME] = {                                                                                     \
        PLUGIN_OF(SCREE_DIMENSION_3, GCD, ID, NAME == TEXTS ? "Brute force." : "brute force"),     \
        PLUGIN_CONFIG, .flags = SCREE_CAP_INCREMENTAL, .ops = &ops[NAME],                          \
        .get_extension = get_extension},
UNSOUND(gcd)
#ifdef OF_THE_FILE
SCREE_DEFINE_MANIFEST(&unsound[NONE]);
#else
SCREE_DEFINE_MANIFEST(UNSOUND_LIST);
#endif
