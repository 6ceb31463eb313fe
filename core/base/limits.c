/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of time that the user may set by a variable of the environment. */
#include "base/limits.h"

#define SCREE_LONGEST_LIMIT 1e6 /* [s] */

static const struct {
    const char *name;
    double unset; /* [s] */
} limits[] = {[SCREE_LIMIT_LOAD] = {"SCREE_LOAD_LIMIT", 10.0},
              [SCREE_LIMIT_CHECK] = {"SCREE_CHECK_LIMIT", 60.0},
              [SCREE_LIMIT_SWAP] = {"SCREE_SWAP_LIMIT", 60.0}};

/** 0: not a number of seconds. */
static double read_limit(scree_limit_of what)
{
    const char *text = g_getenv(limits[what].name);
    if (!text || !*text)
        return limits[what].unset;
    char *end;
    const double seconds = g_ascii_strtod(text, &end);
    return !*end && seconds > 0.0 && seconds <= SCREE_LONGEST_LIMIT ? seconds : 0.0;
}

bool scree_limits_check(GError **error)
{
    for (size_t i = 0; i < G_N_ELEMENTS(limits); i++)
        if (!(read_limit(i) > 0.0))
            return scree_fail(error, SCREE_EXIT_USAGE,
                              "%s: expected seconds, above 0 and at most %g, got \"%s\"",
                              limits[i].name, SCREE_LONGEST_LIMIT, g_getenv(limits[i].name));
    return true;
}

double scree_limit(scree_limit_of what)
{
    const double seconds = read_limit(what);
    return seconds > 0.0 ? seconds : limits[what].unset; // a program checks at its start
}
