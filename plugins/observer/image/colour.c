// SPDX-License-Identifier: Apache-2.0
// Part of observer/image: the field that colours bodies, its range, its colours.
/*
 * Sources
 *   [1] S. van der Walt, N. Smith, A better default colormap for Matplotlib, SciPy 2015: viridis
 * and inferno, with steps that look even; the tables have 33 of their 256 colours (CC0). [2] J. R.
 * Nuñez, C. R. Anderton, R. S. Renslow, PLOS ONE 13 (2018) e0199239: cividis, which looks the same
 * to people who see no red or no green. [3] M. Okabe, K. Ito, Color Universal Design (2008): eight
 * colours that nearly all people can distinguish. Between two colours of a table the values are
 * interpolated: at most 2 of 255 from the whole table of [1], 6 from that of [2].
 */
#include <inttypes.h>

#include "image.h"

#define STOPS 33

static const uint32_t maps[][STOPS] = {
    {0x440154, 0x470d60, 0x48186a, 0x482374, 0x472d7b, 0x453681, 0x424086, 0x3f4989, 0x3b528b,
     0x375a8d, 0x33638d, 0x2f6a8e, 0x2c728e, 0x297a8e, 0x26818e, 0x23898e, 0x21908c, 0x1f988b,
     0x1f9f88, 0x21a685, 0x28ae80, 0x31b57b, 0x3ebc74, 0x4cc26c, 0x5dc963, 0x6ece58, 0x82d34c,
     0x96d83f, 0xabdc32, 0xc0df24, 0xd5e21a, 0xeae51a, 0xfde725},
    {0x00224e, 0x00285b, 0x002e6a, 0x043371, 0x1a386f, 0x273e6e, 0x32436d, 0x3b496c, 0x434e6c,
     0x4b546c, 0x52596d, 0x5a5f6e, 0x61656f, 0x686a71, 0x6f7073, 0x757676, 0x7c7b78, 0x848179,
     0x8b8778, 0x938d78, 0x9b9376, 0xa39a75, 0xaba072, 0xb3a670, 0xbbad6c, 0xc3b469, 0xccba64,
     0xd4c15f, 0xddc958, 0xe6d051, 0xefd748, 0xf8df3c, 0xfee838},
    {0x000004, 0x040312, 0x0b0724, 0x150b37, 0x210c4a, 0x2e0a5a, 0x3c0965, 0x4a0c6b, 0x57106d,
     0x63146e, 0x70196e, 0x7d1e6d, 0x89226a, 0x962766, 0xa32b61, 0xaf315c, 0xbb3755, 0xc63e4d,
     0xd14644, 0xdb4f3b, 0xe35932, 0xeb6528, 0xf1711e, 0xf67f14, 0xf98d0a, 0xfb9c06, 0xfcab0f,
     0xfbba1f, 0xf9ca32, 0xf5d949, 0xf2e865, 0xf3f586, 0xfcffa4},
};

static const uint32_t class_colours[CLASSES] = {0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7,
                                                0x56b4e9, 0xd55e00, 0xf0e442, 0x999999};

static const struct {
    const char *name, *unit;
    int from_zero;      // the range starts at 0 unless it is given
    const char *vector; // name of the vector whose length it is
} fields[] = {
    [COLOUR_SPEED] = {"speed", "m/s", 1, "velocity"},
    [COLOUR_SPIN] = {"spin", "rad/s", 1, "spin"},
    [COLOUR_RADIUS] = {"radius", "m", 0, NULL},
    [COLOUR_HEIGHT] = {"height", "m", 0, NULL},
    [COLOUR_FORCE] = {"net force", "N", 1, "net force"},
    [COLOUR_LOAD] = {"sum of contact forces", "N", 1, NULL},
    [COLOUR_COORDINATION] = {"contacts", "", 1, NULL},
    [COLOUR_ID] = {"id", "", 0, NULL},
    [COLOUR_GROUP] = {"group", "", 0, NULL},
    [COLOUR_MATERIAL] = {"material", "", 0, NULL},
    [COLOUR_NONE] = {"", "", 0, NULL},
    [COLOUR_FIELD] = {"", "", 0, NULL},
};

static rgb from_hex(uint32_t hex)
{
    rgb out = {{(float)(hex >> 16 & 255) / 255.0f, (float)(hex >> 8 & 255) / 255.0f,
                (float)(hex & 255) / 255.0f}};
    return out;
}

int read_colour(const char *text, rgb *out, float *alpha)
{
    static const struct {
        const char *name;
        uint32_t hex;
        float alpha;
    } names[] = {{"white", 0xffffff, 1.0f}, {"black", 0x000000, 1.0f}, {"transparent", 0, 0.0f}};
    *alpha = 1.0f;
    for (uint32_t k = 0; k < SCREE_COUNT(names); k++)
        if (strcmp(text, names[k].name) == 0) {
            *out = from_hex(names[k].hex);
            *alpha = names[k].alpha;
            return 1;
        }
    if (text[0] != '#' || strlen(text) != 7 || strspn(text + 1, "0123456789abcdefABCDEF") != 6)
        return 0;
    *out = from_hex((uint32_t)strtoul(text + 1, NULL, 16));
    return 1;
}

rgb map_colour(int32_t map, double t)
{
    double at = (t > 0.0 ? t < 1.0 ? t : 1.0 : 0.0) * (STOPS - 1);
    int stop = at < STOPS - 2 ? (int)at : STOPS - 2;
    float f = (float)(at - stop);
    rgb a = from_hex(maps[map][stop]), b = from_hex(maps[map][stop + 1]);
    for (int k = 0; k < 3; k++)
        a.c[k] += f * (b.c[k] - a.c[k]);
    return a;
}

rgb bar_colour(const legend *l, double t)
{
    return map_colour(l->map, l->reversed ? 1.0 - 0.85 * t : t);
}

rgb class_colour(uint64_t index)
{
    return from_hex(class_colours[index % CLASSES]);
}

/* Adds the number of contacts of each body, or the sum of their forces. */
static void add_contacts(image *self, const scree_view *view)
{
    const scree_contact_list *list = view->contacts;
    double *value = self->drawing.value;
    memset(value, 0, view->bodies->n * sizeof *value);
    if (list)
        for (uint64_t c = 0; c < list->n; c++) {
            double f[3] = {list->f[0][c], list->f[1][c], list->f[2][c]};
            double more =
                self->config->colour == COLOUR_LOAD ? sqrt(dot(f, f)) : list->depth[c] >= 0.0;
            value[list->a[c]] += more;
            value[list->b[c]] += more;
        }
}

static int has_classes(const image *self)
{
    return self->config->colour == COLOUR_GROUP || self->config->colour == COLOUR_MATERIAL;
}

int has_range(const image *self)
{
    return !self->config->range.n && !has_classes(self) && self->config->colour != COLOUR_NONE;
}

/* Bodies that are not free have the colour of walls; groups and materials colour those that have a
 * volume. */
static int is_coloured(const image *self, const scree_bodies *b, uint32_t i)
{
    const uint32_t flat = SCREE_CAP_WALL | SCREE_CAP_INFINITE;
    return b->motion[i] == SCREE_MOTION_FREE ||
           (has_classes(self) && !(b->shapes[b->shape[i]]->flags & flat));
}

static int is_shown(const image *self, const scree_view *view, uint32_t i)
{
    return is_coloured(self, view->bodies, i) && !is_hidden(self, view->bodies->group[i]);
}

/* Number of a group among those met so far, or the last one, which all further groups share. */
static uint64_t group_class(const image *self, const char *name, int *known)
{
    *known = 1;
    for (uint64_t k = 0; k < self->n_classes; k++)
        if (self->classes[k] == name || strcmp(self->classes[k], name) == 0)
            return k;
    *known = 0;
    return CLASSES - 1;
}

/* Groups get their colours in the order of their lowest ids. */
static void meet_groups(image *self, const scree_view *view)
{
    const char *next = "";
    while (next && self->n_classes < CLASSES) {
        uint64_t least = UINT64_MAX;
        int known;
        next = NULL;
        for (uint32_t i = 0; i < view->bodies->n; i++) {
            if (view->bodies->id[i] >= least || !is_shown(self, view, i))
                continue;
            const char *name = group_name(self->names, view->bodies->group[i]);
            group_class(self, name, &known);
            if (known)
                continue;
            least = view->bodies->id[i];
            next = name;
        }
        if (next)
            self->classes[self->n_classes++] = next;
    }
}

/* Component `which` of n, or their length; the value if n is 1. */
static double part_of(const double *const v[], uint32_t n, int32_t which, uint64_t i)
{
    double sum = 0.0;
    if (which != COMPONENT_LENGTH || n == 1)
        return v[n == 1 ? 0 : which][i];
    for (uint32_t k = 0; k < n; k++)
        sum += v[k][i] * v[k][i];
    return sqrt(sum);
}

static double value_of(const image *self, const scree_view *view, uint32_t i)
{
    int known;
    const scree_bodies *b = view->bodies;
    const double x[3] = {b->x[0][i], b->x[1][i], b->x[2][i]};
    const double *const f[3] = {b->wrench, b->wrench + 1, b->wrench + 2};
    const int32_t part = self->config->component;
    switch (self->config->colour) {
    case COLOUR_SPEED:
        return part_of(b->v, 3, part, i);
    case COLOUR_SPIN:
        return part_of(b->w, 3, part, i);
    case COLOUR_RADIUS:
        return b->radius[i];
    case COLOUR_HEIGHT:
        return dot(x, self->camera.up);
    case COLOUR_FORCE:
        return part_of(f, 3, part, 8 * (uint64_t)i);
    case COLOUR_ID:
        return (double)b->id[i];
    case COLOUR_GROUP:
        return (double)group_class(self, group_name(self->names, b->group[i]), &known);
    case COLOUR_MATERIAL:
        return (double)b->material[i];
    case COLOUR_FIELD:
        return part_of(b->used[0]->v, b->used[0]->components, part, i);
    default:
        return 0.0;
    }
}

/* The range of all pictures so far. */
static void widen_range(image *self, const scree_view *view)
{
    legend *l = &self->drawing.legend;
    for (uint32_t i = 0; i < view->bodies->n; i++)
        if (is_shown(self, view, i)) {
            l->least = fmin(l->least, self->drawing.value[i]);
            l->most = fmax(l->most, self->drawing.value[i]);
        }
    if (fields[l->kind].from_zero && self->config->component == COMPONENT_LENGTH)
        l->least = 0.0;
}

const char *unit_prefix(double most, double *factor)
{
    static const struct {
        double least, factor;
        const char *prefix;
    } prefixes[] = {{1e6, 1e6, "M"},   {1e4, 1e3, "k"},    {0.1, 1.0, ""},   {1e-4, 1e-3, "m"},
                    {1e-7, 1e-6, "µ"}, {1e-10, 1e-9, "n"}, {0.0, 1e-12, "p"}};
    uint32_t k = 0;
    while (most < prefixes[k].least)
        k++;
    *factor = prefixes[k].factor;
    return prefixes[k].prefix;
}

void set_bar(legend *l, const scree_reals *given)
{
    const char *prefix = "";
    l->lo = l->least;
    l->hi = l->most;
    if (l->lo > l->hi) // no body yet
        l->lo = l->hi = 0.0;
    if (l->hi <= l->lo) // all values are equal: give the range some width
        l->hi = l->lo + (l->lo != 0.0 ? fabs(l->lo) : 1.0);
    const double half = 0.5 * tick_distance(l->hi - l->lo); // the ends are round
    l->lo = half * floor(l->lo / half + 1e-9);
    l->hi = half * ceil(l->hi / half - 1e-9);
    if (given && given->n) {
        l->lo = given->v[0];
        l->hi = given->v[1];
    }
    l->scale = 1.0;
    if (l->unit[0])
        prefix = unit_prefix(fmax(fabs(l->lo), fabs(l->hi)), &l->scale);
    snprintf(l->label, sizeof l->label, l->unit[0] ? "%s [%s%s]" : "%s", l->name, prefix, l->unit);
}

static void name_classes(image *self, const scree_view *view)
{
    static const char *const numbers[CLASSES] = {"0", "1", "2", "3", "4", "5", "6", "7"};
    legend *l = &self->drawing.legend;
    uint32_t n = self->config->colour == COLOUR_GROUP ? (uint32_t)self->n_classes
                                                      : view->bodies->n_materials;
    l->n_names = n < CLASSES ? n : CLASSES;
    for (uint32_t k = 0; k < l->n_names; k++)
        l->names[k] = self->config->colour == COLOUR_GROUP ? self->classes[k] : numbers[k];
    snprintf(l->label, sizeof l->label, "%s", l->name);
}

/* Names the bar of the bodies, once. */
static int32_t start_legend(image *self, const scree_view *view)
{
    legend *l = &self->drawing.legend;
    const int32_t kind = self->config->colour, part = self->config->component;
    const char *name = part == COMPONENT_LENGTH ? fields[kind].name : fields[kind].vector;
    l->kind = kind;
    l->map = self->config->colour_map;
    l->unit = fields[kind].unit;
    l->least = HUGE_VAL;
    l->most = -HUGE_VAL;
    if (kind == COLOUR_FIELD) {
        const scree_used_field *field = view->bodies->used[0];
        name = field->name;
        l->unit = !field->unit || strcmp(field->unit, "-") == 0 ? "" : field->unit;
        if (part >= (int32_t)field->components)
            return scree_failf(self->host, SCREE_E_CONFIG,
                               "component: the field %s has %" PRIu32 " component%s", name,
                               field->components, field->components == 1 ? "" : "s");
    }
    snprintf(l->name, sizeof l->name, "%s%s%c", name, part == COMPONENT_LENGTH ? "" : " ",
             part == COMPONENT_LENGTH ? '\0' : 'x' + part);
    return SCREE_OK;
}

int32_t colour_bodies(image *self, const scree_view *view)
{
    drawing *d = &self->drawing;
    uint32_t n = view->bodies->n;
    int32_t status = d->legend.unit ? SCREE_OK : start_legend(self, view);
    if (status != SCREE_OK)
        return status;
    if (!scree_grow(&d->value, &d->value_capacity, (uint64_t)n + 1, sizeof *d->value))
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for the colours");
    if (self->config->colour == COLOUR_GROUP)
        meet_groups(self, view);
    if (d->legend.kind == COLOUR_LOAD || d->legend.kind == COLOUR_COORDINATION)
        add_contacts(self, view);
    else
        for (uint32_t i = 0; i < n; i++)
            d->value[i] = is_shown(self, view, i) ? value_of(self, view, i) : 0.0;
    if (has_classes(self))
        name_classes(self, view);
    else if (d->legend.kind != COLOUR_NONE) {
        widen_range(self, view);
        set_bar(&d->legend, &self->config->range);
    }
    return SCREE_OK;
}

/* Walls without load keep their grey. */
rgb wall_colour(const image *self, double load)
{
    const legend *l = &self->drawing.wall_legend;
    return load > 0.0 ? bar_colour(l, load / l->hi) : self->wall;
}

rgb body_colour(const image *self, const scree_bodies *b, uint32_t i)
{
    const legend *l = &self->drawing.legend;
    double value = self->drawing.value[i];
    if (!is_coloured(self, b, i))
        return self->wall;
    if (l->kind == COLOUR_NONE)
        return self->body;
    if (has_classes(self))
        return class_colour((uint64_t)value);
    return bar_colour(l, (value - l->lo) / (l->hi - l->lo));
}
