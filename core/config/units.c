/* SPDX-License-Identifier: Apache-2.0 */
/* Reads units and quantities: "kg m^2/s" to a factor and exponents, "0.5 mm" to 0.0005 exactly. */
#include "config/units.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * unit     := product [ "/" divisor ]...
 * product  := factor ( " " | "*" | "·" factor )...
 * divisor  := factor, or a product in parentheses
 * factor   := "1" | symbol [ ["^"] power ] | "(" product ")"
 *
 * "N s/m" is (N s)/m. Units after a division without parentheses, as in "W/m K", are ambiguous, and
 * are refused.
 *
 * The decimal part of a factor is kept as a power of ten until the end. So "0.5 mm" is read as the
 * literal 0.5e-3, and has the same bits as 0.0005.
 */

#define MAX_TEXT 100
#define MAX_POWER 12
#define PI 3.14159265358979323846

/* m, kg, s, A, K, mol, cd */
enum { LENGTH, MASS, TIME, CURRENT, TEMPERATURE, AMOUNT, LIGHT, N_BASE };

typedef enum prefixes {
    NO_PREFIX,
    ANY_PREFIX,
    LARGE_PREFIX, /* k, M, G: a "ft" is not a femto-tonne */
} prefixes;

typedef struct symbol {
    const char *name;
    double mantissa;
    int decade; /* SI value: mantissa * 10^decade */
    signed char exponent[N_BASE];
    prefixes prefixes;
} symbol;

static const symbol symbols[] = {
    {"m", 1, 0, {1}, ANY_PREFIX},
    {"g", 1, -3, {0, 1}, ANY_PREFIX},
    {"s", 1, 0, {0, 0, 1}, ANY_PREFIX},
    {"A", 1, 0, {0, 0, 0, 1}, ANY_PREFIX},
    {"K", 1, 0, {0, 0, 0, 0, 1}, ANY_PREFIX},
    {"mol", 1, 0, {0, 0, 0, 0, 0, 1}, ANY_PREFIX},
    {"cd", 1, 0, {0, 0, 0, 0, 0, 0, 1}, ANY_PREFIX},
    {"N", 1, 0, {1, 1, -2}, ANY_PREFIX},
    {"Pa", 1, 0, {-1, 1, -2}, ANY_PREFIX},
    {"J", 1, 0, {2, 1, -2}, ANY_PREFIX},
    {"W", 1, 0, {2, 1, -3}, ANY_PREFIX},
    {"Hz", 1, 0, {0, 0, -1}, ANY_PREFIX},
    {"C", 1, 0, {0, 0, 1, 1}, ANY_PREFIX},
    {"V", 1, 0, {2, 1, -3, -1}, ANY_PREFIX},
    {"F", 1, 0, {-2, -1, 4, 2}, ANY_PREFIX},
    {"Ohm", 1, 0, {2, 1, -3, -2}, ANY_PREFIX},
    {"\xce\xa9", 1, 0, {2, 1, -3, -2}, ANY_PREFIX},
    {"S", 1, 0, {-2, -1, 3, 2}, ANY_PREFIX},
    {"Wb", 1, 0, {2, 1, -2, -1}, ANY_PREFIX},
    {"T", 1, 0, {0, 1, -2, -1}, ANY_PREFIX},
    {"H", 1, 0, {2, 1, -2, -2}, ANY_PREFIX},
    {"rad", 1, 0, {0}, ANY_PREFIX},
    {"sr", 1, 0, {0}, NO_PREFIX},
    {"deg", PI / 180, 0, {0}, NO_PREFIX},
    {"\xc2\xb0", PI / 180, 0, {0}, NO_PREFIX},
    {"rev", 2 * PI, 0, {0}, NO_PREFIX},
    {"rpm", PI / 30, 0, {0, 0, -1}, NO_PREFIX},
    {"%", 1, -2, {0}, NO_PREFIX},
    {"min", 60, 0, {0, 0, 1}, NO_PREFIX},
    {"h", 3600, 0, {0, 0, 1}, NO_PREFIX},
    {"d", 86400, 0, {0, 0, 1}, NO_PREFIX},
    {"l", 1, -3, {3}, ANY_PREFIX},
    {"L", 1, -3, {3}, ANY_PREFIX},
    {"t", 1, 3, {0, 1}, LARGE_PREFIX},
    {"bar", 1, 5, {-1, 1, -2}, ANY_PREFIX},
    {"atm", 101325, 0, {-1, 1, -2}, NO_PREFIX},
    {"eV", 1.602176634, -19, {2, 1, -2}, ANY_PREFIX},
    {"dyn", 1, -5, {1, 1, -2}, NO_PREFIX},
    {"erg", 1, -7, {2, 1, -2}, NO_PREFIX},
    {"P", 1, -1, {-1, 1, -1}, ANY_PREFIX}, /* poise */
};

static const struct {
    const char *name;
    int decade;
} prefix_table[] = {
    {"da", 1},        {"d", -1}, {"c", -2},  {"m", -3},  {"u", -6},  {"\xc2\xb5", -6},
    {"\xce\xbc", -6}, {"n", -9}, {"p", -12}, {"f", -15}, {"a", -18}, {"h", 2},
    {"k", 3},         {"M", 6},  {"G", 9},   {"T", 12},  {"P", 15},
};

/** A unit with its power of ten kept apart. */
typedef struct parsed {
    double mantissa;
    int decade;
    int exponent[N_BASE];
} parsed;

typedef struct reader {
    const char *text, *at;
    int depth;
    GError **error;
} reader;

static bool fail(reader *r, const char *what)
{
    return scree_fail(r->error, SCREE_EXIT_USAGE, "unit \"%s\": %s", r->text, what);
}

static const symbol *find_exact(const char *name, size_t length)
{
    for (size_t k = 0; k < G_N_ELEMENTS(symbols); k++)
        if (strlen(symbols[k].name) == length && memcmp(symbols[k].name, name, length) == 0)
            return &symbols[k];
    return NULL;
}

/** Finds a symbol, exact before prefixed: "min" is a minute, "Pa" is not a peta-year. */
static const symbol *find_symbol(const char *name, size_t length, int *decade)
{
    const symbol *found = find_exact(name, length);
    *decade = 0;
    if (found)
        return found;
    for (size_t k = 0; k < G_N_ELEMENTS(prefix_table); k++) {
        const size_t n = strlen(prefix_table[k].name);
        if (n >= length || memcmp(prefix_table[k].name, name, n) != 0)
            continue;
        found = find_exact(name + n, length - n);
        if (!found || found->prefixes == NO_PREFIX ||
            (found->prefixes == LARGE_PREFIX && prefix_table[k].decade < 3))
            continue;
        *decade = prefix_table[k].decade;
        return found;
    }
    return NULL;
}

static bool is_symbol_byte(char c)
{
    return g_ascii_isalpha(c) || c == '%' || ((unsigned char)c >= 0x80);
}

/** UTF-8 signs that are not symbols: the dot of a product and raised digits. */
static bool at_sign(const char *at)
{
    return g_str_has_prefix(at, "\xc2\xb7") || g_str_has_prefix(at, "\xc2\xb2") ||
           g_str_has_prefix(at, "\xc2\xb3");
}

static void skip_spaces(reader *r)
{
    while (*r->at == ' ' || *r->at == '\t')
        r->at++;
}

static bool unknown_symbol(reader *r, const char *name, size_t length)
{
    g_autofree char *word = g_strndup(name, length);
    g_autofree char *what = NULL;
    int decade;
    for (size_t k = 1; k < length && !what; k++)
        if (find_symbol(name, k, &decade) && find_symbol(name + k, length - k, &decade))
            what = g_strdup_printf("there is no unit \"%s\"; a product is written \"%.*s %s\"",
                                   word, (int)k, word, word + k);
    if (!what)
        what = g_strdup_printf("there is no unit \"%s\"", word);
    if (strcmp(word, r->text) != 0)
        return fail(r, what);
    return scree_fail(r->error, SCREE_EXIT_USAGE, "%s", what);
}

/** An optional power: "^2", "^-1", "2", a raised 2 or 3. */
static bool read_power(reader *r, int *power)
{
    const bool caret = *r->at == '^';
    *power = 1;
    if (g_str_has_prefix(r->at, "\xc2\xb2") || g_str_has_prefix(r->at, "\xc2\xb3")) {
        *power = (unsigned char)r->at[1] == 0xb2 ? 2 : 3;
        r->at += 2;
        return true;
    }
    if (caret)
        r->at++;
    else if (!g_ascii_isdigit(*r->at))
        return true;
    const int sign = caret && *r->at == '-' ? -1 : 1;
    if (sign < 0)
        r->at++;
    if (!g_ascii_isdigit(*r->at))
        return fail(r, "a power is a whole number, as in \"m^2\" or \"s^-1\"");
    int value = 0;
    for (; g_ascii_isdigit(*r->at) && value <= MAX_POWER; r->at++)
        value = 10 * value + (*r->at - '0');
    if (*r->at == '.')
        return fail(r, "a power is a whole number, as in \"m^2\" or \"s^-1\"");
    if (value > MAX_POWER)
        return fail(r, "a power is at most 12");
    *power = sign * value;
    return true;
}

static double whole_power(double x, int power)
{
    double y = 1;
    for (int k = 0; k < abs(power); k++)
        y *= x;
    return power < 0 ? 1 / y : y;
}

static void multiply(parsed *out, const parsed *by, int power)
{
    out->mantissa *= whole_power(by->mantissa, power);
    out->decade += power * by->decade;
    for (int k = 0; k < N_BASE; k++)
        out->exponent[k] += power * by->exponent[k];
}

static bool read_product(reader *r, parsed *out);

static bool read_factor(reader *r, parsed *out)
{
    *out = (parsed){.mantissa = 1};
    skip_spaces(r);
    if (*r->at == '1' && !g_ascii_isdigit(r->at[1]) && r->at[1] != '.') {
        r->at++;
        return true;
    }
    if (*r->at == '(') {
        if (++r->depth > 8)
            return fail(r, "too many parentheses");
        r->at++;
        if (!read_product(r, out))
            return false;
        skip_spaces(r);
        if (*r->at != ')')
            return fail(r, "a parenthesis is not closed");
        r->at++;
        return true;
    }
    const char *name = r->at;
    while (is_symbol_byte(*r->at) && !at_sign(r->at))
        r->at++;
    const size_t length = (size_t)(r->at - name);
    if (length == 0)
        return fail(r, *r->at ? "expected a unit, as in \"kg m^2/s\"" : "ends too early");
    parsed one = {.mantissa = 1};
    int decade, power;
    const symbol *found = find_symbol(name, length, &decade);
    if (!found)
        return unknown_symbol(r, name, length);
    one.mantissa = found->mantissa;
    one.decade = found->decade + decade;
    for (int k = 0; k < N_BASE; k++)
        one.exponent[k] = found->exponent[k];
    if (!read_power(r, &power))
        return false;
    multiply(out, &one, power);
    return true;
}

/** Skips the sign of a product. True: another factor follows. */
static bool next_factor(reader *r)
{
    skip_spaces(r);
    if (*r->at == '*' || *r->at == '.') {
        r->at++;
        return true;
    }
    if (g_str_has_prefix(r->at, "\xc2\xb7")) {
        r->at += 2;
        return true;
    }
    return *r->at && *r->at != '/' && *r->at != ')';
}

static bool read_product(reader *r, parsed *out)
{
    bool divided = false;
    parsed factor;
    *out = (parsed){.mantissa = 1};
    if (!read_factor(r, &factor))
        return false;
    multiply(out, &factor, 1);
    for (;;) {
        skip_spaces(r);
        const bool division = *r->at == '/';
        if (division)
            r->at++;
        else if (!next_factor(r))
            return true;
        else if (divided)
            return fail(r, "a product after a division needs parentheses, as in \"W/(m K)\"");
        divided = divided || division;
        if (!read_factor(r, &factor))
            return false;
        multiply(out, &factor, division ? -1 : 1);
    }
}

static bool parse_unit(const char *text, parsed *out, GError **error)
{
    reader r = {.text = text, .at = text, .error = error};
    *out = (parsed){.mantissa = 1};
    if (!text)
        return true;
    skip_spaces(&r);
    if (!*r.at || strcmp(r.at, "-") == 0)
        return true;
    if (strlen(text) > MAX_TEXT || !g_utf8_validate(text, -1, NULL))
        return scree_fail(error, SCREE_EXIT_USAGE, "a unit is UTF-8 text of at most %d bytes",
                          MAX_TEXT);
    if (!read_product(&r, out))
        return false;
    skip_spaces(&r);
    return *r.at ? fail(&r, "a parenthesis is closed that was not opened") : true;
}

/** `mantissa` times 10^decade, rounded once. */
static double scale_decade(const char *mantissa, int length, long decade)
{
    g_autofree char *literal = g_strdup_printf("%.*se%ld", length, mantissa, decade);
    return g_ascii_strtod(literal, NULL);
}

bool scree_unit_parse(const char *text, scree_unit *unit, GError **error)
{
    parsed p;
    if (!parse_unit(text, &p, error))
        return false;
    unit->factor = p.mantissa * scale_decade("1", 1, p.decade);
    memcpy(unit->exponent, p.exponent, sizeof unit->exponent);
    if (isfinite(unit->factor) && unit->factor > 0)
        return true;
    return scree_fail(error, SCREE_EXIT_USAGE, "unit \"%s\": its factor is beyond a double", text);
}

bool scree_unit_same_dimension(const scree_unit *a, const scree_unit *b)
{
    return memcmp(a->exponent, b->exponent, sizeof a->exponent) == 0;
}

/** Splits a decimal number: end of its mantissa, its exponent, its end. False: the text has
 * none. */
static bool scan_number(const char *text, const char **mantissa_end, long *exponent,
                        const char **end)
{
    const char *whole = *text == '+' || *text == '-' ? text + 1 : text;
    const char *point = whole + strspn(whole, G_CSET_DIGITS);
    const char *last = *point == '.' ? point + 1 + strspn(point + 1, G_CSET_DIGITS) : point;
    *mantissa_end = *end = last;
    *exponent = 0;
    if (point == whole && last - point < 2)
        return false;
    if (*last != 'e' && *last != 'E')
        return true;
    const char *power = last + 1;
    if (!g_ascii_isdigit(power[*power == '+' || *power == '-']))
        return true; /* "5 eV" without its space */
    *exponent = CLAMP(strtol(power, (char **)end, 10), -1000000, 1000000);
    return true;
}

/** Converts the number before a unit to SI; errors show the whole text. */
static bool convert(const char *text, const char *mantissa_end, long exponent, const parsed *unit,
                    double *value, GError **error)
{
    errno = 0;
    const double scaled = scale_decade(text, (int)(mantissa_end - text), exponent + unit->decade);
    const bool lost = errno == ERANGE;
    const double si = scaled * unit->mantissa;
    if (lost || !isfinite(si) || (scaled != 0 && fabs(si) < 0x1p-1022))
        return scree_fail(error, SCREE_EXIT_USAGE, "\"%s\" %s a double", text,
                          fabs(si) > 1 ? "overflows" : "underflows");
    *value = si;
    return true;
}

static bool wrong_dimension(const char *text, const char *unit, GError **error)
{
    if (!unit || !*unit || strcmp(unit, "-") == 0)
        return scree_fail(error, SCREE_EXIT_USAGE, "expected a number without unit, got \"%s\"",
                          text);
    return scree_fail(error, SCREE_EXIT_USAGE,
                      "expected a quantity with the dimension of %s, got \"%s\"", unit, text);
}

bool scree_quantity_parse(const char *text, const char *unit, double *value, GError **error)
{
    const char *mantissa_end, *end;
    long exponent;
    parsed wanted, given;
    if (!parse_unit(unit, &wanted, error))
        return false;
    while (g_ascii_isspace(*text))
        text++;
    const char *name = unit && *unit && strcmp(unit, "-") != 0 ? unit : NULL; // unit in the example
    if (!scan_number(text, &mantissa_end, &exponent, &end) || strlen(text) > 4 * MAX_TEXT)
        return scree_fail(error, SCREE_EXIT_USAGE, "expected a number%s%s%s, got \"%.100s\"",
                          name ? " with a unit, as \"0.5 " : "", name ? name : "", name ? "\"" : "",
                          text);
    g_autofree char *rest = g_strstrip(g_strdup(end));
    if (!*rest)
        return convert(text, mantissa_end, exponent, &wanted, value, error);
    if (*rest == ',')
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "expected a point before the decimals, as in 0.5, got \"%.100s\"", text);
    if (!parse_unit(rest, &given, error)) {
        g_prefix_error(error, "\"%s\": ", text);
        return false;
    }
    if (memcmp(given.exponent, wanted.exponent, sizeof given.exponent) != 0)
        return wrong_dimension(text, unit, error);
    return convert(text, mantissa_end, exponent, &given, value, error);
}
