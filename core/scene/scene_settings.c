/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of a scene, except plugins, that may change in a run: dt, gravity, region, bodies, ... */
#include "scene/scene_settings.h"

#include <math.h>
#include <string.h>

#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "scene/scene_keys.h"

static const char *boundary_word(scree_boundary boundary)
{
    return scree_keys_word(SCREE_KEYS_LIVE, "boundary", (int32_t)boundary);
}

double scree_tilt_cells(const double min[3], const double max[3], const double tilt[3])
{
    const double rows = tilt[2] != 0.0 ? 1.0 + fabs(tilt[2]) / (max[1] - min[1]) : 1.0;
    const double way = rows * fabs(tilt[0]) + fabs(tilt[1]);
    return way > 0.0 ? fmax(rows, 1.0 + way / (max[0] - min[0])) : rows;
}

char *scree_check_tilt(uint32_t dimension, const scree_boundary boundary[3], const double min[3],
                       const double max[3], const double tilt[3])
{
    static const struct {
        const char *name;
        uint32_t along, of;
    } parts[3] = {{"xy", 0, 1}, {"xz", 0, 2}, {"yz", 1, 2}};
    for (int k = 0; k < 3; k++)
        if (tilt[k] != 0.0 &&
            (parts[k].of >= dimension || boundary[parts[k].along] != SCREE_BOUNDARY_PERIODIC ||
             boundary[parts[k].of] != SCREE_BOUNDARY_PERIODIC))
            return g_strdup_printf("%s = %g m needs boundary = \"periodic\" along %c and %c",
                                   parts[k].name, tilt[k], "xyz"[parts[k].along],
                                   "xyz"[parts[k].of]);
    const double far = scree_tilt_cells(min, max, tilt);
    if (far < SCREE_MOST_CELLS)
        return NULL;
    return g_strdup_printf("neighbours are up to %.7g cells apart along an axis; expected fewer "
                           "than %d; a tilt without whole cells is the same lattice",
                           far, SCREE_MOST_CELLS);
}

/** Reads the region. */
static void read_region(scree_build *b, scree_settings *s)
{
    const scree_boundary *boundary = s->has_boundary ? s->boundary : b->scene->boundary;
    if (!scree_build_region(b, s->region, s->region_min, s->region_max, s->tilt))
        return;
    g_autofree char *problem =
        scree_check_tilt(b->scene->dimension, boundary, s->region_min, s->region_max, s->tilt);
    if (problem)
        scree_config_problem(b->config, scree_node_find(s->region, "tilt"), "%s", problem);
}

void scree_build_settings(scree_build *b, scree_node *group, scree_settings *s)
{
    *s = (scree_settings){.has_dt = scree_node_find(group, "dt"),
                          .has_gravity = scree_node_find(group, "gravity"),
                          .has_boundary = scree_node_find(group, "boundary")};
    scree_build_keys(b, group, SCREE_KEYS_LIVE, s);
    if (s->region)
        read_region(b, s);
    // An invalid region is one problem; a boundary without a region would be another.
    for (uint32_t k = 0; k < b->scene->dimension; k++)
        if (s->boundary[k] != SCREE_BOUNDARY_OPEN && !s->region && !b->scene->has_region) {
            scree_config_problem(b->config, scree_node_find(group, "boundary"),
                                 "\"%s\" needs a scene.region", boundary_word(s->boundary[k]));
            return;
        }
}

/* ---- bodies ---- */

/** Returns the index of a group of bodies; SCREE_NONE with a problem. */
static uint32_t find_group(scree_build *b, const scree_node *node)
{
    const uint32_t group = scree_scene_group(b->scene, node->name);
    if (group != SCREE_NONE)
        return group;
    g_autofree char *hint = scree_build_group_hint(b, node->name);
    scree_config_problem(b->config, node,
                         "expected the name of a group of `bodies` or `generate` of the scene, got "
                         "\"%s\"%s",
                         node->name, hint);
    return SCREE_NONE;
}

/** Checks that the bodies at the start can do what the group asks for. */
static void check_group(scree_build *b, const scree_node *node, const scree_group_change *change)
{
    const GArray *bodies = b->scene->bodies;
    for (guint i = 0; i < bodies->len; i++) {
        const scree_body *body = &g_array_index(bodies, scree_body, i);
        if (body->group != change->group || change->off || body->motion != SCREE_MOTION_FIXED)
            continue;
        scree_config_problem(b->config, node,
                             "bodies.%s is fixed: expected motion = \"kinematic\" there, of a body "
                             "that is set in motion later, or \"off\"",
                             node->name);
        return;
    }
}

static void read_change(scree_build *b, scree_node *node, scree_settings *s)
{
    const guint before = b->config->problems->len;
    scree_group_change change = {.off = node->type == SCREE_NODE_STRING && !strcmp(node->s, "off")};
    change.group = find_group(b, node);
    if (!change.off && node->type != SCREE_NODE_GROUP) {
        scree_config_expected(b->config, node, "\"off\", or a group of velocity and spin");
        return;
    }
    if (!change.off) {
        scree_body_keys keys;
        scree_build_group(b, node, SCREE_KEYS_CHANGE, &keys);
        memcpy(change.value[0], keys.velocity, sizeof keys.velocity);
        memcpy(change.value[1], keys.spin, sizeof keys.spin);
        change.has[0] = scree_node_find(node, "velocity");
        change.has[1] = scree_node_find(node, "spin");
    }
    if (!change.off && !change.has[0] && !change.has[1])
        scree_config_problem(b->config, node, "it is empty: expected velocity, spin");
    if (b->config->problems->len == before)
        check_group(b, node, &change);
    if (b->config->problems->len == before)
        g_array_append_val(s->groups, change);
}

void scree_build_group_changes(scree_build *b, scree_node *group, scree_settings *s)
{
    s->groups = g_array_new(FALSE, FALSE, sizeof(scree_group_change));
    for (guint k = 0; k < group->children->len; k++)
        read_change(b, scree_config_child(group, ((scree_node *)group->children->pdata[k])->name),
                    s);
}

/* ---- as text, and applied ---- */

bool scree_settings_any(const scree_settings *s)
{
    return s->has_dt || s->has_gravity || s->region || s->has_boundary || s->groups;
}

char *scree_settings_show_vector(const double v[3])
{
    return g_strdup_printf("(%.9g %.9g %.9g)", v[0], v[1], v[2]);
}

char *scree_settings_show_region(const scree_scene *scene)
{
    g_autofree char *min = scree_settings_show_vector(scene->region_min),
                    *max = scree_settings_show_vector(scene->region_max),
                    *tilt = scree_settings_show_vector(scene->tilt);
    const bool tilted = scree_scene_tilted(scene);
    return scene->has_region ? g_strconcat(min, " to ", max, tilted ? " tilt " : NULL, tilt, NULL)
                             : g_strdup("none");
}

char *scree_settings_show_boundary(const scree_scene *scene)
{
    const scree_boundary *b = scene->boundary;
    return g_strjoin(" ", boundary_word(b[0]), boundary_word(b[1]),
                     scene->dimension == 3 ? boundary_word(b[2]) : NULL, NULL);
}

void scree_settings_apply(const scree_settings *s, scree_scene *scene)
{
    if (s->has_dt)
        scene->dt = s->dt;
    if (s->has_gravity)
        memcpy(scene->gravity, s->gravity, sizeof scene->gravity);
    if (s->region) {
        memcpy(scene->region_min, s->region_min, sizeof scene->region_min);
        memcpy(scene->region_max, s->region_max, sizeof scene->region_max);
        memcpy(scene->tilt, s->tilt, sizeof scene->tilt);
        scene->has_region = true;
    }
    if (s->has_boundary)
        memcpy(scene->boundary, s->boundary, sizeof scene->boundary);
}

void scree_scene_cell(const scree_scene *scene, scree_cell *cell)
{
    *cell = (scree_cell){.size = sizeof *cell};
    for (uint32_t k = 0; k < scene->dimension; k++) {
        cell->lo[k] = scene->has_region ? scene->region_min[k] : -HUGE_VAL;
        cell->hi[k] = scene->has_region ? scene->region_max[k] : HUGE_VAL;
        if (!scene->has_region || scene->boundary[k] != SCREE_BOUNDARY_PERIODIC)
            continue;
        cell->repeats |= 1u << k;
        cell->vector[k][k] = cell->hi[k] - cell->lo[k];
    }
    cell->vector[1][0] = scene->tilt[0];
    cell->vector[2][0] = scene->tilt[1];
    cell->vector[2][1] = scene->tilt[2];
}
