// /// script
// [tool.rungs]
// idea = "Java: a loop over mapped files"
// base = "cpu_naive"
// ///
// Idea     Java maps both files, so that x, y and z are buffers of floats without a copy.
// Against  js_loop, which reads and writes files; cpu_naive, the same loop compiled before it starts.
// Expect   cpu_naive's speed at large sizes, once the machine has compiled the loop, and some 10 us for each line there and back.
// Try      float arrays, filled by get() and put(): are copies and plain arrays faster?
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

class Saxpy {
    static FloatBuffer a, x, y, z;

    /* The member `name` of the case in its file, as so many floats. */
    static FloatBuffer map(String text, String name, long count) throws IOException {
        Matcher at = Pattern.compile("\"" + name + "\": *\\{[^}]*\"at\": *(\\d+)").matcher(text);
        at.find();
        boolean out = name.equals("z");
        try (FileChannel file = FileChannel.open(Path.of(System.getenv(out ? "RUNGS_OUTPUTS" : "RUNGS_INPUTS")),
                StandardOpenOption.READ, out ? StandardOpenOption.WRITE : StandardOpenOption.READ)) {
            ByteBuffer bytes = file.map(out ? FileChannel.MapMode.READ_WRITE : FileChannel.MapMode.READ_ONLY,
                    Long.parseLong(at.group(1)), 4 * count);
            return bytes.order(ByteOrder.nativeOrder()).asFloatBuffer();
        }
    }

    static void open(String text) throws IOException {
        Matcher shape = Pattern.compile("\"shape\": *\\[(\\d+)\\]").matcher(text);
        shape.find();
        long n = Long.parseLong(shape.group(1));
        a = map(text, "a", 1);
        x = map(text, "x", n);
        y = map(text, "y", n);
        z = map(text, "z", n);
    }

    static void run() {
        float factor = a.get(0);
        for (int i = 0; i < x.limit(); i++) z.put(i, factor * x.get(i) + y.get(i));
    }

    public static void main(String[] none) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null;) {
            if (line.startsWith("case ")) open(line);
            if (line.equals("run")) run();
            System.out.println(line.startsWith("rungs") ? "rungs 1 Java " + Runtime.version() : "ok");
        }
    }
}
