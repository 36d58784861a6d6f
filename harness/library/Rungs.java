import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/**
 * Calls a variant of Rungs, in a process that shares its arrays: rungs.h explains each method.
 *
 * <pre>
 * try (Rungs saxpy = new Rungs("saxpy/cpu_simd", "n=1000", 0)) {
 *     saxpy.floats("x").put(x);
 *     saxpy.floats("y").put(y);
 *     saxpy.set("a", 2.0);
 *     double seconds = saxpy.call();
 *     saxpy.floats("z").get(z);
 * }
 * </pre>
 *
 * A failure is a RuntimeException.  After close() the buffers must not be used: their memory is gone.  A buffer has at
 * most 2 GiB, as all of Java's.  The property rungs.jni names librungs_jni.so where java.library.path does not have it.
 */
public final class Rungs implements AutoCloseable {
    static {
        String library = System.getProperty("rungs.jni");
        if (library != null)
            System.load(library);
        else
            System.loadLibrary("rungs_jni");
    }

    private long handle;

    public Rungs(String variant, String size, int threads) {
        handle = open(variant, size, threads);
    }

    /** The scalars and arrays, as JSON. */
    public String describe() {
        return describe(opened());
    }

    /** An input's buffer, or an output's, which is read-only. */
    public ByteBuffer array(String name) {
        ByteBuffer all = array(opened(), name);
        boolean output = describe().matches(".*\"" + name + "\":\\{[^}]*\"file\":\"out\".*");
        return (output ? all.asReadOnlyBuffer() : all).order(ByteOrder.nativeOrder());
    }

    public FloatBuffer floats(String name) {
        return array(name).asFloatBuffer();
    }

    public void set(String name, double value) {
        set(opened(), name, value);
    }

    /** Returns the seconds of upload, run and download. */
    public double call() {
        return call(opened());
    }

    /** Returns the outputs' largest error, as a part of its tolerance. */
    public double judge() {
        return judge(opened());
    }

    @Override
    public void close() {
        close(handle);
        handle = 0;
    }

    private long opened() {
        if (handle == 0)
            throw new IllegalStateException("the variant is closed");
        return handle;
    }

    private static native long open(String variant, String size, int threads);
    private static native String describe(long handle);
    private static native ByteBuffer array(long handle, String name);
    private static native void set(long handle, String name, double value);
    private static native double call(long handle);
    private static native double judge(long handle);
    private static native void close(long handle);
}
