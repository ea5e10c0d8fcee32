#!/bin/bash
# Runs every fuzz target of a build: fuzz.sh BUILD-FOLDER SECONDS-EACH [OPTION-OF-LIBFUZZER...]
# New inputs are kept in BUILD-FOLDER/corpus/<what>, what fails in BUILD-FOLDER/failures. The last
# line is "N passed, N failed", of targets.
set -uo pipefail
cd "$(dirname "$0")/.."
build=$1
seconds=$2
shift 2
passed=0
failed=()

mkdir -p "$build/failures"
for target in "$build"/tests/fuzz/fuzz-*; do
    [ -f "$target" ] && [ -x "$target" ] || continue
    name=${target##*/fuzz-}
    found=$build/corpus/$name
    seeds=tests/fuzz/corpus/$name
    mkdir -p "$found"
    corpora=("$found")
    if [ -d "$seeds" ]; then corpora+=("$seeds"); fi
    if [ "$name" = scene ]; then corpora+=(scenes); fi
    log=$build/$name.log
    echo "==== $name: $seconds s ===="
    if "$target" -max_total_time="$seconds" -print_final_stats=1 -timeout=10 \
        -artifact_prefix="$build/failures/$name-" "$@" "${corpora[@]}" >"$log" 2>&1; then
        grep '^stat::' "$log"
        passed=$((passed + 1))
    else
        tail -n 60 "$log"
        failed+=("$name")
    fi
done

if [ ${#failed[@]} -gt 0 ]; then
    echo "failed: ${failed[*]}; the inputs are in $build/failures"
fi
echo "$passed passed, ${#failed[@]} failed"
[ ${#failed[@]} -eq 0 ] && [ "$passed" -gt 0 ]
