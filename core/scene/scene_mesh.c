// SPDX-License-Identifier: Apache-2.0
// Shapes from mesh files: the keys of a `mesh` with a `file`, in the order that the user wrote
// them.
#include "scene/scene_mesh.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "config/units.h"
#include "shape/mesh.h"
#include "shape/mesh_faults.h"
#include "shape/mesh_obj.h"
#include "shape/mesh_stl.h"

/** One step of the way from the file's coordinates to the shape's. */
static void scale_by(scree_soup *m, const double s[3])
{
    for (uint64_t i = 0; i < 3 * m->n_vertices; i++)
        m->xyz[i] *= s[i % 3];
}

static void move_by(scree_soup *m, const double d[3])
{
    for (uint64_t i = 0; i < 3 * m->n_vertices; i++)
        m->xyz[i] += d[i % 3];
}

/** Sine and cosine, exact for whole quarters of a turn, so that walls stay where the grid is. */
static void sine_cosine(double angle, double *s, double *c)
{
    double quarters = angle / (0.5 * G_PI);
    static const double exact[4] = {0.0, 1.0, 0.0, -1.0};
    if (fabs(quarters) < 1e6 &&
        fabs(quarters - nearbyint(quarters)) < 1e-14 * (1 + fabs(quarters))) {
        int64_t turn = (int64_t)nearbyint(quarters) & 3;
        *s = exact[turn];
        *c = exact[(turn + 1) & 3];
    } else {
        *s = sin(angle);
        *c = cos(angle);
    }
}

/** Rodrigues' formula; `axis` is a unit vector through the origin. */
static void rotate_by(scree_soup *m, const double axis[3], double angle)
{
    double s, c;
    sine_cosine(angle, &s, &c);
    for (uint64_t i = 0; i < m->n_vertices; i++) {
        double *x = m->xyz + 3 * i, along = 0.0, side[3], out[3];
        for (int k = 0; k < 3; k++)
            along += axis[k] * x[k];
        for (int k = 0; k < 3; k++)
            side[k] = axis[(k + 1) % 3] * x[(k + 2) % 3] - axis[(k + 2) % 3] * x[(k + 1) % 3];
        for (int k = 0; k < 3; k++)
            out[k] = c * x[k] + s * side[k] + (1.0 - c) * along * axis[k];
        memcpy(x, out, sizeof out);
    }
}

/** { axis = (..); angle = ..; } */
static bool apply_rotation(scree_build *b, scree_node *group, scree_soup *m)
{
    double axis[3] = {0.0, 0.0, 0.0};
    if (group->type != SCREE_NODE_GROUP) {
        scree_config_problem(b->config, group,
                             "expected { axis = (x, y, z); angle = ..; }, or a list of them");
        return false;
    }
    bool ok = scree_config_vector(b->config, group, "axis", NULL, 3, axis, SCREE_KEY_REQUIRED);
    double angle = scree_config_real(b->config, group, "angle", "rad", (double)NAN, -HUGE_VAL,
                                     HUGE_VAL, SCREE_KEY_REQUIRED);
    scree_config_report_unknown(b->config, group, NULL);
    double length = hypot(hypot(axis[0], axis[1]), axis[2]);
    if (ok && !(length > 0.0))
        scree_config_problem(b->config, group, "an axis of length 0");
    if (!ok || isnan(angle) || !(length > 0.0))
        return false;
    for (int k = 0; k < 3; k++)
        axis[k] /= length;
    if (m)
        rotate_by(m, axis, angle);
    return true;
}

static bool apply_rotations(scree_build *b, scree_node *node, scree_soup *m)
{
    bool ok = true;
    if (node->type != SCREE_NODE_LIST)
        return apply_rotation(b, node, m);
    for (uint32_t i = 0; i < node->children->len; i++)
        ok &= apply_rotation(b, node->children->pdata[i], m);
    return ok;
}

/** A number, or one per axis; all > 0. */
static bool apply_scale(scree_build *b, scree_node *group, scree_node *node, scree_soup *m)
{
    double s[3] = {1.0, 1.0, 1.0};
    if (node->type == SCREE_NODE_LIST) {
        if (!scree_config_vector(b->config, group, "scale", NULL, 3, s, 0))
            return false;
        for (int k = 0; k < 3; k++)
            if (!(s[k] > 0.0)) {
                scree_config_problem(b->config, node, "%g; each must be > 0", s[k]);
                return false;
            }
    } else {
        s[0] = scree_config_real(b->config, group, "scale", NULL, (double)NAN, 0.0, HUGE_VAL,
                                 SCREE_KEY_MIN_OPEN);
        s[1] = s[2] = s[0];
    }
    if (m && !isnan(s[0]))
        scale_by(m, s);
    return !isnan(s[0]);
}

/** scale, rotate, move in the order of the group. Without a mesh they are only checked. */
static bool apply_keys(scree_build *b, scree_node *group, scree_soup *m)
{
    bool ok = true;
    for (uint32_t i = 0; i < group->children->len; i++) {
        scree_node *node = group->children->pdata[i];
        double d[3];
        node = strcmp(node->name, "scale") && strcmp(node->name, "rotate") &&
                       strcmp(node->name, "move")
                   ? NULL
                   : scree_config_child(group, node->name);
        if (!node)
            continue;
        if (strcmp(node->name, "scale") == 0) {
            ok &= apply_scale(b, group, node, m);
        } else if (strcmp(node->name, "rotate") == 0) {
            ok &= apply_rotations(b, node, m);
        } else if (scree_config_vector(b->config, group, "move", "m", 3, d, SCREE_KEY_REQUIRED)) {
            if (m)
                move_by(m, d);
        } else {
            ok = false;
        }
    }
    return ok;
}

/** Metres in the unit of the file; NaN with a problem. */
static double read_unit(scree_build *b, scree_node *group)
{
    const char *word = scree_config_string(b->config, group, "unit", "m", 0);
    scree_unit have, want;
    g_autoptr(GError) error = NULL;
    scree_unit_parse("m", &want, NULL);
    if (!scree_unit_parse(word, &have, &error)) {
        scree_config_problem(b->config, scree_config_child(group, "unit"), "%s", error->message);
        return (double)NAN;
    }
    if (!scree_unit_same_dimension(&have, &want)) {
        scree_config_problem(b->config, scree_config_child(group, "unit"),
                             "expected a unit of length, got \"%s\"", word);
        return (double)NAN;
    }
    return have.factor;
}

/** The format by choice, or by the name of the file; NULL with a problem. */
static scree_soup *load(scree_build *b, scree_node *group, const char *path, GPtrArray *problems,
                        GPtrArray *notes)
{
    static const char *const formats[] = {"auto", "stl", "obj", NULL};
    int format = scree_config_choice(b->config, group, "format", formats, 0);
    g_autofree char *lower = g_ascii_strdown(path, -1);
    size_t length;
    if (format == 0)
        format = g_str_has_suffix(lower, ".stl") ? 1 : g_str_has_suffix(lower, ".obj") ? 2 : 0;
    if (format == 0) {
        scree_config_problem(b->config, scree_config_child(group, "file"),
                             "%s ends neither in .stl nor in .obj; format = \"stl\" or \"obj\" "
                             "says what it is",
                             path);
        return NULL;
    }
    g_autofree char *bytes = scree_text_load(path, &length, problems);
    if (!bytes)
        return NULL;
    return format == 1 ? scree_mesh_read_stl(bytes, length, path, problems)
                       : scree_mesh_read_obj(bytes, length, path, problems, notes);
}

/** Coordinates in metres, finite. */
static bool place_mesh(scree_build *b, scree_node *group, scree_soup *m, double unit)
{
    const double factor[3] = {unit, unit, unit};
    scale_by(m, factor);
    if (!apply_keys(b, group, m))
        return false;
    for (uint64_t i = 0; i < 3 * m->n_vertices; i++)
        if (!isfinite(m->xyz[i])) {
            scree_config_problem(b->config, group,
                                 "vertex %" G_GUINT64_FORMAT
                                 " is beyond all bounds after unit, scale, "
                                 "rotate, move",
                                 i / 3);
            return false;
        }
    return true;
}

scree_shape *scree_build_mesh(scree_build *b, scree_node *group)
{
    static const char *const policies[] = {"error", "drop", NULL};
    static const char *const turns[] = {"error", "note", "turn", NULL};
    static const scree_mesh_policy turn_of[] = {SCREE_MESH_ERROR, SCREE_MESH_NOTE, SCREE_MESH_TURN};
    g_autofree char *path = scree_build_file(b, group, "file");
    g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    int degenerate = scree_config_choice(b->config, group, "degenerate", policies, 0);
    int duplicate = scree_config_choice(b->config, group, "duplicate", policies, 0);
    int inside_out = scree_config_choice(b->config, group, "inside_out", turns, 1);
    double weld = scree_config_real(b->config, group, "weld", "m", (double)NAN, 0.0, HUGE_VAL, 0);
    double unit = read_unit(b, group);
    if (!path) {
        apply_keys(b, group, NULL);
        return NULL;
    }
    g_autoptr(scree_soup) m = load(b, group, path, problems, notes);
    bool placed =
        m ? !isnan(unit) && place_mesh(b, group, m, unit) : (apply_keys(b, group, NULL), false);
    scree_shape *shape = NULL;
    if (placed) {
        if (isnan(weld))
            weld = 1e-6 * scree_mesh_diagonal(m);
        bool ok = scree_mesh_weld(m, weld, problems) &&
                  scree_mesh_check(m, weld, (scree_mesh_policy)degenerate,
                                   (scree_mesh_policy)duplicate, problems, notes);
        if (ok)
            shape = scree_mesh_shape(m, turn_of[inside_out], problems, notes);
    }
    for (uint32_t i = 0; i < problems->len; i++)
        scree_config_problem(b->config, NULL, "%s", (const char *)problems->pdata[i]);
    for (uint32_t i = 0; i < notes->len; i++)
        scree_config_note(b->config, NULL, "%s", (const char *)notes->pdata[i]);
    return shape;
}
