/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tokens to nodes: libconfig parses; the tokens give the rest.
 *
 * libconfig reads the tokens with one in each line: the line that it names, in an error or for a
 * setting, is then the number of a token, which knows its file, line and column. Each key gets its
 * number too, for libconfig ends at a key given twice. Arrays are written as lists, for libconfig
 * 1.5 does not mix numbers in an array, and loses memory when it refuses one; that their elements
 * are of one kind is looked at here. Numbers have the value of their token, which is exact.
 */
#include "config/config_parse.h"

#include <libconfig.h>
#include <string.h>

#include "base/shortage.h"
#include "config/config_lex.h"
#include "config/config_node.h"
#include "config/config_source.h"

/* Memory of libconfig for a text (measured: 21 bytes a letter for short settings), with room. */
enum { BYTES_PER_LETTER = 48, FEWEST_BYTES = 1 << 18 };

typedef struct parser {
    scree_config *config;
    scree_token *tokens;
    guint last;    /* the END */
    bool is_value; /* an override: one value, which libconfig reads as the list v */
} parser;

/* --- tokens ----------------------------------------------------------------------------------- */

/** Whether there is such a token and it is one of these signs. */
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

/** Whether token k may be a value, by the one before it; k - 1 may be SCREE_NO_TOKEN. */
static bool wants_value(const parser *p, guint k)
{
    return is_sign(p, k - 1, "=:([") || (k == 0 && p->is_value) ||
           (is_sign(p, k - 1, ",") && is_sign(p, p->tokens[k].parent, "(["));
}

/** As written, not to its end when it is endless. */
static char *word(const parser *p, guint k, guint longest)
{
    const scree_token *token = &p->tokens[k];
    return g_strndup(token->source->text + token->offset, MIN(token->length, longest));
}

/* --- problems --------------------------------------------------------------------------------- */

/** The path of the value, or of the settings, that token k is in. */
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

/** A problem at token k, reported when all are known; `in`: the token whose path it begins with. */
static void report(parser *p, guint k, guint in, const char *what)
{
    char *old = p->tokens[k].wrong;
    GString *text = g_string_new(NULL);
    append_path(p, text, in);
    g_string_append_printf(text, "%s%s", text->len > 0 ? ": " : "", what);
    p->tokens[k].wrong = g_string_free(text, FALSE);
    g_free(old); /* what may be in `what` */
}

/** "…, got X; hint". */
static void report_found(parser *p, guint k, guint in, const char *what, const char *hint)
{
    const scree_token *token = &p->tokens[k];
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

/** libconfig found an error at token k: what it missed, and the usual reasons. */
static void tell_syntax(parser *p, guint k)
{
    const scree_token *token = &p->tokens[k];
    const guint open = token->parent;
    if (token->type == SCREE_TOKEN_INVALID)
        return; /* already reported */
    if (is_sign(p, k - 1, ",") && is_sign(p, open, "([") && is_sign(p, k, ")]")) {
        report_found(p, k, open, "expected a value after the comma",
                     "take the trailing comma away");
    } else if (wants_value(p, k)) {
        report_found(p, k, k, "expected a value", NULL);
    } else if (open == SCREE_NO_TOKEN && p->is_value) {
        report_found(p, k, open, "expected exactly one value", NULL);
    } else if (is_sign(p, open, "([")) {
        const bool is_array = is_sign(p, open, "[");
        g_autofree char *what = g_strdup_printf(
            "expected ',' or '%c' in the %s that starts in line %d", is_array ? ']' : ')',
            is_array ? "array" : "list", p->tokens[open].line);
        report_found(p, k, open, what, starts_value(p, k) ? "a comma is missing" : NULL);
    } else if (k > 0 && token[-1].type == SCREE_TOKEN_NAME) {
        const bool unit = k > 1 && is_scalar(p, k - 2) && token[-2].line == token[-1].line;
        g_autofree char *name = word(p, k - 1, 60);
        g_autofree char *what = g_strdup_printf("expected '=' after %s", name);
        report_found(p, k, open, what,
                     unit ? "a value with its unit is text, as in \"0.5 mm\"" : NULL);
    } else if (token->type == SCREE_TOKEN_END) {
        report(p, open, open, "this group is never closed with '}'");
    } else {
        report_found(p, k, open, "expected a key",
                     is_sign(p, k, ")]}")  ? "this bracket closes nothing"
                     : is_sign(p, k, ";,") ? "one ; ends a setting"
                                           : NULL);
    }
}

/* --- libconfig -------------------------------------------------------------------------------- */

/** Single tokens that libconfig gets wrong: numbers; and words without quotes, whose meaning is
 * clear. */
static void check_token(parser *p, guint k)
{
    scree_token *token = &p->tokens[k];
    if (token->wrong)
        report(p, k, k, token->wrong);
    if (token->type == SCREE_TOKEN_NAME && !is_key(p, k) && wants_value(p, k)) {
        g_autofree char *shown = word(p, k, 60), *whole = word(p, k, G_MAXUINT);
        g_autofree char *hint = g_strdup_printf("text needs quotes: \"%s\"", shown);
        report_found(p, k, k, "expected a value", hint);
        token->type = SCREE_TOKEN_STRING;
        token->text = g_strdup_printf("\"%s\"", whole);
    }
}

/** A token as libconfig gets it. */
static void write_token(const parser *p, GString *text, guint k)
{
    const scree_token *token = &p->tokens[k];
    const bool is_text = token->type == SCREE_TOKEN_STRING;
    const char *swap =
        is_sign(p, token->parent, "[") && token->sign ? strchr("])]", token->sign) : NULL;
    /* libconfig 1.5 loses the memory of a text in a wrong place: there it gets a wrong sign. */
    if (token->type == SCREE_TOKEN_INVALID ||
        (is_text && !wants_value(p, k) && !(k > 0 && token[-1].type == SCREE_TOKEN_STRING)))
        g_string_append_c(text, '$');
    else if (is_sign(p, k, "["))
        g_string_append_c(text, '(');
    else if (swap)
        g_string_append_c(text, swap[1]);
    else if (token->text)
        g_string_append(text, token->text);
    else
        g_string_append_len(text, token->source->text + token->offset, token->length);
    if (is_key(p, k))
        g_string_append_printf(text, "-%u", k);
}

/** Has libconfig read the tokens; false when it could not. */
static bool read_tokens(parser *p, config_t *tree)
{
    g_autoptr(GString) text = g_string_new(p->is_value ? "v = (" : NULL);
    for (guint k = 0; k < p->last; k++) {
        check_token(p, k);
        write_token(p, text, k);
        g_string_append_c(text, '\n');
    }
    g_string_append(text, p->is_value ? ")" : "");
    // libconfig does not look whether it got the memory that it asks for.
    scree_need_memory(text->len * BYTES_PER_LETTER + FEWEST_BYTES, "the text of the scene");
    if (config_read_string(tree, text->str))
        return true;
    tell_syntax(p, MIN((guint)config_error_line(tree) - 1, p->last));
    return false;
}

/* --- nodes ------------------------------------------------------------------------------------ */

static void take_settings(parser *p, const config_setting_t *from, scree_node *group, guint *at);

static int kind_of(const scree_node *node)
{
    return node->type == SCREE_NODE_INT ? SCREE_NODE_REAL : (int)node->type;
}

/** An array holds scalars of one kind: an element that differs from the first, or is a bracket. */
static bool misfits(const scree_node *array, const scree_node *element)
{
    return element->children || kind_of(element) != kind_of(g_ptr_array_index(array->children, 0));
}

static scree_node *take_value(parser *p, const config_setting_t *from, guint *at);

static void take_elements(parser *p, const config_setting_t *from, scree_node *list, guint *at)
{
    const guint open = *at - 1;
    bool right = is_sign(p, open, "[");
    for (int k = 0; k < config_setting_length(from); k++) {
        while (!starts_value(p, *at))
            ++*at;
        const guint first = *at;
        scree_node *element = take_value(p, config_setting_get_elem(from, (unsigned)k), at);
        scree_node_add(list, element);
        if (!right || !misfits(list, element))
            continue;
        report(p, first, open,
               element->children
                   ? "an array [ ] holds plain values; groups and lists go into a list ( )"
                   : "an array [ ] holds values of one kind (numbers, texts or booleans); a list "
                     "( ) may mix them");
        right = false;
    }
}

/** The value that begins at *at or soon after; *at is then behind what it consists of. */
static scree_node *take_value(parser *p, const config_setting_t *from, guint *at)
{
    while (!starts_value(p, *at))
        ++*at;
    const scree_token *token = &p->tokens[(*at)++];
    scree_node *node = scree_node_new(token->sign == '{'                ? SCREE_NODE_GROUP
                                      : token->sign                     ? SCREE_NODE_LIST
                                      : token->type == SCREE_TOKEN_INT  ? SCREE_NODE_INT
                                      : token->type == SCREE_TOKEN_REAL ? SCREE_NODE_REAL
                                      : token->type == SCREE_TOKEN_BOOL ? SCREE_NODE_BOOL
                                                                        : SCREE_NODE_STRING,
                                      token->source->name, token->source->dir, token->line);
    node->i = node->type == SCREE_NODE_BOOL ? config_setting_get_bool(from) : token->i;
    node->d = token->d;
    node->s = g_strdup(config_setting_get_string(from));
    if (node->type == SCREE_NODE_GROUP)
        take_settings(p, from, node, at);
    else if (node->type == SCREE_NODE_LIST)
        take_elements(p, from, node, at);
    if (node->s)
        while (p->tokens[*at].type == SCREE_TOKEN_STRING) /* joined */
            ++*at;
    return node;
}

/** The line of a setting is that of its key. */
static void take_settings(parser *p, const config_setting_t *from, scree_node *group, guint *at)
{
    for (int k = 0; k < config_setting_length(from); k++) {
        const config_setting_t *setting = config_setting_get_elem(from, (unsigned)k);
        const guint key = *at = config_setting_source_line(setting) - 1;
        scree_node *node = take_value(p, setting, at);
        node->name = word(p, key, G_MAXUINT);
        node->line = p->tokens[key].line;
        node->file = p->tokens[key].source->name;
        node->dir = p->tokens[key].source->dir;
        if (scree_node_add(group, node))
            continue;
        const scree_node *first = scree_node_find(group, node->name);
        g_autofree char *what =
            g_strdup_printf("given twice, first in %s:%d", first->file, first->line);
        report(p, key, key + 2, what); /* key + 2: its value, so that the path ends with the key */
        scree_node_free(node);
    }
}

/** The value of an override. */
static scree_node *take_override(parser *p, const config_setting_t *list)
{
    guint at = 0;
    scree_node *node = config_setting_length(list) > 0
                           ? take_value(p, config_setting_get_elem(list, 0), &at)
                           : NULL;
    while (at < p->last && p->tokens[at].parent != SCREE_NO_TOKEN) /* closing brackets */
        at++;
    if (at < p->last || !node)
        report_found(p, at, SCREE_NO_TOKEN,
                     node ? "expected exactly one value" : "expected a value", NULL);
    return node;
}

/** Parses settings into `group`, or, when that is NULL, one value, which is returned. */
static scree_node *parse(scree_config *config, scree_source *source, scree_node *group)
{
    g_autoptr(scree_tokens) tokens = scree_tokens_read(config, source);
    parser p = {.config = config,
                .tokens = (scree_token *)(void *)tokens->all->data,
                .last = tokens->all->len - 1,
                .is_value = !group};
    scree_node *node = NULL;
    guint at = 0;
    config_t tree;
    config_init(&tree);
    const bool good = !tokens->cut && read_tokens(&p, &tree);
    if (good && group)
        take_settings(&p, config_root_setting(&tree), group, &at);
    else if (good)
        node = take_override(&p, config_setting_get_elem(config_root_setting(&tree), 0));
    config_destroy(&tree);
    config->broken = config->broken || !good;
    for (guint k = 0; k <= p.last; k++)
        if (p.tokens[k].wrong)
            scree_token_problem(config, &p.tokens[k], "%s", p.tokens[k].wrong);
    return node;
}

void scree_parse_settings(scree_config *config, scree_source *source, scree_node *group)
{
    parse(config, source, group);
}

scree_node *scree_parse_value(scree_config *config, scree_source *source)
{
    return parse(config, source, NULL);
}
