/* SPDX-License-Identifier: Apache-2.0 */
/* Fields that a plugin uses and another one has: which, and whether they fit. */
#include "plugin/field_uses.h"

#include <string.h>

#include "base/text.h"
#include "config/config_node.h"
#include "config/units.h"

const char *scree_scope_name(uint32_t scope)
{
    static const char *const names[] = {"", "contact", "pair", "body", "global"};
    return names[scope];
}

/** The names that a parameter holds: *n of them. */
static const char *const *names_of(const scree_choice_of *choice, const scree_param *param,
                                   uint64_t *n)
{
    const char *at = (const char *)choice->config + param->offset;
    if (param->type == SCREE_TYPE_STRING_ARRAY) {
        const scree_strings *list = (const scree_strings *)(const void *)at;
        *n = list->n;
        return list->v;
    }
    const char *const *one = (const char *const *)(const void *)at;
    *n = *one != NULL;
    return one;
}

/** Returns name number k in the parameters with SCREE_PARAM_FIELD; NULL: they have only *n. */
static const char *name_at(const scree_choice_of *choice, uint32_t k, uint32_t *n,
                           const scree_node **node)
{
    const scree_plugin *plugin = choice->plugin;
    *n = 0;
    for (uint32_t p = 0; choice->config && p < plugin->n_params; p++) {
        const scree_param *param = plugin->params[p];
        uint64_t here;
        if (!(param->flags & SCREE_PARAM_FIELD))
            continue;
        const char *const *names = names_of(choice, param, &here);
        if (k < *n + here) {
            const scree_node *set =
                choice->group ? scree_node_find(choice->group, param->name) : NULL;
            *node = set ? scree_node_at(set, k - *n) : NULL;
            return names[k - *n];
        }
        *n += (uint32_t)here;
    }
    return NULL;
}

uint32_t scree_field_uses_count(const scree_choice_of *choice)
{
    const scree_node *node;
    uint32_t named;
    name_at(choice, UINT32_MAX, &named, &node);
    return choice->plugin->n_uses + named;
}

scree_field_use scree_field_uses_at(const scree_choice_of *choice, uint32_t k)
{
    const uint32_t declared = choice->plugin->n_uses;
    if (k >= declared) {
        scree_field_use use = {
            .scope = SCREE_SCOPE_BODY, .access = SCREE_USE_READ, .by_param = true};
        uint32_t n;
        use.name = name_at(choice, k - declared, &n, &use.at);
        return use;
    }
    const scree_use *one = choice->plugin->uses[k];
    return (scree_field_use){.scope = one->scope,
                             .components = one->components,
                             .access = one->access,
                             .optional = (one->flags & SCREE_USE_OPTIONAL) != 0,
                             .name = one->name,
                             .unit = one->unit};
}

bool scree_field_uses_named(const scree_field_of *field, const char *name)
{
    const char *slash = strrchr(name, '/');
    const size_t n = slash ? (size_t)(slash - name) : 0;
    return !strcmp(field->name, slash ? slash + 1 : name) &&
           (!slash || (strlen(field->slot) == n && !strncmp(field->slot, name, n)));
}

static bool same_unit(const char *a, const char *b)
{
    scree_unit one, other;
    return scree_unit_parse(a, &one, NULL) && scree_unit_parse(b, &other, NULL) &&
           scree_unit_same_dimension(&one, &other) && one.factor == other.factor;
}

/** "force[0]/temperature (force/conduction)": a field, for messages. New string. */
static char *describe(const scree_field_of *field)
{
    return g_strdup_printf("%s/%s%s%s%s", field->slot, field->name, field->plugin ? " (" : "",
                           field->plugin ? field->plugin : "", field->plugin ? ")" : "");
}

/** Sets the error that no field has the name; it lists the fields of the scene. */
static void set_missing(const scree_field_use *use, const char *user, const scree_field_of *fields,
                        uint32_t n, GError **error)
{
    g_autofree const char **names = g_new0(const char *, n + 1);
    g_autoptr(GString) all = g_string_new(NULL);
    uint32_t n_names = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (fields[i].scope != use->scope)
            continue;
        g_autofree char *text = describe(&fields[i]);
        g_string_append_printf(all, "%s%s", all->len ? ", " : "", text);
        names[n_names++] = fields[i].name;
    }
    g_autofree char *hint = scree_did_you_mean(use->name, names);
    scree_fail(error, SCREE_EXIT_USAGE,
               "%s needs the %s field '%s', which no plugin of this scene has%s%s%s", user,
               scree_scope_name(use->scope), use->name, hint, all->len ? "; there are " : "",
               all->str);
}

/** Whether the field has the components and the unit of the use. */
static bool fits(const scree_field_use *use, const char *user, const scree_field_of *field,
                 GError **error)
{
    const bool shape = !use->components || use->components == field->components;
    if (shape && (use->by_param || same_unit(use->unit, field->unit)))
        return true;
    g_autofree char *text = describe(field);
    if (!shape)
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "%s needs the field '%s' with %u components; %s has %u", user, use->name,
                          use->components, text, field->components);
    return scree_fail(error, SCREE_EXIT_USAGE, "%s needs the field '%s' in '%s'; %s is in '%s'",
                      user, use->name, use->unit ? use->unit : "-", text,
                      field->unit ? field->unit : "-");
}

int32_t scree_field_uses_find(const scree_field_use *use, const char *user,
                              const scree_field_of *fields, uint32_t n, GError **error)
{
    int32_t found = -1;
    for (uint32_t i = 0; i < n; i++) {
        if (fields[i].scope != use->scope || !scree_field_uses_named(&fields[i], use->name))
            continue;
        if (found >= 0) {
            g_autofree char *one = describe(&fields[found]), *other = describe(&fields[i]);
            scree_fail(error, SCREE_EXIT_USAGE,
                       "%s needs the %s field '%s', which is ambiguous: %s and %s%s", user,
                       scree_scope_name(use->scope), use->name, one, other,
                       use->by_param ? "; name it with its slot" : "");
            return -1;
        }
        found = (int32_t)i;
    }
    if (found < 0) {
        if (!use->optional)
            set_missing(use, user, fields, n, error);
        return -1;
    }
    if (!fits(use, user, &fields[found], error))
        return -1;
    return found;
}
