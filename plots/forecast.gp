# Draws scaling curves for "rungs scale", with what is measured solid and what is extrapolated dashed: at the left the
# speed-up of strong scaling, at the right the efficiency, of weak scaling if there is any.  Each of `variants` curves has
# the rows with its number, from 0, in the column "curve".
load 'scripts/style.gp'
array hues[7] = [0xd55e00, 0x0072b2, 0x009e73, 0xe69f00, 0x56b4e9, 0xcc79a7, 0x1a1a1a]
if (dark) { hues[7] = 0xeeeeee }
array name_of[variants]; array kind_of[variants]; array hue_of[variants]
largest = 1.0; fastest = 1.0; weak = 0
@each_row (k = int(num('curve')) + 1, name_of[k] = strcol('variant').(strcol('accepted') eq 'yes' ? '' : ', refused'), \
    kind_of[k] = strcol('scaling'), hue_of[k] = int(num('hue')), weak = weak + (strcol('scaling') eq 'weak'), \
    largest = more(largest, num('ranks')), fastest = more(fastest, num('speedup')), 0) @done
shown = weak > 0 ? 'weak' : 'strong'

hue(k) = hues[hue_of[k] % 7 + 1]
in_curve(k, part) = num('curve') == k - 1 && num(part) == 1 ? num('ranks') : NaN
solid = 'with linespoints linewidth 3 * thick dashtype 1 linecolor rgb hue(k) pointtype 7 pointsize dot'
dashed = 'with lines linewidth 2 * thick dashtype 2 linecolor rgb hue(k)'
is_of(k, kind) = kind_of[k] eq kind

set tmargin at screen 1.0 - 135.0 / height
set bmargin at screen 140.0 / height
set tics scale 0.5 font small
set grid xtics ytics
set logscale x 2
set xrange [1:largest * 1.05]
set xtics 4
set label 5 'solid: measured; dashed: extrapolated by a formula that is at most 25 % off at the measured ranks; grey: ideal' \
    at screen 0.985, 46.0 / height right font tiny textcolor rgb quiet
ideal = 'with lines linewidth 3 linecolor rgb faint'
set multiplot
set lmargin at screen 0.08; set rmargin at screen 0.41
set label 10 'strong scaling: times faster than one rank' at screen 0.08, 1.0 - 80.0 / height left font small \
    textcolor rgb ink
set label 12 'ranks' at screen 0.245, 76.0 / height center font small textcolor rgb ink
set logscale y 2
set yrange [0.5:more(fastest, 2) * 2]
set format y '%g'
plot x @ideal, \
    for [k = 1:variants] data using (is_of(k, 'strong') ? in_curve(k, 'extrapolated') : NaN):(num('speedup')) @dashed, \
    for [k = 1:variants] data using (is_of(k, 'strong') ? in_curve(k, 'measured') : NaN):(num('speedup')) @solid

set lmargin at screen 0.475; set rmargin at screen 0.785
do for [i in "1001 1002 5"] { unset label int(i) }
set label 10 shown.' scaling: efficiency, share of the ideal' at screen 0.475, 1.0 - 80.0 / height
set label 12 'ranks' at screen 0.63, 76.0 / height
set key at screen 0.795, 1.0 - 120.0 / height left top vertical maxcols 1
set key Left reverse samplen 2 font small
unset logscale y
set yrange [0:105 < *]
set format y '%.0f %%'
plot 100 @ideal, \
    for [k = 1:variants] data using (is_of(k, shown) ? in_curve(k, 'extrapolated') : NaN):(100 * num('efficiency')) @dashed, \
    for [k = 1:variants] data using (is_of(k, shown) ? in_curve(k, 'measured') : NaN):(100 * num('efficiency')) \
        @solid title (is_of(k, shown) ? short(name_of[k], 20) : '')
unset multiplot
unset output
