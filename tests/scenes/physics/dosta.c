/* SPDX-License-Identifier: Apache-2.0 */
/* Real input: the bed of 25 000 spheres of Dosta et al. 2024 at rest, contacts against brute force.
 */
#include <math.h>
#include <stdlib.h>

#include "brute.h"
#include "engine/energy.h"

#include "base/clock.h"

/*
 * M. Dosta et al., Computer Physics Communications 296 (2024) 109066,
 * doi:10.1016/j.cpc.2023.109066: penetration test, spheres of 1 mm in a box of 0.1 m x 0.06 m.
 * Their bed rests under Hertz's law with E = 1 GPa; the walls here touch the outermost spheres, and
 * linear springs of 1e4 N/m hold the weight of the bed on overlaps of some 1e-4 r, so it sinks a
 * little as it starts.
 */
static const double radius = 1e-3, density = 2500.0, gravity = 9.8;

typedef struct box {
    double lo[3], hi[3];
    uint32_t n;
} box;

/** The box of all spheres, from the file itself. */
static box read_box(const char *path)
{
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;
    box out = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, 0};
    if (!g_file_get_contents(path, &text, NULL, &error))
        bail_out("%s", error->message);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++) {
        double v[4];
        char *at = *line;
        if (*at == '#' || *at == '\0')
            continue;
        for (int k = 0; k < 4; k++)
            v[k] = g_ascii_strtod(at, &at);
        for (int k = 0; k < 3; k++) {
            out.lo[k] = fmin(out.lo[k], v[1 + k] - v[0]);
            out.hi[k] = fmax(out.hi[k], v[1 + k] + v[0]);
        }
        out.n++;
    }
    return out;
}

static scree_sim *start_bed(const char *path, const box *b)
{
    return start_text(
        "scene = { dt = \"auto\"; dt_fraction = 0.1; gravity = (0.0, 0.0, %.17e); };"
        "materials = { m1 = { density = %.17e; }; };"
        "shapes = { x = { type = \"plane\"; normal = (1.0, 0.0, 0.0); }; X = { type = \"plane\"; "
        "normal "
        "= (-1.0, 0.0, 0.0); }; y = { type = \"plane\"; normal = (0.0, 1.0, 0.0); }; Y = { type = "
        "\"plane\"; normal = (0.0, -1.0, 0.0); }; z = { type = \"plane\"; normal = (0.0, 0.0, "
        "1.0); }; };"
        "bodies = { bed = { file = \"%s\"; columns = (\"radius\", \"x\", \"y\", \"z\"); };"
        "x = { shape = \"x\"; position = (%.17e, 0.0, 0.0); };"
        "X = { shape = \"X\"; position = (%.17e, 0.0, 0.0); };"
        "y = { shape = \"y\"; position = (0.0, %.17e, 0.0); };"
        "Y = { shape = \"Y\"; position = (0.0, %.17e, 0.0); };"
        "z = { shape = \"z\"; position = (0.0, 0.0, %.17e); }; };"
        "force = ( { plugin = \"linear\"; kn = 1.0e4; restitution = 0.5; friction = 0.3; } "
        ");" PLUGINS,
        -gravity, density, path, b->lo[0], b->hi[0], b->lo[1], b->hi[1], b->lo[2]);
}

static void check_contacts(scree_sim *sim)
{
    g_autoptr(GArray) ours = run_touches(sim);
    g_autoptr(GArray) brute = brute_touches(sim, 2.0 * radius * 1.000001);
    comparison c = compare_touches(sim, ours, brute, 1e-13 * radius);
    claim(c.missed == 0 && c.extra == 0 && c.depth_error < 1e-12 && c.n_run > sim->world->n_free,
          "step %" G_GUINT64_FORMAT ": %" G_GUINT64_FORMAT " contacts, missed %" G_GUINT64_FORMAT
          ", extra %" G_GUINT64_FORMAT ", depths within %.1e of the radius",
          sim->step, c.n_run, c.missed, c.extra, c.depth_error);
}

/** Arguments: source root, steps. */
int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    const char *data = g_getenv("SCREE_DATA");
    g_autofree char *folder =
        data ? g_strdup(data) : g_build_filename(argv[1], "..", "shared", "data", NULL);
    g_autofree char *path =
        g_build_filename(folder, "dosta2024-dem-benchmark", "penetration_25k_particles.txt", NULL);
    uint64_t steps = g_ascii_strtoull(argv[2], NULL, 10);
    if (!g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
        skip("25 000 spheres at rest", "the data are not here; SCREE_DATA names their folder");
        return tap_end();
    }
    box b = read_box(path);
    note("%u spheres in (%.6f, %.6f, %.6f) to (%.6f, %.6f, %.6f) m", b.n, b.lo[0], b.lo[1], b.lo[2],
         b.hi[0], b.hi[1], b.hi[2]);
    g_autoptr(scree_sim) sim = start_bed(path, &b);
    double scale = density * 4.0 / 3.0 * G_PI * radius * radius * radius * gravity * radius * b.n;
    double begin = scree_now(), most = 0.0, overlap = 0.0;
    claim(sim->world->n_free == 25000, "%u free bodies", sim->world->n_free);
    for (int part = 0; part < 4; part++) {
        scree_energy e;
        run_recorded(sim, steps / 4);
        scree_energy_now(sim, &e);
        most = fmax(most, e.kinetic);
        note("step %" G_GUINT64_FORMAT
             ", t = %.3g s: kinetic %.3e, gravity %.6e, stored %.3e, lost %.3e, "
             "residual %.3e J; in m g r N = %.3e J: %.2e, %.4f, %.2e, %.2e, %.2e",
             sim->step, scree_sim_time(sim), e.kinetic, e.gravity, e.stored, e.lost, e.residual,
             scale, e.kinetic / scale, (e.gravity) / scale, e.stored / scale, e.lost / scale,
             e.residual / scale);
        if (part == 3) {
            claim(most < 1e-2 * scale, "kinetic energy stays below 1 %% of m g r N (%.1e)",
                  most / scale);
            claim(fabs(e.residual) < 1e-3 * scale, "the residual is below 0.1 %% of it (%.1e)",
                  e.residual / scale);
        }
    }
    double wall = scree_now() - begin;
    scree_contact_list list;
    contacts_of(sim, &list);
    for (uint64_t c = 0; c < list.n; c++)
        overlap = fmax(overlap, list.depth[c]);
    note("dt = %.3g s, %" G_GUINT64_FORMAT " steps in %.1f s, largest overlap %.2e r", sim->dt,
         steps, wall, overlap / radius);
    check_contacts(sim);
    return tap_end();
}
