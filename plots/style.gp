# What all pictures have in common: the file and the terminal for `picture` (svg, png, dark.png, pdf), the
# theme, colours and fonts.  Each kind's script loads it first.  It may set `names` before: the number of
# names one below the other, if that is not `variants`.
reset
set encoding utf8
set datafile separator "\t" columnheaders

# A picture of bars (`bars_only`) with few rows is lower, so that a single bar is one bar high.
#
# NAME.gp sets these: `name` (of the picture and its table NAME.tsv), `rows` and different `variants` of that
# table, `heading` and `machine`.  A script whose curves are those of its second table sets `table` before.
data = name.(exists('table') ? table : '').'.tsv'

if (!exists('ending')) { ending = '' }
if (!exists('names')) { names = variants }
height = names > 26 ? 900 + 26 * (names - 26) : 900
if (exists('bars_only') && 250 + 44 * names < height) { height = 250 + 44 * names }
dark = picture[1:4] eq 'dark'

# The same as theme[] in harness/plots/svg.c, which replaces the light ones for readers with a dark theme.
ink   = dark ? '#eeeeee' : '#1a1a1a'
paper = dark ? '#16181d' : '#fefefe'
faint = dark ? '#4a4d55' : '#d0d0d0'
quiet = dark ? '#a8a8a8' : '#6b6b6b'

# M. Okabe and K. Ito, Color Universal Design: distinguishable with colour blindness, on white and black.
orange = '#e69f00'; sky = '#56b4e9'; green = '#009e73'; yellow = '#f0e442'
blue = '#0072b2'; red = '#d55e00'; purple = '#cc79a7'

# By the column "shade": one CPU core, several CPU cores, another device.  Resident times are red.
array shades[3] = [0x56b4e9, 0x0072b2, 0xe69f00]
shade(n) = shades[int(n) + 1]

# Font sizes are in points; pixels differ between terminals.
point = picture eq 'svg' ? 1.33 : picture eq 'pdf' ? 0.73 : 1.0
letters(size) = sprintf('%s,%.1f', picture eq 'svg' ? 'sans-serif' : 'Sans', size * point)

normal = letters(18); small = letters(16); tiny = letters(14)

# The same for points and lines.
dot = picture eq 'svg' ? 1.0 : picture eq 'pdf' ? 1.4 : 2.0
thick = picture eq 'svg' ? 1.5 : picture eq 'pdf' ? 2.0 : 1.0

if (picture eq 'svg') {
    set terminal svg size 1600,height dynamic noenhanced background rgb paper font normal
}
if (picture eq 'png' || picture eq 'dark.png') {
    set terminal pngcairo size 1600,height noenhanced background rgb paper font normal
}
if (picture eq 'pdf') {
    set terminal pdfcairo size 16in,height / 100.0 in noenhanced fontscale 1.0 font normal
}
large = letters(24)
set output name.(dark ? '-' : '.').picture.ending

# --- numbers and words ----------------------------------------------------------------------------

# A number of a row.  gnuplot skips a row as soon as column() reads NaN, hence the test of the text.
num(name) = strcol(name) eq 'NaN' ? NaN : column(name)

# The number, or the other one if it is not known.
less(a, b) = b < a ? b : a
more(a, b) = b > a ? b : a
is_known(x) = x == x
or_zero(x) = x == x ? x : 0

# Only if there is an interval: without one gnuplot would draw a whisker at the border.
known(low, median) = low == low ? median : NaN

# In the table an empty text is "-".
said(text) = text eq '-' ? '' : text

# Cuts a text to so many letters.
short(text, most) = strlen(text) > most ? substr(text, 1, most - 1).'…' : text

# "gpu" becomes "GPU".
capital(c) = (found = strstrt('abcdefghijklmnopqrstuvwxyz', c), \
    found > 0 ? substr('ABCDEFGHIJKLMNOPQRSTUVWXYZ', found, found) : c)
capitals(text) = text eq '' ? '' : \
    capital(substr(text, 1, 1)).capitals(substr(text, 2, strlen(text)))

# "12.3 ms"; 999.9 us rounds to 1 ms.
in_units(x, unit) = sprintf('%.3g ', x).unit
duration(s) = s != s ? '-' : s >= 172800 ? in_units(s / 86400, 'days') : \
    s >= 7200 ? in_units(s / 3600, 'h') : s >= 120 ? in_units(s / 60, 'min') : \
    s >= 0.9995 ? in_units(s, 's') : s >= 0.9995e-3 ? in_units(1e3 * s, 'ms') : \
    s >= 0.9995e-6 ? in_units(1e6 * s, 'us') : in_units(1e9 * s, 'ns')

# Reads all rows, one by one: @each_row (..., 0) @done
each_row = 'set table $nothing; plot data using'
done = 'with table; unset table'

# --- around the plot ------------------------------------------------------------------------------

set border 3 linecolor rgb quiet
set tics textcolor rgb ink nomirror out
set grid linecolor rgb faint linetype 1 linewidth 1
set key textcolor rgb ink noautotitle
set style fill solid 1.0 noborder

set label 1001 short(heading, 76) at screen 0.015, 1.0 - 34.0 / height font large \
    textcolor rgb ink
set label 1002 short(machine, 138) at screen 0.985, 20.0 / height right font tiny \
    textcolor rgb quiet

# The note below the plot, above the line of the machine.
noted = 'set label 5 note at screen across, 48.0 / height left font tiny textcolor rgb quiet'

# A plot of bars, a row each, with columns of words at the right.
bars = 'across = 0.225; set lmargin at screen 0.225; set rmargin at screen 0.985; \
    set tmargin at screen 1.0 - 132.0 / height; set bmargin at screen 118.0 / height; \
    set yrange [rows - 0.5:-0.5]; set border 2; set tics font small; unset ytics; set grid xtics; \
    height_of_row = rows > 26 ? small : normal; half = 0.38; @noted'
over_column = 'graph 1.0 right offset 0, 0.7 font small textcolor rgb quiet'
in_column = 'with labels right font height_of_row textcolor rgb ink'
name_of_row = 'with labels right offset -0.6, 0 font height_of_row textcolor rgb ink'
