"""exact.py ROWS: do the variants of knn on the CPU name float64's neighbours, all of them?

ROWS is what `rungs check --format json` printed.  docs/knn-exactness.md says why three variants may name others.
"""
import json
import sys

bad = seen = 0
with open(sys.argv[1], encoding="utf-8") as stream:
    for row in map(json.loads, stream):
        if row["problem"] != "knn" or not row["variant"].startswith("cpu_"):
            continue
        seen += 1
        v = row["validation"]
        if row["variant"] in ("cpu_naive", "cpu_hoist", "cpu_openmp") or v["status"] == "refused":
            continue
        if v["exact_share"] != 1:
            bad += 1
            print(row["variant"], v)
sys.exit(bad > 0 or seen < 8)
