/* SPDX-License-Identifier: Apache-2.0 */
/* Clumps against bodies of several parts: solids, facets; and resolvers that cannot serve clumps. */
#include <math.h>
#include <string.h>

#include "../physics/harness.h"

#define GLASS "materials = { glass = { density = 2500.0; }; };"
#define RUBS                                                                                       \
    "gcd = { plugin = \"grid\"; }; integrator = { plugin = \"velocity_verlet\"; };"                \
    "force = ( { plugin = \"linear\"; kn = 1.0e4; restitution = 0.6; friction = 0.4; } );"

static double apart(const scree_sim *a, const scree_sim *b, uint32_t i)
{
    const scree_world *w = a->world, *u = b->world;
    double worst = 0.0;
    for (int k = 0; k < 3; k++)
        worst =
            fmax(worst,
                 fmax(fabs(w->x[k][i] - u->x[k][i]) / 1e-2,
                      fmax(fabs(w->v[k][i] - u->v[k][i]), fabs(w->w[k][i] - u->w[k][i]) / 100.0)));
    return worst;
}

/* Four pearls in a row, scaled and turned, by hand: spheres at these places are touched alike. */
static scree_sim *over_pearls(bool spheres)
{
    const double pitch = 1.25 * 0.015, turn = 0.3;
    g_autoptr(GString) row = g_string_new(NULL);
    for (int p = 0; p < 4; p++)
        g_string_append_printf(
            row, "p%d = { radius = 0.0125; motion = \"fixed\"; position = (%.17g, %.17g, 0.0); };",
            p, pitch * p * cos(turn), pitch * p * sin(turn));
    const char *solid = "row = { shape = \"row\"; scale = 1.25; motion = \"fixed\";"
                        "  position = (0.0, 0.0, 0.0); orientation = { axis = (0.0, 0.0, 1.0);"
                        "  angle = 0.3; }; };";
    return start_text(
        "scene = { dimension = 3; dt = 1.0e-5; };" GLASS RUBS
        "resolvers = ( { plugin = \"sphere\"; }, { plugin = \"pearls\"; } );"
        "shapes = { bell = { type = \"dumbbell\"; radius = 0.01; other = 0.01; distance = 0.02; };"
        "  row = { type = \"pearls\"; count = 4; radius = 0.01; pitch = 0.015; }; };"
        "bodies = { a = { shape = \"bell\"; position = (0.00896, 0.00277, 0.0205);"
        "  velocity = (0.1, 0.05, -0.5); spin = (1.0, -3.0, 5.0);"
        "  orientation = { axis = (0.0, 0.0, 1.0); angle = 0.35; }; }; %s };",
        spheres ? row->str : solid);
}

static void solids(void)
{
    scree_sim *of_parts = over_pearls(false), *of_spheres = over_pearls(true);
    uint64_t most = 0;
    double worst = 0.0;
    bool alike = true;
    for (int k = 0; k < 500; k++) {
        run(of_parts, 1);
        run(of_spheres, 1);
        alike = alike && of_parts->counters.contacts == of_spheres->counters.contacts;
        most = MAX(most, of_parts->counters.contacts);
        worst = fmax(worst, apart(of_parts, of_spheres, 0));
    }
    claim(alike && most >= 3, "a-clump-touches-parts-of-a-solid-as-it-does-spheres # up to %u",
          (unsigned)most);
    claim(worst < 1e-11, "and-moves-as-over-spheres # to %g", worst);
    scree_sim_free(of_parts);
    scree_sim_free(of_spheres);
}

/* A floor of 9 x 9 square facets, or a plane. */
static scree_sim *on_floor(bool of_facets)
{
    enum { TILES = 9 };
    const double tile = 0.04;
    g_autoptr(GString) shape = g_string_new("type = \"facets\"; vertices = (");
    for (int k = 0; k < (TILES + 1) * (TILES + 1); k++)
        g_string_append_printf(shape, "%s(%.17g, %.17g, 0.0)", k ? ", " : "",
                               tile * (k % (TILES + 1)) - 0.03, tile * (k / (TILES + 1)) - 0.03);
    g_string_append(shape, "); facets = (");
    for (int k = 0; k < TILES * TILES; k++) {
        const int at = k % TILES + (TILES + 1) * (k / TILES);
        g_string_append_printf(shape, "%s(%d, %d, %d, %d)", k ? ", " : "", at, at + 1,
                               at + TILES + 2, at + TILES + 1);
    }
    g_string_append(shape, ");");
    return start_text(
        "scene = { dimension = 3; dt = 1.0e-5; gravity = (0.0, 0.0, -9.81); };" GLASS RUBS
        "resolvers = ( { plugin = \"sphere\"; } );"
        "shapes = { raft = { type = \"raft\"; columns = 36; rows = 36; radius = 0.004;"
        "  pitch = 0.0085; }; floor = { %s }; };"
        "bodies = { a = { shape = \"raft\"; position = (0.0, 0.0, 0.00395);"
        "  velocity = (0.8, 0.6, -0.02); spin = (0.0, 0.0, 1.0); }; floor = { shape = \"floor\"; "
        "}; "
        "};",
        of_facets ? shape->str : "type = \"plane\"; normal = (0.0, 0.0, 1.0);");
}

static void facets(void)
{
    scree_sim *on_facets = on_floor(true), *on_plane = on_floor(false);
    uint64_t least = UINT64_MAX;
    double worst = 0.0;
    bool alike = true;
    for (int k = 0; k < 200; k++) {
        run(on_facets, 1);
        run(on_plane, 1);
        alike = alike && on_facets->counters.contacts == on_plane->counters.contacts;
        least = MIN(least, on_plane->counters.contacts);
        worst = fmax(worst, apart(on_facets, on_plane, 0));
    }
    claim(alike && least == 1296, "a-clump-has-a-contact-per-ball-with-facets # %u",
          (unsigned)least);
    claim(worst < 1e-11, "and-slides-over-their-seams-as-over-a-plane # to %g", worst);
    scree_sim_free(on_facets);
    scree_sim_free(on_plane);
}

/* A resolver that keeps fields of pairs: balls of a pair of bodies would share them. */
#define ABOVE "; position = (0.0, 0.0, 0.05"
#define TOUCHING "; position = (0.0, 0.0, 0.015"
static void refused(const char *body, const char *resolver, const char *expected)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_strdup_printf(
        "scene = { dimension = 3; dt = 1.0e-5; };" GLASS RUBS
        "resolvers = ( { plugin = \"sphere\"; }, { plugin = \"%s\"; } );"
        "shapes = { bell = { type = \"dumbbell\"; radius = 0.01; other = 0.01; distance = 0.02; };"
        "  row = { type = \"pearls\"; count = 4; radius = 0.01; pitch = 0.015; }; };"
        "bodies = { a = { %s); };"
        "  row = { shape = \"row\"; motion = \"fixed\"; position = (0.0, 0.0, 0.0); }; };",
        resolver, body);
    g_autoptr(scree_sim) sim = try_text(text, &error);
    claim(!sim == (expected != NULL) && (!expected || strstr(error->message, expected)),
          "%s-against-%s: %s", resolver, body, error ? error->message : "accepted");
}

int main(void)
{
    solids();
    facets();
    refused("shape = \"bell\"" ABOVE, "pearls_memory",
            "no resolver of the scene (sphere, pearls_memory) supports dumbbell (a) against pearls "
            "(row) with one contact per pair of balls and without fields of pairs");
    refused("shape = \"bell\"" ABOVE, "pearls", NULL);
    refused("radius = 0.01" ABOVE, "pearls_memory", NULL);
    // A feature of a clump has the bits of SCREE_FEATURE_CLUMP, that of a ball all 64.
    refused("shape = \"bell\"" TOUCHING, "pearls", NULL);
    refused("shape = \"bell\"" TOUCHING, "pearls_wide", "bits outside SCREE_FEATURE_CLUMP");
    refused("radius = 0.01" TOUCHING, "pearls_wide", NULL);
    return tap_end();
}
