"""For tests/lab/notebook.t: runs the cells of the notebook, Python as Python and "!" lines by a shell."""
import contextlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from served import finish, ok

rungs, archive = sys.argv[1:]
notebook = json.loads(pathlib.Path("workshop/notebook.ipynb").read_text())
cells = {cell["metadata"]["tags"][0]: "".join(cell["source"]) for cell in notebook["cells"]
         if cell["cell_type"] == "code"}
names = {}  # Python's, which one cell leaves to the next
TREE = os.getcwd()


def shell(command):
    done = subprocess.run(command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(done.stdout, end="")
    names["_exit_code"] = done.returncode


names["shell"] = shell


def run(tag, source=None):
    """What the cell prints."""
    source = source or cells[tag]
    if source.startswith("%%writefile "):
        name, text = source.removeprefix("%%writefile ").split("\n", 1)
        pathlib.Path(name).write_text(text)
        return f"Writing {name}"
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(re.sub(r"^( *)!(.*)$", lambda m: f"{m[1]}shell({m[2]!r})", source, flags=re.M), names)
    return said.getvalue()


def lab(*words):
    return subprocess.run([rungs, "lab", *words], capture_output=True, text=True).stdout


ok("it is a notebook", notebook["nbformat"] == 4 and all(
    cell["cell_type"] in ("code", "markdown") and cell["id"] for cell in notebook["cells"]))
ok("... without output of an earlier run", all(not cell.get("outputs") for cell in notebook["cells"]))
if os.path.exists(archive):
    with tempfile.TemporaryDirectory() as empty:
        shutil.copy(archive, empty)
        os.chdir(empty)
        said = run("get")
        ok("it unpacks an archive that was uploaded", said == "workshop/lab\n" and os.path.exists("Makefile"), said)
        os.chdir(TREE)
os.chdir("workshop")  # a notebook begins in its own folder
said = run("get")
ok("it finds the copy of Rungs that it is in", said == "workshop/lab\n" and os.getcwd() == TREE, said)
said = run("build")
ok("it builds", "ready: build-sim/rungs lab" in said, said)
said = run("doctor")
ok("it says what the machine has", names["_exit_code"] == 0 and "+ gcc and g++" in said, said)
said = run("story")
ok("it shows the exercise", "03 First kernel" in said and os.path.exists("learn/saxpy/03_first_kernel.cu"), said)
ok("its cell for the learner's file is the starter",
   cells["edit"] == "%%writefile learn/saxpy/03_first_kernel.cu\n" + lab("dev", "show", "03", "starter").rstrip("\n"))
run("edit")
said = run("judge")
ok("the starter is judged", names["_exit_code"] == 1 and "kind  " in said, said)
said = run("help")
ok("a page and a hint help", "hint 1 of 4" in said and len(said) > 400, said)
head = cells["edit"].split("\n", 1)[0]
run("edit", head + "\n" + lab("dev", "show", "03", "solution"))
said = run("judge")
ok("the solution passes", names["_exit_code"] == 0 and " passed" in said, said)
said = run("next")
ok("another exercise names its file", re.search(r"learn/saxpy/04\w+\.cu", said) and " 04 " in " " + said, said)
said = run("judge-next")
ok("... and is judged", names["_exit_code"] == 1 and "kind  " in said, said)
if shutil.which("nvcc") and os.path.exists("/dev/nvidiactl"):
    said = run("gpu")
    ok("the solution passes on the GPU", names["_exit_code"] == 0 and " passed" in said, said)
else:
    ok("the solution on the GPU # skip there is none", True)
said = run("keep")
with tempfile.TemporaryDirectory() as elsewhere:
    subprocess.run(["tar", "-xzf", "rungs-learn.tar.gz", "-C", elsewhere], check=True)
    kept = pathlib.Path(elsewhere, "learn")
    ok("the learner's files and progress are kept", (kept / "progress.tsv").read_text().count("\n") >= 2 and
       (kept / "saxpy/03_first_kernel.cu").read_text() == lab("dev", "show", "03", "solution"), said)
finish()
