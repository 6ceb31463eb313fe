/* SPDX-License-Identifier: Apache-2.0 */
/* The object that `scree validate --json` and `scree query --json` print. */
#ifndef CORE_LOOK_JSON_H
#define CORE_LOOK_JSON_H

#include "base/json.h"
#include "base/say.h"
#include "tools/look/scene_json.h"

/** The finds of a command, in an object with `notes`, `warnings` and `errors` at its end. */
typedef struct scree_look {
    scree_json *json; /* NULL: the command prints text */
    bool silent;      /* nothing is printed: a program has called the library */
    double began;     /* [s] of the CPU time of the thread */
    GPtrArray *notes, *warnings, *errors;
} scree_look;

/** Begins a command, which hears notes and warnings of its thread from now on. */
void scree_look_begin(scree_look *look, bool json, bool silent);
/** Prints a line to standard error, unless the command is silent, and notes it for the object. */
void scree_look_say(const char *who, scree_say_level level, const char *text);
/** Prints an error to standard error, and notes it for the object. Returns the exit status. */
int scree_look_fail(scree_look *look, const GError *error);
/** Returns the CPU time [s] of the thread since the command began. */
double scree_look_spent(const scree_look *look);
/** Ends the command. Returns the text of the object, a new string; NULL: without --json. */
char *scree_look_take(scree_look *look);
/** The same, but prints the object, and returns the status. */
int scree_look_end(scree_look *look, int status);

#endif
