/* SPDX-License-Identifier: Apache-2.0 */
/* One key of a group, read by a row that a test makes. */
#ifndef TESTS_CONFIG_READ_KEYS_H
#define TESTS_CONFIG_READ_KEYS_H

#include <math.h>

#include "config/config_read.h"
#include "config/keys.h"

/** Fills `to` by a row; texts live as long as the program. */
static inline void read_key(scree_config *config, scree_node *group, const scree_param *row,
                            void *to)
{
    static GPtrArray *memory;
    if (!memory)
        memory = g_ptr_array_new();
    const scree_keys keys = {config, group, to, memory, NULL, 3};
    g_assert_true(scree_keys_fill(&keys, row));
}

static inline double read_real(scree_config *config, scree_node *group, const char *key,
                               const char *unit, double otherwise, double min, double max,
                               uint32_t flags)
{
    const scree_param row = {.type = SCREE_TYPE_REAL,
                             .name = key,
                             .help = "help",
                             .unit = unit,
                             .flags = flags,
                             .real_default = otherwise,
                             .real_min = min,
                             .real_max = max};
    double value;
    read_key(config, group, &row, &value);
    return value;
}

static inline int64_t read_int(scree_config *config, scree_node *group, const char *key,
                               int64_t otherwise, int64_t min, int64_t max)
{
    const scree_param row = {.type = SCREE_TYPE_INT,
                             .name = key,
                             .int_default = otherwise,
                             .int_min = min,
                             .int_max = max};
    int64_t value;
    read_key(config, group, &row, &value);
    return value;
}

static inline bool read_bool(scree_config *config, scree_node *group, const char *key)
{
    const scree_param row = {.type = SCREE_TYPE_BOOL, .name = key};
    int32_t value;
    read_key(config, group, &row, &value);
    return value;
}

/** `flags`: SCREE_PARAM_FILE, or 0. */
static inline const char *read_text(scree_config *config, scree_node *group, const char *key,
                                    const char *otherwise, uint32_t flags)
{
    const scree_param row = {
        .type = SCREE_TYPE_STRING, .name = key, .flags = SCREE_PARAM_OPTIONAL | flags};
    const char *value = otherwise;
    read_key(config, group, &row, &value);
    return value;
}

/** Index of one of two words; -1: neither. */
static inline int read_choice_of(scree_config *config, scree_node *group, const char *key,
                                 const char *const words[2])
{
    const scree_choice one = {sizeof one, 0, words[0], "help"},
                       other = {sizeof one, 1, words[1], "help"};
    const scree_choice *const choices[] = {&one, &other};
    const scree_param row = {.type = SCREE_TYPE_CHOICE,
                             .name = key,
                             .flags = SCREE_PARAM_OPTIONAL,
                             .choices = choices,
                             .n_choices = 2};
    int32_t value;
    read_key(config, group, &row, &value);
    return value;
}

/** Three numbers; NaN without them. */
static inline void read_vector(scree_config *config, scree_node *group, const char *key,
                               const char *unit, double out[3])
{
    const scree_param row = {.type = SCREE_KEY_VECTOR,
                             .name = key,
                             .flags = SCREE_PARAM_OPTIONAL,
                             .unit = unit,
                             .real_min = -HUGE_VAL,
                             .real_max = HUGE_VAL};
    read_key(config, group, &row, out);
}

/** A group, or NULL. */
static inline scree_node *read_group(scree_config *config, scree_node *group, const char *key)
{
    const scree_param row = {.type = SCREE_KEY_GROUP, .name = key};
    scree_node *value;
    read_key(config, group, &row, &value);
    return value;
}

#endif
