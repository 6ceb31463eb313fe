/* SPDX-License-Identifier: Apache-2.0 */
/* installed.json: which files of the user's folder of plugins `scree install` has copied there. */
#ifndef CORE_INSTALLED_H
#define CORE_INSTALLED_H

#include <json-glib/json-glib.h>

#include "base/error.h"

#define SCREE_INSTALLED_NAME "installed.json"

/** The rows of FOLDER/installed.json, none if it does not exist: an object with a member for each file,
 * KIND/ID.so, with the texts `sha256` and `source`, and `plugins` with `kind` and `id`. NULL: it is
 * damaged. New reference. */
JsonObject *scree_installed_read(const char *folder, GError **error);
/** The text of installed.json, a new string. */
char *scree_installed_text(JsonObject *rows);
/** A text of the row of a file, borrowed; NULL: none. */
const char *scree_installed_get(JsonObject *rows, const char *file, const char *name);
/** KIND/ID of each plugin of a row. New array. */
GStrv scree_installed_names(JsonObject *row);
/** A member of an object that is a text, borrowed; NULL: none. */
const char *scree_text_of(JsonObject *object, const char *name);

#endif
