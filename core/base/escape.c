/* SPDX-License-Identifier: Apache-2.0 */
/* Escapes characters that a terminal would obey, in one text or in all that is printed. */
#include "base/escape.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

enum { MOST_IN_LINE = 2000, MOST_BYTES = 6 };
static const char ellipsis[] = "\xe2\x80\xa6";

bool scree_plain_is_control(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || // C0, DEL, C1
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/** Number of bytes of the next character; *plain: it is printed as it is. 0: its end is missing. */
static size_t take(const char *text, size_t n, bool *plain)
{
    gunichar c = g_utf8_get_char_validated(text, (gssize)n);
    *plain = false;
    if (c == (gunichar)-2)
        return 0;
    if (c == (gunichar)-1)
        return 1;
    *plain = !scree_plain_is_control(c);
    return (size_t)g_utf8_skip[(unsigned char)text[0]];
}

/* ---- streams ---- */

/** State of a stream. That of a file allocates nothing: GLib prints a line when memory runs out, and
 * holds a lock of its allocator meanwhile. */
typedef struct stream {
    int fd;
    GString *line;            /* text on one line instead of a file; NULL: none */
    bool broken;              /* a write has failed */
    size_t most, column;      /* longest line in characters; 0: no limit */
    char pending[MOST_BYTES]; /* beginning of a character whose end comes with the next write */
    size_t n_pending;
    char out[BUFSIZ]; /* output of the current write */
    size_t n_out;
} stream;

static void flush_out(stream *s)
{
    s->broken = !scree_write_all(s->fd, s->out, s->n_out) || s->broken;
    s->n_out = 0;
}

static void put(stream *s, const char *text, size_t n)
{
    if (s->line) {
        g_string_append_len(s->line, text, (gssize)n);
        return;
    }
    if (s->n_out + n > sizeof s->out)
        flush_out(s);
    memcpy(s->out + s->n_out, text, n);
    s->n_out += n;
}

static void put_escaped(stream *s, const char *text, size_t n)
{
    static const char digits[] = "0123456789ABCDEF";
    for (size_t k = 0; k < n; k++) {
        const unsigned char c = (unsigned char)text[k];
        put(s, (const char[]){'\\', 'x', digits[c >> 4], digits[c & 15]}, 4);
    }
}

/** Puts one character of n bytes. */
static void add(stream *s, const char *text, size_t n, bool plain)
{
    if (text[0] == '\n' && !s->line)
        s->column = 0;
    else if (s->most && ++s->column > s->most) {
        if (s->column == s->most + 1)
            put(s, ellipsis, strlen(ellipsis));
        return;
    }
    if (plain || (!s->line && (text[0] == '\n' || text[0] == '\t')))
        put(s, text, n);
    else
        put_escaped(s, text, n);
}

/** Completes a character that the previous write began. Returns the number of bytes taken from
 * `text`. */
static size_t finish_pending(stream *s, const char *text, size_t n)
{
    size_t used = 0;
    while (s->n_pending) {
        bool plain;
        const size_t some = take(s->pending, s->n_pending, &plain);
        if (!some && s->n_pending < MOST_BYTES) {
            if (used == n)
                return used;
            s->pending[s->n_pending++] = text[used++];
            continue;
        }
        const size_t done = some ? some : 1;
        add(s, s->pending, done, plain);
        s->n_pending -= done;
        memmove(s->pending, s->pending + done, s->n_pending);
    }
    return used;
}

static ssize_t write_plain(void *cookie, const char *text, size_t n)
{
    stream *s = cookie;
    s->broken = false;
    for (size_t at = finish_pending(s, text, n); at < n;) {
        bool plain;
        size_t left = n - at, some = take(text + at, left, &plain);
        if (!some && left < MOST_BYTES) { // the rest comes with the next write
            memcpy(s->pending, text + at, left);
            s->n_pending = left;
            break;
        }
        some = some ? some : 1;
        add(s, text + at, some, plain);
        at += some;
    }
    flush_out(s);
    return s->broken ? 0 : (ssize_t)n;
}

char *scree_plain(const char *text, size_t most)
{
    stream s = {.line = g_string_new(NULL), .most = most};
    write_plain(&s, text, strlen(text));
    for (size_t k = 0; k < s.n_pending; k++)
        add(&s, s.pending + k, 1, false);
    return g_string_free(s.line, FALSE);
}

char *scree_plain_refuse_name(const char *name)
{
    for (const char *at = name; *at; at++) {
        const gunichar c = g_utf8_get_char_validated(at, -1);
        if (!scree_plain_is_control(c))
            continue;
        g_autofree char *shown = scree_plain(name, SCREE_PLAIN_MOST);
        return g_strdup_printf("%s: expected a name without control characters", shown);
    }
    return NULL;
}

static FILE *open_plain(stream *s, int mode)
{
    FILE *file = fopencookie(s, "w", (cookie_io_functions_t){.write = write_plain});
    if (file)
        setvbuf(file, NULL, mode, BUFSIZ);
    return file;
}

void scree_plain_streams(void)
{
    static stream out = {.fd = STDOUT_FILENO}, err = {.fd = STDERR_FILENO, .most = MOST_IN_LINE};
    FILE *new_out = open_plain(&out, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF);
    FILE *new_err = open_plain(&err, _IONBF);
    stdout = new_out ? new_out : stdout;
    stderr = new_err ? new_err : stderr;
}

void scree_plain_draw(const char *text)
{
    fflush(stderr);
    scree_write_all(STDERR_FILENO, text, strlen(text)); // a closed standard error cannot be helped
}
