"""answers.py make FOLDER: inputs, good and bad.   answers.py PROBLEM FILES...: is the answer right?

The answers are computed here in float64 by NumPy, by other formulas than the program's where there
are any.
"""
import base64
import csv
import math
import struct
import sys
import zlib

import numpy as np

EARTH_RADIUS = 6371.0088  # km


def make(folder):
    random = np.random.default_rng(1)

    def save(name, array):
        np.save(f"{folder}/{name}.npy", array)

    x, y = random.normal(size=(2, 1000))
    save("x", x.astype("f4"))
    save("y", y.astype("f4"))
    save("y64", y)                       # float64: rounded to float32
    save("ybig", y.astype(">f4"))        # the other byte order
    save("short", y[:999].astype("f4"))
    save("none", y[:0].astype("f4"))
    save("y_whole", np.arange(-500, 500))
    save("int64", np.arange(1000) + 2**24)  # float32 holds every other one
    save("text", np.array(["a", "b"]))
    save("square", x.astype("f4").reshape(20, 50))
    save("square_fortran", np.asfortranarray(y.astype("f4").reshape(20, 50)))
    for name, value in (("nan", np.nan), ("inf", np.inf), ("huge", 1e300)):
        bad = y.copy()
        bad[17] = value
        save(name, bad)
    whole = open(f"{folder}/x.npy", "rb").read()
    for name, text in (
            ("truncated", whole[:2000]), ("header", whole[:60]), ("trailing", whole + b"\0"),
            ("empty", b""), ("magic", b"\x93NUMPZ" + whole[6:]),
            ("overflow", whole[:128].replace(b"(1000,), }" + b" " * 40,
                                             b"(4611686018427387904, 4, 4), }" + b" " * 20)),
            ("tib", whole[:128].replace(b"(1000,), }" + b" " * 20,
                                        b"(300000000000,), }" + b" " * 12))):
        with open(f"{folder}/{name}.npy", "wb") as stream:
            stream.write(text)

    save("a", random.normal(size=(37, 53)).astype("f4"))
    save("b", np.asfortranarray(random.normal(size=(53, 29))))
    save("b_big", random.normal(size=(53, 29)).astype(">f8"))
    save("tall", np.zeros((7, 0), "f4"))
    save("flat", np.zeros((0, 9), "f4"))
    save("mile", np.zeros((1 << 20, 0), "f4"))
    save("wide", np.zeros((0, 1 << 20), "f4"))
    save("signal", random.normal(size=360).astype("f4"))
    save("signals", (random.normal(size=(5, 168)) + 1j * random.normal(size=(5, 168)))
         .astype(">c16"))
    save("eleven", random.normal(size=11))
    save("pixels", random.integers(0, 256, size=(33, 47)).astype("u1"))
    save("reals", np.asfortranarray(random.normal(size=(33, 47))))
    make_images(folder, random)
    points = np.stack([random.uniform(-90, 90, 500), random.uniform(-180, 360, 500)], 1)
    save("points", points)
    save("points_rad", np.radians(points))
    gaps = np.where(random.random(5000) < 0.3, np.nan, random.normal(size=5000)).astype("f4")
    gaps[:6] = [-0.0, np.inf, -np.inf, 1e-45, -np.nan, 0]
    gaps[-8:].view("u4")[:] = [0x7fc00001, 0xffc00000, 0x7fffffff, 0xffffffff, 0x7f800000, 0xff7fffff, 1, 0x80000001]
    save("gaps", gaps)
    save("gaps_big", gaps.astype(">f4"))
    save("gaps64", gaps.astype("f8").reshape(50, 100))
    save("gaps_huge", np.where(np.arange(5000) == 17, 1e300, 0.1))
    save("gaps_only", np.full(1000, np.nan, "f4"))
    angles = np.concatenate([random.uniform(-4, 4, 900), random.uniform(-1e6, 1e6, 50), 10 ** random.uniform(6, 38, 50)])
    save("angles", angles.astype("f4").reshape(40, 25))
    save("angles_big", angles.astype(">f4"))
    save("near_x", (np.load(f"{folder}/x.npy") * random.normal(1, 0.01, 1000)).astype("f4"))
    table = random.normal(size=(400, 3)) * [1, 5, 0.2]
    label = table @ [1, -0.3, 2] + random.logistic(size=400) > 0.5
    save("table", table)
    save("table32", table.astype("f4"))
    save("label", label)
    save("label_i8", label.astype("i8"))
    save("label_u1", label.astype("u1"))
    save("label_bad", label.astype("i4") + 1)
    with open(f"{folder}/table.csv", "w") as stream:
        stream.write("width,kind,height,\"depth, in m\"\n")
        stream.writelines(f"{a!r},{'yes' if b else 'no'},{c!r},{d!r}\n" for (a, c, d), b in zip(table.tolist(), label))
    with open(f"{folder}/semicolons.csv", "w") as stream:
        stream.write("kind;width;height;kind\n")
        stream.writelines(f"{'yes' if b else 'no'};{a!r};{c!r};{d!r}\n".replace(".", ",")
                          for (a, c, d), b in zip(table.tolist(), label))
    with open(f"{folder}/unlabelled.csv", "w") as stream:
        stream.write("x,kind\n1,yes\n2,\n3,no\n")
    save("zeros", np.array([1, 0, -0.0], "f4"))
    save("vast", np.array([1, 1e38, 2], "f4"))
    counts = random.integers(-200, 200, 1003).astype("i2")
    counts[:6] = [-32768, 32767, 100, -100, 101, -101]
    save("counts", counts)
    save("counts_big", counts.astype(">i2").reshape(17, 59))
    save("counts_fortran", np.asfortranarray(counts[:1000].reshape(20, 50)))
    save("counts_none", counts[:0])
    save("counts_wide", counts.astype("i4"))
    other = np.random.default_rng(27)
    save("system", other.normal(size=(41, 41)).astype("f4"))
    save("state", np.asfortranarray(other.normal(size=(41, 41))))
    factor = other.normal(size=(67, 67))
    definite = (factor @ factor.T + 9 * np.eye(67)).astype("f4")
    save("definite", np.asfortranarray(definite))
    save("definite64", definite.astype("f8"))
    save("indefinite", -definite)
    save("lopsided", definite + np.eye(67, k=3, dtype="f4"))
    save("load", other.normal(size=67).astype(">f4"))
    save("covariance", (lambda f: f @ f.T)(other.integers(-9, 9, size=(41, 41))).astype(">f4"))

    good = "lat,lon\n" + "".join(f"{lat},{lon}\n" for lat, lon in points)
    for name, text in (
            ("good", good), ("empty", ""), ("header", "lat,lon\n"),
            ("north", "lat,lon\n1,2\n91,3\n"), ("nan", "lat,lon\n1,2\n1,nan\n"),
            ("short", "lat,lon\n1,2\n3\n"), ("word", "lat,lon\n1,2\n1,east\n"),
            ("one", "lat,lon\n10,20\n"), ("nothing", "a,b\n1,2\n")):
        with open(f"{folder}/{name}.csv", "w") as stream:
            stream.write(text)


# Four blocks of 8 x 8, each of one colour.
JPEG = """
/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMU
FRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU
FBQUFBQUFBT/wAARCAAQABADAREAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAABwgJ/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/E
ABkBAAIDAQAAAAAAAAAAAAAAAAgJBAYHCv/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AApWhumVEJfTUYwJBtE5
120P/9k="""
COLOURS = np.array([[[200, 30, 60], [20, 180, 90]], [[40, 50, 220], [250, 250, 10]]])


def make_images(folder, random):
    """NAME-CHANNELS-BITS.png and others; no two channels are alike."""
    for channels in range(1, 5):
        for bits in (8, 16):
            image = random.integers(0, 1 << bits, size=(33, 47, channels)).astype(f"u{bits // 8}")
            name = f"{folder}/image-{channels}-{bits}"
            write_png(f"{name}.png", image)
            if bits == 8:
                np.save(f"{name}.npy", image)
            if channels in (1, 3):
                with open(f"{name}.{'pgm' if channels == 1 else 'ppm'}", "wb") as stream:
                    stream.write(b"P%d 47 33 %d\n" % (5 if channels == 1 else 6, (1 << bits) - 1))
                    stream.write(image.astype(f">u{bits // 8}").tobytes())
            if channels == 3 and bits == 16:
                write_tiff(f"{folder}/image-3-16.tif", image)
    with open(f"{folder}/blocks.jpg", "wb") as stream:
        stream.write(base64.b64decode(JPEG))


def write_tiff(name, image):
    """Three channels of 16 bits, in one strip behind the directory."""
    rows, cols, _ = image.shape
    body = image.astype("<u2").tobytes()
    tags = [(256, 4, 1, cols), (257, 4, 1, rows), (258, 3, 3, 122), (259, 3, 1, 1), (262, 3, 1, 2), (273, 4, 1, 128),
            (277, 3, 1, 3), (278, 4, 1, rows), (279, 4, 1, len(body))]
    with open(name, "wb") as stream:
        stream.write(b"II*\0" + struct.pack("<IH", 8, len(tags)))
        stream.write(b"".join(struct.pack("<HHII", *tag) for tag in tags) + struct.pack("<I", 0))
        stream.write(struct.pack("<3H", 16, 16, 16) + body)


def write_png(name, image):
    rows, cols, channels = image.shape
    lines = image.astype(f">u{image.itemsize}").reshape(rows, -1).view("u1")
    data = np.concatenate([np.zeros((rows, 1), "u1"), lines], axis=1).tobytes()
    header = struct.pack(">IIBBBBB", cols, rows, 8 * image.itemsize, (0, 0, 4, 2, 6)[channels], 0, 0, 0)
    with open(name, "wb") as stream:
        stream.write(b"\x89PNG\r\n\x1a\n")
        for kind, body in ((b"IHDR", header), (b"IDAT", zlib.compress(data)), (b"IEND", b"")):
            stream.write(struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)))


def close(got, want, allowed):
    assert got.shape == want.shape, (got.shape, want.shape)
    assert np.isfinite(got).all()
    error = np.abs(got - want)
    assert (error <= allowed).all(), f"off by {error.max()}, {np.max(error / allowed)} allowed"


def saxpy(a, x, y, z):
    x, y, z = (np.load(name) for name in (x, y, z))
    assert z.dtype == np.float32
    x, y, a = x.astype("f4").astype("f8"), y.astype("f4").astype("f8"), float(np.float32(a))
    close(z, (a * x + y), 2.0 ** -23 * (np.abs(a * x) + np.abs(y)))


def reduce(x, out):
    """The sum and the norm, by math.fsum, which rounds once."""
    x = np.load(x).astype("f4").astype("f8").ravel()
    got = np.load(out).astype("f8") if out.endswith(".npy") else np.loadtxt(out, delimiter=",", skiprows=1)
    bound = (66 + np.log2(max(x.size, 2))) * 2.0 ** -24
    want = np.array([math.fsum(x), math.sqrt(math.fsum(x * x))])
    close(got, want, bound * np.array([np.abs(x).sum(), want[1]]))


def compact(x, out):
    """What is not NaN, in C's order, bit by bit."""
    x, got = np.load(x).astype("f4").ravel(), np.load(out)
    want = x[~np.isnan(x)]
    assert got.dtype == np.float32 and got.shape == want.shape, (got.dtype, got.shape, want.shape)
    assert np.array_equal(got.view("u4"), want.view("u4")), np.flatnonzero(got.view("u4") != want.view("u4"))[:5]


def logreg(x, y, c, tol, out):
    """The gradient at the answer, in float64."""
    x, y = np.load(x).astype("f4").astype("f8"), np.load(y).astype("f8")
    w = np.load(out).astype("f8") if out.endswith(".npy") else np.loadtxt(out, delimiter=",", skiprows=1, usecols=1)
    r = 1 / (1 + np.exp(-(x @ w[:-1] + w[-1]))) - y
    gradient = np.append(x.T @ r / len(y) + w[:-1] / (float(c) * len(y)), r.mean())
    close(gradient, np.zeros(x.shape[1] + 1), float(tol) * 1.05)


def trig(x, y, z):
    """cos x + sin y of the float32 arguments, each to 2 units in the last place."""
    x, y, z = (np.load(name) for name in (x, y, z))
    a, b = np.cos(x.astype("f4").astype("f8")), np.sin(y.astype("f4").astype("f8")).reshape(x.shape)
    assert z.dtype == np.float32
    close(z, a + b, 2.0 ** -22 * (np.abs(a) + np.abs(b)) + 2.0 ** -24 * np.abs(a + b))


def reldiff(x, y, z):
    x, y, z = (np.load(name) for name in (x, y, z))
    a, b = x.astype("f4").astype("f8"), y.astype("f4").astype("f8")
    want = 2 * (a - b) / (a + b)
    assert z.dtype == np.float32
    close(z, want, 3.1 * 2.0 ** -24 * np.abs(want))


def suppress(x, threshold, z):
    x, z = np.load(x), np.load(z)
    want = np.where(np.abs(x.astype("i4")) > int(threshold), x, 0)
    assert z.dtype == np.int16 and z.shape == x.shape, (z.dtype, z.shape, x.shape)
    assert np.array_equal(z, want), np.flatnonzero(z.ravel() != want.ravel())[:5]


def crops(folder, seed):
    """Crops of one image whose amplitudes fall with frequency, as a photograph's do; prints how far a is moved against b."""
    random = np.random.default_rng(int(seed))
    rows, cols = 420, 520
    size = np.hypot(np.fft.fftfreq(rows)[:, None], np.fft.rfftfreq(cols)[None])
    size[0, 0] = 1
    image = np.fft.irfft2(np.fft.rfft2(random.normal(size=(rows, cols))) / size ** 1.2, s=(rows, cols))
    image = 20 + 215 * (image - image.min()) / (image.max() - image.min())
    (r, s), (c, t) = random.integers(0, 60, 2), random.integers(0, 60, 2)
    a, b = image[r:r + 201, c:c + 243], image[s:s + 190, t:t + 260]
    for name, pixels in (("a", a), ("b", b), ("noisy", a + random.normal(size=a.shape) * 6), ("dark", a * 0.4 + 5),
                         ("elsewhere", image[300:, 350:])):
        pixels = np.clip(np.round(pixels), 0, 255).astype("u1")
        with open(f"{folder}/{name}.pgm", "wb") as stream:
            stream.write(b"P5 %d %d 255\n" % pixels.shape[::-1] + pixels.tobytes())
    print(s - r, t - c)


def align(s, t, out):
    """The shift, to half a pixel; or the picture of both, of a common frame."""
    s, t = int(s), int(t)
    if out.endswith(".csv"):
        got = np.loadtxt(out, delimiter=",", skiprows=1)
        assert np.abs(got[:2] - [s, t]).max() < 0.5 and 0 < got[2] <= 1, (got, s, t)
        return
    folder = out.rsplit("/", 1)[0]
    a, b, got = (read_image(name).astype("f8") for name in (f"{folder}/a.pgm", f"{folder}/b.pgm", out))
    top, left = min(0, s), min(0, t)
    want = np.zeros((max(a.shape[0], b.shape[0] + s) - top, max(a.shape[1], b.shape[1] + t) - left))
    count = np.zeros(want.shape)
    for image, row, col in ((a, 0, 0), (b, s, t)):
        place = np.s_[row - top:row - top + image.shape[0], col - left:col - left + image.shape[1]]
        want[place] += image
        count[place] += 1
    close(got, want / np.maximum(count, 1), 0.51)


def matmul(a, b, c):
    a, b, c = np.load(a).astype("f4"), np.load(b).astype("f4"), np.load(c)
    assert c.dtype == np.float32
    a, b = a.astype("f8"), b.astype("f8")
    close(c, a @ b, (a.shape[1] + 1) * 2.0 ** -24 * (np.abs(a) @ np.abs(b)))


def axxat(a, x, y):
    a, x, y = np.load(a).astype("f4"), np.load(x).astype("f4"), np.load(y)
    assert y.dtype == np.float32
    a, x = a.astype("f8"), x.astype("f8")
    size = np.abs(a) @ np.abs(x) + np.abs(x) @ np.abs(a.T)
    close(y, a @ x + x @ a.T, (2 * len(a) + 1) * 2.0 ** -24 * size)


def cg(a, b, tol, x):
    a, b, x = np.load(a).astype("f4").astype("f8"), np.load(b).astype("f8"), np.load(x)
    assert x.dtype == np.float32 and x.shape == b.shape
    residual = b - a @ x.astype("f8")
    rounding = 72 * 2.0 ** -24 * (np.abs(a) @ np.abs(x)) + 2.0 ** -23 * np.abs(b)
    error, allowed = np.linalg.norm(residual), float(tol) * np.linalg.norm(b) + np.linalg.norm(rounding)
    assert error <= allowed, f"residual {error}, {allowed} allowed"


def qr(a, both):
    a, both = np.load(a).astype("f4").astype("f8"), np.load(both)
    (m, n), allowed = a.shape, 1e-5
    assert both.dtype == np.float32 and both.shape == (m + n, n), both.shape
    q, r = both[:m].astype("f8"), both[m:].astype("f8")
    close(q @ r, a, allowed * np.linalg.norm(a, axis=0))
    close(q.T @ q, np.eye(n), allowed)
    assert not np.tril(r, -1).any() and (np.diag(r) >= 0).all()


def fft(x, spectrum):
    x, spectrum = np.load(x), np.load(spectrum)
    assert spectrum.dtype == np.complex64
    want = np.fft.fft(x.astype("c8").astype("c16"))
    size = np.sqrt((np.abs(want) ** 2).mean(axis=-1, keepdims=True))
    close(spectrum, want, 1e-5 * size)


def stencil(image, sweeps, out):
    """Bytes are rounded down by each sweep, 16 bits once, to the nearest; other numbers are not."""
    image, out = (read_image(name) for name in (image, out))
    bytes, wide = image.dtype == np.uint8, image.dtype == np.uint16
    now = image.astype("i8" if bytes else "f8" if wide else "f4").astype("i8" if bytes else "f8")
    rows, cols = now.shape[:2]
    for _ in range(int(sweeps)):
        total = sum(now[r:rows - 2 + r, c:cols - 2 + c] for r in range(3) for c in range(3))
        now = now.copy()
        now[1:-1, 1:-1] = total // 9 if bytes else total / 9
    if bytes or wide and out.dtype != np.float32:
        assert out.dtype == image.dtype, (out.dtype, image.dtype)
        close(out.astype("f8"), now, 0 if bytes else 0.51)
    else:
        close(out, now, int(sweeps) * 10 * 2.0 ** -24 * np.abs(image).max() + 1e-30)


def jpeg(out):
    """Is it what blocks.jpg shows?  Decoders may differ by 1."""
    close(read_image(out).astype("f8"), np.kron(COLOURS, np.ones((8, 8, 1))), 3)


def read_image(name):
    """[rows][cols] or [rows][cols][channels], as NumPy would have it."""
    if name.endswith(".npy"):
        return np.load(name)
    with open(name, "rb") as stream:
        data = stream.read()
    if data[:1] == b"P":
        kind, cols, rows, white = data.split(None, 4)[:4]
        kind = ">u2" if int(white) > 255 else "u1"
        channels = 3 if data[:2] == b"P6" else 1
        pixels = np.frombuffer(data[-int(rows) * int(cols) * channels * int(np.dtype(kind).itemsize):], kind)
        return pixels.reshape((int(rows), int(cols), 3)[:3 if channels == 3 else 2]).astype(kind[-2:])
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, parts, header = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0] == \
            zlib.crc32(kind + body)
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", body)
        parts += body if kind == b"IDAT" else b""
        at += 12 + length
    width, height, depth, color, _, _, interlaced = header
    channels = {0: 1, 4: 2, 2: 3, 6: 4}[color]
    assert depth in (8, 16) and interlaced == 0, header
    step = channels * depth // 8
    lines = np.frombuffer(zlib.decompress(parts), "u1").reshape(height, width * step + 1)
    image = np.zeros((height, width * step), "u1")
    for r in range(height):
        image[r] = unfilter(lines[r, 0], lines[r, 1:],
                            image[r - 1] if r > 0 else np.zeros(width * step, "u1"), step)
    image = image.view(">u2" if depth == 16 else "u1").astype(f"u{depth // 8}")
    return image.reshape((height, width, channels)[:2 if channels == 1 else 3])


def unfilter(kind, line, above, step):
    """`step`: bytes of a pixel."""
    if kind == 0:
        return line
    if kind == 2:
        return line + above
    out = [0] * step + line.tolist()
    above = [0] * step + above.tolist()
    for i in range(step, len(out)):
        left, up, corner = out[i - step], above[i], above[i - step]
        if kind == 1:
            guess = left
        elif kind == 3:
            guess = (left + up) // 2
        else:
            p = left + up - corner
            guess = min((abs(p - left), 0, left), (abs(p - up), 1, up),
                        (abs(p - corner), 2, corner))[2]
        out[i] = (out[i] + guess) & 255
    return np.array(out[step:], "u1")


def read_points(name, lat, lon):
    if name.endswith(".npy"):
        return np.radians(np.load(name)).astype("f4").astype("f8")
    with open(name, newline="", encoding="utf-8-sig") as stream:
        rows = list(csv.DictReader(stream))
    points = np.array([[float(row[lat]), float(row[lon])] for row in rows])
    return np.radians(points).astype("f4").astype("f8")


def on_sphere(points):
    lat, lon = points.T
    return np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], 1)


def knn(obs, obs_lat, obs_lon, ref, ref_lat, ref_lon, k, out):
    """By chords in space, where the program has haversines."""
    k = int(k)
    obs = on_sphere(read_points(obs, obs_lat, obs_lon))
    ref = on_sphere(read_points(ref, ref_lat, ref_lon))
    if out.endswith(".npy"):
        table = np.load(out).reshape(-1, 3)
    else:
        with open(out) as stream:
            assert stream.readline() == "observation,rank,index,distance_km,distance_rad\n"
            table = np.loadtxt(stream, delimiter=",", ndmin=2)
        assert (table[:, 0] == np.repeat(np.arange(len(obs)), k)).all()
        assert (table[:, 1] == np.tile(np.arange(k), len(obs))).all()
        table = table[:, 2:]
    assert len(table) == len(obs) * k, table.shape
    index = table[:, 0].astype("i8").reshape(-1, k)
    km, radians = table[:, 1].reshape(-1, k), table[:, 2].reshape(-1, k)
    # Longitudes up to three times pi apart are subtracted in float32: 6e-7 by that alone.
    named = 2 * np.arcsin(np.clip(np.linalg.norm(obs[:, None] - ref[index], axis=2) / 2, 0, 1))
    close(radians, named, 1e-6 * (1 + named))
    close(km, EARTH_RADIUS * radians, 1e-6 * (1 + EARTH_RADIUS * radians))
    assert (np.diff(radians, axis=1) >= 0).all()
    assert all(len(set(row)) == k for row in index.tolist())
    same = 0
    for start in range(0, len(obs), 1000):
        dots = obs[start:start + 1000] @ ref.T
        best = np.argpartition(-dots, k - 1, axis=1)[:, :k]
        chord = np.linalg.norm(obs[start:start + 1000, None] - ref[best], axis=2)
        nearest = np.sort(2 * np.arcsin(np.clip(chord / 2, 0, 1)), axis=1)
        close(named[start:start + 1000], nearest, 1e-6 * (1 + nearest))
        same += sum(len(set(b) & set(i)) for b, i in
                    zip(best.tolist(), index[start:start + 1000].tolist()))
    assert same > 0.99 * index.size, same / index.size  # but for ties


globals()[sys.argv[1]](*sys.argv[2:])
