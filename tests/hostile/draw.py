"""draw.py SEED [EACH]: prints some of the hostile variants, for a run of half a minute.

Of the family harm EACH (2) of each kind, of the others one of each family and problem, and of each problem the honest
twin, with which the bystander's usual time is found.  The seed decides which; another seed draws others.
"""
import glob
import hashlib
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
HARMS = {"data", "ends", "files", "hangs", "memory", "others", "remains", "slows", "start", "words"}


def kind_of(file):
    """Returns the kind of attack, or None for a bystander."""
    with open(os.path.join(HERE, file), encoding="utf-8") as stream:
        said = dict(re.findall(r"^/\* (family|harm|more): (.*?) \*/$", stream.read(), re.M))
    family, problem = said.get("family"), os.path.dirname(file)
    if os.path.basename(file) == "bystander.c":
        return None
    assert family in {"control", "foresees", "harm", "mistake", "unearned"}, f"{file}: family {family}"
    assert (said.get("harm") in HARMS) == (family == "harm"), f"{file}: harm {said.get('harm')}"
    return (family, said["harm"] if family == "harm" else problem, "more" in said)


def main(seed, each="2"):
    kinds = {}
    for file in sorted(glob.glob("*/*.c", root_dir=HERE)):
        kind = kind_of(file)
        if kind is not None:
            kinds.setdefault(kind[:2], []).append((kind[2], hashlib.sha256((seed + file).encode()).digest(), file))
    for (family, _), files in sorted(kinds.items()):
        for _, _, file in sorted(files)[:int(each) if family == "harm" else 1]:  # those that take long come last
            print(os.path.join(os.path.relpath(HERE), file))


main(*sys.argv[1:])
