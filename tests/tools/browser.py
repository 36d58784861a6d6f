"""A headless browser to look at a page with, by Chromium's debugging pipe and nothing else.

    with Browser() as b:
        b.open("report.html", width=1280, height=900, dark=True)
        b.value("document.title"); b.press("Tab"); b.picture("page.png"); b.print("page.pdf")
        b.complaints     # what the console and uncaught errors said, and what went to the network
"""
import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
PATIENCE = 60  # seconds

PALE = """(() => {
    const channel = c => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    const light = color => {
        const [r, g, b] = color.match(/[\\d.]+/g).map(Number).map(channel);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = e => {
        const color = getComputedStyle(e).backgroundColor;
        return /, 0\\)$/.test(color) ? ground(e.parentElement) : color;
    };
    const found = {};
    for (const e of document.querySelectorAll('body *')) {
        if (e.offsetParent === null || ![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim() !== ''))
            continue;
        const ink = light(getComputedStyle(e).color), paper = light(ground(e));
        const ratio = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
        if (ratio < 4.5)
            found[e.tagName + '.' + e.className + '#' + e.id] = ratio;
    }
    return found;
})()"""


def find():
    """One that starts: what has the name may only say how to install it."""
    for path in filter(None, map(shutil.which, NAMES)):
        if subprocess.run([path, "--version"], capture_output=True).returncode == 0:
            return path
    return None


class Browser:
    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.out = os.pipe()
        self.into, from_browser = os.pipe()

        def pipes():  # the browser reads commands from 3 and writes answers to 4
            spare = [os.dup(end) for end in (to_browser, from_browser)]
            os.dup2(spare[0], 3)
            os.dup2(spare[1], 4)

        self.process = subprocess.Popen(
            [find(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--no-first-run", "--disable-background-networking", "--remote-debugging-pipe",
             f"--user-data-dir={self.profile.name}", "about:blank"],
            preexec_fn=pipes, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env={**os.environ, "HOME": self.profile.name})
        os.close(to_browser)
        os.close(from_browser)
        self.allowed = ("file:", "blob:", "data:")  # how addresses begin that a page may ask for
        self.last, self.rest, self.session, self.events, self.complaints = 0, b"", None, [], []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.out)
        os.close(self.into)
        self.profile.cleanup()

    # --- messages, each ended by a zero byte ---
    def message(self):
        while b"\0" not in self.rest:
            if not select.select([self.into], [], [], PATIENCE)[0]:
                raise TimeoutError("the browser says nothing")
            more = os.read(self.into, 1 << 20)
            if not more:
                raise EOFError("the browser has gone")
            self.rest += more
        text, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(text)
        self.note(message)
        return message

    def wait(self, method, holds=lambda about: True):
        """What the event of that name says, whether it has come already or comes now."""
        while True:
            for at, (what, about) in enumerate(self.events):
                if what == method and holds(about):
                    del self.events[at]
                    return about
            self.message()

    def note(self, message):
        what, about = message.get("method"), message.get("params", {})
        if what:
            self.events.append((what, about))
        if what == "Runtime.exceptionThrown":
            self.complaints.append(about["exceptionDetails"]["exception"].get("description", "?"))
        elif what == "Runtime.consoleAPICalled":
            self.complaints.append(f"console.{about['type']}: {about['args']}")
        elif what == "Log.entryAdded":
            self.complaints.append(about["entry"]["text"])
        elif what == "Network.requestWillBeSent":
            url = about["request"]["url"]
            if not url.startswith(self.allowed):
                self.complaints.append("asks the network for " + url)

    def call(self, method, **params):
        self.last += 1
        call = {"id": self.last, "method": method, "params": params}
        if self.session:
            call["sessionId"] = self.session
        os.write(self.out, json.dumps(call).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    # --- what a person does ---
    def open(self, path, width=1280, height=900, dark=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", media="screen", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.events.clear()
        url = str(path)
        self.call("Page.navigate", url=url if url.startswith("http:") else pathlib.Path(path).resolve().as_uri())
        self.wait("Page.loadEventFired")

    def value(self, script):
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def pale(self):
        """The elements whose text has less contrast to its ground than 4.5, with their contrast."""
        return self.value(PALE)

    def press(self, key, shift=False, control=False):
        key = " " if key == "Space" else key
        text = None if control else "\r" if key == "Enter" else key if len(key) == 1 else None
        code = {"Enter": 13, "Tab": 9, "Escape": 27, "Backspace": 8}.get(key, ord(key[0].upper()))
        event = {"key": key, "windowsVirtualKeyCode": code, "modifiers": 8 * shift + 2 * control}
        self.call("Input.dispatchKeyEvent", type="keyDown", **event, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **event)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def click(self, selector):
        box = self.value(f"""(() => {{
            const e = document.querySelector({json.dumps(selector)});
            e.scrollIntoView({{ block: "center" }});
            const r = e.getBoundingClientRect();
            return [r.x + r.width / 2, r.y + r.height / 2];
        }})()""")
        for what in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=what, x=box[0], y=box[1], button="left",
                      clickCount=1)

    def focus(self, selector):
        self.value(f"document.querySelector({json.dumps(selector)}).focus()")

    def download(self, selector, folder):
        """What the browser saves on a click, as bytes."""
        session, self.session = self.session, None
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder),
                  eventsEnabled=True)
        self.session = session
        self.click(selector)
        name = self.wait("Browser.downloadWillBegin")["suggestedFilename"]
        self.wait("Browser.downloadProgress", lambda about: about["state"] == "completed")
        return pathlib.Path(folder, name).read_bytes()

    def picture(self, path):
        self.save(path, self.call("Page.captureScreenshot", format="png"))

    def print(self, path):
        self.call("Emulation.setEmulatedMedia", media="")
        self.save(path, self.call("Page.printToPDF", preferCSSPageSize=True, printBackground=True))

    @staticmethod
    def save(path, answer):
        pathlib.Path(path).write_bytes(base64.b64decode(answer["data"]))
