/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tokens to nodes, by the grammar of libconfig.
 *
 * Source: libconfig 1.5, manual, section "Configuration Files".
 *     settings: { NAME ( '=' | ':' ) value [ ';' | ',' ] }
 *     value:    number | boolean | STRING { STRING } | '{' settings '}'
 *               | '[' [ value { ',' value } ] ']' | '(' [ value { ',' value } ] ')'
 * Why not the library: version 1.5 drops the digits of a number that does not fit, does not mix
 *     integers and reals in an array, ends at a key given twice, and reports a line but no column.
 * Deviation: libconfig 1.7 takes a comma after the last value of a list; here, as in 1.5, it is a
 *     mistake.
 *
 * A mistake in the syntax ends the reading: the text gives no settings. Mistakes in single tokens
 * are all reported.
 */
#include "config/config_parse.h"

#include <string.h>

#include "config/config_lex.h"
#include "config/config_node.h"
#include "config/config_source.h"

typedef struct parser {
    scree_token *tokens;
    guint last;    /* index of the END token */
    guint at;      /* index of the next token */
    bool is_value; /* the text is an override: one value */
} parser;

/* --- tokens ----------------------------------------------------------------------------------- */

/** Whether token k exists and is one of these signs. */
static bool is_sign(const parser *p, guint k, const char *signs)
{
    return k <= p->last && p->tokens[k].type == SCREE_TOKEN_SIGN &&
           strchr(signs, p->tokens[k].sign);
}

static bool is_scalar(const parser *p, guint k)
{
    return k <= p->last && p->tokens[k].type >= SCREE_TOKEN_INT &&
           p->tokens[k].type <= SCREE_TOKEN_STRING;
}

static bool starts_value(const parser *p, guint k)
{
    return is_scalar(p, k) || is_sign(p, k, "([{");
}

static bool is_key(const parser *p, guint k)
{
    return p->tokens[k].type == SCREE_TOKEN_NAME && is_sign(p, k + 1, "=:");
}

/** Whether the token before k allows a value there; k - 1 may be SCREE_NO_TOKEN. */
static bool wants_value(const parser *p, guint k)
{
    return is_sign(p, k - 1, "=:([") || (k == 0 && p->is_value) ||
           (is_sign(p, k - 1, ",") && is_sign(p, p->tokens[k].parent, "(["));
}

/** The text of a token as written, shortened to `longest`. */
static char *word(const parser *p, guint k, guint longest)
{
    const scree_token *token = &p->tokens[k];
    return g_strndup(token->source->text + token->offset, MIN(token->length, longest));
}

/* --- problems --------------------------------------------------------------------------------- */

/** Appends the path of the value or group with token k. */
static void append_path(const parser *p, GString *path, guint k)
{
    if (k > p->last)
        return;
    const guint open = p->tokens[k].parent;
    append_path(p, path, open);
    if (k > 1 && is_sign(p, k - 1, "=:")) {
        g_autofree char *name = word(p, k - 2, G_MAXUINT);
        g_string_append_printf(path, "%s%s", path->len > 0 ? "." : "", name);
    } else if (is_sign(p, open, "([")) {
        guint index = 0;
        for (guint j = open + 1; j < k; j++)
            index += p->tokens[j].parent == open && is_sign(p, j, ",");
        g_string_append_printf(path, "[%u]", index);
    }
}

/** Keeps a problem at token k until all are known; the message begins with the path of token
 * `in`. */
static void report(parser *p, guint k, guint in, const char *what)
{
    char *old = p->tokens[k].wrong;
    GString *text = g_string_new(NULL);
    append_path(p, text, in);
    g_string_append_printf(text, "%s%s", text->len > 0 ? ": " : "", what);
    p->tokens[k].wrong = g_string_free(text, FALSE);
    g_free(old); /* `what` may point into it */
}

/** Reports "…, got X; hint". */
static void report_found(parser *p, guint k, guint in, const char *what, const char *hint)
{
    const scree_token *token = &p->tokens[k];
    if (token->type == SCREE_TOKEN_INVALID)
        return; /* already reported */
    g_autofree char *written = word(p, k, 60);
    g_autoptr(GString) text = g_string_new(what);
    g_string_append_printf(text, token->type == SCREE_TOKEN_SIGN ? ", got '%s'" : ", got %s",
                           token->type == SCREE_TOKEN_END      ? "the end"
                           : token->type == SCREE_TOKEN_STRING ? "text"
                                                               : written);
    if (hint)
        g_string_append_printf(text, "; %s", hint);
    if (token->long_text > 0)
        g_string_append_printf(text,
                               "; the text that starts in line %d spans lines, is its closing "
                               "quote missing?",
                               token->long_text);
    report(p, k, in, text->str);
}

/** Reports numbers that do not fit, and words without quotes with a clear meaning. */
static void check_token(parser *p, guint k)
{
    scree_token *token = &p->tokens[k];
    if (token->wrong)
        report(p, k, k, token->wrong);
    if (token->type == SCREE_TOKEN_NAME && !is_key(p, k) && wants_value(p, k)) {
        g_autofree char *shown = word(p, k, 60);
        g_autofree char *hint = g_strdup_printf("text needs quotes: \"%s\"", shown);
        report_found(p, k, k, "expected a value", hint);
        token->type = SCREE_TOKEN_STRING;
        token->text = word(p, k, G_MAXUINT);
    }
}

/* --- the grammar ------------------------------------------------------------------------------ */

/** Takes the next token if it is one of these signs. False: it is another one. */
static bool take_sign(parser *p, const char *signs)
{
    const bool is = is_sign(p, p->at, signs);
    p->at += is;
    return is;
}

static int kind_of(const scree_node *node)
{
    return node->type == SCREE_NODE_INT ? SCREE_NODE_REAL : (int)node->type;
}

/** Whether an element differs in kind from the first one of its array, or has elements itself. */
static bool misfits(const scree_node *array, const scree_node *element)
{
    return element->children || kind_of(element) != kind_of(g_ptr_array_index(array->children, 0));
}

static scree_node *take_value(parser *p);

/** Takes the elements of the list or array that token `open` begins, and its closing bracket. */
static bool take_elements(parser *p, scree_node *list, guint open)
{
    const char *end = is_sign(p, open, "[") ? "]" : ")";
    bool is_array = *end == ']';
    if (take_sign(p, end))
        return true;
    do {
        const guint first = p->at;
        scree_node *element = take_value(p);
        if (!element)
            return false;
        scree_node_add(list, element);
        if (!is_array || p->tokens[first].wrong || !misfits(list, element))
            continue;
        report(p, first, open,
               element->children
                   ? "an array [ ] holds plain values; groups and lists go into a list ( )"
                   : "an array [ ] holds values of one kind (numbers, texts or booleans); a list "
                     "( ) may mix them");
        is_array = false;
    } while (take_sign(p, ","));
    if (take_sign(p, end))
        return true;
    g_autofree char *what =
        g_strdup_printf("expected ',' or '%s' in the %s that starts in line %d", end,
                        *end == ']' ? "array" : "list", p->tokens[open].line);
    report_found(p, p->at, open, what, starts_value(p, p->at) ? "a comma is missing" : NULL);
    return false;
}

/** Reports that the next token begins no setting: what was expected, and the usual reasons. */
static void refuse_key(parser *p)
{
    const scree_token *token = &p->tokens[p->at];
    const guint k = p->at + (token->type == SCREE_TOKEN_NAME), open = p->tokens[k].parent;
    if (k > p->at) {
        const bool unit = k > 1 && is_scalar(p, k - 2) && token[-1].line == token->line;
        g_autofree char *name = word(p, p->at, 60);
        g_autofree char *what = g_strdup_printf("expected '=' after %s", name);
        report_found(p, k, open, what,
                     unit ? "a value with its unit is text, as in \"0.5 mm\"" : NULL);
    } else {
        report_found(p, k, open, "expected a key",
                     is_sign(p, k, ")]}")  ? "this bracket closes nothing"
                     : is_sign(p, k, ";,") ? "one ; ends a setting"
                                           : NULL);
    }
}

/** Takes a setting, whose line is that of its key. */
static bool take_setting(parser *p, scree_node *group)
{
    const guint key = p->at;
    const scree_token *token = &p->tokens[key];
    if (!is_key(p, key)) {
        refuse_key(p);
        return false;
    }
    p->at = key + 2;
    scree_node *node = take_value(p);
    if (!node)
        return false;
    take_sign(p, ";,");
    node->name = word(p, key, G_MAXUINT);
    node->line = token->line;
    node->file = token->source->name;
    node->dir = token->source->dir;
    if (scree_node_add(group, node))
        return true;
    const scree_node *first = scree_node_find(group, node->name);
    g_autofree char *what =
        g_strdup_printf("given twice, first in %s:%d", first->file, first->line);
    report(p, key, key + 2, what); /* key + 2 is the value: the path then ends with the key */
    scree_node_free(node);
    return true;
}

/** Takes the settings up to a closing bracket, or to the end. */
static bool take_settings(parser *p, scree_node *group)
{
    while (p->at < p->last && !is_sign(p, p->at, "}"))
        if (!take_setting(p, group))
            return false;
    return true;
}

/** Takes the settings of the group that token `open` begins, and its closing bracket. */
static bool take_group(parser *p, scree_node *group, guint open)
{
    const bool good = take_settings(p, group);
    if (!good || take_sign(p, "}"))
        return good;
    report(p, open, open, "this group is never closed with '}'");
    return false;
}

/** Joins texts in a row into one. */
static char *join_texts(parser *p)
{
    GString *text = g_string_new(NULL);
    for (; p->tokens[p->at].type == SCREE_TOKEN_STRING; p->at++)
        g_string_append(text, p->tokens[p->at].text);
    return g_string_free(text, FALSE);
}

static void refuse_value(parser *p)
{
    const guint k = p->at, open = p->tokens[k].parent;
    if (is_sign(p, k - 1, ",") && is_sign(p, k, ")]"))
        report_found(p, k, open, "expected a value after the comma",
                     "take the trailing comma away");
    else
        report_found(p, k, k, "expected a value", NULL);
}

/** Takes a value. NULL: the next token begins no value, or the syntax has a mistake. */
static scree_node *take_value(parser *p)
{
    const guint first = p->at;
    const scree_token *token = &p->tokens[first];
    if (!starts_value(p, first)) {
        refuse_value(p);
        return NULL;
    }
    scree_node *node = scree_node_new(token->sign == '{'                ? SCREE_NODE_GROUP
                                      : token->sign                     ? SCREE_NODE_LIST
                                      : token->type == SCREE_TOKEN_INT  ? SCREE_NODE_INT
                                      : token->type == SCREE_TOKEN_REAL ? SCREE_NODE_REAL
                                      : token->type == SCREE_TOKEN_BOOL ? SCREE_NODE_BOOL
                                                                        : SCREE_NODE_STRING,
                                      token->source->name, token->source->dir, token->line);
    bool good = true;
    node->i = token->i;
    node->d = token->d;
    if (node->type == SCREE_NODE_STRING)
        node->s = join_texts(p);
    else
        p->at++;
    if (node->type == SCREE_NODE_GROUP)
        good = take_group(p, node, first);
    else if (node->type == SCREE_NODE_LIST)
        good = take_elements(p, node, first);
    if (!good)
        g_clear_pointer(&node, scree_node_free);
    return node;
}

/** Takes the only value of an override. NULL: it has none, or several. */
static scree_node *take_override(parser *p)
{
    scree_node *node = take_value(p);
    if (node && p->at < p->last) {
        report_found(p, p->at, SCREE_NO_TOKEN, "expected exactly one value", NULL);
        g_clear_pointer(&node, scree_node_free);
    }
    return node;
}

static scree_node *take_root(parser *p, const scree_source *source)
{
    scree_node *root = scree_node_new(SCREE_NODE_GROUP, source->name, source->dir, 0);
    const bool good = take_settings(p, root);
    if (good && p->at == p->last)
        return root;
    if (good)
        refuse_key(p);
    scree_node_free(root);
    return NULL;
}

/** Parses a text. NULL, with problems: its syntax has a mistake. */
static scree_node *parse(scree_config *config, scree_source *source, bool is_value)
{
    g_autoptr(scree_tokens) tokens = scree_tokens_read(config, source);
    parser p = {.tokens = (scree_token *)(void *)tokens->all->data,
                .last = tokens->all->len - 1,
                .is_value = is_value};
    scree_node *node = NULL;
    const guint n = tokens->cut ? 0 : p.last;
    for (guint k = 0; k < n; k++)
        check_token(&p, k);
    if (!tokens->cut)
        node = is_value ? take_override(&p) : take_root(&p, source);
    config->broken = config->broken || !node;
    for (guint k = 0; k <= p.last; k++)
        if (p.tokens[k].wrong)
            scree_token_problem(config, &p.tokens[k], "%s", p.tokens[k].wrong);
    return node;
}

scree_node *scree_parse_settings(scree_config *config, scree_source *source)
{
    const char *name = source->name, *dir = source->dir;
    scree_node *root = parse(config, source, false);
    return root ? root : scree_node_new(SCREE_NODE_GROUP, name, dir, 0);
}

scree_node *scree_parse_value(scree_config *config, scree_source *source)
{
    return parse(config, source, true);
}
