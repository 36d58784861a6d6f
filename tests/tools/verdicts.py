"""verdicts.py ROWS REASON FILE...: has `rungs check --format json` passed these variants?

ROWS is what it printed.  There must be one row for each FILE, variants/PROBLEM/VARIANT.cu, and no
other; each is right at one check size at least, or refuses for a reason that matches REASON.  A file that
needs a package, as it says, may have no row: the build leaves it out without that package.
"""
import json
import re
import sys


def needs_package(file):
    with open(file, encoding="utf-8") as stream:
        return re.search(r"^/\* needs: ", stream.read(), re.M)


def main(path, reason, *files):
    with open(path, encoding="utf-8") as stream:
        rows = [json.loads(line) for line in stream]
    found = sorted([row["problem"], row["variant"] + ".cu"] for row in rows)
    expected = sorted(file.split("/")[1:] for file in files
                      if file.split("/")[1:] in found or not needs_package(file))
    assert expected == found, f"rungs without a row: {expected}, rows: {found}"
    assert rows, "there are none"
    for row in rows:
        verdict = row["validation"]
        right = verdict["status"] == "ok" and verdict["check_sizes_ok"] > 0
        refused = verdict["status"] == "refused" and re.search(reason, verdict["reason"])
        assert right or refused, f"{row['problem']}/{row['variant']}: {verdict}"


main(*sys.argv[1:])
