// SPDX-License-Identifier: Apache-2.0
/*
 * voxels: a solid from a volume of numbers, such as a CT scan.
 *
 * Sources  W. E. Lorensen, H. E. Cline, Marching cubes, Computer Graphics 21, 1987, 163; G. Kindlmann, Definition of
 *          NRRD file format; R. O'Connor, A Distributed Discrete Element Modeling Environment, PhD thesis, MIT, 1996,
 *          3.3: solids by sampled functions.
 * Idea     Voxels are numbers at the corners of cells; the surface is where a number between two of them, linear along
 *          the edge, is the level. A solid that reaches the border of the volume ends half a voxel outside of its last
 *          voxels: a block that is inside everywhere has the volume of its voxels.
 * Steps    the file (voxels/nrrd.c, voxels/numbers.c), means of blocks, the largest piece (level/surface.c), marching
 *          cubes (../cubes.c), then spacing, directions and origin of the file, then unit, scale, rotate and move
 * Views    scree.mesh/1, exact: the facets are the solid. Volume, centroid and inertia are theirs.
 * Error    of a sharp edge of the scanned body up to half a voxel
 * Cost     once: 13 bytes for each voxel that is left after `coarse`, and 1 to 8 in the file
 * Limits   NRRD: three dimensions, one number for each voxel, raw or gzip, in one file with its header. At most 2^31
 *          voxels, 4000 along a side.
 */
#include "voxels/voxels.h"
#include "level/level.h"
#include "mesh/mesh_params.h"

enum { FORMAT_AUTO, FORMAT_NRRD, FORMAT_RAW };
enum { ABOVE, BELOW };

typedef struct config {
    const char *file;
    scree_ints sizes;
    scree_reals spacing;
    const scree_placing *placing;
    double level;
    int64_t coarse, skip;
    int32_t format, numbers, endian, inside, pieces;
} config;

/** The volume as a field. Corner i of the cells is voxel i - 1. */
typedef struct volume {
    const config *config;
    voxels_form form;
    float *v; /* [n0 n1 n2] */
    double level;
} volume;

/* ---- the file ---- */

static int read_raw_form(const config *c, voxels_form *form, uint64_t length, uint64_t *data,
                         mesh_lines *problems)
{
    if (!c->sizes.n || !c->numbers)
        return mesh_say(problems, "%s is missing, which a raw file needs",
                        c->sizes.n ? "numbers" : "sizes");
    for (int k = 0; k < 3; k++)
        form->n[k] = (uint32_t)c->sizes.v[k];
    form->type = c->numbers;
    form->endian = c->endian;
    *data = (uint64_t)c->skip;
    return *data <= length || mesh_say(problems, "skip: the file has %llu bytes, got %lld",
                                       (unsigned long long)length, (long long)c->skip);
}

/** Reads the form: of the header, or of the scene. */
static int read_form(const config *c, const char *bytes, uint64_t length, volume *v, uint64_t *data,
                     mesh_lines *problems)
{
    const int nrrd = c->format == FORMAT_NRRD ||
                     (c->format == FORMAT_AUTO && length >= 4 && memcmp(bytes, "NRRD", 4) == 0);
    voxels_form *form = &v->form;
    for (int k = 0; k < 3; k++)
        form->step[k][k] = 1.0;
    if (nrrd && (c->sizes.n || c->numbers || c->skip || c->endian != VOXELS_LITTLE))
        return mesh_say(problems,
                        "sizes, numbers, endian and skip are those of a raw file; %s has a header",
                        c->file);
    if (nrrd ? !voxels_read_nrrd(c->file, bytes, length, form, data, problems)
             : !read_raw_form(c, form, length, data, problems))
        return 0;
    for (uint64_t k = 0; k < c->spacing.n; k++) {
        double *step = form->step[k], size = 0.0;
        for (int a = 0; a < 3; a++)
            size += step[a] * step[a];
        for (int a = 0; a < 3; a++)
            step[a] *= c->spacing.v[k] / sqrt(size);
    }
    return 1;
}

/** Are the directions of the axes those of a space? */
static int check_directions(const volume *v, mesh_lines *problems)
{
    const double(*s)[3] = v->form.step;
    double six = 0.0, size = 1.0;
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        six += s[0][k] * (s[1][l] * s[2][m] - s[1][m] * s[2][l]);
        size *= sqrt(s[k][0] * s[k][0] + s[k][1] * s[k][1] + s[k][2] * s[k][2]);
    }
    return fabs(six) > 1e-6 * size ||
           mesh_say(problems, "%s: space directions: expected three that span a space",
                    v->config->file);
}

/** Sets the level: half-way between the least and the largest number, if none is given. */
static int find_level(volume *v, mesh_lines *problems)
{
    const uint64_t n = (uint64_t)v->form.n[0] * v->form.n[1] * v->form.n[2];
    float least = v->v[0], most = v->v[0];
    for (uint64_t i = 1; i < n; i++) {
        least = v->v[i] < least ? v->v[i] : least;
        most = v->v[i] > most ? v->v[i] : most;
    }
    v->level = isnan(v->config->level) ? 0.5 * ((double)least + (double)most) : v->config->level;
    return least < most || !isnan(v->config->level) ||
           mesh_say(problems, "%s: all numbers are %g, so that no level parts them",
                    v->config->file, (double)least);
}

/** Does the scene say how long a unit of the file is? */
static int is_scaled(const config *c)
{
    int scaled = c->spacing.n > 0;
    const uint64_t n = c->placing ? c->placing->n : 0;
    for (uint64_t i = 0; i < n; i++)
        scaled |= c->placing->v[i]->type == SCREE_PLACE_SCALE && c->placing->v[i]->v[0] != 1.0;
    return scaled;
}

static int read_volume(const scree_host *host, volume *v, mesh_notes *notes)
{
    const config *c = v->config;
    mesh_lines *problems = &notes->problems;
    const scree_files *files = scree_files_of(host);
    const char *bytes = NULL;
    uint64_t length = 0, data = 0;
    if (!files || files->load(files->ctx, c->file, &bytes, &length) < 0)
        return mesh_say(problems, "%s cannot be read", c->file); // the host has said why
    if (read_form(c, bytes, length, v, &data, problems) && check_directions(v, problems))
        v->v = voxels_read_numbers(c->file, bytes + data, length - data, (uint32_t)c->coarse,
                                   &v->form, problems);
    files->release(files->ctx, bytes);
    if (v->v && v->form.units && strcmp(v->form.units, "m") != 0 && !is_scaled(c))
        mesh_say(&notes->notes,
                 "%s has space units \"%s\", and is read as in metres; unit = \"%s\" in the scene "
                 "applies them",
                 c->file, v->form.units, v->form.units);
    return v->v && find_level(v, problems);
}

/* ---- the field ---- */

/** The level less the number at a corner, or the reverse: negative inside. A corner next to the
 * volume has the negative of its voxel if that is inside. */
static double value_at(const volume *v, uint32_t i, uint32_t j, uint32_t k)
{
    const uint32_t corner[3] = {i, j, k}, *n = v->form.n;
    uint32_t at[3];
    int outside = 0;
    for (int a = 0; a < 3; a++) {
        at[a] = corner[a] == 0 ? 0 : corner[a] > n[a] ? n[a] - 1 : corner[a] - 1;
        outside |= corner[a] == 0 || corner[a] > n[a];
    }
    const double number = (double)v->v[at[0] + (size_t)n[0] * (at[1] + (size_t)n[1] * at[2])];
    const double value = v->config->inside == ABOVE ? v->level - number : number - v->level;
    return outside && value < 0.0 ? -value : value;
}

static void row(void *ctx, const cubes_grid *g, uint32_t j, uint32_t k, uint8_t *inside)
{
    const volume *v = ctx;
    for (uint32_t i = 0; i <= g->n[0]; i++)
        inside[i] = value_at(v, i, j, k) < 0.0;
}

static double crossing(void *ctx, const cubes_grid *g, const uint32_t at[3], int axis, int inside)
{
    const volume *v = ctx;
    const uint32_t to[3] = {at[0] + (axis == 0), at[1] + (axis == 1), at[2] + (axis == 2)};
    const double here = value_at(v, at[0], at[1], at[2]), there = value_at(v, to[0], to[1], to[2]);
    (void)g;
    (void)inside;
    return here / (here - there);
}

/** From voxels to metres. */
static int move(void *ctx, uint32_t n, double (*vertex)[3], mesh_notes *notes)
{
    const volume *v = ctx;
    const voxels_form *f = &v->form;
    mesh_soup soup = {.file = v->config->file, .n_vertices = n, .xyz = vertex[0]};
    for (uint32_t i = 0; i < n; i++) {
        const double at[3] = {vertex[i][0], vertex[i][1], vertex[i][2]};
        for (int a = 0; a < 3; a++)
            vertex[i][a] = f->origin[a] + at[0] * f->step[0][a] + at[1] * f->step[1][a] +
                           at[2] * f->step[2][a];
    }
    return mesh_place_soup(v->config->placing, &soup, notes);
}

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    volume v = {.config = given};
    mesh_notes notes = {0};
    mesh_surface *surface = NULL;
    const cubes_field field = {&v, row, crossing};
    const level_move placed = {move, &v};
    if (read_volume(host, &v, &notes)) {
        const cubes_grid grid = {{-1.0, -1.0, -1.0},
                                 {1.0, 1.0, 1.0},
                                 {v.form.n[0] + 1, v.form.n[1] + 1, v.form.n[2] + 1}};
        surface = level_surface(&grid, &field, v.config->pieces, &placed, &notes);
    }
    if (surface)
        scree_logf(host, SCREE_LOG_INFO, "%s: %u x %u x %u voxels, level %g, %u facets",
                   v.config->file, v.form.n[0], v.form.n[1], v.form.n[2], v.level,
                   surface->view.n_facets);
    free(v.v);
    return polyhedron_new(host, surface, &notes, instance);
}

/* ---- descriptor ---- */

SCREE_FILE_PARAM(config, file, SCREE_PARAM_REQUIRED, "NRRD with its data, or raw numbers");
SCREE_CHOICE_VALUE(auto, FORMAT_AUTO, "NRRD if the file begins so, else raw");
SCREE_CHOICE_VALUE(nrrd, FORMAT_NRRD, "NRRD");
SCREE_CHOICE_VALUE(raw, FORMAT_RAW, "numbers only");
SCREE_CHOICE_PARAM(config, format, 0, "auto", "format of the file", &choice_auto, &choice_nrrd,
                   &choice_raw);
SCREE_INTS_PARAM(config, sizes, 3, SCREE_PARAM_OPTIONAL, 0, 2, VOXELS_MOST_SIDE,
                 "voxels of a raw file along each axis, the fastest first");
SCREE_CHOICE_VALUE(none, 0, "a header says it");
SCREE_CHOICE_VALUE(int8, VOXELS_INT8, "1 byte");
SCREE_CHOICE_VALUE(uint8, VOXELS_UINT8, "1 byte without a sign");
SCREE_CHOICE_VALUE(int16, VOXELS_INT16, "2 bytes");
SCREE_CHOICE_VALUE(uint16, VOXELS_UINT16, "2 bytes without a sign");
SCREE_CHOICE_VALUE(int32, VOXELS_INT32, "4 bytes");
SCREE_CHOICE_VALUE(uint32, VOXELS_UINT32, "4 bytes without a sign");
SCREE_CHOICE_VALUE(float, VOXELS_FLOAT, "4 bytes, IEEE");
SCREE_CHOICE_VALUE(double, VOXELS_DOUBLE, "8 bytes, IEEE");
SCREE_CHOICE_PARAM(config, numbers, 0, "none", "numbers of a raw file", &choice_none, &choice_int8,
                   &choice_uint8, &choice_int16, &choice_uint16, &choice_int32, &choice_uint32,
                   &choice_float, &choice_double);
SCREE_CHOICE_VALUE(little, VOXELS_LITTLE, "the lowest byte first");
SCREE_CHOICE_VALUE(big, VOXELS_BIG, "the highest byte first");
SCREE_CHOICE_PARAM(config, endian, 0, "little", "order of the bytes of a raw file's numbers",
                   &choice_little, &choice_big);
SCREE_INT_PARAM(config, skip, 0, 0, 0, INT64_MAX / 2, "bytes of a raw file before its numbers");
SCREE_REALS_PARAM(config, spacing, 3, "m", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 0, 1e50,
                  "from voxel to voxel along each axis; absent: as in the header, or 1 m");
SCREE_REAL_PARAM(config, level, NULL, SCREE_PARAM_OPTIONAL, 0, -1e30, 1e30,
                 "number on the surface; absent: half-way between the least and the largest one");
SCREE_CHOICE_VALUE(above, ABOVE, "numbers above the level");
SCREE_CHOICE_VALUE(below, BELOW, "numbers below the level");
SCREE_CHOICE_PARAM(config, inside, 0, "above", "voxels inside of the solid", &choice_above,
                   &choice_below);
SCREE_INT_PARAM(config, coarse, 0, 1, 1, 64, "voxels along each side of a block that becomes one");
SCREE_CHOICE_VALUE(largest, LEVEL_PIECES_LARGEST, "the largest stays");
SCREE_CHOICE_VALUE(all, LEVEL_PIECES_ALL, "all stay, as one body");
SCREE_CHOICE_PARAM(config, pieces, 0, "largest", "pieces that are not joined", &choice_largest,
                   &choice_all);
SCREE_PLACING_PARAM(config, placing, SCREE_PARAM_OPTIONAL,
                    "unit of the coordinates, then scale, rotate and move as they are written");
static const scree_param *const params[] = {
    &param_file,    &param_format, &param_sizes,  &param_numbers, &param_endian, &param_skip,
    &param_spacing, &param_level,  &param_inside, &param_coarse,  &param_pieces, &param_placing};

static const scree_shape_ops ops = {.size = sizeof ops, .create = create, POLYHEDRON_CALLS};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_SHAPE,
    .flags = SCREE_CAP_USES_LIBM, // placing uses sines
    .dimensions = SCREE_DIMENSION_3,
    .id = "voxels",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "a solid from a volume of numbers, such as a CT scan",
    .summary =
        "NRRD, raw or gzip, or a raw file with sizes and numbers. The surface is that of marching "
        "cubes "
        "at `level`; a solid that reaches the border of the volume is closed half a voxel outside. "
        "The largest piece stays, with its cavities. `coarse` takes means of blocks of voxels. "
        "resolver/dfr3d and resolver/sdf serve it.",
    .citation = "Lorensen, Cline 1987, Computer Graphics 21, 163; O'Connor 1996, A distributed "
                "discrete element modeling environment, thesis, MIT, 3.3",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
