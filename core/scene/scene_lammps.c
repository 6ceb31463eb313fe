// SPDX-License-Identifier: Apache-2.0
// Bodies from LAMMPS data files: units, materials of types, densities and box checked.
#include "scene/scene_lammps.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "scene/scene_body.h"
#include "shape/lammps_data.h"
#include "shape/shape.h"

/** Factors from numbers of the file to SI. */
typedef struct unit_style {
    const char *name;
    double length, density, speed, spin;
} unit_style;

static const unit_style styles[] = {
    {"si", 1.0, 1.0, 1.0, 1.0},    {"cgs", 0.01, 1e3, 0.01, 1.0}, {"micro", 1e-6, 1e3, 1.0, 1e6},
    {"nano", 1e-9, 1e6, 1.0, 1e9}, {"lj", 1.0, 1.0, 1.0, 1.0},
};

typedef struct lammps_bodies {
    scree_build *build;
    const scree_lammps_data *data;
    const unit_style *style;
    uint32_t *material; // [n_materials] of type - 1
    uint32_t n_materials;
    bool any_density;
} lammps_bodies;

/** By the key `units`, or by the file's title; NULL with a problem. */
static const unit_style *find_style(scree_build *b, scree_node *group, const scree_lammps_data *d)
{
    static const char *const names[] = {"si", "cgs", "micro", "nano", "lj", NULL};
    int chosen = scree_config_choice(b->config, group, "units", names, -1);
    int said = -1;
    if (d->units)
        for (int i = 0; names[i]; i++)
            if (strcmp(names[i], d->units) == 0)
                said = i;
    if (d->units && said < 0) {
        scree_config_problem(b->config, scree_config_child(group, "file"),
                             "%s has units %s; si, cgs, micro, nano and lj are read", d->file,
                             d->units);
        return NULL;
    }
    if (chosen >= 0 && said >= 0 && chosen != said) {
        scree_config_problem(b->config, scree_config_child(group, "units"),
                             "%s says units = %s itself", d->file, d->units);
        return NULL;
    }
    return &styles[chosen >= 0 ? chosen : said >= 0 ? said : 0];
}

/** The material of each type: by `types`, by labels, or the only one. */
static bool find_materials(scree_build *b, scree_node *group, const scree_look *look,
                           lammps_bodies *t)
{
    scree_node *list = scree_config_list(b->config, group, "types");
    const scree_lammps_data *d = t->data;
    uint32_t before = b->config->problems->len;
    uint32_t n = list ? list->children->len : d->labels->len;
    t->material = g_new0(uint32_t, n + 1);
    t->n_materials = n;
    for (uint32_t i = 0; i < n; i++) {
        const scree_node *node =
            list ? list->children->pdata[i] : scree_config_child(group, "file");
        const char *word = list ? (node->type == SCREE_NODE_STRING ? node->s : NULL)
                           : d->labels->pdata[i] ? d->labels->pdata[i]
                                                 : "";
        int m = -1;
        if (word)
            m = scree_build_find_material(b, node, NULL, word);
        else
            scree_config_problem(b->config, node, "expected the name of a material");
        t->material[i] = m < 0 ? 0 : (uint32_t)m;
    }
    if (list && d->n_types >= 0 && n != (uint64_t)d->n_types)
        scree_config_problem(b->config, list,
                             "%u materials, but %s has %" G_GINT64_FORMAT " atom types", n, d->file,
                             d->n_types);
    if (!list && n == 0 && scree_config_child(group, "types"))
        return false; // no list: said already
    if (n == 0) {     // without a map all are of the group's material
        uint32_t highest = 0;
        for (guint i = 0; i < d->atoms->len; i++)
            highest = MAX(highest, g_array_index(d->atoms, scree_lammps_atom, i).type);
        if (!look->has_material ||
            (highest > 1 && b->scene->materials.n > 1 && !scree_config_child(group, "material")))
            scree_config_problem(b->config, group,
                                 "types = [..] is missing: the material of each of the %u atom "
                                 "types of %s",
                                 highest, d->file);
        else
            t->material[0] = look->material;
    }
    return b->config->problems->len == before;
}

/** A periodic box must be that of the file; another region is reported. */
static void check_box(scree_build *b, scree_node *group, const lammps_bodies *t)
{
    const scree_scene *s = b->scene;
    const scree_lammps_data *d = t->data;
    scree_node *at = scree_config_child(group, "file");
    g_autoptr(GString) other = g_string_new(NULL);
    for (uint32_t k = 0; k < s->dimension; k++) {
        double lo = d->lo[k] * t->style->length, hi = d->hi[k] * t->style->length;
        bool same = s->has_region && fabs(lo - s->region_min[k]) <= 1e-9 * (hi - lo) &&
                    fabs(hi - s->region_max[k]) <= 1e-9 * (hi - lo);
        if (!d->bounded[k] || same)
            continue;
        if (s->boundary[k] == SCREE_BOUNDARY_PERIODIC)
            scree_config_problem(
                b->config, at,
                "the box of %s along %c is %.10g m to %.10g m; scene.region, which "
                "is periodic, must agree (%.10g m to %.10g m)",
                d->file, "xyz"[k], lo, hi, s -> region_min[k], s -> region_max[k]);
        else
            g_string_append_printf(other, "%s %c %.10g m to %.10g m", other->len ? "," : "",
                                   "xyz"[k], lo, hi);
    }
    if (other->len)
        scree_config_note(b->config, at, "the box of %s is%s; %s", d->file, other->str,
                          s->has_region ? "scene.region differs" : "the scene has no region");
    if (d->has_images)
        scree_config_note(b->config, at,
                          "%s: image counts are not taken over; bodies start in the box", d->file);
}

/** One atom as a body; false: it had a problem. */
static bool add_atom(const lammps_bodies *t, const scree_node *at, const scree_lammps_atom *a,
                     scree_body body)
{
    scree_build *b = t->build;
    const scree_place place = {t->data->file, a->line};
    uint32_t before = b->config->problems->len;
    if (t->n_materials > 0 && a->type > t->n_materials) {
        scree_config_problem(b->config, NULL, "%s:%u: type %u; types has %u materials", place.file,
                             place.line, a->type, t->n_materials);
        return false;
    }
    body.id = a->id;
    body.scale = 0.5 * a->diameter * t->style->length;
    body.material = t->material[t->n_materials > 0 ? a->type - 1 : 0];
    for (int k = 0; k < 3; k++) {
        body.x[k] = a->x[k] * t->style->length;
        if (t->data->has_velocities) {
            body.v[k] = a->v[k] * t->style->speed;
            body.w[k] = a->w[k] * t->style->spin;
        }
    }
    double density = a->density * t->style->density, wanted = b->scene->density[body.material];
    if (!t->any_density && fabs(density - wanted) > 1e-6 * wanted)
        scree_config_problem(b->config, NULL,
                             "%s:%u: a density of %.10g kg/m^3; material '%s' has %.10g (density = "
                             "\"material\" takes that one)",
                             place.file, place.line, density,
                             b->scene->materials.names[body.material], wanted);
    scree_build_check_body(b, &place, &body);
    if (b->config->problems->len == before)
        scree_build_add(b, at, &place, body);
    return b->config->problems->len == before;
}

void scree_build_lammps(scree_build *b, scree_node *group, const scree_look *look, scree_body body)
{
    static const char *const densities[] = {"check", "material", NULL};
    g_autofree char *path = scree_build_file(b, group, "file");
    g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    scree_node *at = scree_config_child(group, "file");
    size_t length;
    lammps_bodies t = {.build = b};
    t.any_density = scree_config_choice(b->config, group, "density", densities, 0) == 1;
    scree_config_child(group, "units");
    scree_config_child(group, "types");
    if (look->sized)
        scree_config_problem(b->config, at,
                             scree_shape_is_round(look->shape)
                                 ? "the file has diameters, but the group gives a size too"
                                 : "atoms are spheres, but the group has another shape");
    g_autofree char *bytes = path ? scree_text_load(path, &length, problems) : NULL;
    g_autoptr(scree_lammps_data) data =
        bytes ? scree_lammps_parse(bytes, length, path, problems, notes) : NULL;
    for (uint32_t i = 0; i < problems->len; i++)
        scree_config_problem(b->config, NULL, "%s", (const char *)problems->pdata[i]);
    for (uint32_t i = 0; i < notes->len; i++)
        scree_config_note(b->config, NULL, "%s", (const char *)notes->pdata[i]);
    t.data = data;
    if (!data || look->sized || !(t.style = find_style(b, group, data)))
        return;
    if (find_materials(b, group, look, &t)) {
        uint32_t wrong = 0;
        check_box(b, group, &t);
        for (guint i = 0; i < data->atoms->len && wrong < 20; i++)
            wrong += !add_atom(&t, at, &g_array_index(data->atoms, scree_lammps_atom, i), body);
        if (wrong == 20)
            scree_config_problem(b->config, at, "%s: further mistakes are not shown", path);
    }
    g_free(t.material);
}
