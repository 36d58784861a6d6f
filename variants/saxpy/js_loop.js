// /// script
// [tool.rungs]
// idea = "Node: a loop over typed arrays, files read and written"
// base = "cpu_naive"
// ///
// Idea     A loop over typed arrays, which the engine compiles while it runs.  Node maps no memory: the arrays are read
//          from a file, and the answer is written to one.
// Against  cpu_naive, which finds the arrays in memory.
// Expect   Three copies by the kernel besides the work, and some 10 us for each line there and back.
// Try      Keep x and y from one run to the next: why is that wrong?
"use strict"
const fs = require("fs")

const IN = 4, OUT = 5
let c

function read(array) {
    const numbers = new Float32Array(array.shape[0])
    if (numbers.length) fs.readSync(IN, numbers, 0, numbers.byteLength, array.at)
    return numbers
}

const words = {
    rungs() { return "rungs 1 Node.js " + process.version },
    case(text) { c = JSON.parse(text) },
    prepare() {},
    release() {},
    run() {
        const bytes = Buffer.alloc(4)
        fs.readSync(IN, bytes, 0, 4, c.scalars.a.at)
        const a = bytes.readFloatLE(0), x = read(c.arrays.x), y = read(c.arrays.y)
        const z = new Float32Array(x.length)
        for (let i = 0; i < z.length; i++) z[i] = Math.fround(a * x[i]) + y[i]
        if (z.length) fs.writeSync(OUT, z, 0, z.byteLength, c.arrays.z.at)
    },
}

let text = ""
const room = Buffer.alloc(65536)
for (let n; (n = fs.readSync(0, room)) > 0;) {
    text += room.toString("utf8", 0, n)
    for (let end; (end = text.indexOf("\n")) >= 0; text = text.slice(end + 1)) {
        const line = text.slice(0, end), word = line.split(" ", 1)[0]
        const answer = words[word](line.slice(word.length + 1))
        fs.writeSync(1, (answer === undefined ? "ok" : answer) + "\n")
    }
}
