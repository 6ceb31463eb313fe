/* SPDX-License-Identifier: Apache-2.0 */
/* The scene of `scree new scene`: text with the keys of plugins from their descriptors. */
#ifndef CORE_NEW_SCENE_H
#define CORE_NEW_SCENE_H

#include <glib.h>

/** The text of a scene of this name, which runs as it is. New string; NULL: a plugin that it uses
 * is missing or was refused. */
char *scree_new_scene(const char *name, GError **error);
/** An explained scene of what `like` names (hopper, drum, ..), for a file of that name; NULL with an
 * error, which lists those that are installed. New string. */
char *scree_new_scene_like(const char *like, const char *name, GError **error);

#endif
