/* SPDX-License-Identifier: MIT */
/* Inline helpers for plugin authors. Only for convenience, never part of the ABI. */
#ifndef SCREE_SDK_H
#define SCREE_SDK_H

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cell_sdk.h"
#include "rotation_sdk.h"
#include "scree.h"

/*
 * Two idioms let a compiler vectorise a loop over contacts, 4 to 8 times as fast as a plain one.
 *
 * Restricted parameters of an inner function (`restrict` on struct members, or on locals copied
 * from them, does not help):
 *
 *     static void kernel(uint32_t n, double kn, SCREE_IN depth, SCREE_IN3(n), SCREE_OUT3(f))
 *     {
 *         for (uint32_t c = 0; c < n; c++) {
 *             double fn = depth[c] > 0.0 ? kn * depth[c] : 0.0;
 *             fx[c] = -fn * nx[c];
 *             ...
 *         }
 *     }
 *     ...
 *     kernel(b->n, kn, b->depth, SCREE_XYZ(b->normal), SCREE_XYZ(b->f));
 *
 * Or SCREE_INDEPENDENT before the loop, which then reads the arrays of the batch itself. Copy
 * doubles that the loop does not change to local variables first: the compiler must assume that a
 * write to an array of doubles changes any double that is not local.
 *
 *     const double kn = self->kn;
 *     SCREE_INDEPENDENT
 *     for (uint32_t c = 0; c < b->n; c++)
 *         b->stored[c] = 0.5 * kn * b->depth[c] * b->depth[c];
 *
 * Either way with selects (x > y ? x : y) instead of branches, and no calls but sqrt.
 */
#if defined(__cplusplus)
#define SCREE_RESTRICT __restrict__
#else
#define SCREE_RESTRICT restrict
#endif

/** Precedes the loop of a kernel: no contact writes what another one reads, which lets compilers
 * vectorise the loop. */
#if defined(__clang__)
#define SCREE_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
/* A loop that clang does not vectorise, as with -O1 or a sanitizer, is not a mistake. */
#pragma clang diagnostic ignored "-Wpass-failed"
#elif defined(__GNUC__)
#define SCREE_INDEPENDENT _Pragma("GCC ivdep")
#else
#define SCREE_INDEPENDENT
#endif

/** Type of a parameter that is an array of doubles: read, and written. None overlaps another. */
#define SCREE_IN const double *SCREE_RESTRICT
#define SCREE_OUT double *SCREE_RESTRICT

/** Three of them, of a vector's components: SCREE_IN3(v) declares vx, vy, vz. */
#define SCREE_IN3(v) SCREE_IN v##x, SCREE_IN v##y, SCREE_IN v##z
#define SCREE_OUT3(v) SCREE_OUT v##x, SCREE_OUT v##y, SCREE_OUT v##z

/** The three arguments for them, from an array of three pointers. */
#define SCREE_XYZ(p) (p)[0], (p)[1], (p)[2]

/** The larger and the smaller of two, as selects: a kernel may call them. b when they are equal or
 * one is not a number. */
static inline double scree_max(double a, double b)
{
    return a > b ? a : b;
}

static inline double scree_min(double a, double b)
{
    return a < b ? a : b;
}

/** v^(-1/3) of a normal v > 0, to some roundings: a guess from the bits, good to 4 %, then two
 * steps whose error is the fourth power of the previous one. A kernel may call it. */
static inline double scree_inverse_cbrt(double v)
{
    uint64_t bits;
    double r;
    memcpy(&bits, &v, sizeof bits);
    bits = (0x553ef0ffull - ((bits >> 32) * 0x55555556ull >> 32)) << 32;
    memcpy(&r, &bits, sizeof r);
    for (int k = 0; k < 2; k++) {
        double off = 1.0 - v * r * (r * r);
        r += r * off * (1.0 / 3.0 + off * (2.0 / 9.0 + off * (14.0 / 81.0)));
    }
    return r;
}

/** By how much a tangential spring h, committed at another normal, must be drawn out so as to keep
 * its length when it is cut to the plane across n: 0 for no spring, -1 when no part of it is
 * in that plane (it starts again). hn = h·n, h2 = h·h. A kernel may call it. */
#define SCREE_FLAT 1e-6 /* of the length squared: less in the plane is nothing */
static inline double scree_turn_spring(double hn, double h2)
{
    double flat2 = h2 - hn * hn, by = sqrt(h2 / (flat2 > 0.0 ? flat2 : 1.0));
    double none = h2 > 0.0 ? -1.0 : 0.0;
    return flat2 > SCREE_FLAT * h2 ? by : none;
}

/* The part of a spring kt s and a dashpot ct t that Coulomb's limit cuts in the plane of a contact.
 */
#define SCREE_SLIDE_TOTAL                                                                          \
    0 /* their sum; kt s is then what the cut force needs next to the dashpot [Cundall, Strack     \
         1979, Geotechnique 29, 47; Luding 2008, Granular Matter 10, 235]; LAMMPS */
#define SCREE_SLIDE_EACH 1 /* their sum, and kt s by itself where it is beyond the limit too */
#define SCREE_SLIDE_SPRING                                                                         \
    2 /* kt s; what slides has no dashpot, else ct t has no limit; LIGGGHTS */

/** Force g [N] of a spring s [m] and of a dashpot at the tangential velocity t [m/s], cut to the
 * limit [N] >= 0 by a rule, and s as the rule leaves it. Returns 1 when the contact slides. */
static inline int scree_slide(int32_t rule, double kt, double ct, double limit, const double t[3],
                              double s[3], double g[3])
{
    double g2 = 0.0, s2 = 0.0, most = limit * limit, cut = 1.0, held = 1.0;
    for (int k = 0; k < 3; k++) {
        g[k] = -kt * s[k] - ct * t[k];
        g2 += g[k] * g[k];
    }
    if (rule != SCREE_SLIDE_TOTAL)
        for (int k = 0; k < 3; k++)
            s2 += kt * kt * s[k] * s[k];
    if (rule != SCREE_SLIDE_SPRING && g2 > most)
        cut = limit / sqrt(g2);
    if (rule != SCREE_SLIDE_TOTAL && s2 > most)
        held = limit / sqrt(s2);
    if (rule == SCREE_SLIDE_SPRING ? held >= 1.0 : cut >= 1.0)
        return 0;
    double inv_kt = kt > 0.0 ? 1.0 / kt : 0.0;
    for (int k = 0; k < 3; k++) {
        g[k] = rule == SCREE_SLIDE_SPRING ? -kt * held * s[k] : cut * g[k];
        s[k] = rule == SCREE_SLIDE_TOTAL ? -(g[k] + ct * t[k]) * inv_kt : held * s[k];
    }
    return 1;
}

/* Values that a force law reports as `lost` (force.h): the heat of the step since the committed
 * state. The force of that state acts for the first half of it, the current one for the second,
 * both with the current velocity. Heat that depends only on the place follows the trapezium rule. A
 * dashpot's force lags half a step, so that of its c v^2 three quarters stand for now, one for
 * then. */

/** [W] Heat, now or then (`share` 0.75 or 0.25, 0 where it does not act), of a dashpot c [N s/m] at
 * `speed` whose force has no more than `room` [N]: what is beyond is cut. */
static inline double scree_dashpot_heat(double room, double c, double speed, double share)
{
    double cut = share > 0.0 ? 0.5 * room * speed : 0.0;
    return c * speed > room ? cut : share * c * speed * speed;
}

/** Sets the tangential spring of contact c, in and out[0 .. 2], to s. Its stiffness was k_then and
 * is k [N/m]. Returns the heat [W] that its work and what it stores leave: 0 when it sticks and k
 * stays. */
static inline double scree_spring_heat(const scree_contact_batch *b, uint32_t c, double k_then,
                                       double k, const double s[3])
{
    double un = 0.0, hn = 0.0, h2 = 0.0, work = 0.0;
    for (int i = 0; i < 3; i++) {
        un += b->slip[i][c] * b->normal[i][c];
        hn += b->in[i][c] * b->normal[i][c];
        h2 += b->in[i][c] * b->in[i][c];
    }
    double then = k_then * scree_max(scree_turn_spring(hn, h2), 0.0);
    for (int i = 0; i < 3; i++) {
        double u = b->slip[i][c] - un * b->normal[i][c], h = b->in[i][c] - hn * b->normal[i][c];
        work += (then * h + k * s[i]) * u - k * s[i] * s[i];
        b->out[i][c] = s[i];
    }
    return b->since > 0.0 ? 0.5 * (work + k_then * h2) / b->since : 0.0;
}

/** 1 when contact c does not touch now, and when it did not at the committed state. */
static inline int scree_skips_now(const scree_contact_batch *b, uint32_t c)
{
    return !(b->depth[c] >= 0.0);
}
static inline int scree_skips_then(const scree_contact_batch *b, uint32_t c)
{
    return SCREE_HAS(b, parted) ? 0 : b->fresh[c] || !(b->depth[c] >= 0.0);
}

/** [-] Share of c t^2 that the tangential dashpot of a contact that sticks takes: 1 - (omega h)^2 /
 * 4, omega^2 = k (1 + m r^2 / I) / m, of balls. (In normal direction what the step's end takes,
 * where balls meet within a step, makes up for that.) */
static inline double scree_lag(double k, double m, double since)
{
    return 1.0 - 0.875 * k * since * since / m;
}

/** Contacts that a kernel leaves to a slower function are marked: mark > `from`. The next from
 * number c on, or n. */
static inline uint32_t scree_next_mark(const double *mark, double from, uint32_t c, uint32_t n)
{
    for (; c + 8 <= n; c += 8) {
        double a = scree_max(scree_max(mark[c], mark[c + 1]), scree_max(mark[c + 2], mark[c + 3]));
        double b =
            scree_max(scree_max(mark[c + 4], mark[c + 5]), scree_max(mark[c + 6], mark[c + 7]));
        if (scree_max(a, b) > from)
            break;
    }
    while (c < n && !(mark[c] > from))
        c++;
    return c;
}

/** Marks the contacts that begin, and (`forceless`) those without a force, for their heat. */
static inline void scree_mark_ends(const scree_contact_batch *b, int forceless, double *mark)
{
    const uint8_t *end = b->fresh + b->n, *at = b->since > 0.0 ? b->fresh : end;
    for (; (at = (const uint8_t *)memchr(at, 1, (size_t)(end - at))) != NULL; at++)
        mark[at - b->fresh] = 1.0;
    if (forceless)
        for (uint32_t c = 0; c < b->n; c++)
            if (b->f[0][c] == 0.0 && b->f[1][c] == 0.0 && b->f[2][c] == 0.0)
                mark[c] = 1.0;
}

/** An ELF note with major and digest. The host reads it without running code of the file, and so
 * refuses a file that was built with other headers. */
#if defined(__GNUC__)
#define SCREE_NOTE_                                                                                \
    static const struct {                                                                          \
        uint32_t name_size, data_size, type;                                                       \
        char name[8];                                                                              \
        uint32_t major;                                                                            \
        char digest[68];                                                                           \
    } scree_note_ __attribute__((section(".note.scree"), used, aligned(4))) = {                    \
        sizeof SCREE_NOTE_NAME, 72, SCREE_NOTE_TYPE, SCREE_NOTE_NAME, SCREE_ABI_MAJOR,             \
        SCREE_ABI_DIGEST};
#else
#define SCREE_NOTE_
#endif

/** Defines the exported symbol of a file that offers the listed descriptors (addresses of
 * `static const scree_plugin` objects), and its note. A semicolon follows. */
#define SCREE_DEFINE_MANIFEST(...)                                                                 \
    SCREE_NOTE_                                                                                    \
    static const scree_plugin *const scree_plugin_list_[] = {__VA_ARGS__};                         \
    const scree_manifest scree_plugin_v0 = {                                                       \
        sizeof(scree_manifest),                                                                    \
        SCREE_ABI_MAJOR,                                                                           \
        (uint32_t)(sizeof scree_plugin_list_ / sizeof scree_plugin_list_[0]),                      \
        0,                                                                                         \
        scree_plugin_list_,                                                                        \
        SCREE_ABI_DIGEST,                                                                          \
    }

/** Number of elements of an array. */
#define SCREE_COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

/*
 * Descriptors of parameters, for a config struct `config_type` whose member is named as the
 * parameter is; a semicolon follows. Each defines `param_ID`, a choice's value `choice_ID`:
 *
 *     SCREE_REAL_PARAM(config, kn, "N/m", SCREE_PARAM_REQUIRED, 0, 0, HUGE_VAL, "stiffness");
 *     SCREE_CHOICE_VALUE(none, NONE, "no dashpot");
 *     SCREE_CHOICE_VALUE(mass, MASS, "by the effective mass");
 *     SCREE_CHOICE_PARAM(config, damping, 0, "mass", "what damps", &choice_none, &choice_mass);
 *     static const scree_param *const params[] = {&param_kn, &param_damping};
 *
 * Other types of parameters, and members of other names, are written as the struct that they are.
 */

/** true or false; the member is an int32_t. */
#define SCREE_BOOL_PARAM(config_type, id, flags, def, help)                                        \
    SCREE_PARAM_(config_type, id, SCREE_TYPE_BOOL, flags, 0, NULL, help, 0, 0, 0, def, 0, 1, NULL, \
                 NULL, 0)

/** An integer in [min, max]; the member is an int64_t. */
#define SCREE_INT_PARAM(config_type, id, flags, def, min, max, help)                               \
    SCREE_PARAM_(config_type, id, SCREE_TYPE_INT, flags, 0, NULL, help, 0, 0, 0, def, min, max,    \
                 NULL, NULL, 0)

/** A number in [min, max] of the unit; the member is a double. */
#define SCREE_REAL_PARAM(config_type, id, unit, flags, def, min, max, help)                        \
    SCREE_PARAM_(config_type, id, SCREE_TYPE_REAL, flags, 0, unit, help, def, min, max, 0, 0, 0,   \
                 NULL, NULL, 0)

/** A number in [0, max] per pair of materials, mixed by SCREE_MIX_`mixing`; the member is a
 * scree_reals. */
#define SCREE_PAIR_PARAM(config_type, id, unit, flags, def, max, mixing, help)                     \
    SCREE_PARAM_(config_type, id, SCREE_TYPE_PER_PAIR, flags, SCREE_MIX_##mixing, unit, help, def, \
                 0, max, 0, 0, 0, NULL, NULL, 0)

/** A number in [min, max] per material; the member is a scree_reals. */
#define SCREE_MATERIAL_PARAM(config_type, id, unit, flags, def, min, max, help)                    \
    SCREE_PARAM_(config_type, id, SCREE_TYPE_PER_MATERIAL, flags, 0, unit, help, def, min, max, 0, \
                 0, 0, NULL, NULL, 0)

/** One of the choices given last, by name; the member is an int32_t and gets its value. */
#define SCREE_CHOICE_PARAM(config_type, id, flags, def, help, ...)                                 \
    static const scree_choice *const choices_##id[] = {__VA_ARGS__};                               \
    SCREE_PARAM_(config_type, id, SCREE_TYPE_CHOICE, flags, 0, NULL, help, 0, 0, 0, 0, 0, 0, def,  \
                 choices_##id, SCREE_COUNT(choices_##id))
/** A part of space, a recipe for bodies, names of materials; the member is a const
 * scree_zone *, a const scree_recipe *, or a scree_ints. */
#define SCREE_ZONE_PARAM(config_type, id, flags, help)                                             \
    SCREE_PARAM_(config_type, id, SCREE_TYPE_ZONE, flags, 0, NULL, help, 0, 0, 0, 0, 0, 0, NULL,   \
                 NULL, 0)
#define SCREE_RECIPE_PARAM(config_type, id, flags, help)                                           \
    SCREE_PARAM_(config_type, id, SCREE_TYPE_RECIPE, flags, 0, NULL, help, 0, 0, 0, 0, 0, 0, NULL, \
                 NULL, 0)
#define SCREE_MATERIALS_PARAM(config_type, id, flags, help)                                        \
    SCREE_PARAM_(config_type, id, SCREE_TYPE_MATERIALS, flags, 0, NULL, help, 0, 0, 0, 0, 0, 0,    \
                 NULL, NULL, 0)
/** A row of a table of scree_scalar. */
#define SCREE_SCALAR(name, unit, flags)                                                            \
    {                                                                                              \
        sizeof(scree_scalar), flags, name, unit                                                    \
    }
#define SCREE_CHOICE_VALUE(id, value, help)                                                        \
    static const scree_choice choice_##id = {sizeof(scree_choice), value, #id, help}
/** Which rule of scree_slide() a law follows, `each` unless the scene says otherwise; the member is an
 * int32_t. */
#define SCREE_SLIDING_PARAM(config_type, id)                                                       \
    SCREE_CHOICE_VALUE(                                                                            \
        total, SCREE_SLIDE_TOTAL,                                                                  \
        "spring and dashpot; the spring is what that leaves: LAMMPS and Luding 2008");             \
    SCREE_CHOICE_VALUE(each, SCREE_SLIDE_EACH,                                                     \
                       "spring and dashpot; the share of the spring by itself: scree's own");      \
    SCREE_CHOICE_VALUE(spring, SCREE_SLIDE_SPRING,                                                 \
                       "the spring; what slides has no tangential dashpot: LIGGGHTS");             \
    SCREE_CHOICE_PARAM(config_type, id, SCREE_PARAM_LIVE, "each",                                  \
                       "what the limit of friction cuts", &choice_total, &choice_each,             \
                       &choice_spring)

/* Their common form: the members of scree_param in their order. */
#define SCREE_PARAM_(config_type, id, type, flags, mixing, unit, help, real, real_min, real_max,   \
                     integer, int_min, int_max, string, choices, n_choices)                        \
    static const scree_param param_##id = {sizeof(scree_param),                                    \
                                           type,                                                   \
                                           flags,                                                  \
                                           mixing,                                                 \
                                           offsetof(config_type, id),                              \
                                           #id,                                                    \
                                           unit,                                                   \
                                           help,                                                   \
                                           real,                                                   \
                                           real_min,                                               \
                                           real_max,                                               \
                                           integer,                                                \
                                           int_min,                                                \
                                           int_max,                                                \
                                           string,                                                 \
                                           choices,                                                \
                                           n_choices,                                              \
                                           0,                                                      \
                                           0,                                                      \
                                           0}

#define SCREE_FIELD_OF(id, scope, components, revision, on_return, flags, unit, initial, help)     \
    static const scree_field field_##id = {sizeof(scree_field),                                    \
                                           SCREE_SCOPE_##scope,                                    \
                                           components,                                             \
                                           revision,                                               \
                                           SCREE_MISSING_DEFAULT,                                  \
                                           on_return,                                              \
                                           flags,                                                  \
                                           0,                                                      \
                                           #id,                                                    \
                                           unit,                                                   \
                                           help,                                                   \
                                           initial}
/** Descriptor `field_ID` of a field: scope CONTACT, PAIR, BODY or GLOBAL, doubles per value,
 * revision of their meaning. A semicolon follows. A swap that takes the plugin out drops it. */
#define SCREE_FIELD(id, scope, components, revision, unit, initial, help)                          \
    SCREE_FIELD_OF(id, scope, components, revision, SCREE_RETURN_RESTART, 0, unit, initial, help)
/** The same of a field that lives on until its plugin comes back. */
#define SCREE_FIELD_RESTORE(id, scope, components, revision, unit, initial, help)                  \
    SCREE_FIELD_OF(id, scope, components, revision, SCREE_RETURN_RESTORE, 0, unit, initial, help)

/** A GLOBAL field of a plugin with SCREE_CAP_RANKS: `over` is SUM or SAME. */
#define SCREE_GLOBAL_FIELD(id, components, revision, over, unit, initial, help)                    \
    SCREE_FIELD_OF(id, GLOBAL, components, revision, SCREE_RETURN_RESTART, SCREE_FIELD_##over,     \
                   unit, initial, help)

/** A field of others that a plugin uses, named `id`: SCREE_USE(temperature, BODY, 1, SCREE_USE_READ,
 * "K", "help") defines `use_temperature`. */
#define SCREE_USE(id, scope, components, access, unit, help)                                       \
    static const scree_use use_##id = {                                                            \
        sizeof(scree_use), SCREE_SCOPE_##scope, components, access, 0, 0, #id, unit, help}

/** host->fail with a format. Returns `code`. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4), unused))
#endif
static int32_t
scree_failf(const scree_host *host, int32_t code, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return host->fail(host->ctx, code, text);
}

/** host->log with a format. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4), unused))
#endif
static void
scree_logf(const scree_host *host, int32_t level, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    host->log(host->ctx, level, text);
}

/** [config] The service "scree.files/1"; NULL after host->fail: this host has none. */
static inline const scree_files *scree_files_of(const scree_host *host)
{
    const scree_files *files =
        (const scree_files *)host->get_service(host->ctx, SCREE_SERVICE_FILES);
    if (!files)
        host->fail(host->ctx, SCREE_E_UNSUPPORTED, "this host opens no files (scree.files/1)");
    return files;
}

/** A double in [0, 1) from 64 random bits. */
static inline double scree_uniform(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1.0p-53;
}

/** [m] The radius at u in [0, 1) of a distribution by number. */
static inline double scree_size_draw(const scree_size_table *s, double u)
{
    uint64_t lo = 0, hi = s->n - 1;
    double below, share, t, a, b, r;
    while (lo < hi) { /* the first class whose sum exceeds u */
        uint64_t mid = lo + (hi - lo) / 2;
        if (s->sum[mid] > u)
            hi = mid;
        else
            lo = mid + 1;
    }
    if (s->discrete)
        return s->radius[lo];
    below = lo ? s->sum[lo - 1] : 0.0;
    share = s->sum[lo] - below;
    t = share > 0.0 ? (u - below) / share : 0.0;
    a = s->radius[lo];
    b = s->radius[lo + 1];
    if (s->power == 3)
        r = 1.0 / sqrt(1.0 / (a * a) - t * (1.0 / (a * a) - 1.0 / (b * b)));
    else if (s->power == 2)
        r = 1.0 / (1.0 / a - t * (1.0 / a - 1.0 / b));
    else
        r = a + t * (b - a);
    return r < a ? a : r > b ? b : r;
}

/** [m] The largest radius that can come. */
static inline double scree_size_max(const scree_size_table *s)
{
    return s->radius[s->discrete ? s->n - 1 : s->n];
}

/** [-] A random part of a velocity from two numbers in [0, 1): uniform in [-1, 1), or Gaussian with
 * deviation 1 (Box and Muller 1958; 1 - u is in (0, 1]). Uses libm. */
static inline double scree_velocity_spread(int uniform, double u1, double u2)
{
    const double pi = 3.1415926535897932384626433832795;
    return uniform ? 2.0 * u1 - 1.0 : sqrt(-2.0 * log(1.0 - u1)) * cos(2.0 * pi * u2);
}

/** 1 when a ball of radius r about x lies in the zone; r = 0: when the point does. */
static inline int scree_zone_holds(const scree_zone *z, const double x[3], double r)
{
    double d2 = 0.0, along = 0.0, length2 = 0.0;
    int inside = 1;
    for (int k = 0; k < 3; k++) {
        double axis = z->b[k] - z->a[k], d = x[k] - z->a[k];
        if (z->hi[k] > z->lo[k])
            inside &= (x[k] - r >= z->lo[k]) & (x[k] + r <= z->hi[k]);
        d2 += d * d;
        along += d * axis;
        length2 += axis * axis;
    }
    if (z->type == SCREE_ZONE_BALL)
        return r <= z->radius && d2 <= (z->radius - r) * (z->radius - r);
    if (z->type == SCREE_ZONE_CYLINDER) {
        double length = sqrt(length2), at = along / length, off2 = d2 - at * at;
        return r <= z->radius && at >= r && at <= length - r &&
               off2 <= (z->radius - r) * (z->radius - r) &&
               (z->inner == 0.0 || off2 >= (z->inner + r) * (z->inner + r));
    }
    return z->type == SCREE_ZONE_ALL || inside;
}

/** Makes *array hold at least `n` elements of `size` bytes, growing by half; content is kept, new
 * bytes are undefined. Returns 0 when out of memory (the old array is then still valid). */
static inline int scree_grow(void *array_ptr, uint64_t *capacity, uint64_t n, size_t size)
{
    void *old, *grown;
    uint64_t want;
    if (n <= *capacity)
        return 1;
    want = *capacity + *capacity / 2;
    if (want < n)
        want = n;
    if (want > SIZE_MAX / size)
        return 0;
    memcpy(&old, array_ptr, sizeof old);
    grown = realloc(old, (size_t)want * size);
    if (!grown)
        return 0;
    memcpy(array_ptr, &grown, sizeof grown);
    *capacity = want;
    return 1;
}

/** [kg] Mass of a body of this shape, material and scale; shape and material are indices of `b`. */
static inline double scree_body_mass(const scree_bodies *b, uint32_t shape, uint32_t material,
                                     double scale)
{
    const scree_shape *s = b->shapes[shape];
    return b->material_density[material] *
           (s->volume * scale * scale * (s->flat ? b->thickness : scale));
}

/** One new body in plain numbers, in the principal frame. */
typedef struct scree_one_body {
    uint32_t shape, material, motion;
    uint32_t reserved; /* 0 */
    double scale;      /* [-] */
    double x[3];       /* [m] */
    double q[4];       /* [-] */
    double v[3];       /* [m/s] */
    double w[3];       /* [rad/s] */
} scree_one_body;

/** The description of one body, for edits->insert, add() of a source and scree.query/1; *one must
 * last as long. */
static inline scree_new_bodies scree_new_body(const scree_one_body *one)
{
    scree_new_bodies b;
    memset(&b, 0, sizeof b);
    b.size = sizeof b;
    b.n = 1;
    b.shape = &one->shape;
    b.material = &one->material;
    b.motion = &one->motion;
    b.scale = &one->scale;
    for (int k = 0; k < 4; k++) {
        b.q[k] = &one->q[k];
        if (k == 3)
            break;
        b.x[k] = &one->x[k];
        b.v[k] = &one->v[k];
        b.w[k] = &one->w[k];
    }
    return b;
}

/** Inserts one body; *id: its future id. */
static inline int32_t scree_insert_one(const scree_edits *edits, const scree_one_body *one,
                                       uint64_t *id)
{
    const scree_new_bodies bodies = scree_new_body(one);
    return edits->insert(edits->ctx, &bodies, id);
}

/** Turns v from the axes of body i to those of the world. */
static inline void scree_to_world(const scree_bodies *b, uint32_t i, const double v[3],
                                  double out[3])
{
    const double q[4] = {b->q[0][i], b->q[1][i], b->q[2][i], b->q[3][i]};
    scree_rotate(q, v, out);
}

/** Closed overlap of two boxes: touching counts. Empty slots overlap nothing. */
static inline int scree_boxes_overlap(const scree_boxes *b, uint32_t i, uint32_t j)
{
    return (b->lo[0][i] <= b->hi[0][j]) & (b->lo[0][j] <= b->hi[0][i]) &
           (b->lo[1][i] <= b->hi[1][j]) & (b->lo[1][j] <= b->hi[1][i]) &
           (b->lo[2][i] <= b->hi[2][j]) & (b->lo[2][j] <= b->hi[2][i]);
}

/** 1 when slot i is empty. */
static inline int scree_box_empty(const scree_boxes *b, uint32_t i)
{
    return b->lo[0][i] > b->hi[0][i];
}

/** 1 when box i overlaps the zone, both closed; an empty slot overlaps none. A cylinder counts as the
 * box around it; a ball is taken larger by a few roundings, so that a box that touches it is never
 * missed. */
static inline int scree_zone_meets_box(const scree_zone *z, const scree_boxes *b, uint32_t i)
{
    double d2 = 0.0, reach = z->radius * (1.0 + 1e-12);
    const int near = (b->lo[0][i] <= b->hi[0][i]) & (b->lo[0][i] <= z->hi[0]) &
                     (z->lo[0] <= b->hi[0][i]) & (b->lo[1][i] <= z->hi[1]) &
                     (z->lo[1] <= b->hi[1][i]) & (b->lo[2][i] <= z->hi[2]) &
                     (z->lo[2] <= b->hi[2][i]);
    if (z->type != SCREE_ZONE_BALL)
        return near;
    for (int k = 0; k < 3; k++) {
        const double below = b->lo[k][i] - z->a[k], above = z->a[k] - b->hi[k][i];
        const double d = below > above ? below : above;
        d2 += d > 0.0 ? d * d : 0.0;
    }
    return near & (d2 <= reach * reach);
}

#endif
