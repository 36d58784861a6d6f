# /// script
# dependencies = ["numpy>=2", "pyspark>=4"]
# [tool.rungs]
# idea = "Spark: a partition of the observations for each core, searched by cpu_simd"
# base = "cpu_simd_openmp"
# engine = "spark"
# phases = ["upload", "download"]
# ///
"""
Idea     Spark has the phases of a GPU: upload caches the observations in the JVM, run caches the answers there, download
         collects them.  Each partition goes to a Python process of Spark's, which calls a C variant.
Against  cpu_simd_openmp, the same search by threads of one process.  What lies between them is the engine.
Expect   Tens of milliseconds for each of the three jobs, however small, and several copies of all data.
Try      More partitions than cores: what does a task cost?
"""
import shares
from spark_jobs import CORES, keep, kept, start

# The timeout is long because Spark rests while other variants are measured.
spark = start({"spark.driver.memory": "2g", "spark.network.timeout": "2h", "spark.task.maxFailures": "1"})


def upload(p):
    global references
    references = spark().broadcast((p.ref_lat, p.ref_lon, p.k))
    keep("observations", spark().parallelize(shares.cut(p, CORES), CORES))


def search(partition):
    for share in partition:
        yield shares.search(share, references.value, "knn/cpu_simd")


def run(p):
    keep("answers", kept["observations"].mapPartitions(search))


def download(p):
    shares.join(p, kept["answers"].collect())
