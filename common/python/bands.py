"""stencil in bands of rows, for engines: the driver cuts the bands, a process of the engine's smooths one and its halo."""
import numpy as np
import rungs_c


def cut(p, count):
    """Returns `count` bands, or as many as are higher than their halos: one row for each sweep."""
    return np.array_split(p.in8 if p.bytes else p.in_, max(1, min(count, p.rows // (p.sweeps + 1))))


def smooth(band, variant, sweeps):
    """Returns the band after all sweeps of a C variant with one thread.  The rows next to a cut are wrong: they lack neighbours."""
    (rows, cols), kind = band.shape, int(band.dtype == np.uint8)
    stencil = rungs_c.kept(variant, threads=1, rows=rows, cols=cols, sweeps=sweeps, bytes=kind)
    arrays = vars(stencil)
    arrays["in8" if kind else "in"][:] = band
    stencil()
    return arrays["out8" if kind else "out"].copy()
