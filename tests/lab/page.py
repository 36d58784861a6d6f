"""For tests/lab/page.t: a learner in a browser, from the list to a star, with a mouse, a keyboard, and on a phone."""
import json
import os
import pathlib
import re
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
import browser
from served import PATIENCE, Server, finish, ok

if not browser.find():
    print("1..0 # skip chromium is not there: apt-get install chromium")
    sys.exit()
rungs = sys.argv[1]
shots = pathlib.Path(os.environ.get("SHOTS", "shots"))
shots.mkdir(parents=True, exist_ok=True)
mine = pathlib.Path("learn/saxpy/01_read_the_table.c")


def lab(*words):
    return subprocess.run([rungs, "lab", *words], capture_output=True, text=True).stdout


def wait(b, script):
    end = time.monotonic() + PATIENCE
    while not b.value(script):
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def text(b, name):
    return b.value(f"document.getElementById('{name}').textContent")


def judged(b, press):
    """Calls `press`, and waits for the verdict and for the state that the page looks at after it."""
    b.value("document.getElementById('verdict').textContent = ''")
    press()
    wait(b, "document.getElementById('verdict').textContent !== '' && "
            "document.getElementById('verdict').ariaBusy === 'false'")
    return text(b, "verdict")


def judge(b):
    return judged(b, lambda: b.click("#judge"))


def write(b, code):
    """As by typing over all of it."""
    b.value(f"""(() => {{
        const area = document.getElementById('code');
        area.focus();
        area.select();
        document.execCommand('insertText', false, {json.dumps(code)});
    }})()""")


def value(b):
    return b.value("document.getElementById('code').value")


def learns(b):
    starter, solution = lab("dev", "show", "01", "starter"), lab("dev", "show", "01", "solution")
    b.open(s.url)
    ok("the first exercise is open", wait(b, "document.getElementById('title').textContent === '01 Read the table'"))
    ok("... with story, task, goal and starter", text(b, "story").startswith("Rungs has one") and
       "Fill in the loop" in text(b, "task") and text(b, "goal") != "" and value(b) == starter)
    ok("... and as many numbers as lines", b.value("document.getElementById('numbers').children.length") ==
       starter.count("\n") + 1)
    ok("the starter is judged", "nothing was written" in judge(b), text(b, "verdict"))
    ok("... in colours", b.value("document.querySelector('#verdict .c31') !== null"))
    ok("... without a command that a button replaces", "rungs lab explain" not in text(b, "verdict"))
    wait(b, "document.getElementById('explain').offsetParent !== null")
    b.click("#explain")
    ok("the mistake is explained", "nothing was written" in text(b, "help") and len(text(b, "help")) > 200,
       text(b, "help"))
    for level in (1, 2, 3):
        wait(b, f"document.getElementById('hint').textContent === 'Hint {level} of 4'")
        b.click("#hint")
        ok(f"hint {level}", wait(b, f"document.getElementById('help').textContent.includes('hint {level} of 4')"))
    wait(b, "document.getElementById('hint').textContent === 'Hint 4 of 4'")
    b.click("#hint")
    ok("the last hint asks first", "shows the solution" in text(b, "hint") and "hint 3" in text(b, "help"))
    write(b, starter.replace("answer bytes: ?", "answer bytes: 12").replace(
        "for (size_t i", "undeclared = 1;\n    for (size_t i"))
    ok("a change is noticed", text(b, "saved") == "not saved")
    said = judged(b, lambda: b.press("Enter", control=True))
    ok("Ctrl-Enter saves and judges", "error: " in said and "undeclared = 1" in mine.read_text(), text(b, "verdict"))
    line = mine.read_text().split("undeclared")[0].count("\n") + 1
    ok("... the line of the mistake is marked", b.value(
        "[...document.querySelectorAll('#numbers .bad')].map(e => Number(e.textContent))") == [line])
    b.click("#verdict button")
    ok("... and a click leads there", b.value("""(() => {
        const area = document.getElementById('code');
        return document.activeElement === area && area.value.slice(area.selectionStart, area.selectionEnd);
    })()""").strip() == "undeclared = 1;")
    write(b, solution)
    ok("the solution passes", " passed" in judge(b) and mine.read_text() == solution, text(b, "verdict"))
    ok("... and wins its star", wait(b, "document.getElementById('stars').textContent === '\\u2605'"))
    ok("... the list knows", wait(b, "document.getElementById('passed').textContent === '1 of 18 passed'"), text(b, "passed"))
    for name, said in (("compare", "they are the same"), ("extra", "Which variant is the fastest")):
        wait(b, f"document.getElementById('{name}').offsetParent !== null")
        b.click("#" + name)
        ok(f"then there is {name}", wait(b, f"document.getElementById('help').textContent.includes('{said}')"))
    b.click("#reset")
    ok("starting again asks first", "Press again" in text(b, "reset") and value(b) == solution)
    b.click("#reset")
    ok("... and shows the starter", wait(b, f"document.getElementById('code').value === {json.dumps(starter)}") and
       "yours is now" in text(b, "help"))
    b.click("#list summary")
    b.picture(shots / "list.png")
    b.click("#exercises a[href='#06']")
    ok("the list leads to another", wait(b, "document.getElementById('title').textContent === '06 Neighbours in line'"))
    ok("... and folds", not b.value("document.getElementById('list').open"))


def edits(b):
    b.open(s.url + "?again#01")
    wait(b, "document.getElementById('title').textContent !== ''")

    def typed(before, *keys):
        """What the keys make of a text whose | is the cursor, with the cursor."""
        b.value(f"""(() => {{
            const area = document.getElementById('code'), at = {json.dumps(before)}.split('|');
            area.focus();
            area.value = at.join('');
            area.setSelectionRange(at[0].length, at.length > 2 ? at[0].length + at[1].length : at[0].length);
        }})()""")
        for key in keys:
            b.press(key.removeprefix("shift "), shift=key.startswith("shift "))
        return b.value("""(() => {
            const area = document.getElementById('code');
            return area.value.slice(0, area.selectionStart) + '|' + area.value.slice(area.selectionEnd);
        })()""")

    for name, before, keys, after in (
            ("Tab goes to the next stop", "ab|", ["Tab"], "ab  |"),
            ("shift Tab takes it back", "    ab|", ["shift Tab"], "ab|"),
            ("Enter keeps the indentation", "    ab;|", ["Enter"], "    ab;\n    |"),
            ("... and adds to it behind {", "    {|", ["Enter"], "    {\n        |"),
            ("... with its } in a line of its own", "{|}", ["Enter"], "{\n    |\n}"),
            ("} goes back", "{\n    |", ["}"], "{\n}|"),
            ("... only where it is the first of its line", "    f(|", ["}"], "    f(}|"),
            ("other keys are as ever", "a|b", ["x", "Backspace", "y"], "ay|b")):
        got = typed(before, *keys)
        ok(name, got == after, repr(got))
    typed("|a\nb|", "Tab")
    ok("Tab indents several lines", value(b) == "    a\n    b", value(b))
    b.press("Tab", shift=True)
    ok("... and shift Tab takes that back", value(b) == "a\nb", value(b))
    b.value("document.execCommand('undo')")
    ok("... which can be undone", value(b) == "    a\n    b", value(b))
    b.press("Escape")
    b.press("Tab")
    ok("Escape and Tab leave the editor", b.value("document.activeElement.id") != "code")
    b.click("#reset")  # asks
    b.click("#reset")
    wait(b, "document.getElementById('saved').textContent === ''")


def two_windows(b):
    b.open(s.url + "?two#01")
    wait(b, "document.getElementById('title').textContent !== ''")
    solution = lab("dev", "show", "01", "solution")
    mine.write_text(solution)  # another editor
    write(b, "/* mine */\n")
    b.click("#judge")
    ok("a file that was changed elsewhere is not overwritten", wait(b, "!document.getElementById('alarm').hidden") and
       mine.read_text() == solution, text(b, "alarm"))
    ok("... and what was typed is still there", value(b) == "/* mine */\n")
    b.picture(shots / "conflict.png")
    b.click("#alarm button")
    ok("... the other version can be shown", wait(b, f"document.getElementById('code').value === {json.dumps(solution)}"))
    mine.write_text("/* other */\n")
    said = judge(b)
    ok("a text that was not changed here is the one of the file when it is judged",
       value(b) == "/* other */\n" and "no VARIANT" in said, said)
    mine.write_text("/* one more */\n")
    write(b, solution)
    b.click("#judge")
    wait(b, "!document.getElementById('alarm').hidden")
    said = judged(b, lambda: b.click("#alarm button + button"))
    ok("a version from elsewhere can be replaced", " passed" in said and mine.read_text() == solution, said)
    write(b, solution.replace("    for (size_t i", "    for (volatile int i = 0;; i++) ;\n    for (size_t i"))
    b.click("#judge")
    wait(b, "document.getElementById('verdict').textContent.startsWith('please wait')")
    write(b, solution)
    b.click("#judge")
    ok("a version that is saved while another runs is the one that is judged",
       wait(b, "document.getElementById('verdict').textContent.includes('passed')"), text(b, "verdict"))
    b.value("""(() => {
        const ask = window.fetch;
        window.held = [];
        window.fetch = async (path, how) => {
            const answer = await ask(path, how);
            if (how.method === 'GET')
                await new Promise(go => window.held.push(go));
            return answer;
        };
        window.dispatchEvent(new Event('focus'));
    })()""")
    wait(b, "window.held.length > 0")
    write(b, "/* newer */\n")
    b.click("#judge")
    wait(b, "document.getElementById('saved').textContent === ''")
    b.value("window.held.forEach(go => go())")
    ok("what the server said before the text was saved does not bring back the older one",
       wait(b, "document.getElementById('verdict').textContent.includes('no VARIANT')") and value(b) == "/* newer */\n",
       value(b))
    b.complaints[:] = [c for c in b.complaints if not re.search("status of 4(12|09)", c)]  # these were meant


def looks(b):
    mine.write_text(lab("dev", "show", "01", "starter").replace("for (", "undeclared;\n    for ("))
    grounds = []
    for name, width, height, dark in (("light", 1280, 900, False), ("dark", 1280, 900, True),
                                      ("phone", 390, 844, False), ("phone-dark", 390, 844, True)):
        b.open(s.url + f"?{name}#01", width, height, dark)
        wait(b, "document.getElementById('title').textContent !== ''")
        judge(b)
        weak = b.pale()
        ok(f"all text can be read, {name}", weak == {}, weak)
        b.picture(shots / f"{name}.png")
        grounds.append(sum(map(int, b.value("getComputedStyle(document.body).backgroundColor")[4:-1].split(","))) / 3)
        ok("... and nothing is wider than the window", b.value("document.documentElement.scrollWidth") <= width)
        if width == 390:
            ok("... the verdict has lines that fit", b.value("""(() => {
                const box = document.getElementById('verdict');
                return box.querySelector('.c31') !== null && box.clientWidth > 300;
            })()"""))
            ok("... buttons are large enough for a finger", b.value(
                "[...document.querySelectorAll('.buttons button')].every(e => !e.offsetParent || e.offsetHeight >= 40)"))
            ok("... letters of the editor are large enough not to be zoomed", b.value(
                "parseFloat(getComputedStyle(document.getElementById('code')).fontSize) >= 16"))
        else:
            ok("... story and editor are beside each other", b.value("""
                document.querySelector('section').getBoundingClientRect().left >=
                document.querySelector('article').getBoundingClientRect().right"""))
    ok("dark is dark", min(grounds[0], grounds[2]) > 240 and max(grounds[1], grounds[3]) < 40, grounds)
    ok("every field and button has a name", b.value("""
        [...document.querySelectorAll('textarea')].every(e => e.labels.length > 0 && e.labels[0].textContent !== '') &&
        [...document.querySelectorAll('button, a, summary')].every(e => e.textContent.trim() !== '' || !e.offsetParent)"""))


def alone(b):
    b.open(s.url + "?alone#01")
    wait(b, "document.getElementById('title').textContent !== ''")
    write(b, "/* still here */\n")
    s.end()
    b.click("#judge")
    ok("without its server the page says so", wait(b, "!document.getElementById('alarm').hidden") and
       "does not answer" in text(b, "alarm"))
    ok("... and keeps the text", value(b) == "/* still here */\n")
    b.complaints.clear()


s = Server(rungs, "--listen", "127.0.0.1:0")
with browser.Browser() as b:
    b.allowed += (s.url,)
    for part in (learns, edits, two_windows, looks, alone):
        part(b)
        ok(f"... {part.__name__}: no error, and no other host", b.complaints == [], b.complaints)
        b.complaints.clear()
finish()
