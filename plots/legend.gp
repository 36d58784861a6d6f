# The legend of colours, in a line above the plot that begins at `across`: arrays `words` and `colours`.
# An empty word is skipped.
level = 1.0 - 72.0 / height
do for [i = 1:|words|] {
    if (words[i] eq '') { continue }
    set object 900 + i rectangle from screen across, level - 9.0 / height \
        to screen across + 0.018, level + 9.0 / height \
        fillcolor rgb colours[i] fillstyle solid noborder
    set label 900 + i words[i] at screen across + 0.024, level left font small textcolor rgb ink
    across = across + 0.042 + 0.0079 * strlen(words[i])
}
