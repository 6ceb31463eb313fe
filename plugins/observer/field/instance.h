// SPDX-License-Identifier: Apache-2.0
// The instance of observer `field`, shared by field.c, state.c and files.c.
#ifndef OBSERVER_FIELD_INSTANCE_H
#define OBSERVER_FIELD_INSTANCE_H

#include "../stream.h"
#include "field.h"

typedef struct listed {
    uint64_t window;
    double time;
} listed;

typedef struct field {
    const field_config *config;
    text_stream out, frame; // the table; a file of ParaView
    char *frame_name;
    field_grid grid;
    field_kernel kernel;
    field_scene scene;
    field_average average;
    double *values; // [n_cells][n_values]
    listed *list;
    uint64_t n_listed, list_capacity, name_capacity;
    const scree_used_field *const *used;
} field;

/** state.c: saves the sums of the current window in a checkpoint. */
void state_begin(field *self);
int32_t state_check_size(const field *self, uint64_t n_sums);
int32_t state_allocate(field *self, uint64_t n_sums);
int32_t state_save(void *instance, const scree_state_sink *sink);
int32_t state_load(void *instance, const void *bytes, uint64_t size);

/** files.c: writes the finished window into the table and, if asked for, into a file for
 * ParaView. */
int32_t write_window(field *self);

#endif
