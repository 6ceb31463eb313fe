/* SPDX-License-Identifier: Apache-2.0 */
/* Makes text of plugins and scenes safe for the user's terminal. */
#ifndef CORE_ESCAPE_H
#define CORE_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Most characters that are shown of a plugin's text for log or fail, and of a scene's title. */
#define SCREE_PLAIN_MOST 1000

/** Whether a terminal obeys this Unicode character: a control character, or a mark that turns the
 * direction of text. */
bool scree_plain_is_control(uint32_t character);
/** A copy on one line, a new string: control characters, direction marks and invalid bytes become
 * \xNN. After `most` characters it ends with an ellipsis. */
char *scree_plain(const char *text, size_t most);
/** Why a name of a file or folder is refused, for a message: "NAME: expected .."; new string, NULL:
 * it has no control character. A line break in a name would break messages and the stored scene. */
char *scree_plain_refuse_name(const char *name);
/** Makes standard output and standard error escape control characters, except for tab and line
 * break, and cuts lines of standard error. The program calls it once. */
void scree_plain_streams(void);
/** Writes a drawing of the host to standard error, unescaped. */
void scree_plain_draw(const char *text);

#endif
