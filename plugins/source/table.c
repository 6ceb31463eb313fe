// SPDX-License-Identifier: Apache-2.0
/*
 * Source `table`: bodies from the rows of a text file, CSV or white space.
 *
 * Columns: x, y, z, and optionally id, vx, vy, vz, wx, wy, wz, radius or diameter or scale,
 * material, shape, motion, q0 to q3 or angle, and body fields of plugins. The group gives other
 * values. x, y, z and the turn refer to the shape as the scene describes it, as do `position` and
 * `orientation` of a body.
 *
 * The table of observer/csv (what = "bodies") is read as it is: the bodies of its last observation, each where it was.
 * It names shapes by `shape_name`, gives places of centroids and turns of principal axes, and the radius of the ball
 * that holds a body.
 *
 * Cost: a pass over the file, and one array per column.
 */
#include "../bodies_table.h"
#include "rows.h"

enum {
    ID,
    X,
    Y,
    Z,
    VX,
    VY,
    VZ,
    WX,
    WY,
    WZ,
    RADIUS,
    DIAMETER,
    SCALE,
    MATERIAL,
    SHAPE,
    MOTION,
    Q0,
    Q1,
    Q2,
    Q3,
    ANGLE,
    STEP, // of observer/csv
    NUMBER,
    N_COLUMNS
};
enum {
    MOST_FIELDS = 32,
    MOST_COMPONENTS = 9,
    N_OTHERS = SCREE_COUNT(bodies_table_others),
    MOST_KNOWN = N_COLUMNS + MOST_FIELDS * 10 + N_OTHERS
};

typedef struct table_config {
    packing_config packing; // only `body` is used
    const char *file;
    scree_strings columns, body_fields;
} table_config;

typedef struct table_source {
    const scree_host *host;
    const table_config *config;
    const scree_files *files;
    const scree_names *names;
    scree_file_rows file; // rows from its first read, because make() may be called in each step
    int is_read;
    int is_own;     // the file is of observer/csv; then:
    uint32_t mass;  // its column `mass`, inf where a body was not free
    uint32_t first; // row from which bodies are made
} table_source;

/* The state of one call of make(). */
typedef struct reading {
    packing p;
    const table_source *self;
    const scree_file_rows *file;
    rows rows;
} reading;

#define COLUMN(name_, type_, unit_)                                                                \
    {                                                                                              \
        sizeof(scree_file_column), SCREE_COLUMN_##type_, name_, unit_                              \
    }
static const scree_file_column columns[N_COLUMNS] = {
    [ID] = COLUMN("id", WHOLE, NULL),
    [X] = COLUMN("x", REAL, "m"),
    [Y] = COLUMN("y", REAL, "m"),
    [Z] = COLUMN("z", REAL, "m"),
    [VX] = COLUMN("vx", REAL, "m/s"),
    [VY] = COLUMN("vy", REAL, "m/s"),
    [VZ] = COLUMN("vz", REAL, "m/s"),
    [WX] = COLUMN("wx", REAL, "rad/s"),
    [WY] = COLUMN("wy", REAL, "rad/s"),
    [WZ] = COLUMN("wz", REAL, "rad/s"),
    [RADIUS] = COLUMN("radius", REAL, "m"),
    [DIAMETER] = COLUMN("diameter", REAL, "m"),
    [SCALE] = COLUMN("scale", REAL, NULL),
    [MATERIAL] = COLUMN("material", MATERIAL, NULL),
    [SHAPE] = COLUMN("shape", SHAPE, NULL),
    [MOTION] = COLUMN("motion", TEXT, NULL),
    [Q0] = COLUMN("q0", REAL, NULL),
    [Q1] = COLUMN("q1", REAL, NULL),
    [Q2] = COLUMN("q2", REAL, NULL),
    [Q3] = COLUMN("q3", REAL, NULL),
    [ANGLE] = COLUMN("angle", REAL, "rad"),
    [STEP] = COLUMN("(step)", WHOLE, NULL),
    [NUMBER] = COLUMN("(shape)", TEXT, NULL),
}; // those in brackets get a name only in a table of observer/csv

/* Names and types of these columns in a table of observer/csv. */
static const struct {
    int column;
    scree_file_column as;
} own_columns[] = {{Q0, COLUMN("qw", REAL, NULL)},
                   {Q1, COLUMN("qx", REAL, NULL)},
                   {Q2, COLUMN("qy", REAL, NULL)},
                   {Q3, COLUMN("qz", REAL, NULL)},
                   {SHAPE, COLUMN("shape_name", TEXT, NULL)},
                   {STEP, COLUMN("step", WHOLE, NULL)},
                   {NUMBER, COLUMN("shape", TEXT, NULL)}};

static int has(const scree_file_rows *file, int column)
{
    return file->real[column] || file->whole[column] || file->text[column];
}

/* Finds the column of the size, or -1. */
static int size_column(const scree_file_rows *file)
{
    return has(file, RADIUS)     ? RADIUS
           : has(file, DIAMETER) ? DIAMETER
           : has(file, SCALE)    ? SCALE
                                 : -1;
}

static int is_wall(const scree_shape *shape)
{
    return (shape->flags & (SCREE_CAP_WALL | SCREE_CAP_INFINITE)) != 0;
}

/* [m] Radius of the sphere, or disc, of equal volume at scale 1. */
static double equal_radius(const scree_shape *shape)
{
    return is_wall(shape)                     ? 1.0
           : (shape->flags & SCREE_CAP_ROUND) ? shape->radius
           : shape->flat                      ? sqrt(shape->volume / PI)
                                              : cbrt(0.75 * shape->volume / PI);
}

/* Do the columns agree with each other, and with the group? */
static int check_turns(reading *r)
{
    const scree_file_rows *t = r->file;
    const scree_recipe *body = r->p.config->body;
    const int parts = has(t, Q0) + has(t, Q1) + has(t, Q2) + has(t, Q3);
    int good = 1;
    if (parts && parts < 4)
        good =
            rows_problem(&r->rows, 0, "%s has not all of the columns q0, q1, q2, q3", r->rows.file);
    if (parts && has(t, ANGLE))
        good = rows_problem(&r->rows, 0, "%s has an angle and a quaternion", r->rows.file);
    if (has(t, ANGLE) && r->p.dimension == 3)
        good = rows_problem(&r->rows, 0, "%s: a column 'angle' is for 2D; q0 to q3 are possible",
                            r->rows.file);
    if ((parts || has(t, ANGLE)) && (body->random_orientation || body->turn[0] != 1.0))
        good = rows_problem(&r->rows, 0, "%s has orientations, but the group gives one too",
                            r->rows.file);
    return good;
}

static int check_columns(reading *r)
{
    const scree_file_rows *t = r->file;
    const scree_recipe *body = r->p.config->body;
    const char *file = r->rows.file;
    const int size = size_column(t), round = (r->p.shape->flags & SCREE_CAP_ROUND) != 0;
    int good = 1;
    for (uint32_t k = 0; k < r->p.dimension; k++)
        if (!has(t, X + (int)k))
            good = rows_problem(&r->rows, 0, "%s has no column '%s'", file, columns[X + k].name);
    if (has(t, RADIUS) && has(t, DIAMETER))
        good = rows_problem(&r->rows, 0, "%s has a radius and a diameter", file);
    if (has(t, SCALE) && (has(t, RADIUS) || has(t, DIAMETER)))
        good = rows_problem(&r->rows, 0, "%s has a scale and another size", file);
    if (r->self->is_own && !has(t, RADIUS))
        good = rows_problem(&r->rows, 0,
                            "%s: expected a column 'radius', as observer csv writes it", file);
    else if (!body->sizes && size < 0 && round && !has(t, SHAPE))
        good = rows_problem(&r->rows, 0, "%s has no column 'radius', and the group has no radius",
                            file);
    if (body->material == SCREE_NONE && !has(t, MATERIAL))
        good = rows_problem(&r->rows, 0,
                            "%s has no column 'material', and the group has no material", file);
    if (body->sizes && (size >= 0 || has(t, SHAPE)))
        good = rows_problem(&r->rows, 0, "%s has sizes, but the group gives one too", file);
    return check_turns(r) && good;
}

/* Reads shape and scale of a row of observer/csv, whose radius is that of the ball that holds the
 * body. */
static int read_own_shape(reading *r, uint32_t i, row *one)
{
    const scree_names *names = r->self->names;
    const char *const *text = r->file->text[SHAPE];
    if (text)
        one->shape = names->shape(names->ctx, text[i]);
    if (one->shape == SCREE_NONE)
        return rows_problem(&r->rows, one->line, "the scene has no shape \"%.80s\"", text[i]);
    const scree_shape *shape = r->p.args->bodies->shapes[one->shape];
    if (shape->flat && r->p.dimension == 3)
        return rows_problem(&r->rows, one->line, "shape %s is for scenes in 2D",
                            text ? text[i] : "of the group");
    if (shape->flags & SCREE_CAP_INFINITE)
        return 1;
    one->scale = r->file->real[RADIUS][i] / shape->radius;
    return one->scale > 0.0 || rows_problem(&r->rows, one->line, "radius: expected a number > 0");
}

/* Reads the shape of the row by its name, and sets the resulting scale. */
static int read_shape(reading *r, uint32_t i, row *one)
{
    const scree_names *names = r->self->names;
    const char *const *text = r->file->text[SHAPE];
    const int size = size_column(r->file);
    const scree_shape *shape = r->p.shape;
    double own = (shape->flags & SCREE_CAP_ROUND) ? (double)NAN : 1.0;
    if (text) {
        one->shape = names->shape(names->ctx, text[i]);
        own = names->shape_scale(names->ctx, text[i]);
        shape = r->p.args->bodies->shapes[one->shape];
        if (shape->flat && r->p.dimension == 3)
            return rows_problem(&r->rows, one->line, "shape %s is for scenes in 2D", text[i]);
        one->scale = own;
    }
    if (size < 0 && text && isnan(own))
        return rows_problem(&r->rows, one->line, "shape %s has no size, and there is no radius",
                            text[i]);
    if (size < 0)
        return 1;
    const double value = r->file->real[size][i];
    const int length = size != SCALE;
    if (length && !isnan(own) && ((shape->flags & SCREE_CAP_ROUND) || is_wall(shape)))
        return rows_problem(&r->rows, one->line, "shape %s has its size already",
                            text ? text[i] : "of the group");
    one->scale = length ? (size == DIAMETER ? 0.5 * value : value) / equal_radius(shape)
                        : value * (isnan(own) ? 1.0 : own);
    if (value > 0.0)
        return 1;
    return rows_problem(&r->rows, one->line, "%s: expected a number > 0, got %g",
                        columns[size].name, value);
}

/* Reads the motion of the row; a body without mass is fixed, unless the row has another motion. So is
 * one that was not free in the run of a table of observer/csv. */
static int read_motion(reading *r, uint32_t i, row *one)
{
    static const char *const words[] = {"free", "kinematic", "fixed"};
    const char *const *text = r->file->text[MOTION];
    const int wall = is_wall(r->p.args->bodies->shapes[one->shape]);
    if (!text) {
        const char *const *mass = r->self->is_own ? r->file->text[r->self->mass] : NULL;
        if ((wall || (mass && strcmp(mass[i], "inf") == 0)) && one->motion == SCREE_MOTION_FREE)
            one->motion = SCREE_MOTION_FIXED;
        return 1;
    }
    uint32_t found = 0;
    while (found < SCREE_COUNT(words) && strcmp(words[found], text[i]) != 0)
        found++;
    one->motion = found;
    if (found == SCREE_COUNT(words))
        return rows_problem(&r->rows, one->line,
                            "motion = '%.40s': expected free, kinematic or fixed", text[i]);
    if (wall && found == SCREE_MOTION_FREE)
        return rows_problem(&r->rows, one->line,
                            "a mesh, a box or a plane has no mass and cannot be free");
    return 1;
}

static int read_turn(reading *r, uint32_t i, row *one)
{
    const double *const *real = r->file->real;
    double length = 0.0;
    if (real[ANGLE]) {
        one->q[0] = cos(0.5 * real[ANGLE][i]);
        one->q[3] = sin(0.5 * real[ANGLE][i]);
        one->q[1] = one->q[2] = 0.0;
    }
    if (!real[Q0])
        return 1;
    for (int k = 0; k < 4; k++) {
        one->q[k] = real[Q0 + k][i];
        length += one->q[k] * one->q[k];
    }
    length = sqrt(length);
    if (!(length > 1e-100 && length < 1e100))
        return rows_problem(&r->rows, one->line, "a quaternion of length %g is not a rotation",
                            length);
    if (r->p.dimension == 2 && (one->q[1] != 0.0 || one->q[2] != 0.0))
        return rows_problem(&r->rows, one->line, "in 2D q1 and q2 are 0");
    for (int k = 0; k < 4; k++)
        one->q[k] /= length;
    return 1;
}

static int read_row(reading *r, uint32_t i, row *one)
{
    const scree_file_rows *t = r->file;
    one->line = t->line[i];
    for (int k = 0; k < 3; k++) {
        if (t->real[X + k])
            one->x[k] = t->real[X + k][i];
        if (t->real[VX + k])
            one->v[k] = t->real[VX + k][i];
        if (t->real[WX + k])
            one->w[k] = t->real[WX + k][i];
    }
    if (t->whole[ID])
        one->id = t->whole[ID][i];
    if (t->whole[MATERIAL])
        one->material = (uint32_t)t->whole[MATERIAL][i];
    if (r->p.dimension == 2 && one->x[2] != 0.0)
        return rows_problem(&r->rows, one->line, "in 2D z, vz, wx and wy are 0");
    return (r->self->is_own ? read_own_shape : read_shape)(r, i, one) && read_motion(r, i, one) &&
           read_turn(r, i, one);
}

/* Reads the bodies of this call, from row args->first on. */
static void read_rows(reading *r)
{
    const scree_making *args = r->p.args;
    const uint32_t first = r->self->first, n = r->file->n - first;
    for (uint64_t i = args->first; i < n && r->rows.n < args->most; i++) {
        row one = rows_begin(&r->p, i);
        if (read_row(r, first + (uint32_t)i, &one))
            rows_put(&r->rows, &one, first + (uint32_t)i);
        else if (!rows_go_on(&r->rows))
            return;
    }
}

/* ---- start values of body fields ---- */

/* Columns of one field: NAME, or NAME_0, NAME_1 and so on. */
typedef struct field_columns {
    char name[1 + MOST_COMPONENTS][2 * SCREE_MAX_NAME + 4];
    scree_file_column column[1 + MOST_COMPONENTS];
    const double *v[MOST_COMPONENTS];
    scree_start_field field;
} field_columns;

typedef struct field_list {
    uint32_t n;
    field_columns *each; // [n]
    double *values;
    const scree_start_field **fields;
} field_list;

static void clear_fields(field_list *l)
{
    free(l->each);
    free(l->values);
    free(l->fields);
}

/* Adds the descriptions of each field's columns, for the host, to known[N_COLUMNS ..]. */
static int32_t name_fields(const table_source *self, field_list *l, const scree_file_column **known,
                           uint32_t *n_known)
{
    const scree_strings *names = &self->config->body_fields;
    if (names->n > MOST_FIELDS)
        return scree_failf(self->host, SCREE_E_CONFIG, "body_fields: %llu names; at most %d",
                           (unsigned long long)names->n, MOST_FIELDS);
    l->each = (field_columns *)calloc(names->n + 1, sizeof *l->each);
    if (!l->each)
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for the fields");
    l->n = (uint32_t)names->n;
    for (uint32_t f = 0; f < l->n; f++) {
        field_columns *one = &l->each[f];
        if (!*names->v[f] || strlen(names->v[f]) > 2 * SCREE_MAX_NAME)
            return scree_failf(self->host, SCREE_E_CONFIG,
                               "body_fields: '%.80s' is not the name of a field", names->v[f]);
        for (int k = 0; k <= MOST_COMPONENTS; k++) {
            if (k == 0)
                strcpy(one->name[0], names->v[f]);
            else
                snprintf(one->name[k], sizeof one->name[k], "%s_%d", names->v[f], k - 1);
            one->column[k] =
                (scree_file_column){sizeof one->column[k], SCREE_COLUMN_REAL, one->name[k], NULL};
            known[(*n_known)++] = &one->column[k];
        }
    }
    return SCREE_OK;
}

/* Finds the file's columns of field f. */
static int find_values(reading *r, field_columns *one, uint32_t f)
{
    const double *const *real = r->file->real + N_COLUMNS + f * (1 + MOST_COMPONENTS);
    uint32_t n = 0;
    while (n < MOST_COMPONENTS && real[1 + n])
        n++;
    if ((n > 0) == (real[0] != NULL))
        return rows_problem(&r->rows, 0, "%s: expected a column '%s', or '%s' and so on",
                            r->rows.file, one->name[0], one->name[1]);
    for (uint32_t k = 0; k < n; k++)
        one->v[k] = real[1 + k];
    if (real[0])
        one->v[0] = real[0];
    one->field = (scree_start_field){
        .size = sizeof one->field, .components = n ? n : 1, .name = one->name[0], .v = one->v};
    return 1;
}

/* Reads start values of the rows that became bodies. */
static int32_t take_fields(reading *r, field_list *l)
{
    size_t n = 0, at = 0;
    int good = 1;
    for (uint32_t f = 0; f < l->n; f++) {
        good = find_values(r, &l->each[f], f) && good;
        n += l->each[f].field.components;
    }
    if (!good)
        return SCREE_E_CONFIG;
    l->values = (double *)malloc((n * r->rows.n + 1) * sizeof *l->values);
    l->fields = (const scree_start_field **)calloc(l->n + 1, sizeof(void *));
    if (!l->values || !l->fields)
        return r->self->host->fail(r->self->host->ctx, SCREE_E_MEMORY, "no memory for the fields");
    for (uint32_t f = 0; f < l->n; f++) {
        for (uint32_t k = 0; k < l->each[f].field.components; k++, at += r->rows.n) {
            for (uint32_t i = 0; i < r->rows.n; i++)
                l->values[at + i] = l->each[f].v[k][r->rows.source[i]];
            l->each[f].v[k] = l->values + at;
        }
        l->fields[f] = &l->each[f].field;
    }
    return SCREE_OK;
}

/* ---- calls ---- */

/* Reads the rows of the file, and adds them. */
static int32_t take_rows(reading *r, field_list *fields)
{
    int32_t code = rows_init(&r->rows, r->self->host, r->p.args, r->self->config->file, r->file->n);
    if (code < 0)
        return code;
    r->rows.has_ids = r->file->whole[ID] != NULL;
    if (r->self->is_own)
        r->rows.frame = SCREE_FRAME_PRINCIPAL;
    code = check_columns(r) ? SCREE_OK : SCREE_E_CONFIG;
    if (code == SCREE_OK) {
        read_rows(r);
        code = take_fields(r, fields);
    }
    if (code == SCREE_OK)
        code = rows_add(&r->rows, fields->n, fields->fields);
    if (code == SCREE_OK && r->rows.wrong)
        code = SCREE_E_CONFIG;
    rows_clear(&r->rows);
    return code;
}

/* Adds the columns of a table of observer/csv; returns their number. */
static uint32_t name_own(table_source *self, const scree_file_column **known, uint32_t n,
                         scree_file_column *others)
{
    for (uint32_t k = 0; k < N_OTHERS; k++) {
        others[k] =
            (scree_file_column){sizeof *others, SCREE_COLUMN_TEXT, bodies_table_others[k], NULL};
        if (strcmp(bodies_table_others[k], "mass") == 0)
            self->mass = n;
        known[n++] = &others[k];
    }
    for (size_t k = 0; k < SCREE_COUNT(own_columns); k++)
        known[own_columns[k].column] = &own_columns[k].as;
    return n;
}

/* Reads the file. `known` has the columns of a source, then those of the fields. */
static int32_t read_file(table_source *self, const scree_file_column **known, uint32_t n_known)
{
    scree_file_column others[N_OTHERS];
    const int32_t own =
        self->config->columns.n ? 0 : bodies_table_is(self->files, self->config->file);
    if (own < 0)
        return own;
    if (own)
        n_known = name_own(self, known, n_known, others);
    const scree_file_request request = {.size = sizeof request,
                                        .n_known = n_known,
                                        .path = self->config->file,
                                        .known = known,
                                        .columns = self->config->columns};
    const int32_t code = self->files->table(self->files->ctx, &request, &self->file);
    self->is_read = code == SCREE_OK;
    self->is_own = own;
    if (code == SCREE_OK && own && self->file.n)
        self->first = bodies_table_last(self->file.n, self->file.whole[STEP]);
    return code;
}

static int32_t make(void *instance, const scree_making *args)
{
    table_source *self = (table_source *)instance;
    const scree_file_column *known[MOST_KNOWN];
    uint32_t n_known = 0;
    field_list fields = {0};
    reading r = {.self = self};
    for (; n_known < N_COLUMNS; n_known++)
        known[n_known] = &columns[n_known];
    int32_t code = name_fields(self, &fields, known, &n_known);
    self->file.size = sizeof self->file;
    if (code == SCREE_OK && !self->is_read)
        code = read_file(self, known, n_known);
    if (code == SCREE_OK) {
        r.file = &self->file;
        rows_recipe(&r.p, self->host, &self->config->packing, args);
        code = take_rows(&r, &fields);
    }
    clear_fields(&fields);
    return code;
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    table_source *self = (table_source *)calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "out of memory");
    self->host = host;
    self->config = (const table_config *)config;
    self->files = scree_files_of(host);
    self->names = (const scree_names *)host->get_service(host->ctx, SCREE_SERVICE_NAMES);
    if (self->files && self->names) {
        *instance = self;
        return SCREE_OK;
    }
    free(self);
    return host->fail(host->ctx, SCREE_E_UNSUPPORTED, "this host gives no " SCREE_SERVICE_NAMES);
}

static void destroy(void *instance)
{
    free(instance);
}

static uint64_t bytes(void *instance)
{
    return instance ? sizeof(table_source) : 0;
}

static const scree_param param_body = {.size = sizeof(scree_param),
                                       .type = SCREE_TYPE_RECIPE,
                                       .flags = SCREE_PARAM_OPTIONAL | SCREE_PARAM_INLINE,
                                       .offset = PACKING_OFFSET(table_config, body),
                                       .name = "body",
                                       .help = "the recipe for what the file does not say"};
SCREE_FILE_PARAM(table_config, file, SCREE_PARAM_REQUIRED, "the table, CSV or white space");
#define STRINGS_PARAM(id, help_)                                                                   \
    static const scree_param param_##id = {.size = sizeof(scree_param),                            \
                                           .type = SCREE_TYPE_STRING_ARRAY,                        \
                                           .flags = SCREE_PARAM_OPTIONAL,                          \
                                           .offset = offsetof(table_config, id),                   \
                                           .name = #id,                                            \
                                           .help = help_}
STRINGS_PARAM(columns, "names of the columns, \"-\" to skip one; absent: the file names them");
STRINGS_PARAM(body_fields,
              "body fields of plugins, NAME or SLOT/NAME, that columns of that name (with "
              "several components NAME_0, NAME_1, ..) give start values, in SI units");
static const scree_param *const params[] = {&param_body, &param_file, &param_columns,
                                            &param_body_fields};

static const scree_source_ops ops = {.size = sizeof(scree_source_ops),
                                     .create = create,
                                     .destroy = destroy,
                                     .bytes = bytes,
                                     .make = make};

static const scree_plugin plugin = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_SOURCE,
    .flags = SCREE_CAP_USES_LIBM,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "table",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "bodies from the rows of a CSV file or another table",
    .summary =
        "Columns: x, y, z; id; vx, vy, vz; wx, wy, wz; radius or diameter or scale; material; "
        "shape; motion (free, kinematic, fixed); q0, q1, q2, q3 or, in 2D, angle; and the "
        "body fields that `body_fields` names. The group gives the rest. A "
        "header may name units: x_mm, vx[m/s]. The table of observer/csv with what = \"bodies\" is "
        "read as "
        "it is: the bodies of its last observation.",
    .config_size = sizeof(table_config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
