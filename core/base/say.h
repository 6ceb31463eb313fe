/* SPDX-License-Identifier: Apache-2.0 */
/* Lines for the user besides results and errors. Each room can say one; the program shows it. */
#ifndef CORE_SAY_H
#define CORE_SAY_H

#include <glib.h>

typedef enum scree_say_level {
    SCREE_SAY_PROGRESS, /* may be left out: "saved .." */
    SCREE_SAY_NEWS,
    SCREE_SAY_DEBUG, /* of plugins */
    SCREE_SAY_INFO,
    SCREE_SAY_NOTE,
    SCREE_SAY_WARNING,
    SCREE_SAY_LEVELS
} scree_say_level;

/** Takes one line without its line break. `who`: "scree", or the slot of the plugin that speaks. */
typedef void (*scree_say_fn)(const char *who, scree_say_level level, const char *text);

/** Says a line. Any thread may call it. */
void scree_say(scree_say_level level, const char *format, ...) G_GNUC_PRINTF(2, 3);
/** Says a line of the plugin in that slot. */
void scree_say_for(const char *who, scree_say_level level, const char *text);
/** Sets the listener of all lines of the context (context.h); NULL: scree_say_print, as at the
 * start. Set before threads start. */
void scree_say_set(scree_say_fn listener);
/** "WHO: warning: TEXT" and the like, with a line break; new string. */
char *scree_say_line(const char *who, scree_say_level level, const char *text);
/** Writes this line to standard error. */
void scree_say_print(const char *who, scree_say_level level, const char *text);

#endif
