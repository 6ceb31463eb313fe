/* SPDX-License-Identifier: Apache-2.0 */
/* Reads an unknown plugin file in a child process, because loading it runs its constructors. */
#include "tools/judge/probe.h"

#include <dlfcn.h>
#include <json-glib/json-glib.h>
#include <link.h>
#include <string.h>
#include <sys/wait.h>

#include "base/limits.h"
#include "base/shortage.h"
#include "plugin/dl.h"
#include "plugin/shared_calls.h"
#include "tools/judge/child.h"
#include "tools/judge/index_write.h"
#include "tools/judge/libraries.h"
#include "tools/judge/listing.h"
#include "tools/judge/manifest.h"
#include "tools/judge/offer_line.h"

/*
 * The child answers with its offers on a line of JSON, or with REFUSED and the reason. Anything else,
 * its exit status included, is not an answer: a constructor that exits with 0 says nothing.
 */
#define REFUSED "refused: "

/** Finds the symbol of our major. NULL: with the reason. */
static const scree_manifest *find_manifest(void *handle, GError **error)
{
    const scree_manifest *manifest = (const scree_manifest *)dlsym(handle, SCREE_MANIFEST_SYMBOL);
    if (!manifest)
        for (unsigned major = 0; major < 10; major++) {
            g_autofree char *name = g_strdup_printf("scree_plugin_v%u", major);
            if (dlsym(handle, name)) {
                scree_fail(error, SCREE_EXIT_PLUGIN,
                           "exports %s: needs ABI %u, this scree has %u.%u", name, major,
                           SCREE_ABI_MAJOR, SCREE_ABI_MINOR);
                return NULL;
            }
        }
    if (!manifest) {
        scree_fail(error, SCREE_EXIT_PLUGIN, "no scree plugin: exports no " SCREE_MANIFEST_SYMBOL);
        return NULL;
    }
    /* dlsym also searches the libraries of a file. */
    Dl_info info;
    void *map = NULL;
    const bool known = dladdr1(manifest, &info, &map, RTLD_DL_LINKMAP);
    const struct link_map *owner = map;
    struct link_map *own = NULL;
    if (known && dlinfo(handle, RTLD_DI_LINKMAP, &own) == 0 && owner == own)
        return manifest;
    scree_fail(error, SCREE_EXIT_PLUGIN, SCREE_MANIFEST_SYMBOL " is that of %s",
               owner ? owner->l_name : "another file");
    return NULL;
}

/** Called in the child: the manifest of the file; NULL: refused, also because it prints to standard
 * output. */
static const scree_manifest *open_quietly(scree_held *file, GPtrArray *offers, GError **error)
{
    void *handle = scree_held_load(file, error);
    const scree_manifest *declared = handle ? find_manifest(handle, error) : NULL;
    const scree_manifest *manifest =
        declared ? scree_manifest_judge(declared, offers, error) : NULL;
    if (manifest && scree_child_printed()) {
        scree_fail(error, SCREE_EXIT_PLUGIN, "prints to standard output when it is loaded");
        return NULL;
    }
    return manifest;
}

/** Called in the child: loads and checks the file, and writes the answer. */
static void make_answer(void *file, GString *answer)
{
    const scree_held *held = file;
    g_autoptr(GError) error = NULL;
    scree_guard_here()->tried = scree_shared_text(held->opened.path);
    g_autoptr(GPtrArray) offers = scree_offers_new();
    const scree_manifest *manifest = open_quietly(file, offers, &error);
    if (manifest)
        scree_offers_add(offers, manifest, held->opened.fd);
    g_autofree char *line = manifest ? scree_offers_line(offers) : NULL;
    g_string_printf(answer, "%s%s", line ? line : REFUSED, line ? "" : error->message);
}

/** A reason on one line, whatever bytes it has. New string. */
static char *one_line(const char *text)
{
    char *line = g_utf8_make_valid(text, -1);
    for (char *c = line; *c; c++)
        if (g_ascii_iscntrl(*c))
            *c = ' ';
    return line;
}

/** Reads the offers from an answer; NULL: it is a refusal, or malformed. */
static GPtrArray *take_offers(const char *path, const GString *answer, GError **error)
{
    if (g_str_has_prefix(answer->str, REFUSED)) {
        g_autofree char *reason = one_line(answer->str + strlen(REFUSED));
        scree_fail(error, SCREE_EXIT_PLUGIN, "%s: %s", path, reason);
        return NULL;
    }
    g_autoptr(JsonNode) list = scree_json_read(answer->str, answer->len, NULL);
    GPtrArray *offers = list ? scree_offers_read(list) : NULL;
    if (!offers)
        scree_fail(error, SCREE_EXIT_PLUGIN, "%s: writes to file descriptors that are not its own",
                   path);
    return offers;
}

static void blame_end(const char *path, const scree_child *child, GError **error)
{
    int status = child->status;
    if (child->shortage)
        scree_pass_on_shortage(child->shortage); // the system is short of something; the file is
                                                 // not to blame
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

static void judge_trial(const scree_held *file, const scree_child *child, scree_verdict *verdict)
{
    if (!child->answered)
        blame_end(file->opened.path, child, &verdict->error);
    else
        verdict->offers = take_offers(file->opened.path, child->answer, &verdict->error);
    verdict->hung = child->hung;
    if (!verdict->offers || !child->littered)
        return;
    g_clear_pointer(&verdict->offers, g_ptr_array_unref);
    scree_fail(&verdict->error, SCREE_EXIT_PLUGIN,
               "%s: writes files into the current folder when it is loaded", file->opened.path);
}

/* The children run side by side: many constructors that hang take hardly longer than one. */
static void run_trials(scree_held *const *files, scree_verdict *verdicts, guint n)
{
    enum { MOST_CHILDREN = 32 };
    g_autofree scree_child *children = g_new0(scree_child, n + 1);
    g_autofree scree_verdict **of = g_new0(scree_verdict *, n + 1); // by child
    g_autoptr(GError) error = NULL;
    guint n_tried = 0;
    for (guint i = 0; i < n; i++) {
        if (verdicts[i].error)
            continue;
        of[n_tried] = &verdicts[i];
        children[n_tried++] = (scree_child){
            .limit = scree_limit(SCREE_LIMIT_LOAD), .work = make_answer, .user = files[i]};
    }
    const bool ran = scree_child_run_all(children, n_tried, MOST_CHILDREN, &error);
    for (guint k = 0; k < n_tried; k++) {
        const scree_held *file = children[k].user;
        if (ran)
            judge_trial(file, &children[k], of[k]);
        else
            g_set_error(&of[k]->error, error->domain, error->code, "%s: %s", file->opened.path,
                        error->message);
        scree_shared_forget(children[k].process);
        scree_child_clear(&children[k]);
    }
}

static void try_files(scree_held *const *files, scree_verdict *verdicts, guint n)
{
    for (guint i = 0; i < n; i++) {
        scree_libraries_judge(&files[i]->opened, files[i]->trusted, &verdicts[i].led,
                              &verdicts[i].error);
        files[i]->led = verdicts[i].led;
    }
    run_trials(files, verdicts, n);
    for (guint i = 0; i < n; i++)
        scree_index_note(files[i], verdicts[i].offers);
    scree_index_save();
}

void scree_judge_begin(void)
{
    static const scree_judge judge = {
        .try_files = try_files, .list = scree_list_folders, .note = scree_index_note};
    scree_judge_here = &judge;
}
