"""knn on a cluster of Dask, out of core: N parts of M observations on disk, and perhaps a process that is killed meanwhile.

    PYTHONPATH=build python tests/languages/cluster/parts_dask.py FOLDER --parts 1000 --count 1000000 --references 8192

Ends with one line.  Exit status 1 if an answer is missing or wrong.  A second start answers only what is missing.
"""
import argparse
import functools
import itertools
import os
import pathlib
import signal
import time

import numpy as np
from distributed import Client, as_completed

import parts_knn


def kill_one(client):
    """Ends one process of the cluster at once.  Its nanny starts another."""
    victim = min(client.run(os.getpid).values())
    os.kill(victim, signal.SIGKILL)
    return victim


def check(folder, parts, count, references):
    """Reads all answers, a part at a time: each is there, of the right size, and near enough to be possible."""
    judged = 0
    for part in range(parts):
        with np.load(pathlib.Path(folder, "answers", f"{part:06}.npz")) as a:
            assert a["index"].shape == a["distance"].shape == (count, 1), part
            assert a["index"].max() < references and 0 <= a["distance"].min() <= a["distance"].max() <= np.pi, part
            judged += bool(a["worst"] <= 1.0)
    return judged


def main():
    words = argparse.ArgumentParser()
    words.add_argument("folder")
    for name, usual in [("parts", 10), ("count", 1000), ("references", 256), ("processes", 2), ("judge-each", 1)]:
        words.add_argument(f"--{name}", type=int, default=usual)
    words.add_argument("--kill", action="store_true", help="kill a process when a third of the parts is done")
    o = words.parse_args()
    for name in "parts", "answers":
        os.makedirs(os.path.join(o.folder, name), exist_ok=True)
    np.save(os.path.join(o.folder, "references.npy"), parts_knn.points(0, o.references))

    client = Client(n_workers=o.processes, threads_per_worker=1, dashboard_address=None, local_directory=o.folder)
    files = client.gather(client.map(parts_knn.make, [o.folder] * o.parts, range(o.parts), count=o.count, pure=False))
    before = max(client.run(parts_knn.peak_bytes).values())
    start, victim, done = time.perf_counter(), None, 0
    # the scheduler knows a few tasks ahead, however many parts there are
    submit = functools.partial(client.submit, parts_knn.answer, folder=o.folder, judge_each=o.judge_each, pure=False, retries=3)
    waiting = iter(files)
    tasks = as_completed([submit(file) for file in itertools.islice(waiting, 4 * o.processes)])
    for task in tasks:
        task.result()
        done += 1
        tasks.update(submit(file) for file in itertools.islice(waiting, 1))
        if o.kill and victim is None and 3 * done >= o.parts:
            victim = kill_one(client)
    seconds = time.perf_counter() - start
    grown = max(client.run(parts_knn.peak_bytes).values()) - before
    client.shutdown()
    judged = check(o.folder, o.parts, o.count, o.references)
    print(f"{done} of {o.parts} parts of {o.count} observations in {seconds:.1f} s; {judged} judged right; "
          f"a process grew by {grown / 1e6:.0f} MB, data and answers have {16e-6 * o.parts * o.count:.0f} MB"
          + (f"; killed process {victim}" if victim else ""))


if __name__ == "__main__":
    main()
