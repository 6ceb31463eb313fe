// SPDX-License-Identifier: Apache-2.0
// dfr3d: cells and numbers of a body, for pictures and counts (draft.solid/1).
#include "shapes.h"

void dfr_show_grid(const dfr_body *b, const dfr_frame *frame, scree_solid_grid *out)
{
    memset(out, 0, sizeof *out);
    for (int k = 0; k < 3; k++) {
        out->n[k] = b->grid.n[k];
        for (int m = 0; m < 3; m++) { // back: p of the shape is at turn p + shift
            out->axis[k][m] = b->grid.cell[k] * frame->turn[k][m];
            out->origin[m] += (b->grid.origin[k] - frame->shift[k]) * frame->turn[k][m];
        }
    }
}

void dfr_show_classes(const dfr_body *b, uint8_t *out)
{
    const uint32_t *n = b->grid.n;
    for (uint32_t k = 0; k < n[2]; k++)
        for (uint32_t j = 0; j < n[1]; j++)
            for (uint32_t i = 0; i < n[0]; i++) {
                const int32_t code =
                    dfr_code(b, (const int32_t[3]){(int32_t)i, (int32_t)j, (int32_t)k});
                *out++ = code >= 0              ? SCREE_SOLID_BORDER
                         : code == DFR_INTERNAL ? SCREE_SOLID_INSIDE
                                                : SCREE_SOLID_OUTSIDE;
            }
}

uint32_t dfr_show_numbers(const dfr_body *b, uint32_t room, scree_solid_number *out)
{
    const uint32_t *n = b->grid.n;
    uint64_t inside = 0;
    for (uint64_t c = 0; c < b->n_stencil; c++)
        inside += b->stencil[c] == DFR_INTERNAL;
    const double cells = (double)n[0] * n[1] * n[2], border = b->n_cells;
    const scree_solid_number all[] = {
        {"outside", cells - border - (double)inside},
        {"inside", (double)inside},
        {"border", border},
        {"vertices", b->n_vertices},
        {"facets", b->n_facets},
        {"edges", b->n_edges},
        {"orl", 1.0 + b->slices.n + (double)b->n_prisms},
        {"stencil", (double)b->n_stencil},
        {"map_bytes", (1.0 + b->slices.n + (double)b->n_prisms) * (double)sizeof(dfr_orl) +
                          (double)b->n_stencil * (double)sizeof *b->stencil},
        {"bytes", (double)dfr_body_bytes(b)},
        {"volume", b->volume},
    };
    for (uint32_t k = 0; k < SCREE_COUNT(all) && k < room; k++)
        out[k] = all[k];
    return SCREE_COUNT(all);
}
