# Draws curves of all variants, in two plots side by side, with their names at the right.  The script
# that loads this one sets `note` and `axis`, and defines functions of a row:
#   across(0)      x; if a variant has two rows with the same x, the later one counts
#   at_left(end), at_right(end)
#                  the two values; `end` is '', '_low' or '_high' (the interval); first[k] is
#                  at_left('') in the first row of curve k
#   weight(0)      orders the curves, by their last rows, the largest first
# (gnuplot has no functions without arguments, hence the 0.)
# $curves then has an index for each of the `variants`: x, left, low, high, right, low, high.  The
# arrays xs, ys and zs have across(0), at_left('') and at_right('') of each row, of[row] its variant.
load 'scripts/style.gp'
array name_of[variants]; array first[variants]; array last[variants]; array heavy[variants]
array shade_of[variants]; array of[rows]; array xs[rows]; array ys[rows]; array zs[rows]
array line[rows]
found = 0; row = 0; k = 0
number(variant) = (sum [j = 1:found] (name_of[j] eq variant ? j : 0))
begin(variant) = (found = found + 1, k = found, name_of[k] = variant, last[k] = 0, \
    shade_of[k] = int(num('shade')), first[k] = at_left(''))
repeats(k) = last[k] > 0 ? xs[last[k]] == xs[row] : 0
@each_row (row = row + 1, k = number(strcol('variant')), k == 0 ? begin(strcol('variant')) : 0, \
    of[row] = k, xs[row] = across(0), ys[row] = at_left(''), zs[row] = at_right(''), \
    line[row] = sprintf("%.9g\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g", xs[row], ys[row], \
        at_left('_low'), at_left('_high'), zs[row], at_right('_low'), at_right('_high')), \
    repeats(k) ? (of[last[k]] = 0) : 0, last[k] = row, heavy[k] = weight(0), 0) @done

# The order of curves: number turn[n] is the n-th.
array turn[variants]
do for [i = 1:variants] {
    lighter = (sum [j = 1:variants] (heavy[j] > heavy[i] || (heavy[j] == heavy[i] && j < i)))
    turn[lighter + 1] = i
}
set print $curves
do for [n = 1:variants] {
    do for [r = 1:rows] { if (of[r] == turn[n]) { print line[r] } }
    print ''
    print ''
}
unset print
set datafile nocolumnheaders

# Seven colours and four shapes of points: the first 28 curves differ.  Curves of the CPU are dashed if
# there are others.
array hues[7] = [0xd55e00, 0x0072b2, 0x009e73, 0xe69f00, 0x56b4e9, 0xcc79a7, 0x1a1a1a]
if (dark) { hues[7] = 0xeeeeee }
array dots[4] = [7, 5, 9, 13]
hue(i) = hues[(i - 1) % 7 + 1]
shape(i) = dots[(i - 1) % 4 + 1]
others = (sum [i = 1:variants] (shade_of[i] == 2)) > 0
dash(i) = others && shade_of[turn[i]] != 2 ? 2 : 1
curve = 'linewidth 2 * thick dashtype dash(i) linecolor rgb hue(i) \
    pointtype shape(i) pointsize dot * 0.6'
# A median without an interval has no whisker.
whisker = 'with yerrorbars linewidth 2 * thick dashtype 1 linecolor rgb hue(i) pointtype 0'
ring = 'pointtype 6 pointsize dot * 1.8 linewidth 3 linecolor rgb ink'
named = 'title short(name_of[turn[i]], 20)'

# Whiskers and curves of the left values, and of the right values with names.
whiskers_at_left = 'for [i = 1:variants] $curves index i - 1 using 1:(known($3, $2)):3:4 @whisker'
curves_at_left = 'for [i = 1:variants] $curves index i - 1 using 1:2 with linespoints @curve'
whiskers_at_right = 'for [i = 1:variants] $curves index i - 1 using 1:(known($6, $5)):6:7 @whisker'
curves_at_right = \
    'for [i = 1:variants] $curves index i - 1 using 1:5 with linespoints @curve @named'

set tmargin at screen 1.0 - 135.0 / height
set bmargin at screen 140.0 / height
set tics scale 0.5 font small
set grid xtics ytics
set label 5 (others ? 'dashed: CPU; ' : '').note at screen 0.985, 46.0 / height right \
    font tiny textcolor rgb quiet
set label 12 axis at screen 0.245, 76.0 / height center font small textcolor rgb ink
set label 13 axis at screen 0.63, 76.0 / height center font small textcolor rgb ink

# The two plots with their headings.
set label 10 at screen 0.08, 1.0 - 80.0 / height left font small textcolor rgb ink
set label 11 at screen 0.08, 1.0 - 112.0 / height left font tiny textcolor rgb quiet
on_the_left = 'set lmargin at screen 0.08; set rmargin at screen 0.41'
on_the_right = 'set lmargin at screen 0.475; set rmargin at screen 0.785; \
    do for [i in "1001 1002 5 12 13"] { unset label int(i) }; \
    set label 10 at screen 0.475, 1.0 - 80.0 / height; \
    set label 11 at screen 0.475, 1.0 - 112.0 / height; \
    set key at screen 0.795, 1.0 - 120.0 / height left top vertical maxcols 1; \
    set key Left reverse samplen 2 font small'
