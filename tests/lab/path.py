"""For tests/lab/path.t: a learner follows a list of exercises, and the instructor looks at the room meanwhile.

path.py RUNGS ROOM   in the folder of a copy of the tree; prints TAP.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from watched import PROMPT, Terminal, finish, ok

rungs, room = sys.argv[1], pathlib.Path(sys.argv[2])
os.environ["RUNGS_SEAT"] = "ada"


def lab(*words, **more):
    done = subprocess.run([rungs, "lab", *words], capture_output=True, text=True, **more)
    return done.stdout + done.stderr


def seat():
    """Returns the line of the seat in the table of the room."""
    return next((line for line in lab("room", room, "03", "04", "06").splitlines() if line.startswith("ada")), "")


def shown(t, number, title):
    return t.wait(rf"(?s)\n{number} {title}.*{PROMPT}")


def save_solution(number):
    source = next(pathlib.Path("learn").glob(f"*/{number}_*"))
    source.write_text(lab("dev", "show", number, "solution"))


# --- a room ------------------------------------------------------------------------------------------
said = lab("submit", room)
ok("No such file" in said and not room.exists(), "a room that is not there is not made", said)
room.mkdir()
said = lab("submit", room)
ok("as seat ada " in said and re.match(r"ada +\. +\. +\. *$", seat()), "a seat joins before its first exercise", seat())

# --- a list of exercises ----------------------------------------------------------------------------
said = lab("watch", "03", "99")
ok("there is no exercise 99; build-sim/rungs lab list" in said, "a number that is none is refused, with the command to type", said)
t = Terminal(rungs, "watch", "03", "06", "04", "06")
ok(shown(t, "03", "First kernel"), "it begins with the first", t.said)
t.type("\n")
ok(t.wait(r"(?s)please wait.*" + PROMPT) and "(build-sim/rungs lab explain nothing-written)" in t.said,
   "the verdict names the command as it can be typed", t.said)
ok(re.match(r"ada +h0 +\. +\. +at 03, 0 min, nothing-written$", seat()), "the room sees a seat that has not passed yet", seat())
t.type("h")
ok(t.wait(r"(?s)hint 1 of 4.*" + PROMPT) and re.match(r"ada +h1 ", seat()), "... and its hints", seat())
t.said = ""
save_solution("03")
ok(t.wait(r"  06 Neighbours in line comes next, in \d+ s"), "after a pass, the next of the list is announced", t.said)
ok(shown(t, "06", "Neighbours in line"), "... and comes by itself", t.said)
ok(re.match(r"ada +\*\* +\. +\. +at 06, ", seat()), "the room sees the pass", seat())
t.type("n")
ok(shown(t, "04", "There and back"), "n goes on in the list", t.said)
time.sleep(1.1)  # the progress knows seconds
t.type("n")
ok(shown(t, "06", "Neighbours in line"), "... and comes back to what has not passed", t.said)
t.type("q")
ok(t.wait("build-sim/rungs lab watch, with the same numbers, continues here"), "q says how to go on", t.said)
t.end()

t = Terminal(rungs, "watch", "03", "04", "06")
ok(shown(t, "06", "Neighbours in line"), "the list goes on where the learner was", t.said)
shutil.move(room, f"{room}.away")
t.type("h")
ok(t.wait(r"(?s)not in the folder of the room: .* is not there.*" + PROMPT), "a room that is away is told", t.said)
t.type("h")
ok(t.wait(r"(?s)hint 2 of 4.*" + PROMPT) and "the room" not in t.said and not room.exists(), "... once, and not made again", t.said)
shutil.move(f"{room}.away", room)
t.said = ""
save_solution("06")
ok(shown(t, "04", "There and back"), "the last one that is left comes by itself", t.said)
t.said = ""
save_solution("04")
t.wait(r"(?s)please wait.*" + PROMPT)
ok("  all 3 have passed; x shows one more task" in t.said, "after the last there is no next one", t.said)
ok(re.match(r"ada +\*\* +\*\* +\*\*\. *$", seat()), "the room has all stars, also those won while it was away", seat())
t.type("q")
t.wait("continues here")
t.end()

pathlib.Path("learn/.kept/room").unlink()
before = (room / "ada.tsv").read_text()
lab("hint", "05")
ok((room / "ada.tsv").read_text() == before, "without learn/.kept/room nothing more is copied")
t = Terminal(rungs, "watch", "03")
shown(t, "03", "First kernel")
t.type("n")
ok(shown(t, "05", "Two dimensions"), "a single number is where to begin, and all exercises follow", t.said)
t.type("q")
t.wait("continues here")
t.end()
finish()
