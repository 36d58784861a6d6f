"""For tests/lab/gate.t: requests as a browser sends them, and as one sends them that means harm."""
import json
import os
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
from served import Server, finish, ok

rungs = sys.argv[1]
mine = pathlib.Path("learn/saxpy/01_read_the_table.c")
s = Server(rungs, "--listen", "127.0.0.1:0")
wrong = s.path[:-2] + ("1" if s.path[-2] == "0" else "0") + "/"


# --- who is let in --------------------------------------------------------------------------------
def listeners():
    """The addresses, as the kernel writes them, at which a port is open."""
    found = []
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in open(table).readlines()[1:] if os.path.exists(table) else []:
            address, port = line.split()[1].split(":")
            if int(port, 16) == s.port and line.split()[3] == "0A":
                found.append(address)
    return found


page = s.ask("GET", "")
ok("the page is there", page.status == 200 and "Rungs workshop" in page.text, page)
ok("... its port is open at 127.0.0.1 alone", listeners() == ["0100007F"], listeners())
ok("... it may load nothing from elsewhere", page.headers["Content-Security-Policy"].startswith("default-src 'none'; "))
ok("... and tells no other site its address", page.headers["Referrer-Policy"] == "no-referrer")
parts = [page] + [s.ask("GET", name) for name in ("page.css", "page.js", "texts.js", "request.js", "edit.js")]
ok("... no part names another host", all(p.status == 200 and "//" not in re.sub("//# |https?:\"", "", p.text)
                                         for p in parts), parts)

PATHS = {"no token": "/", "no token before a file": "/page.js", "no token before an exercise": "/exercises",
         "a digit that differs": wrong, "the token without its end": s.path[:-1], "a longer one": s.path[:-1] + "0/",
         "a shorter one": s.path[:-2] + "/", "an empty one": "//", "the token in the query": "/?" + s.path[1:-1]}
for name, path in PATHS.items():
    statuses = [s.ask(method, path, whole_path=True).status for method in ("GET", "PUT", "POST", "DELETE", "HEAD")]
    ok("refused: " + name, statuses == [403] * 5, statuses)
refused = s.ask("POST", wrong + "01/run", whole_path=True)
ok("... and runs nothing", refused.status == 403 and not mine.exists(), refused)

for host in ("evil.example", f"evil.example:{s.port}", "127.0.0.1.evil.example", "localhost.evil.example", "192.0.2.7",
             f"192.0.2.7:{s.port}", "", "[::1", "::1]", "localhost:80:80", "0.0.0.0"):
    answer = s.ask("GET", "exercises", headers={"Host": host})
    ok(f'refused: a host "{host}"', answer.status in (400, 403), answer)
for host in ("localhost", f"LOCALHOST:{s.port}", "127.0.0.1", "[::1]:9000"):
    ok(f'a host "{host}" is let in', s.ask("GET", "exercises", headers={"Host": host}).status == 200)
for origin in ("http://evil.example", "null", f"http://127.0.0.1:{s.port + 1}", f"ftp://127.0.0.1:{s.port}",
               f"http://127.0.0.1:{s.port}.evil.example", ""):
    answer = s.ask("POST", "01/run", headers={"Origin": origin})
    ok(f'refused: an origin "{origin}"', answer.status == 403, answer)
own = s.ask("GET", "exercises", headers={"Origin": f"http://127.0.0.1:{s.port}"})
ok("its own origin is let in", own.status == 200, own)


# --- what a request can name ----------------------------------------------------------------------
exercises = json.loads(own.text)
ok("the list has all exercises", [e["number"] for e in exercises] ==
   sorted(int(name[:2]) for name in os.listdir("workshop") if re.match(r"\d\d_", name)), own)
for path in ("99", "00", "3", "003", "1a", "03x", "etc/passwd", "../../../../etc/passwd", "..%2f..%2fetc%2fpasswd",
             "03/../../Makefile", "03%2frun", "03%00", "learn/saxpy/01_read_the_table.c", "03/dev", "exercises/03"):
    answer = s.ask("GET", path)
    ok(f"there is no {path}", answer.status == 404, answer)
for method, path in (("POST", "99/run"), ("PUT", "99?version=0"), ("PUT", "01"), ("PUT", "01?version=../../x"),
                     ("POST", "01/hint"), ("POST", "01/hint?level=--gpu"), ("POST", "01/compare"),
                     ("POST", "01/hint?level=9")):
    answer = s.ask(method, path, "x" if method == "PUT" else None)
    ok(f"{method} {path} is refused", answer.status in (400, 404) and answer.text != "", answer)
for path in ("01/doctor", "01/submit", "01/dev", "01/", "exercises", "", "01/run/x"):
    answer = s.ask("POST", path)
    ok(f"POST {path} is none of the commands", answer.status == 404, answer)
s.end()
finish()
