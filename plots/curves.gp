# Curves of several `rungs`, in two plots side by side with their names at the right; `kind` of each
# rung as in "shade".  Seven colours and four points, which are never the same together before the
# 29th; a CPU's dashed where there are others.
data = name.'.tsv'
array hues[7] = [0xd55e00, 0x0072b2, 0x009e73, 0xe69f00, 0x56b4e9, 0xcc79a7, 0x1a1a1a]
if (dark) { hues[7] = 0xeeeeee }
array dots[4] = [7, 5, 9, 13]
hue(i) = hues[(i - 1) % 7 + 1]
shape(i) = dots[(i - 1) % 4 + 1]
others = 0
do for [i = 1:|rungs|] { if (kind[i] == 2) { others = 1 } }
dash(i) = others && kind[i] != 2 ? 2 : 1
if (others) { note = 'dashed: on the CPU; '.note }
curve = 'linewidth 2 * thick dashtype dash(i) linecolor rgb hue(i) \
    pointtype shape(i) pointsize dot * 0.6'
# Where a median has no interval, it has no whisker.
whisker = 'with yerrorbars linewidth 2 * thick dashtype 1 linecolor rgb hue(i) pointtype 0'
ring = 'pointtype 6 pointsize dot * 1.8 linewidth 3 linecolor rgb ink'

set tmargin at screen 1.0 - 135.0 / height
set bmargin at screen 140.0 / height
set tics scale 0.5 font small
set grid xtics ytics
set label 5 note at screen 0.985, 46.0 / height right font tiny textcolor rgb quiet
set label 12 axis at screen 0.245, 76.0 / height center font small textcolor rgb ink
set label 13 axis at screen 0.63, 76.0 / height center font small textcolor rgb ink

# The headings of the two plots, and a line below each.
set label 10 at screen 0.08, 1.0 - 80.0 / height left font small textcolor rgb ink
set label 11 at screen 0.08, 1.0 - 112.0 / height left font tiny textcolor rgb quiet
at_left = 'set lmargin at screen 0.08; set rmargin at screen 0.41'
at_right = 'set lmargin at screen 0.475; set rmargin at screen 0.785; \
    do for [i in "1001 1002 5 12 13"] { unset label int(i) }; \
    set label 10 at screen 0.475, 1.0 - 80.0 / height; \
    set label 11 at screen 0.475, 1.0 - 112.0 / height; \
    set key at screen 0.795, 1.0 - 120.0 / height left top vertical maxcols 1; \
    set key Left reverse samplen 2 font small'
named = 'title short(rungs[i], 20)'
