/* SPDX-License-Identifier: Apache-2.0 */
/* Reads an unknown plugin file in a child process, because loading it runs its constructors. */
#include "plugin/probe.h"

#include <string.h>
#include <sys/wait.h>

#include "base/child.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/shortage.h"
#include "plugin/describe.h"
#include "plugin/dl.h"
#include "plugin/shared_calls.h"

/*
 * The child answers in lines of JSON:
 *     {..} of each plugin, as `scree plugins KIND/ID --json` prints it, without the file; or
 *     {"refused": reason}
 * Anything else, its exit status included, is not an answer: a constructor that exits with 0 says
 * nothing.
 */
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
    const scree_held *held = file;
    g_autoptr(GError) error = NULL;
    scree_guard_here()->tried = scree_shared_text(held->opened.path);
    const scree_manifest *manifest = open_quietly(file, &error);
    const uint32_t n = manifest ? manifest->n_plugins : 1;
    for (uint32_t i = 0; i < n; i++) {
        g_autoptr(scree_json) json = scree_json_new();
        scree_json_open_object(json, NULL);
        if (manifest)
            scree_describe_json(json, manifest->plugins[i], NULL);
        else
            scree_json_string(json, "refused", error->message);
        scree_json_close_object(json);
        g_autofree char *line = scree_json_line(json);
        g_string_append_printf(answer, "%s%s", i ? "\n" : "", line);
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

/** Takes an answer; false: a refusal, or malformed. */
static bool take_offers(scree_trial *trial, const GString *answer)
{
    const char *path = trial->file->opened.path;
    g_auto(GStrv) lines = g_strsplit(answer->str, "\n", -1);
    g_autoptr(GPtrArray) offers = scree_offers_new();
    for (char **line = lines; *line; line++) {
        g_autoptr(JsonNode) node = scree_json_read(*line, strlen(*line), NULL);
        JsonObject *object = scree_offer_object(node);
        const char *refused = object ? scree_offer_text(object, "refused") : NULL;
        if (refused) {
            g_autofree char *reason = one_line(refused);
            return scree_fail(&trial->error, SCREE_EXIT_PLUGIN, "%s: %s", path, reason);
        }
        if (!object || !scree_offers_add(offers, object))
            return scree_fail(&trial->error, SCREE_EXIT_PLUGIN,
                              "%s: writes to file descriptors that are not its own", path);
    }
    trial->offers = g_steal_pointer(&offers);
    trial->plugins = g_steal_pointer(&lines);
    return true;
}

static void blame_end(const char *path, const scree_child *child, GError **error)
{
    int status = child->status;
    if (child->shortage)
        scree_pass_on_shortage(child->shortage); // the file is not to blame
    if (child->hung)
        scree_fail(
            error, SCREE_EXIT_PLUGIN,
            "%s: did not load within %g s: %.1f s of CPU time, %.1f s asleep (SCREE_LOAD_LIMIT)",
            path, child->limit, child->own.cpu, child->own.asleep);
    else if (WIFSIGNALED(status))
        scree_fail(error, SCREE_EXIT_PLUGIN, "%s: crashed while it was loaded (signal %d, %s)",
                   path, WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        scree_fail(error, SCREE_EXIT_PLUGIN,
                   "%s: ended the process while it was loaded (exit status %d)", path,
                   WEXITSTATUS(status));
}

static void judge_trial(scree_trial *trial, const scree_child *child)
{
    const char *path = trial->file->opened.path;
    if (!child->answered)
        blame_end(path, child, &trial->error);
    else if (take_offers(trial, child->answer) && child->littered) {
        g_clear_pointer(&trial->offers, g_ptr_array_unref);
        g_clear_pointer(&trial->plugins, g_strfreev);
        scree_fail(&trial->error, SCREE_EXIT_PLUGIN,
                   "%s: writes files into the current folder when it is loaded", path);
    }
}

/* Side by side: a constructor that hangs costs its time limit, and many of them hardly more. */
void scree_try_files(scree_trial *trials, guint n)
{
    enum { MOST_CHILDREN = 32 };
    g_autofree scree_child *children = g_new0(scree_child, n + 1);
    g_autoptr(GError) error = NULL;
    for (guint i = 0; i < n; i++)
        children[i] = (scree_child){
            .limit = scree_limit(SCREE_LIMIT_LOAD), .work = make_answer, .user = trials[i].file};
    bool ran = scree_child_run_all(children, n, MOST_CHILDREN, &error);
    for (guint i = 0; i < n; i++) {
        if (ran)
            judge_trial(&trials[i], &children[i]);
        else
            g_set_error(&trials[i].error, error->domain, error->code, "%s: %s",
                        trials[i].file->opened.path, error->message);
        scree_shared_forget(children[i].process);
        scree_child_clear(&children[i]);
    }
}
