/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison for programs: one JSON object. */
#include "tools/compare/compare_json.h"

#include <math.h>
#include <string.h>

#include "build_config.h"

#include "tools/compare/compare_figures.h"

/* ---- members of the answer of a child ---- */

static void put_node(scree_json *json, const char *key, JsonNode *node);

static void put_value(scree_json *json, const char *key, JsonNode *node)
{
    switch (json_node_get_value_type(node)) {
    case G_TYPE_STRING:
        scree_json_string(json, key, json_node_get_string(node));
        break;
    case G_TYPE_BOOLEAN:
        scree_json_bool(json, key, json_node_get_boolean(node));
        break;
    case G_TYPE_INT64:
        scree_json_int(json, key, json_node_get_int(node));
        break;
    default:
        scree_json_real(json, key, json_node_get_double(node));
    }
}

static void put_members(scree_json *json, JsonObject *object, const char *const *but)
{
    g_autoptr(GList) names = json_object_get_members(object);
    for (const GList *at = names; at; at = at->next)
        if (!but || !g_strv_contains(but, at->data))
            put_node(json, at->data, json_object_get_member(object, at->data));
}

static void put_node(scree_json *json, const char *key, JsonNode *node)
{
    if (JSON_NODE_HOLDS_OBJECT(node)) {
        scree_json_open_object(json, key);
        put_members(json, json_node_get_object(node), NULL);
        scree_json_close_object(json);
    } else if (JSON_NODE_HOLDS_ARRAY(node)) {
        JsonArray *array = json_node_get_array(node);
        scree_json_open_array(json, key);
        for (guint i = 0; i < json_array_get_length(array); i++)
            put_node(json, NULL, json_array_get_element(array, i));
        scree_json_close_array(json);
    } else if (JSON_NODE_HOLDS_NULL(node)) {
        scree_json_null(json, key);
    } else {
        put_value(json, key, node);
    }
}

/* ---- variants ---- */

static void write_varied(const scree_comparison *c, const scree_variant *v, scree_json *json)
{
    scree_json_open_object(json, "varied");
    for (guint a = 0; a < c->axes->len; a++) {
        const scree_axis *axis = scree_comparison_axis(c, a);
        if (axis->number)
            scree_json_real(json, axis->path, axis->number[v->at[a]]);
        else
            scree_json_string(json, axis->path, axis->values->pdata[v->at[a]]);
    }
    scree_json_close_object(json);
}

static void write_samples(const scree_variant *v, scree_json *json)
{
    scree_json_open_array(json, "samples");
    for (guint i = 0; i < v->samples->len; i++) {
        const scree_sample *sample = &g_array_index(v->samples, scree_sample, i);
        scree_json_open_object(json, NULL);
        scree_json_uint(json, "round", sample->round);
        scree_json_uint(json, "turn", sample->turn);
        scree_json_real(json, "setup_s", sample->setup_s);
        scree_json_real(json, "wall_s", sample->wall_s);
        scree_json_real(json, "cpu_s", sample->cpu_s);
        for (int m = 0; m < SCREE_METRICS; m++)
            scree_json_real(json, scree_metric_keys[m], sample->time[m]);
        scree_json_close_object(json);
    }
    scree_json_close_array(json);
}

/** Writes seconds per step, and ratios to the fastest of its group. */
static void write_figures(const scree_comparison *c, const scree_variant *v, scree_json *json)
{
    scree_json_open_object(json, "medians");
    for (int m = 0; m < SCREE_METRICS; m++)
        scree_json_real(json, scree_metric_keys[m], v->spread[m].median);
    scree_json_close_object(json);
    scree_json_open_object(json, "quartiles");
    for (int m = 0; m < SCREE_METRICS; m++) {
        scree_json_open_array(json, scree_metric_keys[m]);
        scree_json_real(json, NULL, v->spread[m].q1);
        scree_json_real(json, NULL, v->spread[m].q3);
        scree_json_close_array(json);
    }
    scree_json_close_object(json);
    scree_json_open_object(json, "ratios");
    for (int m = 0; m <= SCREE_METRIC_STEP; m++)
        scree_json_real(json, scree_metric_keys[m],
                        v->spread[m].median / scree_group_best(c, v->group, (scree_metric)m));
    scree_json_close_object(json);
}

/** Writes the members that `scree run --json` prints, with medians for the times of a whole run. */
static void write_report(const scree_comparison *c, const scree_variant *v, scree_json *json)
{
    static const char *const own[] = {"setup_s", "wall_s",  "particle_steps_per_s",
                                      "stopped", "machine", NULL};
    g_autofree double *setup = g_new(double, v->samples->len);
    JsonObject *run = json_node_get_object(v->report);
    for (guint i = 0; i < v->samples->len; i++)
        setup[i] = g_array_index(v->samples, scree_sample, i).setup_s;
    const scree_sample *last = &g_array_index(v->samples, scree_sample, v->samples->len - 1);
    double wall = v->spread[SCREE_METRIC_STEP].median * (double)c->steps;
    double rate = json_object_get_double_member(run, "particle_steps_per_s");
    scree_json_real(json, "setup_s", scree_spread_of(setup, v->samples->len).median);
    scree_json_real(json, "wall_s", wall);
    scree_json_real(json, "particle_steps_per_s", rate * last->wall_s / wall);
    put_members(json, run, own);
}

static void write_variant(const scree_comparison *c, const scree_variant *v, scree_json *json)
{
    static const char *const outcomes[] = {"not measured", "ok", "failed", "slow", "left out"};
    scree_json_open_object(json, NULL);
    scree_json_string(json, "name", v->label);
    scree_json_uint(json, "threads", v->threads);
    scree_json_string(json, "variant", v->named ? v->named->name : NULL);
    write_varied(c, v, json);
    scree_json_open_array(json, "overrides");
    for (guint i = 0; i + 1 < v->overrides->len; i++)
        scree_json_string(json, NULL, v->overrides->pdata[i]);
    scree_json_close_array(json);
    scree_json_string(json, "paste", v->paste);
    scree_json_uint(json, "group", v->group);
    scree_json_string(json, "outcome", outcomes[v->outcome]);
    scree_json_string(json, "message", v->message);
    scree_json_bool(json, "disagrees", v->disagrees);
    if (v->outcome == SCREE_OUTCOME_FAILED)
        scree_json_int(json, "status", v->status);
    write_samples(v, json);
    if (v->samples->len) {
        write_figures(c, v, json);
        scree_json_real(json, "bytes_per_box", v->bytes_per_box);
        write_report(c, v, json);
    }
    scree_json_close_object(json);
}

/* ---- the rest ---- */

static void write_reals(scree_json *json, const char *key, const GArray *values)
{
    scree_json_open_array(json, key);
    for (guint i = 0; i < values->len; i++)
        scree_json_real(json, NULL, g_array_index(values, double, i));
    scree_json_close_array(json);
}

static void write_exponents(const scree_comparison *c, scree_json *json)
{
    g_autoptr(GPtrArray) all = scree_comparison_series(c);
    scree_json_open_array(json, "exponents");
    for (guint i = 0; i < all->len; i++) {
        const scree_series *s = all->pdata[i];
        scree_json_open_object(json, NULL);
        scree_json_string(json, "path", scree_comparison_axis(c, s->axis)->path);
        const char *unit = scree_comparison_axis(c, s->axis)->unit;
        scree_json_string(json, "unit", unit ? unit : "-");
        scree_json_string(json, "of", s->label);
        scree_json_string(json, "time", scree_metric_keys[s->metric]);
        scree_json_real(json, "exponent", s->exponent);
        write_reals(json, "local", s->local);
        write_reals(json, "numbers", s->x);
        write_reals(json, "seconds", s->t);
        scree_json_close_object(json);
    }
    scree_json_close_array(json);
}

static void write_disagreements(const scree_comparison *c, scree_json *json)
{
    scree_json_open_array(json, "disagreements");
    for (guint i = 0; i < c->disagreements->len; i++) {
        const scree_disagreement *d = &g_array_index(c->disagreements, scree_disagreement, i);
        scree_json_open_object(json, NULL);
        scree_json_open_array(json, "variants");
        scree_json_string(json, NULL, scree_comparison_variant(c, d->odd)->label);
        scree_json_string(json, NULL, scree_comparison_variant(c, d->other)->label);
        scree_json_close_array(json);
        if (d->found)
            scree_json_uint(json, "first_step", d->step);
        else
            scree_json_null(json, "first_step");
        scree_json_string(json, "why", d->why);
        scree_json_close_object(json);
    }
    scree_json_close_array(json);
}

static void write_fastest(const scree_comparison *c, scree_json *json)
{
    scree_fastest best = scree_comparison_fastest(c);
    if (!best.variant) {
        scree_json_null(json, "fastest");
        return;
    }
    scree_json_open_object(json, "fastest");
    scree_json_string(json, "name", best.variant->short_label);
    scree_json_string(json, "paste", best.variant->paste);
    scree_json_uint(json, "first_in", best.wins);
    scree_json_uint(json, "of", best.groups);
    scree_json_real(json, "mean_ratio", best.mean_ratio);
    scree_json_close_object(json);
}

static void write_head(const scree_comparison *c, scree_json *json)
{
    scree_json_string(json, "title", c->title);
    scree_json_string(json, "scene", c->scene);
    scree_json_string(json, "command", c->command);
    scree_json_string(json, "version", SCREE_VERSION);
    scree_json_uint(json, "steps", c->steps);
    scree_json_uint(json, "warmup", c->warmup);
    scree_json_uint(json, "repeats", c->repeats);
    scree_json_uint(json, "rounds", c->rounds);
    scree_json_uint(json, "threads", c->threads);
    scree_json_real(json, "limit_s", c->limit);
    scree_json_open_array(json, "pinned_to");
    for (guint i = 0; c->cpus && i < c->n_cpus; i++)
        scree_json_int(json, NULL, c->cpus[i]);
    scree_json_close_array(json);
    scree_json_string(json, "by", scree_metric_keys[c->by]);
    scree_json_bool(json, "stopped", c->stopped);
    scree_json_open_array(json, "left_out");
    for (guint i = 0; i < c->left_out->len; i++)
        scree_json_string(json, NULL, c->left_out->pdata[i]);
    scree_json_close_array(json);
}

/** Writes the machine as the runs report it. */
static void write_machine(const scree_comparison *c, scree_json *json)
{
    for (guint i = 0; i < c->variants->len; i++) {
        const scree_variant *v = scree_comparison_variant(c, i);
        JsonObject *run = v->report ? json_node_get_object(v->report) : NULL;
        JsonNode *machine = run ? json_object_get_member(run, "machine") : NULL;
        if (!machine)
            continue;
        put_node(json, "machine", machine);
        return;
    }
    scree_json_null(json, "machine");
}

char *scree_comparison_json(const scree_comparison *c)
{
    g_autoptr(scree_json) json = scree_json_new();
    scree_json_open_object(json, NULL);
    write_head(c, json);
    scree_json_open_array(json, "variants");
    for (guint i = 0; i < c->variants->len; i++)
        write_variant(c, scree_comparison_variant(c, i), json);
    scree_json_close_array(json);
    write_exponents(c, json);
    write_disagreements(c, json);
    write_fastest(c, json);
    write_machine(c, json);
    scree_json_close_object(json);
    return g_strdup(scree_json_text(json));
}
