// SPDX-License-Identifier: Apache-2.0
// Files of observer `field`: when which one is opened, written and listed.
#include "instance.h"

static field_frame frame_of(const field *self)
{
    return (field_frame){.grid = &self->grid,
                         .average = &self->average,
                         .used = self->used,
                         .names = self->config->fields.v,
                         .values = self->values,
                         .n_used = self->config->fields.n,
                         .thickness = self->out.host->thickness};
}

static int32_t open_table(field *self)
{
    const field_frame frame = frame_of(self);
    const char *slash = strrchr(self->out.base, '/');
    int32_t status = stream_open(&self->out, ".gp");
    if (status != SCREE_OK)
        return status;
    table_script(self->out.file, &self->grid, slash ? slash + 1 : self->out.base);
    status = stream_close(&self->out, ".gp");
    if (status == SCREE_OK)
        status = stream_open(&self->out, ".csv");
    if (status == SCREE_OK)
        table_head(self->out.file, &frame);
    return status;
}

static int32_t write_table(field *self)
{
    const field_frame frame = frame_of(self);
    int32_t status = self->out.file ? SCREE_OK : open_table(self);
    if (status != SCREE_OK)
        return status;
    table_rows(self->out.file, &frame);
    // A full disk is reported when it happens, and a run can be watched.
    if (fflush(self->out.file) != 0 || ferror(self->out.file))
        return stream_fail(&self->out, ".csv");
    self->out.whole = ftello(self->out.file);
    return SCREE_OK;
}

/* Opens NAME/WORDS as a stream of its own. */
static int32_t open_frame(field *self, const char *words, const char *suffix)
{
    const size_t size = strlen(self->out.base) + strlen(words) + 2;
    const scree_host *host = self->out.host;
    if (!scree_grow(&self->frame_name, &self->name_capacity, size, 1))
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the name of a file");
    snprintf(self->frame_name, size, "%s/%s", self->out.base, words);
    self->frame = (text_stream){.host = host, .output = self->out.output, .base = self->frame_name};
    return stream_open(&self->frame, suffix);
}

static int32_t write_list(field *self)
{
    int32_t status = open_frame(self, "windows", ".pvd");
    if (status != SCREE_OK)
        return status;
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n",
          self->frame.file);
    for (uint64_t k = 0; k < self->n_listed; k++)
        fprintf(self->frame.file, "<DataSet timestep=\"%.17g\" file=\"window_%05" PRIu64 "%s\"/>\n",
                self->list[k].time, self->list[k].window, vtk_suffix(&self->grid));
    fputs("</Collection>\n</VTKFile>\n", self->frame.file);
    return stream_close(&self->frame, ".pvd");
}

static int32_t write_vtk(field *self)
{
    const scree_host *host = self->out.host;
    const field_frame frame = frame_of(self);
    char words[40];
    int32_t status;
    snprintf(words, sizeof words, "window_%05" PRIu64, self->average.head.window);
    status = open_frame(self, words, vtk_suffix(&self->grid));
    if (status != SCREE_OK)
        return status;
    vtk_write(self->frame.file, &frame);
    status = stream_close(&self->frame, vtk_suffix(&self->grid));
    if (status != SCREE_OK)
        return status;
    if (!scree_grow(&self->list, &self->list_capacity, self->n_listed + 1, sizeof *self->list))
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the list of windows");
    self->list[self->n_listed++] = (listed){self->average.head.window, self->average.head.last};
    return write_list(self);
}

int32_t write_window(field *self)
{
    const field_average *a = &self->average;
    int32_t status;
    for (uint64_t cell = 0; cell < a->head.n_cells; cell++)
        values_of(a->total + cell * a->head.n_sums, (uint32_t)a->head.n_sums,
                  (double)a->head.samples, self->grid.dimension, self->values + cell * a->n_values);
    status = write_table(self);
    return status == SCREE_OK && self->config->vtk ? write_vtk(self) : status;
}
