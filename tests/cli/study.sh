#!/bin/sh
# The studies print tables and write numbers and plots.
set -eu
mote=$MOTE
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "$*" >&2
    exit 1
}

"$mote" study | grep -q convergence || fail "the list lacks convergence"
"$mote" study convergence --quick -o out > table
grep -q '^rk4 *4.00 ' table || fail "the table lacks rk4 with four evaluations"
grep -q '^Verlet  *1  3  1  ' table || fail "the textbook's table is missing"
precision=$(ls out | sed -n 's/^integrators-\(.*\)\.csv$/\1/p')
[ -n "$precision" ] || fail "no integrators-*.csv"
rows=$(($(wc -l < "out/integrators-$precision.csv") - 1))
names=$("$mote" list integrators | grep -c '^ *[a-z]' || true)
[ "$rows" -ge 20 ] && [ "$rows" -le "$names" ] || fail "$rows rows, but $names integrators"
[ "$(awk -F, 'NF != 14' "out/integrators-$precision.csv" | wc -l)" = 0 ] || fail "ragged CSV"
# columns 7 and 8: orders on the Kepler orbit
awk -F, '$1 == "rk4" { found = 1; bad = $7 < 3.5 || $7 > 4.6 } END { exit bad || !found }' \
    "out/integrators-$precision.csv" || fail "rk4 has not order 4"
awk -F, '$1 == "verlet-backward" { found = 1; bad = $7 < 1.8 || $7 > 2.2 || $8 < 0.8 || $8 > 1.2 }
    END { exit bad || !found }' "out/integrators-$precision.csv" || fail "verlet-backward: not 2 / 1"
for name in convergence energy; do [ -s "out/$name-$precision.csv" ] || fail "$name is missing"; done
if "$mote" info | grep -qi 'cairo.*yes'; then
    for name in error-over-step work-precision energy; do
        [ -s "out/$name-$precision.png" ] && [ -s "out/$name-$precision.svg" ] || fail "$name: no plot"
    done
fi
"$mote" study collision -o hits > table
# implicit Euler on a ground of 1e4 N/m: 23.6 mm deep, back to 0.132 m; of 1e6 N/m: it is not thrown
awk -F, '$2 == 10000 && $1 == "penalty" && $3 == "implicit-euler" {
        found = 1; bad = $4 < -0.0239 || $4 > -0.0233 || $5 < 0.130 || $5 > 0.134 }
    $2 == 1e6 && $1 == "penalty" && $3 == "implicit-euler" { bad = bad || $5 > 0.001 }
    $1 == "inverse" && $3 == "implicit-euler" { bad = bad || $4 <= 0 }
    END { exit bad || !found }' "hits/repulsion-$precision.csv" || fail "repulsion: $(cat table)"
# leapfrog is on the parabola: it hits what is in its way; symplectic Euler is h v / 2 below it
awk -F, '$1 == "leapfrog" && ($3 > 0) != ($4 == "miss") { bad = 1 }
    $1 == "symplectic-euler" && $2 == 0.02 && $4 != "hit" { bad = 1 }
    END { exit bad || NR != 33 }' "hits/hit-or-miss-$precision.csv" || fail "hit or miss: $(cat table)"
if "$mote" study convergense 2> message; then fail "an unknown study was taken"; fi
grep -q 'did you mean `convergence`' message || fail "$(cat message)"
for words in "convergence --case ring" "hydrostatic --case nothing" "vortex --case ring/nothing"; do
    # shellcheck disable=SC2086 # words are to be split
    if "$mote" study $words > /dev/null 2> message; then fail "$words: was taken"; fi
    grep -q '^mote: --case: ' message || fail "$words: $(cat message)"
done
echo file > taken
if "$mote" study convergence --quick -o taken > /dev/null 2> message; then fail "a file as folder"; fi
grep -q "taken: could not make the folder: Not a directory" message || fail "$(cat message)"
echo "study: tables, numbers and plots"
