// /// script
// [tool.rungs]
// idea = "throws in run"
// ///
// expected: crash: ^exits in run: js_throws\.js:6: .*Error\("no such luck"\)
function run() { throw new Error("no such luck") }
const fs = require("fs"), room = Buffer.alloc(65536)
const answer = {rungs: "rungs 1 x"}
for (let n; (n = fs.readSync(0, room)) > 0;)
    for (const line of room.toString("utf8", 0, n).split("\n").filter((l) => l)) {
        const word = line.split(" ", 1)[0]
        if (word === "run") run()
        fs.writeSync(1, (answer[word] || "ok") + "\n")
    }
