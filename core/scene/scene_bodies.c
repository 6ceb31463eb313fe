// SPDX-License-Identifier: Apache-2.0
// The `bodies` of a scene: one by one, or from a table; and what they share with generated ones.
#include "scene/scene_bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/shortage.h"
#include "base/spelling.h"
#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "config/table.h"
#include "scene/plugin_shape.h"
#include "scene/scene_body.h"
#include "scene/scene_lammps.h"
#include "shape/shape.h"

/** Length of v[n]. A v so long or so short that its squares leave the range of numbers is first
 * scaled by a power of two: only its direction counts. */
static double direction_length(double *v, int n)
{
    double most = 0.0, sum = 0.0;
    int power;
    for (int k = 0; k < n; k++)
        most = fmax(most, fabs(v[k]));
    frexp(most, &power);
    for (int k = 0; k < n; k++)
        v[k] = abs(power) > 400 ? ldexp(v[k], -power) : v[k];
    for (int k = 0; k < n; k++)
        sum += v[k] * v[k];
    return sqrt(sum);
}

void scree_build_read_turn(scree_build *b, scree_node *group, const char *words, double q[4])
{
    scree_node *node = scree_config_child(group, "orientation");
    double axis[3] = {0.0, 0.0, 1.0}, angle, given[4];
    q[0] = 1.0;
    q[1] = q[2] = q[3] = 0.0;
    if (!node)
        return;
    if (node->type == SCREE_NODE_LIST) {
        if (!scree_config_vector(b->config, group, "orientation", NULL, 4, given, 0))
            return;
        double length = direction_length(given, 4);
        if (!(length > 0.0) || (b->scene->dimension == 2 && (given[1] != 0.0 || given[2] != 0.0))) {
            scree_config_problem(b->config, node, "no rotation%s",
                                 length > 0.0 ? " about z" : ": a quaternion of length 0");
            return;
        }
        for (int k = 0; k < 4; k++)
            q[k] = given[k] / length;
        return;
    }
    if (node->type == SCREE_NODE_GROUP) {
        if (b->scene->dimension == 3 &&
            !scree_config_vector(b->config, node, "axis", NULL, 3, axis, SCREE_KEY_REQUIRED))
            return;
        angle = scree_config_real(b->config, node, "angle", "rad", 0.0, -HUGE_VAL, HUGE_VAL,
                                  SCREE_KEY_REQUIRED);
        scree_config_report_unknown(b->config, node, NULL);
    } else if (b->scene->dimension == 2) {
        angle =
            scree_config_real(b->config, group, "orientation", "rad", 0.0, -HUGE_VAL, HUGE_VAL, 0);
    } else {
        g_autofree char *got = scree_node_show(node);
        scree_config_problem(
            b->config, node,
            "expected %sa quaternion (w, x, y, z) or { axis = (..); angle = ..; }, got %s", words,
            got);
        return;
    }
    double length = direction_length(axis, 3);
    if (!(length > 0.0)) {
        scree_config_problem(b->config, node, "an axis of length 0");
        return;
    }
    q[0] = cos(0.5 * angle);
    for (int k = 0; k < 3; k++)
        q[k + 1] = sin(0.5 * angle) * axis[k] / length;
}

static scree_body body_of_look(scree_build *b, const scree_node *group, const scree_look *look)
{
    scree_body body = {.id = SCREE_ID_NONE,
                       .shape = look->shape_index,
                       .material = look->material,
                       .motion = look->motion,
                       .scale = look->shape_scale,
                       .q = {1.0, 0, 0, 0}};
    body.group = scree_build_group_name(b, group->name);
    memcpy(body.v, look->v, sizeof body.v);
    memcpy(body.w, look->w, sizeof body.w);
    return body;
}

static void read_one(scree_build *b, scree_node *group, const scree_look *look)
{
    scree_body body = body_of_look(b, group, look);
    bool heavy = !scree_shape_is_wall(look->shape);
    bool placed =
        scree_build_vector(b, group, "position", "m", body.x, heavy ? SCREE_KEY_REQUIRED : 0);
    scree_build_read_turn(b, group, "", body.q);
    if (scree_config_child(group, "id"))
        body.id = (uint64_t)scree_config_int(b->config, group, "id", 0, 0, INT64_MAX, 0);
    if (!look->sized)
        scree_config_problem(b->config, group, "radius is missing");
    scree_shape_enter_frame(look->shape, body.scale, body.x, body.q);
    if (look->sized && (placed || !heavy))
        scree_build_add(b, group, NULL, body);
}

static const scree_column body_columns[] = {
    {"id", SCREE_COLUMN_ID, NULL},         {"x", SCREE_COLUMN_REAL, "m"},
    {"y", SCREE_COLUMN_REAL, "m"},         {"z", SCREE_COLUMN_REAL, "m"},
    {"vx", SCREE_COLUMN_REAL, "m/s"},      {"vy", SCREE_COLUMN_REAL, "m/s"},
    {"vz", SCREE_COLUMN_REAL, "m/s"},      {"wx", SCREE_COLUMN_REAL, "rad/s"},
    {"wy", SCREE_COLUMN_REAL, "rad/s"},    {"wz", SCREE_COLUMN_REAL, "rad/s"},
    {"radius", SCREE_COLUMN_REAL, "m"},    {"diameter", SCREE_COLUMN_REAL, "m"},
    {"material", SCREE_COLUMN_TEXT, NULL},
};
enum { ID, X, Y, Z, VX, VY, VZ, WX, WY, WZ, RADIUS, DIAMETER, MATERIAL, N_COLUMNS };

/** A table with the place of each known column, -1: not there. */
typedef struct body_table {
    const scree_table *table;
    int at[N_COLUMNS];
} body_table;

static bool check_columns(scree_build *b, const scree_node *at, const scree_look *look,
                          body_table *t)
{
    uint32_t before = b->config->problems->len;
    for (int c = 0; c < N_COLUMNS; c++)
        t->at[c] = scree_table_column(t->table, body_columns[c].name);
    for (int k = 0; k < (int)b->scene->dimension; k++)
        if (t->at[X + k] < 0)
            scree_config_problem(b->config, at, "%s has no column '%s'", t->table->file,
                                 body_columns[X + k].name);
    bool size = t->at[RADIUS] >= 0 || t->at[DIAMETER] >= 0;
    if (t->at[RADIUS] >= 0 && t->at[DIAMETER] >= 0)
        scree_config_problem(b->config, at, "%s has a radius and a diameter", t->table->file);
    if (!look->sized && !size)
        scree_config_problem(b->config, at,
                             "%s has no column 'radius', and the group has no radius",
                             t->table->file);
    if (t->at[MATERIAL] < 0 && !look->has_material)
        scree_config_problem(b->config, at,
                             "%s has no column 'material', and the group has no material",
                             t->table->file);
    if (look->size_given && size)
        scree_config_problem(b->config, at, "%s has sizes, but the group gives one too",
                             t->table->file);
    return b->config->problems->len == before;
}

static double real_cell(const body_table *t, uint32_t row, int column, double otherwise)
{
    return t->at[column] < 0 ? otherwise
                             : scree_table_cell(t->table, row, (uint32_t)t->at[column]).real;
}

/** The scale from the size of a row, if it has one; `equal` [m] is the radius at scale 1. */
static void read_size(scree_build *b, const body_table *t, uint32_t row, double equal,
                      double *scale)
{
    const int column = t->at[DIAMETER] >= 0 ? DIAMETER : RADIUS;
    double size = real_cell(t, row, column, 1.0);
    if (t->at[column] < 0)
        return;
    *scale = (column == DIAMETER ? 0.5 * size : size) / equal;
    if (!(size > 0.0))
        scree_config_problem(b->config, NULL, "%s:%u: %s = %g; it must be > 0", t->table->file,
                             scree_table_line(t->table, row), body_columns[column].name, size);
}

/** One row; false when it had a problem. */
static bool read_row(scree_build *b, const scree_node *at, const body_table *t, uint32_t row,
                     double equal, scree_body body)
{
    const scree_place place = {t->table->file, scree_table_line(t->table, row)};
    uint32_t before = b->config->problems->len;
    for (int k = 0; k < 3; k++) {
        body.x[k] = real_cell(t, row, X + k, body.x[k]);
        body.v[k] = real_cell(t, row, VX + k, body.v[k]);
        body.w[k] = real_cell(t, row, WX + k, body.w[k]);
    }
    read_size(b, t, row, equal, &body.scale);
    scree_build_check_body(b, &place, &body);
    if (t->at[ID] >= 0)
        body.id = scree_table_cell(t->table, row, (uint32_t)t->at[ID]).id;
    if (t->at[MATERIAL] >= 0) {
        const char *word = scree_table_cell(t->table, row, (uint32_t)t->at[MATERIAL]).text;
        int m = scree_build_find_material(b, NULL, &place, word);
        body.material = m < 0 ? 0 : (uint32_t)m;
    }
    scree_shape_enter_frame(b->scene->shapes->pdata[body.shape], body.scale, body.x, body.q);
    if (b->config->problems->len == before)
        scree_build_add(b, at, &place, body);
    return b->config->problems->len == before;
}

static void read_file(scree_build *b, scree_node *group, const scree_look *look)
{
    g_autofree char *path = scree_build_file(b, group, "file");
    g_auto(GStrv) columns = scree_build_columns(b, group);
    if (!path)
        return;
    scree_node *at = scree_config_child(group, "file");
    g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(scree_table) table = scree_table_load(path, path, body_columns, N_COLUMNS,
                                                    (const char *const *)columns, problems);
    for (uint32_t i = 0; i < problems->len; i++)
        scree_config_problem(b->config, NULL, "%s", (const char *)problems->pdata[i]);
    body_table t = {.table = table};
    if (!table || !check_columns(b, at, look, &t))
        return;
    scree_body body = body_of_look(b, group, look);
    uint32_t wrong = 0;
    for (uint32_t row = 0; row < table->n_rows && wrong < 20; row++)
        wrong += !read_row(b, at, &t, row, look->equal, body);
    if (wrong == 20)
        scree_config_problem(b->config, at, "%s: further mistakes are not shown", path);
}

static void read_group(scree_build *b, scree_node *group)
{
    static const char *const formats[] = {"table", "lammps", NULL};
    scree_look look;
    scree_build_look(b, group, &look);
    if (!look.shape) // no use in the rest without it
        return;
    if (scree_config_child(group, "file")) {
        if (scree_config_choice(b->config, group, "format", formats, 0) == 1)
            scree_build_lammps(b, group, &look, body_of_look(b, group, &look));
        else
            read_file(b, group, &look);
    } else
        read_one(b, group, &look);
    scree_config_report_unknown(b->config, group, NULL);
}

void scree_build_bodies(scree_build *b)
{
    g_autoptr(GPtrArray) groups = scree_build_groups(b, "bodies");
    if (groups)
        for (uint32_t i = 0; i < groups->len; i++) {
            scree_working_on("bodies");
            scree_working_part(((const scree_node *)groups->pdata[i])->name);
            read_group(b, groups->pdata[i]);
        }
}

static int compare_ids(const void *pa, const void *pb)
{
    const scree_body *a = pa, *b = pb;
    return a->id < b->id ? -1 : a->id > b->id;
}

void scree_build_number(scree_build *b)
{
    GArray *bodies = b->scene->bodies;
    uint64_t next = 1; // above all that the scene gave
    for (uint32_t i = 0; i < bodies->len; i++) {
        uint64_t id = g_array_index(bodies, scree_body, i).id;
        if (id != SCREE_ID_NONE)
            next = MAX(next, id + 1);
    }
    bool sorted = true;
    for (uint32_t i = 0; i < bodies->len; i++) {
        scree_body *body = &g_array_index(bodies, scree_body, i);
        if (body->id == SCREE_ID_NONE)
            body->id = next++;
        sorted = sorted && (i == 0 || body[-1].id < body->id);
    }
    if (!sorted)
        qsort(bodies->data, bodies->len, sizeof(scree_body), compare_ids);
}
