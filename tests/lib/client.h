/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the tests of libscree. They are clients: they see libscree.h, and no header of core. */
#ifndef TESTS_CLIENT_H
#define TESTS_CLIENT_H

#include <inttypes.h>
#include <string.h>

#include "../tap.h"
#include "libscree.h"

typedef struct hash {
    char text[65];
} hash;

/** Opens a scene without its observers, with `more` ended by NULL. Ends the program on failure. */
static inline sc_run *open_quiet(const char *scene, uint32_t threads, const char *const *more)
{
    const char *set[16] = {NULL};
    for (int k = 0; k < 15 && more; k++, more = *more ? more + 1 : NULL)
        set[k] = *more;
    const sc_options options = {
        .size = sizeof options, .threads = threads, .set = set, .flags = SC_QUIET_SCENE};
    sc_run *run;
    if (sc_open(scene, &options, &run))
        bail_out("%s: %s", scene, sc_error(run));
    return run;
}

static inline void must(sc_run *run, int32_t code, const char *what)
{
    if (code)
        bail_out("%s: %d, %s", what, code, sc_error(run));
}

static inline hash hash_of(sc_run *run)
{
    hash h;
    must(run, sc_hash(run, h.text), "sc_hash");
    return h;
}

static inline int same(hash a, hash b)
{
    return !strcmp(a.text, b.text);
}

/** Reads an array; ends the program if it is missing. */
static inline sc_array array_of(sc_run *run, const char *name)
{
    sc_array a = {.size = sizeof a};
    must(run, sc_array_get(run, name, &a), name);
    return a;
}

/** Claims that a call was refused, with this text. */
static inline void refused(sc_run *run, int32_t code, const char *part, const char *what)
{
    const char *text = sc_error(run);
    claim(code == SC_E_USE && strstr(text, part) != NULL, "%s: %s", what, text);
}

/** Whether the last failure of a call on the run has this text in it. */
static inline int says(const sc_run *run, const char *part)
{
    return strstr(sc_error(run), part) != NULL;
}

#endif
