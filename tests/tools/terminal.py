"""terminal.py COLUMNS LINES [--raw | --wrap] COMMAND...

Runs a command on a terminal of that size and prints what is on it in the end, scrolled-off lines
included: lines that do not fit as long as they are, so that a test can see it, or with --wrap as a
terminal breaks them; with --raw, every byte that came.  Ends with the command's exit status.  The terminal knows
what Rungs asks of one: carriage return, line feed, cursor up, erase to the end of line or screen,
colours.  Anything else is left in the text, where a test will see it.
"""
import fcntl
import os
import pty
import re
import struct
import sys
import termios

columns, lines = int(sys.argv[1]), int(sys.argv[2])
raw, wrap = sys.argv[3] == "--raw", sys.argv[3] == "--wrap"
command = sys.argv[4 if raw or wrap else 3:]


def run():
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        os.execvp(command[0], command)
    said = b""
    while True:
        try:
            more = os.read(terminal, 65536)
        except OSError:  # the other side is closed
            break
        if not more:
            break
        said += more
    return said.decode("utf-8", "replace"), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def screen(said):
    """Lines that stand there in the end."""
    rows, y, x = [[]], 0, 0
    for token in re.findall(r"\x1b\[[0-9;]*[A-Za-z]|\r|\n|.", said, re.S):
        if token == "\r":
            x = 0
        elif token == "\n":
            y += 1
        elif token == "\x1b[K":
            rows[y] = rows[y][:x]
        elif token == "\x1b[J":
            rows[y] = rows[y][:x]
            del rows[y + 1:]
        elif re.fullmatch(r"\x1b\[[0-9]*A", token):
            y = max(0, y - int(token[2:-1] or 1))
        elif re.fullmatch(r"\x1b\[[0-9;]*m", token):
            pass
        else:
            if wrap and x == columns:
                y, x = y + 1, 0
            while len(rows) <= y:
                rows.append([])
            rows[y] += [" "] * (x - len(rows[y]))
            rows[y][x:x + 1] = [token]
            x += 1
        while len(rows) <= y:
            rows.append([])
    return "\n".join("".join(row).rstrip() for row in rows)


said, status = run()
print(said if raw else screen(said), end="" if raw else "\n")
sys.exit(status)
