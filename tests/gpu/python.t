#!/bin/sh
# On a GPU, with PyTorch and JAX: which times of variants in Python are true is found out, and the right ones are right.
. tests/tools/tap.sh
. tests/languages/broken.sh
find_python
"$RUNGS_PYTHON" -c 'import torch, jax; assert torch.cuda.is_available()' 2>/dev/null ||
    { echo "1..0 # skip no GPU with PyTorch and JAX"; exit 0; }

verdicts py tests/gpu/python bench --quick --size n=2^24 --max-time 0.1 --timeout 60 --out "$tmp/all.jsonl"

for problem in saxpy stencil fft reduce; do
    right() {
        run check "$problem/py_*" --timeout 120 && cat "$tmp/out" "$tmp/err" && [ "$status" -eq 0 ]
    }
    ok "$problem in Python is right" right
done

finish
