/* SPDX-License-Identifier: Apache-2.0 */
/* Trials of unknown plugin files, by scree-tools, and the offers that they find.
 *
 * Idea: a run knows most files from an index. The code that judges the others is in scree-tools,
 *     which the host starts with `judge files N FILE .. TRUSTED ..`. It answers with a line per file, an array
 *     in JSON: hung, led, the reason of a refusal, SHA-256, offers. Then the index knows the file. With
 *     `judge folders N FOLDER .. TRUSTED ..` it lists the plugins of folders (SCREE_LISTING).
 */
#include "plugin/trial.h"

#include <errno.h>
#include <fcntl.h>
#include <json-glib/json-glib.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/paths.h"
#include "base/process.h"
#include "base/say.h"
#include "base/shortage.h"
#include "plugin/dl.h"
#include "plugin/guard.h"
#include "plugin/index.h"
#include "plugin/kinds.h"

/* ---- offers ---- */

static void free_offer(void *data)
{
    scree_offer *offer = data;
    char *texts[] = {offer->id,       offer->version,  offer->licence,  offer->help,
                     offer->left_out, offer->build_id, offer->cpu_level};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    g_strfreev(offer->material_keys);
    g_free(offer);
}

GPtrArray *scree_offers_new(void)
{
    return g_ptr_array_new_with_free_func(free_offer);
}

scree_offer *scree_offer_new(const scree_plugin *plugin, char **material_keys, const char *left_out)
{
    const scree_offer one = {plugin->kind,
                             g_strdup(plugin->id),
                             g_strdup(plugin->version),
                             g_strdup(plugin->licence),
                             g_strdup(plugin->help),
                             material_keys,
                             g_strdup(left_out),
                             NULL,
                             NULL};
    return g_memdup2(&one, sizeof one);
}

const scree_offer *scree_offers_find(const GPtrArray *offers, uint32_t kind, const char *id)
{
    for (guint i = 0; i < offers->len; i++) {
        const scree_offer *offer = offers->pdata[i];
        if (offer->kind == kind && g_str_equal(offer->id, id))
            return offer;
    }
    return NULL;
}

GPtrArray *scree_offers_read(JsonNode *list)
{
    g_autoptr(GPtrArray) offers = scree_offers_new();
    g_autoptr(GVariant) all = json_gvariant_deserialize(list, SCREE_OFFERS, NULL);
    GVariantIter iter;
    const char *kind;
    scree_offer one;
    if (!all || g_variant_iter_init(&iter, g_variant_ref_sink(all)) == 0)
        return NULL;
    while (g_variant_iter_next(&iter, "(&sssss^assss)", &kind, &one.id, &one.version, &one.licence,
                               &one.help, &one.material_keys, &one.left_out, &one.build_id,
                               &one.cpu_level)) {
        one.kind = scree_kind_from_name(kind);
        if (!one.kind && *one.left_out)
            one.kind = (uint32_t)g_ascii_strtoull(kind, NULL, 10);
        g_ptr_array_add(offers, g_memdup2(&one, sizeof one));
        if (!one.kind)
            return NULL;
    }
    return g_steal_pointer(&offers);
}

/* ---- trials ---- */

const scree_judge *scree_judge_here;

void scree_trials_note(scree_held *held, const GPtrArray *offers)
{
    if (scree_judge_here)
        scree_judge_here->note(held, offers);
}

/** The command line of a question about files or folders: char *. New array. */
static char **make_command(const char *what, const GPtrArray *paths, const GPtrArray *trusted)
{
    GStrvBuilder *words = g_strv_builder_new();
    g_autofree char *tools = scree_paths_tools(), *count = g_strdup_printf("%u", paths->len);
    g_strv_builder_add_many(words, tools, "judge", what, count, NULL);
    for (guint i = 0; i < paths->len; i++)
        g_strv_builder_add(words, paths->pdata[i]);
    const guint n_trusted = trusted ? trusted->len : 0;
    for (guint i = 0; i < n_trusted; i++)
        g_strv_builder_add(words, trusted->pdata[i]);
    char **all = g_strv_builder_end(words);
    g_strv_builder_unref(words);
    return all;
}

/** Starts a program in a group of its own: signals of the terminal are for this process. Its
 * standard output goes to *out. Returns its number; -1 with errno. */
static pid_t start_judge(char **words, int *out)
{
    int ends[2];
    sigset_t none;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    const pid_t process = scree_fork();
    if (process == 0) {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        if (dup2(ends[1], STDOUT_FILENO) >= 0)
            execv(words[0], words);
        _exit(127);
    }
    const int number = errno;
    close(ends[1]);
    *out = ends[0];
    if (process < 0)
        close(ends[0]);
    errno = number;
    return process;
}

/** Reads all that the program prints, and waits for its end. Returns its status of waitpid. */
static int read_judge(pid_t process, int out, GString *text)
{
    char buffer[4096];
    ssize_t n;
    int status = 0;
    while ((n = read(out, buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR))
        g_string_append_len(text, buffer, MAX(n, 0));
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
        continue;
    close(out);
    return status;
}

/** Takes a line of the answer. False: it is malformed. */
static bool take_line(const char *line, scree_held *held, scree_verdict *v)
{
    g_autoptr(JsonNode) node = scree_json_read(line, strlen(line), NULL);
    JsonArray *all = node && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
    if (!all || json_array_get_length(all) != 5)
        return false;
    const char *reason = json_array_get_string_element(all, 2),
               *sha256 = json_array_get_string_element(all, 3), *own;
    v->hung = json_array_get_boolean_element(all, 0);
    v->led = json_array_get_boolean_element(all, 1);
    if (*reason)
        return scree_fail(&v->error, SCREE_EXIT_PLUGIN, "%s", reason), true;
    own = scree_held_sha256(held, &v->error);
    if (own && !g_str_equal(own, sha256))
        scree_fail(&v->error, SCREE_EXIT_PLUGIN,
                   "%s: was replaced while it was tried; run again when it is complete",
                   held->opened.path);
    if (!v->error)
        v->offers = scree_offers_read(json_array_get_element(all, 4));
    return v->error || v->offers;
}

/** Runs scree-tools. Returns the lines that it prints, and a last empty one; NULL: it is missing,
 * or has failed. */
static char **ask_tools(char **words)
{
    g_autoptr(GString) text = g_string_new(NULL);
    int out = -1, status = -1;
    const pid_t process = start_judge(words, &out);
    if (process < 0)
        scree_check_shortage(words[0]);
    scree_ends_tools = process;
    if (process > 0)
        status = read_judge(process, out, text);
    scree_ends_tools = 0;
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : SCREE_EXIT_PLUGIN;
    if (process > 0 && status != 0 && code != 127)
        scree_ends_like(code);
    return status == 0 ? g_strsplit(text->str, "\n", -1) : NULL;
}

static void ask_judge(scree_held *const *files, scree_verdict *verdicts, guint n)
{
    g_autoptr(GPtrArray) paths = g_ptr_array_new();
    for (guint i = 0; i < n; i++)
        g_ptr_array_add(paths, files[i]->opened.path);
    // One registry has the same trusted files for all.
    g_auto(GStrv) words = make_command("files", paths, files[0]->trusted);
    g_auto(GStrv) lines = ask_tools(words);
    const bool whole = lines && g_strv_length(lines) == n + 1;
    for (guint i = 0; i < n; i++)
        if (!whole || !take_line(lines[i], files[i], &verdicts[i]))
            scree_fail(&verdicts[i].error, SCREE_EXIT_PLUGIN,
                       "%s: %s, which tries it, is missing, or has failed", files[i]->opened.path,
                       words[0]);
}

void scree_try_files(scree_held *const *files, scree_verdict *verdicts, guint n)
{
    if (scree_judge_here)
        scree_judge_here->try_files(files, verdicts, n);
    else if (n)
        ask_judge(files, verdicts, n);
}

void scree_listing_free(scree_listing *listing)
{
    char *texts[] = {listing->path, listing->id,      listing->version,    listing->licence,
                     listing->help, listing->refused, listing->shadowed_by};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    g_strfreev(listing->material_keys);
    g_free(listing);
}

/** Reads a line of a list; NULL: it is malformed. */
static scree_listing *read_listing(const char *line)
{
    g_autoptr(JsonNode) node = scree_json_read(line, strlen(line), NULL);
    GVariant *row = node ? json_gvariant_deserialize(node, SCREE_LISTING, NULL) : NULL;
    g_autofree char *path = NULL, *other = NULL;
    if (!row)
        return NULL;
    scree_listing *one = g_new0(scree_listing, 1);
    g_variant_get(row, "(sumsmsmsms^asmsbbms)", &path, &one->kind, &one->id, &one->version,
                  &one->licence, &one->help, &one->material_keys, &one->refused, &one->left_out,
                  &one->hung, &other);
    g_variant_unref(g_variant_ref_sink(row));
    one->path = g_strcompress(path);
    one->shadowed_by = other ? g_strcompress(other) : NULL;
    return one;
}

GPtrArray *scree_trials_list(const GPtrArray *folders, GPtrArray *trusted)
{
    if (scree_judge_here)
        return scree_judge_here->list(folders, trusted);
    GPtrArray *all = g_ptr_array_new_with_free_func((GDestroyNotify)scree_listing_free);
    g_auto(GStrv) words = make_command("folders", folders, trusted);
    g_auto(GStrv) lines = ask_tools(words);
    bool good = lines != NULL;
    for (char **line = lines; good && *line && **line; line++) {
        scree_listing *one = read_listing(*line);
        good = one != NULL;
        if (one)
            g_ptr_array_add(all, one);
    }
    static gint said; // folders are asked for one by one
    if (!good && g_atomic_int_compare_and_exchange(&said, 0, 1))
        scree_say(SCREE_SAY_WARNING, "%s, which lists plugins, is missing, or has failed",
                  words[0]);
    scree_index_forget();
    return all;
}
