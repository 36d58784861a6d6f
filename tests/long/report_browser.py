"""For tests/long/report_browser.t: nothing complains, tables sort and filter, by mouse and by keyboard, in
the dark, on a phone and on paper.  SHOTS=FOLDER keeps the pictures, which are to be looked at."""
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
sys.dont_write_bytecode = True
import browser
from report_page import failure, measurement, run, write

rungs = os.path.abspath(os.environ.get("BUILD", "build") + "/rungs")
if not os.access(rungs, os.X_OK):
    print(f"1..0 # skip {rungs} has not been built")
    sys.exit()
if not browser.find():
    print("1..0 # skip chromium is not there: apt-get install chromium")
    sys.exit()

count = 0
folder = tempfile.TemporaryDirectory(prefix="rungs-test-")
tmp = pathlib.Path(folder.name)
shots = pathlib.Path(os.environ.get("SHOTS", tmp))
shots.mkdir(parents=True, exist_ok=True)


def ok(name, holds, *evidence):
    global count
    count += 1
    print(f"{'ok' if holds else 'not ok'} {count} - {name}")
    if not holds:
        print("#", *map(repr, evidence))


def report(page, *files):
    subprocess.run([rungs, "report", *map(str, files), "--out", str(tmp / page)], check=True,
                   stderr=subprocess.DEVNULL)
    return tmp / page


# --- a page with everything on it -----------------------------------------------------------------
EVIL = "<script>window.evil = 1</script><img src=x onerror='window.evil=2'>"
dice = random.Random(3)
write(tmp / "one.jsonl", [
    run(warnings=[EVIL]),
    measurement(time=2e9, dice=dice, idea=EVIL),
    measurement(variant="cpu_simd", base="cpu_naive", time=9e5, flags=["noisy"], dice=dice),
    failure("wrong", "z[3] is 1, expected 2", variant="cpu_openmp", base="cpu_naive"),
    measurement(variant="cpu_stream", base="cpu_naive", time=2e6, flags=["drift"], dice=dice),
    failure("no device", "no GPU here", variant="cuda_naive", base="cpu_naive"),
    measurement(variant="<script>", base="cpu_naive", time=5e7, dice=dice),
    measurement(variant="cuda_warp", base="cpu_naive", device="gpu", time=3e6, dice=dice),
    measurement(problem="knn", time=8e6, dice=dice),
    measurement(problem="knn", variant="cpu_simd", base="cpu_naive", time=4e6, dice=dice)])
write(tmp / "two.jsonl", [run("s"), measurement("s", time=1e9, dice=dice)])
page = report("page.html", tmp / "one.jsonl", tmp / "two.jsonl")

TABLE = "[...document.querySelectorAll('#tables table')].find(t => t.caption.textContent" \
        ".startsWith('saxpy') && t.caption.textContent.endsWith('one'))"


def column(b, name, table=TABLE):
    """The heading's place, marked so that it can be clicked."""
    b.value(f"""(() => {{
        document.querySelectorAll('[data-here]').forEach(e => delete e.dataset.here);
        const th = [...{table}.tHead.rows[0].cells].find(c => c.textContent === {json.dumps(name)});
        th.querySelector('button').dataset.here = 1;
    }})()""")
    return "[data-here]"


def rows(b, table=TABLE):
    return b.value(f"[...{table}.tBodies[0].rows].filter(r => r.offsetParent).map("
                   "r => r.cells[0].textContent)")


def order(b):
    return b.value(f"[...{TABLE}.tHead.rows[0].cells].map(c => c.ariaSort).filter(s => s !== 'none')")


LADDER = ["cpu_naive", "cpu_simd", "cpu_openmp", "cpu_stream", "cuda_naive", "<script>", "cuda_warp"]
BY_TIME = ["cpu_simd", "cpu_stream", "cuda_warp", "<script>", "cpu_naive", "cpu_openmp", "cuda_naive"]


def sorting(b):
    time = column(b, "time")
    ok("rows are in the order of the ladder", rows(b) == LADDER, rows(b))
    b.click(time)
    ok("a click sorts: microseconds before seconds, what has no time last", rows(b) == BY_TIME, rows(b))
    ok("... and says so", order(b) == ["ascending"], order(b))
    b.click(time)
    ok("a second sorts the other way, what has no time last", rows(b) == BY_TIME[4::-1] + BY_TIME[5:],
       rows(b))
    ok("... and says so", order(b) == ["descending"], order(b))
    b.click(column(b, "variant"))
    ok("another heading takes over", order(b) == ["ascending"] and rows(b) == sorted(LADDER), rows(b))
    b.click(column(b, "variant"))
    b.click(column(b, "variant"))
    ok("a third click brings the ladder back", order(b) == [] and rows(b) == LADDER, rows(b))
    b.click(column(b, "x base"))
    ok("ratios sort as numbers, whatever marks they have",
       rows(b)[:3] == ["<script>", "cuda_warp", "cpu_stream"], rows(b))
    b.open(page)


def filtering(b):
    def found(text):
        b.value("document.getElementById('filter').value = ''")
        b.focus("#filter")
        if text:
            b.type(text)
        else:
            b.value("document.getElementById('filter').dispatchEvent(new Event('input'))")
        return rows(b)

    said = "document.getElementById('found').value"
    everything = b.value("document.querySelectorAll('tbody tr').length")
    ok("a name filters", found("cpu_s") == ["cpu_simd", "cpu_stream"], rows(b))
    left = b.value("[...document.querySelectorAll('tbody tr')].filter(r => r.offsetParent).length")
    ok("... and it is said how many are left", b.value(said) == f"{left} of {everything} rows",
       b.value(said), left)
    ok("a pattern, as on the command line", found("saxpy/cuda_*") == ["cuda_naive", "cuda_warp"], rows(b))
    ok("... is none of the regular kind", found("cpu_.*") == [] and found("(") == [], rows(b))
    ok("two words must both be found", found("cpu no device") == [] and
       found("cuda no device") == ["cuda_naive"], rows(b))
    ok("a flag, in words", found("noisy") == ["cpu_simd"], rows(b))
    ok("an outcome", found("wrong") == ["cpu_openmp"], rows(b))
    found("knn/")
    shown = b.value("[...document.querySelectorAll('.group')].filter(g => g.offsetParent).map("
                    "g => g.querySelector('h3').firstChild.textContent.trim())")
    ok("a table without rows goes, with its heading", shown == ["knn"], shown)
    ok("nothing found is said, too", found("nothing like it") == [] and
       b.value(said) == f"0 of {everything} rows", b.value(said))
    ok("an empty field shows all", found("") == LADDER and b.value(said) == "", rows(b))
    found("cpu_simd")
    b.call("Emulation.setEmulatedMedia", media="print")
    ok("paper has the rows that the filter left out, and no field", rows(b) == LADDER and
       b.value("getComputedStyle(document.querySelector('form')).display") == "none", rows(b))
    found("")


def keyboard(b):
    b.open(page)
    b.press("Tab")
    ok("the first stop leads past the head", b.value("document.activeElement.className") == "skip")
    b.press("Enter")
    ok("... to the tables", b.value("location.hash") == "#tables" and b.value(
        "Math.abs(document.getElementById('tables').getBoundingClientRect().top) < 200"))
    b.focus(column(b, "time"))
    b.press("Tab")
    b.value("document.querySelector('[data-here]').focus()")
    ok("what has the focus is seen", b.value(
        "getComputedStyle(document.activeElement).outlineStyle") == "solid")
    b.press("Enter")
    ok("Enter sorts", rows(b) == BY_TIME, rows(b))
    b.press("Space")
    ok("so does Space", order(b) == ["descending"], order(b))
    ok("what scrolls sideways can be reached and has a name", b.value(
        "[...document.querySelectorAll('.wide')].every(w => w.tabIndex === 0 && w.ariaLabel)"))
    ok("every field and heading has a name", b.value("""
        [...document.querySelectorAll('input')].every(i => i.labels.length > 0) &&
        [...document.querySelectorAll('button, a, summary')].every(e => e.textContent.trim())"""))


def sources(b):
    b.click("#tables a[href='#saxpy.cpu_simd']")
    b.value("new Promise(resolve => setTimeout(resolve, 200))")
    ok("a variant's name leads to its source, and opens it", b.value(
        "document.getElementById('saxpy.cpu_simd').querySelector('details').open"))
    ok("... which can be read", b.value("[...document.querySelectorAll('[id=\"saxpy.cpu_simd\"] pre')]"
                                        "[0].textContent.includes('VARIANT(')"))
    ok("headings say what they mean, in the words of the legend", b.value(
        f"[...{TABLE}.tHead.rows[0].cells].filter(c => c.title).length >= 10 && "
        f"[...{TABLE}.tHead.rows[0].cells].find(c => c.textContent === 'cold').title === "
        "\"run with nothing in the device's cache\""))
    saved = b.download("a.download", tmp / "saved")
    ok("the records are saved as they were", list(map(json.loads, saved.splitlines())) ==
       list(map(json.loads, open(tmp / "one.jsonl"))), saved[:200])


def locked(b):
    ok("no text of a record's became part of the page", b.value(
        "window.evil === undefined && document.querySelectorAll('img').length === 0 && "
        "document.scripts.length === 3"))
    blocked = b.value("""new Promise(resolve => {
        const seen = [];
        document.addEventListener('securitypolicyviolation', event => seen.push(event.violatedDirective));
        document.body.insertAdjacentHTML('beforeend',
            '<img src="http://127.0.0.1:9/x" onerror="window.evil = 3">');
        const script = document.createElement('script');
        script.textContent = 'window.evil = 4';
        document.body.append(script);
        setTimeout(() => resolve([seen.sort().join(' '), window.evil]), 500);
    })""")
    ok("a picture from the network and a script of others are blocked",
       blocked[0] == "img-src script-src-attr script-src-elem" and len(blocked) == 2 and
       blocked[1] is None, blocked)
    b.complaints.clear()  # these were ours


# --- how it looks ---------------------------------------------------------------------------------
CONTRAST = """(() => {
    const channel = c => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    const light = color => {
        const [r, g, b] = color.match(/[\\d.]+/g).map(Number).map(channel);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = light(getComputedStyle(document.body).backgroundColor);
    const found = {};
    for (const e of document.querySelectorAll('body, a, small, .good, .bad, .warning, .f, .s, thead button, ' +
                                              'tr.not td, tr.bad td, summary, output, label')) {
        const ink = light(getComputedStyle(e).color);
        const ratio = (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
        if (ratio < 4.5)
            found[e.tagName + '.' + e.className] = ratio;
    }
    return found;
})()"""


def looks(b):
    grounds = []
    for name, dark in (("light", False), ("dark", True)):
        b.open(page, 1440, 1000, dark)
        b.picture(shots / f"{name}.png")
        b.value("document.getElementById('tables').scrollIntoView()")
        b.picture(shots / f"{name}-tables.png")
        ground = b.value("getComputedStyle(document.body).backgroundColor")
        grounds.append(sum(map(int, ground[4:-1].split(","))) / 3)
        weak = b.value(CONTRAST)
        ok(f"all text can be read, {name}", weak == {}, weak)
    ok("dark is dark", grounds[0] > 240 and grounds[1] < 40, grounds)
    b.open(page, 390, 844)
    ok("on a phone nothing is wider than the screen but tables, which scroll", b.value(
        "document.documentElement.scrollWidth <= 390 && "
        "[...document.querySelectorAll('.wide')].some(w => w.scrollWidth > w.clientWidth)"))
    b.picture(shots / "phone.png")
    ok("... the first screen has the fastest variant with its factor", b.value("""(() => {
        const cell = document.querySelector('#answer tbody tr').cells[2].getBoundingClientRect();
        return cell.right <= 390 && cell.bottom <= 844;
    })()"""))
    ok("... pictures keep letters that can be read, and scroll", b.value("""
        [...document.querySelectorAll('figure')].every(f => getComputedStyle(f).overflowX === 'auto' &&
            f.clientWidth <= 390 && f.scrollWidth >= 600)"""))
    b.open(page, 1280, 900)
    ok("at 1280 pictures do not scroll", b.value(
        "[...document.querySelectorAll('figure')].every(f => f.scrollWidth <= f.clientWidth)"))
    b.open(page, 1280, 900)
    b.print(shots / "page.pdf")
    ok("it prints", (shots / "page.pdf").read_bytes().startswith(b"%PDF"))


def jumping(b):
    b.open(page, 390, 844)
    b.click("nav[aria-label=Problems] a[href='#problem-knn']")
    ok("a problem's link leads to its tables", b.value(
        "Math.abs(document.getElementById('problem-knn').getBoundingClientRect().top) < 200"))


def plots(b):
    if not shutil.which("gnuplot"):
        global count
        count += 1
        print(f"ok {count} - plots in the page # skip gnuplot is not there")
        return
    b.open(page)
    one = b.value("document.querySelector('#answer figure:last-of-type svg').getBoundingClientRect().height")
    five = b.value("document.querySelector('#answer figure svg').getBoundingClientRect().height")
    ok("a picture is as high as its bars need", one < 0.7 * five, one, five)
    ok("plots in the page: whole, and with ids of their own", b.value("""
        document.querySelectorAll('figure').length > 0 &&
        [...document.querySelectorAll('figure')].every(f =>
            f.querySelector('svg').getBoundingClientRect().width > 300) &&
        document.querySelectorAll('#answer figure').length === 2 &&
        new Set([...document.querySelectorAll('[id]')].map(e => e.id)).size ===
            document.querySelectorAll('[id]').length"""))


def many(b):
    write(tmp / "many.jsonl", [run()] + [measurement(variant=f"cpu_{i}", time=dice.uniform(1e3, 1e9),
                                                     count=6, dice=dice) for i in range(2000)])
    b.open(report("many.html", tmp / "many.jsonl"))
    table = "document.querySelector('#tables table')"
    b.click(column(b, "time", table))
    times = b.value(f"[...{table}.tBodies[0].rows].map(r => r.cells[3].textContent)")
    unit = {"us": 1e-6, "ms": 1e-3, "s": 1}
    seconds = [float(t.split()[0]) * unit[t.split()[1]] for t in times]
    ok("2000 rows sort", len(seconds) == 2000 and seconds == sorted(seconds), times[:5])


def noticed(b):
    (tmp / "bad.html").write_text("<!doctype html><script>nothing.at.all()</script>"
                                  "<img src='http://127.0.0.1:9/x.png'>")
    b.open(tmp / "bad.html")
    ok("this test would notice an error, and a request", any("nothing" in c for c in b.complaints) and
       any("asks the network" in c for c in b.complaints), b.complaints)


with browser.Browser() as b:
    b.open(page)
    ok("the page opens without a word on the console, and asks the network for nothing",
       b.complaints == [], b.complaints)
    for part in (sorting, filtering, keyboard, sources, locked, looks, jumping, plots, many):
        part(b)
        ok(f"... {part.__name__}: no error", b.complaints == [], b.complaints)
        b.complaints.clear()
    noticed(b)
print(f"1..{count}")
