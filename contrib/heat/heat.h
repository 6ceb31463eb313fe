/* SPDX-License-Identifier: Apache-2.0 */
/* heat: the plugins of this folder. */
#ifndef HEAT_H
#define HEAT_H

#include <scree/sdk.h>

extern const scree_plugin heat_conduction, heat_heating, heat_adams, heat_feeder;

#endif
