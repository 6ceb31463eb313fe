/* SPDX-License-Identifier: Apache-2.0 */
/* Text of others, plugins' and scenes', as the user's terminal may get it. */
#ifndef CORE_ESCAPE_H
#define CORE_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Most characters of a text that a plugin gives to log or fail, and of a scene's title. */
#define SCREE_PLAIN_MOST 1000

/** Whether a terminal obeys that character of Unicode: a control character, or a mark that turns
 * the direction of what follows. */
bool scree_plain_is_control(uint32_t character);
/** A copy on one line: control characters, text direction marks and bytes that are not UTF-8 as
 * \xNN, at most `most` characters of the text, an ellipsis for the rest. */
char *scree_plain(const char *text, size_t most);
/** Why a name of a file or folder is refused, for a message: "NAME: expected .."; new string, NULL
 * when the name has no control character. A line break in it would be one in messages and in the
 * stored scene. */
char *scree_plain_refuse_name(const char *name);
/** From now on standard output and standard error write no control character but tab and line
 * break, and lines of standard error are cut. Called once by the program. */
void scree_plain_streams(void);
/** Writes a drawing of the host to standard error, unescaped. */
void scree_plain_draw(const char *text);

#endif
