/* SPDX-License-Identifier: MIT */
/* All of the plugin ABI. */
#ifndef SCREE_SCREE_H
#define SCREE_SCREE_H

#include "abi.h"
#include "force.h"
#include "gcd.h"
#include "host.h"
#include "integrator.h"
#include "modifier.h"
#include "observer.h"
#include "params.h"
#include "query.h"
#include "resolver.h"
#include "scree/digest.h"
#include "shape.h"
#include "source.h"
#include "types.h"

#endif
