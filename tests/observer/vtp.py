# SPDX-License-Identifier: Apache-2.0
"""A .vtp or .pvd file by Python's own XML and struct: only what the format says."""
import base64
import struct
import xml.etree.ElementTree as ElementTree

LETTERS = {"Float64": "d", "Int64": "q", "Int32": "i", "String": "c"}


def tuples(kind, payload, components):
    """Values of a payload behind its length; a vector is a tuple."""
    (length,) = struct.unpack_from("<Q", payload)
    if kind == "String":
        text = payload[8:8 + length]
        assert text.endswith(b"\0") and len(text) == length, "a string array ends in NUL"
        return text[:-1].decode().split("\0")
    size = struct.calcsize("<" + LETTERS[kind])
    assert length % (size * components) == 0 and len(payload) >= 8 + length, "length of an array"
    flat = struct.unpack_from(f"<{length // size}{LETTERS[kind]}", payload, 8)
    if components == 1:
        return list(flat)
    return [flat[i:i + components] for i in range(0, len(flat), components)]


def read(path):
    """{"FieldData", "PointData", "CellData": {name: values}, "Points": [...], "cells": (kind,
    [corners of each])}, and "arrays": (name, type, format)."""
    data = path.read_bytes()
    xml, mark, appended = data.partition(b'<AppendedData encoding="raw">\n_')
    if mark:
        assert appended.endswith(b"\n</AppendedData>\n</VTKFile>\n"), "the end of the file"
        xml += b"</VTKFile>"
    root = ElementTree.fromstring(xml)
    assert root.attrib == {"type": "PolyData", "version": "1.0", "byte_order": "LittleEndian",
                           "header_type": "UInt64"}, root.attrib
    arrays, end = [], 0

    def values(element):
        nonlocal end
        kind, n = element.get("type"), int(element.get("NumberOfComponents"))
        arrays.append((element.get("Name"), kind, element.get("format")))
        if element.get("format") == "appended":
            offset = int(element.get("offset"))
            assert offset == end, "arrays follow each other"
            end += 8 + struct.unpack_from("<Q", appended, offset)[0]
            return tuples(kind, appended[offset:end], n)
        payload = base64.b64decode(element.text.strip(), validate=True)
        assert struct.unpack_from("<Q", payload)[0] == len(payload) - 8, "length of an array"
        return tuples(kind, payload, n)

    found = {"arrays": arrays}
    poly = root.find("PolyData")
    assert [e.tag for e in poly] == ["Piece", "FieldData"], "OVITO wants the piece first"
    piece = poly.find("Piece")
    for place in ("PointData", "CellData"):
        found[place] = {a.get("Name"): values(a) for a in piece.find(place)}
    found["Points"] = values(piece.find("Points")[0])
    (kind,) = {"Verts", "Lines", "Polys"} & {e.tag for e in piece}
    corners, offsets = (values(a) for a in piece.find(kind))
    found["FieldData"] = {a.get("Name"): values(a) for a in poly.find("FieldData")}
    assert not mark or len(appended) == end + len(b"\n</AppendedData>\n</VTKFile>\n"), "no byte over"
    found["cells"] = (kind, [corners[b:e] for b, e in zip([0] + offsets, offsets)])
    counts = {k: int(piece.get("NumberOf" + k)) for k in ("Points", "Verts", "Lines", "Strips", "Polys")}
    assert counts.pop("Points") == len(found["Points"])
    assert counts.pop(kind) == len(offsets) and not any(counts.values()), counts
    for place, n in (("PointData", len(found["Points"])), ("CellData", len(offsets))):
        assert all(len(v) == n for v in found[place].values()), place
    return found


def frames(path):
    """[(time, path of the frame)] of a .pvd."""
    root = ElementTree.parse(path).getroot()
    assert root.get("type") == "Collection"
    return [(float(d.get("timestep")), path.parent / d.get("file")) for d in root.iter("DataSet")]
