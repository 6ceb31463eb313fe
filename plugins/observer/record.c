/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Observer `record`: the boxes of spheres and discs, frame by frame, for the integrator `replay`.
 *
 * Layout   "BPF1", little endian int32: header[8] = {0x31465042, dimension, n, frames, L, d, d + 2,
 *          0}, then radii[n] in 2^-(d + 2) m, then per frame place[n][dimension] in 2^-d m, in the
 *          order of ids. d = `digits`: 13 is what other readers of the layout expect.
 * Rounding Places to the nearest 2^-d m. A radius becomes 4 floor(r 2^d) + 1 in 2^-(d + 2) m: then
 *          no two boxes touch exactly, so that open and closed intervals give the same pairs.
 *          Recording such a trajectory again gives the same bytes.
 * L        the longest side of the region from the origin on; without a region, the reach of the
 *          boxes in the first frame.
 * Left out walls of facets and planes, which no ball can represent; with bodies = "free" also
 *          bodies that are not free. Periodic bodies are where they are in the region, and jump at
 *          a wrap.
 * Refused  data that the layout cannot hold: bodies that come or go (when none is left the file
 *          ends), places beyond 2^28 units (then the difference of two, times four, is an int32),
 *          radii below 64 units.
 * Frames   one per observation: every_steps = 1, the scene's default for it, plays at the speed of
 *          the run. The last frame is that of the end of the run, for any interval.
 */
#include <errno.h>
#include <unistd.h>

#include "scree/draft/sums.h"
#include "scree/sdk.h"

enum { MAGIC = 0x31465042, HEADER = 8, SMALLEST = 64, FARTHEST = 1 << 28, USUAL_RADIUS = 1024 };
enum { ROUND, FREE };

typedef struct config {
    const char *file;
    int32_t bodies;
    int64_t digits;
} config;

typedef struct record {
    const scree_host *host;
    const scree_output *output;
    const config *config;
    int32_t fd; /* -1: not open */
    uint32_t dimension, n, n_all;
    int64_t frames;
    int32_t over;     /* no bodies are left */
    uint64_t *id;     /* [n] ids in the file, ascending */
    uint64_t *id_of;  /* [n_all] by storage number, when `row` was made */
    uint32_t *row;    /* [n_all] row in the file; SCREE_NONE: left out */
    int32_t *numbers; /* [n dimension] */
} record;

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    record *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    *self = (record){.host = host, .config = config_, .fd = -1};
    self->output = host->get_service(host->ctx, SCREE_SERVICE_OUTPUT);
    *instance = self;
    if (self->output)
        return SCREE_OK;
    free(self);
    return host->fail(host->ctx, SCREE_E_UNSUPPORTED, "the host writes no files");
}

/* Keeps whole frames, when the run ended before finish or a write failed. */
static void keep_whole_frames(record *self)
{
    const int32_t frames = (int32_t)self->frames;
    const off_t bytes = (off_t)sizeof(int32_t) *
                        (HEADER + (off_t)self->n * (1 + (off_t)self->dimension * self->frames));
    int whole =
        self->frames > 0 && ftruncate(self->fd, bytes) == 0 &&
        pwrite(self->fd, &frames, sizeof frames, 3 * sizeof frames) == (ssize_t)sizeof frames;
    if (whole || self->frames == 0)
        whole &= self->output->close(self->output->ctx, self->fd, whole) == SCREE_OK;
    if (!whole && self->frames > 0)
        scree_logf(self->host, SCREE_LOG_WARNING, "%s could not be finished", self->config->file);
}

static void destroy(void *instance)
{
    record *self = instance;
    if (!self)
        return;
    if (self->fd >= 0)
        keep_whole_frames(self);
    free(self->id);
    free(self->id_of);
    free(self->row);
    free(self->numbers);
    free(self);
}

static int is_recorded(const record *self, const scree_bodies *b, uint32_t i)
{
    uint32_t flags = b->shapes[b->shape[i]]->flags;
    return (flags & SCREE_CAP_ROUND) &&
           (self->config->bodies == ROUND || b->motion[i] == SCREE_MOTION_FREE);
}

static double units_per_metre(const record *self)
{
    return ldexp(1.0, (int)self->config->digits);
}

/* ---- rows of the file and their bodies ---- */

static int ascending(const void *pa, const void *pb)
{
    const uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;
    return a < b ? -1 : a > b;
}

static uint32_t find_row(const record *self, uint64_t id)
{
    const uint64_t *at = bsearch(&id, self->id, self->n, sizeof id, ascending);
    return at ? (uint32_t)(at - self->id) : SCREE_NONE;
}

/** Finds the rows of bodies whose storage numbers have changed. */
static int32_t find_rows(record *self, const scree_bodies *b)
{
    uint32_t n = 0;
    if (!b->n && !self->over)
        scree_logf(self->host, SCREE_LOG_INFO, "no bodies are left: %s ends with frame %lld",
                   self->config->file, (long long)self->frames - 1);
    self->over = b->n == 0;
    if (self->over)
        return SCREE_OK;
    for (uint32_t i = 0; i < b->n && b->n == self->n_all; i++) {
        if (self->id_of[i] != b->id[i]) {
            self->id_of[i] = b->id[i];
            self->row[i] = is_recorded(self, b, i) ? find_row(self, b->id[i]) : SCREE_NONE;
        }
        n += self->row[i] != SCREE_NONE;
    }
    if (b->n == self->n_all && n == self->n)
        return SCREE_OK;
    return scree_failf(self->host, SCREE_E_UNSUPPORTED,
                       "%s holds %u bodies from its first frame on, and bodies have come or gone: "
                       "the layout has one number of bodies for all frames",
                       self->config->file, self->n);
}

/** Lists the bodies of the first frame. */
static int32_t list_bodies(record *self, const scree_bodies *b)
{
    self->dimension = b->dimension;
    self->n_all = b->n;
    for (uint32_t i = 0; i < b->n; i++)
        self->n += (uint32_t)is_recorded(self, b, i);
    self->id = calloc(self->n ? self->n : 1, sizeof *self->id);
    self->id_of = calloc(b->n ? b->n : 1, sizeof *self->id_of);
    self->row = calloc(b->n ? b->n : 1, sizeof *self->row);
    self->numbers = calloc(self->n ? 3 * (size_t)self->n : 1, sizeof *self->numbers);
    if (!self->id || !self->id_of || !self->row || !self->numbers)
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory");
    if (!self->n)
        return self->host->fail(self->host->ctx, SCREE_E_UNSUPPORTED,
                                "no spheres or discs to record");
    for (uint32_t i = 0, at = 0; i < b->n; i++)
        if (is_recorded(self, b, i))
            self->id[at++] = b->id[i];
    qsort(self->id, self->n, sizeof *self->id, ascending);
    for (uint32_t i = 0; i < b->n; i++) {
        self->id_of[i] = b->id[i];
        self->row[i] = is_recorded(self, b, i) ? find_row(self, b->id[i]) : SCREE_NONE;
    }
    return SCREE_OK;
}

/* ---- numbers ---- */

/** Digits with which a radius has some 1024 units. */
static int usual_digits(double radius)
{
    int digits = (int)ceil(log2(USUAL_RADIUS / radius));
    return digits < 0 ? 0 : digits > 40 ? 40 : digits;
}

static int32_t put_radii(record *self, const scree_bodies *b)
{
    for (uint32_t i = 0; i < b->n; i++) {
        double units = floor(b->radius[i] * units_per_metre(self));
        if (self->row[i] == SCREE_NONE)
            continue;
        if (!(units >= SMALLEST && units < FARTHEST))
            return scree_failf(
                self->host, SCREE_E_CONFIG,
                "body %llu has a radius of %g m, %.0f units of 2^-%d m; %d to %d are "
                "possible: digits = %d suits it",
                (unsigned long long)b->id[i], b->radius[i], units, (int)self->config->digits,
                SMALLEST, FARTHEST - 1, usual_digits(b->radius[i]));
        self->numbers[self->row[i]] = 4 * (int32_t)units + 1;
    }
    return SCREE_OK;
}

static int32_t put_places(record *self, const scree_bodies *b)
{
    const double by = units_per_metre(self);
    for (uint32_t k = 0; k < self->dimension; k++)
        for (uint32_t i = 0; i < b->n; i++) {
            double units = floor(b->x[k][i] * by + 0.5);
            if (self->row[i] == SCREE_NONE)
                continue;
            if (!(fabs(units) < FARTHEST))
                return scree_failf(self->host, SCREE_E_CONFIG,
                                   "body %llu is at %c = %g m, beyond the %g m that places in "
                                   "2^-%d m can express; fewer digits reach farther",
                                   (unsigned long long)b->id[i], "xyz"[k], b -> x[k][i],
                                   FARTHEST / by, (int)self -> config -> digits);
            self->numbers[(size_t)self->row[i] * self->dimension + k] = (int32_t)units;
        }
    return SCREE_OK;
}

/** Finds L, in units. */
static int32_t find_side(const record *self, const scree_bodies *b)
{
    const double by = units_per_metre(self);
    double side = 0.0;
    int given = 1;
    for (uint32_t k = 0; k < self->dimension; k++) {
        given &= isfinite(b->cell->hi[k]) != 0;
        side = fmax(side, b->cell->hi[k]);
    }
    if (!given)
        for (uint32_t i = 0; i < b->n; i++)
            if (self->row[i] != SCREE_NONE)
                for (uint32_t k = 0; k < self->dimension; k++)
                    side = fmax(isfinite(side) ? side : 0.0, b->x[k][i] + b->radius[i]);
    side = ceil(side * by);
    return side > 0.0 && side < FARTHEST ? (int32_t)side : 0;
}

/* ---- the file ---- */

static int32_t write_numbers(const record *self, const int32_t *numbers, size_t n)
{
    const char *at = (const char *)numbers;
    for (size_t left = n * sizeof *numbers; left > 0;) {
        ssize_t done = write(self->fd, at, left);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return scree_failf(self->host, SCREE_E_IO, "cannot write %s: %s", self->config->file,
                               strerror(errno));
        at += done;
        left -= (size_t)done;
    }
    return SCREE_OK;
}

static int32_t write_header(const record *self, int32_t side)
{
    const int32_t d = (int32_t)self->config->digits;
    const int32_t header[HEADER] = {
        MAGIC, (int32_t)self->dimension, (int32_t)self->n, (int32_t)self->frames, side, d, d + 2};
    return write_numbers(self, header, HEADER);
}

/** Header and radii; the number of frames is corrected at the end. */
static int32_t open_file(record *self, const scree_bodies *b)
{
    int32_t code = list_bodies(self, b);
    if (code == SCREE_OK)
        code = put_radii(self, b);
    if (code == SCREE_OK)
        code = self->output->open(self->output->ctx, self->config->file, &self->fd);
    if (code == SCREE_OK)
        code = write_header(self, find_side(self, b));
    return code == SCREE_OK ? write_numbers(self, self->numbers, self->n) : code;
}

static int32_t observe(void *instance, const scree_view *view)
{
    record *self = instance;
    const scree_bodies *b = view->bodies;
    int32_t code = self->fd < 0 ? open_file(self, b) : find_rows(self, b);
    if (code != SCREE_OK || self->over)
        return code;
    code = put_places(self, b);
    if (code == SCREE_OK)
        code = write_numbers(self, self->numbers, (size_t)self->n * self->dimension);
    if (code == SCREE_OK && self->frames == INT32_MAX)
        code = scree_failf(self->host, SCREE_E_CAPACITY, "%s has %d frames, the most there can be",
                           self->config->file, INT32_MAX);
    self->frames += code == SCREE_OK;
    return code;
}

static int32_t finish(void *instance, const scree_view *view)
{
    record *self = instance;
    const int32_t frames = (int32_t)self->frames;
    (void)view;
    if (self->fd < 0)
        return SCREE_OK;
    int32_t fd = self->fd;
    self->fd = -1;
    if (pwrite(fd, &frames, sizeof frames, 3 * sizeof frames) == (ssize_t)sizeof frames)
        return self->output->close(self->output->ctx, fd, 1);
    // The file is not closed: the host keeps the written data.
    return scree_failf(self->host, SCREE_E_IO, "cannot write the number of frames, %d, into %s: %s",
                       frames, self->config->file, strerror(errno));
}

SCREE_STRING_PARAM(config, file, 0, "trajectory.bpf", "name, in the folder of the run");
SCREE_CHOICE_VALUE(round, ROUND, "all spheres and discs");
SCREE_CHOICE_VALUE(free, FREE, "those among them that are free");
SCREE_CHOICE_PARAM(config, bodies, 0, "round", "which bodies are recorded", &choice_round,
                   &choice_free);
SCREE_INT_PARAM(config, digits, 0, 13, 0, 40,
                "binary digits behind the point of places in m; radii have two more");
static const scree_param *const params[] = {&param_file, &param_bodies, &param_digits};
static const scree_observer_ops ops = {.size = sizeof(scree_observer_ops),
                                       .create = create,
                                       .destroy = destroy,
                                       .narrow = scree_narrow_sums,
                                       .observe = observe,
                                       .finish = finish};
static const scree_plugin plugin = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_OBSERVER,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "record",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "boxes of all spheres and discs, frame by frame, for the integrator replay",
    .summary = "A trajectory in a compact binary layout (BPF1): any run, recorded, drives any "
               "contact detection without physics, here or in another program. Places are rounded "
               "to 2^-digits m: grains of a millimetre need digits = 21 or so, and a refusal says "
               "how many. With every_steps = 1 frame k is the state after k steps.",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops};
SCREE_DEFINE_MANIFEST(&plugin);
