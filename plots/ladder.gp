# rungs plot: each variant's time, end to end and resident, with interval and speed-up
# place: 1
# heading: Times
# each: table
# rows: most=1
# all: swept=0
# needs: 1 e2e_s
# else: no variant has a time in these files
#
# Bars, in the order of the ladder.
names = rows; bars_only = 1
load 'scripts/style.gp'
note = "time, logarithmic; whisker: 95 % interval, none: too few rounds; ".\
    '=: same within 2 %; ?: unresolved'

# Finds the shortest and the longest time, the shades and the device.  The first column of ratios is
# relative to the first of the ladder or, if that has no time, to the fastest on one core.
least = 1e300; most = 0.0; device = ''; ratio = '1-core'
array shown[3] = [0, 0, 0]
shorter(column_name) = least = less(less(least, num(column_name.'_s')), num(column_name.'_low_s'))
longer(column_name) = most = more(more(most, num(column_name.'_s')), num(column_name.'_high_s'))
@each_row (shorter('e2e'), shorter('resident'), longer('e2e'), longer('resident'), \
    kind = int(num('shade')) + 1, timed = is_known(num('e2e_s')), \
    timed ? (shown[kind] = 1) : 0, timed && kind == 3 ? (device = capitals(strcol('device'))) : 0, \
    is_known(num('first_x')) ? (ratio = 'first') : 0, 0) @done
devices = shown[3]

# Bars are on the left, words on the right.  A logarithmic scale has no zero, so bars begin at a power of
# ten, which is labelled.
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

array words[4] = ['CPU, one core', 'CPU, several cores', device.', end to end', \
    device.', resident']
array colours[4] = [sky, blue, orange, red]
if (!shown[1]) { words[1] = '' }
if (!shown[2]) { words[2] = '' }
if (!shown[3]) { words[3] = ''; words[4] = '' }
load 'scripts/legend.gp'

set label 1 'end to end' at place(0), @over_column
if (devices) { set label 2 'resident' at place(1), @over_column }
set label 3 'x '.ratio at place(1 + devices), @over_column
set label 4 'x base' at place(2 + devices), @over_column

# The reason for a missing time.
why(row) = said(strcol('outcome')).(strcol('reason') eq '-' ? '' : ': '.strcol('reason'))
reason(row) = is_known(num('e2e_s')) ? '' : short(why(0), 62)

# Without a device the resident time is an empty text, because gnuplot 5.4 crashes at labels without a
# place.
time = 'with boxxyerror linecolor rgb'
plot data using (num('e2e_s')):0:(begin):(num('e2e_s')):($0 - half):($0 + half):\
        (shade(num('shade'))) @time variable, \
    '' using (num('resident_s')):0:(begin):(num('resident_s')):($0 - half / 2):($0 + half / 2) \
        @time red, \
    '' using (known(num('e2e_low_s'), num('e2e_s'))):0:'e2e_low_s':'e2e_high_s' \
        with xerrorbars pointtype 0 linewidth 2 linecolor rgb ink, \
    '' using (begin):0:(short(strcol('variant'), 24)) @name_of_row, \
    '' using (place(0)):0:(duration(num('e2e_s'))) @in_column, \
    '' using (place(devices)):0:(devices ? duration(num('resident_s')) : '') @in_column, \
    '' using (place(1 + devices)):0:(strcol(ratio.'_mark')) @in_column, \
    '' using (place(2 + devices)):0:(strcol('base_mark')) @in_column, \
    '' using (at(0.01)):0:(reason(0)) with labels left font tiny textcolor rgb quiet
unset output
