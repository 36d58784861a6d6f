# /// script
# dependencies = ["numpy>=2", "torch>=2.6"]
# [tool.rungs]
# idea = "PyTorch: blocks of 2^25 distances, then the least of each row"
# base = "py_cupy"
# device = "gpu"
# clock = "stream"
# phases = ["upload", "download"]
# ///
"""
Idea     The same whole-array code as py_cupy, in another library.
Against  py_cupy.
Expect   The same: each operator is a pass over the block.
Try      torch.topk in place of sort: does it keep the order of equal distances?
"""
import torch
from copies_torch import d, download, upload


def run(p):
    rows = max(1, 2**25 // max(1, p.n))
    for part in (slice(i, i + rows) for i in range(0, p.m, rows)):
        lat, lon = d.obs_lat[part, None], d.obs_lon[part, None]
        h = torch.sin((d.ref_lat - lat) * 0.5) ** 2
        h += torch.cos(lat) * torch.cos(d.ref_lat) * torch.sin((d.ref_lon - lon) * 0.5) ** 2
        best = h.argmin(1, keepdim=True) if p.k == 1 else h.sort(dim=1, stable=True).indices[:, :p.k]
        d.index[part] = best
        d.distance[part] = 2 * torch.asin(torch.sqrt(torch.clamp(h.gather(1, best), max=1)))
