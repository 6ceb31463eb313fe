// SPDX-License-Identifier: Apache-2.0
// The `bodies` of a scene: one by one, or from a table; and what they share with generated ones.
#include <math.h>
#include <string.h>

#include "base/shortage.h"
#include "base/spelling.h"
#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "config/table.h"
#include "scene/scene_build.h"
#include "shape/shape.h"

static const char *const motions[] = {"free", "kinematic", "fixed", NULL};

static bool is_round(const scree_shape *shape)
{
    return shape->type == SCREE_SPHERE || shape->type == SCREE_DISC;
}

uint32_t scree_build_group_name(scree_build *b, const char *name)
{
    GPtrArray *names = b->scene->group_names;
    for (uint32_t i = 0; i < names->len; i++)
        if (strcmp(names->pdata[i], name) == 0)
            return i;
    g_ptr_array_add(names, g_strdup(name));
    return names->len - 1;
}

/** Names of the materials, NULL-terminated; free the array alone. */
static const char **material_names(const scree_scene *scene)
{
    const char **names = g_new0(const char *, scene->materials.n + 1);
    for (uint32_t i = 0; i < scene->materials.n; i++)
        names[i] = scene->materials.names[i];
    return names;
}

/** "FILE:LINE: " of a row, or "" where the scene's own line is told anyway; new string. */
static char *before_message(const scree_place *row)
{
    return row ? g_strdup_printf("%s:%u: ", row->file, row->line) : g_strdup("");
}

int scree_build_find_material(scree_build *b, const scree_node *at, const scree_place *row,
                              const char *word)
{
    for (uint32_t i = 0; i < b->scene->materials.n; i++)
        if (strcmp(b->scene->materials.names[i], word) == 0)
            return (int)i;
    g_autofree const char **names = material_names(b->scene);
    g_autofree char *hint = scree_did_you_mean(word, names);
    g_autofree char *where = before_message(row);
    scree_config_problem(b->config, at, "%sno material \"%s\"%s", where, word, hint);
    return -1;
}

static bool look_material(scree_build *b, scree_node *group, scree_look *look)
{
    const char *word = scree_config_string(b->config, group, "material", NULL, 0);
    look->has_material = word || b->scene->materials.n == 1;
    if (!word && b->scene->materials.n == 1)
        return true; // the only one
    if (!word) {
        if (scree_config_child(group, "file") && !scree_config_child(group, "material"))
            return true; // the file may say it
        if (b->scene->materials.n > 1 && !scree_config_child(group, "material"))
            scree_config_problem(b->config, group, "material is missing (the scene has %u)",
                                 b->scene->materials.n);
        return false;
    }
    int m = scree_build_find_material(b, scree_config_child(group, "material"), NULL, word);
    look->material = m < 0 ? 0 : (uint32_t)m;
    return m >= 0;
}

static bool look_shape(scree_build *b, scree_node *group, scree_look *look)
{
    const char *usual = b->scene->dimension == 2 ? "disc" : "sphere";
    const char *word = scree_config_string(b->config, group, "shape", usual, 0);
    const scree_shape_name *entry = g_hash_table_lookup(b->shape_names, word);
    const scree_node *shapes = scree_node_find(b->config->root, "shapes");
    if (!entry && shapes && shapes->type == SCREE_NODE_GROUP && scree_node_find(shapes, word))
        return false; // what is wrong with it has been said
    if (!entry) {
        guint n;
        g_autofree char **names = (char **)g_hash_table_get_keys_as_array(b->shape_names, &n);
        g_autofree char *hint = scree_did_you_mean(word, (const char *const *)names);
        scree_config_problem(b->config, scree_config_child(group, "shape"), "no shape \"%s\"%s",
                             word, hint);
        return false;
    }
    look->shape_index = entry->index;
    look->shape = b->scene->shapes->pdata[entry->index];
    look->shape_scale = entry->scale;
    look->sized = entry->sized;
    if (look->shape->type != SCREE_DISC || b->scene->dimension == 2)
        return true;
    scree_config_problem(b->config, scree_config_child(group, "shape"),
                         "a disc needs scene.dimension = 2");
    return false;
}

/** radius, diameter or scale, as the shape allows. */
static bool look_size(scree_build *b, scree_node *group, scree_look *look)
{
    scree_node *radius = scree_config_child(group, "radius");
    scree_node *diameter = scree_config_child(group, "diameter");
    double size;
    if (look->sized && (radius || diameter)) {
        scree_config_problem(b->config, radius ? radius : diameter,
                             "the shape has its size already; `scale` multiplies it");
        return false;
    }
    if (radius && diameter) {
        scree_config_problem(b->config, diameter, "radius is given as well");
        return false;
    }
    if (look->sized) {
        size = scree_config_real(b->config, group, "scale", NULL, 1.0, 0.0, HUGE_VAL,
                                 SCREE_KEY_MIN_OPEN);
        look->shape_scale *= size;
        return true;
    }
    if (!radius && !diameter)
        return true;
    size = scree_config_real(b->config, group, radius ? "radius" : "diameter", "m", (double)NAN,
                             0.0, HUGE_VAL, SCREE_KEY_MIN_OPEN);
    look->shape_scale = radius ? size : 0.5 * size;
    look->sized = true;
    return !isnan(size);
}

static bool look_motion(scree_build *b, scree_node *group, scree_look *look)
{
    bool round = is_round(look->shape);
    int motion = scree_config_choice(b->config, group, "motion", motions,
                                     round ? (int)SCREE_FREE : (int)SCREE_FIXED);
    look->motion = (uint32_t)motion;
    scree_build_vector(b, group, "velocity", "m/s", look->v, 0);
    scree_node *spin = scree_config_child(group, "spin");
    if (b->scene->dimension == 3)
        scree_build_vector(b, group, "spin", "rad/s", look->w, 0);
    else if (spin && spin->type == SCREE_NODE_LIST)
        scree_config_problem(b->config, spin, "a number in 2D: [rad/s] about z");
    else
        look->w[2] =
            scree_config_real(b->config, group, "spin", "rad/s", 0.0, -HUGE_VAL, HUGE_VAL, 0);
    if (look->motion == SCREE_FREE && !round) {
        scree_config_problem(b->config, scree_config_child(group, "motion"),
                             "a mesh, a box or a plane has no mass and cannot be free; "
                             "\"kinematic\" and \"fixed\" are possible");
        return false;
    }
    bool moves = false;
    for (int k = 0; k < 3; k++)
        moves |= look->v[k] != 0.0 || look->w[k] != 0.0;
    if (look->motion == SCREE_FIXED && moves) {
        scree_config_problem(b->config, group,
                             "a fixed body has no velocity and no spin; motion = \"kinematic\"?");
        return false;
    }
    return true;
}

void scree_build_look(scree_build *b, scree_node *group, scree_look *look)
{
    *look = (scree_look){.valid = true};
    look->valid &= look_material(b, group, look);
    if (!look_shape(b, group, look)) {
        look->valid = false;
        return;
    }
    look->valid &= look_size(b, group, look);
    look->valid &= look_motion(b, group, look);
}

/** Told once: a free body whose mass or moment of inertia under- or overflows. */
static void check_mass(scree_build *b, const scree_node *at, const scree_place *row,
                       const scree_body *body)
{
    const scree_scene *s = b->scene;
    const scree_shape *shape = s->shapes->pdata[body->shape];
    double mass, inertia[3];
    if (body->motion != SCREE_FREE || !is_round(shape) || !s->materials.n || b->told_mass)
        return;
    scree_shape_mass(shape, body->scale, s->density[body->material], s->dimension, s->thickness,
                     &mass, inertia);
    if (isnormal(mass) && isnormal(inertia[0]) && isfinite(1.0 / inertia[0]))
        return;
    b->told_mass = true;
    g_autofree char *where = before_message(row);
    scree_config_problem(b->config, row ? NULL : at,
                         "%sa radius of %g m gives a mass of %g kg and a moment of inertia of %g "
                         "kg m^2, which no force could turn into a motion",
                         where, shape->radius * body->scale, mass, inertia[0]);
}

/** The slot of an id: with its body, or empty. */
static uint32_t *find_id(scree_build *b, uint64_t id)
{
    const scree_id_set *ids = &b->ids;
    uint32_t at = (uint32_t)(id * 0x9e3779b97f4a7c15u >> 32) & (ids->n_slots - 1);
    while (ids->slot[at] && g_array_index(b->scene->bodies, scree_body, ids->slot[at] - 1).id != id)
        at = (at + 1) & (ids->n_slots - 1);
    return &ids->slot[at];
}

/** Doubles the slots when they are more than half full. */
static void widen_ids(scree_build *b)
{
    scree_id_set *ids = &b->ids;
    uint32_t *old = ids->slot, n_old = ids->n_slots;
    if (ids->n < n_old / 2)
        return;
    ids->n_slots = n_old ? 2 * n_old : 64;
    ids->slot = g_new0(uint32_t, ids->n_slots);
    for (uint32_t k = 0; k < n_old; k++)
        if (old[k])
            *find_id(b, g_array_index(b->scene->bodies, scree_body, old[k] - 1).id) = old[k];
    g_free(old);
}

/** Notes where the body that comes next is given. */
static void note_place(scree_id_set *ids, const char *file, uint32_t line)
{
    if (!ids->files) {
        ids->files = g_ptr_array_new_with_free_func(g_free);
        ids->places = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    }
    guint last = ids->files->len;
    if (!last || strcmp(ids->files->pdata[last - 1], file) != 0)
        g_ptr_array_add(ids->files, g_strdup(file));
    uint64_t place = (uint64_t)(ids->files->len - 1) << 32 | line;
    g_array_append_val(ids->places, place);
}

void scree_id_set_clear(scree_id_set *ids)
{
    g_clear_pointer(&ids->slot, g_free);
    g_clear_pointer(&ids->places, g_array_unref);
    g_clear_pointer(&ids->files, g_ptr_array_unref);
}

void scree_build_add(scree_build *b, const scree_node *at, const scree_place *row, scree_body body)
{
    check_mass(b, at, row, &body);
    scree_working_bodies(MAX(b->scene->bodies->len, b->expected));
    if (body.id != SCREE_ID_NONE) {
        widen_ids(b);
        uint32_t *slot = find_id(b, body.id);
        if (*slot) {
            uint64_t before = g_array_index(b->ids.places, uint64_t, *slot - 1);
            g_autofree char *where = before_message(row);
            scree_config_problem(
                b->config, row ? NULL : at, "%sid %" G_GUINT64_FORMAT " is taken already, at %s:%u",
                where, body.id, (const char *)b->ids.files->pdata[before >> 32], (uint32_t)before);
            return;
        }
        *slot = b->scene->bodies->len + 1;
        b->ids.n++;
    }
    if (row)
        note_place(&b->ids, row->file, row->line);
    else
        note_place(&b->ids, at->file ? at->file : "an override", (uint32_t)at->line);
    g_array_append_val(b->scene->bodies, body);
}

/** A unit quaternion from (w, x, y, z), from { axis, angle }, in 2D from an angle. */
static void read_orientation(scree_build *b, scree_node *group, double q[4])
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
        double length = sqrt(given[0] * given[0] + given[1] * given[1] + given[2] * given[2] +
                             given[3] * given[3]);
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
        scree_config_problem(b->config, node,
                             "a quaternion (w, x, y, z) or { axis = (..); angle = ..; }");
        return;
    }
    double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
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
    bool round = is_round(look->shape);
    bool placed =
        scree_build_vector(b, group, "position", "m", body.x, round ? SCREE_KEY_REQUIRED : 0);
    read_orientation(b, group, body.q);
    if (scree_config_child(group, "id"))
        body.id = (uint64_t)scree_config_int(b->config, group, "id", 0, 0, INT64_MAX, 0);
    if (!look->sized)
        scree_config_problem(b->config, group, "radius is missing");
    if (look->sized && (placed || !round))
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
    if (look->sized && size)
        scree_config_problem(b->config, at, "%s has sizes, but the group gives one too",
                             t->table->file);
    return b->config->problems->len == before;
}

static double real_cell(const body_table *t, uint32_t row, int column, double otherwise)
{
    return t->at[column] < 0 ? otherwise
                             : scree_table_cell(t->table, row, (uint32_t)t->at[column]).real;
}

void scree_build_check_body(scree_build *b, const scree_place *row, const scree_body *body)
{
    bool moves = false;
    if (b->scene->dimension == 2 &&
        (body->x[2] != 0.0 || body->v[2] != 0.0 || body->w[0] != 0.0 || body->w[1] != 0.0))
        scree_config_problem(b->config, NULL, "%s:%u: in 2D z, vz, wx and wy are 0", row->file,
                             row->line);
    for (int k = 0; k < 3; k++)
        moves |= body->v[k] != 0.0 || body->w[k] != 0.0;
    if (body->motion == SCREE_FIXED && moves)
        scree_config_problem(b->config, NULL, "%s:%u: a fixed body has no velocity and no spin",
                             row->file, row->line);
}

/** One row; false when it had a problem. */
static bool read_row(scree_build *b, const scree_node *at, const body_table *t, uint32_t row,
                     scree_body body)
{
    const scree_place place = {t->table->file, scree_table_line(t->table, row)};
    uint32_t before = b->config->problems->len;
    for (int k = 0; k < 3; k++) {
        body.x[k] = real_cell(t, row, X + k, body.x[k]);
        body.v[k] = real_cell(t, row, VX + k, body.v[k]);
        body.w[k] = real_cell(t, row, WX + k, body.w[k]);
    }
    body.scale = real_cell(t, row, RADIUS, body.scale);
    if (t->at[DIAMETER] >= 0)
        body.scale = 0.5 * real_cell(t, row, DIAMETER, 0.0);
    if (!(body.scale > 0.0))
        scree_config_problem(b->config, NULL, "%s:%u: %s = %g; it must be > 0", place.file,
                             place.line, t->at[DIAMETER] >= 0 ? "diameter" : "radius",
                             t->at[DIAMETER] >= 0 ? 2.0 * body.scale : body.scale);
    scree_build_check_body(b, &place, &body);
    if (t->at[ID] >= 0)
        body.id = scree_table_cell(t->table, row, (uint32_t)t->at[ID]).id;
    if (t->at[MATERIAL] >= 0) {
        const char *word = scree_table_cell(t->table, row, (uint32_t)t->at[MATERIAL]).text;
        int m = scree_build_find_material(b, NULL, &place, word);
        body.material = m < 0 ? 0 : (uint32_t)m;
    }
    if (b->config->problems->len == before)
        scree_build_add(b, at, &place, body);
    return b->config->problems->len == before;
}

char **scree_build_columns(scree_build *b, scree_node *group)
{
    scree_node *list = scree_config_list(b->config, group, "columns");
    if (!list)
        return NULL;
    GPtrArray *names = g_ptr_array_new();
    for (uint32_t i = 0; i < list->children->len; i++) {
        const scree_node *word = list->children->pdata[i];
        if (word->type != SCREE_NODE_STRING)
            scree_config_problem(b->config, word, "a column is named by a string");
        else
            g_ptr_array_add(names, g_strdup(word->s));
    }
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_free(names, FALSE);
}

static void read_file(scree_build *b, scree_node *group, const scree_look *look)
{
    g_autofree char *path = scree_config_path(b->config, group, "file", 0);
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
        wrong += !read_row(b, at, &t, row, body);
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

void scree_build_check_mass(scree_build *b, const scree_node *at, const scree_body *body)
{
    check_mass(b, at, NULL, body);
}
