/* SPDX-License-Identifier: Apache-2.0 */
/* `scree new KIND`: copies the template of a kind under another name. */
#include "tools/new/new_plugin.h"

#include <stdio.h>
#include <string.h>

#include "base/paths.h"
#include "build_config.h"
#include "cli/cmd.h"
#include "plugin/kinds.h"
#include "plugin/registry.h"
#include "tools/new/new_files.h"

/* A template is a folder with the name of its kind, below that of its language, and has the files
 * ID.c (or what a source is called in the language), ID.cfg, and these. ID becomes NAME in their
 * names and, as a word, in their text. */
static const char *const others[] = {"meson.build", "README.md"};
enum { N_SUFFIXES = 2, N_FILES = N_SUFFIXES + G_N_ELEMENTS(others) + 1 };

typedef struct language {
    const char *name, *folder, *suffix, *build; // build: command, of NAME twice
} language;

static const language languages[] = {
    {"c", "", ".c",
     "cc -O2 -fPIC -shared -fvisibility=hidden -ffp-contract=off "
     "$(pkg-config --cflags scree) %s.c -o %s.so -lm"},
    {"rust", "-rust", ".rs",
     "SCREE_RS=$(pkg-config --variable=rust scree) rustc --edition 2021 -C opt-level=3 "
     "-C panic=abort -C strip=symbols --crate-type cdylib %s.rs -o %s.so"},
};

/* Targets of Meson: it could not build a plugin with such a name. */
static const char *const targets[] = {"all",         "benchmark", "clean",    "coverage",
                                      "dist",        "distcheck", "install",  "phony",
                                      "reconfigure", "test",      "uninstall"};

static const language *find_language(const char *name, GError **error)
{
    for (size_t i = 0; i < G_N_ELEMENTS(languages); i++)
        if (!name || g_str_equal(name, languages[i].name))
            return &languages[i];
    scree_fail(error, SCREE_EXIT_USAGE, "--language: expected c or rust, got \"%s\"", name);
    return NULL;
}

/** Returns the ID of the template in a folder, a new string; NULL: with an error. */
static char *find_id(const char *folder, const char *suffix, GError **error)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, error);
    char *id = NULL;
    if (!dir) {
        g_prefix_error(error, "the templates of this installation are missing: ");
        return NULL;
    }
    for (const char *file; (file = g_dir_read_name(dir));) {
        if (!g_str_has_suffix(file, suffix))
            continue;
        if (id) {
            scree_fail(error, SCREE_EXIT_RUN, "%s: expected one template, got %s%s and %s", folder,
                       id, suffix, file);
            g_free(id);
            return NULL;
        }
        id = g_strndup(file, strlen(file) - strlen(suffix));
    }
    if (!id)
        scree_fail(error, SCREE_EXIT_RUN, "%s: expected a template, got no file *%s", folder,
                   suffix);
    return id;
}

/** The text with NAME for each word `id`. New string. */
static char *rename_in(const char *text, const char *id, const char *name)
{
    g_autofree char *pattern = g_strdup_printf("\\b%s\\b", id);
    g_autoptr(GRegex) regex = g_regex_new(pattern, G_REGEX_RAW, 0, NULL);
    return g_regex_replace_literal(regex, text, -1, 0, name, 0, NULL);
}

/** Reads FOLDER/FROM, and renames it. */
static bool read_file(const char *folder, const char *from, const char *id, const char *name,
                      scree_new_text *file, GError **error)
{
    g_autofree char *path = g_build_filename(folder, from, NULL), *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, error))
        return false;
    file->name = rename_in(from, id, name);
    file->text = rename_in(text, id, name);
    return true;
}

/** Reads the template of a kind in a language. */
static bool read_template(uint32_t kind, const language *in, const char *name,
                          scree_new_text files[N_FILES], GError **error)
{
    const char *const suffixes[N_SUFFIXES] = {in->suffix, ".cfg"};
    g_autofree char *top =
        scree_paths_own(SCREE_SOURCE_DIR "/contrib/template", SCREE_TEMPLATE_DIR);
    g_autofree char *base = g_strconcat(top, in->folder, NULL);
    g_autofree char *folder = g_build_filename(base, scree_kind_name(kind), NULL);
    if (*in->folder && !g_file_test(folder, G_FILE_TEST_IS_DIR))
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "--language %s: expected the kind force, which has a template in it, "
                          "got %s",
                          in->name, scree_kind_name(kind));
    g_autofree char *id = find_id(folder, in->suffix, error);
    bool good = id && read_file(top, "LICENSE", id, name, &files[0], error);
    for (size_t i = 1; i < N_FILES && good; i++) {
        g_autofree char *from = i <= N_SUFFIXES ? g_strconcat(id, suffixes[i - 1], NULL)
                                                : g_strdup(others[i - 1 - N_SUFFIXES]);
        good = read_file(folder, from, id, name, &files[i], error);
    }
    return good;
}

/** Refuses a name that is not an id, or is the id of an installed plugin. */
static bool check_name(uint32_t kind, const char *name, GError **error)
{
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
    if (!g_ascii_islower(*name) || name[length] || length > 64)
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "NAME: expected an id of a-z, 0-9 and _, a letter first, of at most 64, "
                          "got \"%s\"; the folder is DIR",
                          name);
    for (size_t i = 0; i < G_N_ELEMENTS(targets); i++)
        if (g_str_equal(name, targets[i]))
            return scree_fail(error, SCREE_EXIT_USAGE,
                              "NAME: Meson has a target \"%s\" of its own; choose another NAME",
                              name);
    g_autoptr(scree_registry) registry = scree_cmd_registry_new();
    const scree_file *file = NULL;
    if (scree_registry_get(registry, kind, name, &file, NULL))
        return scree_fail(error, SCREE_EXIT_USAGE, "%s/%s is installed (%s); choose another NAME",
                          scree_kind_name(kind), name, file->path);
    return true;
}

bool scree_new_plugin(const scree_new_choice *choice, const char *name, const char *dir,
                      char **path, GError **error)
{
    scree_new_text files[N_FILES] = {{NULL, NULL}};
    const language *in = find_language(choice->language, error);
    bool good = in && check_name(choice->kind, name, error) &&
                read_template(choice->kind, in, name, files, error) &&
                scree_new_folder(dir, name, files, N_FILES, path, error);
    for (size_t i = 0; i < N_FILES; i++) {
        g_free(files[i].name);
        g_free(files[i].text);
    }
    return good;
}

void scree_new_plugin_next(const scree_new_choice *choice, const char *name, const char *path)
{
    const language *in = find_language(choice->language, NULL);
    g_autofree char *folder = scree_new_quoted(path);
    g_autofree char *pc = scree_paths_own(SCREE_BUILD_DIR "/abi", SCREE_PC_DIR);
    g_autofree char *quoted = scree_new_quoted(pc);
    const char *called = scree_cmd_program;
    g_autofree char *program = // the command is run in another folder
        strchr(called, '/') ? g_canonicalize_filename(called, NULL) : g_strdup(called);
    printf("wrote %s; next:\n  cd %s\n", folder, folder);
    if (!g_str_has_prefix(pc, "/usr/")) // pkg-config searches it anyway
        printf("  export PKG_CONFIG_PATH=%s\n", quoted);
    g_auto(GStrv) parts = g_strsplit(in->build, "%s", -1);
    g_autofree char *build = g_strjoinv(name, parts);
    printf("  %s\n  %s check %s.so\n  %s run %s.cfg\n", build, program, name, program, name);
}
