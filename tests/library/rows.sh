#!/bin/sh
# rows.sh ROOT: what is particular about a row of a family stands in the row. So nobody in ROOT/src,
# cli, study, bench, plot or view compares a row's name: no literal name, no table of names with what to do
# for each.
# Finding a row by its name is done in base/row.c, by families in their own files, and in scenes.
# The checker is tried on wrong trees first, so that it cannot pass by not looking.
set -eu
root=$1

# All names that rows have, one a line, but for words that also mean a kind of object or of file.
names()
{
    find "$1" -name '*.c' | sort | xargs cat | tr -s ' \n' '  ' |
        grep -oE '((ROW_PLAIN|(ROW|EXPORT)_HEAD)\( ?|head = *\{ *\.name = )"[^"]+"' | sed 's/.*"\(.*\)"/\1/' | sort -u |
        grep -vxE 'field|collider|column|ply|value'
}

check() # check FOLDER NAMES: prints what is wrong, and fails
{
    find "$1" -name '*.[ch]' ! -path '*/base/row.c' ! -path '*/scene/read*' ! -path '*/scene/schema_keys.c' \
        ! -path '*/scene/preset.c' ! -path '*/io/export.c' ! -path '*/cli/bench.c' \
        ! -path '*/cli/study.c' | sort | while read -r file; do
        # a call may go over several lines: join what follows a comparison
        awk -v file="$file" '
            FNR == NR { name[$0] = 1; next }
            { line = $0; sub(/^ *\/?\*.*/, "", line); text = text " " line }
            text !~ /(strn?cmp|strn?casecmp|memcmp|strstr|text_equal)\(/ { text = "" }
            text ~ /;|\{/ || text == "" { judge(text == "" ? line : text); text = "" }
            function judge(t,    rest, word) {
                if (t ~ /(strn?cmp|strn?casecmp|memcmp|strstr|text_equal)\(/) {
                    if (t ~ /(head\.name|row->name|rows\[[^]]*\](\.|->)name)/) tell("compares the name of a row")
                    rest = t ~ /column->name/ ? "" : t # columns have names of their own
                    while (match(rest, /"[^"]*"/)) {
                        word = substr(rest, RSTART + 1, RLENGTH - 2)
                        if (word in name) tell("compares with the name of the row `" word "`")
                        rest = substr(rest, RSTART + RLENGTH)
                    }
                }
                rest = t
                while (match(rest, /\{ *"[^"]*", *&?[a-z][a-z0-9_]*[},]/)) {
                    word = substr(rest, RSTART, RLENGTH)
                    sub(/^[^"]*"/, "", word); sub(/".*/, "", word)
                    if (word in name) tell("has a table with the name of the row `" word "`")
                    rest = substr(rest, RSTART + RLENGTH)
                }
            }
            function tell(why) { print file ":" FNR ": " why ": the row should say what is asked"; bad = 1 }
            END { exit bad }' "$2" "$file" || echo BAD
    done | awk '$0 != "BAD" { print; bad = 1 } $0 == "BAD" { bad = 1 } END { exit bad }'
}

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
names "$root/src" > "$tmp/names"
for name in sphere drag contact sph wcsph morris disc spectral-wind leapfrog; do
    grep -qx "$name" "$tmp/names" || { echo "the checker does not know the row $name"; exit 1; }
done

must_find() # must_find TEXT: a file with this text is wrong
{
    mkdir -p "$tmp/src/render"
    printf '%s\n' "$1" > "$tmp/src/render/wrong.c"
    if check "$tmp/src" "$tmp/names" > /dev/null; then echo "the checker misses: $1"; exit 1; fi
    rm -r "$tmp/src"
}
must_find '    if (strcmp(shape->type, "sphere") == 0) draw_ball();'
must_find '    return algorithm != NULL && strcmp(algorithm,
                                       "none") == 0;'
must_find '        if (strcmp(kinds[i].shape, row->head.name) == 0) kinds[i].make(&piece);'
must_find '} kinds[] = {{"plane", make_plane}, {"other", make_other}};'
mkdir -p "$tmp/src/render"
echo '    if (strcmp(column->name, "velocity") == 0) found = true;' > "$tmp/src/render/right.c"
check "$tmp/src" "$tmp/names"

for folder in src cli study bench plot view; do check "$root/$folder" "$tmp/names"; done
echo "rows: nobody compares the name of one"
