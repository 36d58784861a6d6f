"""For tests/lab/serve.t: exercises by requests, two browsers at a time, programs that do not end, and the server's end."""
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
from served import PATIENCE, Server, finish, ok

rungs = sys.argv[1]
mine = pathlib.Path("learn/saxpy/01_read_the_table.c")


def lab(*words):
    return subprocess.run([rungs, "lab", *words], capture_output=True, text=True).stdout


s = Server(rungs, "--listen", "127.0.0.1:0")


# --- an exercise ----------------------------------------------------------------------------------
def data():
    return json.loads(s.ask("GET", "01").text)


first = data()
ok("an exercise has its story and the starter", first["story"].startswith("Rungs has one") and
   first["text"] == mine.read_text() == lab("dev", "show", "01", "starter"), first)


def same_verdict(number):
    answer = s.ask("POST", f"{number}/run?columns=96")
    terminal = lab("run", number)
    ok(f"the verdict on {number} is the one of lab run",
       answer.status == 200 and answer.headers["Rungs-Status"] == "1" and
       (answer.plain == terminal or answer.plain.split() == terminal.split()), answer.plain, terminal)
    return answer


same_verdict("01")
same_verdict("06")
narrow = s.ask("POST", "01/run?columns=44")
ok("... in as many columns as there are", max(map(len, narrow.plain.splitlines()[1:4])) <= 44, narrow.plain)
ok("... and coloured", "\x1b[31m" in narrow.text)

solution = lab("dev", "show", "01", "solution")
saved = s.ask("PUT", f"01?version={first['version']}", solution)
ok("a file is saved", saved.status == 200 and mine.read_text() == solution, saved)
ok("... as the version that is then shown", saved.text.strip() == data()["version"] != first["version"], saved)
passed = s.ask("POST", "01/run")
ok("... and passes", passed.headers["Rungs-Status"] == "0" and " passed" in passed.plain, passed)
ok("... which the list shows", json.loads(s.ask("GET", "exercises").text)[0]["passed"])
hint = s.ask("POST", "01/hint?level=1")
ok("a hint", hint.status == 200 and "hint 1 of 4" in hint.plain, hint)
compared = s.ask("POST", "01/compare")
ok("the solution beside it", compared.status == 200 and "they are the same" in compared.plain, compared)
again = s.ask("POST", "01/reset")
ok("reset keeps the version before", again.status == 200 and mine.read_text() == first["text"] and
   pathlib.Path("learn/saxpy/01_read_the_table.1.c").read_text() == solution, again)

# --- two browsers, and other texts than expected --------------------------------------------------
a = b = data()
ok("of two browsers one saves", s.ask("PUT", f"01?version={a['version']}", solution).status == 200)
late = s.ask("PUT", f"01?version={b['version']}", "/* mine */\n")
ok("... the other is told that its version is old", late.status == 412 and mine.read_text() == solution, late)
for name, body in (("a zero byte", b"int x;\0int y;"), ("300 KiB", b"x" * (300 << 10))):
    answer = s.ask("PUT", f"01?version={data()['version']}", body)
    ok(f"{name} is not saved", answer.status in (400, 413) and mine.read_text() == solution, answer)


def raw(*pieces):
    """Sends pieces of a request, and returns what comes back; nothing if the connection was closed first."""
    with socket.create_connection((s.host, s.port), timeout=PATIENCE) as connection:
        try:
            for piece in pieces:
                connection.sendall(piece.encode())
            connection.shutdown(socket.SHUT_WR)
            return connection.recv(65536).decode()
        except OSError:  # of several kinds, by how far the request was on its way
            return ""


head = f"PUT {s.path}01?version={data()['version']} HTTP/1.1\r\nHost: localhost\r\n"
chunks = raw(head + "Transfer-Encoding: chunked\r\n\r\n", *["10000\r\n" + "x" * 65536 + "\r\n"] * 6, "0\r\n\r\n")
ok("... and too many chunks end the connection", chunks == "" and mine.read_text() == solution, chunks)
ok("a head of 100 KB is refused", re.match(r"HTTP/1.1 4\d\d|$", raw(head + "X: " + "y" * 100000 + "\r\n\r\n")))
ok("a request without a host is refused", re.search(" 40[03] ", raw(f"GET {s.path} HTTP/1.1\r\n\r\n")))
ok("... and in the older protocol", " 403 " in raw(f"GET {s.path} HTTP/1.0\r\n\r\n"))
ok("no request at all changes nothing", raw("\r\n\0\xff garbage\r\n\r\n") is not None and s.ask("GET", "").status == 200)
big = s.ask("PUT", f"01?version={data()['version']}", solution + "/*" + "x" * (200 << 10) + "*/\n")
ok("200 KiB are a file", big.status == 200, big)
mine.write_bytes(b"/* \xe4 */\n")
latin = s.ask("GET", "01")
ok("a file that is not UTF-8 is named", latin.status == 404 and "not UTF-8" in latin.text, latin)
mine.unlink()


# --- while a program runs -------------------------------------------------------------------------
def left():
    """Processes that judge: rungs lab run, and the programs of exercises."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            program = os.readlink(process / "exe")
        except OSError:
            continue
        if program.startswith(os.getcwd() + "/") and not program.endswith("/rungs-serve"):
            found.append(program)
    return found


def runs():
    """Whether an exercise's program runs."""
    return any(".lab" in program for program in left())


def tries():
    """How many verdicts the progress has counted.  After a pass it counts no more, so a new one is begun below."""
    return re.search(r"^01_read_the_table\t\S+\t(\d+)\t", open("learn/progress.tsv").read(), re.M)[1]


def wait(holds):
    end = time.monotonic() + PATIENCE
    while not holds() and time.monotonic() < end:
        time.sleep(0.05)
    return holds()


def begin(*request):
    """Asks in a thread; the list that it returns gets the answer, if the server lives so long."""
    answers = []

    def ask():
        try:
            answers.append(s.ask(*request))
        except OSError:
            pass

    thread = threading.Thread(target=ask)
    thread.start()
    return thread, answers


endless = solution.replace("    for (size_t i = 0", "    for (volatile int i = 0;; i++) ;\n    for (size_t i = 0", 1)
assert endless != solution
s.ask("PUT", f"01?version={data()['version']}", endless)
thread, answers = begin("POST", "01/run")
ok("an endless loop runs", wait(runs))
ok("... the page answers meanwhile", s.ask("GET", "exercises").status == 200 and s.ask("GET", "03").status == 200)
thread.join()
ok("... and is judged", "no result within" in answers[0].plain, answers)
for name in ("learn/progress.tsv", "learn/.kept/progress.tsv"):
    os.unlink(name)
s.ask("POST", "01/run")
before = tries()
thread, answers = begin("POST", "01/run")
ok("it runs again", wait(runs))
saved = s.ask("PUT", f"01?version={data()['version']}", solution)
thread.join()
ok("a save while it runs takes its place", saved.status == 200 and mine.read_text() == solution, saved)
ok("... stops it", answers[0].status == 409 and "newer version" in answers[0].text, answers)
ok("... with all of its processes", wait(lambda: not left()), left())
ok("... before it had a verdict", tries() == before, tries(), before)
both = [begin("POST", "01/run") for _ in range(2)]
for thread, _ in both:
    thread.join()
ok("two browsers that judge at once both get a verdict", all(" passed" in got[0].plain for _, got in both), both)
ok("... and no progress is lost", re.search(r"^01_read_the_table\tright\t", open("learn/progress.tsv").read(), re.M))

harmed = os.path.abspath("harmed")
if "+ Landlock" in lab("doctor"):
    s.ask("PUT", f"01?version={data()['version']}", solution.replace(
        '#include "common/saxpy.h"', '#include <fcntl.h>\n#include "common/saxpy.h"').replace(
        "for (size_t i = 0", f'open("{harmed}", O_CREAT | O_WRONLY, 0666);\n    for (size_t i = 0', 1))
    s.ask("POST", "01/run")
    ok("a program that is judged here writes no file", not os.path.exists(harmed))

# --- its end, and others --------------------------------------------------------------------------
second = Server(rungs)
ok("another server has another token", second.path != s.path and second.host == "127.0.0.1", second.links)
third = Server(rungs)
ok("... and one more finds a port that is free", third.port != second.port, third.links)
status, said, complained = third.end(signal.SIGTERM)
ok("it ends with status 0, without a word of errors", status == 0 and complained == "", status, said, complained)
taken = subprocess.run([rungs, "lab", "serve", "--listen", f"127.0.0.1:{second.port}"], capture_output=True, text=True)
ok("a port that is in use is named", taken.returncode == 2 and "in use" in taken.stderr, taken)
second.end()
for where in ("nowhere.invalid", "127.0.0.1:x", "127.0.0.1:70000", "", ":80", "[::1"):
    refused = subprocess.run([rungs, "lab", "serve", "--listen", where], capture_output=True, text=True)
    ok(f'--listen "{where}" is refused in one line', refused.returncode == 2 and
       re.fullmatch(r"rungs: .*\n", refused.stderr), refused)
everywhere = Server(rungs, "--listen", "0.0.0.0:0")
ok("open to the network, it prints a link for each address", len(everywhere.links) >= 1 and
   all(f":{everywhere.port}/" in link for link in everywhere.links), everywhere.links)
ok("... and lets in addresses, not names", [everywhere.ask("GET", "", headers={"Host": host}).status for host in (
    "192.0.2.7:80", "localhost", "evil.example")] == [200, 200, 403])
status, said, complained = everywhere.end()
ok("... with a warning", re.match(r"warning: .*0\.0\.0\.0 opens the page to the network", complained), complained)

for name in ("learn/progress.tsv", "learn/.kept/progress.tsv"):
    os.unlink(name)
s.ask("PUT", f"01?version={data()['version']}", endless)
s.ask("POST", "01/run")
before = tries()
thread, answers = begin("POST", "01/run")
ok("one more endless loop", wait(runs))
status, said, complained = s.end()
thread.join()
ok("Ctrl-C ends the server and what it runs", status == 0 and wait(lambda: not left()) and tries() == before, status,
   left(), tries())
s = Server(rungs, "--listen", "127.0.0.1:0")

thread, answers = begin("POST", "01/run")
ok("once more", wait(runs))
s.end(signal.SIGKILL)
thread.join()
ok("a server that is killed leaves no program behind", wait(lambda: not left()) and tries() == before, left(), tries())
finish()
