/* SPDX-License-Identifier: Apache-2.0 */
/* `scree new`: writes a scene or a plugin that runs as it is, to start from. */
#include "tools/new/cmd_new.h"

#include <stdio.h>
#include <string.h>

#include "cli/cmd.h"
#include "tools/describe/describe_text.h"
#include "tools/new/new_files.h"
#include "tools/new/new_plugin.h"
#include "tools/new/new_scene.h"

/** NAME, as in the scene and in runs/NAME-1; NULL: it is not allowed. */
static char *take_name(const char *given)
{
    g_autofree char *name = g_strdup(given);
    if (g_str_has_suffix(name, ".cfg"))
        name[strlen(name) - 4] = '\0';
    for (const char *c = name; *c; c++)
        if (!g_ascii_isalnum(*c) && !strchr("_-.", *c))
            return NULL;
    return *name && g_ascii_isalnum(*name) ? g_steal_pointer(&name) : NULL;
}

static bool write_scene(const char *given, const char *like, const char *dir, GError **error)
{
    g_autofree char *name = take_name(given), *path = NULL;
    if (!name)
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "NAME: expected letters, digits, _ - and ., a letter or digit first, "
                          "got \"%s\"; the folder is DIR",
                          given);
    g_autofree char *file = g_strconcat(name, ".cfg", NULL);
    g_autofree char *text =
        like ? scree_new_scene_like(like, name, error) : scree_new_scene(name, error);
    if (!text || !scree_new_file(dir, &(scree_new_text){file, text}, &path, error))
        return false;
    g_autofree char *quoted = scree_new_quoted(path);
    printf("wrote %s; next:\n  %s validate %s\n  %s run %s\n", path, scree_cmd_program, quoted,
           scree_cmd_program, quoted);
    return true;
}

static bool write_plugin(const scree_new_choice *choice, const char *name, const char *dir,
                         GError **error)
{
    g_autofree char *path = NULL;
    bool good = scree_new_plugin(choice, name, dir, &path, error);
    if (good)
        scree_new_plugin_next(choice, name, path);
    return good;
}

int scree_cmd_new(int argc, char **argv)
{
    g_autofree char *like = NULL, *language = NULL;
    const GOptionEntry entries[] = {{"like", 0, 0, G_OPTION_ARG_STRING, &like,
                                     "Write an explained scene of hopper, drum, silo, pile, shear "
                                     "or mixer",
                                     "WHAT"},
                                    {"language", 0, 0, G_OPTION_ARG_STRING, &language,
                                     "Write a plugin in c (the default) or rust (force)", "WORD"},
                                    G_OPTION_ENTRY_NULL};
    g_autoptr(GError) error = NULL;
    int status;
    if (!scree_cmd_parse(&argc, &argv, entries, "KIND|scene NAME [DIR]",
                         "Writes what runs as it is, to start from, into DIR or the current "
                         "folder:\n"
                         "  scene  NAME.cfg, a scene with comments\n"
                         "  KIND   NAME/, the smallest plugin of a kind (gcd, force, ..), with a "
                         "scene, a\n"
                         "         meson.build and the commands in README.md",
                         &status))
        return status;
    if (argc < 2)
        return scree_cmd_usage("new", "expected KIND|scene NAME [DIR], got nothing");
    bool scene = g_str_equal(argv[1], "scene");
    uint32_t kind = scene ? 0 : scree_named_kind(argv[1], "scene", &error);
    if (error)
        return scree_cmd_usage("new", "%s", error->message);
    if (argc < 3 || argc > 4)
        return scree_cmd_usage("new", "expected KIND|scene NAME [DIR], got %d word%s", argc - 1,
                               argc > 2 ? "s" : "");
    if (like && !scene)
        return scree_cmd_usage("new", "--like goes with scene, not with %s", argv[1]);
    if (language && scene)
        return scree_cmd_usage("new", "--language goes with a KIND of plugin, not with scene");
    const char *dir = argc > 3 ? argv[3] : NULL;
    const scree_new_choice choice = {kind, language};
    if (scene ? write_scene(argv[2], like, dir, &error)
              : write_plugin(&choice, argv[2], dir, &error))
        return SCREE_EXIT_OK;
    return error->domain == SCREE_ERROR && error->code == SCREE_EXIT_USAGE
               ? scree_cmd_usage("new", "%s", error->message)
               : scree_cmd_fail(error);
}
