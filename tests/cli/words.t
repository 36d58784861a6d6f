#!/bin/sh
# The words that docs/style.md lists stand in no tracked file.  Its list holds extended regular expressions, a line each,
# for whole words in either case.  A blank in one also matches the end of a line and the beginning of a comment's next.
# A word in straight double quotes or backticks, and nothing else in them, is a name: a field of a record, say.
cd "$(dirname "$0")/../.." || exit 1
command -v python3 >/dev/null || { echo "1..0 # skip python3 is not there"; exit 0; }
git rev-parse --git-dir >/dev/null 2>&1 || { echo "1..0 # skip this is no checkout of git"; exit 0; }

# LICENSE, also in debian/, names the authors, and CHANGELOG.md what things were called.
# shellcheck disable=SC2016
found=$(git ls-files -co --exclude-standard -- . ':!docs/style.md' ':!results/*.jsonl' ':!*.svg' \
    ':!CHANGELOG.md' ':!LICENSE' ':!debian/copyright' | python3 -c '
import os, re, sys

style = open("docs/style.md", encoding="utf-8").read()
listed = re.search(r"^```words\n(.*?)^```", style, re.M | re.S)
words = [word for word in listed.group(1).split("\n") if word.strip()] if listed else []
if not words:
    print("docs/style.md lists no words")
    sys.exit(1)
gap = r"(?:[ \t]+|[ \t]*\n[ \t]*(?:[*#>/|]+[ \t]*)?)"
either = "|".join(f"(?:{word})" for word in words).replace(" ", gap)
word = re.compile(rf"(?<![\w.])(?:{either})(?!\w)", re.I)  # not the "a" of lib.a

for path in sys.stdin.read().split("\n"):
    if not os.path.isfile(path) or os.path.islink(path):
        continue
    data = open(path, "rb").read()
    if b"\0" in data:
        continue
    text = data.decode("utf-8", "replace")
    for hit in word.finditer(text):
        if re.match(r"\"\\?\"|``", text[hit.start() - 1:hit.start()] + text[hit.end():hit.end() + 2]):
            continue
        line = text.count("\n", 0, hit.start()) + 1
        print(f"{path}:{line}: {re.sub(gap, chr(32), hit.group())}")
') || found="the checker itself failed: $found"
printf '1..1\n'
[ -z "$found" ] || { echo "$found" | sed 's/^/# /'; printf 'not '; }
echo "ok 1 - no word stands anywhere that docs/style.md lists"
