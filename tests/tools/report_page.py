"""A report as a reader without a browser sees it, for tests/long/report.t; and files to make reports of.

    page = Page("report.html")
    page.tables         # {caption: [[heading...], {heading: text}...]}: rows by their headings
    page.text           # {id of a section: its text, in one line}
    page.records        # [lines of the records in the page]
"""
import html.parser
import json
import random
import re


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.source = open(path, encoding="utf-8").read()
        self.order, self.text, self.tables, self.records = [], {}, {}, []
        self.elements, self.links, self.ids, self.attributes = set(), [], [], set()
        self.into = None  # what text belongs to: "caption", "cell", "json", "code"
        self.feed(self.source)
        self.close()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.elements.add(tag)
        self.attributes |= set(attributes)
        self.ids += [attributes["id"]] if "id" in attributes else []
        self.links += [attributes[key] for key in ("href", "src") if key in attributes]
        if tag == "section":
            self.order.append(attributes["id"])
            self.text[attributes["id"]] = ""
        elif tag == "caption":
            self.into, self.caption, self.rows = "caption", "", []
        elif tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.into = "cell"
            self.rows[-1].append("")
        elif tag in ("script", "style"):
            self.into = "json" if attributes.get("type") == "application/json" else "code"
            self.json = ""

    def handle_endtag(self, tag):
        if tag == "table":
            names = list(self.rows[0])
            for i, name in enumerate(names):  # the second "% of peak" is that of the time
                names[i] += " 2" if name in names[:i] else ""
            self.tables[self.caption] = [self.rows[0]] + [dict(zip(names, row))
                                                          for row in self.rows[1:]]
        elif tag == "script" and self.into == "json":
            assert isinstance(json.loads(self.json), list)
            self.records.append(self.json[2:-2].split(",\n"))
        if tag in ("table", "caption", "script", "style"):
            self.into = None

    def handle_data(self, data):
        if self.into == "caption":
            self.caption += data
        elif self.into == "cell":
            self.rows[-1][-1] += data.strip()
        elif self.into == "json":
            self.json += data
        if self.order and self.into not in ("json", "code"):
            self.text[self.order[-1]] += re.sub(r"\s+", " ", data)


# --- records to make reports of ------------------------------------------------------------------

def run(run_id="r", commit="abc", **more):
    return {"record": "run", "schema": "rungs/1.0", "run_id": run_id, "started": "now", "seed": 1,
            "threads": 2, "order": "latin", "profile": "default", "argv": ["rungs", "bench"],
            "build": {"version": "0.1", "commit": commit, "compiler": "cc"},
            "host": {"cpu": "Abacus", "cores": 2, "kernel": "6.1"}, "warnings": [], **more}


def series(nanoseconds, dice, count, rough, timer="host"):
    rounds = [round(nanoseconds * dice.uniform(1 - rough, 1 + rough)) for _ in range(count)]
    middle = sorted(rounds)
    stat = {"median": middle[count // 2], "lo": middle[count // 4], "hi": middle[-count // 4],
            "conf": 0.95, "min": middle[0], "p25": middle[count // 4], "p75": middle[-count // 4],
            "p95": middle[-1], "max": middle[-1], "mad": 1.5}
    return {"stat": stat, "rounds": rounds, "round_n": count, "first_round": 0, "reps": 1,
            "samples": [round(r * dice.uniform(1, 1.1)) for r in rounds for _ in range(8)],
            "samples_dropped": 0, "timer": timer}


def measurement(run_id="r", problem="saxpy", variant="cpu_naive", base=None, n=1000, time=1e6,
                dice=random.Random(1), count=20, rough=0.02,
                device="cpu", **more):
    phases = {name: None for name in ("upload", "run", "cold", "download", "e2e")}
    phases["e2e"] = series(time, dice, count, rough)
    phases["run"] = series(time / 2, dice, count, rough, "device") if device == "gpu" else phases["e2e"]
    if device == "gpu":
        for name in ("upload", "cold", "download"):
            phases[name] = series(time / 4, dice, count, rough, "device")
    return {"record": "measurement", "problem": problem, "variant": variant, "label": "S",
            "idea": "what it does differently", "base": base, "device": device, "math": "f32",
            "size": {"n": n}, "work": {"flops": 2.0 * n, "bytes_algorithmic": 12.0 * n,
                                       "specials": 0.0, "items": float(n)},
            "validation": {"status": "ok", "reason": None, "error_over_limit": 0.5, "limit": 1e-7,
                           "exact_share": None, "worst_array": "z", "worst_index": 17,
                           "worst_got": 1.25, "check_sizes_ok": 12, "check_sizes_refused": 0},
            "phases": phases,
            "limit": {"run": {"name": "memory", "floor_ns": time / 4, "share": 0.5},
                      "e2e": {"name": "bus" if device == "gpu" else "memory",
                              "floor_ns": time / 4, "share": 0.25}},
            "once": {"context": None, "setup": 1000, "first": 2000}, "threads": 1, "cores": 1.0,
            "stop": "converged", "order": "latin", "predicted": 1000,
            "flags": ["noisy"] if dice.random() < 0.1 else [], "drift_restarts": 0,
            "telemetry": {"cpu_mhz": [3000.0] * count, "gpu_mhz": None, "memory_mhz": None,
                          "celsius": None, "watts": None, "held_back": [0] * count},
            "run_id": run_id, **more}


def failure(status, reason, **more):
    record = measurement(**more)
    record["validation"] = {"status": status, "reason": reason}
    record["phases"] = None
    return record


def write(path, records, end=True):
    with open(path, "w") as out:
        for record in records + ([{"record": "end", "run_id": records[0]["run_id"],
                                   "exit_status": 0, "wall_ns": 5e9}] if end else []):
            print(json.dumps(record, separators=(",", ":")), file=out)
