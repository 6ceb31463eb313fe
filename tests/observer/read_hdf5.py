# SPDX-License-Identifier: Apache-2.0
"""The H5MD file on the command line as h5py sees it, as JSON. Run by a Python that has h5py (Debian:
python3-h5py)."""
import json
import sys

import h5py


def plain(value):
    """As JSON can hold it."""
    if isinstance(value, bytes):
        return value.decode()
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list):
        return [plain(v) for v in value]
    return value.decode() if isinstance(value, bytes) else value


def attributes(item):
    return {k: plain(v) for k, v in item.attrs.items()}


with h5py.File(sys.argv[1], "r") as file:
    found = {"attributes": {}, "elements": {}, "linked": {}, "filters": {}, "chunks": {}, "fill": {}}
    file.visititems(lambda name, item: found["attributes"].update({name: attributes(item)}))
    bodies = file["particles/bodies"]
    for name, element in bodies.items():
        if "value" not in element:
            continue
        value = element["value"]
        found["elements"][name] = plain(value[...])
        found["linked"][name] = element["step"] == bodies["position/step"] and \
            element["time"] == bodies["position/time"]
        found["filters"][name] = [value.compression, value.compression_opts, value.shuffle]
        found["chunks"][name] = list(value.chunks)
        found["fill"][name] = str(value.fillvalue)
    found["step"], found["time"] = (plain(bodies["position"][k][...]) for k in ("step", "time"))
    found["time_unit"] = plain(bodies["position/time"].attrs["unit"])
    found["box"] = {k: plain(v[...]) for k, v in bodies["box"].items()}
    found["group_names"] = plain(file["parameters/group_names"][...])
    found["shapes"] = {name: {**attributes(shape), **{k: plain(v[...]) for k, v in shape.items()}}
                       for name, shape in file["parameters"].get("shapes", {}).items()}
    print(json.dumps(found))
