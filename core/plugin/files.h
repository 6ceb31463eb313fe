/* SPDX-License-Identifier: Apache-2.0 */
/* The service scree.files/1: files named in parameters of a plugin, opened and read by the host. */
#ifndef CORE_FILES_H
#define CORE_FILES_H

#include "plugin/instance_data.h"

typedef struct scree_file_answers scree_file_answers;

/** The plugin's SCREE_SERVICE_FILES. */
const scree_files *scree_files_give(scree_instance *instance);
/** Frees the service and all its answers. */
void scree_file_answers_free(scree_file_answers *answers);

#endif
