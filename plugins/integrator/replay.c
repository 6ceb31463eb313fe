/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay: plays a trajectory of boxes from a file, frame k at step k.
 *
 * Idea     Motion that drives contact detection need not be computed again. A run recorded once
 *          (observer `record`) drives any GCD without the noise of physics, and a bug report is a
 *          file. Forces of the scene have no effect.
 * Layout   "BPF1", little endian int32 (that of this project's comparison of broad phases):
 *            header[8] = {0x31465042, dimension, n, frames, L, d, d + 2, 0}
 *            radii[n]           in 2^-(d + 2) m
 *            frames x place[n][dimension] in 2^-d m
 *          d = 13 there; L is the side of the domain in 2^-d m, 0 when unknown.
 * Bodies   are numbered as in the file, all free: the layout has no fixed ones. Their velocity is
 *          the displacement of the last step over dt.
 * Cost     a frame is read per step, and one is held: 4 n dimension bytes, whatever the length.
 * Limits   the header is read only when the file is opened, later only frames.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "own_bodies.h"

enum { MAGIC = 0x31465042, HEADER = 8, MOST_DIGITS = 40, MOST_BODIES = 100000000 };
enum { FAIL, HOLD, LOOP };

typedef struct config {
    const char *file;
    int32_t at_end;
} config;

typedef struct replay {
    const scree_host *host;
    const config *config;
    int fd;
    uint32_t dimension, n;
    int32_t header[HEADER];
    int64_t frames;
    int32_t *places; /* [n][dimension] of the frame that was read last */
    double *columns; /* values of the bodies that it brings */
} replay;

static int32_t fail_io(const replay *self, const char *what)
{
    return scree_failf(self->host, SCREE_E_IO, "file = \"%s\": %s: %s", self->config->file, what,
                       strerror(errno));
}

/** Reads all bytes, or fails. */
static int32_t read_at(const replay *self, void *to, uint64_t n_bytes, uint64_t offset)
{
    for (uint64_t done = 0; done < n_bytes;) {
        ssize_t n = pread(self->fd, (char *)to + done, n_bytes - done, (off_t)(offset + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail_io(self, "cannot read");
        if (n == 0)
            return scree_failf(
                self->host, SCREE_E_IO,
                "file = \"%s\": it ends at byte %llu, in mid-run shorter than it was",
                self->config->file, (unsigned long long)(offset + done));
        done += (uint64_t)n;
    }
    return SCREE_OK;
}

static uint64_t size_of_frame(const replay *self)
{
    return sizeof(int32_t) * (uint64_t)self->n * self->dimension;
}

static int32_t read_frame(const replay *self, int64_t frame)
{
    uint64_t start = sizeof(int32_t) * (HEADER + (uint64_t)self->n);
    return read_at(self, self->places, size_of_frame(self),
                   start + (uint64_t)frame * size_of_frame(self));
}

/** [m] of one unit of places. */
static double unit_of(const replay *self)
{
    return ldexp(1.0, -self->header[5]);
}

static int32_t refuse(const replay *self, const char *what, long long is, const char *should)
{
    return scree_failf(self->host, SCREE_E_CONFIG, "file = \"%s\": %s is %lld; %s",
                       self->config->file, what, is, should);
}

static int32_t check_header(replay *self, uint64_t n_bytes)
{
    const int32_t *h = self->header;
    if (h[0] != MAGIC)
        return refuse(self, "its first number", h[0],
                      "826691650 (BPF1) starts a trajectory of this layout");
    if (h[1] != 2 && h[1] != 3)
        return refuse(self, "the dimension", h[1], "2 or 3 is possible");
    if (h[1] != (int32_t)self->host->dimension)
        return refuse(self, "the dimension", h[1], "the scene has another one (scene.dimension)");
    if (h[2] < 1 || h[2] > MOST_BODIES)
        return refuse(self, "the number of bodies", h[2], "1 to 100000000 are possible");
    if (h[3] < 1)
        return refuse(self, "the number of frames", h[3], "there is one at least");
    if (h[4] < 0)
        return refuse(self, "the side of the domain", h[4], "it is positive, or 0: unknown");
    if (h[5] < 0 || h[5] > MOST_DIGITS || h[6] != h[5] + 2)
        return refuse(self, "the number of binary digits of radii", h[6],
                      "it is two more than that of places, which is 0 to 40");
    if (h[7] != 0)
        return refuse(self, "the eighth number", h[7], "expected 0");
    self->dimension = (uint32_t)h[1];
    self->n = (uint32_t)h[2];
    self->frames = h[3];
    uint64_t wanted = sizeof(int32_t) * (HEADER + (uint64_t)self->n) +
                      (uint64_t)self->frames * size_of_frame(self);
    if (n_bytes == wanted)
        return SCREE_OK;
    return scree_failf(self->host, SCREE_E_CONFIG,
                       "file = \"%s\": %u bodies and %lld frames in %uD take %llu bytes; it has "
                       "%llu, it is %s",
                       self->config->file, self->n, (long long)self->frames, self->dimension,
                       (unsigned long long)wanted, (unsigned long long)n_bytes,
                       n_bytes < wanted ? "cut short" : "too long");
}

static int32_t open_file(replay *self)
{
    self->fd = open(self->config->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a pipe is not a file
    off_t n_bytes = self->fd < 0 ? -1 : lseek(self->fd, 0, SEEK_END);
    if (n_bytes < 0) {
        fail_io(self, "cannot open it as a file");
        return SCREE_E_CONFIG;
    }
    if ((uint64_t)n_bytes < sizeof self->header)
        return refuse(self, "its size", (long long)n_bytes,
                      "expected at least the 32 bytes of the header");
    int32_t code = read_at(self, self->header, sizeof self->header, 0);
    if (code == SCREE_OK)
        code = check_header(self, (uint64_t)n_bytes);
    return code == SCREE_OK ? SCREE_OK : SCREE_E_CONFIG;
}

static void destroy(void *instance)
{
    replay *self = instance;
    if (!self)
        return;
    if (self->fd >= 0)
        close(self->fd);
    free(self->places);
    free(self->columns);
    free(self);
}

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    replay *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    *self = (replay){.host = host, .config = config_, .fd = -1};
    int32_t code = open_file(self);
    if (code == SCREE_OK && !(self->places = malloc(size_of_frame(self))))
        code = host->fail(host->ctx, SCREE_E_MEMORY, "no memory for a frame");
    if (code != SCREE_OK) {
        destroy(self);
        return code;
    }
    *instance = self;
    return SCREE_OK;
}

/* ---- the bodies that it brings ---- */

static int32_t read_radii(const replay *self, double *radius)
{
    int32_t *r = self->places; // room for twice as many, until the frames are read
    int32_t code = read_at(self, r, sizeof *r * (uint64_t)self->n, sizeof self->header);
    if (code == SCREE_OK)
        for (uint32_t i = 0; i < self->n; i++) {
            radius[i] = 0.25 * unit_of(self) * r[i];
            if (r[i] <= 0)
                return scree_failf(
                    self->host, SCREE_E_CONFIG,
                    "file = \"%s\": the radius of body %u of %u is %d; it is positive",
                    self->config->file, i, self->n, r[i]);
        }
    return code;
}

/** Writes a column per axis: places, or with `from` the displacements from there, each times
 * `by`. */
static void spread(const replay *self, double by, const double *from, double *to)
{
    const double unit = unit_of(self);
    for (uint32_t k = 0; k < self->dimension; k++)
        for (size_t i = 0; i < self->n; i++) {
            double x = unit * self->places[i * self->dimension + k];
            size_t at = k * (size_t)self->n + i;
            to[at] = from ? (x - from[at]) * by : x;
        }
}

static int32_t list_bodies(void *instance, own_list *out)
{
    replay *self = instance;
    const size_t n = self->n;
    self->columns = calloc(7 * n, sizeof *self->columns);
    if (!self->columns)
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory");
    double *radius = self->columns, *x = radius + n, *v = x + 3 * n;
    int32_t code = read_radii(self, radius);
    if (code == SCREE_OK)
        code = read_frame(self, 0);
    if (code != SCREE_OK)
        return code;
    spread(self, 1.0, NULL, x);
    code = self->frames > 1 ? read_frame(self, 1) : SCREE_OK;
    if (code != SCREE_OK)
        return code;
    spread(self, 1.0 / out->dt, x, v);
    out->n = self->n;
    out->radius = radius;
    for (uint32_t k = 0; k < self->dimension; k++) {
        out->x[k] = x + k * n;
        out->v[k] = v + k * n;
        out->hi[k] = unit_of(self) * self->header[4];
    }
    return SCREE_OK;
}

/* ---- a step ---- */

/** Number of the frame that a step ends with, or a negative code. */
static int64_t frame_after(const replay *self, uint64_t step)
{
    uint64_t frame = step + 1, last = (uint64_t)self->frames - 1;
    if (frame <= last)
        return (int64_t)frame;
    if (self->config->at_end == HOLD)
        return (int64_t)last;
    if (self->config->at_end == LOOP)
        return (int64_t)(frame % (last + 1));
    return scree_failf(self->host, SCREE_E_CAPACITY,
                       "file = \"%s\" has %lld frames, for %llu steps; at_end = \"hold\" or "
                       "\"loop\" goes on after them",
                       self->config->file, (long long)self->frames, (unsigned long long)last);
}

static int32_t check_bodies(const replay *self, const scree_motion *m)
{
    for (uint32_t i = 0; i < m->n_free; i++)
        if (m->id[i] >= self->n)
            return scree_failf(self->host, SCREE_E_CONFIG,
                               "body %llu is free, but file = \"%s\" has only the bodies 0 to %u: "
                               "take them by generate.NAME = { plugin = \"replay\"; .. }",
                               (unsigned long long)m->id[i], self->config->file, self->n - 1);
    return SCREE_OK;
}

static int32_t begin(void *instance, const scree_motion *m)
{
    return check_bodies(instance, m);
}

static int32_t stage(void *instance, const scree_motion *m, uint32_t stage_number, scree_stage *out)
{
    replay *self = instance;
    out->action = stage_number == 0 ? SCREE_STAGE_EVALUATE : SCREE_STAGE_DONE;
    out->accepted = 1;
    out->offset = m->dt;
    if (stage_number > 0)
        return SCREE_OK;
    int64_t frame = frame_after(self, m->step);
    int32_t code = frame < 0 ? (int32_t)frame : read_frame(self, frame);
    if (code != SCREE_OK)
        return code;
    const double unit = unit_of(self);
    for (uint32_t k = 0; k < self->dimension; k++)
        for (uint32_t i = 0; i < m->n_free; i++) {
            double x = unit * self->places[m->id[i] * self->dimension + k];
            m->v[k][i] = (x - m->x[k][i]) / m->dt;
            m->x[k][i] = x;
        }
    return SCREE_OK;
}

static uint64_t bytes(void *instance)
{
    const replay *self = instance;
    return sizeof *self + size_of_frame(self);
}

SCREE_FILE_PARAM(config, file, SCREE_PARAM_REQUIRED,
                 "trajectory of boxes, as the observer record writes");
SCREE_CHOICE_VALUE(fail, FAIL, "the run ends with an error");
SCREE_CHOICE_VALUE(hold, HOLD, "bodies rest where the last frame has them");
SCREE_CHOICE_VALUE(loop, LOOP, "frame 0 follows the last one");
SCREE_CHOICE_PARAM(config, at_end, 0, "fail", "what follows the last frame", &choice_fail,
                   &choice_hold, &choice_loop);
static const scree_param *const params[] = {&param_file, &param_at_end};
static const scree_integrator_ops ops = {.size = sizeof(scree_integrator_ops),
                                         .create = create,
                                         .destroy = destroy,
                                         .begin = begin,
                                         .stage = stage,
                                         .bytes = bytes};
static const scree_plugin plugin = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_INTEGRATOR,
    .flags = SCREE_CAP_ROUND_ONLY,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "replay",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "plays recorded boxes from a file, frame k at step k",
    .summary = "Brings its own bodies (generate.NAME = { plugin = \"replay\"; }) and moves "
               "them as the file says: the boxes of any run, recorded by the observer record, "
               "drive any contact detection without physics. Step k ends with frame k + 1. Forces "
               "of the scene have no effect on it.",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops};

/** Makes the bodies with an integrator of the scene's settings, which lives only during the
 * call. */
static int32_t make(void *instance, const scree_making *args)
{
    const own_source *self = instance;
    int32_t code = own_check(self, args);
    if (code < 0)
        return code;
    replay *of = args->integrator;
    own_list list = {.dt = args->dt};
    of->host = self->host; // this call reports failures
    code = list_bodies(of, &list);
    return code < 0 ? code : own_add(self, args, &plugin, &list);
}

static const scree_source_ops source_ops = {.size = sizeof(scree_source_ops),
                                            .create = own_create,
                                            .destroy = own_destroy,
                                            .bytes = own_bytes,
                                            .make = make};
static const scree_plugin source = OWN_SOURCE(
    source_ops, "replay", "the bodies of a recorded trajectory, for integrator/replay",
    "Bodies of frame 0 of the file of integrator/replay, which the scene must have chosen, with "
    "its numbers as ids, the velocity of its first step, and its region where the scene has none.");
SCREE_DEFINE_MANIFEST(&plugin, &source);
