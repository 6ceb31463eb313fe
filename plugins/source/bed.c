// SPDX-License-Identifier: Apache-2.0
/*
 * How dense a packing is.
 */
#include "filling.h"

#include <stdio.h>
#include <stdlib.h>

static int compare_heights(const void *pa, const void *pb)
{
    const double a = *(const double *)pa, b = *(const double *)pb;
    return (a > b) - (a < b);
}

/* [-] What the lower nine tenths of the bodies fill of the box up to their centres; below 0: the region
 * is not a box, or the bodies do not drift along an axis. */
static double bed_fraction(const filling *f)
{
    const uint64_t in = f->sites.n0, most = in - in / 10;
    uint32_t axis = 0, n = 0;
    for (uint32_t k = 0; k < 3; k++)
        if (f->drift[k] != 0.0) {
            axis = k;
            n++;
        }
    double *height = (double *)calloc((size_t)in + 1, sizeof *height), solid = 0.0, bed = -1.0;
    if (!height)
        return bed;
    for (uint64_t i = 0; i < f->n; i++) {
        const double x = f->place[i] == WAITS ? 0.0 : f->sites.x[axis][f->place[i]];
        if (f->place[i] != WAITS)
            height[f->place[i]] = f->drift[axis] < 0.0 ? x - f->p.min[axis] : f->p.max[axis] - x;
    }
    if (in > 0 && n == 1 && f->p.config->region->type == SCREE_ZONE_BOX) {
        for (uint64_t i = 0; i < f->n; i++)
            solid += f->place[i] == WAITS ? 0.0 : packing_solid(&f->p, f->scale[i]);
        qsort(height, (size_t)in, sizeof *height, compare_heights);
        bed = solid * (double)most / (double)in /
              (packing_region(&f->p) * height[most - 1] / (f->p.max[axis] - f->p.min[axis]));
    }
    free(height);
    return bed;
}

/* Says what has been reached. */
void filling_report(const filling *f, double solid)
{
    const scree_host *host = f->p.host;
    const double bed = bed_fraction(f), region = packing_region(&f->p);
    char text[256], of_bed[96] = "";
    if (bed >= 0.0)
        snprintf(of_bed, sizeof of_bed, ", %.3f of the lower nine tenths of the bed", bed);
    snprintf(text, sizeof text,
             "%llu of %llu bodies in %llu updates: they fill %.3f of the region%s; they moved %s",
             (unsigned long long)f->sites.n0, (unsigned long long)f->n,
             (unsigned long long)f->update, solid / region, of_bed,
             f->one_by_one ? "one after the other" : "all at once");
    host->log(host->ctx, SCREE_LOG_INFO, text);
}
