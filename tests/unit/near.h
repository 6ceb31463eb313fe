/* SPDX-License-Identifier: Apache-2.0 */
/* Nearly equal doubles (GLib's own macro promotes to long double, which clang warns of). */
#ifndef TESTS_UNIT_NEAR_H
#define TESTS_UNIT_NEAR_H

#include <glib.h>
#include <math.h>

#define assert_near(a, b, tolerance) g_assert_cmpfloat(fabs((a) - (b)), <=, (tolerance))

#endif
