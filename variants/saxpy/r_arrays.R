# /// script
# [tool.rungs]
# idea = "R: whole arrays, read and written as bytes"
# base = "cpu_naive"
# ///
# Idea     The computation is one expression of whole arrays.  R has no float32: it computes in float64, and rounds when it writes.
# Against  cpu_naive; oct_arrays, which speaks the same lines and computes in float32.
# Expect   Reading and writing is nearly all of it: each number is converted twice.
# Try      A loop over the elements: R compiles it to bytecode.

input <- file("stdin", "r")
inputs <- file(Sys.getenv("RUNGS_INPUTS"), "rb")
outputs <- file(Sys.getenv("RUNGS_OUTPUTS"), "r+b")

# R has no JSON of its own: the first number behind "key": within "name":{...}
field <- function(name, key)
    as.numeric(sub(sprintf('.*"%s":\\{[^}]*"%s":\\[?([0-9]+).*', name, key), "\\1", case))

numbers <- function(name, count) {
    seek(inputs, field(name, "at"))
    readBin(inputs, "numeric", count, size = 4)
}

run <- function() {
    n <- field("z", "shape")
    z <- numbers("a", 1) * numbers("x", n) + numbers("y", n)
    seek(outputs, field("z", "at"), rw = "write")
    writeBin(z, outputs, size = 4)
    flush(outputs)
}

while (length(line <- readLines(input, 1)) > 0) {
    if (startsWith(line, "case ")) case <- line
    if (line == "run") run()
    cat(if (startsWith(line, "rungs")) paste("rungs 1", R.version.string) else "ok", "\n", sep = "")
}
