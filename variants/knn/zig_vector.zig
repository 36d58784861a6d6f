// /// script
// [tool.rungs]
// idea = "Zig: vectors of eight numbers, which the language has"
// base = "cpu_hoist"
// ///
// Idea     @Vector(8, f32) has the operators of a number, so the sine is a polynomial that is written once, for eight pairs.
// Against  cpu_hoist, which calls the C library's sine for each pair.
// Expect   Many times faster: no call in the inner loop, and the polynomials run on whole vectors.
// Try      LANES = 4 and 16: what does the compiler make of vectors that are no register of this processor?
const std = @import("std");

const LANES = 8;
const V = @Vector(LANES, f32);

const Knn = extern struct {
    m: usize,
    n: usize,
    k: usize,
    obs_lat: [*]const f32,
    obs_lon: [*]const f32,
    ref_lat: [*]const f32,
    ref_lon: [*]const f32,
    index: [*]u32,
    distance: [*]f32,
};

// Eight references.  What is missing to eight has NaN as its latitude: a distance of NaN is less than no other.
const Block = struct { lat: [LANES]f32 = @splat(std.math.nan(f32)), lon: [LANES]f32 = @splat(0), cos: [LANES]f32 = @splat(0) };
var blocks: []Block = &.{};

fn all(x: f32) V {
    return @splat(x);
}

// sin(x)^2 for |x| <= 3 pi / 2.  Its period is pi, so a multiple of pi is taken off first; what is left is at most pi / 2, where
// Taylor's polynomial to x^11 errs by less than 6e-8.  pi comes in two parts, the first of few bits: its multiples are exact.
fn sine_squared(x: V) V {
    const whole = all(0x1.8p23); // added and taken off again, it rounds
    const turns = (x * all(1.0 / std.math.pi) + whole) - whole;
    const r = (x - turns * all(3.140625)) - turns * all(std.math.pi - 3.140625);
    const s = r * r;
    var sum = all(0);
    inline for (.{ -1.0 / 39916800.0, 1.0 / 362880.0, -1.0 / 5040.0, 1.0 / 120.0, -1.0 / 6.0 }) |c| sum = (sum + all(c)) * s;
    const sine = r + r * sum;
    return sine * sine;
}

export fn prepare(p: *const Knn) void {
    blocks = std.heap.page_allocator.alloc(Block, (p.n + LANES - 1) / LANES) catch std.process.abort();
}

export fn release() void {
    std.heap.page_allocator.free(blocks);
    blocks = &.{};
}

// Puts (h, j) into a list of `held` neighbours, nearest first, which never outgrows `least`.
fn insert(least: []f32, index: []u32, held: usize, h: f32, j: usize) usize {
    var place = if (held < least.len) held else least.len - 1;

    while (place > 0 and h < least[place - 1]) : (place -= 1) {
        least[place] = least[place - 1];
        index[place] = index[place - 1];
    }
    least[place] = h;
    index[place] = @intCast(j);
    return @min(held + 1, least.len);
}

export fn run(p: *const Knn) void {
    for (blocks, 0..) |*block, b| {
        block.* = .{};
        for (b * LANES..@min((b + 1) * LANES, p.n), 0..) |j, lane| {
            block.lat[lane] = p.ref_lat[j];
            block.lon[lane] = p.ref_lon[j];
            block.cos[lane] = @cos(p.ref_lat[j]);
        }
    }
    for (0..p.m) |i| {
        const least = p.distance[i * p.k ..][0..p.k]; // h at first, distances in the end
        const index = p.index[i * p.k ..][0..p.k];
        const lat = all(p.obs_lat[i]);
        const lon = all(p.obs_lon[i]);
        const cos = all(@cos(p.obs_lat[i]));
        var held: usize = 0;

        for (blocks, 0..) |block, b| {
            const h: [LANES]f32 = sine_squared((@as(V, block.lat) - lat) * all(0.5)) +
                cos * @as(V, block.cos) * sine_squared((@as(V, block.lon) - lon) * all(0.5));
            const bound = if (held < p.k) std.math.inf(f32) else least[p.k - 1];

            if (!@reduce(.Or, @as(V, h) < all(bound))) continue;
            for (0..LANES) |lane| { // in order: of equal ones the first stays ahead
                if (h[lane] < if (held < p.k) std.math.inf(f32) else least[p.k - 1])
                    held = insert(least, index, held, h[lane], b * LANES + lane);
            }
        }
        for (least) |*d| d.* = 2 * std.math.asin(@sqrt(@min(d.*, 1)));
    }
}
