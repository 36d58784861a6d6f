/** Uses Rungs.java as a program would: each line that it prints is a check of tests/cli/library.t. */
public class Calls {
    public static void main(String[] arguments) {
        Rungs saxpy = new Rungs("saxpy/cpu_simd", "n=4", 1);
        saxpy.floats("x").put(new float[] {1, 2, 3, 4});
        saxpy.floats("y").put(new float[] {1, 1, 1, 1});
        saxpy.set("a", 2);
        if (saxpy.call() >= 0 && saxpy.floats("z").get(3) == 9 && saxpy.judge() >= 0)
            System.out.println("right");
        try {
            saxpy.floats("z").put(0, 1);
        } catch (java.nio.ReadOnlyBufferException error) {
            System.out.println("an output cannot be written");
        }
        try {
            new Rungs("saxpy/none", "n=4", 1);
        } catch (RuntimeException error) {
            System.out.println(error.getMessage());
        }
        saxpy.close();
        saxpy.close();
        try {
            saxpy.call();
        } catch (IllegalStateException error) {
            System.out.println("closed");
        }
    }
}
