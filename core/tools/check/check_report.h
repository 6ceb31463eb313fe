/* SPDX-License-Identifier: Apache-2.0 */
/* Verdict of a case on its plugin. */
#ifndef CORE_CHECK_REPORT_H
#define CORE_CHECK_REPORT_H

#include "plugin/call.h"
#include "tools/check/check.h"

/** The case has failed: numbers, expected and found values. The first text counts. Any thread. */
void scree_check_fail(scree_check *check, const char *format, ...) G_GNUC_PRINTF(2, 3);
/** The case says nothing about this plugin: why. */
void scree_check_skip(scree_check *check, const char *format, ...) G_GNUC_PRINTF(2, 3);
/** A word that the user should read though the case holds: a warning, a figure. One line each. */
void scree_check_note(scree_check *check, const char *format, ...) G_GNUC_PRINTF(2, 3);
/** A call into the plugin: true when it went well, else the check has failed with the plugin's
 * text. The report of a crash in it names the call.
 *     SCREE_CHECK_CALL(check, i, "stage", ops->stage(i->self, k, &out)) */
#define SCREE_CHECK_CALL(check, instance, call, ...)                                               \
    (scree_check_enter((instance), (call)),                                                        \
     scree_check_called((check), (instance), (call), (__VA_ARGS__)))
/** The same of a function that answers 0 to `most`: its answer; 0 when the check has failed. */
#define SCREE_CHECK_ANSWER(check, instance, call, most, ...)                                       \
    (scree_check_enter((instance), (call)),                                                        \
     scree_check_answered((check), (instance), (call), (most), (__VA_ARGS__)))
void scree_check_enter(scree_instance *instance, const char *call);
bool scree_check_called(scree_check *check, scree_instance *instance, const char *call,
                        int32_t code);
int32_t scree_check_answered(scree_check *check, scree_instance *instance, const char *call,
                             int32_t most, int32_t answer);

#endif
