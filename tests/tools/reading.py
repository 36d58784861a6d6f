"""Level and Read, two lines at the head of each variant: reading.py FOLDER, of problems' folders.

Prints a line for each variant in which one of them is missing or wrong.  With --lines it prints instead, for each
variant, what a card must say: PROBLEM/VARIANT, level, headers, lines to read.
"""
import glob
import os
import re
import sys


def included(folder, name, seen):
    """Headers beside the file, or beside another problem's variants, that it includes, directly or through others."""
    for include in re.findall(r'^\s*#\s*include\s+"([^"]+)"', open(folder + name).read(), re.M):
        header = os.path.normpath(os.path.join(os.path.dirname(name), include))
        if header not in seen and os.path.exists(folder + header):
            seen.append(header)
            included(folder, header, seen)
    return seen


def head(path):
    """What the comment at the head of the file says: {"Idea": text, ...}."""
    said, key = {}, None
    for line in open(path).read().split("*/")[0].splitlines():
        if found := re.match(r" \* ([A-Z][a-z]+)  +(.*)", line):
            key = found[1]
            said[key] = said.get(key, "") + found[2] + " "
        elif key and (found := re.match(r" \*   +(.*)", line)):
            said[key] += found[1] + " "
        else:
            key = None
    return {key: text.strip() for key, text in said.items()}


def faults(path):
    folder, name = re.match(r"(.*/)(.*)", path).groups()
    said, needed = head(path), included(folder, name, [])
    if said.get("Level") not in ("1", "2", "3"):
        yield "its head has no line Level, 1 to 3"
    if "Read" not in said:
        yield "its head has no line Read: " + (", ".join(needed) or "nothing else")
        return
    named = [] if said["Read"] == "nothing else" else said["Read"].split(", ")
    yield from (f"Read names {one}, which it does not include" for one in named if one not in needed)
    yield from (f"Read does not name {one}, which it includes" for one in needed if one not in named)


for path in sorted(path for ending in ("c", "cpp", "cu") for path in glob.glob(f"{sys.argv[-1]}/*/*.{ending}")):
    folder, name = re.match(r"(.*/)(.*)", path).groups()
    if sys.argv[1] == "--lines":
        files = [name] + included(folder, name, [])
        print(re.sub(r".*/(.*/.*)\..*", r"\1", path), head(path).get("Level"), ",".join(sorted(files[1:])) or "-",
              sum(open(folder + file).read().count("\n") for file in files))
    else:
        for fault in faults(path):
            print(f"{path}: {fault}")
