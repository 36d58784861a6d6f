# /// script
# dependencies = ["numpy>=2", "numba-cuda>=0.20", "pyspark>=4"]
# [tool.rungs]
# idea = "Spark: a partition of the observations for each core, searched on a GPU by Numba"
# base = "py_spark_once"
# device = "gpu"
# engine = "spark"
# ///
"""
Idea     mapPartitions and a kernel of Numba's: partitions take the GPUs of the machine in turn.
Against  py_spark_once, whose partitions are searched by a core each; py_numba_cuda, the same kernel without Spark.
Expect   Data go to Python's processes, to the GPU and all the way back in each job, so the kernel counts little.
Try      More partitions than GPUs: do their kernels overlap with NVIDIA's MPS, or take turns?
"""
import py_numba_cuda
import shares
from spark_jobs import CORES, start

# The timeout is long because Spark rests while other variants are measured.
spark = start({"spark.driver.memory": "2g", "spark.network.timeout": "2h", "spark.task.maxFailures": "1"})


def run(p):
    references = spark().broadcast((p.ref_lat, p.ref_lon, p.k))

    def search(number, partition):
        for share in partition:
            yield shares.search_on_gpu(share, references.value, py_numba_cuda.nearest, number)

    shares.join(p, spark().parallelize(shares.cut(p, CORES), CORES).mapPartitionsWithIndex(search).collect())
