// SPDX-License-Identifier: Apache-2.0
// The parts of a solid: from lists of the scene, or from a table that a packing was written to.
#include "level.h"

#include "../../bodies_table.h"
#include "../given.h"

enum { X, Y, Z, Q0, Q1, Q2, Q3, SCALE, RADIUS, DIAMETER, PART, STEP, SHAPE, N_COLUMNS };
enum { N_OTHERS = SCREE_COUNT(bodies_table_others) };

#define COLUMN(name_, type_, unit_)                                                                \
    {                                                                                              \
        sizeof(scree_file_column), SCREE_COLUMN_##type_, name_, unit_                              \
    }
static const scree_file_column columns[N_COLUMNS] = {
    [X] = COLUMN("x", REAL, "m"),
    [Y] = COLUMN("y", REAL, "m"),
    [Z] = COLUMN("z", REAL, "m"),
    [Q0] = COLUMN("q0", REAL, NULL),
    [Q1] = COLUMN("q1", REAL, NULL),
    [Q2] = COLUMN("q2", REAL, NULL),
    [Q3] = COLUMN("q3", REAL, NULL),
    [SCALE] = COLUMN("scale", REAL, NULL),
    [RADIUS] = COLUMN("radius", REAL, "m"),
    [DIAMETER] = COLUMN("diameter", REAL, "m"),
    [PART] = COLUMN("part", WHOLE, NULL),
    [STEP] = COLUMN("(step)", WHOLE, NULL),
    [SHAPE] = COLUMN("(shape)", TEXT, NULL),
}; // those in brackets get a name only in a table of observer/csv

/* The names of these columns there. */
static const struct {
    int column;
    scree_file_column as;
} own_columns[] = {{Q0, COLUMN("qw", REAL, NULL)},      {Q1, COLUMN("qx", REAL, NULL)},
                   {Q2, COLUMN("qy", REAL, NULL)},      {Q3, COLUMN("qz", REAL, NULL)},
                   {STEP, COLUMN("step", WHOLE, NULL)}, {SHAPE, COLUMN("shape", TEXT, NULL)}};
static const char *const own_others[] = {"id", "vx", "vy", "vz", "wx", "wy", "wz", "shape_name"};

static int32_t say(const parts *p, mesh_lines *problems)
{
    return mesh_fail(p->host, problems);
}

/** Sets the rotation from a quaternion of any length. 0: it has none. */
static int set_turn(const double given[4], part *v)
{
    double q[4], length = 0.0;
    for (int k = 0; k < 4; k++)
        length += given[k] * given[k];
    length = sqrt(length);
    if (!(length > 1e-100 && length < 1e100))
        return 0;
    for (int k = 0; k < 4; k++)
        q[k] = given[k] / length;
    for (int j = 0; j < 3; j++) {
        double axis[3] = {j == 0, j == 1, j == 2};
        scree_rotate_back(q, axis, axis);
        for (int k = 0; k < 3; k++)
            v->turn[k][j] = axis[k];
    }
    return 1;
}

static part plain_part(void)
{
    return (part){
        .turn = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, .scale = 1.0, .strength = 1.0};
}

/** Takes the number of a nested shape, from 1. */
static int set_kind(const parts *p, const char *where, int64_t number, part *v,
                    mesh_lines *problems)
{
    if (number < 1 || number > PARTS_KINDS || !p->kind[number - 1].view)
        return mesh_say(
            problems,
            "%s: expected the number of a given shape (1: first, 2: second, 3: third, 4: "
            "fourth), got %lld",
            where, (long long)number);
    v->kind = (uint32_t)(number - 1);
    return 1;
}

/* ---- lists ---- */

static int check_length(const char *name, uint64_t got, uint64_t n, mesh_lines *problems)
{
    return got == 0 || got == n ||
           mesh_say(problems, "%s: expected %llu of them, one for each place, got %llu", name,
                    (unsigned long long)n, (unsigned long long)got);
}

static int read_lists(parts *p, const parts_config *c, mesh_lines *problems)
{
    const uint64_t n = c->places->n;
    if (!check_length("of", c->of.n, n, problems) ||
        !check_length("turns", c->turns->n, n, problems) ||
        !check_length("scales", c->scales.n, n, problems))
        return 0;
    for (uint64_t i = 0; i < n; i++) {
        part *v = &p->v[i];
        char where[32];
        snprintf(where, sizeof where, "of[%llu]", (unsigned long long)i);
        memcpy(v->centre, c->places->v + c->places->first[i], sizeof v->centre);
        v->scale = c->scales.n ? c->scales.v[i] : 1.0;
        if (!set_kind(p, where, c->of.n ? c->of.v[i] : 1, v, problems))
            return 0;
        if (c->turns->n && !set_turn(c->turns->v + c->turns->first[i], v))
            return mesh_say(problems, "turns[%llu]: expected a quaternion, got one without length",
                            (unsigned long long)i);
    }
    return 1;
}

/** Without places each given shape is at the origin, once. */
static void read_none(parts *p)
{
    uint64_t n = 0;
    for (uint32_t k = 0; k < PARTS_KINDS; k++)
        if (p->kind[k].view)
            p->v[n++].kind = k;
}

/* ---- tables ---- */

static int check_columns(const scree_file_rows *t, const char *file, mesh_lines *problems)
{
    const int turned = (t->real[Q0] != NULL) + (t->real[Q1] != NULL) + (t->real[Q2] != NULL) +
                       (t->real[Q3] != NULL);
    const int sized =
        (t->real[SCALE] != NULL) + (t->real[RADIUS] != NULL) + (t->real[DIAMETER] != NULL);
    for (int k = X; k <= Z; k++)
        if (!t->real[k])
            return mesh_say(problems, "%s has no column '%s'", file, columns[k].name);
    if (turned % 4 != 0)
        return mesh_say(problems, "%s has not all of the columns q0, q1, q2, q3", file);
    return sized <= 1 ||
           mesh_say(problems, "%s has more than one of scale, radius and diameter", file);
}

static double scale_of(const parts *p, const scree_file_rows *t, uint32_t i, const part *v)
{
    return t->real[SCALE]      ? t->real[SCALE][i]
           : t->real[RADIUS]   ? t->real[RADIUS][i] / p->kind[v->kind].equal
           : t->real[DIAMETER] ? 0.5 * t->real[DIAMETER][i] / p->kind[v->kind].equal
                               : 1.0;
}

/** Row i as part v. */
static int read_row(const parts *p, const scree_file_rows *t, uint32_t i, const char *file, part *v,
                    mesh_lines *problems)
{
    char where[256];
    snprintf(where, sizeof where, "%.200s:%u: part", file, t->line[i]);
    if (!set_kind(p, where, t->whole[PART] ? (int64_t)t->whole[PART][i] : 1, v, problems))
        return 0;
    for (int k = 0; k < 3; k++)
        v->centre[k] = t->real[X + k][i];
    v->scale = scale_of(p, t, i, v);
    if (!(v->scale > 0.0 && v->scale < 1e100))
        return mesh_say(problems, "%s:%u: expected a size > 0", file, t->line[i]);
    if (!t->real[Q0])
        return 1;
    const double q[4] = {t->real[Q0][i], t->real[Q1][i], t->real[Q2][i], t->real[Q3][i]};
    return set_turn(q, v) ||
           mesh_say(problems, "%s:%u: expected a quaternion, got one without length", file,
                    t->line[i]);
}

/** Makes room for n parts. */
static int make_room(parts *p, uint64_t n, mesh_lines *problems)
{
    if (n == 0 || n > UINT32_MAX / 64)
        return mesh_say(problems, "expected 1 to %u parts, got %llu", UINT32_MAX / 64,
                        (unsigned long long)n);
    if (!scree_grow(&p->v, &p->room, n, sizeof *p->v))
        return mesh_say(problems, "no memory for %llu parts", (unsigned long long)n);
    for (p->n = 0; p->n < n; p->n++)
        p->v[p->n] = plain_part();
    return 1;
}

/** In a table of observer/csv only the balls of the last observation are parts. */
static int is_part(const scree_file_rows *t, uint32_t i)
{
    return !t->text[SHAPE] || strcmp(t->text[SHAPE][i], "0") == 0;
}

static int read_rows(parts *p, const scree_file_rows *t, const char *file, mesh_lines *problems)
{
    const uint32_t first = t->whole[STEP] && t->n ? bodies_table_last(t->n, t->whole[STEP]) : 0;
    uint32_t n = 0;
    for (uint32_t i = first; i < t->n; i++)
        n += (uint32_t)is_part(t, i);
    if (!make_room(p, n, problems))
        return 0;
    for (uint32_t i = first, at = 0; i < t->n; i++)
        if (is_part(t, i) && !read_row(p, t, i, file, &p->v[at++], problems))
            return 0;
    return 1;
}

/** Sets the columns to look for; returns their number. */
static uint32_t name_columns(int own, scree_file_column *others, const scree_file_column **known)
{
    uint32_t n = 0;
    for (; n < N_COLUMNS; n++)
        known[n] = &columns[n];
    if (!own)
        return n;
    for (size_t k = 0; k < SCREE_COUNT(own_columns); k++)
        known[own_columns[k].column] = &own_columns[k].as;
    for (uint32_t k = 0; k < N_OTHERS + SCREE_COUNT(own_others); k++) {
        const char *name = k < N_OTHERS ? bodies_table_others[k] : own_others[k - N_OTHERS];
        others[k] = (scree_file_column){sizeof *others, SCREE_COLUMN_TEXT, name, NULL};
        known[n++] = &others[k];
    }
    return n;
}

static int read_table(parts *p, const parts_config *c, mesh_lines *problems)
{
    scree_file_column others[N_OTHERS + SCREE_COUNT(own_others)];
    const scree_file_column *known[N_COLUMNS + SCREE_COUNT(others)];
    scree_file_rows rows = {.size = sizeof rows};
    const scree_files *files = scree_files_of(p->host);
    const int32_t own = c->columns.n || !files ? 0 : bodies_table_is(files, c->file);
    const scree_file_request request = {.size = sizeof request,
                                        .n_known = name_columns(own > 0, others, known),
                                        .path = c->file,
                                        .known = known,
                                        .columns = c->columns};
    if (!files || own < 0 || files->table(files->ctx, &request, &rows) < 0)
        return mesh_say(problems, "%s cannot be read", c->file); // the host has said why
    return check_columns(&rows, c->file, problems) && read_rows(p, &rows, c->file, problems);
}

/* ---- all ---- */

static int read_strengths(parts *p, const parts_config *c, mesh_lines *problems)
{
    if (c->strengths.n && isnan(c->decay))
        return mesh_say(problems, "strengths are those of a blend, and decay is missing");
    if (!check_length("strengths", c->strengths.n, p->n, problems))
        return 0;
    for (uint64_t i = 0; i < c->strengths.n; i++)
        p->v[i].strength = c->strengths.v[i];
    return 1;
}

static int read_parts(parts *p, const parts_config *c, mesh_lines *problems)
{
    uint64_t n_kinds = 0;
    for (uint32_t k = 0; k < PARTS_KINDS; k++)
        n_kinds += p->kind[k].view != NULL;
    if (c->file && (c->places->n || c->turns->n || c->scales.n || c->of.n))
        return mesh_say(problems, "expected one of file and places, with of, turns and scales, got "
                                  "both");
    if (c->columns.n && !c->file)
        return mesh_say(problems, "columns are those of a table, and file names none");
    if (c->file)
        return read_table(p, c, problems);
    if (!c->places->n && (c->turns->n || c->scales.n || c->of.n))
        return mesh_say(problems, "of, turns and scales belong to places, which are missing");
    if (!make_room(p, c->places->n ? c->places->n : n_kinds, problems))
        return 0;
    if (c->places->n)
        return read_lists(p, c, problems);
    read_none(p);
    return 1;
}

int32_t parts_read(parts *p, const parts_config *c)
{
    mesh_lines problems = {0};
    if (read_parts(p, c, &problems) && read_strengths(p, c, &problems))
        return SCREE_OK;
    return say(p, &problems);
}
