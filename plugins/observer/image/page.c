// SPDX-License-Identifier: Apache-2.0
// Part of observer/image: title, time, colour bar, and the PNG file, by cairo
// (https://cairographics.org).
#include <cairo.h>
#include <errno.h>

#include "image.h"

static double font_size(const image_config *config)
{
    double least = (double)(config->width < config->height ? config->width : config->height);
    return least / 42.0 > 9.0 ? least / 42.0 : 9.0;
}

static int has_bar(const image_config *config)
{
    return config->colour_bar && config->colour != COLOUR_NONE;
}

void page_margins(const image_config *config, double *right, double *top)
{
    double size = font_size(config);
    *right = has_bar(config) || config->wall_load || config->axes || config->scale_bar ? 6.2 * size
                                                                                       : 0.0;
    *top = config->title || config->time_stamp ? 1.8 * size : 0.0;
}

/* Writes text with its left, middle or right (0, 0.5, 1) at x, on the line y. */
static void put_text(cairo_t *cr, const char *text, double x, double y, double align)
{
    cairo_text_extents_t extents;
    cairo_text_extents(cr, text, &extents);
    cairo_move_to(cr, floor(x - align * extents.x_advance + 0.5), floor(y + 0.5));
    cairo_show_text(cr, text);
}

static void put_head(cairo_t *cr, const image_config *config, const scree_view *view)
{
    double size = font_size(config), edge = 0.8 * size;
    char text[64];
    if (config->title)
        put_text(cr, config->title, edge, edge + 0.8 * size, 0.0);
    if (!config->time_stamp)
        return;
    // The digits separate one step of a hundred from the next, so that their number is constant.
    int digits = view->dt > 0.0 ? (int)ceil(-log10(view->dt)) - 2 : 6;
    digits = digits < 0 ? 0 : digits > 12 ? 12 : digits;
    snprintf(text, sizeof text, "t = %.*f s", digits, view->time);
    put_text(cr, text, (double)config->width - edge, edge + 0.8 * size, 1.0);
}

double tick_distance(double range)
{
    double power = pow(10.0, floor(log10(range / 4.0)));
    double rest = range / 4.0 / power;
    return power * (rest >= 5.0 ? 5.0 : rest >= 2.0 ? 2.0 : 1.0);
}

static void put_ticks(cairo_t *cr, const legend *l, double x, double y, double h, double size)
{
    double lo = l->lo / l->scale, hi = l->hi / l->scale, d = tick_distance(hi - lo);
    if (l->kind == COLOUR_ID || l->kind == COLOUR_COORDINATION)
        d = d > 1.0 ? d : 1.0; // ticks at whole numbers
    for (double k = ceil(lo / d - 1e-9); k * d <= hi + 1e-9 * (hi - lo); k++) {
        char text[32];
        double at = y + h * (1.0 - (k * d - lo) / (hi - lo));
        snprintf(text, sizeof text, "%.6g", k == 0.0 ? 0.0 : k * d);
        cairo_move_to(cr, x, floor(at) + 0.5);
        cairo_line_to(cr, x + 0.3 * size, floor(at) + 0.5);
        cairo_stroke(cr);
        put_text(cr, text, x + 0.5 * size, at + 0.35 * size, 0.0);
    }
}

static void fill(cairo_t *cr, rgb c, double x, double y, double w, double h)
{
    cairo_save(cr);
    cairo_set_source_rgb(cr, (double)c.c[0], (double)c.c[1], (double)c.c[2]);
    cairo_rectangle(cr, x, y, w, h);
    cairo_fill(cr);
    cairo_restore(cr);
}

/* Draws a bar from `top` on, a share of the height. */
static void put_bar(cairo_t *cr, const image *self, const legend *l, double top, double share)
{
    const image_config *config = self->config;
    double size = font_size(config), w = floor(size), x = floor((double)config->width - 5.2 * size);
    double h = floor(share * (double)config->height), y = floor(top * (double)config->height);
    cairo_text_extents_t extents;
    cairo_text_extents(cr, l->label, &extents);
    double label = (double)config->width - 0.8 * size - extents.x_advance;
    put_text(cr, l->label, label < x ? label : x, y - 0.8 * size, 0.0);
    if (l->kind == COLOUR_GROUP || l->kind == COLOUR_MATERIAL) {
        for (uint32_t k = 0; k < l->n_names; k++) {
            fill(cr, class_colour(k), x, y + 1.6 * size * k, w, w);
            put_text(cr, l->names[k], x + 1.5 * size, y + 1.6 * size * k + 0.85 * size, 0.0);
        }
        return;
    }
    for (double row = 0.0; row < h; row++)
        fill(cr, bar_colour(l, 1.0 - (row + 0.5) / h), x, y + row, w, 1.0);
    cairo_rectangle(cr, x + 0.5, y + 0.5, w - 1.0, h - 1.0);
    cairo_stroke(cr);
    put_ticks(cr, l, x + w, y, h, size);
}

/* Draws the directions of the axes below the colour bar, from the farthest to the nearest. */
static void put_axes(cairo_t *cr, const image *self)
{
    static const char *const names[] = {"x", "y", "z"};
    static const uint32_t colours[] = {5, 2, 0}; // classes: red, green, blue
    const double size = font_size(self->config), length = 1.6 * size;
    const double x = floor((double)self->config->width - 3.1 * size);
    const double y = floor((double)self->config->height - 4.6 * size);
    const camera *c = &self->camera;
    uint32_t order[] = {0, 1, 2}, n = self->host->dimension;
    for (uint32_t k = 1; k < n; k++)
        for (uint32_t j = k; j > 0 && c->axis[2][order[j]] > c->axis[2][order[j - 1]]; j--) {
            uint32_t swap = order[j];
            order[j] = order[j - 1];
            order[j - 1] = swap;
        }
    cairo_save(cr);
    cairo_set_line_width(cr, size / 7.0);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
    for (uint32_t k = 0; k < n; k++) {
        const double dx = c->axis[0][order[k]], dy = c->axis[1][order[k]];
        const rgb colour = class_colour(colours[order[k]]);
        cairo_set_source_rgb(cr, (double)colour.c[0], (double)colour.c[1], (double)colour.c[2]);
        if (dx * dx + dy * dy < 0.09)
            continue; // it points at the eye or away from it
        cairo_move_to(cr, x, y);
        cairo_line_to(cr, x + length * dx, y + length * dy);
        cairo_stroke(cr);
        put_text(cr, names[order[k]], x + (length + 0.6 * size) * dx,
                 y + (length + 0.6 * size) * dy + 0.3 * size, 0.5);
    }
    cairo_restore(cr);
}

/* Draws the longest round length that has room at the lower right. */
static void put_scale(cairo_t *cr, const image *self)
{
    const double size = font_size(self->config), most = 4.8 * size / self->camera.px_per_m;
    if (!(most > 0.0 && isfinite(most)))
        return;
    const double length = tick_distance(4.0 * most), half = 0.5 * length * self->camera.px_per_m;
    const double x = (double)self->config->width - 3.1 * size;
    const double y = floor((double)self->config->height - 0.9 * size) + 0.5, tick = 0.25 * size;
    double factor;
    char text[32];
    const char *prefix = unit_prefix(length, &factor);
    snprintf(text, sizeof text, "%.3g %sm", length / factor, prefix);
    put_text(cr, text, x, y - 0.5 * size, 0.5);
    for (int side = -1; side <= 1; side += 2) {
        cairo_move_to(cr, floor(x + side * half) + 0.5, y - tick);
        cairo_line_to(cr, floor(x + side * half) + 0.5, y + tick);
    }
    cairo_move_to(cr, floor(x - half) + 0.5, y);
    cairo_line_to(cr, floor(x + half) + 0.5, y);
    cairo_stroke(cr);
}

/* Cairo's writer of PNG files calls this with its bytes. */
static cairo_status_t keep_bytes(void *user, const unsigned char *bytes, unsigned int n)
{
    image *self = user;
    if (!scree_grow(&self->png, &self->png_capacity, self->png_bytes + n, 1))
        return CAIRO_STATUS_NO_MEMORY;
    memcpy(self->png + self->png_bytes, bytes, n);
    self->png_bytes += n;
    return CAIRO_STATUS_SUCCESS;
}

static void put_words(cairo_t *cr, const image *self, const scree_view *view)
{
    const rgb *ink = &self->ink;
    cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, font_size(self->config));
    cairo_set_source_rgb(cr, (double)ink->c[0], (double)ink->c[1], (double)ink->c[2]);
    cairo_set_line_width(cr, 1.0);
    put_head(cr, self->config, view);
    const int loads = self->loads && self->config->colour_bar;
    if (has_bar(self->config))
        put_bar(cr, self, &self->drawing.legend, loads ? 0.13 : 0.25, loads ? 0.26 : 0.5);
    if (loads)
        put_bar(cr, self, &self->drawing.wall_legend, 0.5, 0.26);
    if (self->config->axes)
        put_axes(cr, self);
    if (self->config->scale_bar)
        put_scale(cr, self);
}

/* Is there enough memory for fonts? The library that reads them for cairo retries for ever without
 * memory. */
static int has_room_for_fonts(void)
{
    void *room = malloc(8 << 20);
    free(room);
    return room != NULL;
}

int32_t make_page(image *self, const scree_view *view)
{
    if (!has_room_for_fonts())
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for a picture");
    int w = (int)self->config->width, h = (int)self->config->height;
    cairo_surface_t *surface = cairo_image_surface_create_for_data(
        (unsigned char *)self->pixels, CAIRO_FORMAT_ARGB32, w, h, 4 * w);
    cairo_t *cr = cairo_create(surface);
    self->png_bytes = 0;
    errno = 0;
    put_words(cr, self, view);
    cairo_status_t status = cairo_status(cr);
    cairo_destroy(cr);
    cairo_surface_flush(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_write_to_png_stream(surface, keep_bytes, self);
    cairo_surface_destroy(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        return SCREE_OK;
    if (status == CAIRO_STATUS_NO_MEMORY || errno == ENOMEM) // libpng gives no reason
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for a picture");
    return scree_failf(self->host, SCREE_E_IO, "cairo cannot draw the picture: %s",
                       cairo_status_to_string(status));
}
