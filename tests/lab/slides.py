"""For tests/lab/slides.t: what is on the slides, and how they print."""
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
import browser
import served
from served import finish, ok

served.count = 1  # the shell's
rungs, folder = sys.argv[1], pathlib.Path(sys.argv[2])
source = pathlib.Path("docs/workshop/slides.md").read_text()
slides = source.split("\n---\n")


def lab(*words):
    return subprocess.run([rungs, "lab", *words], capture_output=True, text=True).stdout


# --- what they say --------------------------------------------------------------------------------
verdicts = {}  # of each version that is shown
for number, version, lines in re.findall(r"```verdict (\d\d) (\w+)\n(.*?)```", source, re.S):
    if (number, version) not in verdicts:
        file = pathlib.Path(re.search(r"learn/\S+\.cu", lab("story", number)).group())
        file.write_text(lab("dev", "show", number, version))
        verdicts[number, version] = lab("run", number).splitlines()
    missing = [line for line in lines.splitlines() if line not in verdicts[number, version]]
    ok(f"the verdict on {number}, {version}, is as it is shown", missing == [], missing, verdicts[number, version])
ok("... of four versions", len(verdicts) == 4, verdicts.keys())
for name, page in (("slides", source), ("handout", pathlib.Path("docs/workshop/handout.md").read_text())):
    keys = [word for word in re.findall(r"`build-sim/rungs lab (\w+)", page)]
    known = lab("nothing") + subprocess.run([rungs, "lab", "nothing"], capture_output=True, text=True).stderr
    ok(f"every command on the {name} is one", keys and all(key in known for key in keys), keys, known)
plan = pathlib.Path("docs/workshop/two-hours.md").read_text()
lists = {numbers for page in (source, plan, pathlib.Path("docs/workshop/handout.md").read_text())
         for numbers in re.findall(r"lab watch ((?:\d\d ){2,}\d\d)", page)}
ok("slides, handout and plan name one list, that of the plan's rows",
   lists == {" ".join(re.findall(r"^\| \d:\d\d \| \d+ \| \*\*(\d\d) ", plan, re.M))}, lists)
named = [int(n) for n in re.findall(r"slides? (\d+)", plan) + re.findall(r"slides \d+ (?:to|and) (\d+)", plan)]
ok("the plan names no slide that is not there", max(named) == len(slides), named, len(slides))
rows = re.findall(r"^\| (\d):(\d\d) \| (\d+) \|", plan, re.M)
ok("the plan's minutes add up to its clock", [int(h) * 60 + int(m) for h, m, _ in rows] + [120] ==
   [sum(int(minutes) for _, _, minutes in rows[:i]) for i in range(len(rows) + 1)], rows)

# --- how they look --------------------------------------------------------------------------------
if not browser.find():
    for name in ("the slides stand alone", "each slide fits the window", "no line of code is cut", "each slide is one page",
                 "the handout is one page"):
        ok(f"{name} # skip chromium is not there", True)
    finish()
    sys.exit()


def pages(b, name):
    b.open(folder / f"{name}.html", 1280, 720)
    b.print(f"{name}.pdf")
    return len(re.findall(rb"/Type\s*/Page[^s]", pathlib.Path(f"{name}.pdf").read_bytes()))


with browser.Browser() as b:
    b.open(folder / "slides.html", 1280, 720)
    ok("the slides stand alone", b.complaints == [] and b.value(
        "[...document.images].length > 0 && [...document.images].every(i => i.complete && i.naturalWidth > 100)"),
       b.complaints)
    heights = b.value("[...document.querySelectorAll('section')].map(s => s.offsetHeight)")
    ok("each slide fits the window", heights == [720] * len(slides), heights)
    for name in ("slides", "handout"):
        b.open(folder / f"{name}.html", 1280, 720)
        ok(f"no line of code on the {name} is cut", b.value(
            "[...document.querySelectorAll('pre')].every(p => p.scrollWidth <= p.clientWidth)"))
    b.open(folder / "slides.html", 1280, 720)
    count = pages(b, "slides")
    ok("each slide is one page", count == len(slides), count)
    count = pages(b, "handout")
    ok("the handout is one page", count == 1 and b.complaints == [], count, b.complaints)
    b.open(folder / "handout.html", 390, 844)
    ok("... and fits a phone", b.value("document.documentElement.scrollWidth") <= 390)
finish()
