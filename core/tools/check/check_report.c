/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict of a case: failed, skipped, a note; and calls whose faults it reports. */
#include "tools/check/check_report.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "plugin/call.h"
#include "plugin/instance.h"

static pthread_mutex_t text_mutex = PTHREAD_MUTEX_INITIALIZER;

void scree_check_fail(scree_check *check, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pthread_mutex_lock(&text_mutex);
    if (!check->failed) {
        check->failed = true;
        g_string_vprintf(check->text, format, arguments);
    }
    pthread_mutex_unlock(&text_mutex);
    va_end(arguments);
}

void scree_check_skip(scree_check *check, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    check->skipped = true;
    if (!check->failed)
        g_string_vprintf(check->text, format, arguments);
    va_end(arguments);
}

void scree_check_note(scree_check *check, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!check->failed && !check->skipped) {
        if (check->text->len > 0)
            g_string_append_c(check->text, '\n');
        g_string_append_vprintf(check->text, format, arguments);
    }
    va_end(arguments);
}

static _Thread_local scree_call call_now; // that this thread is in

void scree_check_enter(scree_instance *instance, const char *call)
{
    call_now = scree_call_begin(instance, SCREE_CALL_STEP, call);
}

/** Judges a code after the host's own checks. True: it is SCREE_OK and nothing has failed. */
static bool judge_code(scree_check *check, scree_instance *instance, const char *call, int32_t code)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *fault = scree_instance_take_fault(instance);
    if (fault)
        scree_check_fail(check, "%s: %s", call, fault);
    if (code >= 0 || fault)
        return code == SCREE_OK && !check->failed;
    bool told = instance->error != NULL, failed = check->failed;
    scree_call_failed(instance, call, code, &error);
    scree_check_fail(check, "%s", error->message);
    if (!failed)
        check->refused = told;
    return false;
}

bool scree_check_called(scree_check *check, scree_instance *instance, const char *call,
                        int32_t code)
{
    return judge_code(check, instance, call, scree_call_end(&call_now, code, SCREE_OK, NULL));
}

int32_t scree_check_answered(scree_check *check, scree_instance *instance, const char *call,
                             int32_t most, int32_t answer)
{
    answer = scree_call_end(&call_now, answer, most, NULL);
    return judge_code(check, instance, call, MIN(answer, 0)) ? answer : 0;
}

uint32_t scree_check_entries(const char *folder)
{
    uint32_t n = 0;
    DIR *dir = opendir(folder);
    if (dir)
        while (readdir(dir))
            n++;
    if (dir)
        closedir(dir);
    return n;
}

double scree_check_cpu_of_children(void)
{
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

bool scree_check_is_late(const scree_child *child, double cpu, double limit)
{
    // the kernel counts other ticks than it reports
    return child->hung || (!child->answered && WIFSIGNALED(child->status) &&
                           WTERMSIG(child->status) == SIGKILL && cpu >= 0.5 * limit);
}

bool scree_check_elsewhere(scree_check *check, scree_child *child)
{
    g_autoptr(GError) error = NULL;
    struct rlimit limit;
    child->limit = 1e5; // its CPU time has the limit of this process
    getrlimit(RLIMIT_CPU, &limit);
    const double before = scree_check_cpu_of_children();
    const bool ran = scree_child_run(child, &error);
    const double cpu = scree_check_cpu_of_children() - before;
    if (!ran)
        scree_check_fail(check, "%s", error->message);
    else if (!child->answered && scree_check_is_late(child, cpu, (double)limit.rlim_cur))
        scree_check_fail(check, "a second process used up its %g s of CPU time (SCREE_CHECK_LIMIT)",
                         (double)limit.rlim_cur);
    else if (!child->answered)
        scree_check_fail(check, "it ended the second process:\n%s", child->errors->str);
    return ran && child->answered;
}
