// /// script
// [tool.rungs]
// idea = "Zig: vectors of eight numbers, which the language has"
// base = "cpu_naive"
// ///
// Idea     @Vector(8, f32) has the operators of a number.  The loop takes eight elements at a time, a second one the rest.
// Against  cpu_naive, where the compiler finds the vectors by itself.
// Expect   The same speed: memory sets the pace, and both make the same instructions.
// Try      The second loop alone: Zig 0.17 makes no vectors of it.  From which size on does it not matter?

const LANES = 8;
const V = @Vector(LANES, f32);

const Saxpy = extern struct {
    n: usize,
    a: f32,
    x: [*]const f32,
    y: [*]const f32,
    z: [*]f32,
};

export fn run(p: *const Saxpy) void {
    const a: V = @splat(p.a);
    var i: usize = 0;

    while (i + LANES <= p.n) : (i += LANES) {
        const x: V = p.x[i..][0..LANES].*;
        const y: V = p.y[i..][0..LANES].*;
        p.z[i..][0..LANES].* = a * x + y;
    }
    while (i < p.n) : (i += 1) p.z[i] = p.a * p.x[i] + p.y[i];
}
