# SPDX-License-Identifier: Apache-2.0
"""Writes costs.tsv as rows in C, for run_time.c.

usage: costs.py OUTPUT costs.tsv
"""
import csv
import sys

with open(sys.argv[2], newline="", encoding="utf-8") as file:
    rows = list(csv.DictReader(file, delimiter="\t"))
with open(sys.argv[1], "w", encoding="utf-8") as file:
    for row in rows:
        file.write(f'{{"{row["name"]}", {row["dimension"]}, {row["facets"]}, {row["pair_ns"]}, {row["contact_ns"]}, {row["body_ns"]}}},\n')
