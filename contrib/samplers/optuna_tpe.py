#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A sampler of `scree study`: Optuna's tree of Parzen estimators (Debian: python3-optuna). usage: optuna_tpe.py [SEED]"""
import json
import sys

import optuna

optuna.logging.set_verbosity(optuna.logging.WARNING)
open_trials = []
study = None
for line in sys.stdin:
    message = json.loads(line)
    study = study or optuna.create_study(direction=message["goal"] + "imize",
                                         sampler=optuna.samplers.TPESampler(seed=int(sys.argv[1]) if len(sys.argv) > 1 else 1))
    for trial, result in zip(open_trials, message["results"]):  # in the order of the params of the last answer
        failed = result["value"] is None
        study.tell(trial, None if failed else result["value"], optuna.trial.TrialState.FAIL if failed else None)
    ranges = {path: optuna.distributions.CategoricalDistribution(space["choices"]) if isinstance(space, dict)
              else optuna.distributions.FloatDistribution(*space) for path, space in message["space"].items()}
    open_trials = [study.ask(ranges) for _ in range(message["ask"])]
    print(json.dumps({"params": [trial.params for trial in open_trials]}), flush=True)
