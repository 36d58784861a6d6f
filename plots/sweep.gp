# rungs plot: time and rate over the size, with crossovers
# place: 3
# heading: Over the size
# each: file problem word
# rows: most=1 e2e_s>0 length>0
# order: length
# over: grows
# needs: 3 length
# with: crossovers
# else: it needs three sizes of a problem in one file; rungs sweep measures them
note = 'ring: from here on faster than the baseline'
axis = ''

# Below four flops a byte machines wait for memory, so the rate is in bytes.
counts_bytes(row) = num('flops') > 0 && num('bytes') > 0 && num('flops') < 4 * num('bytes')
unit_of(row) = counts_bytes(0) ? 'B/s' : num('flops') > 0 ? 'flop/s' : 'items/s'
work(row) = counts_bytes(0) ? num('bytes') : num('flops') > 0 ? num('flops') : num('items')
across(row) = (axis = strcol('grows'), unit = unit_of(0), num('length'))
at_left(end) = num('e2e'.end.'_s')
at_right(end) = end eq '' ? work(0) / num('run_s') : NaN
weight(row) = num('e2e_s') / num('items')
load 'scripts/curves.gp'
set label 12 axis; set label 13 axis

# Crossovers: the middle of the interval, or its only known end.
middle(a, b) = a > 0 && b > 0 ? sqrt(a * b) : a > 0 ? a : b
array place[crossovers + 1]; array of_variant[crossovers + 1]; array at_home[crossovers + 1]
array words[crossovers + 1]
digits(v) = 10 ** more(0, floor(log10(v)) - 2)
rounded(v) = v < 1000 ? sprintf('%.3g', v) : sprintf('%.0f', digits(v) * floor(v / digits(v) + 0.5))
from = axis eq 'items' ? 'from' : 'length_from'
to = axis eq 'items' ? 'to' : 'length_to'
n = 0
if (crossovers > 0) {
    set datafile columnheaders
    set table $nothing
    plot name.'-crossovers.tsv' using (n = n + 1, place[n] = middle(num(from), num(to)), \
        of_variant[n] = number(strcol('variant')), at_home[n] = strcol('phase') eq 'resident', \
        words[n] = strcol('variant').' from '.(place[n] > 0 ? rounded(place[n]) : '').' on, baseline '.\
            strcol('against'), 0) with table
    unset table
    set datafile nocolumnheaders
}

# Rings are on the curves: between two sizes on straight lines of the logarithmic scales.
array least_place[2] = [NaN, NaN]; array first_words[2] = ['', '']
set print $rings
do for [resident = 0:1] {
    do for [c = 1:n] {
        if (at_home[c] != resident || !(place[c] > 0)) { continue }
        if (!(least_place[resident + 1] <= place[c])) {
            least_place[resident + 1] = place[c]
            first_words[resident + 1] = 'first: '.words[c]
        }
        low = 0; high = 0
        do for [r = 1:rows] {
            if (of[r] != of_variant[c] || of_variant[c] == 0) { continue }
            if (xs[r] <= place[c]) { low = r }
            if (xs[r] >= place[c] && high == 0) { high = r }
        }
        if (low == 0 || high == 0) { continue }
        share = low == high ? 0.0 : log(place[c] / xs[low]) / log(xs[high] / xs[low])
        a = resident ? zs[low] : ys[low]
        b = resident ? zs[high] : ys[high]
        print sprintf("%.9g\t%.9g", place[c], a * (b / a) ** share)
    }
    print "NaN\tNaN"
    print ''
    print ''
}
unset print

set xrange [xs[1] / 1.3:xs[rows] * 1.3]
set logscale xy
set format x '%.0s%c'
upright = 'nohead dashtype 3 linewidth 2 linecolor rgb quiet'

set multiplot
@on_the_left
set format y '%.0s %cs'
set label 10 'time end to end'
set label 11 short(first_words[1], 52)
here = least_place[1]
if (here > 0) { set arrow 1 from here, graph 0 to here, graph 1 @upright }
plot @whiskers_at_left, @curves_at_left, $rings index 0 using 1:2 with points @ring

@on_the_right
set format y '%.0s%c'
set label 10 'rate, resident, in '.unit
set label 11 short(first_words[2], 52)
unset arrow 1
here = least_place[2]
if (here > 0) { set arrow 1 from here, graph 0 to here, graph 1 @upright }
plot @curves_at_right, $rings index 1 using 1:2 with points @ring
unset multiplot
unset output
