// SPDX-License-Identifier: Apache-2.0
/*
 * clump: balls fixed together, in 2D discs; they may overlap.
 *
 * Idea     The host poses the balls and hands them to resolvers one by one (core/engine/balls.c),
 *          so that any law of balls works. This file computes mass properties: `overlaps = "once"`
 *          takes the union. Its volume, centroid and inertia are exact in 2D (clump/discs.c) and if
 *          no three balls overlap each other (clump/balls.c); otherwise they are integrated to 1e-9
 *          (clump/slices.c). "each" sums over the balls, as in programs with a mass per ball.
 *          `volume` then scales the mass, for example of a weighed body.
 * Steps    moments in the user's frame are computed once, in create(); place() moves balls and
 *          moments alike.
 * Refused  balls that are hidden inside others, and, unless `pieces = "apart"`, balls that are not
 *          connected with the rest: mostly typing errors.
 * Limits   10 000 balls.
 */
#include "clump/clump.h"
#include "given.h"

enum { ONCE, EACH, TOUCHING, APART };
#define TOUCH 1e-9 /* part of the radii: a smaller gap counts as none */

typedef struct config {
    const scree_real_rows *balls;
    const char *file;
    scree_strings columns;
    int32_t overlaps, pieces;
    double volume; // [m^3], in 2D [m^2]
} config;

typedef struct clump {
    const scree_host *host;
    clump_balls balls; // balls in the current frame
    scree_balls view;
    double content, centroid[3], inertia[6]; // current frame; inertia per mass, about the centroid
} clump;

/* ---- balls from the scene ---- */

static int no_memory(mesh_lines *problems)
{
    return mesh_say(problems, "no memory for the balls of a clump");
}

/** Makes room for n balls; 0: no memory. */
static int new_balls(clump_balls *b, uint32_t n)
{
    double *all = calloc(4 * (size_t)n + 1, sizeof *all);
    b->n = n;
    b->x[0] = all;
    if (!all)
        return 0;
    b->x[1] = all + n;
    b->x[2] = b->x[1] + n;
    b->r = b->x[2] + n;
    return 1;
}

static const char *place_of(const clump_balls *b, uint32_t ball, char text[256])
{
    return given_name("ball", ball, b->file, b->line, text);
}

static int check_number(uint64_t n, mesh_lines *problems)
{
    return (n > 0 && n <= CLUMP_MOST_BALLS) ||
           mesh_say(problems, "expected 1 to %d balls, got %llu", CLUMP_MOST_BALLS,
                    (unsigned long long)n);
}

static int take_listed(const scree_real_rows *rows, uint32_t dimension, clump_balls *b,
                       mesh_lines *problems)
{
    if (!check_number(rows->n, problems))
        return 0;
    if (!new_balls(b, (uint32_t)rows->n))
        return no_memory(problems);
    for (uint32_t i = 0; i < b->n; i++) {
        const uint64_t n = rows->first[i + 1] - rows->first[i];
        const double *row = rows->v + rows->first[i];
        if (n != dimension + 1)
            return mesh_say(problems, "ball %u: expected (%s, radius), got %llu numbers", i,
                            dimension == 2 ? "x, y" : "x, y, z", (unsigned long long)n);
        for (uint32_t k = 0; k < dimension; k++)
            b->x[k][i] = row[k];
        b->r[i] = row[dimension];
    }
    return 1;
}

static int take_file(const scree_host *host, const config *c, clump_balls *b, mesh_lines *problems)
{
    static const scree_file_column x = {sizeof x, SCREE_COLUMN_REAL, "x", "m"};
    static const scree_file_column y = {sizeof y, SCREE_COLUMN_REAL, "y", "m"};
    static const scree_file_column z = {sizeof z, SCREE_COLUMN_REAL, "z", "m"};
    static const scree_file_column radius = {sizeof radius, SCREE_COLUMN_REAL, "radius", "m"};
    static const scree_file_column *const known[] = {&x, &y, &radius, &z};
    const uint32_t n_known = host->dimension == 2 ? 3 : 4;
    const scree_file_request request = {.size = sizeof request,
                                        .n_known = n_known,
                                        .path = c->file,
                                        .known = known,
                                        .columns = c->columns};
    scree_file_rows rows = {.size = sizeof rows};
    if (!given_table(host, &request, &rows, problems))
        return 0;
    if (!check_number(rows.n, problems))
        return 0;
    if (!new_balls(b, rows.n))
        return no_memory(problems);
    double *const to[] = {b->x[0], b->x[1], b->r, b->x[2]};
    for (uint32_t k = 0; k < n_known; k++)
        memcpy(to[k], rows.real[k], rows.n * sizeof(double));
    b->file = c->file;
    b->line = rows.line;
    return 1;
}

/* ---- checks ---- */

static double distance(const clump_balls *b, uint32_t i, uint32_t j)
{
    double square = 0.0;
    for (int k = 0; k < 3; k++)
        square += (b->x[k][j] - b->x[k][i]) * (b->x[k][j] - b->x[k][i]);
    return sqrt(square);
}

static int check_radii(const clump_balls *b, mesh_lines *problems)
{
    int good = 1;
    char text[256];
    for (uint32_t i = 0; i < b->n && problems->n < MESH_MOST_PROBLEMS; i++)
        if (!(b->r[i] > 0.0))
            good = mesh_say(problems, "%s: expected a radius > 0, got %g m", place_of(b, i, text),
                            b->r[i]);
    return good;
}

/** Finds balls inside another one; of two equal balls the second. */
static int check_inside(const clump_balls *b, mesh_lines *problems)
{
    int good = 1;
    for (uint32_t i = 0; i < b->n; i++)
        for (uint32_t j = 0; j < b->n && problems->n < MESH_MOST_PROBLEMS; j++) {
            const double less = b->r[j] - b->r[i];
            char inner[256], outer[256];
            if (i == j || less < 0.0 || (less == 0.0 && j > i) || distance(b, i, j) > less)
                continue;
            good = mesh_say(problems, "%s is inside %s: leave it out, no touch would find it",
                            place_of(b, i, inner), place_of(b, j, outer));
        }
    return good;
}

/** Are all balls connected? Follows the balls connected with ball 0. */
static int check_pieces(const clump_balls *b, mesh_lines *problems)
{
    uint32_t *queue = malloc(b->n * sizeof *queue), n_seen = 1;
    uint8_t *seen = calloc(b->n, 1);
    int good = queue && seen;
    if (good) {
        queue[0] = 0;
        seen[0] = 1;
        for (uint32_t at = 0; at < n_seen; at++)
            for (uint32_t j = 0; j < b->n; j++) {
                const double sum = b->r[queue[at]] + b->r[j];
                if (seen[j] || distance(b, queue[at], j) > sum * (1.0 + TOUCH))
                    continue;
                seen[j] = 1;
                queue[n_seen++] = j;
            }
        uint32_t apart = 0;
        while (apart < b->n && seen[apart])
            apart++;
        char text[256];
        if (apart < b->n)
            good = mesh_say(problems,
                            "%s touches none of the %u balls that ball 0 leads to; a clump in "
                            "several pieces takes pieces = \"apart\"",
                            place_of(b, apart, text), n_seen);
    } else {
        no_memory(problems);
    }
    free(queue);
    free(seen);
    return good;
}

/* ---- instances ---- */

static void destroy(void *instance)
{
    clump *self = instance;
    if (self)
        free(self->balls.x[0]);
    free(self);
}

/** Takes content, centroid and inertia from the moments. */
static void take_moments(clump *self, const config *c, const clump_moments *all)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    const double *m = all->m;
    double mean[6];
    self->content = isnan(c->volume) ? m[M_1] : c->volume;
    for (int k = 0; k < 3; k++)
        self->centroid[k] = m[M_X + k] / m[M_1];
    for (int k = 0; k < 6; k++)
        mean[k] = m[M_XX + k] / m[M_1] - self->centroid[row[k]] * self->centroid[column[k]];
    for (int k = 0; k < 3; k++) {
        self->inertia[k] = mean[(k + 1) % 3] + mean[(k + 2) % 3];
        self->inertia[k + 3] = -mean[k + 3];
    }
}

/** Finds moments about the middle of the balls, so that clumps far from the origin lose no
 * digits. */
static int find_moments(clump *self, const config *c, mesh_lines *problems)
{
    clump_balls *b = &self->balls;
    const int flat = self->host->dimension == 2;
    const double middle[3] = {b->x[0][0], b->x[1][0], b->x[2][0]};
    clump_moments all = {0};
    int good = 1;
    for (int k = 0; k < 3; k++)
        for (uint32_t i = 0; i < b->n; i++)
            b->x[k][i] -= middle[k];
    if (c->overlaps == EACH)
        clump_sum_balls(b, flat, &all);
    else
        good = flat ? clump_unite_discs(b, &all) : clump_unite_balls(b, &all);
    if (!good)
        return no_memory(problems);
    take_moments(self, c, &all);
    for (int k = 0; k < 3; k++) {
        self->centroid[k] += middle[k];
        for (uint32_t i = 0; i < b->n; i++)
            b->x[k][i] += middle[k];
    }
    if (all.error > CLUMP_ERROR)
        scree_logf(self->host, SCREE_LOG_WARNING,
                   "volume and inertia of the union are known to %.1e of their size; expected %.0e",
                   all.error, CLUMP_ERROR);
    return 1;
}

static int take_balls(clump *self, const config *c, mesh_lines *problems)
{
    clump_balls *b = &self->balls;
    if ((c->balls->n > 0) == (c->file != NULL))
        return mesh_say(problems, "expected one of balls and file, got %s",
                        c->file ? "both" : "none");
    if (c->columns.n && !c->file)
        return mesh_say(problems, "columns are those of a file, which is missing");
    return (c->file ? take_file(self->host, c, b, problems)
                    : take_listed(c->balls, self->host->dimension, b, problems)) &&
           check_radii(b, problems) && check_inside(b, problems) &&
           (c->pieces == APART || check_pieces(b, problems));
}

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    const config *c = given;
    mesh_lines problems = {0};
    clump *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for a shape");
    self->host = host;
    if (take_balls(self, c, &problems) && find_moments(self, c, &problems)) {
        const clump_balls *b = &self->balls;
        self->view = (scree_balls){sizeof self->view, b->n, {b->x[0], b->x[1], b->x[2]}, b->r};
        *instance = self;
        mesh_lines_clear(&problems);
        return SCREE_OK;
    }
    destroy(self);
    return mesh_fail(host, &problems);
}

static uint64_t bytes(void *instance)
{
    const clump *self = instance;
    return sizeof *self + (4 * (uint64_t)self->balls.n + 1) * sizeof(double);
}

static int32_t measure(void *instance, scree_measure *out)
{
    const clump *self = instance;
    const clump_balls *b = &self->balls;
    out->n_parts = b->n;
    out->flat = out->dimension == 2;
    out->content = self->content;
    memcpy(out->centroid, self->centroid, sizeof out->centroid);
    memcpy(out->inertia, self->inertia, sizeof out->inertia);
    for (uint32_t i = 0; i < b->n; i++) {
        double square = 0.0;
        for (int k = 0; k < 3; k++)
            square += (b->x[k][i] - self->centroid[k]) * (b->x[k][i] - self->centroid[k]);
        out->radius = scree_max(out->radius, sqrt(square) + b->r[i]);
    }
    return SCREE_OK;
}

/** Turns the inertia tensor into axes that q turns into the current ones: by columns, then by
 * rows. */
static void turn_tensor(const double q[4], double inertia[6])
{
    static const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    double t[3][3], half[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            t[i][j] = inertia[at[i][j]];
    for (int i = 0; i < 3; i++)
        scree_rotate_back(q, t[i], half[i]);
    for (int j = 0; j < 3; j++) {
        const double column[3] = {half[0][j], half[1][j], half[2][j]};
        double turned[3];
        scree_rotate_back(q, column, turned);
        for (int i = 0; i <= j; i++)
            inertia[at[i][j]] = turned[i];
    }
}

static int32_t place(void *instance, const scree_frame *frame)
{
    clump *self = instance;
    clump_balls *b = &self->balls;
    for (uint32_t i = 0; i < b->n; i++) {
        double p[3] = {b->x[0][i], b->x[1][i], b->x[2][i]};
        given_enter(frame, 1, p);
        for (int k = 0; k < 3; k++)
            b->x[k][i] = p[k];
    }
    given_enter(frame, 1, self->centroid);
    turn_tensor(frame->q, self->inertia);
    return SCREE_OK;
}

static int32_t view(void *instance, const char *name, double tolerance, const void **out)
{
    const clump *self = instance;
    (void)tolerance;
    *out = strcmp(name, SCREE_VIEW_BALLS) == 0 ? &self->view : NULL;
    return SCREE_OK;
}

/* ---- descriptor ---- */

SCREE_REAL_ROWS_PARAM(config, balls, 0, "m", SCREE_PARAM_OPTIONAL, -1e50, 1e50,
                      "centre and radius of each, (x, y, z, radius), in 2D (x, y, radius)");
SCREE_FILE_PARAM(config, file, SCREE_PARAM_OPTIONAL,
                 "table with the columns x, y, z (not in 2D) and radius; instead of balls");
SCREE_STRINGS_PARAM(
    config, columns, 0, SCREE_PARAM_OPTIONAL,
    "names of the columns of file, \"-\" to skip one; absent: its first line names them");
SCREE_CHOICE_VALUE(once, ONCE, "once: the body is the union of its balls");
SCREE_CHOICE_VALUE(each, EACH, "for each ball: it has the sum of their masses");
SCREE_CHOICE_PARAM(config, overlaps, 0, "once", "how often what several balls share counts",
                   &choice_once, &choice_each);
SCREE_CHOICE_VALUE(touching, TOUCHING, "each ball touches others, and they lead to all");
SCREE_CHOICE_VALUE(apart, APART, "balls that touch no others are allowed");
SCREE_CHOICE_PARAM(config, pieces, 0, "touching", "whether all balls hang together",
                   &choice_touching, &choice_apart);
SCREE_REAL_PARAM(
    config, volume, NULL, SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 0, HUGE_VAL,
    "m^3, in 2D m^2: takes the place of the computed one. Mass is density times it: where a "
    "body has been weighed, give mass / density");
static const scree_param *const params[] = {&param_balls,    &param_file,   &param_columns,
                                            &param_overlaps, &param_pieces, &param_volume};

static const scree_shape_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = destroy,
    .bytes = bytes,
    .measure = measure,
    .place = place,
    .view = view,
};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_SHAPE,
    .flags = SCREE_CAP_BALLS | SCREE_CAP_USES_LIBM,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "clump",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "balls fixed together, in 2D discs; they may overlap",
    .summary =
        "A body of balls, which resolvers and laws of balls serve. Volume, centroid and inertia "
        "are "
        "those of the union, exact in 2D and where no three balls overlap each other, so for two "
        "balls, and integrated to a relative error of 1e-9 otherwise; a larger one is reported. A "
        "ball inside another one is refused, and one that touches no others unless it is allowed. "
        "Mistakes name balls by number, from 0, and in files the line.",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
