#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A sampler of `scree study`: CMA-ES over ranges (Debian: python3-cmaes). It stops when it has converged. usage: cma_es.py [SEED]"""
import json
import sys

import cmaes
import numpy

optimizer, asked, known = None, [], []
for line in sys.stdin:
    message = json.loads(line)
    low, high = numpy.array(list(message["space"].values())).T
    optimizer = optimizer or cmaes.CMA(mean=numpy.full(len(low), 0.5), sigma=0.3, bounds=numpy.array([[0.0, 1.0]] * len(low)),
                                       seed=int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    sign = -1.0 if message["goal"] == "max" else 1.0
    # A row without a value counts as the worst of all.
    known += [(point, numpy.inf if result["value"] is None else sign * result["value"]) for point, result in zip(asked, message["results"])]
    while len(known) >= optimizer.population_size:
        optimizer.tell(known[:optimizer.population_size])
        known = known[optimizer.population_size:]
    if optimizer.should_stop():
        print(json.dumps({"stop": "converged"}), flush=True)
        continue
    asked = [optimizer.ask() for _ in range(message["ask"])]
    print(json.dumps({"params": [dict(zip(message["space"], (low + (high - low) * point).tolist())) for point in asked]}), flush=True)
