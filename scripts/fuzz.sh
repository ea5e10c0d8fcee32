#!/bin/bash
# Runs every fuzz target of a build: fuzz.sh BUILD-FOLDER SECONDS-EACH
# New inputs are kept in BUILD-FOLDER/corpus/<what>, what fails in BUILD-FOLDER/failures.
set -uo pipefail
cd "$(dirname "$0")/.."
build=$1
seconds=$2
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
    log=$build/$name.log
    echo "==== $name: $seconds s ===="
    if "$target" -max_total_time="$seconds" -print_final_stats=1 -timeout=10 \
        -artifact_prefix="$build/failures/$name-" "${corpora[@]}" >"$log" 2>&1; then
        grep '^stat::' "$log"
    else
        tail -n 60 "$log"
        failed+=("$name")
    fi
done

if [ ${#failed[@]} -gt 0 ]; then
    echo "failed: ${failed[*]}; the inputs are in $build/failures"
    exit 1
fi
