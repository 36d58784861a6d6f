"""For tests/lab/view.t: a learner looks at what the own kernel accesses.

view.py RUNGS   in the folder of a copy of the tree; prints TAP.
"""
import os
import pathlib
import pty
import re
import select
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
import browser

rungs = sys.argv[1]
PATIENCE = 600 # seconds; a busy machine takes minutes for a benchmark
tests = 0


def ok(good, name, said=""):
    global tests
    tests += 1
    print(f"{'' if good else 'not '}ok {tests} - {name}", flush=True)
    if not good:
        print("\n".join("#   " + line for line in said[-3000:].splitlines()))


def lab(*words):
    done = subprocess.run([rungs, "lab", *words], capture_output=True, text=True, timeout=PATIENCE)
    return done.stdout + done.stderr


def write(number, version):
    """Makes a version of the exercise the learner's."""
    lab("story", number)
    source = next(pathlib.Path("learn").glob(f"*/{number}_*.c*"))
    source.write_text(lab("dev", "show", number, version))
    return source


class Watch:
    """rungs lab watch, at a terminal."""

    def __init__(self, number):
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.execv(rungs, [rungs, "lab", "watch", number])
        self.said = ""

    def type(self, key):
        self.said = ""
        os.write(self.file, key.encode())

    def wait(self, pattern):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and not re.search(pattern, self.said):
            if select.select([self.file], [], [], 0.2)[0]:
                self.said += re.sub(r"\x1b\[[0-9;]*m", "", os.read(self.file, 65536).decode(errors="replace"))
        return re.search(pattern, self.said) is not None


write("06", "starter")
t = Watch("06")
ok(t.wait(r"v view, .*q quit > $"), "the prompt names the key", t.said)
t.type("v")
ok(t.wait(r"(?s)in the whole kernel.*q quit > $"), "v draws", t.said)
ok("31 sectors of 32 bytes; 4 would do" in t.said and len(re.findall(r"in\[\d+\] \|", t.said)) == 31,
   "... a sector for each lane at work", t.said)
page = re.search(r"learn/view-\S+\.html", t.said)
ok(page and "<main>" in pathlib.Path(page[0]).read_text(), "... and makes a page", t.said)
t.type("q")
t.wait("continues here")
os.waitpid(t.pid, 0)

write("08", "no_second_barrier")
said = lab("view", "08")
ok(re.search(r"race: writes 4 bytes", said) and said.count("since barrier 1 of the block") == 2 and
   re.search(r"reads +tile_lat\[0\]", said) and re.search(r"writes +tile_lat\[0\]", said), "a race: both threads", said)
write("12", "in_condition")
said = lab("view", "12")
ok("64 threads wait in __shfl_down_sync" in said and "64 threads have returned" in said, "who waits where", said)
write("14", "solution")
said = lab("view", "14")
ok(len(re.findall(r"^  stream +\d  .*HHKD", said, re.M)) == 4, "four streams", said)
write("01", "in_pairs")
said = lab("view", "01")
ok(re.search(r"z written +\|1032547698badcfe\|hgjilknmporqtsvu\|", said), "turns of a loop on the processor, over cache lines", said)
source = write("02", "solution")
said = lab("view", "02")
half = "thread 0: 512 elements of z, from 0 to 511" in said and "thread 1: 512 elements of z, from 512 to 1023" in said
ok(half if os.cpu_count() <= 2 else "thread 1: " in said, "shares of a team", said)
page = re.search(r"learn/view-\S+\.html", said)
ok(page and "<main>" in pathlib.Path(page[0]).read_text(), "... and a page, too", said)
if page and browser.find():
    with browser.Browser() as b:
        b.open(pathlib.Path(page[0]).resolve())
        count = "document.querySelectorAll('.host[data-used=true]').length"
        threads = said.count(" elements of z, from ")
        first = b.value(count)
        b.click("#forward")
        b.click("#forward")
        both = b.value(count)
        b.click("#back")
        ok(first == 3 * threads and both == 3 * first and b.value(count) == 2 * first,
           "... step by step: an element of three arrays for each thread in a turn", f"{first} {both} {b.value(count)}")
        ok("z[1]" in b.value("document.querySelector('.said').textContent") and b.complaints == [], "... and it says which", str(b.complaints))
source.write_text(source.read_text().replace("parallel for", "parallel for schedule(static, 1)"))
said = lab("view", "02")
ok(re.search(r"^ +z \|\*{64}\|$", said, re.M), "threads that share each part of an array", said)
write("26", "waits_late")
said = lab("view", "26")
ok(re.search(r"now\(\) +--\+ the first stamp of pair 1\n.*start\(\) +\| the device begins\n.*now\(\) +--\+ the second one, .*\n"
             r".*the device is done\n.*wait_for_device\(\)\n", said) and "18 more pairs" in said,
   "26: the device works on behind the second stamp", said)

source = write("03", "solution")
lab("run", "03")
lab("keep", "03")
kept = pathlib.Path("variants/saxpy/cuda_lab_03.cu")
ok(kept.exists(), "a passed version is kept")
for other in pathlib.Path("variants/saxpy").glob("cuda_*.cu"):
    if other.name not in ("cuda_naive.cu", "cuda_lab_03.cu"):
        other.unlink()  # the build need not be complete for this test
said = lab("bench", "03")
ok(re.search(r"^cuda_lab_03 +ok +1 ", said, re.M) and re.search(r"^cuda_naive +ok +1 ", said, re.M),
   "... and is a row among the variants, counted", said)
print(f"1..{tests}")
