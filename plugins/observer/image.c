// SPDX-License-Identifier: Apache-2.0
// Observer `image`: pictures of the scene as PNG files, and the command that makes a film of them.
/*
 * Each observation is a picture: spheres and discs with their exact outline and depth, clumps by
 * their balls, other solids by their surface, walls, a colour bar. Files are numbered FILE-00000.png and so on, or one file is replaced each time when
 * `file` ends in .png. A picture is made in memory and written in one go under another name, so a
 * full disk leaves no half of one.
 *
 *   image/camera.c   place of the camera; perspective and orthographic projection
 *   image/colour.c   the field that colours bodies, colour maps
 *   image/walls.c    pressure and wear of walls
 *   image/again.c    states of pictures, to draw them again
 *   image/gather.c   bodies and walls into balls, faces and lines before the camera
 *   image/surface.c  what solids and clumps look like
 *   image/raster.c   all of it into pixels: exact hits, depth, light
 *   image/solid.c    surfaces of solids into pixels
 *   image/soften.c   hollows between bodies darker
 *   image/page.c     words, colour bar and PNG by cairo
 *   image/cells.c    solids as the cells of a resolver
 *   image/marks.c    boxes, cells and candidates of a contact detection as lines
 *
 * The pixels depend only on the state and the settings, for any number of threads. Cairo draws the
 * words, which may differ between its versions and the fonts of machines.
 */
#include "image/image.h"

#include <errno.h>
#include <unistd.h>

#include "scree/draft/sums.h"

int is_hidden(const image *self, uint32_t group)
{
    const scree_strings *hide = &self->config->hide;
    return hide->n > 0 && has_word(hide, group_name(self->names, group));
}

static const char *base_name(const image *self)
{
    return self->config->file ? self->config->file : "frame";
}

static int is_single(const image *self)
{
    size_t n = strlen(base_name(self));
    return n > 4 && strcmp(base_name(self) + n - 4, ".png") == 0;
}

static int32_t write_file(image *self, const char *name)
{
    int32_t fd, closed, status = self->output->open(self->output->ctx, name, &fd);
    if (status != SCREE_OK)
        return status;
    for (uint64_t done = 0; done < self->png_bytes && status == SCREE_OK;) {
        ssize_t n = write(fd, self->png + done, self->png_bytes - done);
        if (n > 0)
            done += (uint64_t)n;
        else if (n == 0 || errno != EINTR)
            status = scree_failf(self->host, SCREE_E_IO, "cannot write %s: %s", name,
                                 n ? strerror(errno) : "no space");
    }
    closed = self->output->close(self->output->ctx, fd, status == SCREE_OK);
    return status != SCREE_OK ? status : closed;
}

/* Warns of a name in `hide` that nothing has. */
static void check_hidden(const image *self, const scree_view *view)
{
    const scree_strings *hide = &self->config->hide;
    for (uint64_t k = 0; k < hide->n; k++) {
        int found = 0;
        for (uint32_t i = 0; i < view->bodies->n && !found; i++)
            found = strcmp(group_name(self->names, view->bodies->group[i]), hide->v[k]) == 0;
        if (!found)
            scree_logf(self->host, SCREE_LOG_WARNING,
                       "`hide`: no body of a group named \"%.100s\" is there at the start",
                       hide->v[k]);
    }
}

int32_t draw(image *self, const scree_view *view, uint64_t number)
{
    char name[4096];
    int n = is_single(self) ? snprintf(name, sizeof name, "%s", base_name(self))
                            : snprintf(name, sizeof name, "%s-%05llu.png", base_name(self),
                                       (unsigned long long)number);
    if (n >= (int)sizeof name)
        return self->host->fail(self->host->ctx, SCREE_E_CONFIG, "the name in `file` is too long");
    int32_t status = gather(self, view);
    if (status == SCREE_OK)
        status = rasterise(self);
    if (status == SCREE_OK)
        status = soften(self);
    if (status == SCREE_OK)
        status = make_page(self, view);
    return status == SCREE_OK ? write_file(self, name) : status;
}

static int32_t observe(void *instance, const scree_view *view)
{
    image *self = instance;
    int32_t status = self->loads && !view->again ? add_loads(self, view) : SCREE_OK;
    if (!view->due || status != SCREE_OK)
        return status;
    status = place_camera(self, view);
    if (status == SCREE_OK && self->detection)
        status = find_marks(self, view);
    if (status == SCREE_OK)
        status = colour_bodies(self, view);
    if (status == SCREE_OK && self->loads)
        status = colour_walls(self, view);
    if (status == SCREE_OK)
        status = draw(self, view, self->n_frames);
    if (status == SCREE_OK && !is_single(self))
        status = keep_state(self, view);
    if (status == SCREE_OK && self->n_frames++ == 0)
        check_hidden(self, view);
    return status;
}

/* Appends text quoted for a shell; `doubled`: % is written twice, as a pattern of ffmpeg needs
 * it. */
static void put_quoted(char *to, size_t size, const char *text, int doubled)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-";
    int quote = text[strspn(text, plain)] != '\0';
    size_t n = strlen(to);
    n += (size_t)snprintf(to + n, size - n, "%s", quote ? "'" : "");
    for (; *text && n + 8 < size; text++)
        n += (size_t)snprintf(to + n, size - n, "%.1s%s", text,
                              *text == '\''             ? "\\''"
                              : doubled && *text == '%' ? "%"
                                                        : "");
    if (quote && n < size)
        snprintf(to + n, size - n, "'");
}

/* Reports the pictures, and the command that makes a film of them. */
static void tell_files(const image *self)
{
    const image_config *g = self->config;
    const char *folder = SCREE_HAS(self->output, folder) ? self->output->folder : ".";
    char path[4096], text[8192], rate[64];
    int odd = g->width % 2 || g->height % 2;
    snprintf(path, sizeof path, "%s/%s", folder, base_name(self));
    if (is_single(self)) {
        scree_logf(self->host, SCREE_LOG_INFO, "picture: %.480s", path);
        return;
    }
    scree_logf(self->host, SCREE_LOG_INFO, "%llu pictures: %.400s-00000.png%s",
               (unsigned long long)self->n_frames, path, self->n_frames > 1 ? " and so on" : "");
    if (self->n_frames < 2)
        return;
    // Every player shows yuv420p, which needs even sizes.
    snprintf(rate, sizeof rate, "film: ffmpeg -y -framerate %.9g -i ", g->frame_rate);
    snprintf(text, sizeof text, "%s", rate);
    put_quoted(text, sizeof text, path, 1);
    snprintf(text + strlen(text), sizeof text - strlen(text), "-%%05d.png %s-pix_fmt yuv420p ",
             odd ? "-vf 'pad=ceil(iw/2)*2:ceil(ih/2)*2' " : "");
    put_quoted(text, sizeof text, path, 0);
    snprintf(text + strlen(text), sizeof text - strlen(text), ".mp4");
    self->host->log(self->host->ctx, SCREE_LOG_INFO, text);
}

static int32_t finish(void *instance, const scree_view *view)
{
    image *self = instance;
    int32_t status = draw_again(self, view);
    if (status == SCREE_OK && self->n_frames)
        tell_files(self);
    return status;
}

static int32_t narrow(void *instance, scree_demands *demands)
{
    const image *self = instance;
    if (self->config->colour != COLOUR_LOAD && self->config->colour != COLOUR_COORDINATION &&
        !self->loads && !self->detection)
        demands->needs &= ~(uint64_t)SCREE_WANTS_CONTACTS;
    if (self->config->wall_load != LOAD_WEAR)
        demands->needs &= ~(uint64_t)SCREE_WANTS_EVERY_STEP;
    return scree_narrow_sums(instance, demands);
}

static void destroy(void *instance)
{
    image *self = instance;
    if (!self)
        return;
    drop_surfaces(self);
    free_kept(self);
    detection_free(self->detection);
    solid_cells_free(self->cells);
    free(self->marks);
    destroy_loads(self->loads);
    destroy_loads(self->idle);
    free(self->drawing.wall_value);
    free(self->drawing.balls);
    free(self->drawing.solids);
    free(self->drawing.faces);
    free(self->drawing.strokes);
    free(self->drawing.value);
    free(self->pixels);
    free(self->depth);
    free(self->is_wall);
    free(self->png);
    free(self);
}

static int is_zero(const scree_reals *v)
{
    double sum = 0.0;
    for (uint64_t k = 0; k < v->n; k++)
        sum += v->v[k] * v->v[k];
    return v->n && !(sum > 0.0 && isfinite(sum));
}

/* Direction of the camera as far as it is given; make_axes() finds the same later. */
static const char *check_sight(const image_config *g)
{
    double to_eye[3], aside[3], up[3];
    if (g->position.n && g->target.n) {
        for (int k = 0; k < 3; k++)
            to_eye[k] = g->position.v[k] - g->target.v[k];
    } else if (g->direction.n) {
        memcpy(to_eye, g->direction.v, sizeof to_eye);
    } else {
        return NULL;
    }
    if (normalise(to_eye) <= 0.0)
        return IN_ITS_TARGET;
    if (!g->up.n)
        return NULL;
    memcpy(up, g->up.v, sizeof up);
    normalise(up);
    cross(up, to_eye, aside);
    return normalise(aside) < 1e-6 ? UP_ALONG_SIGHT : NULL;
}

/* Checks points and directions of the camera. */
static int32_t check_camera(const scree_host *host, const image_config *g)
{
    int flat = host->dimension == 2 || g->projection == PROJECTION_ORTHOGRAPHIC;
    const char *wrong = NULL;
    if (host->dimension == 2 && (g->position.n || g->direction.n || g->up.n || g->section_point.n ||
                                 g->section_normal.n || g->projection == PROJECTION_PERSPECTIVE))
        wrong = "a 2D scene is seen from above: `position`, `direction`, `up`, the section and "
                "projection = \"perspective\" are for 3D; `target` and `view_height` serve both";
    else if (g->target.n && g->target.n != 3 && !(g->target.n == 2 && host->dimension == 2))
        wrong = host->dimension == 2 ? "`target` has 2 numbers in 2D" : "`target` has 3 numbers";
    else if (g->position.n && g->direction.n)
        wrong = "expected `position` or `direction`, got both";
    else if (is_zero(&g->direction))
        wrong = "`direction` has no length";
    else if (is_zero(&g->up))
        wrong = "`up` has no length";
    else if (is_zero(&g->section_normal))
        wrong = "`section_normal` has no length";
    else if ((g->section_point.n > 0) != (g->section_normal.n > 0))
        wrong = "a section needs both `section_point` and `section_normal`";
    else if (!flat && !isnan(g->view_height))
        wrong = "`view_height` is for projection = \"orthographic\"; `field_of_view` or `zoom` "
                "serve perspective";
    else if (flat && !isnan(g->field_of_view))
        wrong = "`field_of_view` is for perspective; `view_height` or `zoom` serve here";
    else
        wrong = check_sight(g);
    return wrong ? host->fail(host->ctx, SCREE_E_CONFIG, wrong) : SCREE_OK;
}

static int32_t check_colour(const scree_host *host, const char *key, const char *text, int clear,
                            rgb *out, float *alpha)
{
    if (read_colour(text, out, alpha) && (clear || *alpha > 0.0f))
        return SCREE_OK;
    return scree_failf(host, SCREE_E_CONFIG, "%s: expected #rrggbb, white%s black%s, got \"%.80s\"",
                       key, clear ? "," : " or", clear ? " or transparent" : "", text);
}

static void choose_ink(image *self)
{
    const float *c = self->background.c;
    int light = 0.299f * c[0] + 0.587f * c[1] + 0.114f * c[2] > 0.5f;
    for (int k = 0; k < 3; k++)
        self->ink.c[k] = light || self->background_alpha < 1.0f ? 0.11f + 0.02f * (float)k : 0.9f;
}

static int32_t check_config(image *self)
{
    const image_config *g = self->config;
    const scree_host *host = self->host;
    int classes =
        g->colour == COLOUR_GROUP || g->colour == COLOUR_MATERIAL || g->colour == COLOUR_NONE;
    float alpha;
    if (g->file && (g->file[0] == '/' || strstr(g->file, "..")))
        return scree_failf(host, SCREE_E_CONFIG, "file = \"%.200s\" leaves the run's folder",
                           g->file);
    if (g->file && (!g->file[0] || strpbrk(g->file, "'%\n")))
        return scree_failf(host, SCREE_E_CONFIG,
                           "file: expected a name without ', %% and line ends, got \"%.200s\"",
                           g->file);
    if ((g->colour == COLOUR_FIELD) != (g->field != NULL))
        return host->fail(host->ctx, SCREE_E_CONFIG,
                          g->field
                              ? "`field` goes with colour = \"field\""
                              : "colour = \"field\" needs a `field`, the name of a body field");
    if (g->component != COMPONENT_LENGTH && g->colour != COLOUR_SPEED && g->colour != COLOUR_SPIN &&
        g->colour != COLOUR_FORCE && g->colour != COLOUR_FIELD)
        return host->fail(
            host->ctx, SCREE_E_CONFIG,
            "`component` goes with colour = \"speed\", \"spin\", \"force\" or \"field\"");
    if (g->component == 2 && host->dimension == 2 && g->colour != COLOUR_SPIN &&
        g->colour != COLOUR_FIELD)
        return host->fail(host->ctx, SCREE_E_CONFIG, "component = \"z\" is for 3D");
    if (g->wall_load == LOAD_WEAR && !(g->archard > 0.0 && g->hardness > 0.0))
        return host->fail(host->ctx, SCREE_E_CONFIG,
                          "wall_load = \"wear\" needs `archard` and `hardness`");
    if (g->range.n && classes)
        return host->fail(host->ctx, SCREE_E_CONFIG,
                          "`range` goes with a colour that is a number, not with group, material "
                          "or none");
    if (g->range.n && !(g->range.v[0] < g->range.v[1]))
        return scree_failf(host, SCREE_E_CONFIG,
                           "range = (%g, %g): the lowest value comes first, and they differ",
                           g->range.v[0], g->range.v[1]);
    int32_t status = check_colour(host, "background", g->background, 1, &self->background,
                                  &self->background_alpha);
    if (status == SCREE_OK)
        status = check_colour(host, "body_colour", g->body_colour, 0, &self->body, &alpha);
    if (status == SCREE_OK)
        status = check_colour(host, "wall_colour", g->wall_colour, 0, &self->wall, &alpha);
    choose_ink(self);
    if (status == SCREE_OK)
        status = check_marks(self);
    return status == SCREE_OK ? check_camera(host, g) : status;
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    const image_config *given = config;
    uint64_t n = (uint64_t)given->width * (uint64_t)given->height;
    image *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->host = host;
    self->config = given;
    self->output = host->get_service(host->ctx, SCREE_SERVICE_OUTPUT);
    self->names = host->get_service(host->ctx, SCREE_SERVICE_NAMES);
    int32_t status =
        self->output ? check_config(self)
                     : host->fail(host->ctx, SCREE_E_UNSUPPORTED,
                                  "the host offers no " SCREE_SERVICE_OUTPUT ": nowhere to write");
    if (status == SCREE_OK && given->wall_load != LOAD_NONE) {
        self->loads = make_loads(self);
        if (!self->loads)
            status = host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the loads of walls");
    }
    if (status == SCREE_OK && given->detection)
        status = detection_make(&self->detection, host, given->detection, given->extent);
    if (status == SCREE_OK)
        status = solid_cells_make(&self->cells, host, given->cells, &given->cell_classes);
    if (status == SCREE_OK) {
        self->pixels = malloc(n * sizeof *self->pixels);
        self->depth = malloc(n * sizeof *self->depth);
        self->is_wall = malloc(n);
        if (!self->pixels || !self->depth || !self->is_wall)
            status = scree_failf(host, SCREE_E_MEMORY, "no memory for %lld x %lld pixels",
                                 (long long)given->width, (long long)given->height);
    }
    if (status != SCREE_OK) {
        destroy(self);
        return status;
    }
    *instance = self;
    return SCREE_OK;
}

SCREE_CHOICE_VALUE(speed, COLOUR_SPEED, "magnitude of the velocity");
SCREE_CHOICE_VALUE(spin, COLOUR_SPIN, "magnitude of the angular velocity");
SCREE_CHOICE_VALUE(radius, COLOUR_RADIUS,
                   "radius; of a shape that is not round that of a ball that holds it");
SCREE_CHOICE_VALUE(height, COLOUR_HEIGHT, "height of the centre, against gravity");
SCREE_CHOICE_VALUE(force, COLOUR_FORCE, "magnitude of the net force, gravity included");
SCREE_CHOICE_VALUE(load, COLOUR_LOAD, "sum of the magnitudes of the contact forces");
SCREE_CHOICE_VALUE(coordination, COLOUR_COORDINATION, "number of contacts, those with walls too");
SCREE_CHOICE_VALUE(id, COLOUR_ID, "id");
SCREE_CHOICE_VALUE(group, COLOUR_GROUP, "group of `bodies` or `generate`; eight colours");
SCREE_CHOICE_VALUE(material, COLOUR_MATERIAL, "number of the material, eight colours");
SCREE_CHOICE_VALUE(none, COLOUR_NONE, "all alike, in `body_colour`");
SCREE_CHOICE_VALUE(field, COLOUR_FIELD,
                   "the body field that `field` names; of a vector its length or `component`");
SCREE_CHOICE_PARAM(image_config, colour, 0, "speed", "what colours bodies", &choice_speed,
                   &choice_spin, &choice_radius, &choice_height, &choice_force, &choice_load,
                   &choice_coordination, &choice_id, &choice_group, &choice_material, &choice_none,
                   &choice_field);
SCREE_CHOICE_VALUE(length, COMPONENT_LENGTH, "magnitude");
SCREE_CHOICE_VALUE(x, 0, "along x; of a field the first");
SCREE_CHOICE_VALUE(y, 1, "along y; of a field the second");
SCREE_CHOICE_VALUE(z, 2, "along z; of a field the third");
SCREE_CHOICE_PARAM(image_config, component, 0, "length",
                   "of speed (velocity), spin, force or field: what colours bodies", &choice_length,
                   &choice_x, &choice_y, &choice_z);
SCREE_CHOICE_VALUE(grey, LOAD_NONE, "nothing: walls have `wall_colour`");
SCREE_CHOICE_VALUE(pressure, LOAD_PRESSURE, "pressure of the contacts of this state on each facet");
SCREE_CHOICE_VALUE(wear, LOAD_WEAR,
                   "depth of Archard's wear of each facet since the start; reads every step");
SCREE_CHOICE_PARAM(image_config, wall_load, 0, "grey", "what colours facets of walls", &choice_grey,
                   &choice_pressure, &choice_wear);
SCREE_REAL_PARAM(image_config, archard, "-", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 0,
                 HUGE_VAL, "for wear: k of Archard's V = k F s / hardness");
SCREE_REAL_PARAM(image_config, hardness, "Pa", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 0,
                 HUGE_VAL, "for wear: hardness of the walls");
SCREE_CHOICE_VALUE(viridis, MAP_VIRIDIS, "violet, green, yellow");
SCREE_CHOICE_VALUE(cividis, MAP_CIVIDIS, "blue, grey, yellow: for those who see no red or green");
SCREE_CHOICE_VALUE(inferno, MAP_INFERNO, "black, red, yellow");
SCREE_CHOICE_PARAM(image_config, colour_map, 0, "viridis", "colours from the lowest to the highest",
                   &choice_viridis, &choice_cividis, &choice_inferno);
SCREE_CHOICE_VALUE(cutaway, WALLS_CUTAWAY,
                   "fronts solid, backs hardly seen: looks into containers");
SCREE_CHOICE_VALUE(solid, WALLS_SOLID, "both sides solid");
SCREE_CHOICE_VALUE(translucent, WALLS_TRANSLUCENT, "both sides translucent");
SCREE_CHOICE_VALUE(outline, WALLS_OUTLINE, "only edges");
SCREE_CHOICE_VALUE(hidden, WALLS_HIDDEN, "not at all");
SCREE_CHOICE_PARAM(image_config, walls, 0, "cutaway", "how facets and planes are painted",
                   &choice_cutaway, &choice_solid, &choice_translucent, &choice_outline,
                   &choice_hidden);
SCREE_CHOICE_VALUE(automatic, PROJECTION_AUTO, "perspective in 3D, orthographic in 2D");
SCREE_CHOICE_VALUE(perspective, PROJECTION_PERSPECTIVE, "as an eye sees; 3D");
SCREE_CHOICE_VALUE(orthographic, PROJECTION_ORTHOGRAPHIC, "sizes do not depend on distance");
SCREE_CHOICE_PARAM(image_config, projection, 0, "automatic", "how depth is shown",
                   &choice_automatic, &choice_perspective, &choice_orthographic);
SCREE_INT_PARAM(image_config, width, 0, 800, 16, MOST_PIXELS, "pixels across");
SCREE_INT_PARAM(image_config, height, 0, 800, 16, MOST_PIXELS, "pixels down");
SCREE_INT_PARAM(image_config, samples, 0, 2, 1, MOST_SAMPLES,
                "rays per pixel along each side: more make smoother outlines");
SCREE_REAL_PARAM(image_config, field_of_view, "rad", SCREE_PARAM_OPTIONAL, 0, 0.0017453292519943296,
                 2.792526803190927,
                 "angle that the height of a perspective picture shows; absent: 30 deg");
SCREE_REAL_PARAM(
    image_config, view_height, "m", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 0, HUGE_VAL,
    "length that the height of an orthographic picture shows; absent: the whole scene");
SCREE_REAL_PARAM(image_config, zoom, "-", SCREE_PARAM_MIN_OPEN, 1.0, 0, 1e6,
                 "enlarges about the middle of the picture");
SCREE_REAL_PARAM(image_config, frame_rate, "Hz", SCREE_PARAM_MIN_OPEN, 25.0, 0, 1000.0,
                 "pictures per second of the film");
SCREE_BOOL_PARAM(image_config, colour_bar, 0, 1, "draw the colour bar");
SCREE_BOOL_PARAM(image_config, hollows, 0, 1, "darken hollows between bodies; 3D");
SCREE_BOOL_PARAM(image_config, axes, 0, 1, "draw the directions of x, y and z");
SCREE_BOOL_PARAM(image_config, scale_bar, 0, 1,
                 "draw a length; in perspective that of things as far away as the target");
SCREE_BOOL_PARAM(image_config, time_stamp, 0, 1, "write the simulated time");

/* Texts, points and directions. */
SCREE_STRING_PARAM(image_config, file, SCREE_PARAM_OPTIONAL, NULL,
                   "base name of numbered pictures (frame), or NAME.png: one, replaced each time");
SCREE_STRING_PARAM(image_config, title, SCREE_PARAM_OPTIONAL, NULL, "a line at the top");
SCREE_STRING_PARAM(image_config, background, 0, "white", "#rrggbb, white, black or transparent");
SCREE_STRING_PARAM(image_config, field, SCREE_PARAM_OPTIONAL | SCREE_PARAM_FIELD, NULL,
                   "with colour = \"field\": a body field, \"NAME\" or \"SLOT/NAME\"");
SCREE_STRING_PARAM(image_config, body_colour, 0, "#d9a441",
                   "#rrggbb of bodies with colour = \"none\"");
SCREE_STRING_PARAM(image_config, wall_colour, 0, "#c3c9d1", "#rrggbb of facets and planes");
SCREE_REALS_PARAM(image_config, position, 3, "m", SCREE_PARAM_OPTIONAL, 0, -HUGE_VAL, HUGE_VAL,
                  "place of the camera; absent: as near as shows the whole scene");
SCREE_REALS_PARAM(image_config, target, 0, "m", SCREE_PARAM_OPTIONAL, 0, -HUGE_VAL, HUGE_VAL,
                  "what it looks at; absent: the middle of the scene");
SCREE_REALS_PARAM(image_config, up, 3, "-", SCREE_PARAM_OPTIONAL, 0, -HUGE_VAL, HUGE_VAL,
                  "a direction that is up in the picture; absent: against gravity");
SCREE_REALS_PARAM(image_config, direction, 3, "-", SCREE_PARAM_OPTIONAL, 0, -HUGE_VAL, HUGE_VAL,
                  "from target to camera, without a position; absent: the front");
SCREE_REALS_PARAM(image_config, range, 2, "-", SCREE_PARAM_OPTIONAL, 0, -HUGE_VAL, HUGE_VAL,
                  "lowest and highest value of the colours, SI; absent: of all pictures");
SCREE_REALS_PARAM(image_config, section_point, 3, "m", SCREE_PARAM_OPTIONAL, 0, -HUGE_VAL, HUGE_VAL,
                  "a point of the plane that cuts the scene open");
SCREE_REALS_PARAM(image_config, section_normal, 3, "-", SCREE_PARAM_OPTIONAL, 0, -HUGE_VAL,
                  HUGE_VAL, "its normal: what lies on that side is cut away");
SCREE_STRINGS_PARAM(image_config, hide, 0, SCREE_PARAM_OPTIONAL,
                    "names of groups of bodies that are not drawn");
DETECTION_PARAMS(image_config);
SOLID_CELLS_PARAMS(image_config);
SCREE_STRINGS_PARAM(image_config, lines, 0, SCREE_PARAM_OPTIONAL,
                    "with `detection`: which of boxes, extents, cells, candidates, contacts are "
                    "drawn; absent: all, in 3D cells, candidates and contacts");
static const scree_param *const params[] = {
    &param_field,          &param_file,          &param_width,
    &param_height,         &param_samples,       &param_colour,
    &param_colour_map,     &param_range,         &param_colour_bar,
    &param_walls,          &param_hide,          &param_title,
    &param_time_stamp,     &param_background,    &param_body_colour,
    &param_wall_colour,    &param_projection,    &param_position,
    &param_target,         &param_direction,     &param_up,
    &param_zoom,           &param_field_of_view, &param_view_height,
    &param_section_point,  &param_hollows,       &param_frame_rate,
    &param_section_normal, &param_axes,          &param_scale_bar,
    &param_component,      &param_wall_load,     &param_archard,
    &param_hardness,       &param_detection,     &param_extent,
    &param_lines,          &param_cells,         &param_cell_classes,
};

static const scree_observer_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = destroy,
    .narrow = narrow,
    .observe = observe,
    .finish = finish,
};

static const void *get_extension(const char *name)
{
    return strcmp(name, SCREE_EXTENSION_STATE) == 0 ? &image_state : NULL;
}

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_OBSERVER,
    .needs = SCREE_WANTS_CONTACTS | SCREE_WANTS_EVERY_STEP,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "image",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "pictures as PNG files: shaded bodies, walls, colour bar; the command for a film",
    .summary =
        "A picture per observation. All pictures of a run have one range of colours and one "
        "camera, "
        "which shows all that was there: at the end pictures are drawn again for that. Clumps are "
        "drawn as their balls, other solids by the surface of their shape; bodies are coloured by "
        "a "
        "field, walls by their load; walls are cut away where they would hide what is behind them. "
        "At the end the command that joins the pictures to a film is printed.",
    .config_size = sizeof(image_config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
    .get_extension = get_extension,
};

SCREE_DEFINE_MANIFEST(&plugin);
