"""What plot.t needs: files of records with known values, and a look at what was made of them.

  make FILE KIND [NAME=TEXT...]   records: cell (a table), single (of one variant), hostile (its names),
                                  sweep, ceilings, scaling, history (run=2 is the second), kinds (of data),
                                  many (rungs)
  table FILE DATA                 the ladder's table is that of the records
  column DATA NAME...             columns of a tidy table
  shown CSV DATA...               the tables have what rungs show --format csv has
  bars FILE                       how long the parts of a bar are
  svg FILE...                     fit for a page: XML, no references to anything outside, ids of its own
  png FILE WIDTH HEIGHT           a picture of that size, of more than one colour
"""
import csv
import json
import re
import statistics
import struct
import sys
import xml.etree.ElementTree as tree
import zlib

NAMES = ["a_b^2{c}", 'quo"te', "it's", "back\\nslash", "`touch pwned`", "$(touch pwned)", "@macro %d %s",
         "#comment", "<b>&amp;</b>", "\u65e5\u672c\ufffe\uffff\u202e\u2028", "NaN", "'; system('touch pwned'); '",
         "x" * 63, "-", " "]


def series(seconds, timer, spread=0.01):
    rounds = [round(1e9 * seconds * (1 + spread * (i - 5) / 5)) for i in range(11)]
    return {"rounds": rounds, "round_n": 11, "first_round": 0, "timer": timer}


def run(words):
    return {"record": "run", "schema": "rungs/1.0", "run_id": "r" + words.get("run", "1"),
            "started": words.get("started", "2026-11-%02dT10:00:00Z" % (10 + int(words.get("run", "1")))),
            "seed": 1, "devices": [{}] * int(words.get("devices", "1")),
            "threads": 4, "order": "latin", "gpus": words.get("gpus", "Card, driver 1"),
            "build": {"version": "0.1", "commit": "abc" + words.get("run", "1"),
                      "compiler": words.get("compiler", "cc 1")},
            "host": {"cpu": words.get("cpu", "Abacus"), "cores": 4}}


def variant(words, name, seconds, n=1000, base=None, resident=None, **more):
    """A variant of a device has a run of its own, and a tenth of the whole for each way."""
    device = "gpu" if resident else "cpu"
    phases = {"e2e": series(seconds, "host"), "upload": None, "download": None}
    phases["run"] = series(resident, "device") if resident else phases["e2e"]
    if resident:
        phases["upload"] = series(seconds / 10, "device")
        phases["download"] = series(seconds / 10, "device")
    record = {"record": "measurement", "run_id": "r" + words.get("run", "1"),
              "problem": words.get("problem", "sum"), "variant": name, "label": words.get("label", "M"),
              "base": base,
              "device": device, "math": "f32", "size": {"n": n}, "threads": 1, "cores": 1.0,
              "work": {"flops": 2.0 * n, "bytes_algorithmic": 8.0 * n, "items": n},
              "validation": {"status": "ok", "reason": None}, "phases": phases}
    record.update(more)
    return record


def cell(words):
    records = [variant(words, "first", 8e-3), variant(words, "second", 2e-3, base="first"),
               variant(words, "card", 1e-3, base="second", resident=5e-4)]
    records.append(variant(words, "broken", 1e-3, base="first"))
    records[-1]["validation"] = {"status": "wrong", "reason": "s[0] is 1, expected 2"}
    return records


def single(words):
    resident = {"cpu": None, "gpu": 5e-4}[words["device"]]
    return [variant(words, "only", 1e-3, resident=resident)]


def hostile(words):
    problem = {"problem": "../../pro\"blem'{x}"}
    return [variant({**words, **problem}, name, 1e-3 * (i + 1)) for i, name in enumerate(NAMES)]


def sweep(words):
    sizes = [1000 * 4**i for i in range(5, -1, -1)]  # a picture needs them in order
    records = [variant(words, name, start + n * slope, n, resident=resident and start / 2 + n * slope / 4)
               for n in sizes for name, start, slope, resident in
               (("first", 1e-6, 1e-9, None), ("card", 1e-4, 1e-10, True))]
    for phase, at in (("e2e", 1.1e5), ("resident", 5e4)):
        records.append({"record": "crossover", "run_id": "r1", "problem": "sum", "variant": "card",
                        "phase": phase, "against": "first", "pays": "from", "unit": "elements",
                        "from": at, "to": 1.21 * at, "axis": "n", "axis_from": at,
                        "axis_to": 1.21 * at})
    return records


def ceilings(words):
    rates = [("cpu", "memory", 1, 1 << 14, float(words.get("cache", 4e11))), ("cpu", "memory", 1, 1 << 28, 1e10),
             ("cpu", "memory", 4, 1 << 28, 3e10), ("cpu", "arithmetic", 1, 0, 5e10),
             ("cpu", "arithmetic", 4, 0, 2e11), ("gpu", "memory", 0, 1 << 28, 4e12),
             ("gpu", "arithmetic", 0, 0, 6e13)]
    return [{"record": "ceiling", "run_id": "r1", "name": "c%d" % i, "device": device,
             "resource": resource, "math": "f32", "bytes": size, "cores": cores, "status": "ok",
             "best": float(words.get("best", rate))}
            for i, (device, resource, cores, size, rate) in enumerate(rates)]


def scaling(words):
    return [variant(words, "team", 1e-3 / speed, scale={"threads": threads}, threads=threads)
            for threads, speed in ((1, 1), (2, 2), (4, 3.2))] + [variant(words, "alone", 1e-3)]


def history(words):
    factor = float(words.get("factor", 1.25)) if words.get("run") == "2" else 1.0
    return [variant(words, "first", 8e-3), variant(words, "second", 2e-3 * factor)]


def give_word(record, number, word):
    record["size"]["data"] = number
    record["words"] = {"data": word}
    record["label"] += "-" + word if number > 0 else ""


def kinds(words):
    """Two kinds of data, the later one first, and a row without words, as older records and users' files have."""
    records = []
    for number, word, factor in ((3, "town", 20.0), (0, "uniform", 1.0)):
        records += [variant(words, "first", 8e-3),
                    variant(words, "card", 1e-3 * factor, resident=5e-4 * factor)]
        give_word(records[-2], number, word)
        give_word(records[-1], number, word)
    return records + [variant(words, "first", 7e-3)]


def many(words):
    return [variant(words, "variant%d" % i, 1e-3) for i in range(int(words.get("rungs", "65")))]


def make(path, kind, *words):
    words = dict(word.split("=", 1) for word in words)
    records = [run(words)] + globals()[kind](words)
    for record in records:
        if "word" in words and "phases" in record:
            give_word(record, 3, words["word"])
        if "rounds" in words and "phases" in record:  # too few of them have no interval
            record["phases"]["e2e"]["rounds"] = record["phases"]["e2e"]["rounds"][:int(words["rounds"])]
        if "time" in words and record.get("variant") == "second":
            record["phases"]["e2e"]["rounds"][3] = float(words["time"])
    records.append({"record": "end", "run_id": records[0]["run_id"], "exit_status": 0, "wall_ns": 1})
    with open(path, "w") as out:
        for record in records:
            print(json.dumps(record), file=out)


def rows_of(path):
    """A tidy table: one dictionary a line."""
    lines = [line.rstrip("\n").split("\t") for line in open(path, encoding="utf-8")]
    assert len(set(lines[0])) == len(lines[0]) and all(len(line) == len(lines[0]) for line in lines), path
    return [dict(zip(lines[0], line)) for line in lines[1:]]


def column(path, *names):
    for row in rows_of(path):
        print(" ".join(row[name] for name in names), end=" ")


def near(text, value):
    return abs(float(text) / value - 1) < 1e-6


def table(path, data):
    cells = [r for r in map(json.loads, open(path)) if r["record"] == "measurement"]
    rows = rows_of(data)
    assert [row["variant"] for row in rows] == [c["variant"] for c in cells], rows
    for row, c in zip(rows, cells):
        assert row["outcome"] == c["validation"]["status"], row
        assert (row["base_variant"], row["size"]) == (c["base"] or "-", "n=%d" % c["size"]["n"]), row
        if c["validation"]["status"] != "ok":
            assert row["e2e_s"] == row["run_s"] == "NaN" and row["reason"] == c["validation"]["reason"], row
            continue
        rounds = c["phases"]["e2e"]["rounds"]
        low, high = sorted(rounds)[1], sorted(rounds)[9]  # of 11 the 2nd and the 10th: 95 %
        assert near(row["e2e_s"], statistics.median(rounds) * 1e-9), row
        assert near(row["e2e_low_s"], low * 1e-9) and near(row["e2e_high_s"], high * 1e-9), row
        resident = statistics.median(c["phases"]["run"]["rounds"]) * 1e-9
        assert near(row["run_s"], resident), row
        assert row["resident_s"] == ("NaN" if c["device"] == "cpu" else row["run_s"]), row
        assert (row["kind"], row["shade"]) == (("1-core", "0") if c["device"] == "cpu" else ("device", "2")), row
    assert [row["first_mark"].strip() for row in rows] == ["1", "4.00", "8.00", "-"], rows
    assert [row["base_mark"].strip() for row in rows] == ["-", "4.00", "2.00", "-"], rows


def shown(shown, *tables):
    """What rungs show --format csv has, too, is the same there."""
    rows = {(row["problem"], row["label"], row["variant"]): row for path in tables for row in rows_of(path)}
    seen = list(csv.DictReader(open(shown)))
    assert len(rows) == len(seen) > 100, (len(rows), len(seen))
    for row in seen:
        own = rows[row["problem"], row["label"], row["variant"]]
        same = [name for name in row if name in own and name != "machine"]
        assert len(same) > 60, same
        for name in same:
            want = row[name].replace('"', "'") or "-"
            assert own[name] == want or own[name] == "NaN" and want == "-", (own["variant"], name, own[name], want)


def bars(path):
    """Of a picture of bars: the colours of the parts, and how long each is as a share of them all."""
    parts = re.findall(r'<polygon fill = "(#[0-9a-f]+)" points = "([-0-9., ]+)"', open(path).read())
    boxes = [(colour, [[float(x) for x in p.split(",")] for p in points.split()]) for colour, points in parts]
    boxes = [(colour, max(p[0] for p in box) - min(p[0] for p in box)) for colour, box in boxes
             if min(p[1] for p in box) > 120]  # above are those of the legend
    whole = sum(length for _, length in boxes)
    print(*("%s %.2f" % (colour, length / whole) for colour, length in boxes), end="")


def svg(*paths):
    seen = set()
    for path in paths:
        text = open(path, encoding="utf-8").read()
        name = path.rsplit("/", 1)[-1][:-4]
        assert text.startswith("<svg"), "%s has a prolog" % path
        assert len(text) < 100000, "%s is of %d bytes" % (path, len(text))
        root = tree.fromstring(text)
        ids = [e.get("id") for e in root.iter() if e.get("id")]
        assert ids and root.get("id") == name and all(i.startswith(name) for i in ids), ids
        assert len(ids) == len(set(ids)) and not seen & set(ids), "%s: ids" % path
        seen |= set(ids)
        for e in root.iter():
            for key, value in e.attrib.items():
                if key.endswith("href"):
                    assert value[1:] in ids, (path, value)
                assert "url(" not in value or value[5:-1] in ids, (path, value)
            assert not e.tag.endswith(("script", "image", "foreignObject")), e.tag
        assert "prefers-color-scheme: dark" in text and "#" + name + " [fill" in text, path
        for e in root.iter():
            for key in ("fill", "stroke", "color"):
                value = e.get(key, "")
                grey = value[:1] == "#" and value[1:3] == value[3:5] == value[5:]
                if grey and value not in ("#000000", "#ffffff"):  # those stand on a bar's colour
                    assert '[%s="%s"]' % (key, value) in text, (path, key, value)
        assert "rgb(" not in text and "black" not in text, "%s: a colour without a dark one" % path


def png(path, width, height):
    data = open(path, "rb").read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and data[-8:-4] == b"IEND", path
    assert struct.unpack(">II", data[16:24]) == (int(width), int(height)), data[16:24]
    pixels, at = b"", 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        pixels += data[at + 8:at + 8 + length] if kind == b"IDAT" else b""
        at += length + 12
    assert len(set(zlib.decompress(pixels))) > 20, "%s: nothing is drawn" % path


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
