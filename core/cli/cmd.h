/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by all commands: common options, help, error messages. */
#ifndef CORE_CMD_H
#define CORE_CMD_H

#include <stdbool.h>

#include "plugin/plugin_file.h"

/** Takes --plugin-path DIR and --trust FILE out of the command line, wherever they are. */
bool scree_cmd_take_globals(int *argc, char ***argv, GError **error);
/** A registry with the folders and files that these options name. */
scree_registry *scree_cmd_registry_new(void);

/** Adds the values (NULL-terminated, or NULL) to a shell command, each after "--OPTION" unless
 * `option` is NULL. */
void scree_cmd_add_words(GString *command, const char *option, char *const *values);
/** Adds --plugin-path and --trust as the user gave them. */
void scree_cmd_add_globals(GString *command);

/** argv[0] of this process. */
extern const char *scree_cmd_program;

/** Parses the options of a command. `arguments` names its operands ("SCENE"), `summary` describes
 * the command. False: *status is the exit status, after --help or an error. Texts are
 * G_OPTION_ARG_FILENAME, too, which is not converted from the locale. */
bool scree_cmd_parse(int *argc, char ***argv, const GOptionEntry *entries, const char *arguments,
                     const char *summary, int *status);
/** Prints "scree: MESSAGE" on standard error; returns the exit status of the error. */
int scree_cmd_fail(const GError *error);
/** Prints a mistake on the command line of `command`; returns the exit status. */
int scree_cmd_usage(const char *command, const char *format, ...) G_GNUC_PRINTF(2, 3);
/** Prints a wrong number of operands: "expected one SCENE, got 2"; returns the exit status. */
int scree_cmd_operands(const char *command, const char *name, int got);
/** Reads the whole number of an option; `text` NULL: it was not given. False: *status is the exit
 * status. */
bool scree_cmd_count(const char *command, const char *option, const char *text, uint64_t min,
                     uint64_t max, uint64_t *value, int *status);

#endif
