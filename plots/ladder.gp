# A cell's rungs as bars, from the first of the ladder down: data NAME.tsv, with `rows` of them,
# times between `least` and `most` seconds, whose shades are `shown`, `devices` whether any is not
# the CPU's, and `device` which, `ratio` the heading of the first column of ratios.
data = name.'.tsv'
note = "time, on a logarithmic scale; whisker: the median's 95 % interval, none: too few rounds; ".\
    '=: same within 2 %; ?: not settled'

# Bars have the left of the plot, and the words about them the right.  A logarithmic scale has no
# zero, so that bars begin at a power of ten, which has its number.
begin = 10 ** floor(log10(least / 1.2))
longest = most * 1.3
at(share) = begin * (longest / begin) ** share
wide = devices ? 1.72 : 1.58
place(n) = at(1.0 + (wide - 1.0) * (n + 1.0) / (devices ? 4.0 : 3.0) - 0.01)

@bars
set xrange [begin:at(wide)]
set logscale x
set format x '%.0s %cs'
set xtics begin, 10, longest scale 0.5 font small
do for [i in "2 5 20"] {
    if (longest < 30 * begin && i * begin < longest) { set xtics add (i * begin) }
}
set xtics add ('' at(wide))
set arrow 1 from at(1.0), graph 0 to at(1.0), graph 1 nohead linecolor rgb faint

array words[4] = ['CPU, one core', 'CPU, several cores', device.', end to end', device.', run alone']
array colours[4] = [sky, blue, orange, red]
if (!shown[1]) { words[1] = '' }
if (!shown[2]) { words[2] = '' }
if (!shown[3]) { words[3] = ''; words[4] = '' }
load 'scripts/legend.gp'

set label 1 'end to end' at place(0), @over_column
if (devices) { set label 2 'run alone' at place(1), @over_column }
set label 3 ratio at place(1 + devices), @over_column
set label 4 'x base' at place(2 + devices), @over_column

# The run alone is an empty text where there is no device: gnuplot 5.4 crashes at labels that are
# nowhere.
time = 'with boxxyerror linecolor rgb'
reason(text) = text eq '-' ? '' : short(text, 62)
plot data using 4:1:(begin):4:($1 - half):($1 + half):(shade($3)) @time variable, \
    '' using 7:1:(begin):7:($1 - half / 2):($1 + half / 2) @time red, \
    '' using (known($5, $4)):1:5:6 with xerrorbars pointtype 0 linewidth 2 linecolor rgb ink, \
    '' using (begin):1:(short(strcol(2), 24)) @name_of_row, \
    '' using (place(0)):1:(strcol(10)) @in_column, \
    '' using (place(devices)):1:(devices ? strcol(11) : '') @in_column, \
    '' using (place(1 + devices)):1:(strcol(12)) @in_column, \
    '' using (place(2 + devices)):1:(strcol(13)) @in_column, \
    '' using (at(0.01)):1:(reason(strcol(14))) with labels left font tiny textcolor rgb quiet
unset output
