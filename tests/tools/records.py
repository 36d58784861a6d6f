"""records.py FILE [whole|cut|resumed]: are these the records of a run?

Every line is a whole JSON object, all of one run; the first is `run`, the last is `end` ("whole")
or no `end` is there ("cut": the program was killed).  "resumed": of several runs, one behind the
other, of which the last is whole.
"""
import json
import sys

FIELDS = {
    "run": {"schema", "started", "argv", "seed", "threads", "profile", "order", "build", "host",
            "topology", "devices", "timer", "gpus", "warnings", "fingerprint", "scaling", "resumes"},
    "block": {"problem", "variant", "scale", "label", "size", "launch", "round", "reps", "runs",
              "took_ns", "cpu_ns", "telemetry", "e2e"},
    "table": {"problem", "label", "size", "rows"},
    "scaling": {"problem", "variant", "label", "size", "axis", "value", "from", "phase", "speedup", "lo",
                "hi", "conf", "efficiency", "efficiency_lo", "efficiency_hi", "rounds", "ties",
                "method"},
    "measurement": {"problem", "variant", "label", "idea", "base", "device", "math", "size",
                    "work", "validation", "phases", "limit", "once", "cores", "stop", "order",
                    "predicted", "flags", "drift_restarts", "telemetry", "scale", "resumed"},
    "ceiling": {"name", "idea", "device", "resource", "math", "bytes", "cores", "devices", "status",
                "reason", "best", "median", "lo", "hi", "fingerprint"},
    "compare": {"problem", "variant", "label", "size", "base", "against", "phase", "ratio", "lo", "hi",
                "conf", "rounds", "ties", "method", "verdict"},
    "selftest": {"test", "comparisons", "false_verdicts", "share", "allowed", "chance", "same",
                 "unresolved", "too_few_rounds", "power", "failed"},
    "sweep": {"problem", "axis", "lengths", "step", "of", "against"},
    "crossover": {"problem", "variant", "against", "phase", "pays", "unit", "from", "to", "axis",
                  "axis_from", "axis_to", "range", "stretches", "few_rounds", "points", "sentence"},
    "break_even": {"problem", "variant", "against", "size", "items", "calls"},
    "end": {"exit_status", "wall_ns", "warnings"},
}


def no_constant(name):
    raise ValueError(name + " is no JSON")


def check_comparison(record):
    """The verdict is what the rule makes of the ratio and its interval (docs/method.md, section 5)."""
    ratio, low, high = record["ratio"], record["lo"], record["hi"]
    gap, same = (0.01, 0.02) if record["method"] == "paired" else (0.05, 0.05)
    assert (ratio is None or ratio > 0) and (low is None) == (high is None), record
    if record["method"] == "distance": # of rounds that the record does not repeat; the interval left it open
        verdict = "FASTER" if ratio > 1.25 else "SLOWER" if ratio < 1 / 1.25 else None
    elif low is None:
        verdict = "UNRESOLVED"
    elif low > 1 and ratio - 1 >= gap:
        verdict = "FASTER"
    elif high < 1 and 1 / ratio - 1 >= gap:
        verdict = "SLOWER"
    else:
        verdict = "SAME" if low >= 1 - same and high <= 1 + same else "UNRESOLVED"
    assert record["verdict"] == verdict, (verdict, record)
    assert low is None or low <= ratio <= high, record
    assert record["phase"] in ("e2e", "resident") and record["against"], record


def check_crossover(record):
    """The points alone say what it says, but for where exactly between two sizes it crosses."""
    points = record["points"]
    signs = [1 if p["lo"] > 1.01 else -1 if p["hi"] < 1 / 1.01 else 0 for p in points]
    clear = [sign for sign in signs if sign != 0]
    stretches = sum(b > 0 >= a for a, b in zip([0] + clear, clear))
    assert len(record["stretches"]) == stretches, record
    if not clear:
        pays = "unknown" if points else "not timed"
    elif stretches == 0:
        pays = "never"
    elif stretches > 1 or signs[-1] <= 0:
        pays = "partly"
    else:
        pays = "always" if signs[0] > 0 else "from"
    assert record["pays"] == pays, record
    assert all(p["lo"] <= p["ratio"] <= p["hi"] for p in points), record
    if pays == "from":
        first = signs.index(1)
        assert points[first - 1]["items"] <= record["to"] <= points[first]["items"], record
        assert record["from"] is None or points[0]["items"] <= record["from"] <= record["to"], record


def check_tables(records):
    """Each table's rows are behind one another, with the line that says so; no row is there twice."""
    rows, seen = 0, set()
    for record in records:
        if record["record"] == "measurement":
            cell = json.dumps([record[key] for key in ("problem", "variant", "label", "size", "scale")])
            assert cell not in seen or record["label"] == "check", cell
            seen.add(cell)
            rows += 1
        elif record["record"] == "table":
            assert record["rows"] == rows, (record, rows)
            rows = 0
        else:
            assert rows == 0 or record["record"] in ("compare", "scaling", "end"), record


def check_scaling(record):
    share = record["from"] / record["value"]
    assert record["value"] > record["from"] > 0 and record["speedup"] > 0, record
    assert abs(record["efficiency"] - record["speedup"] * share) <= 1e-6 * record["efficiency"], record
    assert record["lo"] is None or record["lo"] <= record["speedup"] <= record["hi"], record


def main(path, state="whole"):
    with open(path, "rb") as stream:
        text = stream.read().decode("utf-8")
    assert text.endswith("\n"), "the last line has no end"
    records = [json.loads(line, parse_constant=no_constant) for line in text.splitlines()]
    kinds = [record["record"] for record in records]
    assert kinds[0] == "run", kinds
    if state == "resumed":
        assert kinds.count("run") > 1, kinds
    else:
        assert kinds.count("run") == 1 and kinds.count("end") == (state == "whole"), kinds
    assert state == "cut" or kinds[-1] == "end", kinds
    run = None
    for record in records:
        run = record["run_id"] if record["record"] == "run" else run
        assert record["run_id"] == run, record
    check_tables(records)
    for record in records:
        missing = FIELDS[record["record"]] - record.keys()
        assert not missing, missing
        if record["record"] == "compare":
            check_comparison(record)
        if record["record"] == "scaling":
            check_scaling(record)
        if record["record"] == "crossover":
            check_crossover(record)
        if record["record"] != "measurement":
            continue
        for phase in record["phases"].values():
            if phase is None:
                continue
            stat = phase["stat"]
            assert len(phase["rounds"]) == phase["round_n"]
            assert sum(s["round_n"] for s in phase["sittings"]) == phase["round_n"]
            assert stat["min"] <= stat["p25"] <= stat["median"] <= stat["p75"] <= stat["max"]
            assert (stat["lo"] is None) == (phase["round_n"] < 6)


main(*sys.argv[1:])
