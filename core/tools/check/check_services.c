/* SPDX-License-Identifier: Apache-2.0 */
/* Case `services`: a host need not offer what is optional (host->get_service), so a plugin that
 * cannot do without it refuses in create(), with a text; one that can works. */
#include "tools/check/check_services.h"

#include <stdio.h>
#include <string.h>

#include "tools/check/check_instance.h"
#include "tools/check/check_report.h"

typedef bool (*exercise_fn)(scree_check *check, scree_instance *instance);

/** A setting with which a plugin may ask for more services: a parameter that names a group. New
 * string; NULL: none. */
static char *name_group(const scree_param *p)
{
    bool list = p->type == SCREE_TYPE_STRING_ARRAY, one = p->type == SCREE_TYPE_STRING;
    const uint32_t flags = SCREE_PARAM_GROUP | SCREE_PARAM_KINEMATIC_GROUP;
    if ((!list && !one) || !(p->flags & flags))
        return NULL;
    const char *group = p->flags & SCREE_PARAM_KINEMATIC_GROUP ? "wall" : "ball";
    return list ? g_strdup_printf("%s=(\"%s\")", p->name, group)
                : g_strdup_printf("%s=\"%s\"", p->name, group);
}

/** Drops a refusal with a reason. False: the failure stays. */
static bool accept_refusal(scree_check *check)
{
    if (!check->failed || !check->refused)
        return !check->failed;
    check->failed = check->refused = false;
    g_string_truncate(check->text, 0);
    return true;
}

/** Puts the name of the service before the text of a failure. */
static void name_failure(scree_check *check, const char *what, const char *advice)
{
    g_autofree char *text = g_strdup(check->text->str);
    g_string_printf(check->text, "without %s%s%s: %s", what, *advice ? ", " : "", advice, text);
}

/** *needs: create() refused. */
static void try_without(scree_check *check, const char *service, const char *setting,
                        exercise_fn exercise, bool *needs)
{
    const char *what = *service ? service : "any service";
    // Prints lines that are shown if the case crashes.
    fprintf(stderr, "without %s%s%s\n", what, setting ? ", with " : "", setting ? setting : "");
    check->withheld = service;
    scree_instance *instance =
        scree_check_instance(check, scree_check_dimension(check), 1, SCREE_CHECK_DEFAULTS, setting);
    if (!instance) {
        *needs = true;
        if (!accept_refusal(check))
            name_failure(check, what, "");
    } else if (!exercise(check, instance)) {
        name_failure(check, what, "create() goes well, where it should refuse");
    }
    check->withheld = NULL;
}

/** Makes a run that writes no files: a call may fail, with a text. */
static void try_without_files(scree_check *check, const char *setting, exercise_fn exercise)
{
    fprintf(stderr, "without files: scree.output/1 refuses them, its folder is NULL\n");
    check->no_files = true;
    scree_instance *instance =
        scree_check_instance(check, scree_check_dimension(check), 1, SCREE_CHECK_DEFAULTS, setting);
    if ((!instance || !exercise(check, instance)) && !accept_refusal(check))
        name_failure(check, "files (scree.output/1 refuses them)", "");
    check->no_files = false;
}

/** Services that create() asks for with a setting, each once. New array. */
static GPtrArray *list_asked(scree_check *check, const char *setting)
{
    GPtrArray *asked = g_ptr_array_new_with_free_func(g_free);
    check->asked = asked;
    scree_instance *instance =
        scree_check_instance(check, scree_check_dimension(check), 1, SCREE_CHECK_DEFAULTS, setting);
    check->asked = NULL;
    if (!instance && setting && accept_refusal(check)) // the setting does not go with the defaults
        g_ptr_array_set_size(asked, 0);
    scree_check_instance_free(instance);
    return asked;
}

bool scree_check_asks(scree_check *check, const char *service)
{
    g_autoptr(GPtrArray) asked = list_asked(check, NULL);
    check->failed = check->refused = false; // the case that asks finds this by itself
    g_string_truncate(check->text, 0);
    return g_ptr_array_find_with_equal_func(asked, service, g_str_equal, NULL);
}

static void try_setting(scree_check *check, const char *setting, exercise_fn exercise,
                        GString *notes)
{
    g_autoptr(GPtrArray) asked = list_asked(check, setting);
    bool any = false, unused;
    for (guint k = 0; k < asked->len && !check->failed; k++) {
        bool needs = false;
        const char *service = asked->pdata[k];
        try_without(check, service, setting, exercise, &needs);
        g_string_append_printf(notes, "%s%s it %s%s%s", notes->len ? "\n" : "", service,
                               needs ? "needs" : "can do without", setting ? ", with " : "",
                               setting ? setting : "");
        any = true;
    }
    if (any && !check->failed)
        try_without(check, "", setting, exercise, &unused);
    if (any && !check->failed)
        try_without_files(check, setting, exercise);
}

void scree_check_services(scree_check *check, exercise_fn exercise)
{
    g_autoptr(GString) notes = g_string_new(NULL);
    try_setting(check, NULL, exercise, notes);
    for (uint32_t k = 0; k < check->plugin->n_params && !check->failed; k++) {
        g_autofree char *setting = name_group(check->plugin->params[k]);
        if (setting)
            try_setting(check, setting, exercise, notes);
    }
    if (notes->len > 0)
        scree_check_note(check, "%s", notes->str);
    else if (!check->failed)
        scree_check_skip(check, "it asks for no service");
}
