/* SPDX-License-Identifier: Apache-2.0 */
/* The clock never runs backwards and counts seconds. */
#include "base/clock.h"

#include <glib.h>

static void test_forward(void)
{
    double before = scree_now();
    for (int k = 0; k < 1000; k++) {
        double now = scree_now();
        g_assert_cmpfloat(now, >=, before);
        before = now;
    }
}

static void test_seconds(void)
{
    const gint64 microseconds =
        g_get_monotonic_time(); // the other clock's interval is the longer one
    const double start = scree_now();
    g_usleep(2000);
    const double seconds = scree_now() - start;
    g_assert_cmpfloat(seconds, >=, 0.002);
    g_assert_cmpfloat(seconds, <=, 1e-6 * (double)(g_get_monotonic_time() - microseconds + 1));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/clock/never-runs-backwards", test_forward);
    g_test_add_func("/clock/counts-seconds", test_seconds);
    return g_test_run();
}
