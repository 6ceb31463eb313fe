// SPDX-License-Identifier: Apache-2.0
/*
 * polyhedron: a solid in space with plane faces, convex or concave.
 *
 * Sources  B. Mirtich, J. Graphics Tools 1 (2), 1996, 31; D. Eberly, Polyhedral mass properties
 *          (revisited), 2002: sums over facets (polyhedron/sums.c). C. B. Barber, D. P. Dobkin, H.
 *          Huhdanpaa, ACM Trans. Math. Software 22, 1996, 469: hulls (polyhedron/hull.c).
 * Idea     the facets, of an STL or OBJ file, of the scene, of a convex hull or of a named solid, are
 *          one closed surface of triangles. A surface that encloses no solid is refused, and the
 *          message has the place (polyhedron/check.c). Volume, centroid and inertia are exact.
 * Boxes    the corners of the convex hull, turned: exact.
 * Views    scree.mesh/1, exact; scree.support/1 if convex: the farthest corner, of equal ones the
 *          lowest number.
 * Cost     a box: 9 products for each corner of the hull; support: 3.
 * Limits   one piece, cavities allowed; a concave edge of less than 1e-6 rad counts as flat.
 */
#include "polyhedron/polyhedron.h"
#include "mesh/mesh_params.h"

#define FORMAT_CSV 3
enum { SOLID_NONE };

typedef struct config {
    const scree_real_rows *vertices, *points;
    const scree_int_rows *facets;
    const char *file;
    const scree_placing *placing;
    scree_strings columns;
    scree_reals size;
    double weld, edge, diameter;
    int32_t format, hull, solid;
} config;

/* ---- data from the scene ---- */

static int take_rows(const scree_real_rows *rows, mesh_soup *soup, mesh_lines *problems)
{
    if (!mesh_reserve(soup, rows->n, 0, problems))
        return 0;
    for (uint64_t i = 0; i < rows->n; i++)
        mesh_add_vertex(soup, rows->v + rows->first[i]);
    return 1;
}

static int take_facets(const config *c, mesh_soup *soup, mesh_lines *problems)
{
    if (!take_rows(c->vertices, soup, problems) || !mesh_reserve(soup, 0, c->facets->n, problems))
        return 0;
    for (uint64_t i = 0; i < c->facets->n; i++) {
        const uint64_t n = c->facets->first[i + 1] - c->facets->first[i];
        const int64_t *v = c->facets->v + c->facets->first[i];
        uint32_t corner[4];
        if (n != 3 && n != 4)
            return mesh_say(problems, "facet %llu has %llu vertices, expected 3 or 4",
                            (unsigned long long)i, (unsigned long long)n);
        for (uint64_t k = 0; k < n; k++) {
            if ((uint64_t)v[k] >= soup->n_vertices)
                return mesh_say(problems,
                                "facet %llu names vertex %lld, there are %llu (counted "
                                "from 0)",
                                (unsigned long long)i, (long long)v[k],
                                (unsigned long long)soup->n_vertices);
            corner[k] = (uint32_t)v[k];
        }
        mesh_add_facet(soup, (uint32_t)n, corner, 0);
    }
    return 1;
}

/** Takes the points of a table. */
static int take_table(const scree_host *host, const config *c, mesh_soup *soup,
                      mesh_lines *problems)
{
    static const scree_file_column x = {sizeof x, SCREE_COLUMN_REAL, "x", "m"};
    static const scree_file_column y = {sizeof y, SCREE_COLUMN_REAL, "y", "m"};
    static const scree_file_column z = {sizeof z, SCREE_COLUMN_REAL, "z", "m"};
    static const scree_file_column *const known[] = {&x, &y, &z};
    const scree_file_request request = {.size = sizeof request,
                                        .n_known = SCREE_COUNT(known),
                                        .path = c->file,
                                        .known = known,
                                        .columns = c->columns};
    scree_file_rows rows = {.size = sizeof rows};
    const scree_files *files = scree_files_of(host);
    if (!files || files->table(files->ctx, &request, &rows) < 0)
        return mesh_say(problems, "%s cannot be read", c->file); // the host has reported the reason
    for (uint32_t k = 0; k < SCREE_COUNT(known); k++)
        if (!rows.real[k])
            return mesh_say(problems, "%s has no column '%s'", c->file, known[k]->name);
    if (!mesh_reserve(soup, rows.n, 0, problems))
        return 0;
    for (uint32_t i = 0; i < rows.n; i++) {
        const double p[3] = {rows.real[0][i], rows.real[1][i], rows.real[2][i]};
        mesh_add_vertex(soup, p);
    }
    return 1;
}

static int take_solid(const config *c, mesh_soup *soup, mesh_lines *problems)
{
    const int cuboid = c->solid == POLYHEDRON_CUBOID;
    const int given = !isnan(c->edge) + !isnan(c->diameter) + (c->size.n > 0);
    double half[3] = {0.0}, radius;
    if (given != 1 || cuboid != (c->size.n > 0))
        return mesh_say(problems, cuboid ? "a cuboid has a size = (a, b, c), and nothing else"
                                         : "expected one of edge and diameter for a named solid");
    for (uint64_t k = 0; k < c->size.n; k++)
        half[k] = 0.5 * c->size.v[k];
    if (!polyhedron_regular(c->solid, half, soup, &radius, problems))
        return 0;
    const double by = cuboid ? 1.0 : isnan(c->edge) ? 0.5 * c->diameter / radius : c->edge;
    for (uint64_t i = 0; i < 3 * soup->n_vertices; i++)
        soup->xyz[i] *= by;
    return 1;
}

/** Checks that the scene gives the solid in one way; each way has its own keys. */
static int check_keys(const config *c, int table, mesh_lines *problems)
{
    const int listed = c->vertices->n || c->facets->n, points = c->points->n > 0;
    const int file = c->file != NULL, named = c->solid != SOLID_NONE;
    const int sized = !isnan(c->edge) || !isnan(c->diameter) || c->size.n;
    if (listed + points + file + named != 1)
        return mesh_say(problems,
                        "expected one of vertices and facets, points, file, and solid, "
                        "got %s",
                        listed + points + file + named ? "more than one" : "none");
    if (listed && !(c->vertices->n && (c->facets->n || c->hull)))
        return mesh_say(problems, "%s are missing", c->vertices->n ? "facets" : "vertices");
    if (sized && !named)
        return mesh_say(problems, "edge, diameter and size are those of a named solid, and "
                                  "solid = \"..\" is missing");
    if (c->columns.n && !table)
        return mesh_say(problems, "columns are those of a table of points, and file names none");
    return 1;
}

/** Checks each facet by itself: quads of the scene must be planar and convex. */
static int check_facets(const mesh_soup *soup, mesh_lines *problems)
{
    mesh_surface *surface =
        mesh_surface_new(3, soup->n_vertices, soup->xyz, soup->n_facets, soup->corner, problems);
    mesh_surface_free(surface);
    return surface != NULL;
}

/** Takes triangles in metres, before the whole surface is checked. */
static int take(const scree_host *host, const config *c, mesh_soup *soup, mesh_notes *notes)
{
    mesh_lines *problems = &notes->problems;
    const int table = c->file && (c->format == FORMAT_CSV ||
                                  (c->format == MESH_FORMAT_AUTO && mesh_ends_in(c->file, ".csv")));
    if (!check_keys(c, table, problems))
        return 0;
    soup->file = c->file;
    if (!(c->solid != SOLID_NONE ? take_solid(c, soup, problems)
          : c->points->n         ? take_rows(c->points, soup, problems)
          : !c->file             ? take_facets(c, soup, problems)
          : table                ? take_table(host, c, soup, problems)
                                 : mesh_read_file(host, c->file, c->format, soup, notes)) ||
        !mesh_place_soup(c->placing, soup, notes))
        return 0;
    if (c->points->n || table || c->hull) {
        soup->text = 0; // facets of a hull have no line
        return polyhedron_hull(soup, problems);
    }
    if (!c->file)
        return check_facets(soup, problems) && polyhedron_cut_quads(soup, problems);
    const double weld = isnan(c->weld) ? 1e-6 * mesh_diagonal(soup) : c->weld;
    return mesh_weld(soup, weld, problems) &&
           mesh_check(soup, weld, MESH_ERROR, MESH_ERROR, notes) &&
           polyhedron_cut_quads(soup, problems);
}

/** Checks the surface of a soup; NULL with problems. */
static mesh_surface *make_surface(const mesh_soup *soup, mesh_lines *problems)
{
    mesh_surface *surface =
        mesh_surface_new(3, soup->n_vertices, soup->xyz, soup->n_facets, soup->corner, problems);
    const int code = surface ? polyhedron_check(soup, surface, problems) : 0;
    if (code > 0) {
        surface->view.closed = 1;
        return surface;
    }
    if (code < 0)
        mesh_say(problems, "no memory for a polyhedron");
    mesh_surface_free(surface);
    return NULL;
}

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    mesh_soup soup = {0};
    mesh_notes notes = {0};
    mesh_surface *surface =
        take(host, given, &soup, &notes) ? make_surface(&soup, &notes.problems) : NULL;
    mesh_soup_clear(&soup);
    return polyhedron_new(host, surface, &notes, instance);
}

/* ---- descriptor ---- */

SCREE_REAL_ROWS_PARAM(config, vertices, 3, "m", SCREE_PARAM_OPTIONAL, -1e50, 1e50,
                      "points, for facets");
SCREE_INT_ROWS_PARAM(
    config, facets, 0, SCREE_PARAM_OPTIONAL, 0, UINT32_MAX - 1,
    "3 or 4 vertices each, by number from 0, counterclockwise as seen from outside; quads "
    "must be planar");
SCREE_REAL_ROWS_PARAM(config, points, 3, "m", SCREE_PARAM_OPTIONAL, -1e50, 1e50,
                      "points whose convex hull is the solid; instead of vertices and facets");
SCREE_FILE_PARAM(
    config, file, SCREE_PARAM_OPTIONAL,
    "STL or OBJ with facets, or a table of points with the columns x, y, z, whose convex "
    "hull is the solid");
SCREE_CHOICE_VALUE(auto, MESH_FORMAT_AUTO, "by the end of the name");
SCREE_CHOICE_VALUE(stl, MESH_FORMAT_STL, "STL");
SCREE_CHOICE_VALUE(obj, MESH_FORMAT_OBJ, "OBJ");
SCREE_CHOICE_VALUE(csv, FORMAT_CSV, "a table of points");
SCREE_CHOICE_PARAM(config, format, 0, "auto", "format of the file", &choice_auto, &choice_stl,
                   &choice_obj, &choice_csv);
SCREE_STRINGS_PARAM(
    config, columns, 0, SCREE_PARAM_OPTIONAL,
    "names of the columns of a table, \"-\" to skip one; absent: its first line names them");
SCREE_BOOL_PARAM(config, hull, 0, 0,
                 "the convex hull of the vertices is the solid, whatever the facets");
SCREE_PLACING_PARAM(config, placing, SCREE_PARAM_OPTIONAL,
                    "unit of the coordinates, then scale, rotate and move as they are written");
SCREE_REAL_PARAM(config, weld, "m", SCREE_PARAM_OPTIONAL, 0, 0, HUGE_VAL,
                 "vertices of a file this near are merged; without it 1e-6 of the diagonal of the "
                 "box around it");
SCREE_CHOICE_VALUE(none, SOLID_NONE, "none: vertices, points or a file are given");
SCREE_CHOICE_VALUE(cube, POLYHEDRON_CUBE, "6 squares");
SCREE_CHOICE_VALUE(tetrahedron, POLYHEDRON_TETRAHEDRON, "4 triangles");
SCREE_CHOICE_VALUE(octahedron, POLYHEDRON_OCTAHEDRON, "8 triangles");
SCREE_CHOICE_VALUE(dodecahedron, POLYHEDRON_DODECAHEDRON, "12 pentagons");
SCREE_CHOICE_VALUE(icosahedron, POLYHEDRON_ICOSAHEDRON, "20 triangles");
SCREE_CHOICE_VALUE(cuboid, POLYHEDRON_CUBOID, "a brick");
SCREE_CHOICE_PARAM(config, solid, 0, "none",
                   "a named solid about the origin; instead of vertices, points and file",
                   &choice_none, &choice_cube, &choice_tetrahedron, &choice_octahedron,
                   &choice_dodecahedron, &choice_icosahedron, &choice_cuboid);
SCREE_REAL_PARAM(config, edge, "m", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 0, 1e50,
                 "edge of a regular solid");
SCREE_REAL_PARAM(config, diameter, "m", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 0, 1e50,
                 "diameter of the ball around a regular solid");
SCREE_REALS_PARAM(config, size, 3, "m", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 0, 1e50,
                  "sides of a cuboid along x, y, z");
static const scree_param *const params[] = {
    &param_vertices, &param_facets,  &param_points, &param_file, &param_format,
    &param_columns,  &param_hull,    &param_solid,  &param_edge, &param_diameter,
    &param_size,     &param_placing, &param_weld};

static const scree_shape_ops ops = {.size = sizeof ops, .create = create, POLYHEDRON_CALLS};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_SHAPE,
    .flags = SCREE_CAP_USES_LIBM, // placing uses sines
    .dimensions = SCREE_DIMENSION_3,
    .id = "polyhedron",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "a solid with plane faces, convex or concave",
    .summary =
        "Facets from an STL or OBJ file or from the scene, the convex hull of points, or a named "
        "solid. Volume, centroid and inertia are exact. A surface that is open, inside out, "
        "crosses or touches itself, or has edges of more than two facets is refused; mistakes name "
        "facets and vertices by number, from 0, and in text files the line. One piece; cavities "
        "are facets whose normals point into them. A convex one has a support function.",
    .citation =
        "Mirtich 1996, J. Graphics Tools 1 (2), 31; Barber, Dobkin, Huhdanpaa 1996, ACM Trans. "
        "Math. Software 22, 469",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
