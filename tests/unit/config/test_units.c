/* SPDX-License-Identifier: Apache-2.0 */
/* Units and quantities: factors, dimensions, exactness, and what is refused. */
#include <math.h>
#include <string.h>

#include "../../test.h"
#include "config/units.h"

#define PI 3.14159265358979323846

static void check(const char *text, double factor, int m, int kg, int s)
{
    scree_unit unit;
    g_autoptr(GError) error = NULL;
    g_assert_true(scree_unit_parse(text, &unit, &error));
    g_assert_no_error(error);
    if (unit.factor != factor)
        g_error("%s: factor %.17g, expected %.17g", text, unit.factor, factor);
    g_assert_cmpint(unit.exponent[0], ==, m);
    g_assert_cmpint(unit.exponent[1], ==, kg);
    g_assert_cmpint(unit.exponent[2], ==, s);
}

TEST("/units/factors-and-dimensions")
{
    check("kg m^2/s", 1, 2, 1, -1);
    check("kg m^2 / s", 1, 2, 1, -1);
    check("N s/m", 1, 0, 1, -1);
    check("1/s", 1, 0, 0, -1);
    check("kg/m^3", 1, -3, 1, 0);
    check("kg/m3", 1, -3, 1, 0);
    check("kg m^-3", 1, -3, 1, 0);
    check("g/cm^3", 1000, -3, 1, 0);
    check("N/m", 1, 0, 1, -2);
    check("kg/m/s", 1, -1, 1, -1);
    check("kg/(m s)", 1, -1, 1, -1);
    check("N*m", 1, 2, 1, -2);
    check("mm", 1e-3, 1, 0, 0);
    check("GPa", 1e9, -1, 1, -2);
    check("hPa", 100, -1, 1, -2);
    check("bar", 1e5, -1, 1, -2);
    check("l/h", 1e-3 / 3600, 3, 0, -1);
    check("min", 60, 0, 0, 1); /* no milli-inch */
    check("t/h", 1000.0 / 3600, 0, 1, -1);
    check("kJ", 1e3, 2, 1, -2);
    check("mW", 1e-3, 2, 1, -3);
    check("kHz", 1e3, 0, 0, -1);
    check("deg", PI / 180, 0, 0, 0);
    check("rad/s", 1, 0, 0, -1);
    check("rpm", PI / 30, 0, 0, -1);
    check("%", 1e-2, 0, 0, 0);
}

TEST("/units/utf8-signs-are-read")
{
    check("\xc2\xb5m", 1e-6, 1, 0, 0);
    check("\xce\xbcm", 1e-6, 1, 0, 0);
    check("kg\xc2\xb7m\xc2\xb2", 1, 2, 1, 0);
    check("m\xc2\xb3", 1, 3, 0, 0);
    check("\xc2\xb0", PI / 180, 0, 0, 0);
}

TEST("/units/nothing-is-dimensionless")
{
    check(NULL, 1, 0, 0, 0);
    check("", 1, 0, 0, 0);
    check("-", 1, 0, 0, 0);
}

static void refuse(const char *text, const char *why)
{
    scree_unit unit;
    g_autoptr(GError) error = NULL;
    g_assert_false(scree_unit_parse(text, &unit, &error));
    g_assert_error(error, SCREE_ERROR, SCREE_EXIT_USAGE);
    g_assert_cmpstr(error->message, ==, why);
}

TEST("/units/text-other-than-a-unit-is-refused-with-the-reason")
{
    refuse("meter", "there is no unit \"meter\"");
    refuse("Nm", "there is no unit \"Nm\"; a product is written \"N m\"");
    refuse("ft", "there is no unit \"ft\""); /* and no femto-tonne */
    refuse("W/m K",
           "unit \"W/m K\": a product after a division needs parentheses, as in \"W/(m K)\"");
    refuse("m^0.5", "unit \"m^0.5\": a power is a whole number, as in \"m^2\" or \"s^-1\"");
    refuse("m^99999999999", "unit \"m^99999999999\": a power is at most 12");
    refuse("kg/", "unit \"kg/\": ends too early");
    refuse("(m", "unit \"(m\": a parenthesis is not closed");
    refuse("m)", "unit \"m)\": a parenthesis is closed that was not opened");
    refuse("2 m", "unit \"2 m\": expected a unit, as in \"kg m^2/s\"");
    refuse("((((((((((m", "unit \"((((((((((m\": too many parentheses");
}

static double quantity(const char *text, const char *unit)
{
    double value = (double)NAN;
    g_autoptr(GError) error = NULL;
    scree_quantity_parse(text, unit, &value, &error);
    g_assert_no_error(error);
    return value;
}

/* The very bits of the number in SI: a scene may be rewritten in mm without changing a trajectory.
 */
TEST("/quantities/decimal-prefixes-keep-the-bits")
{
    g_assert_true(quantity("0.3 mm", "m") == 0.3e-3);
    g_assert_true(quantity("0.7 um", "m") == 0.7e-6);
    g_assert_true(quantity("2.6 g/cm^3", "kg/m^3") == 2600.0);
    g_assert_true(quantity("1.1e-3 GPa", "Pa") == 1.1e6);
    g_assert_true(quantity("70 GPa", "Pa") == 70e9);
    g_assert_true(quantity("123456.7 kg", "kg") == 123456.7);
}

TEST("/quantities/numbers-with-units-are-si")
{
    g_assert_true(quantity("30 deg", "rad") == 30 * (PI / 180));
    g_assert_true(quantity("30", "deg") == 30 * (PI / 180)); /* bare: in the unit asked for */
    g_assert_true(quantity("0.5", "m") == 0.5);
    g_assert_true(quantity(" -0.5mm ", "m") == -0.5e-3);
    g_assert_true(quantity("+.5 m", "m") == 0.5);
    g_assert_true(quantity("5. m", "m") == 5);
    g_assert_true(quantity("2eV", "J") == 2e-19 * 1.602176634); /* no exponent */
    g_assert_true(quantity("60 rpm", "1/s") == 60 * (PI / 30));
    g_assert_true(quantity("5 %", "-") == 0.05);
    g_assert_true(quantity("0 mm", "m") == 0);
}

static void refuse_quantity(const char *text, const char *unit, const char *why)
{
    double value = 7;
    g_autoptr(GError) error = NULL;
    g_assert_false(scree_quantity_parse(text, unit, &value, &error));
    g_assert_error(error, SCREE_ERROR, SCREE_EXIT_USAGE);
    g_assert_cmpstr(error->message, ==, why);
    g_assert_true(value == 7);
}

TEST("/quantities/wrong-ones-are-refused-with-the-reason")
{
    refuse_quantity("0.5 kg", "m", "expected a quantity with the dimension of m, got \"0.5 kg\"");
    refuse_quantity("0.5 kg", NULL, "expected a number without unit, got \"0.5 kg\"");
    refuse_quantity("mm", "m", "expected a number with a unit, as \"0.5 m\", got \"mm\"");
    refuse_quantity("", "m", "expected a number with a unit, as \"0.5 m\", got \"\"");
    refuse_quantity("inf m", "m", "expected a number with a unit, as \"0.5 m\", got \"inf m\"");
    refuse_quantity("soft", "N/m", "expected a number with a unit, as \"0.5 N/m\", got \"soft\"");
    refuse_quantity("nan", "m", "expected a number with a unit, as \"0.5 m\", got \"nan\"");
    refuse_quantity("1e400 m", "m", "\"1e400 m\" overflows a double");
    refuse_quantity("1e306 km", "m", "\"1e306 km\" overflows a double");
    refuse_quantity("1e-400 m", "m", "\"1e-400 m\" underflows a double");
    refuse_quantity("1e-308 deg", "rad", "\"1e-308 deg\" underflows a double");
    refuse_quantity("1e99999999999999999999 m", "m",
                    "\"1e99999999999999999999 m\" overflows a double");
    refuse_quantity("1,5 m", "m", "expected a point before the decimals, as in 0.5, got \"1,5 m\"");
    refuse_quantity("0.5 parsec", "m", "\"0.5 parsec\": there is no unit \"parsec\"");
}

TEST("/units/same-dimension-is-by-exponents")
{
    scree_unit a, b, c;
    g_assert_true(scree_unit_parse("N m", &a, NULL));
    g_assert_true(scree_unit_parse("kJ", &b, NULL));
    g_assert_true(scree_unit_parse("N", &c, NULL));
    g_assert_true(scree_unit_same_dimension(&a, &b));
    g_assert_false(scree_unit_same_dimension(&a, &c));
}
