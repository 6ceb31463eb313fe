// SPDX-License-Identifier: Apache-2.0
// Observer `frames`: places, fields, walls and contacts of a run in one small file, for pages and films.
/*
 * Writes NAME.scf, whose layout is in docs/reference/frames-file.md: what bodies are is written when it
 * changes, and each observation adds a frame of 2 bytes per coordinate and field and 4 per orientation.
 *
 *   frames/blocks.c   blocks with their size and CRC
 *   frames/rows.c     which body a row is: blocks GRPS, SHAP, BODY, WALL
 *   frames/shapes.c   surfaces of shapes
 *   frames/frame.c    the block FRAM
 *
 * A frame with all blocks that it needs goes to the file in one write, so a reader that follows the
 * file sees whole frames. After a failed write the file keeps the frames before. A killed run
 * leaves NAME.scf.part, whose last block may be cut off.
 *
 * A run that continues from a checkpoint writes its own file, in its own folder. The name of the
 * former file and the step of its last frame at the checkpoint are the observer's state
 * (scree.state/1); the first block of the new file has them, and readers join both: each step once.
 *
 * Cost: per body and frame some 8 bytes and 90 instructions, 24 bytes compared; contacts are listed
 * only if `contacts`, load or coordination is asked for.
 */
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <unistd.h>

#include "frames/frames.h"
#include "scree/draft/sums.h"

#define VERSION "0.1.0"
enum { MOST_NAME = 2048 };

typedef struct frames_config {
    const char *file;
    scree_strings values, fields;
    double tolerance; // [-]
    int64_t keep;
    int32_t contacts, reserved;
} frames_config;

/** Numbers of bodies that the observer computes itself. */
typedef struct known_value {
    const char *name, *unit;
    int32_t of_contacts;
} known_value;
enum { SPEED, SPIN, FORCE, LOAD, COORDINATION, N_KNOWN };
static const known_value known[N_KNOWN] = {[SPEED] = {"speed", "m/s", 0},
                                           [SPIN] = {"spin", "rad/s", 0},
                                           [FORCE] = {"force", "N", 0},
                                           [LOAD] = {"load", "N", 1},
                                           [COORDINATION] = {"coordination", "-", 1}};

/** The frame from which a run continues: state of the observer. */
typedef struct former {
    uint64_t step;     // of the last frame
    uint32_t n;        // letters of `path`; 0: none
    uint32_t reserved; // 0
    char path[2 * MOST_NAME];
} former;

typedef struct frames {
    const scree_host *host;
    const scree_output *output;
    const scree_names *names; // NULL: the host offers no names
    const frames_config *config;
    int32_t fd;         // -1: not open
    int32_t second;     // 1: the file is NAME.2.scf
    int64_t n_frames;   // in the open file
    int64_t whole;      // [bytes] of the open file that must stay
    former before, now; // loaded; to be saved
    uint32_t n_values;
    int32_t value[MOST_FIELDS]; // index of `known`
    column columns[MOST_FIELDS];
    blocks blocks;
    rows rows;
    frame_memory memory;
} frames;

/* ---- the file ---- */

static void name_file(const frames *self, char *name, size_t size)
{
    snprintf(name, size, "%s%s.scf", self->config->file, self->second ? ".2" : "");
}

static int32_t write_blocks(frames *self)
{
    const uint8_t *at = self->blocks.bytes;
    for (uint64_t left = self->blocks.n; left > 0;) {
        const ssize_t done = write(self->fd, at, left);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return scree_failf(self->host, SCREE_E_IO, "cannot write %s%s.scf: %s",
                               self->config->file, self->second ? ".2" : "",
                               done ? strerror(errno) : "no space");
        at += done;
        left -= (uint64_t)done;
    }
    self->whole += (int64_t)self->blocks.n;
    return SCREE_OK;
}

static int32_t close_file(frames *self)
{
    const int32_t fd = self->fd;
    self->fd = -1;
    if (self->whole > 0 && ftruncate(fd, self->whole) != 0)
        scree_logf(self->host, SCREE_LOG_WARNING, "%s.scf cannot be cut to its whole frames: %s",
                   self->config->file, strerror(errno));
    return self->output->close(self->output->ctx, fd, self->whole > 0);
}

static void put_field(blocks *b, int first, const char *name, const char *unit)
{
    block_text(b, first ? "{\"name\": " : ", {\"name\": ", 0);
    block_text(b, name, 1);
    block_text(b, ", \"unit\": ", 0);
    block_text(b, unit ? unit : "-", 1);
    block_text(b, "}", 0);
}

/* The first block. */
static void put_header(frames *self, const scree_bodies *b)
{
    blocks *to = &self->blocks;
    char text[96];
    if (!block_begin(to, "SCF1", 0))
        return;
    snprintf(text, sizeof text,
             "{\"version\": 1, \"writer\": \"frames " VERSION "\", \"dimension\": %" PRIu32,
             b->dimension);
    block_text(to, text, 0);
    block_text(to, ", \"fields\": [", 0);
    for (uint32_t k = 0; k < self->n_values; k++)
        put_field(to, k == 0, known[self->value[k]].name, known[self->value[k]].unit);
    for (uint32_t k = 0; k < b->n_used; k++)
        put_field(to, self->n_values + k == 0, self->config->fields.v[k], b->used[k]->unit);
    block_text(to, self->config->contacts ? "], \"contacts\": true" : "], \"contacts\": false", 0);
    for (uint32_t k = 0; k < b->n_materials; k++) {
        const char *name = self->names ? self->names->material_name(self->names->ctx, k) : NULL;
        block_text(to, k ? ", " : ", \"materials\": [", 0);
        block_text(to, name ? name : "", 1);
    }
    block_text(to, b->n_materials ? "]" : ", \"materials\": []", 0);
    if (self->before.n) {
        block_text(to, ", \"after\": {\"file\": ", 0);
        block_text(to, self->before.path, 1);
        snprintf(text, sizeof text, ", \"step\": %" PRIu64 "}", self->before.step);
        block_text(to, text, 0);
    }
    block_text(to, "}", 0);
    block_end(to);
}

/* Opens the file if none is open. */
static int32_t open_file(frames *self, const scree_bodies *b)
{
    char name[MOST_NAME + 16];
    if (self->fd >= 0)
        return SCREE_OK;
    name_file(self, name, sizeof name);
    const int32_t status = self->output->open(self->output->ctx, name, &self->fd);
    if (status != SCREE_OK) {
        self->fd = -1;
        return status;
    }
    self->n_frames = self->whole = 0;
    rows_forget(&self->rows);
    put_header(self, b);
    return SCREE_OK;
}

/* ---- numbers of bodies ---- */

static void add_contacts(double *value, const scree_contact_list *c, int32_t which)
{
    for (uint64_t i = 0; i < c->n; i++) {
        const double f[3] = {c->f[0][i], c->f[1][i], c->f[2][i]};
        const double more = which == LOAD ? sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2])
                                          : (double)(c->depth[i] >= 0.0);
        value[c->a[i]] += more;
        value[c->b[i]] += more;
    }
}

/* Lengths of vectors. */
static void find_lengths(double *restrict to, const double *restrict x, const double *restrict y,
                         const double *restrict z, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        to[i] = sqrt(x[i] * x[i] + y[i] * y[i] + z[i] * z[i]);
}

static void compute_known(double *value, const scree_view *view, int32_t which)
{
    const scree_bodies *b = view->bodies;
    if (which == SPEED || which == SPIN) {
        const double *const *v = which == SPEED ? b->v : b->w;
        find_lengths(value, v[0], v[1], v[2], b->n);
        return;
    }
    for (uint32_t i = 0; i < b->n; i++) {
        const double *f = &b->wrench[8 * (uint64_t)i];
        value[i] = which == FORCE ? sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]) : 0.0;
    }
    if (which != FORCE && view->contacts)
        add_contacts(value, view->contacts, which);
}

/* A field; of several components the length. Numbers that a float cannot hold count as missing. */
static void copy_field(double *value, const scree_used_field *field, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        double square = 0.0;
        for (uint32_t k = 0; k < field->components; k++)
            square += field->v[k][i] * field->v[k][i];
        const double number = field->components == 1 ? field->v[0][i] : sqrt(square);
        value[i] = fabs(number) <= (double)FLT_MAX ? number : (double)NAN;
    }
}

/* 0: out of memory. */
static int fill_columns(frames *self, const scree_view *view)
{
    const scree_bodies *b = view->bodies;
    for (uint32_t k = 0; k < self->n_values + b->n_used; k++) {
        column *c = &self->columns[k];
        if (!scree_grow(&c->value, &c->room, (uint64_t)b->n + 1, sizeof *c->value))
            return 0;
        if (k < self->n_values)
            compute_known(c->value, view, self->value[k]);
        else
            copy_field(c->value, b->used[k - self->n_values], b->n);
    }
    return 1;
}

/* ---- frames ---- */

static void note_frame(frames *self, uint64_t step)
{
    const char *folder = SCREE_HAS(self->output, folder) ? self->output->folder : NULL;
    self->n_frames++;
    self->now = (former){.step = step};
    if (folder && !self->config->keep)
        self->now.n = (uint32_t)snprintf(self->now.path, sizeof self->now.path, "%s/%s.scf", folder,
                                         self->config->file);
    if (self->now.n >= sizeof self->now.path)
        self->now.n = 0; // too long a path: the next run does not name this file
}

static int32_t observe(void *instance, const scree_view *view)
{
    frames *self = instance;
    const row_source from = {self->host, self->names, view->bodies, self->config->tolerance};
    self->blocks.n = 0;
    self->blocks.no_memory = self->blocks.too_long = 0;
    int32_t status = open_file(self, view->bodies);
    if (status != SCREE_OK)
        return status;
    if (!fill_columns(self, view) || !rows_write(&self->rows, &self->blocks, &from) ||
        !frame_write(&self->blocks, &self->memory, &self->rows, view, self->columns,
                     self->n_values + view->bodies->n_used, self->config->contacts))
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for a frame");
    if (self->blocks.too_long)
        return self->host->fail(self->host->ctx, SCREE_E_CAPACITY,
                                "a frame has more than 4 GiB, or 65535 shapes or groups");
    status = write_blocks(self);
    if (status != SCREE_OK)
        return status;
    note_frame(self, view->step);
    if (!self->config->keep || self->n_frames < self->config->keep)
        return SCREE_OK;
    status = close_file(self);
    self->second = !self->second;
    return status;
}

static int32_t finish(void *instance, const scree_view *view)
{
    frames *self = instance;
    (void)view;
    return self->fd >= 0 ? close_file(self) : SCREE_OK;
}

/* ---- state ---- */

static int32_t save(void *instance, const scree_state_sink *sink)
{
    const frames *self = instance;
    const former *f = self->now.n ? &self->now : &self->before;
    return f->n ? sink->write(sink->ctx, f, offsetof(former, path) + f->n) : SCREE_OK;
}

static int32_t load(void *instance, const void *bytes, uint64_t n)
{
    frames *self = instance;
    former f = {.n = 0};
    if (n >= offsetof(former, path) && n < sizeof f)
        memcpy(&f, bytes, n);
    if (n && (f.n == 0 || n != offsetof(former, path) + f.n || strlen(f.path) != f.n))
        return scree_failf(self->host, SCREE_E_CONFIG,
                           "expected the name of a file of frames, got %" PRIu64 " other bytes", n);
    self->before = f;
    return SCREE_OK;
}

static const scree_state state = {.size = sizeof state, .save = save, .load = load};

static const void *get_extension(const char *name)
{
    return strcmp(name, SCREE_EXTENSION_STATE) == 0 ? &state : NULL;
}

/* ---- create ---- */

static int32_t narrow(void *instance, scree_demands *demands)
{
    const frames *self = instance;
    int32_t wanted = self->config->contacts;
    for (uint32_t k = 0; k < self->n_values; k++)
        wanted |= known[self->value[k]].of_contacts;
    if (!wanted)
        demands->needs &= ~(uint64_t)SCREE_WANTS_CONTACTS;
    return scree_narrow_sums(instance, demands);
}

static void destroy(void *instance)
{
    frames *self = instance;
    if (!self)
        return;
    // Without finish the run has failed: frames until then are kept.
    if (self->fd >= 0 && close_file(self) != SCREE_OK)
        scree_logf(self->host, SCREE_LOG_WARNING, "%s.scf could not be closed", self->config->file);
    for (uint32_t k = 0; k < MOST_FIELDS; k++)
        free(self->columns[k].value);
    rows_free(&self->rows);
    free(self->memory.low);
    free(self->memory.listed);
    free(self->blocks.bytes);
    free(self);
}

/* Finds what `values` names; speed without it, if fields leave room. */
static int32_t find_values(frames *self)
{
    const scree_strings *names = &self->config->values;
    const uint64_t n = names->n + self->config->fields.n;
    if (n > MOST_FIELDS)
        return scree_failf(self->host, SCREE_E_CONFIG,
                           "expected at most %d names in `values` and `fields`, got %" PRIu64,
                           MOST_FIELDS, n);
    if (!names->n && n < MOST_FIELDS)
        self->value[self->n_values++] = SPEED;
    for (uint64_t k = 0; k < names->n; k++) {
        int32_t which = 0;
        while (which < N_KNOWN && strcmp(known[which].name, names->v[k]) != 0)
            which++;
        for (uint32_t other = 0; other < self->n_values; other++)
            if (self->value[other] == which)
                return scree_failf(self->host, SCREE_E_CONFIG, "values: \"%s\" comes twice",
                                   names->v[k]);
        if (which == N_KNOWN)
            return scree_failf(self->host, SCREE_E_CONFIG,
                               "values: expected speed, spin, force, load or coordination, got "
                               "\"%.60s\"; body fields go into `fields`",
                               names->v[k]);
        self->value[self->n_values++] = which;
    }
    return SCREE_OK;
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    const frames_config *given = config;
    const scree_output *output = host->get_service(host->ctx, SCREE_SERVICE_OUTPUT);
    if (!output)
        return host->fail(host->ctx, SCREE_E_UNSUPPORTED,
                          "the host offers no " SCREE_SERVICE_OUTPUT ": nowhere to write");
    if (!given->file[0] || strlen(given->file) > MOST_NAME)
        return scree_failf(host, SCREE_E_CONFIG,
                           "file: expected a name of 1 to %d letters, got \"%.60s\"", MOST_NAME,
                           given->file);
    frames *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->host = host;
    self->output = output;
    self->names = host->get_service(host->ctx, SCREE_SERVICE_NAMES);
    self->config = given;
    self->fd = -1;
    const int32_t status = find_values(self);
    if (status != SCREE_OK)
        destroy(self);
    else
        *instance = self;
    return status;
}

SCREE_STRING_PARAM(frames_config, file, 0, "frames", "base name of the .scf file");
SCREE_STRINGS_PARAM(
    frames_config, values, 0, SCREE_PARAM_OPTIONAL,
    "numbers of bodies that frames have: speed, spin, force (net, with gravity), load (sum "
    "of the magnitudes of contact forces), coordination; none: speed");
SCREE_STRINGS_PARAM(
    frames_config, fields, 0, SCREE_PARAM_OPTIONAL | SCREE_PARAM_FIELD,
    "names of body fields that frames have too, \"NAME\" or \"SLOT/NAME\", the length "
    "of those with several components; with `values` at most four");
SCREE_BOOL_PARAM(frames_config, contacts, 0, 0, "frames have the contacts and their forces");
SCREE_INT_PARAM(
    frames_config, keep, 0, 0, 0, INT32_MAX,
    "number of the last frames that stay at least, in two files in turn; 0: all frames");
SCREE_REAL_PARAM(
    frames_config, tolerance, "-", SCREE_PARAM_MIN_OPEN, 0.01, 0, 0.5,
    "distance of a solid's surface from the exact one, as a share of the radius of the "
    "ball that holds it");
static const scree_param *const params[] = {&param_file,     &param_values, &param_fields,
                                            &param_contacts, &param_keep,   &param_tolerance};

static const scree_observer_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = destroy,
    .narrow = narrow,
    .observe = observe,
    .finish = finish,
};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_OBSERVER,
    .needs = SCREE_WANTS_CONTACTS,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "frames",
    .version = VERSION,
    .licence = "Apache-2.0",
    .help = "all frames of a run in one small file, for scree report, scree live and Python",
    .summary =
        "Places within 1 % of the smallest radius, orientations within 0.2 degrees, up to four "
        "numbers per body, poses of walls, contacts if wanted; shapes once. A run may be watched "
        "while it goes on: a reader passes over a tail that is cut off. every_wall = 0.1 writes a "
        "frame each 0.1 s of real time. A run that continues from a checkpoint names the former "
        "file, and readers join both. scree.Frames of Python reads the file.",
    .config_size = sizeof(frames_config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
    .get_extension = get_extension,
};

SCREE_DEFINE_MANIFEST(&plugin);
