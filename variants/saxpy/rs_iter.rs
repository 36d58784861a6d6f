// /// script
// [tool.rungs]
// idea = "Rust: iterators, zipped"
// base = "cpu_naive"
// ///
// Idea     Three iterators side by side: no index, and so no check of one.
// Against  cpu_naive, the same loop by index.
// Expect   The same speed: the iterators become the same vector instructions.
// Try      z[i] = p.a * x[i] + y[i]: what do the checks of i cost?
use std::slice::{from_raw_parts, from_raw_parts_mut};

#[repr(C)]
pub struct Saxpy {
    n: usize,
    a: f32,
    x: *const f32,
    y: *const f32,
    z: *mut f32,
}

/// # Safety
/// The harness hands over arrays of n elements.
#[no_mangle]
pub unsafe extern "C" fn run(p: &Saxpy) {
    if p.n == 0 {
        return;
    }
    let (x, y) = (from_raw_parts(p.x, p.n), from_raw_parts(p.y, p.n));
    for ((z, x), y) in from_raw_parts_mut(p.z, p.n).iter_mut().zip(x).zip(y) {
        *z = p.a * x + y;
    }
}
