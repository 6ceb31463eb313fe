// SPDX-License-Identifier: Apache-2.0
// Text files of words: lines, words, strict numbers, problems with their line.
#include <ctype.h>
#include <errno.h>

#include "mesh.h"

void mesh_words_init(mesh_words *w, const char *bytes, size_t length, const char *file,
                     mesh_lines *problems)
{
    int marked = length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0;
    *w = (mesh_words){.file = file, .problems = problems};
    w->at = bytes + (marked ? 3 : 0);
    w->end = bytes + length;
    if (length && memchr(bytes, '\0', length)) {
        mesh_words_report(w, "this is not a text file (it has zero bytes; save it as UTF-8)");
        w->at = w->end;
    }
}

void mesh_words_clear(mesh_words *w)
{
    free(w->word);
    free(w->buffer);
}

/** Stops reading: memory is short. */
static int give_up(mesh_words *w)
{
    if (!w->no_memory)
        mesh_say(w->problems, "%s: no memory to read it", w->file);
    w->no_memory = 1;
    w->n_problems++;
    w->at = w->end;
    return 0;
}

/** Appends one line to the buffer; 0 at the end of the file. */
static int take_line(mesh_words *w)
{
    if (w->at >= w->end)
        return 0;
    const char *eol = memchr(w->at, '\n', (size_t)(w->end - w->at));
    const char *stop = eol ? eol : w->end;
    uint64_t n = (uint64_t)(stop - w->at);
    if (!scree_grow(&w->buffer, &w->buffer_room, w->length + n + 1, 1))
        return give_up(w);
    memcpy(w->buffer + w->length, w->at, n);
    w->length += n;
    w->buffer[w->length] = '\0';
    w->at = eol ? eol + 1 : w->end;
    w->lines_taken++;
    return 1;
}

/** Removes a backslash at the end of the buffer; 0: it ends otherwise. */
static int take_join(mesh_words *w)
{
    uint64_t n = w->length;
    if (n > 0 && w->buffer[n - 1] == '\r')
        n--;
    if (n == 0 || w->buffer[n - 1] != '\\')
        return 0;
    w->buffer[n - 1] = ' ';
    w->buffer[n] = '\0';
    w->length = n;
    return 1;
}

static int cut_words(mesh_words *w)
{
    static const char white[] = " \t\r\f\v";
    char *at = w->buffer, *remark = w->comment ? strchr(at, w->comment) : NULL;
    w->n = 0;
    if (remark)
        *remark++ = '\0';
    w->remark = remark;
    for (at += strspn(at, white); *at; at += strspn(at, white)) {
        if (!scree_grow(&w->word, &w->room, (uint64_t)w->n + 1, sizeof *w->word))
            return give_up(w);
        w->word[w->n++] = at;
        at += strcspn(at, white);
        if (*at)
            *at++ = '\0';
    }
    return 1;
}

int mesh_words_next(mesh_words *w)
{
    while (w->n_problems < MESH_MOST_PROBLEMS && !w->no_memory) {
        w->length = 0;
        if (!take_line(w))
            return 0;
        w->line = w->lines_taken;
        while (w->joins && take_join(w) && take_line(w))
            ;
        if (cut_words(w) && w->n > 0)
            return 1;
    }
    return 0;
}

void mesh_words_report(mesh_words *w, const char *format, ...)
{
    char text[512];
    va_list args;
    if (++w->n_problems > MESH_MOST_PROBLEMS)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const char *more =
        w->n_problems == MESH_MOST_PROBLEMS ? " (further mistakes of this file are not shown)" : "";
    if (w->line == 0) // of the file as a whole
        mesh_say(w->problems, "%s: %s%s", w->file, text, more);
    else
        mesh_say(w->problems, "%s:%llu: %s%s", w->file, (unsigned long long)w->line, text, more);
}

/** Reads a finite decimal number without other characters; "nan", hexadecimal numbers and overflow
 * are refused. */
static int parse_real(const char *word, double *value)
{
    char *end;
    if (!*word || strspn(word, "0123456789+-.eE") != strlen(word))
        return 0;
    errno = 0;
    *value = strtod(word, &end);
    // A number too small for a double becomes 0 or denormal: files of floats have such noise.
    return !*end && isfinite(*value) && !(errno == ERANGE && fabs(*value) > 1.0);
}

int mesh_words_real(mesh_words *w, const char *what, const char *word, double *value)
{
    if (parse_real(word, value))
        return 1;
    mesh_words_report(w, "%s = '%.40s' is not a finite number%s", what, word,
                      strchr(word, ',') ? " (write a decimal point, not a comma)" : "");
    return 0;
}

int mesh_parse_int(const char *word, int64_t *value)
{
    char *end;
    if (!*word || strspn(word, "0123456789+-") != strlen(word))
        return 0;
    errno = 0;
    *value = strtoll(word, &end, 10);
    return !*end && errno == 0;
}

int mesh_words_int(mesh_words *w, const char *what, const char *word, int64_t min, int64_t max,
                   int64_t *value)
{
    int64_t found = 0;
    if (mesh_parse_int(word, &found) && found >= min && found <= max) {
        *value = found;
        return 1;
    }
    mesh_words_report(w, "%s = '%.40s' is not a whole number from %lld to %lld", what, word,
                      (long long)min, (long long)max);
    return 0;
}

int mesh_same_word(const char *a, const char *b, size_t n)
{
    size_t i = 0;
    while (i < n && a[i] && tolower((unsigned char)a[i]) == tolower((unsigned char)b[i]))
        i++;
    return i == n || a[i] == b[i];
}
