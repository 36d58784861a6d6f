#!/bin/sh
# Makes the environment of Python variants, .venv, from locked versions:  install.sh GROUP...
# `core` is NumPy, SciPy, scikit-learn and Numba.  With uv, where it is there, else with pip.  Both compile to bytecode on all
# cores: workers write no files, so each would compile anew what it imports.
set -eu
cd "$(dirname "$0")/../.."
groups=${*:-core}

for group in $groups; do
    [ -f "common/python/$group.txt" ] || {
        echo "make python: there is no group $group; there is:" common/python/*.in >&2
        exit 2
    }
done
files=$(for group in $groups; do echo "-r common/python/$group.txt"; done)

# shellcheck disable=SC2086 # words are meant
if command -v uv >/dev/null; then
    [ -x .venv/bin/python ] || uv venv --quiet .venv
    uv pip install --quiet --compile-bytecode --python .venv/bin/python --require-hashes $files
else
    [ -x .venv/bin/python ] || python3 -m venv .venv || {
        echo "make python: to install what is missing: sudo apt-get install python3-venv" >&2
        exit 1
    }
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes $files
    .venv/bin/python -m compileall -q -j 0 .venv/lib >/dev/null || true # some packages hold files of other versions of Python
fi
