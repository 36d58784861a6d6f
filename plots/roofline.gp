# rungs plot: variants under the peaks of their machine (rungs ceilings writes them beside FILE)
# place: 4
# heading: Rooflines
# each: table
# rows: most=1 e2e_s>0
# all: swept=0
# needs: 1 e2e_s
# with: roofs
# halo: yes
# else: it needs times, and ceilings of the same machine; run rungs ceilings there
#
# harness/plots/roofline.c computes the roofs and the places of names.
note = 'names: CPU on the left, other devices on the right; full: resident, ring: end to end; '.\
    'dashed: from cache, or in less precise arithmetic'

# Names are on two sides.
array side[2] = [0, 0]; device = ''
set datafile separator "\t" columnheaders
set table $nothing
plot name.'.tsv' using (k = strcol('kind') eq 'device' ? 2 : 1, side[k] = side[k] + 1, \
    k == 2 ? (device = strcol('device')) : 0, 0) with table
unset table
names = 2 + (side[1] > side[2] ? side[1] : side[2])
load 'scripts/style.gp'
data = name.'-roofs.tsv'
device = capitals(device)

# $drawn has an index for each of these: full lines, dashed lines, names of levels, names of slopes,
# points of the CPU, points of others.  An empty one gets a dummy name, because gnuplot 5.4 crashes if no
# label has a place.
array what[roofs]; array line[roofs]; array shade_of[roofs]; array is_named[roofs]
n = 0
@each_row (n = n + 1, what[n] = strcol('what'), shade_of[n] = int(or_zero(num('shade'))), \
    is_named[n] = is_known(num('name_x')), \
    line[n] = sprintf("%d\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g\t%s", shade_of[n], num('x1'), \
        num('y1'), num('x2'), num('y2'), num('name_x'), num('name_y'), \
        strcol('name')), \
    what[n] eq 'frame' ? (begin = num('x1'), bottom = num('y1'), finish = num('x2'), \
        top = num('y2'), intensity = num('name_x')) : 0, 0) @done
set datafile nocolumnheaders
is(i, names) = strstrt(' '.names.' ', ' '.what[i].' ') > 0
belongs(block, i) = block == 1 ? is(i, 'memory arithmetic') : \
    block == 2 ? is(i, 'cache beyond best') : \
    block == 3 ? is(i, 'arithmetic best') : \
    block == 4 ? is(i, 'memory cache') && is_named[i] : \
    is(i, 'point') && (shade_of[i] == 2) == (block == 6)
set print $drawn
do for [block = 1:6] {
    left = 1
    do for [i = 1:n] { if (belongs(block, i)) { print line[i]; left = 0 } }
    if (left) { print sprintf("0\tNaN\tNaN\tNaN\tNaN\t%.9g\t%.9g\t-", begin, top) }
    print ''
    print ''
}
unset print

across = 0.1
@noted
set lmargin at screen 0.1
set rmargin at screen 0.975
set tmargin at screen 1.0 - 105.0 / height
set bmargin at screen 155.0 / height
set xrange [begin:finish]
set yrange [bottom:top]
set logscale xy
set format x '%g'
set format y '%.0s%c'
set tics scale 0.5 font small
set grid xtics ytics
under = 'font small textcolor rgb ink'
set label 6 'flops per byte of inputs and outputs' at screen 0.5375, 78.0 / height center @under
set label 7 'flops per second' at screen 0.02, 0.5 center rotate @under

array words[device eq '' ? 2 : 3]
array colours[device eq '' ? 2 : 3]
words[1] = 'CPU, one core'; colours[1] = sky
words[2] = 'CPU, several cores'; colours[2] = blue
if (device ne '') { words[3] = device; colours[3] = orange }
load 'scripts/legend.gp'

# The outline of names.  gnuplot's SVG has none; harness/plots/svg.c adds it.
set style textbox opaque fillcolor rgb paper noborder margins 0.3, 0.1
clear = picture eq 'svg' ? '' : 'boxed'

# The angle of a slope of 1 on this canvas.
decade_x = 1600 * 0.875 / log10(finish / begin)
decade_y = (height - 260.0) / log10(top / bottom)
angle = atan2(decade_y, decade_x) * 180.0 / pi
slope = (finish / begin) ** 0.01

# Names are beside the points; "-" is no name.
side = (finish / begin) ** 0.03
beside(x) = x < begin ? begin : x > finish ? finish : x
named = '@clear font small textcolor rgb ink'
leader = 'with vectors nohead linecolor rgb quiet'
level = 'font tiny textcolor rgb ink'
dots = 'pointsize dot linewidth 2 * thick linecolor rgb'
lines = 'using 2:3:($4 - $2):($5 - $3):(shade($1)) \
    with vectors nohead linecolor rgb variable linewidth'

plot $drawn index 0 @lines 3 * thick, \
    '' index 1 @lines 2 * thick dashtype 2, \
    '' index 2 using 6:7:(said(strcol(8))) with labels right offset -0.5, 0.7 @level, \
    '' index 3 using ($6 * slope):($7 * slope):(said(strcol(8))) \
        with labels left rotate by angle @level, \
    '' index 4 using (intensity):3:(intensity / side - intensity):($7 - $3) @leader, \
    '' index 5 using (intensity):3:(intensity * side - intensity):($7 - $3) @leader, \
    '' index 5 using 2:5 with points pointtype 6 @dots orange, \
    '' index 4:5 using 2:3:(shade($1)) with points pointtype 7 @dots variable, \
    '' index 4 using (beside(intensity / side)):7:(short(said(strcol(8)), 24)) \
        with labels right offset -0.3, 0 @named, \
    '' index 5 using (beside(intensity * side)):7:(short(said(strcol(8)), 24)) \
        with labels left offset 0.3, 0 @named
unset output
