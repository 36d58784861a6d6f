# The slides or the handout as one file for a browser: the HTML of cmark-gfm, its style, and its pictures.
# awk -f page.awk -v style=FILE -v folder=FOLDER-OF-THE-PICTURES <cmark's-output
BEGIN {
    print "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>"
    print "<meta name=viewport content=\"width=device-width, initial-scale=1\">\n<title>Rungs workshop</title>\n<style>"
    while ((getline line <style) > 0)
        print line
    print "</style>\n</head>\n<body>\n<section>"
}
/^<hr \/>$/ { print "</section>\n<section>"; next }
match($0, /src="[^"]*"/) { # a picture becomes part of the page
    file = folder "/" substr($0, RSTART + 5, RLENGTH - 6)
    command = "base64 -w 0 '" file "'"
    if ((command | getline data) <= 0) {
        print file ": is not there" >"/dev/stderr"
        exit 1
    }
    close(command)
    print substr($0, 1, RSTART + 4) "data:image/svg+xml;base64," data substr($0, RSTART + RLENGTH - 1)
    next
}
{ print }
END { print "</section>\n</body>\n</html>" }
