#!/bin/bash
# Runs every fuzz target of a build: fuzz.sh BUILD-FOLDER SECONDS-EACH [OPTION-OF-LIBFUZZER...]
# As many run at once as there are processors.
# New inputs are kept in BUILD-FOLDER/corpus/<what>, what fails in BUILD-FOLDER/failures, and how long
# each target has run in BUILD-FOLDER/fuzz-ledger.tsv, whose sums are for docs/reliability.md. The
# last line is "N passed, N failed", of targets.
set -uo pipefail
cd "$(dirname "$0")/.."
build=$1
seconds=$2
shift 2
options=("$@")
passed=0
failed=()

mkdir -p "$build/failures"
ledger=$build/fuzz-ledger.tsv
TIMEFORMAT='%U %S'

# A line of the ledger: target, CPU seconds, executions.
note() {
    local name=$1 log=$2 cpu=$3
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    echo "$name $cpu ${executions:-0}" | awk '{ printf "%s\t%.1f\t%s\n", $1, $2 + $3, $4 }' >>"$ledger"
}

# "scene: 0.42 CPU hours, 312000 executions in all"
sums() {
    awk -F '\t' '{ cpu[$1] += $2; runs[$1] += $3; all += $2 }
        END { for (n in cpu) printf "%s: %.2f CPU hours, %d executions in all\n", n, cpu[n] / 3600, runs[n] | "sort"
              close("sort"); printf "together: %.2f CPU hours\n", all / 3600 }' "$ledger"
}

# Runs the target of this name; where it passes, a file of that name is in $passes.
run() {
    local name=$1 log=$build/$1-$$.log cpu said # several scripts may run at once, with seeds of their own
    local corpora=("$build/corpus/$name")
    mkdir -p "${corpora[0]}"
    if [ -d "tests/fuzz/corpus/$name" ]; then corpora+=("tests/fuzz/corpus/$name"); fi
    if [ "$name" = scene ]; then corpora+=(scenes); fi
    if cpu=$({ time "$build/tests/fuzz/fuzz-$name" -max_total_time="$seconds" -print_final_stats=1 -timeout=10 \
        -artifact_prefix="$build/failures/$name-" "${options[@]}" "${corpora[@]}" >"$log" 2>&1; } 2>&1); then
        touch "$passes/$name"
        said=$(grep '^stat::' "$log")
    else
        said=$(tail -n 60 "$log")
    fi
    note "$name" "$log" "$cpu"
    printf '==== %s: %s s ====\n%s\n' "$name" "$seconds" "$said"
}

passes=$(mktemp -d)
trap 'rm -rf "$passes"' EXIT
names=()
for target in "$build"/tests/fuzz/fuzz-*; do
    [ -f "$target" ] && [ -x "$target" ] || continue
    while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n; done
    names+=("${target##*/fuzz-}")
    run "${target##*/fuzz-}" &
done
wait
for name in ${names[@]+"${names[@]}"}; do
    if [ -e "$passes/$name" ]; then passed=$((passed + 1)); else failed+=("$name"); fi
done

sums
if [ ${#failed[@]} -gt 0 ]; then
    echo "failed: ${failed[*]}; the inputs are in $build/failures"
fi
echo "$passed passed, ${#failed[@]} failed"
[ ${#failed[@]} -eq 0 ] && [ "$passed" -gt 0 ]
