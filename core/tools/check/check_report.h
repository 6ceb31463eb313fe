/* SPDX-License-Identifier: Apache-2.0 */
/* Verdict of a case on its plugin. */
#ifndef CORE_CHECK_REPORT_H
#define CORE_CHECK_REPORT_H

#include "plugin/call.h"
#include "tools/check/check.h"
#include "tools/judge/child.h"

/** Fails the case, with numbers, expected and found values. The first text counts. Any thread may
 * call it. */
void scree_check_fail(scree_check *check, const char *format, ...) G_GNUC_PRINTF(2, 3);
/** Skips the case, with the reason why it does not apply to this plugin. */
void scree_check_skip(scree_check *check, const char *format, ...) G_GNUC_PRINTF(2, 3);
/** Adds a line for the user though the case holds: a warning, a figure. */
void scree_check_note(scree_check *check, const char *format, ...) G_GNUC_PRINTF(2, 3);
/** Number of entries of a folder, with "." and "..": threads or files of a process. */
uint32_t scree_check_entries(const char *folder);
/** Calls the plugin. True: all went well; otherwise the check has failed with the plugin's text.
 * The report of a crash names the call. SCREE_CHECK_CALL(check, i, "stage", ops->stage(i->self, k,
 * &out)) */
#define SCREE_CHECK_CALL(check, instance, call, ...)                                               \
    (scree_check_enter((instance), (call)),                                                        \
     scree_check_called((check), (instance), (call), (__VA_ARGS__)))
/** Calls a function that answers 0 to `most`, and gives its answer; 0 when the check has failed. */
#define SCREE_CHECK_ANSWER(check, instance, call, most, ...)                                       \
    (scree_check_enter((instance), (call)),                                                        \
     scree_check_answered((check), (instance), (call), (most), (__VA_ARGS__)))
void scree_check_enter(scree_instance *instance, const char *call);
bool scree_check_called(scree_check *check, scree_instance *instance, const char *call,
                        int32_t code);
int32_t scree_check_answered(scree_check *check, scree_instance *instance, const char *call,
                             int32_t most, int32_t answer);
/** [s] CPU time of all children of this process that have ended. */
double scree_check_cpu_of_children(void);
/** Whether a child of so much CPU time has come to the end of its time: its parent ended it, or the
 * kernel did, as it ends children of a child. */
bool scree_check_is_late(const scree_child *child, double cpu, double limit);
/** Runs work in a second process, as this one is. False: the check has failed, with the reason. */
bool scree_check_elsewhere(scree_check *check, scree_child *child);

#endif
