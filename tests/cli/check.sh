# Shared by the tests of the program: $MOTE is the program, each test works in an empty folder.
# shellcheck shell=sh
: "${MOTE:?the program to test}"
failures=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# As a new user has it: no variables but the PATH, and what the leak sanitizer is to pass over.
mote() {
    env -i PATH="$PATH" ${LSAN_OPTIONS:+"LSAN_OPTIONS=$LSAN_OPTIONS"} "$MOTE" "$@"
}

fail() {
    failures=$((failures + 1))
    echo "failed: $*"
}

# run_mote WORDS...: leaves the exit code in $code, the output in the files stdout and stderr.
run_mote() {
    mote "$@" >stdout 2>stderr </dev/null
    code=$?
}

# expect CODE TEXT WORDS...: the exit code, and a text that standard error holds ("": it is empty).
expect() {
    wanted=$1 text=$2
    shift 2
    run_mote "$@"
    [ "$code" = "$wanted" ] || fail "mote $*: exit code $code, not $wanted: $(cat stderr)"
    if [ -z "$text" ]; then
        [ ! -s stderr ] || fail "mote $*: standard error is not empty: $(cat stderr)"
    else
        grep -qF -e "$text" stderr || fail "mote $*: \"$(cat stderr)\" lacks \"$text\""
    fi
}

# holds FILE TEXT
holds() {
    grep -qF -e "$2" "$1" || fail "$1 lacks \"$2\": $(cat "$1")"
}

# A small and short scene.
small() {
    cat >small.json5 <<'SCENE'
{ mote: 1,
  world: { duration: 2, fps: 30, max_step: 0.01 },
  systems: [ { name: "dots" } ],
  emitters: [ { name: "jet", system: "dots", from: { type: "point" }, at: [0, 0.5, 0], rate: 300,
                velocity: [0, 4, 0], spread: 0.2, lifetime: 3 } ],
  colliders: [ { name: "ground", shape: { type: "plane" } } ],
  render: { width: 64, height: 48 } }
SCENE
}

finish() {
    [ "$failures" = 0 ] || echo "$failures failed"
    [ "$failures" = 0 ]
    exit
}
