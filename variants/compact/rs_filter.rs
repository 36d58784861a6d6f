// /// script
// [tool.rungs]
// idea = "Rust: an iterator, filtered"
// base = "cpu_naive"
// ///
// Idea     filter leaves out what is NaN, and zip gives each of the others the next place.
// Against  cpu_naive, the same branch by index.
// Expect   The same speed, and the same wrong guesses of the processor at 20 % NaN.
// Try      collect into a Vec, then copy_from_slice: what does the memory cost?
use std::slice::{from_raw_parts, from_raw_parts_mut};

#[repr(C)]
pub struct Compact {
    n: usize,
    x: *const f32,
    kept: *mut f32,
    count: *mut u64,
}

/// # Safety
/// The harness hands over arrays of n elements.
#[no_mangle]
pub unsafe extern "C" fn run(p: &Compact) {
    *p.count = 0;
    if p.n == 0 {
        return;
    }
    let kept = from_raw_parts(p.x, p.n).iter().filter(|x| !x.is_nan());
    *p.count = kept.zip(from_raw_parts_mut(p.kept, p.n)).map(|(x, place)| *place = *x).count() as u64;
}
