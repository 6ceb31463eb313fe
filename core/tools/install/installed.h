/* SPDX-License-Identifier: Apache-2.0 */
/* installed.json: which files of the user's folder of plugins `scree install` has copied there. */
#ifndef CORE_INSTALLED_H
#define CORE_INSTALLED_H

#include <json-glib/json-glib.h>

#include "base/error.h"

#define SCREE_INSTALLED_NAME "installed.json"

/** The rows of FOLDER/installed.json, none if the file does not exist. NULL: it is damaged. Each row
 * has the texts `file`, `sha256`, `source`, and `plugins` with `kind` and `id`. New array. */
JsonArray *scree_installed_read(const char *folder, GError **error);
/** The text of installed.json, a new string. */
char *scree_installed_text(JsonArray *rows);
/** KIND/ID of each plugin of a row. New array. */
GStrv scree_installed_names(JsonObject *row);
/** The first row of this file, or of this plugin KIND/ID, borrowed; NULL: none. */
JsonObject *scree_installed_find(JsonArray *rows, const char *name);
/** The same, taken out of the rows. New reference. */
JsonObject *scree_installed_take(JsonArray *rows, const char *name);

#endif
