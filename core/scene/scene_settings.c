/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of a scene, plugins aside, that may change in a run: dt, gravity, region, boundary, bodies. */
#include "scene/scene_settings.h"

#include <math.h>
#include <string.h>

#include "base/spelling.h"
#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_read.h"

static const char *const words[] = {"open", "stop", "reflect", "destroy", "periodic", NULL};

static void read_dt(scree_build *b, scree_node *group, scree_settings *s)
{
    scree_node *dt = scree_config_child(group, "dt");
    s->has_dt = dt != NULL;
    s->dt = (double)NAN;
    if (dt && !(dt->type == SCREE_NODE_STRING && strcmp(dt->s, "auto") == 0))
        s->dt = scree_config_real(b->config, group, "dt", "s", (double)NAN, 0.0, HUGE_VAL,
                                  SCREE_KEY_MIN_OPEN);
}

static void read_boundary_of(scree_build *b, const scree_node *node, int axis, scree_settings *s)
{
    const char *word = node->type == SCREE_NODE_STRING ? node->s : "";
    int found = -1;
    for (int i = 0; words[i]; i++)
        if (strcmp(word, words[i]) == 0)
            found = i;
    if (found < 0) {
        g_autofree char *hint = scree_did_you_mean(word, words), *shown = scree_node_show(node);
        scree_config_problem(b->config, node,
                             "expected one of open, stop, reflect, destroy, periodic, got %s%s",
                             shown, hint);
        return;
    }
    s->boundary[axis] = (scree_boundary)found;
    if (found != SCREE_BOUNDARY_OPEN && !s->has_region && !b->scene->has_region)
        scree_config_problem(b->config, node, "\"%s\" needs a scene.region", words[found]);
}

/** One word for all axes, or one per axis. */
static void read_boundary(scree_build *b, scree_node *group, scree_settings *s)
{
    scree_node *node = scree_config_child(group, "boundary");
    uint32_t dimension = b->scene->dimension;
    s->has_boundary = node != NULL;
    if (!node)
        return;
    if (node->type == SCREE_NODE_STRING) {
        uint32_t before = b->config->problems->len;
        for (uint32_t k = 0; k < dimension && b->config->problems->len == before; k++)
            read_boundary_of(b, node, (int)k, s);
    } else if (node->type == SCREE_NODE_LIST && node->children->len == dimension) {
        for (uint32_t k = 0; k < dimension; k++)
            read_boundary_of(b, node->children->pdata[k], (int)k, s);
    } else {
        scree_config_problem(b->config, node, "one word, or a list of %u", dimension);
    }
}

void scree_build_settings(scree_build *b, scree_node *group, scree_settings *s)
{
    *s = (scree_settings){.has_gravity = group && scree_node_find(group, "gravity")};
    read_dt(b, group, s);
    scree_build_vector(b, group, "gravity", "m/s^2", s->gravity, 0);
    scree_node *region = scree_config_group(b->config, group, "region");
    // A region that is wrong is one problem; that a boundary needs one would be another.
    s->has_region = region != NULL;
    if (region)
        scree_build_region(b, region, s->region_min, s->region_max);
    read_boundary(b, group, s);
}

/* ---- bodies ---- */

/** The number of a group of bodies; -1 with a problem. */
static int find_group(scree_build *b, const scree_node *node)
{
    GPtrArray *names = b->scene->group_names;
    g_autoptr(GPtrArray) known = g_ptr_array_new();
    for (guint k = 0; k < names->len; k++) {
        if (!strcmp(names->pdata[k], node->name))
            return (int)k;
        g_ptr_array_add(known, names->pdata[k]);
    }
    g_ptr_array_add(known, NULL);
    g_autofree char *hint = scree_did_you_mean(node->name, (const char *const *)known->pdata);
    scree_config_problem(b->config, node,
                         "expected the name of a group of `bodies` or `generate` of the scene, got "
                         "\"%s\"%s",
                         node->name, hint);
    return -1;
}

/** Bodies that are there at the start must be able to do what the group says. */
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
    static const char *const keys[2] = {"velocity", "spin"};
    static const char *const units[2] = {"m/s", "rad/s"};
    const guint before = b->config->problems->len;
    scree_group_change change = {.off = node->type == SCREE_NODE_STRING && !strcmp(node->s, "off")};
    const int group = find_group(b, node);
    if (!change.off && node->type != SCREE_NODE_GROUP) {
        g_autofree char *got = scree_node_show(node);
        scree_config_problem(b->config, node,
                             "expected \"off\", or a group of velocity and spin, got %s", got);
        return;
    }
    for (int k = 0; k < (change.off ? 0 : 2); k++) {
        double *to = change.value[k];
        change.has[k] = scree_node_find(node, keys[k]) != NULL;
        if (change.has[k] && k == 1 && b->scene->dimension == 2)
            to[2] =
                scree_config_real(b->config, node, keys[k], units[k], 0.0, -HUGE_VAL, HUGE_VAL, 0);
        else
            scree_build_vector(b, node, keys[k], units[k], to, 0);
    }
    if (!change.off)
        scree_config_report_unknown(b->config, node, NULL);
    if (!change.off && !change.has[0] && !change.has[1])
        scree_config_problem(b->config, node, "it is empty: expected velocity, spin");
    change.group = (uint32_t)group;
    if (b->config->problems->len == before)
        check_group(b, node, &change);
    if (b->config->problems->len == before)
        g_array_append_val(s->groups, change);
}

void scree_build_group_changes(scree_build *b, scree_node *from, scree_settings *s)
{
    scree_node *group = scree_config_group(b->config, from, "bodies");
    if (!group)
        return;
    s->groups = g_array_new(FALSE, FALSE, sizeof(scree_group_change));
    for (guint k = 0; k < group->children->len; k++)
        read_change(b, scree_config_child(group, ((scree_node *)group->children->pdata[k])->name),
                    s);
}

/* ---- what it says, and to the scene ---- */

bool scree_settings_any(const scree_settings *s)
{
    return s->has_dt || s->has_gravity || s->has_region || s->has_boundary || s->groups;
}

void scree_settings_print_vector(const double v[3], GString *out)
{
    g_string_append_printf(out, "(%.9g %.9g %.9g)", v[0], v[1], v[2]);
}

void scree_settings_print_region(const scree_scene *scene, GString *out)
{
    if (!scene->has_region) {
        g_string_append(out, "none");
        return;
    }
    scree_settings_print_vector(scene->region_min, out);
    g_string_append(out, " to ");
    scree_settings_print_vector(scene->region_max, out);
}

void scree_settings_print_boundary(const scree_scene *scene, GString *out)
{
    for (uint32_t k = 0; k < scene->dimension; k++)
        g_string_append_printf(out, "%s%s", k ? " " : "", words[scene->boundary[k]]);
}

static void print_groups(const scree_settings *s, const scree_scene *scene, GString *out)
{
    static const char *const keys[2] = {"velocity", "spin"};
    const guint n_groups = s->groups ? s->groups->len : 0;
    for (guint g = 0; g < n_groups; g++) {
        const scree_group_change *change = &g_array_index(s->groups, scree_group_change, g);
        g_string_append_printf(out, ", bodies.%s%s",
                               (const char *)scene->group_names->pdata[change->group],
                               change->off ? " off" : "");
        for (int k = 0; k < 2; k++) {
            if (!change->has[k])
                continue;
            g_string_append_printf(out, " %s ", keys[k]);
            scree_settings_print_vector(change->value[k], out);
        }
    }
}

void scree_settings_print(const scree_settings *s, const scree_scene *scene, GString *out)
{
    g_autoptr(GString) text = g_string_new(NULL);
    scree_scene then = *scene;
    scree_settings_apply(s, &then);
    if (s->has_gravity) {
        g_string_append(text, ", gravity ");
        scree_settings_print_vector(s->gravity, text);
    }
    if (s->has_dt && isnan(s->dt))
        g_string_append(text, ", dt auto");
    else if (s->has_dt)
        g_string_append_printf(text, ", dt %.9g s", s->dt);
    if (s->has_region) {
        g_string_append(text, ", region ");
        scree_settings_print_region(&then, text);
    }
    if (s->has_boundary) {
        g_string_append(text, ", boundary ");
        scree_settings_print_boundary(&then, text);
    }
    print_groups(s, scene, text);
    g_string_append(out, text->len ? text->str + strlen(", ") : "");
}

void scree_settings_apply(const scree_settings *s, scree_scene *scene)
{
    if (s->has_dt)
        scene->dt = s->dt;
    if (s->has_gravity)
        memcpy(scene->gravity, s->gravity, sizeof scene->gravity);
    if (s->has_region) {
        memcpy(scene->region_min, s->region_min, sizeof scene->region_min);
        memcpy(scene->region_max, s->region_max, sizeof scene->region_max);
        scene->has_region = true;
    }
    if (s->has_boundary)
        memcpy(scene->boundary, s->boundary, sizeof scene->boundary);
}
