/* SPDX-License-Identifier: Apache-2.0 */
/* `scree new scene`: a scene whose comments come from the descriptors of its plugins. */
#ifndef CORE_NEW_SCENE_H
#define CORE_NEW_SCENE_H

#include <glib.h>

/** The text of a scene with this name, a new string; it runs as it is. NULL: a plugin is missing or
 * was refused. */
char *scree_new_scene(const char *name, GError **error);
/** The text of an explained scene under another name, a new string; `like`: hopper, drum, .. NULL,
 * with an error that lists the installed scenes. */
char *scree_new_scene_like(const char *like, const char *name, GError **error);

#endif
