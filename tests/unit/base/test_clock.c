/* SPDX-License-Identifier: Apache-2.0 */
/* The clock never runs backwards and counts seconds. */
#include "../../test.h"
#include "base/clock.h"

#include <glib.h>

TEST("/clock/never-runs-backwards")
{
    double before = scree_now();
    for (int k = 0; k < 1000; k++) {
        double now = scree_now();
        g_assert_cmpfloat(now, >=, before);
        before = now;
    }
}

TEST("/clock/counts-seconds")
{
    const gint64 microseconds =
        g_get_monotonic_time(); // the other clock's interval is the longer one
    const double start = scree_now();
    g_usleep(2000);
    const double seconds = scree_now() - start;
    g_assert_cmpfloat(seconds, >=, 0.002);
    g_assert_cmpfloat(seconds, <=, 1e-6 * (double)(g_get_monotonic_time() - microseconds + 1));
}
