/* SPDX-License-Identifier: Apache-2.0 */
/* How much memory is left: a limit of the process lowers it. */
#include "../../test.h"
#include "base/shortage.h"

#include <glib.h>
#include <sys/resource.h>

TEST("/memory-left/a-limit-of-the-process-counts")
{
    const uint64_t unlimited = scree_room_left(), limit = UINT64_C(1) << 40;
    g_assert_cmpuint(unlimited, >, 0);
    struct rlimit rule;
    g_assert_cmpint(getrlimit(RLIMIT_AS, &rule), ==, 0);
    const struct rlimit before = rule;
    rule.rlim_cur = MIN(limit, rule.rlim_max);
    g_assert_cmpint(setrlimit(RLIMIT_AS, &rule), ==, 0);
    g_assert_cmpuint(scree_room_left(), <=, limit);
    g_assert_cmpint(setrlimit(RLIMIT_AS, &before), ==, 0);
}
