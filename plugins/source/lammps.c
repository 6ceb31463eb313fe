// SPDX-License-Identifier: Apache-2.0
/*
 * Source `lammps`: spheres and their bonds from a LAMMPS data file (atom_style sphere or bpm/sphere;
 * lammps_data.c reads it).
 *
 * The title line names the units (`write_data` writes it), or the group does. Types become
 * materials by `types` or by the labels of the file; otherwise the scene has only one material. A
 * material has one density, so that of an atom must be that of its material.
 */
#include "lammps_data.h"
#include "rows.h"

enum { UNITS_OF_FILE, UNITS_SI, UNITS_CGS, UNITS_MICRO, UNITS_NANO, UNITS_LJ };
enum { DENSITY_CHECKED, DENSITY_OF_MATERIAL };

typedef struct lammps_config {
    packing_config packing; // only `body` is used
    const char *file;
    scree_ints types;
    int32_t units, density;
} lammps_config;

typedef struct lammps_source {
    const scree_host *host;
    const lammps_config *config;
    const scree_files *files;
    const scree_names *names;
    lammps_data data; // data from its first read, because make() may be called in each step
    int is_read;
} lammps_source;

/** Factors from numbers of the file to SI. */
typedef struct unit_style {
    const char *name;
    double length, density, speed, spin;
} unit_style;

static const unit_style styles[] = {
    [UNITS_SI] = {"si", 1.0, 1.0, 1.0, 1.0},        [UNITS_CGS] = {"cgs", 0.01, 1e3, 0.01, 1.0},
    [UNITS_MICRO] = {"micro", 1e-6, 1e3, 1.0, 1e6}, [UNITS_NANO] = {"nano", 1e-9, 1e6, 1.0, 1e9},
    [UNITS_LJ] = {"lj", 1.0, 1.0, 1.0, 1.0},
};

/* The state of one call of make(). */
typedef struct reading {
    packing p;
    const lammps_source *self;
    lammps_data data;
    const unit_style *style;
    uint32_t *material; // [n_materials] material of type - 1; [1] without a map
    uint64_t n_materials;
    rows rows;
} reading;

/* Finds the units by the key `units`, or by the file's title; 0 with a problem. */
static int find_style(reading *r)
{
    const int chosen = r->self->config->units;
    int found = 0;
    for (int i = UNITS_SI; i <= UNITS_LJ; i++)
        if (strcmp(styles[i].name, r->data.units) == 0)
            found = i;
    if (*r->data.units && !found)
        return rows_problem(&r->rows, 0, "%s has units %s; si, cgs, micro, nano and lj are read",
                            r->data.file, r->data.units);
    if (chosen && found && chosen != found)
        return rows_problem(&r->rows, 0, "%s says units = %s itself", r->data.file, r->data.units);
    r->style = &styles[chosen ? chosen : found ? found : UNITS_SI];
    return 1;
}

/* Without a map all atoms have the group's material. */
static int find_material(reading *r)
{
    const uint32_t own = r->p.config->body->material;
    uint32_t highest = 0;
    for (uint64_t i = 0; i < r->data.n_atoms; i++)
        highest = r->data.atom[i].type > highest ? r->data.atom[i].type : highest;
    r->material[0] = own;
    if (own != SCREE_NONE)
        return 1;
    return rows_problem(&r->rows, 0,
                        "types = [..] is missing: the material of each of the %u atom types of %s",
                        highest, r->data.file);
}

/* Finds the material of each type: by `types`, by labels, or the only material. */
static int find_materials(reading *r)
{
    const scree_names *names = r->self->names;
    const scree_ints *types = &r->self->config->types;
    int good = 1;
    r->n_materials = types->n ? types->n : r->data.n_labels;
    r->material = (uint32_t *)calloc(r->n_materials + 1, sizeof *r->material);
    if (!r->material)
        return rows_problem(&r->rows, 0, "no memory for the materials");
    for (uint64_t i = 0; i < r->n_materials; i++) {
        const char *label = types->n ? NULL : r->data.label[i] ? r->data.label[i] : "";
        r->material[i] = label ? names->material(names->ctx, label) : (uint32_t)types->v[i];
        if (r->material[i] == SCREE_NONE)
            good = rows_problem(&r->rows, 0, "no material \"%.60s\", which %s names", label,
                                r->data.file);
    }
    if (types->n && r->data.n_types >= 0 && types->n != (uint64_t)r->data.n_types)
        good = rows_problem(&r->rows, 0, "types: %llu materials, but %s has %lld atom types",
                            (unsigned long long)types->n, r->data.file, (long long)r->data.n_types);
    return good && (r->n_materials > 0 || find_material(r));
}

/* The box of a file as a cell that repeats along all axes. */
static scree_cell cell_of(const reading *r)
{
    const lammps_data *d = &r->data;
    const double by = r->style->length;
    scree_cell cell = {.size = sizeof cell, .repeats = (1u << r->p.dimension) - 1u};
    for (uint32_t k = 0; k < r->p.dimension; k++) {
        cell.lo[k] = d->lo[k] * by;
        cell.hi[k] = d->hi[k] * by;
        cell.vector[k][k] = cell.hi[k] - cell.lo[k];
    }
    cell.vector[1][0] = d->tilt[0] * by;
    if (r->p.dimension == 3) {
        cell.vector[2][0] = d->tilt[1] * by;
        cell.vector[2][1] = d->tilt[2] * by;
    }
    return cell;
}

/* Do lo and hi agree along an axis? */
static int is_same_brick(const scree_cell *of_file, const scree_cell *of_scene, uint32_t k)
{
    const double least = 1e-9 * (of_file->hi[k] - of_file->lo[k]);
    return fabs(of_file->lo[k] - of_scene->lo[k]) <= least &&
           fabs(of_file->hi[k] - of_scene->hi[k]) <= least;
}

/* Do the tilts of a vector agree? */
static int is_same_tilt(const scree_cell *of_file, const scree_cell *of_scene, uint32_t k)
{
    const double least = 1e-9 * (of_file->hi[k] - of_file->lo[k]);
    int same = 1;
    for (uint32_t j = 0; j < k; j++)
        same &= fabs(of_file->vector[k][j] - of_scene->vector[k][j]) <= least;
    return same;
}

/* Gives the cell of the file to a scene without a region, if it is tilted. */
static int32_t give_cell(const reading *r, const scree_cell *cell)
{
    const scree_making *args = r->p.args;
    const int *there = r->data.bounded, flat = r->p.dimension == 2;
    const int given = isfinite(args->bodies->cell->lo[0]) || !args->set_cell;
    if (given || !scree_is_tilted(cell) || !there[0] || !there[1] || !(there[2] || flat))
        return SCREE_OK;
    scree_logf(r->self->host, SCREE_LOG_INFO,
               "the box of %s, which is tilted, becomes scene.region, periodic along all axes",
               r->data.file);
    return args->set_cell(args->ctx, cell);
}

/* A periodic box must be equal to that of the file; a difference in other regions is logged. */
static int check_box(reading *r)
{
    const scree_cell of_file = cell_of(r), *cell = r->p.args->bodies->cell;
    const lammps_data *d = &r->data;
    char other[256] = "";
    if (r->p.dimension == 2 && (d->tilt[1] != 0.0 || d->tilt[2] != 0.0))
        return rows_problem(&r->rows, d->tilt_line, "in 2D xz and yz are 0, got %.10g and %.10g",
                            d->tilt[1], d->tilt[2]);
    int good = give_cell(r, &of_file) == SCREE_OK;
    for (uint32_t k = 0; k < r->p.dimension; k++) {
        const double lo = of_file.lo[k], hi = of_file.hi[k];
        const int same = is_same_brick(&of_file, cell, k);
        const size_t n = strlen(other);
        if (!d->bounded[k] || (same && is_same_tilt(&of_file, cell, k)))
            continue;
        if (!scree_repeats(cell, (int)k))
            snprintf(other + n, sizeof other - n, "%s %c %.10g m to %.10g m", n ? "," : "",
                     "xyz"[k], lo, hi);
        else if (!same)
            good = rows_problem(&r->rows, 0,
                                "the box of %s along %c is %.10g m to %.10g m; scene.region, which "
                                "is periodic, must agree (%.10g m to %.10g m)",
                                d->file, "xyz"[k], lo, hi, cell -> lo[k], cell -> hi[k]);
        else
            good = rows_problem(
                &r->rows, 0,
                "the box of %s is tilted along %c by (%.10g, %.10g) m; scene.region, "
                "which is periodic, must agree (%.10g, %.10g)",
                d->file, "xyz"[k], of_file.vector[k][0], k > 1 ? of_file.vector[k][1] : 0.0,
                cell->vector[k][0], k > 1 ? cell->vector[k][1] : 0.0);
    }
    if (*other && !r->p.args->first)
        scree_logf(r->self->host, SCREE_LOG_INFO, "the box of %s is%s%s; %s", d->file, other,
                   scree_is_tilted(&of_file) ? ", tilted" : "",
                   isfinite(cell->lo[0]) ? "scene.region differs" : "the scene has no region");
    if (d->has_images && !r->p.args->first)
        scree_logf(r->self->host, SCREE_LOG_INFO,
                   "%s: image counts are not taken over; bodies start in the box", d->file);
    return good;
}

/* Does an atom have the density of its material? */
static int check_density(reading *r, const lammps_atom *a, uint32_t material)
{
    const scree_names *names = r->self->names;
    const double density = a->density * r->style->density;
    const double wanted = r->p.args->density[material];
    if (r->self->config->density == DENSITY_OF_MATERIAL ||
        !(fabs(density - wanted) > 1e-6 * wanted))
        return 1;
    return rows_problem(&r->rows, a->line,
                        "a density of %.10g kg/m^3; material '%s' has %.10g (density = "
                        "\"material\" takes that one)",
                        density, names->material_name(names->ctx, material), wanted);
}

/* Makes a body of one atom; 0: it had a problem. */
static int read_atom(reading *r, const lammps_atom *a, row *one)
{
    one->line = a->line;
    if (r->n_materials > 0 && a->type > r->n_materials)
        return rows_problem(&r->rows, a->line, "type %u; types has %llu materials", a->type,
                            (unsigned long long)r->n_materials);
    one->id = a->id;
    one->scale = 0.5 * a->diameter * r->style->length;
    one->material = r->material[r->n_materials > 0 ? a->type - 1 : 0];
    for (int k = 0; k < 3; k++) {
        one->x[k] = a->x[k] * r->style->length;
        if (r->data.has_velocities) {
            one->v[k] = a->v[k] * r->style->speed;
            one->w[k] = a->w[k] * r->style->spin;
        }
    }
    if (r->p.dimension == 2 && one->x[2] != 0.0)
        return rows_problem(&r->rows, a->line, "in 2D z, vz, wx and wy are 0");
    return check_density(r, a, one->material);
}

/* Bonds the atoms of a scene; bodies that come in a run are not bonded. */
static int32_t take_bonds(const reading *r)
{
    const scree_making *args = r->p.args;
    const lammps_data *d = &r->data;
    if (!d->n_bonds)
        return SCREE_OK;
    if (args->first)
        return SCREE_OK; // the first call has said it, or has bonded them
    if (!SCREE_HAS(args, bond)) {
        scree_logf(r->self->host, SCREE_LOG_WARNING,
                   "%s: %llu bonds are left out: bodies that come in a run are not bonded", d->file,
                   (unsigned long long)d->n_bonds);
        return SCREE_OK;
    }
    for (uint64_t k = 0; k < d->n_bonds; k++) {
        const int32_t code = args->bond(args->ctx, 1, &d->bond[k].index[0], &d->bond[k].index[1]);
        if (code < 0)
            return code;
    }
    return SCREE_OK;
}

static int32_t take_atoms(reading *r)
{
    const scree_making *args = r->p.args;
    for (uint64_t i = args->first; i < r->data.n_atoms && r->rows.n < args->most; i++) {
        row one = rows_begin(&r->p, i);
        if (read_atom(r, &r->data.atom[i], &one))
            rows_put(&r->rows, &one, (uint32_t)i);
        else if (!rows_go_on(&r->rows))
            break;
    }
    int32_t code = rows_add(&r->rows, 0, NULL);
    return code < 0 ? code : r->rows.wrong ? SCREE_E_CONFIG : take_bonds(r);
}

/* Does the group leave the sizes to the file? */
static int check_group(reading *r)
{
    const scree_recipe *body = r->p.config->body;
    if (!(r->p.shape->flags & SCREE_CAP_ROUND))
        return rows_problem(&r->rows, 0, "atoms are spheres, but the group has another shape");
    if (body->sizes)
        return rows_problem(&r->rows, 0, "the file has diameters, but the group gives a size too");
    return 1;
}

/* Reads the file into memory, or returns an error that has been reported. */
static int32_t parse(lammps_source *self, const scree_making *args)
{
    const scree_files *files = self->files;
    const char *bytes = NULL;
    uint64_t n = 0;
    mesh_notes notes = {0};
    int32_t code = files->load(files->ctx, self->config->file, &bytes, &n);
    if (code < 0)
        return code;
    code =
        lammps_parse(&self->data, bytes, n, self->config->file, &notes) ? SCREE_OK : SCREE_E_CONFIG;
    for (uint64_t k = 0; k < notes.problems.n; k++)
        args->problem(args->ctx, NULL, 0, notes.problems.line[k]);
    for (uint64_t k = 0; k < notes.notes.n; k++)
        self->host->log(self->host->ctx, SCREE_LOG_INFO, notes.notes.line[k]);
    mesh_lines_clear(&notes.problems);
    mesh_lines_clear(&notes.notes);
    files->release(files->ctx, bytes);
    if (code < 0)
        lammps_clear(&self->data);
    return code;
}

static int32_t make(void *instance, const scree_making *args)
{
    lammps_source *self = (lammps_source *)instance;
    reading r = {.self = self};
    rows_recipe(&r.p, self->host, &self->config->packing, args);
    r.rows.args = args;
    int32_t code = check_group(&r) ? SCREE_OK : SCREE_E_CONFIG;
    if (code == SCREE_OK && !self->is_read) {
        code = parse(self, args);
        self->is_read = code == SCREE_OK;
    }
    r.data = self->data;
    if (code == SCREE_OK)
        code = rows_init(&r.rows, self->host, args, self->config->file, r.data.n_atoms);
    if (code == SCREE_OK) {
        r.rows.has_ids = 1;
        const int good = find_style(&r) && find_materials(&r) && check_box(&r);
        code = good ? take_atoms(&r) : SCREE_E_CONFIG;
        rows_clear(&r.rows);
    }
    free(r.material);
    return code;
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    lammps_source *self = (lammps_source *)calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "out of memory");
    self->host = host;
    self->config = (const lammps_config *)config;
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
    lammps_source *self = (lammps_source *)instance;
    if (self)
        lammps_clear(&self->data);
    free(self);
}

static uint64_t bytes(void *instance)
{
    return instance ? sizeof(lammps_source) : 0;
}

static const scree_param param_body = {.size = sizeof(scree_param),
                                       .type = SCREE_TYPE_RECIPE,
                                       .flags = SCREE_PARAM_OPTIONAL | SCREE_PARAM_INLINE,
                                       .offset = PACKING_OFFSET(lammps_config, body),
                                       .name = "body",
                                       .help =
                                           "the recipe for what the file does not say; no size"};
SCREE_FILE_PARAM(lammps_config, file, SCREE_PARAM_REQUIRED,
                 "data file of atom_style sphere or bpm/sphere");
SCREE_MATERIALS_PARAM(lammps_config, types, SCREE_PARAM_OPTIONAL, "the material of each atom type");
SCREE_CHOICE_VALUE(file, UNITS_OF_FILE, "those that the title line names, else SI");
SCREE_CHOICE_VALUE(si, UNITS_SI, "m, kg, s");
SCREE_CHOICE_VALUE(cgs, UNITS_CGS, "cm, g, s");
SCREE_CHOICE_VALUE(micro, UNITS_MICRO, "um, pg, us");
SCREE_CHOICE_VALUE(nano, UNITS_NANO, "nm, ag, ns");
SCREE_CHOICE_VALUE(lj, UNITS_LJ, "taken as SI");
SCREE_CHOICE_PARAM(lammps_config, units, 0, "file", "units of the numbers in the file",
                   &choice_file, &choice_si, &choice_cgs, &choice_micro, &choice_nano, &choice_lj);
SCREE_CHOICE_VALUE(check, DENSITY_CHECKED, "that of an atom must be that of its material");
SCREE_CHOICE_VALUE(material, DENSITY_OF_MATERIAL, "those of the file do not count");
SCREE_CHOICE_PARAM(lammps_config, density, 0, "check", "whether densities of the file count",
                   &choice_check, &choice_material);
static const scree_param *const params[] = {&param_body, &param_file, &param_types, &param_units,
                                            &param_density};

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
    .id = "lammps",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "spheres and bonds from a LAMMPS data file",
    .summary =
        "Atoms of atom_style sphere or bpm/sphere with their velocities, as write_data writes "
        "them. Types become materials, numbers SI; a periodic box must be scene.region. A tilted "
        "box (xy xz yz) is the region, periodic, of a scene that gives none. The first force law "
        "that makes bonds bonds the pairs of section Bonds, which have one type; coefficients are "
        "not read.",
    .config_size = sizeof(lammps_config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
