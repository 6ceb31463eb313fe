/* SPDX-License-Identifier: Apache-2.0 */
/* The report at the end of a run: final table and JSON object. */
#include "run/report.h"
#include "base/escape.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/resource.h>

#include "base/json.h"
#include "build_config.h"
#include "change/condition_state.h"
#include "change/swap.h"
#include "engine/bonds.h"
#include "engine/diagnostics.h"
#include "engine/digest.h"
#include "engine/energy.h"
#include "engine/loads.h"
#include "engine/warnings.h"
#include "plugin/events.h"
#include "plugin/kinds.h"
#include "run/run_manifest.h"

void scree_report_take(scree_report *report)
{
    const scree_sim *sim = report->sim;
    const GString *text = sim->scene->config->text;
    report->state_sha256 = scree_state_sha256(sim);
    report->scene_sha256 =
        g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)text->str, text->len);
    scree_energy_now(sim, &report->energy);
    scree_momentum(sim, report->momentum, report->angular_momentum);
    scree_figures_now(report->sim, ~(uint64_t)0, report->figures);
}

void scree_report_clear(scree_report *report)
{
    g_clear_pointer(&report->state_sha256, g_free);
    g_clear_pointer(&report->scene_sha256, g_free);
}

/** Returns the particle-steps per second in the steps, without the time of observers. */
static double particle_rate(const scree_report *report)
{
    double seconds = report->times.wall - report->times.observe_wall;
    return seconds > 0.0 && report->steps ? report->particle_steps / seconds : 0.0;
}

/** Returns the number of blocks of bodies; right after a renumbering, 1. */
static uint32_t count_blocks(const scree_sim *sim)
{
    uint32_t want = sim->contacts.want_blocks ? sim->contacts.want_blocks
                                              : sim->lane_tuner.lanes[sim->lane_tuner.top];
    return MAX(1, MIN(want, sim->world->n_free));
}

/* Returns means over the evaluations of the steps; without steps, values of the initial state. */
static double mean_candidates(const scree_sim *sim)
{
    return sim->counters.evaluations
               ? (double)sim->counters.sum_candidates / (double)sim->counters.evaluations
               : (double)sim->contacts.n_candidates;
}

static double mean_contacts(const scree_sim *sim)
{
    return sim->counters.evaluations
               ? (double)sim->counters.sum_contacts / (double)sim->counters.evaluations
               : (double)sim->counters.contacts;
}

/** Returns the overlapping tight boxes per committed pair; NaN: the GCD has committed no pair. */
static double accuracy(const scree_sim *sim)
{
    return sim->counters.committed
               ? (double)sim->counters.overlapping / (double)sim->counters.committed
               : (double)NAN;
}

/** Returns the peak of resident memory since the program's start. The kernel's ru_maxrss would
 * include the process that started it. */
static uint64_t peak_rss(void)
{
    static const char key[] = "\nVmHWM:"; // [KiB]
    g_autofree char *text = NULL;
    const char *at =
        g_file_get_contents("/proc/self/status", &text, NULL, NULL) ? strstr(text, key) : NULL;
    struct rusage usage;
    if (at)
        return g_ascii_strtoull(at + strlen(key), NULL, 10) * 1024u;
    return getrusage(RUSAGE_SELF, &usage) ? 0 : (uint64_t)usage.ru_maxrss * 1024u;
}

/** Returns the "model name" of the first processor; new string. */
static char *cpu_name(void)
{
    g_autofree char *text = NULL;
    if (!g_file_get_contents("/proc/cpuinfo", &text, NULL, NULL))
        return g_strdup("unknown");
    const char *key = strstr(text, "model name"), *colon = key ? strchr(key, ':') : NULL;
    return colon ? g_strstrip(g_strndup(colon + 1, strcspn(colon + 1, "\n"))) : g_strdup("unknown");
}

/** Lists each plugin in use once, also sources, whose instances are gone; new array of
 * scree_saved_plugin. */
static GArray *list_plugins(const scree_report *report)
{
    GArray *all = scree_run_plugins(report->sim, report->observers);
    for (guint i = all->len; i-- > 0;) {
        bool again = false;
        for (guint k = 0; k < i; k++)
            again |= g_array_index(all, scree_saved_plugin, k).plugin ==
                     g_array_index(all, scree_saved_plugin, i).plugin;
        if (again)
            g_array_remove_index(all, i);
    }
    return all;
}

static void print_head(const scree_report *report, FILE *out)
{
    const scree_sim *sim = report->sim;
    const scree_world *w = sim->world;
    g_autofree char *plain_title = scree_plain(sim->scene->title, SCREE_PLAIN_MOST);
    fprintf(out, "scene         %s (%s, %uD)\n", plain_title, sim->scene->name,
            sim->scene->dimension);
    fprintf(out, "bodies        %u: %u free, %u kinematic, %u fixed\n", w->n, w->n_free,
            w->n_kinematic, w->n - w->n_free - w->n_kinematic);
    fprintf(out, "steps         %" PRIu64 " of dt = %.9g s, to t = %.9g s%s\n", report->steps,
            sim->dt, scree_sim_time(sim), report->stopped ? " (stopped early)" : "");
}

/** Returns the condition of `stop` that ended the run, or NULL. */
static const scree_condition *ending(const scree_report *report)
{
    return report->ended_by < 0 ? NULL : report->sim->scene->stop->pdata[(guint)report->ended_by];
}

/** Prints a figure of the final state and its bodies; nothing if the figure has no meaning. */
static void print_figure(const scree_report *report, uint32_t k, FILE *out)
{
    const scree_figure_row *row = scree_figure_at(k);
    const double value = report->figures[k];
    uint64_t id[2];
    if (!row->title || isnan(value))
        return;
    fprintf(out, "%-13s %.4g %s", row->title, value, row->what);
    const uint32_t n = scree_figure_bodies(report->sim, k, value, id);
    if (n == 1)
        fprintf(out, ", of body %" PRIu64, id[0]);
    if (n == 2)
        fprintf(out, ", of bodies %" PRIu64 " and %" PRIu64, id[0], id[1]);
    putc('\n', out);
}

static void print_wall(const scree_wall_mean *one, uint32_t dimension, FILE *out)
{
    fprintf(out, "  %-11s force (", one->group);
    for (uint32_t k = 0; k < dimension; k++)
        fprintf(out, "%s%.6g", k ? ", " : "", one->mean[k]);
    fputs(") +- (", out);
    for (uint32_t k = 0; k < dimension; k++)
        fprintf(out, "%s%.2g", k ? ", " : "", one->spread[k]);
    fputs(") N", out);
    if (one->moves)
        fprintf(out, ", power %.6g +- %.2g W", one->mean[3], one->spread[3]);
    if (one->mean[4] != 0.0 || one->spread[4] > 0.0)
        fprintf(out, ", torque %.6g +- %.2g N m", one->mean[4], one->spread[4]);
    putc('\n', out);
}

/** Prints means over the last half of the run, for bodies that are not free. */
static void print_walls(const scree_report *report, FILE *out)
{
    const scree_sim *sim = report->sim;
    uint64_t n;
    double from;
    guint left_out;
    g_autoptr(GArray) means = scree_wall_samples_means(sim, &n, &from, &left_out);
    if (!means)
        return;
    fprintf(out,
            "walls         mean +- spread of %" PRIu64 " samples from t = %.6g s, the last half\n",
            n, from);
    for (guint k = 0; k < means->len; k++)
        print_wall(&g_array_index(means, scree_wall_mean, k), sim->scene->dimension, out);
    if (left_out)
        fprintf(out, "  %u more groups of walls\n", left_out);
}

/** Prints the energy that moving walls gave to the run, and the energy turned into heat. */
static void print_powers(const scree_report *report, FILE *out)
{
    const scree_sim *sim = report->sim;
    const double wall_work = scree_exact_sum_value(&sim->account.wall_work);
    double lost, duration;
    scree_wall_samples_run(sim, &lost, &duration);
    if (!(duration > 0.0))
        return;
    if (sim->world->n_kinematic)
        fprintf(out, "wall work     %.6g J by moving walls, %.6g W on average over this run\n",
                wall_work, wall_work / duration);
    fprintf(out, "dissipated    %.6g J in contacts, %.6g W on average over this run\n", lost,
            lost / duration);
}

static void print_state(const scree_report *report, FILE *out)
{
    if (ending(report))
        fprintf(out, "ended by      stop[%d], %s, at step %" PRIu64 "\n", report->ended_by,
                ending(report)->text, report->sim->step);
    scree_conditions_print(report->sim, out);
    for (uint32_t k = 0; scree_figure_at(k); k++)
        print_figure(report, k, out);
    print_walls(report, out);
    print_powers(report, out);
}

static void print_speed(const scree_report *report, FILE *out)
{
    const scree_sim *sim = report->sim;
    fprintf(out, "threads       %u, blocks %u, CPU level %s\n", scree_pool_lanes(sim->runtime.pool),
            count_blocks(sim), sim->kernels->level);
    fprintf(out, "wall time     %.3f s, set-up %.3f s\n", report->times.wall, report->setup_s);
    fprintf(out, "speed         %.4g particle-steps/s (free bodies, only the step loop)\n",
            particle_rate(report));
}

static void print_phases(const scree_report *report, FILE *out)
{
    const scree_phase_times *t = &report->times;
    fprintf(out, "phases        seconds over threads     %%\n");
    for (int p = 0; p < SCREE_PHASES; p++)
        fprintf(out, "  %-11s %18.3f %7.1f\n", scree_phase_name((scree_phase)p), t->row[p],
                t->total > 0.0 ? 100.0 * t->row[p] / t->total : 0.0);
}

static void print_contacts(const scree_report *report, FILE *out)
{
    const scree_sim *sim = report->sim;
    fprintf(out, "gcd calls     %" PRIu64 "\n", sim->counters.gcd_calls);
    fprintf(out, "candidates    %.6g on average over the steps\n", mean_candidates(sim));
    fprintf(out, "contacts      %.6g on average over the steps, %" PRIu64 " at the end\n",
            mean_contacts(sim), sim->counters.contacts);
    if (scree_bonds_law(sim))
        fprintf(out, "bonds         %" PRIu64 " at the end\n", scree_bonds_count(sim));
    if (sim->counters.destroyed)
        fprintf(out, "destroyed     %" PRIu64 " free bodies that left the region\n",
                sim->counters.destroyed);
    if (scree_check_outside(sim))
        fprintf(out,
                "outside       %u free bodies are outside the region, whose boundary is open\n",
                scree_check_outside(sim));
    if (sim->counters.committed)
        fprintf(out, "accuracy      %.4g (overlapping tight boxes / committed pairs)\n",
                accuracy(sim));
    fprintf(out, "peak memory   %.1f MiB\n", (double)peak_rss() / 1048576.0);
}

static void print_account(const scree_report *report, FILE *out)
{
    const scree_energy *e = &report->energy;
    const double *p = report->momentum, *l = report->angular_momentum;
    fprintf(out,
            "energy [J]    kinetic %.6g + gravity %.6g + stored %.6g + lost %.6g - work %.6g\n"
            "              = start %.6g + residual %.3g\n",
            e->kinetic, e->gravity, e->stored, e->lost, e->work, e->start, e->residual);
    fprintf(out, "momentum      (%.6g, %.6g, %.6g) kg m/s, angular (%.6g, %.6g, %.6g) kg m^2/s\n",
            p[0], p[1], p[2], l[0], l[1], l[2]);
}

/** Takes a global field of a modifier, with its components. */
typedef void (*field_fn)(void *user, const scree_field *field, const double *values);

static void each_field(const scree_sim *sim, const scree_instance *modifier, field_fn take,
                       void *user)
{
    uint32_t at = modifier->first_global_field;
    for (uint32_t f = 0; f < modifier->plugin->n_fields; f++) {
        const scree_field *field = modifier->plugin->fields[f];
        if (field->scope != SCREE_SCOPE_GLOBAL)
            continue;
        take(user, field, sim->plugins.body.global_field + at);
        at += field->components;
    }
}

static bool has_unit(const scree_field *field)
{
    return field->unit && *field->unit && strcmp(field->unit, "-") != 0;
}

static void append_field(void *user, const scree_field *field, const double *values)
{
    GString *line = user;
    g_string_append_printf(line, "%s%s", line->len ? ", " : "", field->name);
    for (uint32_t k = 0; k < field->components; k++)
        g_string_append_printf(line, " %.9g", values[k]);
    if (has_unit(field))
        g_string_append_printf(line, " %s", field->unit);
}

static void append_event(void *user, const char *name, uint64_t count)
{
    GString *line = user;
    g_string_append_printf(line, "%s%s %" PRIu64, line->len ? ", " : "", name, count);
}

/** Prints how often plugins have reported each event. */
static void print_events(const scree_report *report, FILE *out)
{
    g_autoptr(GString) line = g_string_new(NULL);
    scree_event_log_each(report->sim->runtime.events, append_event, line);
    if (line->len)
        fprintf(out, "events        %s%s\n", line->str,
                report->folder ? " (" SCREE_EVENTS_FILE ")" : "");
}

/** Prints the global fields of modifiers. */
static void print_modifiers(const scree_report *report, FILE *out)
{
    const scree_sim *sim = report->sim;
    const char *title = "modifiers";
    for (guint m = 0; m < sim->plugins.body.modifiers->len; m++) {
        const scree_timed_choice *timed = sim->plugins.body.modifier_slots->pdata[m];
        g_autoptr(GString) line = g_string_new(NULL);
        each_field(sim, sim->plugins.body.modifiers->pdata[m], append_field, line);
        if (!line->len)
            continue;
        fprintf(out, "%-13s %s: %s\n", title, timed->name, line->str);
        title = "";
    }
}

static void print_plugins(const scree_report *report, FILE *out)
{
    g_autoptr(GArray) all = list_plugins(report);
    for (guint i = 0; i < all->len; i++) {
        const scree_plugin *plugin = g_array_index(all, scree_saved_plugin, i).plugin;
        fprintf(out, "%-13s %s/%s %s\n", i ? "" : "plugins", scree_kind_name(plugin->kind),
                plugin->id, plugin->version);
    }
    bool first = true;
    for (guint i = 0; i < all->len; i++) {
        const scree_plugin *plugin = g_array_index(all, scree_saved_plugin, i).plugin;
        if (!plugin->citation)
            continue;
        g_auto(GStrv) lines = g_strsplit(plugin->citation, "\n", -1);
        for (char **line = lines; *line; line++, first = false)
            if (**line)
                fprintf(out, "%-13s %s\n", first ? "cite" : "", *line);
    }
}

void scree_report_print(const scree_report *report, FILE *out)
{
    print_head(report, out);
    print_state(report, out);
    print_account(report, out);
    print_speed(report, out);
    print_phases(report, out);
    print_contacts(report, out);
    print_modifiers(report, out);
    print_events(report, out);
    scree_diagnostics_print(report->sim, out);
    scree_swaps_summary(report->sim, out);
    print_plugins(report, out);
    if (report->folder)
        fprintf(out, "folder        %s\n", report->folder);
    fprintf(out, "state_sha256  %s\n", report->state_sha256);
}

static void write_vector(scree_json *json, const char *key, const double v[3])
{
    scree_json_open_array(json, key);
    for (int k = 0; k < 3; k++)
        scree_json_real(json, NULL, v[k]);
    scree_json_close_array(json);
}

/** Writes the bodies of figure k: "max_speed_body", "max_overlap_bodies". */
static void write_bodies_of(const scree_report *report, uint32_t k, scree_json *json)
{
    const scree_figure_row *row = scree_figure_at(k);
    const bool one = row->n_bodies == 1;
    uint64_t id[2];
    const uint32_t n = scree_figure_bodies(report->sim, k, report->figures[k], id);
    g_autofree char *key = g_strconcat(row->name, one ? "_body" : "_bodies", NULL);
    if (one && n) {
        scree_json_uint(json, key, id[0]);
        return;
    }
    if (one) {
        scree_json_string(json, key, NULL);
        return;
    }
    scree_json_open_array(json, key);
    for (uint32_t i = 0; i < n; i++)
        scree_json_uint(json, NULL, id[i]);
    scree_json_close_array(json);
}

static void write_wall(const scree_wall_mean *one, scree_json *json)
{
    scree_json_open_object(json, NULL);
    scree_json_string(json, "group", one->group);
    write_vector(json, "force", one->mean);
    write_vector(json, "force_spread", one->spread);
    scree_json_real(json, "power", one->mean[3]);
    scree_json_real(json, "power_spread", one->spread[3]);
    scree_json_real(json, "torque", one->mean[4]);
    scree_json_real(json, "torque_spread", one->spread[4]);
    scree_json_close_object(json);
}

static void write_walls(const scree_report *report, scree_json *json)
{
    uint64_t n = 0;
    double from = (double)NAN, lost, duration;
    guint left_out = 0;
    g_autoptr(GArray) means = scree_wall_samples_means(report->sim, &n, &from, &left_out);
    scree_json_open_object(json, "walls");
    scree_json_uint(json, "samples", n);
    scree_json_real(json, "from", from);
    scree_json_open_array(json, "groups");
    const guint n_groups = means ? means->len : 0;
    for (guint k = 0; k < n_groups; k++)
        write_wall(&g_array_index(means, scree_wall_mean, k), json);
    scree_json_close_array(json);
    scree_json_uint(json, "left_out", left_out);
    scree_json_close_object(json);
    scree_wall_samples_run(report->sim, &lost, &duration);
    scree_json_real(json, "duration", duration);
    scree_json_real(json, "wall_work", scree_exact_sum_value(&report->sim->account.wall_work));
    scree_json_real(json, "dissipated", lost);
}

static void write_figures(const scree_report *report, scree_json *json)
{
    for (uint32_t k = 0; scree_figure_at(k); k++)
        if (scree_figure_at(k)->in_json)
            scree_json_real(json, scree_figure_at(k)->name, report->figures[k]);
    for (uint32_t k = 0; scree_figure_at(k); k++)
        if (scree_figure_at(k)->n_bodies)
            write_bodies_of(report, k, json);
    write_walls(report, json);
    if (!ending(report)) {
        scree_json_string(json, "ended_by", NULL);
        return;
    }
    scree_json_open_object(json, "ended_by");
    scree_json_uint(json, "stop", (uint64_t)report->ended_by);
    scree_json_string(json, "when", ending(report)->text);
    scree_json_uint(json, "step", report->sim->step);
    scree_json_real(json, "time", scree_sim_time(report->sim));
    scree_json_close_object(json);
}

static void write_head(const scree_report *report, scree_json *json)
{
    const scree_sim *sim = report->sim;
    const scree_world *w = sim->world;
    scree_json_string(json, "title", sim->scene->title);
    scree_json_uint(json, "dimension", sim->scene->dimension);
    scree_json_uint(json, "steps", report->steps);
    scree_json_real(json, "dt", sim->dt);
    scree_json_real(json, "critical_step", sim->critical);
    scree_json_real(json, "time", scree_sim_time(sim));
    scree_json_uint(json, "bodies", w->n);
    scree_json_uint(json, "free", w->n_free);
    scree_json_uint(json, "kinematic", w->n_kinematic);
    scree_json_uint(json, "fixed", w->n - w->n_free - w->n_kinematic);
    write_figures(report, json);
    scree_json_uint(json, "threads", scree_pool_lanes(sim->runtime.pool));
    scree_json_uint(json, "blocks", count_blocks(sim));
    scree_json_string(json, "cpu_level", sim->kernels->level);
    scree_json_real(json, "setup_s", report->setup_s);
    scree_json_real(json, "wall_s", report->times.wall);
    scree_json_real(json, "particle_steps_per_s", particle_rate(report));
}

static void write_measures(const scree_report *report, scree_json *json)
{
    const scree_sim *sim = report->sim;
    const scree_energy *e = &report->energy;
    scree_json_open_object(json, "phases");
    for (int p = 0; p < SCREE_PHASES; p++)
        scree_json_real(json, scree_phase_name((scree_phase)p), report->times.row[p]);
    scree_json_close_object(json);
    scree_json_uint(json, "gcd_calls", sim->counters.gcd_calls);
    scree_json_real(json, "gcd_wall_s", report->times.gcd_wall);
    scree_json_real(json, "candidates", mean_candidates(sim));
    scree_json_real(json, "contacts", mean_contacts(sim));
    scree_json_uint(json, "contacts_at_end", sim->counters.contacts);
    scree_json_uint(json, "bonds_at_end", scree_bonds_count(sim));
    scree_json_uint(json, "destroyed", sim->counters.destroyed);
    scree_json_uint(json, "outside", scree_check_outside(sim));
    scree_json_real(json, "accuracy", accuracy(sim));
    scree_json_open_object(json, "energy");
    scree_json_real(json, "kinetic", e->kinetic);
    scree_json_real(json, "gravity", e->gravity);
    scree_json_real(json, "stored", e->stored);
    scree_json_real(json, "lost", e->lost);
    scree_json_real(json, "work", e->work);
    scree_json_real(json, "start", e->start);
    scree_json_real(json, "residual", e->residual);
    scree_json_close_object(json);
    write_vector(json, "momentum", report->momentum);
    write_vector(json, "angular_momentum", report->angular_momentum);
    scree_json_uint(json, "peak_rss_bytes", peak_rss());
}

static void write_field(void *user, const scree_field *field, const double *values)
{
    scree_json *json = user;
    if (field->components == 1) {
        scree_json_real(json, field->name, values[0]);
        return;
    }
    scree_json_open_array(json, field->name);
    for (uint32_t k = 0; k < field->components; k++)
        scree_json_real(json, NULL, values[k]);
    scree_json_close_array(json);
}

static void write_modifiers(const scree_report *report, scree_json *json)
{
    const scree_sim *sim = report->sim;
    scree_json_open_array(json, "modifiers");
    for (guint m = 0; m < sim->plugins.body.modifiers->len; m++) {
        const scree_timed_choice *timed = sim->plugins.body.modifier_slots->pdata[m];
        scree_json_open_object(json, NULL);
        scree_json_string(json, "name", timed->name);
        scree_json_string(json, "plugin", timed->choice->plugin->id);
        scree_json_open_object(json, "fields");
        each_field(sim, sim->plugins.body.modifiers->pdata[m], write_field, json);
        scree_json_close_object(json);
        scree_json_close_object(json);
    }
    scree_json_close_array(json);
}

/** Writes the last scalars of the observers by their names. */
static void write_observers(const scree_report *report, scree_json *json)
{
    scree_json_open_object(json, "observers");
    for (uint32_t i = 0; i < scree_observers_count(report->observers); i++) {
        const scree_instance *one = scree_observers_instance(report->observers, i);
        const double *value = scree_observers_scalars(report->observers, i);
        if (!one->n_scalars)
            continue;
        scree_json_open_object(json, strchr(one->slot, '.') + 1);
        for (uint32_t k = 0; k < one->n_scalars; k++)
            scree_json_real(json, one->kept_scalars[k].name, value[k]);
        scree_json_close_object(json);
    }
    scree_json_close_object(json);
}

static void write_event(void *user, const char *name, uint64_t count)
{
    scree_json_uint(user, name, count);
}

static void write_events(const scree_report *report, scree_json *json)
{
    scree_json_open_object(json, "events");
    scree_event_log_each(report->sim->runtime.events, write_event, json);
    scree_json_close_object(json);
}

static void write_plugins(const scree_report *report, scree_json *json)
{
    g_autoptr(GArray) all = list_plugins(report);
    scree_json_open_array(json, "plugins");
    for (guint i = 0; i < all->len; i++) {
        const scree_saved_plugin *one = &g_array_index(all, scree_saved_plugin, i);
        scree_json_open_object(json, NULL);
        scree_json_string(json, "kind", one->kind);
        scree_json_string(json, "id", one->id);
        scree_json_string(json, "version", one->version);
        scree_json_string(json, "file", one->path);
        scree_json_string(json, "sha256", one->sha256);
        scree_json_close_object(json);
    }
    scree_json_close_array(json);
}

static void write_machine(scree_json *json)
{
    g_autofree char *cpu = cpu_name();
    scree_json_open_object(json, "machine");
    scree_json_string(json, "cpu", cpu);
    scree_json_uint(json, "cores", g_get_num_processors());
    scree_json_string(json, "compiler", SCREE_COMPILER);
    scree_json_string(json, "flags", SCREE_FLAGS);
    scree_json_close_object(json);
}

char *scree_report_json(const scree_report *report)
{
    g_autoptr(scree_json) json = scree_json_new();
    scree_json_open_object(json, NULL);
    write_head(report, json);
    write_measures(report, json);
    write_modifiers(report, json);
    write_observers(report, json);
    write_events(report, json);
    scree_diagnostics_json(report->sim, json);
    scree_swaps_json(report->sim, json);
    scree_conditions_json(report->sim, json);
    scree_json_bool(json, "stopped", report->stopped);
    scree_json_string(json, "state_sha256", report->state_sha256);
    scree_json_string(json, "scene_sha256", report->scene_sha256);
    write_plugins(report, json);
    write_machine(json);
    scree_json_string(json, "folder", report->folder);
    scree_json_close_object(json);
    return g_strdup(scree_json_text(json));
}
