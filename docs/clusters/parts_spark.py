"""Spark answers the parts of a folder, a task each: parts_spark.py MASTER FOLDER [kill]

MASTER is spark://HOST:7077, or local-cluster[2,1,512]: two executors of this host with a core and 512 MiB each.  Tasks read and
write files, so memory holds a part for each core and no more.  `kill` kills an executor of this host once there is an answer.
"""
import os
import pathlib
import shutil
import signal
import sys
import threading
import time

import parts_knn
import pyspark

master, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_HOME=os.path.dirname(pyspark.__file__))


def kill_executor(application):
    while not any((folder / "answers").glob("*.npz")):
        time.sleep(0.01)
    for process in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        words = process.read_bytes()
        if b"CoarseGrainedExecutorBackend" in words and application.encode() in words:
            os.kill(int(process.parent.name), signal.SIGKILL)
            return print(f"process {process.parent.name}, an executor, is killed", flush=True)


settings = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.log.level": "OFF",
            "spark.driver.host": "127.0.0.1", "spark.executor.memory": "512m",
            "spark.executorEnv.PYTHONPATH": os.pathsep.join(sys.path)}
context = pyspark.SparkContext(master, "knn", conf=pyspark.SparkConf().setAll(settings.items()))
parts = sorted(map(str, (folder / "parts").glob("*.npy")))
if sys.argv[3:] == ["kill"]:
    threading.Thread(target=kill_executor, args=[context.applicationId]).start()
began = time.perf_counter()
answers = context.parallelize(parts, len(parts)).map(lambda part: parts_knn.answer(part, judged=part == parts[0])).collect()
took = time.perf_counter() - began
stage = context.statusTracker().getStageInfo(0)
print(f"{len(answers)} parts in {took:.1f} s, {stage.numFailedTasks} tasks repeated")
application = context.applicationId
context.stop()
shutil.rmtree(f"{os.environ['SPARK_HOME']}/work/{application}", ignore_errors=True)  # what a local-cluster leaves
