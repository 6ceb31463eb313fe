// SPDX-License-Identifier: Apache-2.0
// Points of observer `vtk`: balls and discs, balls of clumps, centres of other solids.
#include "vtk.h"

#define EMIT_PER_POINT(name, statement)                                                            \
    static void body_##name(const frame *f, sink *s)                                               \
    {                                                                                              \
        const scree_bodies *b = f->view->bodies;                                                   \
        for (const row *r = f->rows; r < f->rows + f->n_points; r++) {                             \
            const uint32_t i = r->body;                                                            \
            statement;                                                                             \
        }                                                                                          \
    }
EMIT_PER_POINT(id, put_int64(s, b->id[i]))
EMIT_PER_POINT(spin, put_vector(s, b->w, i))
EMIT_PER_POINT(material, put_int32(s, (int32_t)b->material[i]))
EMIT_PER_POINT(motion, put_int32(s, (int32_t)b->motion[i]))
EMIT_PER_POINT(shape, put_int32(s, (int32_t)b->shape[i]))
EMIT_PER_POINT(orientation,
               put_reals(s, (double[4]){b->q[0][i], b->q[1][i], b->q[2][i], b->q[3][i]}, 4))

static const scree_balls *balls_of(const scree_bodies *b, uint32_t i)
{
    return b->shapes[b->shape[i]]->balls;
}

/* The centre of a body, or of a ball of a clump. */
static void find_centre(const scree_bodies *b, const row *r, double at[3])
{
    const scree_balls *balls = balls_of(b, r->body);
    for (int k = 0; k < 3; k++)
        at[k] = b->x[k][r->body];
    if (balls)
        place_point(b, r->body, balls->centre[0][r->ball], balls->centre[1][r->ball],
                    balls->centre[2][r->ball], at);
}

static void body_x(const frame *f, sink *s)
{
    for (uint64_t k = 0; k < f->n_points; k++) {
        double at[3];
        find_centre(f->view->bodies, &f->rows[k], at);
        put_reals(s, at, 3);
    }
}

/* A ball of a clump has the velocity of its centre. */
static void body_velocity(const frame *f, sink *s)
{
    const scree_bodies *b = f->view->bodies;
    for (const row *r = f->rows; r < f->rows + f->n_points; r++) {
        const uint32_t i = r->body;
        const double w[3] = {b->w[0][i], b->w[1][i], b->w[2][i]};
        double v[3] = {b->v[0][i], b->v[1][i], b->v[2][i]}, at[3];
        find_centre(b, r, at);
        for (int k = 0; k < 3; k++)
            at[k] -= b->x[k][i];
        for (int k = 0; k < 3 && balls_of(b, i); k++)
            v[k] += w[(k + 1) % 3] * at[(k + 2) % 3] - w[(k + 2) % 3] * at[(k + 1) % 3];
        put_reals(s, v, 3);
    }
}

static void body_radius(const frame *f, sink *s)
{
    const scree_bodies *b = f->view->bodies;
    for (const row *r = f->rows; r < f->rows + f->n_points; r++) {
        const vtk_surface *surface = &f->surfaces[b->shape[r->body]];
        const scree_balls *balls = balls_of(b, r->body);
        const double radius = balls ? b->scale[r->body] * balls->radius[r->ball]
                              : surface->mesh || surface->outline ? 0.0
                                                                  : b->radius[r->body];
        put_reals(s, &radius, 1);
    }
}

static void body_force(const frame *f, sink *s)
{
    for (uint64_t i = 0; i < f->n_points; i++) {
        scree_load load = {.size = offsetof(scree_load, stiffness)};
        if (f->view->load(f->view, f->rows[i].body, &load) != SCREE_OK)
            return; // write_vtp finds the array too short
        put_reals(s, load.force, 3);
    }
}

static void body_group(const frame *f, sink *s)
{
    for (uint64_t i = 0; i < f->n_points; i++)
        put_int32(s, f->group[f->rows[i].body]);
}

static void body_coordination(const frame *f, sink *s)
{
    for (uint64_t i = 0; i < f->n_points; i++)
        put_int32(s, f->coordination[f->rows[i].body]);
}

static void body_image(const frame *f, sink *s)
{
    for (uint64_t i = 0; i < f->n_points; i++)
        for (int k = 0; k < 3; k++)
            put_int32(s, f->view->bodies->image[k][f->rows[i].body]);
}

static void body_ball(const frame *f, sink *s)
{
    for (uint64_t i = 0; i < f->n_points; i++)
        put_int32(s, (int32_t)f->rows[i].ball);
}

static void count_up(const frame *f, sink *s)
{
    for (uint64_t i = 0; i < f->n_points; i++)
        put_int64(s, i);
}

static void count_up_from_one(const frame *f, sink *s)
{
    for (uint64_t i = 1; i <= f->n_points; i++)
        put_int64(s, i);
}

static const array nothing[] = {{0}};
static const array body_data[] = {
    {"id", "Int64", 1, body_id},
    {"radius", "Float64", 1, body_radius},
    {"velocity", "Float64", 3, body_velocity},
    {"spin", "Float64", 3, body_spin},
    {"force", "Float64", 3, body_force},
    {"material", "Int32", 1, body_material},
    {"group", "Int32", 1, body_group},
    {"motion", "Int32", 1, body_motion},
    {"coordination", "Int32", 1, body_coordination},
    {"image", "Int32", 3, body_image},
    {"orientation", "Float64", 4, body_orientation},
    {"shape", "Int32", 1, body_shape},
    {"ball", "Int32", 1, body_ball},
    {0},
};
const part bodies_part = {
    .name = "bodies",
    .point_data = body_data,
    .cell_data = nothing,
    .points = {"Points", "Float64", 3, body_x},
    .connectivity = {"connectivity", "Int64", 1, count_up},
    .offsets = {"offsets", "Int64", 1, count_up_from_one},
};

/* Points of a body. */
static uint32_t count_rows(const scree_bodies *b, uint32_t i)
{
    return is_wall(b, i) ? 0 : balls_of(b, i) ? balls_of(b, i)->n : 1;
}

int find_bodies(body_memory *memory, frame *f)
{
    const scree_bodies *b = f->view->bodies;
    const scree_contact_list *list = f->view->contacts;
    const uint32_t n_shown = count_shown(f);
    uint64_t n = 1;
    for (uint32_t k = 0; k < n_shown; k++)
        n += count_rows(b, shown_body(f, k));
    if (!scree_grow(&memory->rows, &memory->row_capacity, n, sizeof *memory->rows) ||
        !scree_grow(&memory->coordination, &memory->coordination_capacity, (uint64_t)b->n + 1,
                    sizeof *memory->coordination))
        return 0;
    f->rows = memory->rows;
    f->coordination = memory->coordination;
    f->n_points = 0;
    memset(memory->coordination, 0, b->n * sizeof *memory->coordination);
    for (uint32_t k = 0; k < n_shown; k++)
        for (uint32_t i = shown_body(f, k), p = 0; p < count_rows(b, i); p++)
            memory->rows[f->n_points++] = (row){i, p};
    f->n_cells = f->n_corners = f->n_points;
    for (uint64_t c = 0; c < list->n; c++)
        if (list->depth[c] >= 0.0) {
            memory->coordination[list->a[c]]++;
            memory->coordination[list->b[c]]++;
        }
    return 1;
}
