/* SPDX-License-Identifier: Apache-2.0 */
/* The text of an entry of the schedule: the keys and settings that it changes. */
#include "tools/look/schedule_text.h"

#include <math.h>
#include <string.h>

#include "scene/scene_settings.h"

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
            g_autofree char *value = scree_settings_show_vector(change->value[k]);
            g_string_append_printf(out, " %s %s", keys[k], value);
        }
    }
}

/** Appends the settings that differ, ", " between them. */
static void print_settings(const scree_settings *s, const scree_scene *scene, GString *out)
{
    g_autoptr(GString) text = g_string_new(NULL);
    scree_scene then = *scene;
    scree_settings_apply(s, &then);
    g_autofree char *gravity = scree_settings_show_vector(then.gravity),
                    *region = scree_settings_show_region(&then),
                    *boundary = scree_settings_show_boundary(&then);
    if (s->has_gravity)
        g_string_append_printf(text, ", gravity %s", gravity);
    if (s->has_dt && isnan(s->dt))
        g_string_append(text, ", dt auto");
    else if (s->has_dt)
        g_string_append_printf(text, ", dt %.9g s", s->dt);
    if (s->region)
        g_string_append_printf(text, ", region %s", region);
    if (s->has_boundary)
        g_string_append_printf(text, ", boundary %s", boundary);
    print_groups(s, scene, text);
    g_string_append(out, text->len ? text->str + strlen(", ") : "");
}

void scree_schedule_print(const scree_schedule_entry *entry, const scree_scene *scene, GString *out)
{
    const scree_plugin_set *s = entry->set;
    const struct {
        const char *key;
        bool set;
    } plugins[] = {{"gcd", s->gcd},
                   {"resolvers", s->resolvers},
                   {"force", s->forces},
                   {"integrator", s->integrator},
                   {"modifiers", s->modifiers},
                   {"observers", s->observers}};
    g_autoptr(GString) text = g_string_new(NULL);
    for (size_t k = 0; k < G_N_ELEMENTS(plugins); k++)
        if (plugins[k].set)
            g_string_append_printf(text, "%s%s", text->len ? ", " : "", plugins[k].key);
    if (scree_settings_any(&entry->settings))
        g_string_append(text, text->len ? ", " : "");
    print_settings(&entry->settings, scene, text);
    g_string_append(out, text->str);
}
