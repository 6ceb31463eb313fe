/* SPDX-License-Identifier: Apache-2.0 */
/* Scene text to tokens: comments, names, numbers, strings, and @include by the including file. */
#include <errno.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "config_text.h"

#define MAX_INCLUDE_DEPTH 16
#define MAX_INCLUDES 1000

/** Where reading of a source stands. */
typedef struct place {
    const scree_source *source;
    size_t at;
    int line;
} place;

struct scree_lexer {
    scree_config *config;
    GPtrArray *sources; /* all that were read: tokens point into them */
    GArray *stack;      /* of place; the last one is being read */
    int long_text;
};

scree_lexer *scree_lexer_new(scree_config *config, scree_source *source)
{
    scree_lexer *lexer = g_new0(scree_lexer, 1);
    const place first = {.source = source, .line = source->is_override ? 0 : 1};
    lexer->config = config;
    lexer->sources = g_ptr_array_new_with_free_func((GDestroyNotify)scree_source_free);
    lexer->stack = g_array_new(FALSE, FALSE, sizeof(place));
    g_ptr_array_add(lexer->sources, source);
    g_array_append_val(lexer->stack, first);
    return lexer;
}

void scree_lexer_free(scree_lexer *lexer)
{
    if (!lexer)
        return;
    g_ptr_array_free(lexer->sources, TRUE);
    g_array_free(lexer->stack, TRUE);
    g_free(lexer);
}

int scree_lexer_long_text(const scree_lexer *lexer)
{
    return lexer->long_text;
}

static place *top(const scree_lexer *lexer)
{
    return &g_array_index(lexer->stack, place, lexer->stack->len - 1);
}

static const char *here(const place *p)
{
    return p->source->text + p->at;
}

/** Advances by one byte, counting lines; an override has none. */
static void advance(place *p)
{
    if (*here(p) == '\n' && !p->source->is_override)
        p->line++;
    p->at++;
}

static void mark(const place *p, scree_token *token)
{
    token->source = p->source;
    token->offset = p->at;
    token->line = p->line;
}

static bool starts(const place *p, const char *prefix)
{
    return g_str_has_prefix(here(p), prefix);
}

/** Skips blanks and comments. */
static void skip_blanks(scree_lexer *lexer, place *p)
{
    scree_token start = {0};
    for (;;) {
        if (*here(p) && g_ascii_isspace(*here(p))) {
            advance(p);
        } else if (*here(p) == '#' || starts(p, "//")) {
            while (*here(p) && *here(p) != '\n')
                advance(p);
        } else if (starts(p, "/*")) {
            mark(p, &start);
            p->at += 2; /* not one: the star of a comment's start does not end it */
            while (*here(p) && !starts(p, "*/"))
                advance(p);
            if (!*here(p))
                scree_token_problem(lexer->config, &start, "this comment is never closed: */");
            else
                p->at += 2;
        } else {
            return;
        }
    }
}

static bool is_line_start(const place *p)
{
    const char *c = here(p);
    while (c > p->source->text && (c[-1] == ' ' || c[-1] == '\t'))
        c--;
    return c == p->source->text || c[-1] == '\n';
}

/** "a.cfg -> b.cfg -> a.cfg" when the file is being read already; else NULL. */
static char *find_circle(const scree_lexer *lexer, const scree_source *again)
{
    GString *circle = NULL;
    for (guint k = 0; k < lexer->stack->len && again->canonical; k++) {
        const scree_source *source = g_array_index(lexer->stack, place, k).source;
        if (!circle && g_strcmp0(source->canonical, again->canonical) == 0)
            circle = g_string_new(NULL);
        if (circle)
            g_string_append_printf(circle, "%s -> ", source->name);
    }
    if (!circle)
        return NULL;
    g_string_append(circle, again->name);
    return g_string_free(circle, FALSE);
}

/** Reads the file that @include names and goes on in it. */
static void enter_file(scree_lexer *lexer, const scree_token *token, const char *name)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *path = scree_path_join(token->source->dir, name);
    if (lexer->stack->len > MAX_INCLUDE_DEPTH || lexer->sources->len > MAX_INCLUDES) {
        scree_token_problem(lexer->config, token,
                            "too many files: @include goes at most %d deep, for %d files",
                            MAX_INCLUDE_DEPTH, MAX_INCLUDES);
        return;
    }
    g_autoptr(scree_source) source = scree_source_read(lexer->config, path, &error);
    if (!source) {
        scree_token_problem(lexer->config, token, "%s", error->message);
        return;
    }
    g_autofree char *circle = find_circle(lexer, source);
    if (circle) {
        scree_token_problem(lexer->config, token, "@include goes in a circle: %s", circle);
        return;
    }
    const place inner = {.source = source, .line = 1};
    g_ptr_array_add(lexer->sources, g_steal_pointer(&source));
    g_array_append_val(lexer->stack, inner);
}

/** At '@': `@include "FILE"`, alone at the start of its line. False when it was none. */
static bool read_include(scree_lexer *lexer, scree_token *token)
{
    place *p = top(lexer);
    const bool placed = is_line_start(p) && !p->source->is_override;
    if (!placed || !starts(p, "@include")) {
        scree_token_problem(lexer->config, token,
                            p->source->is_override
                                ? "'@' does not belong into an override"
                                : "'@' can only stand in @include \"FILE\" at the start of a line");
        p->at++;
        return false;
    }
    const char *quote = here(p) + strlen("@include");
    quote += strspn(quote, " \t");
    const size_t length = *quote == '"' ? strcspn(quote + 1, "\"\n") : 0;
    if (length == 0 || quote[1 + length] != '"') {
        scree_token_problem(lexer->config, token, "@include wants a file name in quotes");
        p->at += strlen("@include");
        return false;
    }
    g_autofree char *name = g_strndup(quote + 1, length);
    p->at = (size_t)(quote + 2 + length - p->source->text);
    enter_file(lexer, token, name);
    return true;
}

/** One escape of a string, at its backslash. libconfig keeps what it does not know; so do we. */
static void read_escape(scree_lexer *lexer, place *p, GString *value)
{
    static const char letters[] = "nrft\\\"", meanings[] = "\n\r\f\t\\\"";
    const char c = here(p)[1];
    const char *known = c ? strchr(letters, c) : NULL;
    scree_token at = {0};
    mark(p, &at);
    if (known) {
        g_string_append_c(value, meanings[known - letters]);
        p->at += 2;
    } else if (c == 'x' && g_ascii_isxdigit(here(p)[2]) && g_ascii_isxdigit(here(p)[3])) {
        const int byte = 16 * g_ascii_xdigit_value(here(p)[2]) + g_ascii_xdigit_value(here(p)[3]);
        if (byte == 0 || byte > 127)
            scree_token_problem(lexer->config, &at,
                                "\\x%02x cannot stand in a text: \\x01 to \\x7f", (unsigned)byte);
        else
            g_string_append_c(value, (char)byte);
        p->at += 4;
    } else {
        g_string_append_c(value, '\\');
        p->at++;
    }
}

/** At a double quote. */
static void read_string(scree_lexer *lexer, place *p, scree_token *token)
{
    GString *value = g_string_new(NULL);
    const int suspect = lexer->long_text;
    token->type = SCREE_TOKEN_STRING;
    p->at++;
    while (*here(p) && *here(p) != '"') {
        if (*here(p) == '\\') {
            read_escape(lexer, p, value);
            continue;
        }
        if (*here(p) == '\n')
            lexer->long_text = token->line;
        g_string_append_c(value, *here(p));
        advance(p);
    }
    if (*here(p) == '"') {
        p->at++;
    } else {
        token->type = SCREE_TOKEN_INVALID;
        if (suspect > 0)
            scree_token_problem(lexer->config, token,
                                "this text has no closing quote; it may be missing in line %d",
                                suspect);
        else
            scree_token_problem(lexer->config, token, "this text has no closing quote");
    }
    token->text = g_string_free(value, FALSE);
}

/** [+-]digits or 0x…, with L or LL for 64 bits; returns the end of the digits, NULL when it is
 * none. */
static const char *match_integer(const char *text, bool *is_hex, bool *is_long)
{
    const char *c = text;
    *is_hex = c[0] == '0' && (c[1] == 'x' || c[1] == 'X') && g_ascii_isxdigit(c[2]);
    if (*is_hex)
        c += 2;
    else if (*c == '+' || *c == '-')
        c++;
    const char *first = c;
    while (*is_hex ? g_ascii_isxdigit(*c) : g_ascii_isdigit(*c))
        c++;
    const char *suffix = c;
    *is_long = strcmp(suffix, "L") == 0 || strcmp(suffix, "LL") == 0;
    return c > first && (*is_long || !*suffix) ? suffix : NULL;
}

/* A number with something wrong goes on as the nearest thing that was meant, so that one mistake
 * makes one problem. The parser tells, for it knows the key. */

static void convert_integer(scree_token *token, bool is_hex, bool is_long, const char *suffix)
{
    const int length = (int)(suffix - token->text);
    errno = 0;
    token->type = SCREE_TOKEN_INT;
    token->i = g_ascii_strtoll(token->text, NULL, is_hex ? 16 : 10);
    token->d = (double)token->i;
    if (errno == ERANGE)
        token->wrong =
            g_strdup_printf("%s is beyond 64 bits%s", token->text,
                            is_hex ? "" : "; as a real it is written with a point or an exponent");
    else if (!is_long && (token->i < INT32_MIN || token->i > INT32_MAX))
        token->wrong = g_strdup_printf(
            "%s is beyond 32 bits; a whole number of 64 bits is written %.*sL%s%.*s%s", token->text,
            length, token->text, is_hex ? "" : ", a real ", is_hex ? 0 : length, token->text,
            is_hex ? "" : ".0");
}

/** Digits with a point or an exponent and nothing else. */
static bool match_real(const char *text)
{
    const char *c = text;
    int digits = 0;
    bool real = false;
    if (*c == '+' || *c == '-')
        c++;
    for (; g_ascii_isdigit(*c) || (*c == '.' && !real); c++) {
        real = real || *c == '.';
        digits += *c != '.';
    }
    if (*c == 'e' || *c == 'E') {
        c += c[1] == '+' || c[1] == '-' ? 2 : 1;
        real = g_ascii_isdigit(*c);
        while (g_ascii_isdigit(*c))
            c++;
    }
    return real && digits > 0 && !*c;
}

static void convert_real(scree_token *token)
{
    errno = 0;
    token->type = SCREE_TOKEN_REAL;
    token->d = g_ascii_strtod(token->text, NULL);
    if (errno != ERANGE)
        return;
    token->wrong = g_strdup_printf("%s %s: a real is 0 or from 2.3e-308 to 1.7e308 in size",
                                   token->text, fabs(token->d) > 1 ? "overflows" : "underflows");
    token->d = copysign(CLAMP(fabs(token->d), DBL_MIN, DBL_MAX), token->d);
}

/** At a digit, a sign or a point: takes all that could belong to a number, then looks what it is.
 */
static void read_number(place *p, scree_token *token)
{
    const char *first = here(p), *c = first + 1;
    bool is_hex, is_long;
    while (g_ascii_isalnum(*c) || *c == '.' || *c == '_' ||
           ((*c == '+' || *c == '-') && (c[-1] == 'e' || c[-1] == 'E')))
        c++;
    token->text = g_strndup(first, (size_t)(c - first));
    p->at += (size_t)(c - first);
    const char *suffix = match_integer(token->text, &is_hex, &is_long);
    if (suffix) {
        convert_integer(token, is_hex, is_long, suffix);
    } else if (match_real(token->text)) {
        convert_real(token);
    } else {
        const bool unit = strpbrk(token->text, "0123456789") != NULL;
        token->type = SCREE_TOKEN_STRING;
        token->wrong = g_strdup_printf("%.60s is no number%s%.60s%s", token->text,
                                       unit ? "; a value with its unit is text: \"" : "",
                                       unit ? token->text : "", unit ? "\"" : "");
    }
}

static void read_name(place *p, scree_token *token)
{
    const char *first = here(p), *c = first;
    while (g_ascii_isalnum(*c) || (*c && strchr("-_*", *c)))
        c++;
    token->text = g_strndup(first, (size_t)(c - first));
    p->at += (size_t)(c - first);
    token->i = g_ascii_strcasecmp(token->text, "true") == 0;
    const bool is_bool = token->i || g_ascii_strcasecmp(token->text, "false") == 0;
    token->type = is_bool ? SCREE_TOKEN_BOOL : SCREE_TOKEN_NAME;
}

static void read_other(scree_lexer *lexer, place *p, scree_token *token)
{
    if (strchr("=:;,()[]{}", *here(p))) {
        token->type = SCREE_TOKEN_SIGN;
        token->sign = *here(p);
        token->text = g_strndup(here(p), 1);
        p->at++;
        return;
    }
    const char *c = here(p), *end = g_utf8_next_char(c);
    token->type = SCREE_TOKEN_INVALID;
    token->text = g_strndup(c, (size_t)(end - c));
    scree_token_problem(lexer->config, token, "'%s' does not belong here%s", token->text,
                        *c == '\'' ? "; text stands in double quotes" : "");
    /* One complaint for a run of such characters. */
    while (*end && !g_ascii_isspace(*end) && !strchr("=:;,()[]{}\"#@", *end))
        end = g_utf8_next_char(end);
    p->at += (size_t)(end - c);
}

void scree_token_clear(scree_token *token)
{
    g_free(token->text);
    g_free(token->wrong);
    *token = (scree_token){0};
}

void scree_lexer_next(scree_lexer *lexer, scree_token *token)
{
    place *p;
    scree_token_clear(token);
    for (;;) {
        p = top(lexer);
        skip_blanks(lexer, p);
        mark(p, token);
        if (*here(p) == '@') {
            if (read_include(lexer, token))
                continue;
            token->type = SCREE_TOKEN_INVALID;
            return;
        }
        if (*here(p) || lexer->stack->len == 1)
            break;
        g_array_set_size(lexer->stack, lexer->stack->len - 1);
    }
    const char c = *here(p);
    if (!c)
        token->type = SCREE_TOKEN_END;
    else if (c == '"')
        read_string(lexer, p, token);
    else if (g_ascii_isdigit(c) || strchr("+-.", c))
        read_number(p, token);
    else if (g_ascii_isalpha(c) || c == '*')
        read_name(p, token);
    else
        read_other(lexer, p, token);
}
