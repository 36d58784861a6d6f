# Puts a gap behind each thread-local array of an assembler text: harness/sim/shared.c.
$1 ~ /^\.(section|text|data|bss)$/ { gaps = $2 ~ /^\.tbss/ }
gaps && $1 == ".zero" { $2 = $2 " + 256" }
{ print }
