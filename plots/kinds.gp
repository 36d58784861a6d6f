# rungs plot: time over the kind of data, a mark for each variant
# place: 7
# heading: Over the kind of data
# each: problem lengths data machine devices
# rows: most=1 e2e_s>0 word!=-
# all: swept=0
# order: word_number
# needs: 2 word
# else: it needs times at one size with two kinds of data (bench knn --data all)
note = 'hollow: CPU, end to end; full: resident, or end to end without such a time; '.\
    'whiskers: 95 % interval of the median'
axis = ''

# Kinds come one after the other.  Within a kind, marks are side by side in the order of the ladder.
kinds = 0; this_kind = ''; axis_of_words = ''
array words[rows]
begin_kind(row) = (kinds = kinds + 1, this_kind = strcol('word'), words[kinds] = this_kind, \
    axis_of_words = strcol('word_axis'))
across(row) = (strcol('word') eq this_kind ? 0 : begin_kind(0), \
    kinds + 0.84 * ((k - 0.5) / variants - 0.5))
resident(end) = num('resident'.end.'_s')
at_left(end) = is_known(resident('')) ? resident(end) : num('e2e'.end.'_s')
at_right(end) = NaN
weight(row) = 0
load 'scripts/curves.gp'

set lmargin at screen 0.08
set rmargin at screen 0.8
set key at screen 0.81, 1.0 - 120.0 / height left top vertical maxcols 1
set key Left reverse samplen 1 font small
set label 5 note at screen 0.985, 46.0 / height right font tiny textcolor rgb quiet
set label 10 'time'
set label 12 axis_of_words at screen 0.44, 76.0 / height center font small textcolor rgb ink
unset label 13

set xrange [0.5:kinds + 0.5]
unset xtics
set xtics scale 0 font small textcolor rgb ink
set xtics ('' 1)
do for [i = 1:kinds] { set xtics add (words[i] i) }
set grid noxtics ytics
do for [i = 1:kinds - 1] {
    set arrow i from i + 0.5, graph 0 to i + 0.5, graph 1 nohead linecolor rgb faint
}
set logscale y
set format y '%.0s %cs'

# The shape before a full one is the same, hollow.
mark(i) = shape(i) - (shade_of[turn[i]] == 2 ? 0 : 1)
plot @whiskers_at_left, for [i = 1:variants] $curves index i - 1 using 1:2 with points \
    pointtype mark(i) pointsize dot * 0.8 linewidth 2 * thick linecolor rgb hue(i) @named
unset output
