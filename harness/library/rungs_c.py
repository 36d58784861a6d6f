"""Calls a variant of Rungs on NumPy arrays.

    import rungs_c
    with rungs_c.open("saxpy/cpu_simd", n=1000) as saxpy:
        saxpy.x[:], saxpy.y[:], saxpy.a = 1.0, 2.0, 3.0
        seconds = saxpy()
        print(saxpy.z)

Arrays are memory that the variant's process shares, so they end with the `with`.  A failure is a RungsError.
"""
import ctypes
import json
import os

import numpy as np

_POINTER, _TEXT, _NUMBER = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_double
_library = ctypes.CDLL(os.environ.get("RUNGS_LIBRARY") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "librungs.so"))
for _name, _result, _arguments in [("open", _POINTER, [_TEXT, _TEXT, ctypes.c_int]), ("case", _TEXT, [_POINTER]),
                                   ("array", _POINTER, [_POINTER, _TEXT]), ("set", ctypes.c_int, [_POINTER, _TEXT, _NUMBER]),
                                   ("call", _NUMBER, [_POINTER]), ("judge", _NUMBER, [_POINTER]),
                                   ("close", None, [_POINTER]), ("error", _TEXT, [])]:
    _function = getattr(_library, "rungs_" + _name)
    _function.restype, _function.argtypes = _result, _arguments


class RungsError(Exception):
    pass


def _fail():
    raise RungsError(_library.rungs_error().decode())


class Variant:
    """A variant that is prepared for one size.  Its arrays and scalars are attributes."""

    def __init__(self, variant, size, threads):
        self._variant = variant
        self._handle = _library.rungs_open(variant.encode(), size.encode(), threads) or _fail()
        case = json.loads(_library.rungs_case(self._handle))
        self._scalars = case["scalars"]
        for name, array in case["arrays"].items():
            if not array["address"]:  # of the other type, as a stencil's bytes
                continue
            kind = np.dtype(array["type"])
            memory = (ctypes.c_char * (int(np.prod(array["shape"])) * kind.itemsize)).from_address(
                _library.rungs_array(self._handle, name.encode()))
            self.__dict__[name] = np.frombuffer(memory, kind).reshape(array["shape"])
            self.__dict__[name].flags.writeable = array["file"] == "in"

    def __setattr__(self, name, value):
        if not name.startswith("_"):
            if name in self._arrays():
                raise RungsError(f"{name} is an array: write {name}[:] = ..." if getattr(self, name).flags.writeable
                                 else f"{name} is an output: the variant writes it")
            if name not in self._scalars:
                raise RungsError(f"{self._variant} has no {name}; it has {', '.join([*self._scalars, *self._arrays()])}")
            if _library.rungs_set(self._open(), name.encode(), value) != 0:
                _fail()
        super().__setattr__(name, value)

    def _arrays(self):
        return [name for name, value in self.__dict__.items() if isinstance(value, np.ndarray)]

    def _open(self):
        if self._handle is None:
            raise RungsError(f"{self._variant} is closed: use it inside its `with`")
        return self._handle

    def _number(self, function):
        number = function(self._open())
        return number if number >= 0.0 else _fail()

    def __call__(self):
        """Computes the outputs.  Returns the seconds of upload, run and download."""
        return self._number(_library.rungs_call)

    def judge(self):
        """Returns the outputs' largest error as a part of its tolerance."""
        return self._number(_library.rungs_judge)

    def close(self):
        handle, self._handle = self._handle, None
        for name in self._arrays():
            del self.__dict__[name]
        _library.rungs_close(handle)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()


def open(variant, size="", threads=0, **axes):
    """open("knn/cpu_tree", m=1000, n=500, k=1) or open("knn/cpu_tree", "S")"""
    words = ([size] if size else []) + [f"{axis}={length}" for axis, length in axes.items()]
    return Variant(variant, ",".join(words) or "S", threads)


_KEPT, _MOST_KEPT = {}, 4


def kept(*words, **axes):
    """As open, for the many tasks of one process: the next call with the same arguments gets the same variant, prepared
    already.  The oldest of more than four is closed."""
    which = words, *sorted(axes.items())
    if which not in _KEPT:
        if len(_KEPT) == _MOST_KEPT:
            _KEPT.pop(next(iter(_KEPT))).close()
        _KEPT[which] = open(*words, **axes)
    return _KEPT[which]
