/* SPDX-License-Identifier: Apache-2.0 */
/* Reads an unknown plugin file in a child process, because loading it runs its constructors. */
#include "plugin/probe.h"

#include <string.h>
#include <sys/wait.h>

#include "base/child.h"
#include "base/shortage.h"
#include "plugin/dl.h"
#include "plugin/kinds.h"

/*
 * The child answers in strings, each with its NUL:
 *     HEAD "offers" n { kind id version help }*
 *     HEAD "refused" reason
 * Anything else, its exit status included, is not an answer: a constructor that exits with 0 says
 * nothing.
 */
#define HEAD "scree-probe-1"
#define DEFAULT_LIMIT 10.0 /* [s] */

void scree_offer_free(scree_offer *offer)
{
    if (!offer)
        return;
    g_free(offer->id);
    g_free(offer->version);
    g_free(offer->help);
    g_free(offer);
}

/** Seconds that a file may take to load: SCREE_LOAD_LIMIT, or the default. */
static double time_limit(void)
{
    const char *text = g_getenv("SCREE_LOAD_LIMIT");
    double limit = text ? g_ascii_strtod(text, NULL) : DEFAULT_LIMIT;
    return limit > 0.0 && limit < 1e6 ? limit : DEFAULT_LIMIT;
}

static void append(GString *answer, const char *text)
{
    g_string_append_len(answer, text, (gssize)strlen(text) + 1);
}

/** In the child: the file's manifest, if it can be read without a word on standard output. */
static const scree_manifest *open_quietly(scree_held *file, GError **error)
{
    const scree_manifest *manifest = scree_held_load(file, error);
    if (manifest && scree_child_printed()) {
        scree_fail(error, SCREE_EXIT_PLUGIN, "prints to standard output when it is loaded");
        return NULL;
    }
    return manifest;
}

/** In the child: load, check, and put the answer together. */
static void make_answer(void *file, GString *answer)
{
    g_autoptr(GError) error = NULL;
    const scree_manifest *manifest = open_quietly(file, &error);
    append(answer, HEAD);
    if (!manifest) {
        append(answer, "refused");
        append(answer, error->message);
        return;
    }
    append(answer, "offers");
    g_string_append_printf(answer, "%u%c", manifest->n_plugins, '\0');
    for (uint32_t i = 0; i < manifest->n_plugins; i++) {
        const scree_plugin *plugin = manifest->plugins[i];
        append(answer, scree_kind_name(plugin->kind));
        append(answer, plugin->id);
        append(answer, plugin->version);
        append(answer, plugin->help);
    }
}

/** A reason on one line, whatever bytes a plugin put into it. */
static char *one_line(const char *text)
{
    char *line = g_utf8_make_valid(text, -1);
    for (char *c = line; *c; c++)
        if (g_ascii_iscntrl(*c))
            *c = ' ';
    return line;
}

/** The strings of an answer as offers; NULL for a refusal or a malformed answer. */
static GPtrArray *read_offers(const char *path, const GString *answer, GError **error)
{
    g_autoptr(GPtrArray) strings = g_ptr_array_new();
    for (size_t at = 0; at < answer->len; at += strlen(answer->str + at) + 1)
        g_ptr_array_add(strings, answer->str + at);
    const char **word = (const char **)strings->pdata;
    if (strings->len == 3 && g_str_equal(word[0], HEAD) && g_str_equal(word[1], "refused")) {
        g_autofree char *reason = one_line(word[2]);
        scree_fail(error, SCREE_EXIT_PLUGIN, "%s: %s", path, reason);
        return NULL;
    }
    guint64 n = 0;
    if (strings->len < 3 || !g_str_equal(word[0], HEAD) ||
        !g_ascii_string_to_unsigned(word[2], 10, 1, strings->len, &n, NULL) ||
        strings->len != 4 * n + 3) {
        scree_fail(error, SCREE_EXIT_PLUGIN, "%s: writes to file descriptors that are not its own",
                   path);
        return NULL;
    }
    GPtrArray *offers = g_ptr_array_new_with_free_func((GDestroyNotify)scree_offer_free);
    for (guint64 i = 0; i < n; i++) {
        scree_offer *offer = g_new0(scree_offer, 1);
        offer->kind = scree_kind_from_name(word[4 * i + 3]);
        offer->id = g_strdup(word[4 * i + 4]);
        offer->version = g_strdup(word[4 * i + 5]);
        offer->help = g_strdup(word[4 * i + 6]);
        g_ptr_array_add(offers, offer);
    }
    return offers;
}

static void blame_end(const char *path, const scree_child *child, GError **error)
{
    int status = child->status;
    if (child->shortage)
        scree_pass_on_shortage(child->shortage); // the file is not to blame
    if (child->hung)
        scree_fail(error, SCREE_EXIT_PLUGIN, "%s: did not load within %g s (SCREE_LOAD_LIMIT)",
                   path, child->limit);
    else if (WIFSIGNALED(status))
        scree_fail(error, SCREE_EXIT_PLUGIN, "%s: crashed while it was loaded (signal %d, %s)",
                   path, WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        scree_fail(error, SCREE_EXIT_PLUGIN,
                   "%s: ended the process while it was loaded (exit status %d)", path,
                   WEXITSTATUS(status));
}

static GPtrArray *judge_child(const char *path, const scree_child *child, GError **error)
{
    g_autoptr(GPtrArray) offers = NULL;
    if (child->answered)
        offers = read_offers(path, child->answer, error);
    else
        blame_end(path, child, error);
    if (!offers || !child->littered)
        return g_steal_pointer(&offers);
    scree_fail(error, SCREE_EXIT_PLUGIN,
               "%s: writes files into the current folder when it is loaded", path);
    return NULL;
}

/* Side by side: a constructor that hangs costs its time limit, and many of them hardly more. */
void scree_try_files(scree_trial *trials, guint n)
{
    enum { MOST_CHILDREN = 32 };
    g_autofree scree_child *children = g_new0(scree_child, n + 1);
    g_autoptr(GError) error = NULL;
    for (guint i = 0; i < n; i++)
        children[i] =
            (scree_child){.limit = time_limit(), .work = make_answer, .user = trials[i].file};
    bool ran = scree_child_run_all(children, n, MOST_CHILDREN, &error);
    for (guint i = 0; i < n; i++) {
        const char *path = trials[i].file->opened.path;
        if (ran)
            trials[i].offers = judge_child(path, &children[i], &trials[i].error);
        else
            g_set_error(&trials[i].error, error->domain, error->code, "%s: %s", path,
                        error->message);
        scree_child_clear(&children[i]);
    }
}
