"""For the tests of `rungs lab serve`: TAP, and a server that a test starts, asks and ends."""
import http.client
import re
import signal
import subprocess
import urllib.parse

PATIENCE = 120  # seconds for what takes 2 s on an idle machine
count = 0


def ok(name, holds, *evidence):
    global count
    count += 1
    print(f"{'ok' if holds else 'not ok'} {count} - {name}", flush=True)
    if not holds:
        for piece in evidence:
            print("#   " + str(piece)[-1500:].replace("\n", "\n#   "), flush=True)
    return holds


def finish():
    print(f"1..{count}")


class Answer:
    def __init__(self, response):
        self.status, self.headers = response.status, response.headers
        self.text = response.read().decode()
        self.plain = re.sub(r"\x1b\[\d*m", "", self.text)

    def __repr__(self):
        return f"{self.status} {self.text[:400]}"


class Server:
    def __init__(self, rungs, *options):
        self.process = subprocess.Popen([rungs, "lab", "serve", *options], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.process.stdout.readline()
        self.links = [self.process.stdout.readline().strip()]
        while not self.links[-1].startswith("Ctrl-C"):
            self.links.append(self.process.stdout.readline().strip())
        del self.links[-1]
        self.url = self.links[0]
        link = urllib.parse.urlsplit(self.url)
        self.host, self.port, self.path = link.hostname, link.port, link.path

    def ask(self, method, path, body=None, whole_path=False, headers={}):
        connection = http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE)
        connection.request(method, path if whole_path else self.path + path, body, headers)
        answer = Answer(connection.getresponse())
        connection.close()
        return answer

    def end(self, number=signal.SIGINT):
        """Returns its exit status, and what it has said since."""
        self.process.send_signal(number)
        said, complained = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, said, complained
