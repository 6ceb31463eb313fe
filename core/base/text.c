// SPDX-License-Identifier: Apache-2.0
// Text files of words: lines, words, strict numbers, problems with their line.
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/paths.h"

void scree_text_init(scree_text *t, const char *bytes, size_t length, const char *file,
                     GPtrArray *problems)
{
    bool marked = length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0;
    *t = (scree_text){.file = file, .problems = problems};
    t->at = bytes + (marked ? 3 : 0);
    t->end = bytes + length;
    t->words = g_ptr_array_new();
    t->buffer = g_string_new(NULL);
    if (length && memchr(bytes, '\0', length)) {
        scree_text_report(t, "this is not a text file (it has zero bytes; save it as UTF-8)");
        t->at = t->end;
    }
}

void scree_text_clear(scree_text *t)
{
    g_ptr_array_free(t->words, TRUE);
    g_string_free(t->buffer, TRUE);
}

/** Appends one line to the buffer; false at the end of the file. */
static bool take_line(scree_text *t)
{
    if (t->at >= t->end)
        return false;
    const char *eol = memchr(t->at, '\n', (size_t)(t->end - t->at));
    const char *stop = eol ? eol : t->end;
    g_string_append_len(t->buffer, t->at, stop - t->at);
    t->at = eol ? eol + 1 : t->end;
    t->lines_taken++;
    return true;
}

/** Takes a backslash off the end of the buffer; false: there is none. */
static bool take_join(scree_text *t)
{
    gsize n = t->buffer->len;
    if (n > 0 && t->buffer->str[n - 1] == '\r')
        n--;
    if (n == 0 || t->buffer->str[n - 1] != '\\')
        return false;
    g_string_truncate(t->buffer, n - 1);
    g_string_append_c(t->buffer, ' ');
    return true;
}

static void cut_words(scree_text *t)
{
    static const char white[] = " \t\r\f\v";
    char *at = t->buffer->str;
    g_ptr_array_set_size(t->words, 0);
    t->remark = t->comment ? strchr(at, t->comment) : NULL;
    if (t->remark)
        *t->remark++ = '\0';
    for (at += strspn(at, white); *at; at += strspn(at, white)) {
        g_ptr_array_add(t->words, at);
        at += strcspn(at, white);
        if (*at)
            *at++ = '\0';
    }
}

bool scree_text_next(scree_text *t)
{
    while (t->n_problems < SCREE_TEXT_MOST_PROBLEMS) {
        g_string_truncate(t->buffer, 0);
        if (!take_line(t))
            return false;
        t->line = t->lines_taken;
        while (t->joins && take_join(t) && take_line(t))
            ;
        cut_words(t);
        if (t->words->len > 0)
            return true;
    }
    return false;
}

void scree_text_report(scree_text *t, const char *format, ...)
{
    if (++t->n_problems > SCREE_TEXT_MOST_PROBLEMS)
        return;
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    bool last = t->n_problems == SCREE_TEXT_MOST_PROBLEMS;
    g_ptr_array_add(t->problems,
                    g_strdup_printf("%s:%" G_GUINT64_FORMAT ": %s%s", t->file, t->line, text,
                                    last ? " (further mistakes of this file are not "
                                           "shown)"
                                         : ""));
}

enum { EXACT_TENS = 22 }; /* 10^22 is the largest power of ten that a double holds exactly */

/** Adds the exponent at *c, which moves behind it; false: there is none. */
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

/** A decimal number of few digits: the quotient, or product, of two exact doubles, which is what
 * strtod rounds to as well. False: the word is something else, or too long. */
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
    // Too small for a double is 0 or denormal here: files of floats have such noise.
    return !*end && isfinite(*value) && !(errno == ERANGE && fabs(*value) > 1.0);
}

bool scree_text_real(scree_text *t, const char *what, const char *word, double *value)
{
    if (scree_parse_real(word, value))
        return true;
    scree_text_report(t, "%s = '%.40s' is not a finite number%s", what, word,
                      strchr(word, ',') ? " (write a decimal point, not a comma)" : "");
    return false;
}

bool scree_text_int(scree_text *t, const char *what, const char *word, int64_t min, int64_t max,
                    int64_t *value)
{
    gint64 found = 0;
    if (min <= max && g_ascii_string_to_signed(word, 10, min, max, &found, NULL)) {
        *value = found;
        return true;
    }
    if (min > max) {
        scree_text_report(t, "%s = '%.40s': none is possible here", what, word);
        return false;
    }
    scree_text_report(
        t, "%s = '%.40s' is not a whole number from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
        what, word, min, max);
    return false;
}

char *scree_text_load(const char *path, size_t *length, GPtrArray *problems)
{
    return scree_paths_read(path, path, length, problems);
}
