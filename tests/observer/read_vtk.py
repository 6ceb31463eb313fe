# SPDX-License-Identifier: Apache-2.0
"""The files on the command line as VTK's own reader, which is ParaView's, sees them: a line of JSON
for each. Run by a Python that has vtkmodules (Debian: python3-vtk9)."""
import json
import sys

from vtkmodules.vtkIOXML import vtkXMLPolyDataReader


def listed(data):
    """{name: values}; a vector is a list."""
    found = {}
    for k in range(data.GetNumberOfArrays()):
        array = data.GetAbstractArray(k)
        n, width = array.GetNumberOfTuples(), array.GetNumberOfComponents()
        if width == 1:
            found[array.GetName()] = [array.GetValue(i) for i in range(n)]
        else:
            found[array.GetName()] = [list(array.GetTuple(i)) for i in range(n)]
    return found


def cells(poly):
    found = []
    for i in range(poly.GetNumberOfCells()):
        cell = poly.GetCell(i)
        found.append([cell.GetPointId(k) for k in range(cell.GetNumberOfPoints())])
    return found


for name in sys.argv[1:]:
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(name)
    reader.Update()
    if reader.GetErrorCode():
        sys.exit(f"{name}: error {reader.GetErrorCode()}")
    poly = reader.GetOutput()
    print(json.dumps({
        "FieldData": listed(poly.GetFieldData()),
        "PointData": listed(poly.GetPointData()),
        "CellData": listed(poly.GetCellData()),
        "Points": [list(poly.GetPoint(i)) for i in range(poly.GetNumberOfPoints())],
        "cells": cells(poly),
        "kinds": [poly.GetNumberOfVerts(), poly.GetNumberOfLines(), poly.GetNumberOfPolys()],
    }))
