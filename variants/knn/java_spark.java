// /// script
// dependencies = ["pyspark>=4"]
// [tool.rungs]
// idea = "Spark in the JVM: one job, whose tasks call cpu_simd through JNI"
// base = "py_spark_once"
// engine = "spark"
// ///
// Idea     Driver, tasks and Rungs' library share one process, so data cross no pipe.  Each task keeps its C variant open.
// Against  py_spark_once, where each task is in a Python process and data go there and back through pipes.
// Expect   A third of the engine's own time; what is left are copies into tasks and out of results.
// Try      float[] in place of byte[]: what does Java's serialization cost?
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;

class Knn {
    static final int CORES = Integer.parseInt(System.getenv().getOrDefault("OMP_NUM_THREADS", "1"));

    /* Latitudes and longitudes, or indices and distances: Java serializes bytes faster than numbers. */
    record Pair(byte[] first, byte[] second) implements Serializable { }

    /* --- the case: docs/other-languages.md --- */

    static ByteBuffer latitudes, longitudes, referenceLatitudes, referenceLongitudes, index, distance;
    static int m, n, k;

    static String find(String text, String pattern) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        if (!found.find()) throw new IllegalArgumentException("the case has no " + pattern);
        return found.group(1);
    }

    static ByteBuffer map(String text, String name, boolean out, long count) throws IOException {
        long at = Long.parseLong(find(text, "\"" + name + "\": *\\{[^}]*\"at\": *(\\d+)"));
        try (FileChannel file = FileChannel.open(Path.of(System.getenv(out ? "RUNGS_OUTPUTS" : "RUNGS_INPUTS")),
                StandardOpenOption.READ, out ? StandardOpenOption.WRITE : StandardOpenOption.READ)) {
            return file.map(out ? FileChannel.MapMode.READ_WRITE : FileChannel.MapMode.READ_ONLY, at, 4 * count);
        }
    }

    static void open(String text) throws IOException {
        String[] shape = find(text, "\"index\": *\\{[^}]*\"shape\": *\\[([^\\]]*)").split(", *");
        m = Integer.parseInt(shape[0]);
        k = Integer.parseInt(shape[1]);
        n = Integer.parseInt(find(text, "\"ref_lat\": *\\{[^}]*\"shape\": *\\[([^\\]]*)"));
        latitudes = map(text, "obs_lat", false, m);
        longitudes = map(text, "obs_lon", false, m);
        referenceLatitudes = map(text, "ref_lat", false, n);
        referenceLongitudes = map(text, "ref_lon", false, n);
        index = map(text, "index", true, (long) m * k);
        distance = map(text, "distance", true, (long) m * k);
    }

    /* --- the job --- */

    static JavaSparkContext start() {
        Thread.currentThread().setContextClassLoader(Knn.class.getClassLoader()); // tasks find this class by it
        return new JavaSparkContext(new SparkConf().setMaster("local[" + CORES + "]").setAppName("knn")
                .set("spark.ui.enabled", "false").set("spark.log.level", "ERROR").set("spark.driver.host", "127.0.0.1")
                .set("spark.network.timeout", "2h")); // Spark rests while other variants are measured
    }

    static byte[] part(ByteBuffer all, int from, int to) {
        byte[] part = new byte[4 * (to - from)];
        all.get(4 * from, part);
        return part;
    }

    static final Map<Integer, Rungs> opened = new ConcurrentHashMap<>();

    static byte[] bytes(ByteBuffer all) {
        byte[] bytes = new byte[all.remaining()];
        all.get(bytes);
        return bytes;
    }

    /* In a task.  A program has one case, so a partition has the same size each time. */
    static Pair search(Pair observations, Pair references, String size) {
        Rungs knn = opened.computeIfAbsent(TaskContext.getPartitionId(), i -> new Rungs("knn/cpu_simd", size, 1));
        knn.array("obs_lat").put(observations.first);
        knn.array("obs_lon").put(observations.second);
        knn.array("ref_lat").put(references.first);
        knn.array("ref_lon").put(references.second);
        knn.call();
        return new Pair(bytes(knn.array("index")), bytes(knn.array("distance")));
    }

    static void run(JavaSparkContext spark) {
        Broadcast<Pair> references = spark.broadcast(new Pair(part(referenceLatitudes, 0, n), part(referenceLongitudes, 0, n)));
        List<Pair> parts = new ArrayList<>();
        for (int i = 0; i < CORES; i++) {
            int from = (int) ((long) m * i / CORES), to = (int) ((long) m * (i + 1) / CORES);
            parts.add(new Pair(part(latitudes, from, to), part(longitudes, from, to)));
        }
        String others = ",n=" + n + ",k=" + k;
        int at = 0;
        for (Pair answer : spark.parallelize(parts, CORES)
                .map(p -> search(p, references.value(), "m=" + p.first.length / 4 + others)).collect()) {
            index.put(at, answer.first);
            distance.put(at, answer.second);
            at += answer.first.length;
        }
        references.unpersist();
    }

    public static void main(String[] none) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        JavaSparkContext spark = start();
        for (String line; (line = in.readLine()) != null;) {
            if (line.startsWith("case ")) open(line);
            if (line.equals("run")) run(spark);
            System.out.println(line.startsWith("rungs") ? "rungs 1 Spark " + spark.version() : "ok");
        }
        Runtime.getRuntime().halt(0); // Spark takes seconds to stop, and leaves nothing that its worker's end does not remove
    }
}
