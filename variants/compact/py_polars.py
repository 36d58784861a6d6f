# /// script
# dependencies = ["numpy>=2", "polars>=1.30"]
# [tool.rungs]
# idea = "Polars: Series.drop_nans()"
# base = "py_numpy"
# traits = ["cores"]
# ///
"""
Idea     What is asked for is a function of the library, written in Rust with vector instructions.
Against  py_numpy, three passes by three calls.
Expect   Faster than NumPy at large sizes: bits in place of bytes for the mask.  At small ones a call takes some 20 us.
Try      pl.LazyFrame, with the filter as an expression: what does the planner cost?
"""
import polars as pl


def run(p):
    kept = pl.Series(p.x).drop_nans().to_numpy()
    p.kept[:kept.size] = kept
    p.count[0] = kept.size
