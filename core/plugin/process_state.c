/* SPDX-License-Identifier: Apache-2.0 */
/* Notes the state of the process before code of a plugin, and restores it. */
#include "plugin/process_state.h"

#include <errno.h>
#include <fcntl.h>
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
    sigset_t blocked;
};

locale_t scree_host_locale = LC_GLOBAL_LOCALE;
static bool is_own;  // the process is that of a program of scree
static int own_mask; // its umask at the start; -1: unknown

/** Reads the umask. To set it, as umask() does, would change the files that other threads make
 * meanwhile. -1: the system has no /proc. */
static int read_umask(void)
{
    char text[256];
    const int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[MAX(n, 0)] = '\0';
    const char *line = strstr(text, "\nUmask:");
    return line ? (int)strtol(line + strlen("\nUmask:"), NULL, 8) : -1;
}

void scree_process_own(void)
{
    is_own = true;
    own_mask = read_umask();
}

static bool restore_umask(void)
{
    const int now = read_umask();
    if (now < 0 || now == own_mask)
        return false;
    umask((mode_t)own_mask);
    return true;
}

static char *read_folder(void)
{
    char path[PATH_MAX]; // on the stack: memory may be short
    return g_strdup(getcwd(path, sizeof path));
}

scree_process *scree_process_note(void)
{
    if (!is_own)
        return NULL;
    scree_process *p = g_new0(scree_process, 1);
    p->locale = g_strdup(setlocale(LC_ALL, NULL));
    p->lc_all = g_strdup(g_getenv("LC_ALL"));
    p->own = uselocale((locale_t)0);
    p->folder = read_folder();
    p->removed = !p->folder && errno == ENOENT;
    pthread_sigmask(SIG_SETMASK, NULL, &p->blocked);
    return p;
}

/** Restores the locale of the process and of this thread. True: it was changed. */
static bool restore_locale(const char *locale, locale_t own)
{
    bool changed = uselocale((locale_t)0) != own;
    if (changed)
        uselocale(own);
    if (own != LC_GLOBAL_LOCALE || strcmp(setlocale(LC_ALL, NULL), locale) == 0)
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
    if (restore_umask())
        changed = "the umask";
    if (restore_lc_all(before->lc_all))
        changed = "the environment variable LC_ALL";
    return changed;
}

const char *scree_process_restore(scree_process *before)
{
    const char *changed = before ? restore_process(before) : NULL;
    if (restore_locale(before ? before->locale : "C", before ? before->own : scree_host_locale))
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
