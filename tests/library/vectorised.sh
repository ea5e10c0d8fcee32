#!/bin/sh
# vectorised.sh ROOT GENERATED CC FLAGS: gcc's own report says that every FOR_ROWS loop of the kernel
# files was vectorised, with MOTE_LONG in double too. FLAGS are those of one instruction set.
# A loop that only copies, as one from numbers to doubles does in double, becomes a call of memcpy:
# that is as good.
set -eu
root=$1 generated=$2 cc=$3 flags=$4
cd "$root"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0 loops=0 precisions=-DMOTE_SINGLE
if [ -n "${MOTE_LONG-}" ]; then precisions="$precisions -DMOTE_DOUBLE"; fi
for file in src/*/rows/*.c src/*/kernels/*.c src/*/*/rows/*.c src/*/*/kernels/*.c; do
    [ -f "$file" ] || continue
    grep -nE '\bFOR_ROWS *\(' "$file" | cut -d: -f1 | sort -u > "$work/wanted"
    [ -s "$work/wanted" ] || continue
    for define in $precisions; do
        $cc $flags -std=c17 -D_GNU_SOURCE -Iinclude -Isrc -I"$generated" -I. $define \
            -fopt-info-loop-optimized -S -o /dev/null "$file" 2>&1 |
            grep -E 'loop vectorized|split to 0 loops and [0-9]+ library calls' | grep -F "$file:" | cut -d: -f2 | sort -u > "$work/done"
        for line in $(comm -23 "$work/wanted" "$work/done"); do
            echo "$file:$line: not vectorised with $define"
            bad=1
        done
        loops=$((loops + $(wc -l < "$work/wanted")))
    done
done
if [ "$loops" -lt 40 ]; then echo "only $loops loops were found"; exit 1; fi
echo "$loops loops looked at"
exit $bad
