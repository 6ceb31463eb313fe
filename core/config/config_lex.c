/* SPDX-License-Identifier: Apache-2.0 */
/* Scene text to tokens, with its includes: places, exact numbers, texts. */
#include "config/config_lex.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/paths.h"
#include "config/config_source.h"

#define MAX_INCLUDE_DEPTH 16
#define MAX_INCLUDES 1000
#define MAX_TOKENS (1u << 21)
#define SIGNS "=:;,()[]{}"

/** Place up to which a source has been read. */
typedef struct place {
    const scree_source *source;
    size_t at;
    int line;
} place;

typedef struct lexer {
    scree_config *config;
    scree_tokens *tokens;
    GArray *stack; /* elements: place; the last one is being read */
    int long_text; /* first line of the last text with several lines, whose quote may be missing */
    uint32_t open; /* innermost open bracket; SCREE_NO_TOKEN: none */
} lexer;

static place *top(const lexer *l)
{
    return &g_array_index(l->stack, place, l->stack->len - 1);
}

static const char *here(const place *p)
{
    return p->source->text + p->at;
}

/** Advances by one byte, and counts lines; an override has no lines. */
static void advance(place *p)
{
    if (*here(p) == '\n' && !p->source->is_override)
        p->line++;
    p->at++;
}

static void mark(const place *p, scree_token *token)
{
    token->source = p->source;
    token->offset = (uint32_t)p->at;
    token->line = p->line;
}

static bool starts(const place *p, const char *prefix)
{
    return g_str_has_prefix(here(p), prefix);
}

/** Skips blanks and comments. */
static void skip_blanks(lexer *l, place *p)
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
            p->at += 2; /* the star of the start does not end the comment */
            while (*here(p) && !starts(p, "*/"))
                advance(p);
            if (!*here(p))
                scree_token_problem(l->config, &start, "this comment is never closed: */");
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

/** "a.cfg -> b.cfg -> a.cfg": the file is being read already. NULL: it is not. */
static char *find_circle(const lexer *l, const scree_source *again)
{
    GString *circle = NULL;
    if (again->canonical)
        for (guint k = 0; k < l->stack->len; k++) {
            const scree_source *source = g_array_index(l->stack, place, k).source;
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

/** Opens the file that @include names; reading continues there. */
static void enter_file(lexer *l, const scree_token *token, const char *name)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *path = scree_path_join(token->source->dir, name);
    if (l->stack->len > MAX_INCLUDE_DEPTH || l->tokens->sources->len > MAX_INCLUDES) {
        scree_token_problem(l->config, token,
                            "too many files: @include goes at most %d deep, for %d files",
                            MAX_INCLUDE_DEPTH, MAX_INCLUDES);
        return;
    }
    g_autoptr(scree_source) source = scree_source_read(l->config, path, &error);
    if (!source) {
        scree_token_problem(l->config, token, "%s", error->message);
        return;
    }
    g_autofree char *circle = find_circle(l, source);
    if (circle) {
        scree_token_problem(l->config, token, "@include goes in a circle: %s", circle);
        return;
    }
    const place inner = {.source = source, .line = 1};
    g_ptr_array_add(l->tokens->sources, g_steal_pointer(&source));
    g_array_append_val(l->stack, inner);
}

/** Reads `@include "FILE"`, on a line of its own, at '@'. False: it is something else. */
static bool read_include(lexer *l, scree_token *token)
{
    place *p = top(l);
    const bool placed = is_line_start(p) && !p->source->is_override;
    if (!placed || !starts(p, "@include")) {
        scree_token_problem(
            l->config, token,
            p->source->is_override
                ? "'@' is not allowed in an override"
                : "'@' is only allowed in @include \"FILE\" at the start of a line");
        p->at++;
        return false;
    }
    const char *quote = here(p) + strlen("@include");
    quote += strspn(quote, " \t");
    const size_t length = *quote == '"' ? strcspn(quote + 1, "\"\n") : 0;
    if (length == 0 || quote[1 + length] != '"') {
        scree_token_problem(l->config, token, "expected a file name in quotes after @include");
        p->at += strlen("@include");
        return false;
    }
    g_autofree char *name = g_strndup(quote + 1, length);
    p->at = (size_t)(quote + 2 + length - p->source->text);
    enter_file(l, token, name);
    return true;
}

/** Reads an escape of a string, at its backslash. An unknown escape keeps its backslash. */
static void read_escape(lexer *l, place *p, GString *text)
{
    static const char names[] = "nrft\\\"", meant[] = "\n\r\f\t\\\"";
    const char *c = here(p), *known = c[1] ? strchr(names, c[1]) : NULL;
    const bool hex = c[1] == 'x' && g_ascii_isxdigit(c[2]) && g_ascii_isxdigit(c[3]);
    const int byte = hex     ? 16 * g_ascii_xdigit_value(c[2]) + g_ascii_xdigit_value(c[3])
                     : known ? meant[known - names]
                             : '\\';
    scree_token at = {0};
    mark(p, &at);
    if (byte == 0 || byte > 127)
        scree_token_problem(l->config, &at, "expected \\x01 to \\x7f in a text, got \\x%02x",
                            (unsigned)byte);
    else
        g_string_append_c(text, (char)byte);
    p->at += hex ? 4 : known ? 2 : 1;
}

/** Reads a string, at its double quote. */
static void read_string(lexer *l, place *p, scree_token *token)
{
    GString *text = g_string_new(NULL);
    const int suspect = l->long_text;
    token->type = SCREE_TOKEN_STRING;
    p->at++;
    while (*here(p) && *here(p) != '"') {
        if (*here(p) == '\\') {
            read_escape(l, p, text);
            continue;
        }
        if (*here(p) == '\n')
            l->long_text = token->line;
        g_string_append_c(text, *here(p));
        advance(p);
    }
    token->text = g_string_free(text, FALSE);
    if (*here(p) == '"') {
        p->at++;
        return;
    }
    token->type = SCREE_TOKEN_INVALID;
    if (suspect > 0)
        scree_token_problem(l->config, token,
                            "this text has no closing quote; it may be missing in line %d",
                            suspect);
    else
        scree_token_problem(l->config, token, "this text has no closing quote");
}

/* A wrong number becomes the nearest right one, so that one mistake makes one problem.
 * config_parse.c reports it, because it knows the key. */

/** Converts [+-]digits or 0x.., with L or LL for 64 bits. False: it is something else. */
static bool convert_integer(scree_token *token, const char *text)
{
    const bool is_hex = g_ascii_strncasecmp(text, "0x", 2) == 0;
    char *suffix;
    errno = 0;
    token->type = SCREE_TOKEN_INT;
    token->i = g_ascii_strtoll(text, &suffix, is_hex ? 16 : 10);
    token->d = (double)token->i;
    const int length = (int)(suffix - text);
    const bool is_long = strcmp(suffix, "L") == 0 || strcmp(suffix, "LL") == 0;
    if (length == 0 || (*suffix && !is_long))
        return false;
    if (errno == ERANGE)
        token->wrong =
            g_strdup_printf("%s is beyond 64 bits%s", text,
                            is_hex ? "" : "; as a real it is written with a point or an exponent");
    else if (!is_long && (token->i < INT32_MIN || token->i > INT32_MAX))
        token->wrong = g_strdup_printf(
            "%s is beyond 32 bits; a whole number of 64 bits is written %.*sL%s%.*s%s", text,
            length, text, is_hex ? "" : ", a real ", is_hex ? 0 : length, text, is_hex ? "" : ".0");
    return true;
}

/** Converts digits with a point or an exponent. False: it is something else. */
static bool convert_real_token(scree_token *token, const char *text)
{
    char *end;
    errno = 0;
    token->type = SCREE_TOKEN_REAL;
    token->d = g_ascii_strtod(text, &end);
    if (end == text || *end || text[strspn(text, G_CSET_DIGITS "+-.eE")])
        return false;
    if (errno != ERANGE)
        return true;
    token->wrong = g_strdup_printf("%s %s: a real is 0 or from 2.3e-308 to 1.7e308 in size", text,
                                   fabs(token->d) > 1 ? "overflows" : "underflows");
    token->d = copysign(CLAMP(fabs(token->d), DBL_MIN, DBL_MAX), token->d);
    return true;
}

/** Takes all characters that could belong to a number, at a digit, a sign or a point, and converts
 * them. */
static void read_number(place *p, scree_token *token)
{
    const char *first = here(p), *c = first + 1;
    while (g_ascii_isalnum(*c) || *c == '.' || *c == '_' ||
           ((*c == '+' || *c == '-') && (c[-1] == 'e' || c[-1] == 'E')))
        c++;
    g_autofree char *text = g_strndup(first, (size_t)(c - first));
    p->at += (size_t)(c - first);
    if (convert_integer(token, text) || convert_real_token(token, text))
        return;
    const bool unit = strpbrk(text, G_CSET_DIGITS) != NULL;
    token->type = SCREE_TOKEN_STRING;
    token->text = g_strdup(text);
    token->wrong = g_strdup_printf("%.60s is not a number%s%.60s%s", text,
                                   unit ? "; a value with its unit is text: \"" : "",
                                   unit ? text : "", unit ? "\"" : "");
}

static void read_name(place *p, scree_token *token)
{
    const char *first = here(p);
    const size_t length = strspn(first, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-_*");
    const bool is_bool = (length == 4 && g_ascii_strncasecmp(first, "true", length) == 0) ||
                         (length == 5 && g_ascii_strncasecmp(first, "false", length) == 0);
    token->type = is_bool ? SCREE_TOKEN_BOOL : SCREE_TOKEN_NAME;
    token->i = is_bool && length == 4;
    p->at += length;
}

static scree_token *token_at(const lexer *l, uint32_t k)
{
    return &g_array_index(l->tokens->all, scree_token, k);
}

/** Stops reading at two limits: MAX_TOKENS for the memory, SCREE_MAX_NESTING for the depth. */
static void check_limits(lexer *l, const scree_token *token)
{
    const char *problem =
        token->depth > SCREE_MAX_NESTING    ? "nested too deep: 64 brackets may be open"
        : l->tokens->all->len >= MAX_TOKENS ? "too much text; put data into a CSV file"
                                            : NULL;
    if (!problem)
        return;
    scree_token_problem(l->config, token, "%s", problem);
    l->tokens->cut = true;
}

/** Takes a sign and counts brackets: `}` also closes all open brackets in its group. */
static void read_sign(lexer *l, place *p, scree_token *token)
{
    uint32_t open = l->open;
    token->type = SCREE_TOKEN_SIGN;
    token->sign = *here(p);
    p->at++;
    if (strchr("([{", token->sign)) {
        token->depth = open == SCREE_NO_TOKEN ? 1 : token_at(l, open)->depth + 1;
        l->open = l->tokens->all->len; /* index of this token */
    } else if (strchr(")]}", token->sign)) {
        const bool group = token->sign == '}';
        if (group)
            while (open != SCREE_NO_TOKEN && token_at(l, open)->sign != '{')
                open = token_at(l, open)->parent;
        if (open != SCREE_NO_TOKEN && (token_at(l, open)->sign == '{') == group)
            l->open = token_at(l, open)->parent;
    }
}

static void read_other(lexer *l, place *p, scree_token *token)
{
    const char *c = here(p), *end = g_utf8_next_char(c);
    scree_token_problem(l->config, token, "'%.*s' does not belong here%s", (int)(end - c), c,
                        *c == '\'' ? "; text needs double quotes" : "");
    /* a run of such characters is one problem */
    while (*end && !g_ascii_isspace(*end) && !strchr(SIGNS "\"#@", *end))
        end = g_utf8_next_char(end);
    p->at += (size_t)(end - c);
}

/** Skips to the next token, through includes. True: `token` is a wrong one, found on the way. */
static bool find_token(lexer *l, scree_token *token)
{
    for (;;) {
        place *p = top(l);
        skip_blanks(l, p);
        mark(p, token);
        if (*here(p) == '@') {
            if (!read_include(l, token))
                return true;
        } else if (*here(p) || l->stack->len == 1) {
            return false;
        } else {
            g_array_set_size(l->stack, l->stack->len - 1);
        }
    }
}

/** Appends the next token. False: it is the last. */
static bool read_token(lexer *l)
{
    scree_token token = {.type = SCREE_TOKEN_INVALID, .parent = l->open, .long_text = l->long_text};
    const bool wrong = find_token(l, &token);
    place *p = top(l);
    const char c = *here(p);
    if (!wrong && !c)
        token.type = SCREE_TOKEN_END;
    else if (!wrong && c == '"')
        read_string(l, p, &token);
    else if (!wrong && (g_ascii_isdigit(c) || strchr("+-.", c)))
        read_number(p, &token);
    else if (!wrong && (g_ascii_isalpha(c) || c == '*'))
        read_name(p, &token);
    else if (!wrong && strchr(SIGNS, c))
        read_sign(l, p, &token);
    else if (!wrong)
        read_other(l, p, &token);
    token.length = (uint32_t)(p->at - token.offset);
    g_array_append_val(l->tokens->all, token);
    check_limits(l, &token);
    return token.type != SCREE_TOKEN_END && !l->tokens->cut;
}

static void clear_token(void *p)
{
    scree_token *token = p;
    g_free(token->text);
    g_free(token->wrong);
}

scree_tokens *scree_tokens_read(scree_config *config, scree_source *source)
{
    scree_tokens *tokens = g_new0(scree_tokens, 1);
    tokens->sources = g_ptr_array_new_with_free_func((GDestroyNotify)scree_source_free);
    tokens->all = g_array_new(FALSE, FALSE, sizeof(scree_token));
    g_array_set_clear_func(tokens->all, clear_token);
    g_ptr_array_add(tokens->sources, source);
    const place first = {.source = source, .line = source->is_override ? 0 : 1};
    lexer l = {.config = config, .tokens = tokens, .open = SCREE_NO_TOKEN};
    l.stack = g_array_new(FALSE, FALSE, sizeof(place));
    g_array_append_val(l.stack, first);
    while (read_token(&l))
        ;
    g_array_free(l.stack, TRUE);
    return tokens;
}

void scree_tokens_free(scree_tokens *tokens)
{
    if (!tokens)
        return;
    g_ptr_array_free(tokens->sources, TRUE);
    g_array_free(tokens->all, TRUE);
    g_free(tokens);
}
