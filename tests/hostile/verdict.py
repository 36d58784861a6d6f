"""verdict.py [--tap|--again] FOLDER FILE...: was the attack in each FILE held off?

FOLDER/PROBLEM-NAME/ holds what inside.sh has left of its run.  held: the row is what the file expects,
and nothing else was touched.  ACCEPTED: the row is ok and should not be, or its time is not earned.
HARM: something other than its row suffered.  known: accepted, and docs/threats.md says why it is.  OTHER: rejected, for another reason than the file foresees.
"""
import json
import os
import re
import runpy
import statistics
import sys

FAILED = {"wrong", "nan", "breach", "crash", "timeout", "memory"}
FINE = {"held", "known"}
HERE = os.path.dirname(os.path.abspath(__file__))
UNEARNED = 0.6       # of the bystander's time, for the same work by the same loop, both at their best
# moves a cursor or turns text around
ODD = re.compile("[^\\n\\t\\x20-\\x7e\u00a0-\u200a\u2010-\u2027\u2030-\u205f\u2070-\ufefe\ufff0-\uffff]")
SLOWED, HASTY = 3.0, 0.35  # of a bystander's time beside an honest twin


def text(*path):
    try:
        with open(os.path.join(*path), encoding="utf-8", errors="replace") as stream:
            return stream.read()
    except OSError:
        return ""


def header(file):
    said = dict(re.findall(r"^/\* (expect|family|size): (.*?) \*/$", text(file), re.M))
    outcome, _, reason = said.get("expect", "failed").partition(": ")
    return outcome, reason, said.get("family", "?"), said.get("size", "S")


def rows(folder):
    found = {}
    for line in text(folder, "new.jsonl").splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict) and record.get("record") == "measurement":
            found[record["variant"]] = record
    return found


def is_whole(folder):
    argv, sys.argv = sys.argv, ["records.py", os.path.join(folder, "new.jsonl")]
    try:
        runpy.run_path(os.path.join(HERE, "..", "tools", "records.py"))
        return True
    except (Exception, SystemExit):
        return False
    finally:
        sys.argv = argv


def time_of(row, phase="e2e", which=min):
    try:
        return which(row["phases"][phase]["samples"])  # the least: others may be at work on the machine
    except (KeyError, TypeError, ValueError):
        return None


def share(mine, other, phase="e2e"):
    """Of the bystander's time, at best and in the median: what a row shows is the median."""
    times = [(time_of(mine, phase, w), time_of(other, phase, w)) for w in (min, statistics.median)]
    return max(a / b for a, b in times) if all(a and b for a, b in times) else None


class Case:
    def __init__(self, root, file, usual):
        self.file = file
        self.problem = os.path.basename(os.path.dirname(file))
        self.name = os.path.splitext(os.path.basename(file))[0]
        self.folder = os.path.join(root, self.problem + "-" + self.name)
        self.expect, self.pattern, self.family, self.size = header(file)
        self.by_time = False
        self.known = re.search(r"^/\* known: .* \*/$", text(file), re.M) is not None
        self.judge(usual.get((self.problem, self.size)))

    def judge(self, usual):
        self.outcome, self.reason, self.verdict = "not built", "", "held"
        if not os.path.exists(os.path.join(self.folder, "outer")):
            log = text(self.folder, "built.log").strip().splitlines()
            self.reason = log[-1][:100] if log else "?"
            self.verdict = "held" if self.expect == self.outcome else "OTHER" # a variant without a row is not held
            return
        found = rows(self.folder)
        mine, other = found.get(self.name), found.get("bystander")
        self.outcome = mine["validation"]["status"] if mine else "no row"
        self.reason = (mine["validation"]["reason"] if mine else "") or ""
        self.time, self.beside = time_of(mine), time_of(other)
        ratio = share(mine, other)
        harm = self.harm(mine, other)
        if harm:
            self.verdict, self.reason = "HARM", "; ".join(harm)
        elif self.outcome == "ok" and self.expect not in ("ok", "harmless"):
            self.verdict = "known" if self.known else "ACCEPTED"
            self.by_time = not self.known and self.family == "unearned" # a trial has fewer calls on a busy machine
        elif usual and self.beside and not HASTY * usual < self.beside < SLOWED * usual:
            self.verdict, self.by_time = "HARM", True
            self.reason = "the bystander takes %.3g of its usual time" % (self.beside / usual)
        elif self.outcome == "ok" and ratio is not None and ratio < UNEARNED:
            self.verdict, self.by_time = "ACCEPTED", ratio > UNEARNED / 2
            self.reason = "%.3g of the time that the work takes" % ratio
        elif self.unearned_run(mine, other):
            self.verdict = "ACCEPTED"
            self.reason = "the run alone is not earned"
        elif self.expect == "harmless" or self.expect == self.outcome == "ok":
            pass
        elif self.expect == "failed":
            self.verdict = "held" if self.outcome in FAILED | {"refused"} else "OTHER"
        elif self.outcome != self.expect or not re.search(self.pattern, self.reason):
            self.verdict = "OTHER"

    def unearned_run(self, mine, other):
        run = share(mine, other, "run")
        return self.outcome == "ok" and run is not None and run < UNEARNED / 2

    def harm(self, mine, other):
        outer = text(self.folder, "outer").strip()
        status = text(self.folder, "status").strip()
        harm = []
        if outer not in ("0",):
            return ["the run hangs" if outer in ("124", "137") else "inside.sh ended with %s: %s" %
                    (outer, text(self.folder, "outer.err")[-200:].strip())]
        if status not in ("0", "1"):
            harm.append("rungs ended with status %s" % status)
        if not is_whole(self.folder):
            harm.append("records are not whole")
        if other is None:
            harm.append("the bystander has no row")
        elif other["validation"]["status"] != "ok":
            harm.append("the bystander is %s: %s" % (other["validation"]["status"],
                                                     other["validation"]["reason"]))
        elif self.beside is None:
            harm.append("the bystander has no time")
        if status in ("0", "1") and mine and (status == "1") != (self.outcome in FAILED):
            harm.append("exit status %s with a row that is %s" % (status, self.outcome))
        left = text(self.folder, "left").splitlines()
        state = text(self.folder, "state").strip().replace("\n", ", ")
        if state:
            harm.append("the state of variants was changed: " + state)
        if left:
            harm.append("%d processes left" % len(left))
        before, after = (set(text(self.folder, f).splitlines()) for f in ("before", "after"))
        if before != after:
            harm.append("files changed: " + ", ".join(sorted(before ^ after))[:90])
        if int(text(self.folder, "out.bytes") or 0) > 50000:
            harm.append("%s bytes of output" % text(self.folder, "out.bytes").strip())
        odd = ODD.search(text(self.folder, "out.head") + text(self.folder, "err.head"))
        if odd:
            harm.append("prints the control character U+%04X" % ord(odd.group()))
        return harm


def usual_times(root, files):
    usual = {}
    for folder in {f + "-" + "twin" for f in {os.path.basename(os.path.dirname(f)) for f in files}}:
        path = os.path.join(root, folder)
        row = rows(path).get("bystander") if os.path.isdir(path) else None
        if row and time_of(row):
            problem = folder[:-len("-twin")]
            usual[problem, header(os.path.join(HERE, problem, "twin.c"))[3]] = time_of(row)
    return usual


def main(arguments):
    mode = arguments.pop(0) if arguments[0].startswith("--") else ""
    root, files = arguments[0], arguments[1:]
    usual = usual_times(root, files)
    cases = [Case(root, file, usual) for file in files]
    if mode == "--again":
        print("\n".join(c.file for c in cases if c.verdict != "held" and c.by_time or
                        c.expect == "ok" and c.verdict != "held"))
        return 0
    if mode == "--tap":
        print("1..%d" % len(cases))
        for number, c in enumerate(cases, 1):
            print("%sok %d - %s/%s" % ("" if c.verdict in FINE else "not ", number, c.problem, c.name))
            if c.verdict not in FINE:
                print("#   %s: %s, expected %s %s\n#   %s" % (c.verdict, c.outcome, c.expect, c.pattern,
                                                             c.reason))
    mark = "# " if mode else ""
    print(mark + "%-36s %-10s %-10s %-10s %-9s %s" % ("variant", "family", "outcome", "expected", "verdict",
                                                      "why"))
    for c in sorted(cases, key=lambda c: (c.verdict, c.family, c.problem, c.name)):
        print(mark + "%-36s %-10s %-10s %-10s %-9s %s" % (c.problem + "/" + c.name, c.family, c.outcome,
                                                          c.expect, c.verdict, c.reason[:150]))
    counts = {v: sum(c.verdict == v for c in cases) for v in ("held", "known", "ACCEPTED", "HARM", "OTHER")}
    print(mark + "%d variants: " % len(cases) + ", ".join("%d %s" % (n, v) for v, n in counts.items()))
    return 0 if counts["held"] + counts["known"] == len(cases) else 1


sys.exit(main(sys.argv[1:]))
