"""records.py FILE [whole|cut]: are these the records of a run?

Every line is a whole JSON object, all of one run; the first is `run`, the last is `end` ("whole")
or no `end` is there ("cut": the program was killed).
"""
import json
import sys

FIELDS = {
    "run": {"schema", "started", "argv", "seed", "threads", "profile", "order", "build", "host",
            "timer"},
    "measurement": {"problem", "variant", "label", "idea", "base", "device", "math", "size",
                    "work", "validation", "phases", "limit", "once", "cores", "stop", "predicted"},
    "ceiling": {"name", "idea", "device", "resource", "math", "bytes", "cores", "devices", "status",
                "reason", "best", "median", "lo", "hi", "fingerprint"},
    "end": {"exit_status", "wall_ns"},
}


def no_constant(name):
    raise ValueError(name + " is no JSON")


def main(path, state="whole"):
    with open(path, "rb") as stream:
        text = stream.read().decode("utf-8")
    assert text.endswith("\n"), "the last line has no end"
    records = [json.loads(line, parse_constant=no_constant) for line in text.splitlines()]
    kinds = [record["record"] for record in records]
    assert kinds[0] == "run", kinds
    assert kinds.count("run") == 1 and kinds.count("end") == (state == "whole"), kinds
    assert state == "cut" or kinds[-1] == "end", kinds
    assert len({record["run_id"] for record in records}) == 1
    for record in records:
        missing = FIELDS[record["record"]] - record.keys()
        assert not missing, missing
        if record["record"] != "measurement":
            continue
        for phase in record["phases"].values():
            if phase is None:
                continue
            stat = phase["stat"]
            assert len(phase["rounds"]) == phase["round_n"]
            assert stat["min"] <= stat["p25"] <= stat["median"] <= stat["p75"] <= stat["max"]
            assert (stat["lo"] is None) == (phase["round_n"] < 6)


main(*sys.argv[1:])
