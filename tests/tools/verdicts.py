"""verdicts.py ROWS REASON FILE...: has `rungs check --format json` passed these variants?

ROWS is what it printed.  There must be one row for each FILE, variants/PROBLEM/VARIANT.cu, and no
other; each is right at one check size at least, or refuses for a reason that matches REASON.
"""
import json
import re
import sys


def main(path, reason, *files):
    with open(path, encoding="utf-8") as stream:
        rows = [json.loads(line) for line in stream]
    expected = sorted(file.split("/")[1:] for file in files)
    found = sorted([row["problem"], row["variant"] + ".cu"] for row in rows)
    assert expected == found, f"rungs without a row: {expected}, rows: {found}"
    assert rows, "there are none"
    for row in rows:
        verdict = row["validation"]
        right = verdict["status"] == "ok" and verdict["check_sizes_ok"] > 0
        refused = verdict["status"] == "refused" and re.search(reason, verdict["reason"])
        assert right or refused, f"{row['problem']}/{row['variant']}: {verdict}"


main(*sys.argv[1:])
