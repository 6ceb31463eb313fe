// SPDX-License-Identifier: Apache-2.0
// Numbers in text, the order of texts, whole texts to a file, lines of one, names that are near to an
// unknown word.
#include "base/text.h"

#include <errno.h>
#include <glib.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST_WORD = 64 };
enum { EXACT_TENS = 22 }; /* 10^22 is the largest power of ten that a double holds exactly */

/** Adds the exponent at *c, and moves *c behind it. False: no digit follows. */
static bool add_exponent(const char **c, int *power)
{
    const char *at = *c + 1;
    const bool small = *at == '-';
    int exponent = 0;
    if (*at == '-' || *at == '+')
        at++;
    *c = at;
    for (; g_ascii_isdigit(*at) && exponent < 1000; at++)
        exponent = 10 * exponent + (*at - '0');
    const bool any = at > *c;
    *power += small ? -exponent : exponent;
    *c = at;
    return any;
}

/** Reads a decimal number with few digits. The quotient or product of two exact doubles is rounded
 * as strtod rounds. False: the word is something else, or too long. */
static bool parse_short(const char *word, double *value)
{
    static const double tens[EXACT_TENS + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const uint64_t most = UINT64_C(1) << 53;
    const bool negative = *word == '-';
    const char *c = word;
    uint64_t digits = 0;
    int power = 0, n = 0;
    if (*c == '-' || *c == '+')
        c++;
    for (; g_ascii_isdigit(*c) && digits < most; c++, n++)
        digits = 10 * digits + (uint64_t)(*c - '0');
    if (*c == '.')
        for (c++; g_ascii_isdigit(*c) && digits < most; c++, n++, power--)
            digits = 10 * digits + (uint64_t)(*c - '0');
    if (n && (*c == 'e' || *c == 'E') && !add_exponent(&c, &power))
        return false;
    if (*c || !n || digits > most || power < -EXACT_TENS || power > EXACT_TENS)
        return false;
    *value = power < 0 ? (double)digits / tens[-power] : (double)digits * tens[power];
    *value = negative ? -*value : *value;
    return true;
}

bool scree_parse_real(const char *word, double *value)
{
    char *end;
    if (parse_short(word, value))
        return true;
    if (!*word || strspn(word, "0123456789+-.eE") != strlen(word))
        return false;
    errno = 0;
    *value = g_ascii_strtod(word, &end);
    // A number too small for a double becomes 0 or subnormal: files of floats have such noise.
    return !*end && isfinite(*value) && !(errno == ERANGE && fabs(*value) > 1.0);
}

int scree_compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool scree_write_all(int fd, const char *text, size_t n)
{
    while (n) {
        const ssize_t some = write(fd, text, n);
        if (some < 0 && errno == EINTR)
            continue;
        if (some <= 0)
            return false;
        text += some;
        n -= (size_t)some;
    }
    return true;
}

char *scree_line_value(const char *path, const char *key)
{
    g_autofree char *text = NULL;
    const char *at = g_file_get_contents(path, &text, NULL, NULL) ? strstr(text, key) : NULL;
    while (at && at > text && at[-1] != '\n')
        at = strstr(at + 1, key);
    return at ? g_strstrip(g_strndup(at + strlen(key), strcspn(at + strlen(key), "\n"))) : NULL;
}

/* ---- spelling ---- */

/** Number of edits (insert, delete, change, swap neighbours) from a to b, ignoring case. */
static unsigned count_edits(const char *a, const char *b)
{
    unsigned rows[3][LONGEST_WORD + 1] = {{0}};
    const size_t n = strlen(a), m = strlen(b);
    for (size_t j = 0; j <= m; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= n; i++) {
        unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            const bool same = g_ascii_tolower(a[i - 1]) == g_ascii_tolower(b[j - 1]);
            row[j] = MIN(MIN(above[j], row[j - 1]) + 1, above[j - 1] + (same ? 0 : 1));
            if (i > 1 && j > 1 && g_ascii_tolower(a[i - 1]) == g_ascii_tolower(b[j - 2]) &&
                g_ascii_tolower(a[i - 2]) == g_ascii_tolower(b[j - 1]))
                row[j] = MIN(row[j], above2[j - 2] + 1);
        }
    }
    return rows[n % 3][m];
}

const char *scree_nearest_word(const char *word, const char *const *names)
{
    const size_t length = strlen(word);
    const char *nearest = NULL;
    unsigned fewest = (unsigned)MAX(1, length / 3) + 1; /* with more edits it is another word */
    if (length <= LONGEST_WORD)
        for (; names && *names; names++) {
            if (strlen(*names) > LONGEST_WORD)
                continue;
            const unsigned edits = count_edits(word, *names);
            if (edits < fewest) {
                fewest = edits;
                nearest = *names;
            }
        }
    return nearest;
}

char *scree_did_you_mean(const char *word, const char *const *names)
{
    const char *nearest = scree_nearest_word(word, names);
    return nearest ? g_strdup_printf("; did you mean \"%s\"?", nearest) : g_strdup("");
}
