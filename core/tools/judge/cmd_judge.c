/* SPDX-License-Identifier: Apache-2.0 */
/* `scree-tools judge`: judges plugin files for a program that has no code for it. */
#include "tools/judge/cmd_judge.h"

#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>

#include "cli/cmd.h"
#include "plugin/dl.h"
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

int scree_cmd_judge(int argc, char **argv)
{
    guint64 n = 0;
    if (argc < 2 || !g_ascii_string_to_unsigned(argv[1], 10, 1, (guint64)argc - 2, &n, NULL))
        return scree_cmd_usage("judge", "expected N FILE .. TRUSTED ..");
    g_autoptr(GPtrArray) trusted = g_ptr_array_new();
    g_autofree scree_held **held = g_new0(scree_held *, n);
    g_autofree scree_verdict *verdicts = g_new0(scree_verdict, n);
    g_autofree scree_held **files = g_new0(scree_held *, n);
    g_autofree scree_verdict *found = g_new0(scree_verdict, n);
    guint n_open = 0;
    for (int i = 2 + (int)n; i < argc; i++)
        g_ptr_array_add(trusted, argv[i]);
    for (guint64 i = 0; i < n; i++)
        if ((held[i] = scree_held_new(argv[2 + i], trusted, &verdicts[i].error)))
            files[n_open++] = held[i];
    scree_try_files(files, found, n_open);
    n_open = 0;
    for (guint64 i = 0; i < n; i++) {
        if (held[i])
            verdicts[i] = found[n_open++];
        print_verdict(held[i], &verdicts[i]);
    }
    return SCREE_EXIT_OK; // the system frees what the process has
}
