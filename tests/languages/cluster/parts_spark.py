"""knn on a cluster of Spark, out of core: N parts of M observations on disk, and perhaps an executor that is killed meanwhile.

    PYTHONPATH=build python tests/languages/cluster/parts_spark.py FOLDER --parts 1000 --count 1000000 --references 8192

Ends with one line.  Exit status 1 if an answer is missing or wrong.  A second start answers only what is missing.  The master
is Spark's own cluster of two executors on this host, or what --master names: spark://HOST:7077, for a folder that all hosts see.
"""
import argparse
import os
import pathlib
import shutil
import signal
import sys
import threading
import time

import numpy as np
import pyspark

import parts_knn

SETTINGS = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.log.level": "OFF",
            "spark.executor.memory": "512m", "spark.executorEnv.PYTHONPATH": os.pathsep.join(sys.path)}


def kill_one(application, answers, count):
    """Ends one of this host's executors at once when there are so many answers.  Spark starts another."""
    while len(list(answers.glob("*[0-9].npz"))) < count:
        time.sleep(0.01)
    for process in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        words = process.read_bytes()
        if b"CoarseGrainedExecutorBackend" in words and application.encode() in words:
            return os.kill(int(process.parent.name), signal.SIGKILL)


def check(answers, parts, count, references):
    """Reads all answers, a part at a time: each is there, of the right size, and near enough to be possible."""
    for part in range(parts):
        with np.load(answers / f"{part:06}.npz") as a:
            assert a["index"].shape == a["distance"].shape == (count, 1), part
            assert a["index"].max() < references and 0 <= a["distance"].min() <= a["distance"].max() <= np.pi, part
            assert not a["worst"] > 1.0, part


def main():
    words = argparse.ArgumentParser()
    words.add_argument("folder")
    words.add_argument("--master", default="local-cluster[2,1,512]")
    for name, usual in [("parts", 10), ("count", 1000), ("references", 256), ("judge-each", 1)]:
        words.add_argument(f"--{name}", type=int, default=usual)
    words.add_argument("--kill", action="store_true", help="kill an executor when a third of the parts is done")
    o = words.parse_args()
    folder = pathlib.Path(o.folder).resolve()
    for name in "parts", "answers":
        (folder / name).mkdir(parents=True, exist_ok=True)
    np.save(folder / "references.npy", parts_knn.points(0, o.references))

    os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_HOME=os.path.dirname(pyspark.__file__))
    spark = pyspark.SparkContext(o.master, "knn", conf=pyspark.SparkConf().setAll(SETTINGS.items()))
    application = spark.applicationId
    parts = spark.parallelize(range(o.parts), o.parts)  # a task each
    files = spark.parallelize(parts.map(lambda part: parts_knn.make(folder, part, o.count)).collect(), o.parts)
    if o.kill:
        threading.Thread(target=kill_one, args=[application, folder / "answers", (o.parts + 2) // 3]).start()
    start = time.perf_counter()
    peaks = files.map(lambda file: (parts_knn.answer(file, folder, o.judge_each), parts_knn.peak_bytes())[1]).collect()
    seconds = time.perf_counter() - start
    repeated = spark.statusTracker().getStageInfo(1).numFailedTasks
    spark.stop()
    shutil.rmtree(f"{os.environ['SPARK_HOME']}/work/{application}", ignore_errors=True)  # what Spark's own cluster leaves
    check(folder / "answers", o.parts, o.count, o.references)
    print(f"{len(peaks)} of {o.parts} parts of {o.count} observations in {seconds:.1f} s; a process of Python had at most "
          f"{max(peaks) / 1e6:.0f} MB, data and answers have {16e-6 * o.parts * o.count:.0f} MB"
          + (f"; killed an executor, {repeated} tasks repeated" if o.kill else ""))


if __name__ == "__main__":
    main()
