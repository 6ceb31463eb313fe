/* SPDX-License-Identifier: Apache-2.0 */
/* Global fields of laws and integrators, and the end of a step as laws see it. */
#ifndef CORE_CHECK_GLOBALS_H
#define CORE_CHECK_GLOBALS_H

#include "tools/check/check_contacts.h"

/** Number of components of all global fields of a plugin. */
uint32_t scree_check_globals_count(const scree_plugin *plugin);
/** Sets global fields to their initial values. */
void scree_check_globals_start(const scree_plugin *plugin, double *values);
/** Number of components of all contact and pair fields of a plugin. */
uint32_t scree_check_fields_count(const scree_plugin *plugin);
/** Makes global fields fresh, with their initial values. */
void scree_check_globals_restart(scree_check_contacts *contacts);
/** Calls after_step() of the law, if it has one. False: the law and the check have failed. */
bool scree_check_law_step(scree_check_contacts *contacts);

#endif
