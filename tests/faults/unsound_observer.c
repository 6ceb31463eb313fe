/* SPDX-License-Identifier: Apache-2.0 */
/* A sound observer (a line per look), once per promise that it breaks. */
#include <unistd.h>

#include "scree/cell_sdk.h"
#include "unsound.h"

#define SINS(SIN)                                                                                  \
    SIN(NONE, "none")                                                                              \
    SIN(FOLDER, "folder")                                                                          \
    SIN(WHOLE, "whole")                                                                            \
    SIN(FINISH, "finish")                                                                          \
    SIN(SHORT, "short")                                                                            \
    SIN(EMPTY, "empty")                                                                            \
    SIN(UNSERVED, "unserved")                                                                      \
    SIN(BELATED, "belated")                                                                        \
    SIN(WORDLESS, "wordless")                                                                      \
    SIN(TWICE, "twice")                                                                            \
    SIN(UNWRITTEN, "unwritten")                                                                    \
    SIN(TALLY, "tally")                                                                            \
    SIN(MARKS, "marks")                                                                            \
    SIN(BEHIND, "behind")                                                                          \
    SIN(BEFORE, "before")                                                                          \
    SIN(OTHERS, "others")                                                                          \
    SIN(MOVES, "moves")                                                                            \
    SIN(RECOUNTS, "recounts")                                                                      \
    SIN(WAVERS, "wavers")   /* save() counts its calls */                                          \
    SIN(ADDS, "adds")       /* load() takes one more than it gets */                               \
    SIN(WRAPS, "wraps")     /* forgets `image` */                                                  \
    SIN(NUMBERS, "numbers") /* writes by number, not by id */                                      \
    SIN(CODED, "coded")     /* the same in an array of VTK in base64 */                            \
    SIN(LETTERS, "letters") /* the same in an array of VTK in letters */                           \
    SIN(LAPSES, "lapses")   /* NaN once storage has another order */                               \
    SIN(HEAD, "head")       /* a table with more cells than names */                               \
    SIN(SI, "si")           /* a constant in SI in a scalar */                                     \
    SIN(BLIND, "blind")
enum sin { SINS(UNSOUND_NAME) };

typedef struct observer {
    enum sin sin;
    const scree_host *host;
    const scree_output *output;
    int32_t fd, reads, asked, saves;
    uint32_t falls;   // 1 + those of the first look
    uint32_t watched; // states, over all parts of a run
} observer;

static int32_t create(enum sin sin, const scree_host *host, const void *config, void **instance)
{
    observer *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    *self = (observer){sin, host, host->get_service(host->ctx, SCREE_SERVICE_OUTPUT), -1, 0, 0, 0,
                       0,   0};
    if (!self->output && sin != UNSERVED && sin != BELATED) {
        free(self);
        return sin == WORDLESS
                   ? SCREE_E_UNSUPPORTED
                   : host->fail(host->ctx, SCREE_E_UNSUPPORTED, "this host offers no files");
    }
    *instance = self;
    return SCREE_OK;
}

/** A line at the end of a file of its own making. */
static int32_t append(const observer *self, const char *folder, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "a");
    if (!file)
        return self->host->fail(self->host->ctx, SCREE_E_IO, "cannot append");
    fputs("seen\n", file);
    return fclose(file) == 0 ? SCREE_OK : SCREE_E_IO;
}

/** Sums over bodies: places along x, and speeds times a body's own number. */
static void measure(observer *self, const scree_bodies *b, double *places, double *speeds)
{
    *places = *speeds = 0.0;
    const uint32_t n = self->sin == BLIND ? 0 : b->n_free;
    for (uint32_t i = 0; i < n; i++) {
        double x[3];
        scree_unwrapped(b, i, x);
        *places += self->sin == WRAPS ? b->x[0][i] : x[0];
        *speeds += b->v[0][i] * (self->sin == NUMBERS ? i : (double)b->id[i]);
    }
    const uint32_t falls = 1 + unsound_falls(b);
    self->falls = self->falls ? self->falls : falls;
    if (self->sin == LAPSES && self->falls != falls)
        *speeds = (double)NAN;
}

/** Writes bytes in base64. */
static void encode(FILE *file, const void *data, uint32_t n)
{
    const uint8_t *bytes = data;
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (uint32_t i = 0; i < n; i += 3) {
        uint32_t bits = 0;
        for (uint32_t k = 0; k < 3; k++)
            bits = bits << 8 | (i + k < n ? bytes[i + k] : 0);
        for (uint32_t k = 0; k < 4; k++)
            fputc(i + k > n ? '=' : letters[bits >> (18 - 6 * k) & 63], file);
    }
}

enum { MOST_DRAWN = 64 };

/** A file of VTK: speeds times a body's own number, as single numbers in base64 and in letters. */
static int32_t draw(const observer *self, const scree_view *view)
{
    const scree_bodies *b = view->bodies;
    const uint32_t n = b->n_free < MOST_DRAWN ? b->n_free : MOST_DRAWN;
    struct {
        uint32_t bytes;
        float value[MOST_DRAWN];
    } array = {.bytes = n * 4};
    char name[64];
    int32_t fd, code;
    snprintf(name, sizeof name, "seen-%llu.vtp", (unsigned long long)view->step);
    code = self->output->open(self->output->ctx, name, &fd);
    FILE *file = code < 0 ? NULL : fdopen(dup(fd), "w");
    if (!file)
        return code < 0 ? code : SCREE_E_IO;
    fputs("<VTKFile type=\"PolyData\"><DataArray type=\"Float32\" format=\"binary\">\n", file);
    for (uint32_t i = 0; i < n; i++)
        array.value[i] = (float)(b->v[0][i] * (self->sin == CODED ? i : (double)b->id[i]));
    encode(file, &array, 4 + array.bytes);
    fputs("\n</DataArray><DataArray type=\"Float64\" format=\"ascii\">", file);
    for (uint32_t i = 0; i < n; i++)
        fprintf(file, "%.9g\n", b->v[0][i] * (self->sin == LETTERS ? i : (double)b->id[i]));
    fputs("</DataArray></VTKFile>\n", file);
    code = fclose(file) == 0 ? SCREE_OK : SCREE_E_IO;
    return self->output->close(self->output->ctx, fd, code == SCREE_OK);
}

static int32_t observe(void *instance, const scree_view *view)
{
    observer *self = instance;
    char line[256];
    double places, speeds;
    self->watched += self->sin == RECOUNTS; // whether it comes again or not
    if (!view->due)
        return SCREE_OK;
    if (self->sin == BELATED && !self->output)
        return self->host->fail(self->host->ctx, SCREE_E_UNSUPPORTED, "this host has no files");
    if (self->sin == FOLDER && append(self, ".", "outside.txt") < 0)
        return SCREE_E_IO;
    if (self->sin == WHOLE && append(self, self->output->folder, "within.txt") < 0)
        return SCREE_E_IO;
    if (self->sin == EMPTY && view->bodies->n == 0)
        return self->host->fail(self->host->ctx, SCREE_E_NUMERIC, "the mean of no bodies");
    if (self->fd < 0) {
        int32_t code = self->output->open(self->output->ctx,
                                          self->sin == HEAD ? "seen.csv" : "seen.txt", &self->fd);
        if (code < 0)
            return code;
    }
    measure(self, view->bodies, &places, &speeds);
    int n =
        snprintf(line, sizeof line, "%s%llu %.17g %u %d %u %.17g %.17g\n",
                 self->sin == HEAD && view->step > 0 ? "0," : "", (unsigned long long)view->step,
                 self->sin == BLIND ? 0.0 : view->energy->kinetic, view->bodies->n,
                 self->sin == MARKS ? self->reads : 0, self->watched, places, speeds);
    if (write(self->fd, line, (size_t)n) != n)
        return SCREE_E_IO;
    const int draws = self->sin == NONE || self->sin == CODED || self->sin == LETTERS;
    return draws ? draw(self, view) : SCREE_OK;
}

static int32_t finish(void *instance, const scree_view *view)
{
    const observer *self = instance;
    if (self->sin == FINISH)
        return SCREE_OK;
    if (self->fd < 0)
        return self->sin == SHORT ? self->host->fail(self->host->ctx, SCREE_E_INTERNAL, "no file")
                                  : SCREE_OK;
    return self->output->close(self->output->ctx, self->fd, 1);
}

static const scree_scalar *scalar(void *instance, uint32_t k)
{
    static const scree_scalar all[] = {SCREE_SCALAR("kinetic", "J", 0),
                                       SCREE_SCALAR("free", "-", 0)};
    static const scree_scalar again = SCREE_SCALAR("kinetic", "-", 0);
    observer *self = instance;
    if (self->sin == OTHERS && self->asked++ > 2) /* all were asked for once */
        return NULL;
    if (self->sin == TWICE && k == 1)
        return &again;
    return k < SCREE_COUNT(all) ? &all[k] : NULL;
}

static int32_t read_scalars(void *instance, const scree_view *view, double *value)
{
    observer *self = instance;
    self->reads++;
    value[0] = view->energy->kinetic + (self->sin == TALLY ? self->reads : 0) +
               (self->sin == SI ? 1.0 : 0.0);
    if (self->sin != UNWRITTEN)
        value[1] = view->bodies->n_free;
    if (self->sin == BEHIND)
        value[2] = 0.0;
    if (self->sin == BEFORE)
        value[-1] = 0.0;
    if (self->sin == MOVES && view->bodies->n > 0)
        ((double *)(uintptr_t)view->bodies->x[0])[0] += 1e-3;
    return SCREE_OK;
}

static int32_t save(void *instance, const scree_state_sink *sink)
{
    observer *self = instance;
    const uint32_t state[] = {self->watched, self->sin == WAVERS ? (uint32_t)++self->saves : 0};
    return sink->write(sink->ctx, state, sizeof state);
}

static int32_t load(void *instance, const void *bytes, uint64_t n)
{
    observer *self = instance;
    uint32_t state[2];
    if (n != sizeof state)
        return self->host->fail(self->host->ctx, SCREE_E_CONFIG, "another number of bytes");
    memcpy(state, bytes, n);
    self->watched = state[0] + (self->sin == ADDS);
    return SCREE_OK;
}

static const void *get_extension(const char *name)
{
    static const scree_state state = {.size = sizeof state, .save = save, .load = load};
    static const scree_scalars scalars = {
        .size = sizeof scalars, .scalar = scalar, .read = read_scalars};
    if (strcmp(name, SCREE_EXTENSION_STATE) == 0)
        return &state;
    return strcmp(name, SCREE_EXTENSION_SCALARS) == 0 ? &scalars : NULL;
}

#define VTABLE(NAME, ID)                                                                           \
    [NAME] = {OPS(observer, create_##NAME, free), .observe = observe, .finish = finish},
#define DESCRIPTOR(NAME, ID)                                                                       \
    [NAME] = {PLUGIN(OBSERVER, ID, "an observer that breaks one promise"),                         \
              .needs = SCREE_WANTS_EVERY_STEP, .ops = &ops[NAME], .get_extension = get_extension},
UNSOUND(observer)
SCREE_DEFINE_MANIFEST(UNSOUND_LIST);
