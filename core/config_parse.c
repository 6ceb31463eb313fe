/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tokens to nodes: libconfig's grammar, with every mistake reported and a hint for the usual ones.
 *
 * libconfig itself is not used to read scenes: to be right about what it gets wrong (numbers,
 * include paths, one error at a time) its text must be split into tokens here anyway, and above
 * tokens its grammar is the five rules below. The tests hold this reader against libconfig.
 *
 *   settings := { NAME ("=" | ":") value [";" | ","] }
 *   value    := number | BOOL | STRING { STRING } | array | list | group
 *   array    := "[" [ scalar { "," scalar } ] "]"      scalars of one kind; numbers may mix
 *   list     := "(" [ value { "," value } ] ")"
 *   group    := "{" settings "}"
 */
#include <string.h>

#include "config_text.h"

#define MAX_PROBLEMS 20

typedef struct parser {
    scree_config *config;
    scree_lexer *lexer;
    scree_token token, next; /* the current one and the one after it */
    scree_token last;        /* the one before it: type and place alone */
    GString *path;           /* of the setting or element that is being read */
    guint problems_before;
    int depth;
    bool array_told; /* the array that is being read has been told to be wrong */
    bool stopped;    /* gave up: nothing more is reported */
} parser;

static void shift(parser *p)
{
    p->last = (scree_token){.type = p->token.type, .line = p->token.line};
    scree_token_clear(&p->token);
    p->token = p->next;
    p->next = (scree_token){0};
    scree_lexer_next(p->lexer, &p->next);
}

static bool at_sign(const parser *p, char sign)
{
    return p->token.type == SCREE_TOKEN_SIGN && p->token.sign == sign;
}

static bool at_key(const parser *p)
{
    return p->token.type == SCREE_TOKEN_NAME && p->next.type == SCREE_TOKEN_SIGN &&
           (p->next.sign == '=' || p->next.sign == ':');
}

/** A value begins here, and no setting. */
static bool starts_value(const parser *p)
{
    if (p->token.type == SCREE_TOKEN_SIGN)
        return strchr("([{", p->token.sign) != NULL;
    return p->token.type != SCREE_TOKEN_END && p->token.type != SCREE_TOKEN_INVALID && !at_key(p);
}

static bool at_end(const parser *p)
{
    return p->stopped || p->token.type == SCREE_TOKEN_END;
}

/** A problem at the current token, "…, found X"; at most MAX_PROBLEMS, then parsing stops. */
static void complain(parser *p, const char *what, const char *hint)
{
    const scree_token *token = &p->token;
    if (p->stopped || token->type == SCREE_TOKEN_INVALID) /* already told */
        return;
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_append_printf(text, "%s%s%s, found ", p->path->str, p->path->len > 0 ? ": " : "",
                           what);
    if (token->type == SCREE_TOKEN_END)
        g_string_append(text, "the end");
    else if (token->type == SCREE_TOKEN_STRING)
        g_string_append(text, "text");
    else if (token->type == SCREE_TOKEN_SIGN)
        g_string_append_printf(text, "'%c'", token->sign);
    else
        g_string_append_printf(text, "%.60s", token->text);
    if (hint)
        g_string_append_printf(text, "; %s", hint);
    const int long_text = scree_lexer_long_text(p->lexer);
    if (long_text > 0)
        g_string_append_printf(text,
                               "; the text that starts in line %d spans lines, is its closing "
                               "quote missing?",
                               long_text);
    scree_token_problem(p->config, token, "%s", text->str);
}

/** A problem at an earlier token, with the path. */
static void complain_at(parser *p, const scree_token *token, const char *what)
{
    if (!p->stopped)
        scree_token_problem(p->config, token, "%s%s%s", p->path->str, p->path->len > 0 ? ": " : "",
                            what);
}

/** Where the current token is, for later. */
static scree_token place_of(const parser *p)
{
    return (scree_token){
        .line = p->token.line, .source = p->token.source, .offset = p->token.offset};
}

/** Gives up after too many problems. */
static void check_count(parser *p)
{
    if (p->stopped || p->config->problems->len - p->problems_before < MAX_PROBLEMS)
        return;
    p->stopped = true;
    scree_message_add(
        p->config->problems,
        g_strdup_printf("%s: too many errors, reading stops here", p->token.source->name));
}

/** Skips to where parsing can go on: behind a `;`, before a closing bracket, a key or the end.
 * Inside a list (`closer` is its bracket) commas and keys do not count. */
static void recover(parser *p, char closer)
{
    int depth = 0;
    check_count(p);
    for (; !at_end(p); shift(p), check_count(p)) {
        const char sign = p->token.type == SCREE_TOKEN_SIGN ? p->token.sign : '\0';
        if (depth == 0 && !closer && at_key(p))
            return;
        if (sign && strchr("([{", sign)) {
            depth++;
        } else if (sign && strchr(")]}", sign)) {
            if (depth == 0)
                return;
            depth--;
        } else if (depth == 0 && (sign == ';' || (sign == ',' && !closer))) {
            if (!closer)
                shift(p);
            return;
        }
    }
}

static scree_node *parse_value(parser *p);
static void parse_settings(parser *p, scree_node *group, const scree_token *opened);

static scree_node *new_node(const parser *p, scree_node_type type)
{
    return scree_node_new(type, p->token.source->name, p->token.source->dir, p->token.line);
}

static scree_node *parse_scalar(parser *p)
{
    static const scree_node_type types[] = {[SCREE_TOKEN_INT] = SCREE_NODE_INT,
                                            [SCREE_TOKEN_REAL] = SCREE_NODE_REAL,
                                            [SCREE_TOKEN_BOOL] = SCREE_NODE_BOOL,
                                            [SCREE_TOKEN_STRING] = SCREE_NODE_STRING};
    scree_node *node = new_node(p, types[p->token.type]);
    node->i = p->token.i;
    node->d = p->token.d;
    if (p->token.wrong)
        complain_at(p, &p->token, p->token.wrong);
    if (p->token.type != SCREE_TOKEN_STRING) {
        shift(p);
        return node;
    }
    GString *text = g_string_new(NULL);
    for (; p->token.type == SCREE_TOKEN_STRING; shift(p))
        g_string_append(text, p->token.text);
    node->s = g_string_free(text, FALSE);
    return node;
}

static bool is_scalar(const scree_node *node)
{
    return node->type != SCREE_NODE_GROUP && node->type != SCREE_NODE_LIST;
}

static bool is_number(const scree_node *node)
{
    return node->type == SCREE_NODE_INT || node->type == SCREE_NODE_REAL;
}

/** An array holds scalars of one kind. */
static bool fits_array(const scree_node *array, const scree_node *element)
{
    if (!is_scalar(element))
        return false;
    if (array->children->len == 0)
        return true;
    const scree_node *first = g_ptr_array_index(array->children, 0);
    return first->type == element->type || (is_number(first) && is_number(element));
}

/** One element of a list or array, added to it; false when parsing of the list cannot go on. */
static bool parse_element(parser *p, scree_node *list, bool is_array)
{
    const scree_token start = place_of(p);
    const gsize outer = p->path->len;
    g_string_append_printf(p->path, "[%u]", list->children->len);
    scree_node *element = parse_value(p);
    g_string_truncate(p->path, outer);
    if (!element)
        return false;
    if (is_array && !p->array_told && !fits_array(list, element)) {
        complain_at(
            p, &start,
            is_scalar(element)
                ? "an array [ ] holds values of one kind (numbers, texts or booleans); a list "
                  "( ) may mix them"
                : "an array [ ] holds plain values; groups and lists go into a list ( )");
        p->array_told = true;
    }
    scree_node_add(list, element);
    return true;
}

/** At the opening bracket of a list or an array. */
static scree_node *parse_list(parser *p)
{
    const bool is_array = p->token.sign == '[';
    const char closer = is_array ? ']' : ')';
    scree_node *list = new_node(p, SCREE_NODE_LIST);
    g_autofree char *expected =
        g_strdup_printf("expected ',' or '%c' in the %s that starts in line %d", closer,
                        is_array ? "array" : "list", p->token.line);
    p->array_told = false;
    shift(p);
    while (!at_end(p) && !at_sign(p, closer)) {
        check_count(p);
        if (!parse_element(p, list, is_array)) {
            recover(p, closer);
            break;
        }
        if (at_sign(p, closer))
            break;
        if (!at_sign(p, ',')) {
            const bool no_comma = starts_value(p);
            complain(p, expected, no_comma ? "a comma is missing" : NULL);
            if (no_comma)
                continue;
            recover(p, closer);
            break;
        }
        shift(p);
        if (at_sign(p, closer)) {
            complain(p, "expected a value after the comma", "take the trailing comma away");
            break;
        }
        if (at_end(p))
            complain(p, expected, NULL);
    }
    if (at_sign(p, ')') || at_sign(p, ']')) /* the wrong one has been told */
        shift(p);
    return list;
}

static scree_node *parse_group(parser *p)
{
    const scree_token opened = place_of(p);
    scree_node *group = new_node(p, SCREE_NODE_GROUP);
    shift(p);
    parse_settings(p, group, &opened);
    return group;
}

/** A bracketed value, with the nesting counted. */
static scree_node *parse_nested(parser *p)
{
    scree_node *node;
    if (p->depth >= SCREE_MAX_NESTING) {
        complain_at(p, &p->token, "nested too deep: 64 brackets may be open");
        p->stopped = true;
        return NULL;
    }
    p->depth++;
    node = p->token.sign == '{' ? parse_group(p) : parse_list(p);
    p->depth--;
    return node;
}

/** A word without quotes: a problem, but it is clear what was meant. */
static scree_node *parse_word(parser *p)
{
    g_autofree char *hint = g_strdup_printf("text stands in quotes: \"%.60s\"", p->token.text);
    scree_node *node = new_node(p, SCREE_NODE_STRING);
    complain(p, "expected a value", hint);
    node->s = g_strdup(p->token.text);
    shift(p);
    return node;
}

/** NULL, with a problem, when there is no value here. */
static scree_node *parse_value(parser *p)
{
    if (p->stopped)
        return NULL;
    switch (p->token.type) {
    case SCREE_TOKEN_INT:
    case SCREE_TOKEN_REAL:
    case SCREE_TOKEN_BOOL:
    case SCREE_TOKEN_STRING:
        return parse_scalar(p);
    case SCREE_TOKEN_SIGN:
        if (strchr("([{", p->token.sign))
            return parse_nested(p);
        break;
    case SCREE_TOKEN_NAME:
        if (!at_key(p))
            return parse_word(p);
        break;
    case SCREE_TOKEN_END:
    case SCREE_TOKEN_INVALID:
        break;
    }
    complain(p, "expected a value", NULL);
    return NULL;
}

/** Adds a setting to its group; a key given twice is a problem, the first one stands. */
static void add_setting(parser *p, scree_node *group, scree_node *node, const scree_token *key)
{
    if (scree_node_add(group, node))
        return;
    const scree_node *first = scree_node_find(group, node->name);
    g_autofree char *what =
        g_strdup_printf("given twice, first in %s:%d", first->file, first->line);
    complain_at(p, key, what);
    scree_node_free(node);
}

/** `= value`, the key being known and in the path; false when there is no value. */
static bool parse_right_side(parser *p, scree_node *group, char *name, const scree_token *key)
{
    g_autofree char *owned = name;
    shift(p);
    scree_node *node = parse_value(p);
    if (!node)
        return false;
    /* The line of a setting is that of its key. */
    node->name = g_steal_pointer(&owned);
    node->line = key->line;
    node->file = key->source->name;
    node->dir = key->source->dir;
    add_setting(p, group, node, key);
    return true;
}

/** NAME = value, with its terminator. False when parsing has to look for a place to go on. */
static bool parse_setting(parser *p, scree_node *group)
{
    g_autofree char *name = g_strdup(p->token.text);
    g_autofree char *expected = g_strdup_printf("expected '=' after %.60s", name);
    const scree_token key = place_of(p);
    const bool after_number =
        (p->last.type == SCREE_TOKEN_INT || p->last.type == SCREE_TOKEN_REAL) &&
        p->last.line == key.line;
    const gsize outer = p->path->len;
    shift(p);
    if (!at_sign(p, '=') && !at_sign(p, ':')) {
        complain(p, expected,
                 after_number ? "a value with its unit is text, as in \"0.5 mm\"" : NULL);
        return false;
    }
    g_string_append_printf(p->path, "%s%s", outer > 0 ? "." : "", name);
    const bool good = parse_right_side(p, group, g_steal_pointer(&name), &key);
    g_string_truncate(p->path, outer);
    if (good && (at_sign(p, ';') || at_sign(p, ',')))
        shift(p);
    return good;
}

/** Settings up to the closing brace of the group that `opened` stands for; NULL: to the end. */
static void parse_settings(parser *p, scree_node *group, const scree_token *opened)
{
    while (!at_end(p)) {
        check_count(p);
        if (p->token.type == SCREE_TOKEN_NAME) {
            if (!parse_setting(p, group))
                recover(p, '\0');
        } else if (at_sign(p, '}') && opened) {
            shift(p);
            return;
        } else if (p->token.type == SCREE_TOKEN_SIGN && strchr(")]}", p->token.sign)) {
            complain(p, "expected a key", "this bracket closes nothing");
            shift(p);
        } else {
            complain(p, "expected a key",
                     at_sign(p, ';') || at_sign(p, ',') ? "one ; ends a setting" : NULL);
            recover(p, '\0');
        }
    }
    if (opened)
        complain_at(p, opened, "this group is never closed with '}'");
}

static void start(parser *p, scree_config *config, scree_source *source)
{
    *p = (parser){.config = config, .problems_before = config->problems->len};
    p->lexer = scree_lexer_new(config, source);
    p->path = g_string_new(NULL);
    shift(p);
    shift(p);
}

static void finish(parser *p)
{
    scree_token_clear(&p->token);
    scree_token_clear(&p->next);
    g_string_free(p->path, TRUE);
    scree_lexer_free(p->lexer);
}

void scree_parse_settings(scree_config *config, scree_source *source, scree_node *group)
{
    parser p;
    start(&p, config, source);
    parse_settings(&p, group, NULL);
    finish(&p);
}

scree_node *scree_parse_value(scree_config *config, scree_source *source)
{
    parser p;
    start(&p, config, source);
    scree_node *node = parse_value(&p);
    if (node && p.token.type != SCREE_TOKEN_END)
        complain(&p, "expected exactly one value", NULL);
    finish(&p);
    return node;
}
