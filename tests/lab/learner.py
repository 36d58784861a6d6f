#!/usr/bin/env python3
"""Plays a learner at a terminal, who goes through the exercises from the first to the last.

learner.py RUNGS [NN ...]   in the folder of a copy of the tree; prints TAP.
"""
import os
import re
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from watched import PROMPT, Terminal, finish, ok

rungs, only = sys.argv[1], sys.argv[2:]


def plain(*words):
    return subprocess.run([rungs, "lab", *words], capture_output=True, text=True, check=True).stdout


first_track = re.findall(r"^(\d\d)  ", plain("list"), re.M)
listed = sorted(name[:2] for name in os.listdir("workshop") if re.match(r"\d\d_", name))
wanted = only or listed
t = Terminal(rungs, "watch", wanted[0])
for i, number in enumerate(wanted):
    if not ok(t.wait(PROMPT), f"{number} is shown", t.said):
        break
    source = re.search(r"(learn/\S+\.(?:cu|c))", t.said).group(1)
    ok(re.search(r"\n  now .*\n  goal ", t.said.replace("\r", ""), re.S), "... with its numbers", t.said)
    ok(open(source).read() == plain("dev", "show", number, "starter"), "... and its starter is there")

    t.type("\n")  # judges the starter
    ok(t.wait(r"(?s)please wait.*" + PROMPT), "... is judged", t.said)
    ok("kind  " in t.said and " passed" not in t.said, "... fails, with a reason", t.said)
    t.type("e")
    ok(t.wait(PROMPT) and "nothing to explain" not in t.said, "... shows the page on that", t.said)
    t.type("h")
    ok(t.wait(r"(?s)hint 1 of 4.*" + PROMPT), "... and a hint", t.said)

    t.said = ""
    with open(source, "w") as f:
        time.sleep(0.5)  # empty for a moment, as with some editors: must not be judged
        f.write(plain("dev", "show", number, "solution"))
    ok(t.wait(r"(?s)please wait.*" + PROMPT), "... is judged again when it is saved", t.said)
    if not ok(re.search(r"\n  \*[*.]* passed", t.said), "... and passes", t.said):
        break
    missing = "." in re.search(r"\n  (\*[*.]*) passed", t.said).group(1)
    told = re.search(rf"needs a GPU: build-sim/rungs lab run {number} --gpu|is for speed", t.said)
    ok(missing == bool(told), "... names the star that is missing, if one is", t.said)
    if not only and number == first_track[-1]:
        ok("all of these have passed" in t.said and "comes next" not in t.said, "... and offers what goes on from there", t.said)
    t.type("c")
    ok(t.wait(r"(?s)they are the same.*" + PROMPT), "... is compared with the solution", t.said)
    if i == 0:
        t.said = ""
        with open(source, "w") as f:
            f.write("/* nothing */\n")
        ok(t.wait(r"(?s)please wait.*" + PROMPT), "... is spoilt afterwards", t.said)
        ok(re.search(r"your stars so far: \*", t.said), "... and loses no star", t.said)
    t.type("n" if i + 1 < len(wanted) else "l")
ok(t.wait(r"(?s)passed; about.*" + PROMPT), "the list is shown", t.said)
ok(len(re.findall(r"  passed\r?$", t.said, re.M)) == len(wanted), "... with all of them passed", t.said)
t.said = ""
os.rename("learn", "deleted") # at once: the program makes the folder again as soon as it misses it
shutil.rmtree("deleted")
ok(t.wait(r"(?s)was gone; .*" + PROMPT), "a folder that is deleted meanwhile comes back", t.said)
ok(os.path.exists(source) and os.path.exists("learn/progress.tsv"), "... with the file and the progress")
t.type("q")
while t.read():
    pass
ok(t.end() == 0, "q ends it", t.said)
finish()
