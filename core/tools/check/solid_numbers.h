/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check --solid FILE`: how resolvers represent the solids of a scene, or of a surface, in numbers. */
#ifndef CORE_CHECK_SOLID_NUMBERS_H
#define CORE_CHECK_SOLID_NUMBERS_H

#include <glib.h>

struct scree_registry;

/** Prints the numbers of all solids of a scene that its resolvers show, or of the solid in a file of a
 * surface. `settings`: overrides of the scene, NULL at the end, or NULL. Returns the status. */
int scree_check_solid_numbers(const char *file, char **settings, gboolean as_json,
                              struct scree_registry *registry);

#endif
