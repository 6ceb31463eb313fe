/* SPDX-License-Identifier: Apache-2.0 */
/* Lines for the user besides results and errors. Each room can say one; the program shows it. */
#include "base/say.h"

#include <stdio.h>

#include "base/context.h"

static scree_context of_program;
_Thread_local scree_context *scree_context_now = &of_program;

void scree_say_set(scree_say_fn listener)
{
    scree_context_now->say = listener;
}

char *scree_say_line(const char *who, scree_say_level level, const char *text)
{
    static const char *const words[SCREE_SAY_LEVELS] = {
        "", "", "debug: ", "info: ", "note: ", "warning: "};
    return g_strconcat(who, ": ", words[level], text, "\n", NULL);
}

void scree_say_print(const char *who, scree_say_level level, const char *text)
{
    g_autofree char *line = scree_say_line(who, level, text);
    fputs(line, stderr);
}

void scree_say_for(const char *who, scree_say_level level, const char *text)
{
    const scree_say_fn say = scree_context_now->say;
    (say ? say : scree_say_print)(who, level, text);
}

void scree_say(scree_say_level level, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    scree_say_for("scree", level, text);
}
