# SPDX-License-Identifier: Apache-2.0
"""The rooms of core and the rooms that each may include, as the table of core/README.md says."""
import re

ROW = re.compile(r"^\| \[([\w/]+)\]\(\1/README\.md\) \| [^|]+ \| ([a-z/ -]+) \|$", re.M)


def read_rooms(text):
    """Room -> set of rooms that it may include, itself among them, lowest first; {} without a table."""
    return {room: set(re.findall(r"[\w/]+", may)) | {room} for room, may in ROW.findall(text)}
