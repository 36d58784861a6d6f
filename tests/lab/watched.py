"""For the tests of `rungs lab` at a terminal: a terminal that a test types into, and TAP."""
import os
import pty
import re
import select
import time

PATIENCE = 120  # seconds for what takes 2 s on an idle machine
PROMPT = r"q quit > $"
count = 0


def ok(good, name, said=""):
    global count
    count += 1
    print(f"{'' if good else 'not '}ok {count} - {name}", flush=True)
    if not good:
        for line in said[-2000:].splitlines():
            print("#   " + line)
    return good


def finish():
    print(f"1..{count}")


class Terminal:
    def __init__(self, rungs, *words):
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.execv(rungs, [rungs, "lab", *words])
        self.said = ""

    def type(self, keys):
        self.said = ""
        os.write(self.file, keys.encode())

    def read(self):
        if not select.select([self.file], [], [], 0.2)[0]:
            return True
        try:
            more = os.read(self.file, 65536)
        except OSError:  # it has ended
            return False
        self.said += re.sub(r"\x1b\[[0-9;]*m", "", more.decode(errors="replace"))
        return bool(more)

    def wait(self, pattern):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if re.search(pattern, self.said):
                return True
            if not self.read():
                break
        return re.search(pattern, self.said) is not None

    def end(self):
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
