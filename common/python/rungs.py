"""Starts one variant that is a Python file, as a worker of Rungs.

    python3 rungs.py FILE NAME MEMORY DEVICE

The file defines run(p), and perhaps refuse(p), prepare(p), upload(p), reset(p), download(p), release().  `p` has the
case's sizes, scalars and arrays by name: arrays are NumPy's, without a copy; inputs cannot be written.  Sampler and
clock are in librungs-worker.so (common/foreign.h), which the harness names in RUNGS_LIB.
"""
import ctypes
import gc
import json
import keyword
import os
import sys
import traceback
import types

FAILED, WROTE_INPUT, NOT_INSTALLED, NOT_ITS_CARD, NO_DEVICE_MEMORY, NO_MEMORY = 1, 120, 121, 122, 123, 124
PHASES = "upload", "reset", "run", "download"
DEVICES = "cpu", "gpu", "gpu stream"
PYTHON = "PyGILState_Ensure", "PyGILState_Release", "PyObject_CallNoArgs", "Py_DecRef"
POINTER = ctypes.c_void_p
PHASE = ctypes.CFUNCTYPE(None, POINTER)
REFUSE = ctypes.CFUNCTYPE(POINTER, POINTER)
RELEASE = ctypes.CFUNCTYPE(None)
SCALARS = {"u8": ctypes.c_uint64, "u4": ctypes.c_uint32, "i4": ctypes.c_int32, "u1": ctypes.c_uint8,
           "f4": ctypes.c_float}


class Objects(ctypes.Structure):  # struct rungs_objects
    _fields_ = [(name, POINTER) for name in ("enter", "leave", "call", "drop", "refresh", *PHASES)]


class Phases(ctypes.Structure):  # struct rungs_phases
    _fields_ = [("abi", ctypes.c_uint32), ("bytes", ctypes.c_uint32), ("device", ctypes.c_uint32), ("refuse", REFUSE),
                ("prepare", PHASE), ("upload", PHASE), ("reset", PHASE), ("run", PHASE), ("download", PHASE),
                ("release", RELEASE), ("objects", ctypes.POINTER(Objects))]


class Case:
    """What a variant gets: p.n, p.a, p.x ...; its arrays also by name, p.inputs["x"] and p.outputs["z"]."""


library = ctypes.CDLL(os.environ["RUNGS_LIB"])
library.rungs_case.restype = ctypes.c_char_p
library.rungs_serve.argtypes = [ctypes.c_char_p, ctypes.c_size_t, POINTER]
library.rungs_leave.argtypes = [ctypes.c_int, ctypes.c_char_p]


def leave(status, reason):
    library.rungs_leave(status, reason.encode(errors="replace"))


def describe(path, error, code=None):
    """FILE:LINE: Kind: words, of the innermost line of the variant's own file, else of its function that was called."""
    own = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == path]
    line = own[-1].lineno if own else getattr(error, "lineno", None) or (code.co_firstlineno if code else 0)
    words = " ".join(str(error).split()) if not isinstance(error, SyntaxError) else error.msg
    place = f"{os.path.basename(path)}:{line}" if line else os.path.basename(path)
    return f"{place}: {type(error).__name__}: {words}"


def fail(path, error, function=None):
    words = describe(path, error, getattr(function, "__code__", None))
    if isinstance(error, MemoryError) or "out of memory" in words.lower():
        leave(NO_MEMORY, words)
    if isinstance(error, ValueError) and "read-only" in words:
        leave(WROTE_INPUT, words)
    leave(FAILED, words)


def load(path):
    """Executes the file as the module __main__: libraries that start processes look for that."""
    module = types.ModuleType("__main__")
    module.__file__ = path
    sys.modules["__main__"] = module
    sys.path.insert(0, os.path.dirname(path))
    try:
        import numpy  # noqa: F401 - views() needs it; later its pool would count as threads that the variant has started
        with open(path, encoding="utf-8") as file:
            exec(compile(file.read(), path, "exec"), module.__dict__)
    except ImportError as error:
        leave(NOT_INSTALLED, describe(path, error))
    except BaseException as error:
        fail(path, error)
    if not callable(getattr(module, "run", None)):
        leave(NOT_ITS_CARD, f"{os.path.basename(path)} defines no function run")
    return module


def views():
    """The open case: a Case, and those of its scalars that are not sizes: their values change."""
    text = library.rungs_case()
    if not text:
        leave(NOT_ITS_CARD, "this problem does not say what its case holds (harness/model/members.h)")
    import numpy as np
    case, values = Case(), {}
    case.inputs, case.outputs = {}, {}
    described = json.loads(text)
    for name, scalar in described["scalars"].items():
        cell = SCALARS[scalar["type"]].from_address(scalar["address"])
        setattr(case, name, cell.value)
        if scalar["type"] != "u8":
            values[name] = cell
    for name, array in described["arrays"].items():
        kind, shape = np.dtype(array["type"]), tuple(array["shape"])
        count = int(np.prod(shape, dtype=np.int64))
        if array["address"] == 0 or count == 0:
            view = np.empty(shape, kind)
        else:
            memory = (ctypes.c_char * (count * kind.itemsize)).from_address(array["address"])
            view = np.frombuffer(memory, kind, count).reshape(shape)
        view.flags.writeable = array["file"] == "out"
        name += "_" if keyword.iskeyword(name) else ""
        setattr(case, name, view)
        if array["address"] or count == 0:  # an image has pixels of one kind only
            (case.outputs if array["file"] == "out" else case.inputs)[name] = view
    return case, values


def serve(path, name, memory, device):
    module = load(path)
    case = members = why = None
    values = []

    def prepare(_):
        nonlocal case, members, values
        function = getattr(module, "prepare", None)
        try:
            case, named = views()
            members, values = vars(case), list(named.items())
            if function is not None:
                function(case)
        except BaseException as error:
            fail(path, error, function)

    def refresh():
        for scalar, cell in values:
            members[scalar] = cell.value

    def phase(which):
        function = getattr(module, which, None)

        def call():  # what it takes counts as the variant's time
            try:
                function(case)
            except BaseException as error:
                fail(path, error, function)

        return call if function is not None else None

    def refuse(_):
        nonlocal why
        try:
            said = module.refuse(views()[0])
            why = ctypes.create_string_buffer(str(said).encode()) if said else None
            return ctypes.addressof(why) if said else None
        except BaseException as error:
            fail(path, error)

    def release():
        nonlocal case, members, why, values
        try:
            if hasattr(module, "release"):
                module.release()
        except BaseException as error:
            fail(path, error)
        case, members, why, values = None, None, None, []

    called = [refresh, *map(phase, PHASES)]  # their addresses are id()s
    objects = Objects(*[ctypes.cast(getattr(ctypes.pythonapi, name), POINTER) for name in PYTHON],
                      *[None if each is None else id(each) for each in called])
    phases = Phases(abi=3, bytes=ctypes.sizeof(Phases), device=DEVICES.index(device), prepare=PHASE(prepare),
                    refuse=REFUSE(refuse) if hasattr(module, "refuse") else REFUSE(), release=RELEASE(release),
                    objects=ctypes.pointer(objects))
    gc.collect()
    gc.freeze()  # what has been imported needs no second look at each collection
    library.rungs_serve(name.encode(), memory, ctypes.byref(phases))


if __name__ == "__main__":
    serve(os.path.abspath(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4])
