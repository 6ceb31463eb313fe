/* SPDX-License-Identifier: Apache-2.0 */
/* Rotation of vectors by unit quaternions: scree_rotate(), scree_rotate_back(). The host and the
 * plugins share one text, so that both round alike. */
#ifndef SCREE_ROTATION_H
#define SCREE_ROTATION_H

#include "scree/rotation_sdk.h"

#endif
