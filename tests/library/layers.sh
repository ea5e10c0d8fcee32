#!/bin/sh
# layers.sh SRC: every #include "module/..." and <mote/...> under SRC, and in the programs beside it
# that SRC/layers.txt names, obeys that file. The checker is tried on wrong trees first, so that it
# cannot pass by not looking.
set -eu
src=$1

check() # check FOLDER RULES
{
    find -L "$1" -name '*.[ch]' | sort | while read -r file; do
        grep -nE '^[ ]*#[ ]*include[ ]*("[^"]*"|<mote/[^>]*>)' "$file" /dev/null || true
    done | awk -v root="$1/" '
        function module_of(path) { sub(/\/[^\/]*$/, "", path); sub(/\/(rows|kernels|formulas)$/, "", path)
                                   return path }
        FNR == NR && $1 == "layer" { for (i = 2; i <= NF; ++i) height[$i] = FNR }
        FNR == NR && $1 == "edge" { edge[$2, $3] = 1 }
        FNR == NR && $1 == "only" { limited[$2] = 1; for (i = 3; i <= NF; ++i) seen[$2, $i] = 1 }
        FNR == NR && $1 == "program" { program[$2] = 1; for (i = 3; i <= NF; ++i) seen[$2, $i] = 1 }
        FNR == NR && $1 == "header" { owner[$2] = $3 }
        FNR == NR { next }
        {
            split($0, part, ":")
            from = part[1]; sub(root, "", from); from = module_of(from)
            target = $0; sub(/^[^"<]*["<]/, "", target); sub(/[">].*$/, "", target)
            if (target ~ /^mote\//) {
                name = target; sub(/^mote\//, "", name); sub(/\.h$/, "", name)
                if (name == "double_names") next
                to = name in owner ? owner[name] : name
            } else to = module_of(target)
            ++count
            if (target ~ /^[^\/]*\.inc$/) next # generated text
            public = target ~ /^mote\//
            if (from in program)
                why = public || from == to || (from, to) in seen ? "" : from " must not see " to
            else if (!(from in height)) why = "module " from " is in no layer"
            else if (!(to in height)) why = "module " to " is in no layer"
            else if (from == to) why = ""
            else if (from in limited) why = (from, to) in seen ? "" : from " must not see " to
            else if (height[to] < height[from]) why = ""
            else why = (from, to) in edge ? "" : from " is not above " to
            if (why != "") { print part[1] ":" part[2] ": includes " target ": " why; bad = 1 }
        }
        END { if (count == 0) { print "no includes found"; bad = 1 }; exit bad }' "$2" -
}

wrong=$(mktemp -d)
trap 'rm -rf "$wrong"' EXIT
mkdir -p "$wrong/base" "$wrong/io" "$wrong/forces/rows"
echo '#include "forces/force.h"' > "$wrong/base/upwards.c"
if check "$wrong" "$src/layers.txt" > /dev/null; then echo "the checker misses base -> forces"; exit 1; fi
rm "$wrong/base/upwards.c"
echo '#include <mote/world.h>' > "$wrong/io/sideways.h"
if check "$wrong" "$src/layers.txt" > /dev/null; then echo "the checker misses io -> world"; exit 1; fi
rm "$wrong/io/sideways.h"
mkdir "$wrong/plot"
echo '#include "render/image.h"' > "$wrong/plot/inside.c"
if check "$wrong" "$src/layers.txt" > /dev/null; then echo "the checker misses plot -> render"; exit 1; fi
rm -r "$wrong/plot"
echo '#include "fields/field.h"' > "$wrong/forces/rows/right.c"
check "$wrong" "$src/layers.txt"

check "$src" "$src/layers.txt"
root=$(dirname "$src")
for program in $(awk '$1 == "program" { print $2 }' "$src/layers.txt"); do
    mkdir -p "$wrong/programs"
    ln -s "$root/$program" "$wrong/programs/$program"
done
check "$wrong/programs" "$src/layers.txt"
echo "layers: every include points downwards"
