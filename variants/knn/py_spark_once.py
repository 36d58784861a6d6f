# /// script
# dependencies = ["numpy>=2", "pyspark>=4"]
# [tool.rungs]
# idea = "Spark: one job from the observations to the answers, nothing cached"
# base = "py_spark"
# engine = "spark"
# ///
"""
Idea     One job in place of three: observations go to Python processes through the JVM, and answers come back.
Against  py_spark, which caches both in the JVM: the better choice only if they are used again.
Expect   Two jobs less, and two copies in the JVM less; the rest is the same.
Try      java_spark: what do Python's processes cost?
"""
import shares
from spark_jobs import CORES, start

# The timeout is long because Spark rests while other variants are measured.
spark = start({"spark.driver.memory": "2g", "spark.network.timeout": "2h", "spark.task.maxFailures": "1"})


def run(p):
    references = spark().broadcast((p.ref_lat, p.ref_lon, p.k))

    def search(partition):
        for share in partition:
            yield shares.search(share, references.value, "knn/cpu_simd")

    shares.join(p, spark().parallelize(shares.cut(p, CORES), CORES).mapPartitions(search).collect())
