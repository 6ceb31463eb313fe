// SPDX-License-Identifier: Apache-2.0
// Observer `csv`: scalars over time, named bodies, or the contact list as comma-separated values.
/*
 * Writes NAME.csv, one header line and then a row per observation, and NAME.gp, a gnuplot script
 * that draws the table into NAME.svg. Reals have 17 significant digits, so reading restores every
 * bit; decimals have a point because the host keeps LC_NUMERIC at "C".
 *
 *   what       a row per              columns after step and time [s]
 *   scalars    observation            figures of the summary, energies [J], momentum [kg m/s],
 *                                     angular [kg m^2/s], counts; then the force [N] on each group
 *                                     that has walls in the first row, as of the summary
 *   bodies     observation and body   id, name, x [m], v [m/s], w [rad/s], force [N], torque [N m],
 *                                     radius [m], q [-]; with shapes that are not round also shape,
 *                                     volume [m^3], mass [kg], principal moments i [kg m^2]; then
 *                                     the `fields`, NAME or, of several components, NAME_0, ..
 *   contacts   observation, contact   ids, image, feature, normal, depth [m], point [m], force on a
 *                                     [N], couple on a [N m]; then parts of a and b, branch [m],
 *                                     couple on b [N m], stored energy [J], lost in the step [J]
 *
 * Force and torque of a body come from its contacts, for a free body also from modifiers, without
 * gravity. The torque is about the body's own centre; bodies of one name are not added up, because
 * their centres differ.
 *
 * x is the centre of mass. radius is that of a ball or disc; with another shape it is that of a ball
 * about the centre of mass that holds the body; the volume is always the body's own. q (w, x, y, z)
 * turns principal axes into the world's; a ball turns only if the integrator's `orientation` asks
 * for it. If the scene has a shape that is neither ball nor disc, all bodies have the columns
 * from shape on: shape is 0 for a sphere, 1 for a disc, then the shapes of the scene follow in
 * their order; shape_name is the name in the scene. A body that is not free has mass and moments
 * inf.
 *
 * If the run fails or the disk is full, the table keeps the whole observations until then. A killed
 * run leaves NAME.csv.part, in which rows are whole.
 *
 * Cost: at each observation a line per row and one flush; `bodies` compares names only when the
 * name's pointer differs from the row before.
 */
#include <inttypes.h>

#include "csv/scalars.h"
#include "groups.h"
#include "scree/draft/sums.h"
#include "stream.h"

/* Rows are flushed together before they can fill the stream's buffer, so that no row is cut. */
#define ROWS 128
#define BUFFER (ROWS * 1024u)

#define SCALARS 0
#define BODIES 1
#define CONTACTS 2

static const char *const what_names[] = {"scalars", "bodies", "contacts"};

static const char *const headers[] = {
    "step,time", "step,time,id,name,x,y,z,vx,vy,vz,wx,wy,wz,fx,fy,fz,tx,ty,tz,radius,qw,qx,qy,qz",
    "step,time,a,b", // contact_columns go on
};

/* Kinds of columns of contacts. */
enum { REAL, WHOLE, FEATURE, PLACE };

/* Columns of contacts after a and b, from arrays of the list. */
static const struct contact_column {
    const char *names;
    size_t array; // offset of the first pointer
    int n, value; // PLACE: from the centre of a on
} contact_columns[] = {
    {"image_x,image_y,image_z", offsetof(scree_contact_list, image), 3, WHOLE},
    {"feature", offsetof(scree_contact_list, feature), 1, FEATURE},
    {"nx,ny,nz", offsetof(scree_contact_list, normal), 3, REAL},
    {"depth", offsetof(scree_contact_list, depth), 1, REAL},
    {"x,y,z", offsetof(scree_contact_list, arm), 3, PLACE},
    {"fx,fy,fz", offsetof(scree_contact_list, f), 3, REAL},
    {"cx,cy,cz", offsetof(scree_contact_list, couple), 3, REAL},
    {"part_a,part_b", offsetof(scree_contact_list, part), 2, WHOLE},
    {"branch_x,branch_y,branch_z", offsetof(scree_contact_list, branch), 3, REAL},
    {"cbx,cby,cbz", offsetof(scree_contact_list, couple_b), 3, REAL},
    {"stored", offsetof(scree_contact_list, stored), 1, REAL},
    {"lost", offsetof(scree_contact_list, lost), 1, REAL},
};

static const char shape_columns[] = ",shape,shape_name,volume,mass,ix,iy,iz";

static const char *const plots[] = {
    "set multiplot layout 3, 1\n"
    "set ylabel 'energy [J]'\n"
    "plot for [c in 'kinetic gravity stored lost work'] csv using (column('time')):(column(c)) "
    "with lines title c\n"
    "set ylabel 'residual [J]'\n"
    "plot csv using (column('time')):(column('residual')) with lines notitle\n"
    "set ylabel 'contacts'\n"
    "plot csv using (column('time')):(column('contacts')) with lines notitle\n"
    "unset multiplot\n",
    "set multiplot layout 3, 1\n"
    "set ylabel 'position [m]'\n"
    "plot for [c = 5:7] csv using 2:c with points pt 7 ps 0.3 title columnheader(c)\n"
    "set ylabel 'velocity [m/s]'\n"
    "plot for [c = 8:10] csv using 2:c with points pt 7 ps 0.3 title columnheader(c)\n"
    "set ylabel 'force [N]'\n"
    "plot for [c = 14:16] csv using 2:c with points pt 7 ps 0.3 title columnheader(c)\n"
    "unset multiplot\n",
    "# The contacts of the last observation.\n"
    "set cblabel 'force [N]'\n"
    "stats csv using 1 nooutput\n"
    "if (!exists('STATS_max')) exit message 'no contacts in '.csv\n"
    "last = STATS_max\n"
    "set xlabel 'x [m]'\n"
    "set size ratio -1\n"
    "force(x, y, z) = sqrt(x**2 + y**2 + z**2)\n"
    "plot csv using ($1 == last ? $13 : NaN):(column(up)):(force($16, $17, $18)) \\\n"
    "    with points pt 7 ps 0.5 palette notitle\n",
};

typedef struct csv_config {
    const char *file; /* NULL: the name of `what` */
    scree_strings groups;
    scree_strings fields;
    int32_t what;
    int32_t contacts; /* for `scalars`: figures of contacts, too */
} csv_config;

typedef struct csv {
    const csv_config *config;
    text_stream out; /* its file is NULL before the first observation */
    char *buffer;    /* [BUFFER] buffer of the table's stream */
    int32_t pending; /* rows since the last flush */
    int32_t has_shapes;
    uint32_t *components;     /* [fields] when the table began */
    const scree_names *names; /* NULL: the host does not offer names */
    csv_scalars scalars;      /* empty unless `what` asks for scalars */
    uint8_t *has_column;      /* [scalars.n] */
} csv;

static int32_t open_table(csv *self)
{
    int32_t status = stream_open(&self->out, ".csv");
    if (status == SCREE_OK)
        setvbuf(self->out.file, self->buffer, _IOFBF, BUFFER);
    return status;
}

static int32_t write_script(csv *self)
{
    const char *slash = strrchr(self->out.base, '/');
    const char *name = slash ? slash + 1 : self->out.base;
    int32_t status = stream_open(&self->out, ".gp");
    if (status != SCREE_OK)
        return status;
    fprintf(self->out.file,
            "# Draws %s.csv into %s.svg; in the folder of both: gnuplot %s.gp\n"
            "csv = '%s.csv'\n"
            "set datafile separator ','\n"
            "set terminal svg size 800, 800 background 'white'\n"
            "set output '%s.svg'\n"
            "set key outside autotitle columnhead\n"
            "set xlabel 'time [s]'\n",
            name, name, name, name, name);
    if (self->config->what == CONTACTS)
        fputs(self->out.host->dimension == 2 ? "up = 14\nset ylabel 'y [m]'\n"
                                             : "up = 15\nset ylabel 'z [m]'\n",
              self->out.file);
    fputs(plots[self->config->what], self->out.file);
    return stream_close(&self->out, ".gp");
}

/* Gives the table its name, then writes the script that draws it. */
static int32_t close_table(csv *self)
{
    int32_t drawn = self->out.whole > 0, status = stream_close(&self->out, ".csv");
    self->out.broken = 0;
    if (status != SCREE_OK || !drawn)
        return status;
    return write_script(self);
}

static void end_row(csv *self)
{
    putc('\n', self->out.file);
    if (++self->pending < ROWS)
        return;
    fflush(self->out.file);
    self->pending = 0;
}

static void write_reals(FILE *stream, const double *values, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        fprintf(stream, ",%.17g", stream_real(values[k]));
}

static void write_vector(FILE *stream, const double *const v[3], uint64_t i)
{
    write_reals(stream, (double[3]){v[0][i], v[1][i], v[2][i]}, 3);
}

static void write_time(FILE *stream, const scree_view *view)
{
    fprintf(stream, "%" PRIu64 ",%.17g", view->step, view->time);
}

static int32_t write_scalars(csv *self, const scree_view *view)
{
    const csv_scalars *s = &self->scalars;
    const int32_t status = csv_scalars_read(&self->scalars, view);
    write_time(self->out.file, view);
    for (uint32_t k = 0; k < s->n; k++)
        if (self->has_column[k])
            write_reals(self->out.file, &s->value[k], 1);
    end_row(self);
    return status;
}

/* Does the scene have a shape that is neither ball nor disc? */
static int has_shapes(const scree_bodies *b)
{
    int found = 0;
    for (uint32_t k = 0; k < b->n_shapes; k++)
        found |= !(b->shapes[k]->flags & SCREE_CAP_ROUND);
    return found;
}

static void write_shape(const csv *self, const scree_bodies *b, uint32_t i, double thickness)
{
    FILE *stream = self->out.file;
    const char *name = self->names ? self->names->shape_name(self->names->ctx, b->shape[i]) : NULL;
    const scree_shape *shape = b->shapes[b->shape[i]];
    const double scale = b->scale[i], by = shape->flat ? thickness : scale;
    const double volume = scale * scale * by * shape->volume;
    fprintf(stream, ",%" PRIu32 ",%s", b->shape[i], name ? name : "");
    write_reals(stream, (double[2]){volume, 1.0 / b->inv_mass[i]}, 2);
    for (int k = 0; k < 3; k++)
        write_reals(stream, (double[1]){1.0 / b->inv_inertia[k][i]}, 1);
}

/* Writes the end of the header: a column per component of a field. */
static void name_fields(csv *self, const scree_bodies *b)
{
    for (uint32_t f = 0; f < b->n_used; f++) {
        const uint32_t n = b->used[f]->components;
        self->components[f] = n;
        for (uint32_t k = 0; k < n; k++) {
            fprintf(self->out.file, ",%s", self->config->fields.v[f]);
            if (n > 1)
                fprintf(self->out.file, "_%" PRIu32, k);
        }
    }
}

/* A swap may bring a field of the same name and another length, for which the table has no columns. */
static int32_t check_fields(const csv *self, const scree_bodies *b)
{
    for (uint32_t f = 0; f < b->n_used; f++)
        if (b->used[f]->components != self->components[f])
            return scree_failf(self->out.host, SCREE_E_CONFIG,
                               "the field %s has %" PRIu32 " components now, and had %" PRIu32
                               " when the table began",
                               self->config->fields.v[f], b->used[f]->components,
                               self->components[f]);
    return SCREE_OK;
}

static void write_fields(FILE *stream, const scree_bodies *b, uint32_t i)
{
    for (uint32_t f = 0; f < b->n_used; f++)
        for (uint32_t k = 0; k < b->used[f]->components; k++)
            write_reals(stream, &b->used[f]->v[k][i], 1);
}

static void write_header(csv *self, const scree_bodies *b)
{
    fputs(headers[self->config->what], self->out.file);
    for (uint32_t k = 0; self->config->what == CONTACTS && k < SCREE_COUNT(contact_columns); k++)
        fprintf(self->out.file, ",%s", contact_columns[k].names);
    if (self->has_shapes)
        fputs(shape_columns, self->out.file);
    for (uint32_t k = 0; k < self->scalars.n; k++)
        if (self->has_column[k])
            fprintf(self->out.file, ",%s", self->scalars.all[k].name);
    name_fields(self, b);
    putc('\n', self->out.file);
}

/* Chooses all columns but the forces on groups without walls. */
static int32_t choose_columns(csv *self, const scree_view *view)
{
    const csv_scalars *s = &self->scalars;
    const uint32_t first = s->n - 3 * s->n_groups;
    const int32_t status = s->n ? csv_scalars_read(&self->scalars, view) : SCREE_OK;
    for (uint32_t k = 0; k < s->n; k++)
        self->has_column[k] = k < first || s->has_walls[(k - first) / 3];
    return status;
}

static int32_t write_bodies(csv *self, const scree_view *view)
{
    const scree_bodies *bodies = view->bodies;
    uint32_t last = SCREE_NONE;
    int wanted = 0;
    for (uint32_t i = 0; i < bodies->n; i++) {
        scree_load load = {.size = offsetof(scree_load, stiffness)};
        if (bodies->group[i] != last) {
            last = bodies->group[i];
            wanted = is_of_groups(&self->config->groups, self->names, last);
        }
        if (!wanted)
            continue;
        const int32_t status = view->load(view, i, &load);
        if (status != SCREE_OK)
            return status;
        write_time(self->out.file, view);
        fprintf(self->out.file, ",%" PRIu64 ",%s", bodies->id[i], group_name(self->names, last));
        write_vector(self->out.file, bodies->x, i);
        write_vector(self->out.file, bodies->v, i);
        write_vector(self->out.file, bodies->w, i);
        write_reals(self->out.file, load.force, 3);
        write_reals(self->out.file, load.torque, 3);
        write_reals(self->out.file, &bodies->radius[i], 1);
        for (int k = 0; k < 4; k++)
            write_reals(self->out.file, &bodies->q[k][i], 1);
        if (self->has_shapes)
            write_shape(self, bodies, i, self->out.host->thickness);
        write_fields(self->out.file, bodies, i);
        end_row(self);
    }
    return SCREE_OK;
}

/* Writes value c of array k of a column. */
static void write_value(FILE *stream, const scree_view *view, const struct contact_column *column,
                        int k, uint64_t c)
{
    const char *place = (const char *)view->contacts + column->array + (size_t)k * sizeof(void *);
    const void *array;
    memcpy(&array, place, sizeof array);
    if (column->value == FEATURE)
        fprintf(stream, ",%" PRIu64, ((const uint64_t *)array)[c]);
    else if (column->value == WHOLE)
        fprintf(stream, ",%" PRId32, ((const int32_t *)array)[c]);
    else if (column->value == PLACE)
        write_reals(
            stream,
            &(double){view->bodies->x[k][view->contacts->a[c]] + ((const double *)array)[c]}, 1);
    else
        write_reals(stream, &((const double *)array)[c], 1);
}

static void write_contacts(csv *self, const scree_view *view)
{
    const scree_contact_list *list = view->contacts;
    const uint64_t *id = view->bodies->id;
    for (uint64_t c = 0; c < list->n; c++) {
        write_time(self->out.file, view);
        fprintf(self->out.file, ",%" PRIu64 ",%" PRIu64, id[list->a[c]], id[list->b[c]]);
        for (uint32_t r = 0; r < SCREE_COUNT(contact_columns); r++)
            for (int k = 0; k < contact_columns[r].n; k++)
                write_value(self->out.file, view, &contact_columns[r], k, c);
        end_row(self);
    }
}

static int32_t observe(void *instance, const scree_view *view)
{
    csv *self = instance;
    if (!self->out.file) {
        int32_t status = open_table(self);
        if (status == SCREE_OK)
            status = choose_columns(self, view);
        if (status != SCREE_OK)
            return status;
        self->has_shapes = self->config->what == BODIES && has_shapes(view->bodies);
        write_header(self, view->bodies);
    }
    int32_t same = check_fields(self, view->bodies);
    if (same != SCREE_OK)
        return same;
    if (self->config->what == BODIES)
        same = write_bodies(self, view);
    else if (self->config->what == CONTACTS)
        write_contacts(self, view);
    else
        same = write_scalars(self, view);
    if (same != SCREE_OK)
        return same;
    // A full disk is reported when it happens, and a run can be watched.
    if (fflush(self->out.file) != 0 || ferror(self->out.file))
        return stream_fail(&self->out, ".csv");
    self->pending = 0;
    self->out.whole = lseek(self->out.fd, 0, SEEK_CUR);
    return SCREE_OK;
}

/* ---- scalars, for conditions ---- */

static const scree_scalar *scalar(void *instance, uint32_t k)
{
    const csv_scalars *s = &((const csv *)instance)->scalars;
    return k < s->n ? &s->all[k] : NULL;
}

static int32_t read_scalars(void *instance, const scree_view *view, double *value)
{
    csv_scalars *s = &((csv *)instance)->scalars;
    if (!s->n) // a table of bodies or contacts
        return SCREE_OK;
    const int32_t status = csv_scalars_read(s, view);
    if (status == SCREE_OK)
        memcpy(value, s->value, s->n * sizeof *value);
    return status;
}

static const scree_scalars scalars_given = {
    .size = sizeof scalars_given, .scalar = scalar, .read = read_scalars};

static const void *get_extension(const char *name)
{
    return strcmp(name, SCREE_EXTENSION_SCALARS) == 0 ? &scalars_given : NULL;
}

static int32_t finish(void *instance, const scree_view *view)
{
    csv *self = instance;
    (void)view;
    return self->out.file ? close_table(self) : SCREE_OK;
}

static int32_t narrow(void *instance, scree_demands *demands)
{
    const csv *self = instance;
    if (self->config->what != CONTACTS && !self->config->contacts)
        demands->needs &= ~(uint64_t)SCREE_WANTS_CONTACTS;
    return self->config->what == SCALARS ? SCREE_OK : scree_narrow_sums(instance, demands);
}

static void free_all(csv *self)
{
    csv_scalars_free(&self->scalars);
    free(self->has_column);
    free(self->components);
    free(self->buffer);
    free(self);
}

static void destroy(void *instance)
{
    csv *self = instance;
    if (!self)
        return;
    // Without finish the run has failed: the rows until then are kept.
    if (self->out.file && close_table(self) != SCREE_OK)
        scree_logf(self->out.host, SCREE_LOG_WARNING, "%s.csv could not be closed", self->out.base);
    free_all(self);
}

/* Makes room for the arrays; 0: out of memory. */
static int make_room(csv *self)
{
    const scree_host *host = self->out.host;
    self->buffer = malloc(BUFFER);
    self->components = calloc(self->config->fields.n + 1, sizeof *self->components);
    if (!self->buffer || !self->components || self->config->what != SCALARS)
        return self->buffer && self->components;
    if (!csv_scalars_list(&self->scalars, self->names,
                          host->get_service(host->ctx, SCREE_SERVICE_FIGURES),
                          self->config->contacts))
        return 0;
    self->has_column = calloc(self->scalars.n, 1);
    return self->has_column != NULL;
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    const csv_config *given = config;
    csv *self;
    const scree_output *output = host->get_service(host->ctx, SCREE_SERVICE_OUTPUT);
    if (!output)
        return host->fail(host->ctx, SCREE_E_UNSUPPORTED,
                          "the host offers no " SCREE_SERVICE_OUTPUT ": nowhere to write");
    if (given->file && (!given->file[0] || strpbrk(given->file, "'\n")))
        return scree_failf(host, SCREE_E_CONFIG,
                           "file: expected a name without ' and line ends, got \"%s\"",
                           given->file);
    if (given->groups.n > 0 && given->what != BODIES)
        return scree_failf(host, SCREE_E_CONFIG, "`groups` goes with what = \"bodies\", not \"%s\"",
                           what_names[given->what]);
    if (given->fields.n > 0 && given->what != BODIES)
        return scree_failf(host, SCREE_E_CONFIG, "`fields` go with what = \"bodies\", not \"%s\"",
                           what_names[given->what]);
    if (given->contacts && given->what != SCALARS)
        return scree_failf(host, SCREE_E_CONFIG,
                           "`contacts` goes with what = \"scalars\", not \"%s\"",
                           what_names[given->what]);
    self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->out.host = host;
    self->out.output = output;
    self->out.base = given->file ? given->file : what_names[given->what];
    self->config = given;
    self->names = host->get_service(host->ctx, SCREE_SERVICE_NAMES);
    if (!make_room(self)) {
        free_all(self);
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    }
    *instance = self;
    return SCREE_OK;
}

SCREE_CHOICE_VALUE(scalars, SCALARS, "figures, energies, momentum, forces on groups of walls");
SCREE_CHOICE_VALUE(bodies, BODIES,
                   "position, velocity, spin, force, torque and orientation of named bodies");
SCREE_CHOICE_VALUE(contacts, CONTACTS, "the contact list");
SCREE_CHOICE_PARAM(csv_config, what, 0, "scalars", "what a row holds", &choice_scalars,
                   &choice_bodies, &choice_contacts);
SCREE_STRING_PARAM(csv_config, file, SCREE_PARAM_OPTIONAL, NULL,
                   "base name of the .csv and .gp files; absent: the name of `what`");
SCREE_STRINGS_PARAM(
    csv_config, groups, 0, SCREE_PARAM_OPTIONAL | SCREE_PARAM_GROUP,
    "names of groups of bodies (or of modifiers that make some) that `bodies` writes; none: "
    "all bodies");
SCREE_STRINGS_PARAM(csv_config, fields, 0, SCREE_PARAM_OPTIONAL | SCREE_PARAM_FIELD,
                    "names of body fields that `bodies` writes too, \"NAME\" or \"SLOT/NAME\"");
SCREE_BOOL_PARAM(csv_config, contacts, 0, 0,
                 "`scalars` have max_overlap and unbalanced too, for which contacts are listed");
static const scree_param *const params[] = {&param_file, &param_what, &param_groups, &param_fields,
                                            &param_contacts};

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
    .id = "csv",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "tables of scalars, bodies or contacts, each with a gnuplot script",
    .summary =
        "Rows are added at each observation, all in SI units with 17 significant digits, to "
        "NAME.csv.part, which becomes NAME.csv at the end, or with whole observations when "
        "the run fails. "
        "Force and torque of a body are those of its contacts, of a free one of modifiers "
        "too, without gravity, the torque about its own centre; bodies that share a name "
        "have rows of their own. The radius of a body that is not round is that of a ball "
        "that holds it; in scenes with such shapes the rows of bodies go on with shape, "
        "volume, mass and principal moments. Orientations of balls and discs change where the "
        "integrator has orientation = \"all\".",
    .config_size = sizeof(csv_config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
    .get_extension = get_extension,
};

SCREE_DEFINE_MANIFEST(&plugin);
