#!/bin/sh
# Scenes that come with the program: each is listed with a sentence, can be checked and copied.
. "$(dirname "$0")/check.sh"

expect 0 "" list scenes --json
if command -v python3 >/dev/null; then
    python3 -c 'import json, sys
rows = json.load(open("stdout"))["scenes"]
assert len(rows) > 50 and all(len(r["doc"]) > 10 for r in rows), rows
print(*[r["name"] for r in rows], sep="\n")' >names || fail "a scene is listed without a sentence"
    while read -r scene; do
        mote new "$scene.copy" --from "$scene" >/dev/null || fail "new --from $scene"
        grep -q "mote: 1" "$scene.copy" || fail "$scene: $(head -n 3 "$scene.copy")"
    done <names
fi

expect 0 "" new my.json5
holds stdout "run my.json5"
expect 0 "" check my.json5
expect 2 "is there already; --force" new my.json5
expect 0 "" new my.json5 --from galaxy --force
expect 0 "" check my.json5
expect 0 "" check galaxy
grep -v '^time ' stdout >named
sed 's/^galaxy/my/' named >renamed
run_mote check my.json5
grep -v '^time ' stdout >own
cmp -s own renamed || fail "a scene by its name is not the same as its copy: $(cat stdout)"
expect 2 "did you mean \`galaxy\`" check galaxi
expect 2 "did you mean \`galaxy\`" new other.json5 --from galaxi
[ ! -e other.json5 ] || fail "a file is left behind"
expect 2 "list scenes" check qqqqqq
# As they are, comments and all.
mote scene galaxy >printed
cmp -s printed "$(dirname "$0")/../../scenes/galaxy.json5" || fail "scene galaxy is not the file"
mote scene >shown
mote list scenes >listed
cmp -s shown listed || fail "scene alone does not list the scenes"
# A folder is where an earlier run went: the scene that comes along is meant.
mkdir galaxy
expect 0 "" scene print galaxy
expect 0 "" run galaxy --frames 1 --no-pictures --quiet -o galaxy
expect 5 "cannot write" new no/such/folder.json5
finish
