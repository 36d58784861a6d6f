#!/bin/sh
# Every relative link of every tracked *.md file leads to a file or folder that is there, and every #anchor to a
# heading of that file, by the rules of GitHub.  Code blocks and code between backticks hold no links.
cd "$(dirname "$0")/../.." || exit 1
command -v python3 >/dev/null || { echo "1..0 # skip python3 is not there"; exit 0; }
git rev-parse --git-dir >/dev/null 2>&1 || { echo "1..0 # skip this is no checkout of git"; exit 0; }

# shellcheck disable=SC2016
found=$(git ls-files -co --exclude-standard '*.md' | python3 -c '
import os, re, sys
from urllib.parse import unquote

LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?([^)>\s]+)>?(?:\s+\"[^\"]*\")?\s*\)")
NAMED = re.compile(r"^ {0,3}\[[^\]]+\]:\s*<?([^>\s]+)", re.M)  # [name]: target

def lines(path):
    """The lines outside code blocks, with their numbers."""
    fence = None
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            mark = re.match(r"[\s>]*(```+|~~~+)", line)
            if mark and fence is None:
                fence = mark.group(1)
            elif mark and mark.group(1).startswith(fence):
                fence = None
            elif fence is None:
                yield number, line

def anchors(path):
    found = set()
    for _, line in lines(path):
        found.update(re.findall(r"<a\s+(?:id|name)=[\"\x27]([^\"\x27]+)", line))
        heading = re.match(r" {0,3}#{1,6}\s+(.*?)\s*#*\s*$", line)
        if not heading:
            continue
        text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(1))
        slug = plain = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        again = 0
        while slug in found:
            again += 1
            slug = f"{plain}-{again}"
        found.add(slug)
    return found

def blank(code):
    return re.sub(r"[^\n]", " ", code.group())

known = {}
for path in sys.stdin.read().split("\n"):
    if not os.path.isfile(path):
        continue
    numbers, rows = [], []
    for number, line in lines(path):
        numbers.append(number)
        rows.append(line.rstrip("\n"))
    text = re.sub(r"(?<!`)(`+)(?!`)(?:(?!\n\s*\n)[\s\S])+?(?<!`)\1(?!`)", blank, "\n".join(rows))
    for link in list(LINK.finditer(text)) + list(NAMED.finditer(text)):
        number, target = numbers[text.count("\n", 0, link.start())], link.group(1)
        if re.match(r"[a-z][a-z0-9+.-]*:|//", target, re.I):
            continue
        name, _, anchor = unquote(target).partition("#")
        file = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
        if file.startswith("..") or not os.path.exists(file):
            print(f"{path}:{number}: {target}: there is no {file}")
        elif anchor and file.endswith(".md"):
            if file not in known:
                known[file] = anchors(file)
            if anchor not in known[file]:
                print(f"{path}:{number}: {target}: {file} has no such heading")
') || found="the checker itself failed: $found"
printf '1..1\n'
[ -z "$found" ] || { echo "$found" | sed 's/^/# /'; printf 'not '; }
echo "ok 1 - every relative link in *.md leads somewhere"
