// /// script
// [tool.rungs]
// idea = "writes into the inputs' file"
// ///
// expected: crash: ^exits in run: js_writes_inputs\.js:[0-9]+: Error: EBADF
function run() { fs.writeSync(4, "xxxx", 4096) }
const fs = require("fs"), room = Buffer.alloc(65536)
const answer = {rungs: "rungs 1 x"}
for (let n; (n = fs.readSync(0, room)) > 0;)
    for (const line of room.toString("utf8", 0, n).split("\n").filter((l) => l)) {
        const word = line.split(" ", 1)[0]
        if (word === "run") run()
        fs.writeSync(1, (answer[word] || "ok") + "\n")
    }
