/* SPDX-License-Identifier: Apache-2.0 */
/* Notes the state of the process before code of a plugin, and restores it. */
#include "plugin/process_state.h"

#include <errno.h>
#include <glib.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fpenv.h"

struct scree_process {
    char *locale, *lc_all;
    locale_t own; /* locale of this thread, or LC_GLOBAL_LOCALE */
    char *folder; /* NULL: it was removed, or could not be read */
    bool removed;
    mode_t mask;
    sigset_t blocked;
};

/** Only setting the umask reads it; no other thread creates a file meanwhile. */
static mode_t read_umask(void)
{
    mode_t mask = umask(077);
    umask(mask);
    return mask;
}

static char *read_folder(void)
{
    char path[PATH_MAX]; // on the stack: memory may be short
    return g_strdup(getcwd(path, sizeof path));
}

scree_process *scree_process_note(void)
{
    scree_process *p = g_new0(scree_process, 1);
    p->locale = g_strdup(setlocale(LC_ALL, NULL));
    p->lc_all = g_strdup(g_getenv("LC_ALL"));
    p->own = uselocale((locale_t)0);
    p->folder = read_folder();
    p->removed = !p->folder && errno == ENOENT;
    p->mask = read_umask();
    pthread_sigmask(SIG_SETMASK, NULL, &p->blocked);
    return p;
}

/** Restores the locale of the process and of this thread. True: it was changed. */
static bool restore_locale(const char *locale, locale_t own)
{
    bool changed = uselocale((locale_t)0) != own;
    if (changed)
        uselocale(own);
    if (strcmp(setlocale(LC_ALL, NULL), locale) == 0)
        return changed;
    setlocale(LC_ALL, locale);
    return true;
}

static bool restore_lc_all(const char *before)
{
    if (g_strcmp0(g_getenv("LC_ALL"), before) == 0)
        return false;
    if (before)
        g_setenv("LC_ALL", before, TRUE);
    else
        g_unsetenv("LC_ALL");
    return true;
}

static bool restore_folder(const char *before, bool was_removed)
{
    g_autofree char *now = read_folder();
    // A path that cannot be read, for want of memory say, proves no change.
    if ((!now && errno != ENOENT) || (!before && !was_removed))
        return false;
    // The folder may be gone; that the plugin left it is reported all the same.
    return g_strcmp0(now, before) != 0 && (!before || chdir(before) == 0 || true);
}

static bool restore_mask(const sigset_t *before)
{
    sigset_t now;
    pthread_sigmask(SIG_SETMASK, NULL, &now);
    bool changed = false;
    for (int number = 1; number < NSIG; number++)
        changed = changed || sigismember(&now, number) != sigismember(before, number);
    if (changed)
        pthread_sigmask(SIG_SETMASK, before, NULL);
    return changed;
}

static const char *restore_process(const scree_process *before)
{
    const char *changed = NULL;
    if (restore_mask(&before->blocked))
        changed = "the signal mask";
    if (restore_folder(before->folder, before->removed))
        changed = "the current folder";
    if (umask(before->mask) != before->mask)
        changed = "the umask";
    if (restore_lc_all(before->lc_all))
        changed = "the environment variable LC_ALL";
    return changed;
}

const char *scree_process_restore(scree_process *before)
{
    const char *changed = before ? restore_process(before) : NULL;
    if (restore_locale(before ? before->locale : "C", before ? before->own : LC_GLOBAL_LOCALE))
        changed = "the locale";
    if (!scree_fp_is_host()) {
        scree_fp_restore();
        changed = "the floating-point environment";
    }
    if (before) {
        g_free(before->locale);
        g_free(before->lc_all);
        g_free(before->folder);
        g_free(before);
    }
    return changed;
}
