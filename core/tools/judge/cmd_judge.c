/* SPDX-License-Identifier: Apache-2.0 */
/* `scree-tools judge`: judges plugin files for a program that has no code for it. */
#include "tools/judge/cmd_judge.h"

#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>

#include "cli/cmd.h"
#include "plugin/dl.h"
#include "plugin/registry.h"
#include "plugin/trial.h"
#include "tools/judge/offer_line.h"

/** Prints the line about a file, as plugin/trial.c reads it. */
static void print_verdict(scree_held *held, const scree_verdict *v)
{
    const char *sha256 = v->offers ? scree_held_sha256(held, NULL) : NULL;
    g_autoptr(GVariant) head = g_variant_ref_sink(g_variant_new(
        "(bbss)", v->hung, v->led, v->offers ? "" : v->error->message, sha256 ? sha256 : ""));
    g_autofree char *text = json_gvariant_serialize_data(head, NULL),
                    *offers = v->offers ? scree_offers_line(v->offers) : g_strdup("null");
    text[strlen(text) - 1] = '\0'; // without its bracket
    printf("%s,%s]\n", text, offers);
}

/** Judges `n` files, which may be loaded although others can write the `trusted` ones. */
static void judge_files(char **paths, guint64 n, GPtrArray *trusted)
{
    g_autofree scree_held **held = g_new0(scree_held *, n);
    g_autofree scree_verdict *verdicts = g_new0(scree_verdict, n);
    g_autofree scree_held **files = g_new0(scree_held *, n);
    g_autofree scree_verdict *found = g_new0(scree_verdict, n);
    guint n_open = 0;
    for (guint64 i = 0; i < n; i++)
        if ((held[i] = scree_held_new(paths[i], trusted, &verdicts[i].error)))
            files[n_open++] = held[i];
    scree_try_files(files, found, n_open);
    n_open = 0;
    for (guint64 i = 0; i < n; i++) {
        if (held[i])
            verdicts[i] = found[n_open++];
        print_verdict(held[i], &verdicts[i]);
    }
}

/** Prints a line about a plugin or a refused file, as plugin/trial.c reads it. */
static void print_listing(const scree_listing *one)
{
    static char *no_keys[] = {NULL};
    char **keys = one->material_keys ? one->material_keys : no_keys;
    g_autofree char *path = g_strescape(one->path, NULL),
                    *other = one->shadowed_by ? g_strescape(one->shadowed_by, NULL) : NULL,
                    *why = one->refused ? g_utf8_make_valid(one->refused, -1) : NULL;
    g_autoptr(GVariant) row = g_variant_ref_sink(
        g_variant_new("(sumsmsmsms^asmsbbms)", path, one->kind, one->id, one->version, one->licence,
                      one->help, keys, why, one->left_out, one->hung, other));
    g_autofree char *line = json_gvariant_serialize_data(row, NULL);
    puts(line);
}

static void list_folders(char **paths, guint64 n, GPtrArray *trusted)
{
    g_autoptr(GPtrArray) folders = g_ptr_array_new();
    for (guint64 i = 0; i < n; i++)
        g_ptr_array_add(folders, paths[i]);
    g_autoptr(GPtrArray) all = scree_trials_list(folders, trusted);
    for (guint i = 0; i < all->len; i++)
        print_listing(all->pdata[i]);
}

int scree_cmd_judge(int argc, char **argv)
{
    const bool lists = argc > 1 && g_str_equal(argv[1], "folders");
    guint64 n = 0;
    if (argc < 3 || !(lists || g_str_equal(argv[1], "files")) ||
        !g_ascii_string_to_unsigned(argv[2], 10, 1, (guint64)argc - 3, &n, NULL))
        return scree_cmd_usage("judge", "expected files|folders N PATH .. TRUSTED ..");
    g_autoptr(GPtrArray) trusted = g_ptr_array_new();
    for (int i = 3 + (int)n; i < argc; i++)
        g_ptr_array_add(trusted, argv[i]);
    (lists ? list_folders : judge_files)(argv + 3, n, trusted);
    return SCREE_EXIT_OK; // the system frees what the process has
}
