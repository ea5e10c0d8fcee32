#!/bin/sh
# types.sh SRC: the name of a struct, union or enum means one thing in all of SRC, so that a reader who looks for
# it finds one. The checker is tried on a wrong tree first, so that it cannot pass by not looking.
set -eu
src=$1

twice() # twice FOLDER: prints the names that stand there more than once, and where
{
    find "$1" -name '*.[ch]' | sort | xargs awk '
        /^typedef (struct|union|enum)[^;]*\{/ { open = 1 }
        open && /^\} [A-Za-z0-9_]+;/ {
            name = $2; sub(/;.*/, "", name); open = 0
            if (name in where) { print name ": " where[name] " and " FILENAME; bad = 1 }
            where[name] = FILENAME
            ++count
        }
        END { print count + 0 > "/dev/stderr"; exit bad }'
}

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
printf 'typedef struct Near {\n    int a;\n} Near;\n' > "$tmp/a.h"
twice "$tmp" 2> /dev/null || { echo "the checker finds one where there is none"; exit 1; }
printf 'typedef enum Near { A, B } Other;\ntypedef union Near {\n    int b;\n} Near;\n' > "$tmp/b.c"
if twice "$tmp" > /dev/null 2>&1; then echo "the checker misses a type that stands twice"; exit 1; fi

twice "$src" 2> "$tmp/count" || { echo "types that stand twice: name them by what they are of"; exit 1; }
echo "types: $(cat "$tmp/count") names, each once"
