// SPDX-License-Identifier: Apache-2.0
// Shapes of observer `hdf5`: what bodies look like, once each.
/*
 * /parameters/shapes/NUMBER, NUMBER as in scree_bodies.shape: 0 for a sphere, 1 for a disc, then
 * the shapes of the scene in their order; walls are left out. Data are at scale 1, about the centre
 * of mass, in principal axes:
 *
 *   attributes   name (in the scene), type (id of the plugin), kind ("round", "clump" or "solid"), radius [m] (of a ball
 *                that holds it), volume [m^3], inertia [m^2] (principal moments per mass), flat (1:
 *                volume is an area [m^2], the body is as thick as the scene)
 *   clump        centre [n 3], ball_radius [n]
 *   solid, 3D    vertices [n 3], facets [m 4] (numbers of vertices, counterclockwise from outside;
 *                -1: a triangle), attribute tolerance [m]: distance from the exact surface
 *   solid, 2D    outline [n 2], counterclockwise, attribute tolerance [m]
 *
 * A solid that offers no surface has no surface here either.
 */
#include "../hull.h"
#include "h5.h"

static int is_wall(const scree_shape *shape)
{
    return (shape->flags & (SCREE_CAP_WALL | SCREE_CAP_INFINITE)) != 0;
}

int h5_has_solids(const scree_bodies *b)
{
    int found = 0;
    for (uint32_t k = 0; k < b->n_shapes; k++)
        found |= !is_wall(b->shapes[k]) && !(b->shapes[k]->flags & SCREE_CAP_ROUND);
    return found;
}

static int write_real(hid_t to, const char *name, hsize_t n, const double *values)
{
    return h5_attribute(to, name, H5T_IEEE_F64LE, n, values);
}

/* Writes a table of fixed size. */
static int write_table(hid_t to, const char *name, hid_t type, hsize_t n, hsize_t width,
                       const void *values)
{
    const hsize_t size[2] = {n, width};
    hid_t space = H5Screate_simple(width > 1 ? 2 : 1, size, NULL);
    hid_t how = h5_creation(H5P_DATASET_CREATE), data = -1;
    if (how >= 0)
        data = H5Dcreate2(to, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    int ok = data >= 0 && H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    h5_drop(data);
    h5_drop(how);
    h5_drop(space);
    return ok;
}

/* Points as rows. */
static int write_points(hid_t to, const char *name, uint32_t n, uint32_t width,
                        const double *const *x)
{
    double *rows = malloc((uint64_t)n * width * sizeof *rows);
    if (!rows)
        return 0;
    for (uint64_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < width; k++)
            rows[i * width + k] = x[k][i];
    int ok = write_table(to, name, H5T_IEEE_F64LE, n, width, rows);
    free(rows);
    return ok;
}

static int write_facets(hid_t to, const scree_mesh *m)
{
    const uint64_t n = 4 * (uint64_t)m->n_facets;
    int32_t *corners = malloc(n * sizeof *corners);
    if (!corners)
        return 0;
    for (uint64_t k = 0; k < n; k++)
        corners[k] = m->facet[k] == SCREE_NONE ? -1 : (int32_t)m->facet[k];
    int ok = write_table(to, "facets", H5T_STD_I32LE, m->n_facets, 4, corners);
    free(corners);
    return ok;
}

static int write_outline(hid_t to, const scree_outline *o)
{
    return write_points(to, "outline", o->n, 2, o->vertex);
}

static int write_mesh(hid_t to, const scree_mesh *m)
{
    return write_points(to, "vertices", m->n_vertices, 3, m->vertex) && write_facets(to, m);
}

static int write_surface(const scree_host *host, hid_t to, const scree_shape *shape,
                         uint32_t number, double tolerance)
{
    const char *name = host->dimension == 2 ? SCREE_VIEW_OUTLINE : SCREE_VIEW_MESH;
    const void *view = shape->view(shape, name, tolerance);
    hull *own = NULL;
    if (!view && !hull_make(shape, host->dimension, tolerance, &own))
        return 0;
    if (own)
        view = host->dimension == 2 ? (const void *)&own->outline : (const void *)&own->mesh;
    if (!view)
        scree_logf(host, SCREE_LOG_INFO,
                   "shape %u (%s) offers neither %s nor " SCREE_VIEW_SUPPORT
                   ": /parameters/shapes/%u has no surface",
                   number, shape->plugin->id, name, number);
    int ok = !view || (write_real(to, "tolerance", 0, &tolerance) &&
                       (host->dimension == 2 ? write_outline(to, view) : write_mesh(to, view)));
    hull_free(own);
    return ok;
}

static int write_shape(const scree_host *host, const scree_names *names, hid_t to,
                       const scree_bodies *b, uint32_t number, double tolerance)
{
    const scree_shape *shape = b->shapes[number];
    const scree_balls *balls = shape->balls;
    const int32_t flat = (int32_t)shape->flat;
    const int round = (shape->flags & SCREE_CAP_ROUND) != 0;
    const char *named = names ? names->shape_name(names->ctx, number) : NULL;
    int ok = (!named || h5_text(to, "name", named)) &&
             h5_text(to, "type", b->types[shape->type]->name) &&
             h5_text(to, "kind",
                     round   ? "round"
                     : balls ? "clump"
                             : "solid") &&
             h5_attribute(to, "flat", H5T_STD_I32LE, 0, &flat) &&
             write_real(to, "radius", 0, &shape->radius) &&
             write_real(to, "volume", 0, &shape->volume) &&
             write_real(to, "inertia", 3, shape->inertia);
    if (!ok || round)
        return ok;
    if (balls)
        return write_points(to, "centre", balls->n, 3, balls->centre) &&
               write_table(to, "ball_radius", H5T_IEEE_F64LE, balls->n, 1, balls->radius);
    return write_surface(host, to, shape, number, tolerance * shape->radius);
}

int h5_write_shapes(const scree_host *host, const scree_names *names, hid_t file,
                    const scree_bodies *b, double tolerance)
{
    hid_t parameters = H5Gopen2(file, "parameters", H5P_DEFAULT);
    hid_t shapes = h5_group(parameters, "shapes");
    int ok = shapes >= 0;
    for (uint32_t k = 0; k < b->n_shapes && ok; k++) {
        char name[16];
        snprintf(name, sizeof name, "%u", k);
        if (is_wall(b->shapes[k]))
            continue;
        hid_t one = h5_group(shapes, name);
        ok = one >= 0 && write_shape(host, names, one, b, k, tolerance);
        h5_drop(one);
    }
    h5_drop(shapes);
    h5_drop(parameters);
    return ok;
}
