"""Spark on this machine, for variants whose idea is not how it starts.

    from spark_jobs import CORES, keep, kept, start

spark = start(settings): spark() is a SparkContext with a core for each of Rungs' threads.  The first call starts it, so that
`rungs list` need not.  keep(name, rdd) computes an RDD and caches it in the JVM as kept[name], in place of the one before.
"""
import functools
import os
import sys

from pyspark import SparkConf, SparkContext

CORES = int(os.environ.get("OMP_NUM_THREADS", "1"))
kept = {}


def start(settings):
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)  # Spark's Python processes find the same modules
    here = {"spark.driver.host": "127.0.0.1", "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false",
            "spark.log.level": "ERROR"}
    conf = SparkConf().setAll({**here, **settings}.items())
    return functools.cache(lambda: SparkContext(f"local[{CORES}]", "rungs", conf=conf))


def keep(name, data):
    if name in kept:
        kept[name].unpersist()
    kept[name] = data.cache()
    data._jrdd.count()  # in the JVM; data.count() would send all of it to Python to be counted
