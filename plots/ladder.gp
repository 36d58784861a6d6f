# A cell's rungs as bars, from the first of the ladder down: data NAME.tsv, with `rows` of them, times
# between `least` and `most` seconds, `devices` whether any is not the
# CPU's, and `device` which, `ratio` the heading of
# the first column of ratios.
data = name.'.tsv'
rung = 'short(strcol(2), 24)'

# Bars have the left of the plot, and the words about them the right.
begin = least / 2.0
longest = most * 1.3
at(share) = begin * (longest / begin) ** share
wide = devices ? 1.72 : 1.58

set lmargin at screen 0.225
set rmargin at screen 0.985
set tmargin at screen 1.0 - 132.0 / height
set label 5 'time, on a scale of powers of ten; whiskers: the median''s 95 % interval; =: the same within 2 %; ?: not settled' at screen 0.225, 50.0 / height left font tiny textcolor rgb quiet
set bmargin at screen 118.0 / height
set xrange [begin:at(wide)]
set yrange [rows - 0.5:-0.5]
set logscale x
set border 2
set format x '%.0s %cs'
set xtics 1e-12, 10, longest scale 0.5 font small
set xtics add ('' at(wide))
set grid xtics
unset ytics
size = rows > 26 ? tiny : normal

across = 0.225
array words[2 + 2 * devices]
array colours[2 + 2 * devices]
words[1] = 'CPU, one core'; colours[1] = sky
words[2] = 'CPU, several cores'; colours[2] = blue
if (devices) {
    words[3] = device.', end to end'; colours[3] = orange
    words[4] = device.', run alone'; colours[4] = red
}
load 'scripts/legend.gp'
set arrow 1 from at(1.0), graph 0 to at(1.0), graph 1 nohead linecolor rgb faint
place(n) = at(1.0 + (wide - 1.0) * (n + 1.0) / (devices ? 4.0 : 3.0) - 0.01)

set label 1 'end to end' at place(0), graph 1.0 right offset 0, 0.7 font small textcolor rgb quiet
if (devices) { set label 2 'run alone' at place(1), graph 1.0 right offset 0, 0.7 font small textcolor rgb quiet }
set label 3 ratio at place(1 + devices), graph 1.0 right offset 0, 0.7 font small textcolor rgb quiet
set label 4 'x base' at place(2 + devices), graph 1.0 right offset 0, 0.7 font small textcolor rgb quiet

# The run alone is an empty text where there is no device: gnuplot 5.4 breaks off at labels that are nowhere.
plot data using 4:1:(begin):4:($1 - 0.38):($1 + 0.38):(shade($3)) with boxxyerror linecolor rgb variable, \
    '' using 7:1:(begin):7:($1 - 0.19):($1 + 0.19) with boxxyerror linecolor rgb red, \
    '' using 4:1:5:6 with xerrorbars pointtype 0 linewidth 2 linecolor rgb ink, \
    '' using (begin):1:(short(strcol(2), 24)) with labels right offset -0.6, 0 font size textcolor rgb ink, \
    '' using (place(0)):1:(strcol(10)) with labels right font size textcolor rgb ink, \
    '' using (place(devices)):1:(devices ? strcol(11) : '') with labels right font size textcolor rgb ink, \
    '' using (place(1 + devices)):1:(strcol(12)) with labels right font size textcolor rgb ink, \
    '' using (place(2 + devices)):1:(strcol(13)) with labels right font size textcolor rgb ink, \
    '' using (at(0.01)):1:(strcol(14) eq '-' ? '' : short(strcol(14), 62)) with labels left font tiny textcolor rgb quiet
unset output
