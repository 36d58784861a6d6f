"""made_records.py FILE [KEY=VALUE...]: a file of records, as bench would write it, of one table.

  cores=2 threads=2 run=a seed=1    of the machine and the run
  size=1000                         of the problem
  launches=1                        runs, one behind the other
  end=yes                           no: it was interrupted
  NAME=TIME[:RESIDENT[:NOISE]]      a variant: milliseconds a cycle, end to end and of its run alone
                                    (cuda_...), with so much noise, in percent
  NAME=OUTCOME                      a variant without a time: wrong, refused, ...

Times are the same in every file that is made with the same words.
"""
import json
import random
import sys

ROUNDS = 20


def series(milliseconds, noise, dice, timer):
    rounds = [round(1e6 * milliseconds * (1 + noise / 100 * dice.random())) for _ in range(ROUNDS)]
    return {"rounds": rounds, "round_n": ROUNDS, "timer": timer}


def measurement(run, size, name, value, dice):
    device = "gpu" if name.startswith("cuda") else "cpu"
    record = {"record": "measurement", "run_id": run, "problem": "saxpy", "variant": name,
              "label": "given", "base": None if name == "cpu_naive" else "cpu_naive",
              "device": device, "math": "f32", "size": {"n": int(size)}, "threads": 1, "cores": 1.0,
              "validation": {"status": "ok", "reason": None}, "phases": {}}
    if not value[0].isdigit():
        record["validation"] = {"status": value, "reason": "z[0] is 1, expected 2"}
        return record
    numbers = [float(number) for number in value.split(":")]
    noise = numbers[2] if len(numbers) > 2 else 0.5
    record["phases"]["e2e"] = series(numbers[0], noise, dice, "host")
    record["phases"]["run"] = (series(numbers[1], noise, dice, "device") if device == "gpu"
                               else record["phases"]["e2e"])
    return record


def main(path, *words):
    words = dict(word.split("=") for word in words)
    known = {"cores": "2", "threads": "2", "run": "a", "seed": "1", "size": "1000",
             "launches": "1", "end": "yes"}
    facts = {key: words.pop(key, value) for key, value in known.items()}
    dice = random.Random(int(facts["seed"]))
    with open(path, "w") as out:
        for launch in range(int(facts["launches"])):
            run = facts["run"] + str(launch)
            records = [{"record": "run", "schema": "rungs/1.0", "run_id": run, "started": "now",
                        "seed": 1, "threads": int(facts["threads"]), "order": "latin",
                        "build": {"version": "0.1", "commit": "abc"},
                        "host": {"cpu": "Abacus", "cores": int(facts["cores"])}}]
            records += [measurement(run, facts["size"], name, value, dice)
                        for name, value in words.items()]
            if facts["end"] == "yes":
                records.append({"record": "end", "run_id": run, "exit_status": 0, "wall_ns": 1})
            for record in records:
                print(json.dumps(record), file=out)


main(*sys.argv[1:])
