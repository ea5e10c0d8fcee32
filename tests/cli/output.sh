#!/bin/sh
# Escape characters and carriage returns go to terminals alone, colours not even there with NO_COLOR.
. "$(dirname "$0")/check.sh"
name=$(basename "$MOTE")
escape=$(printf '\033') return=$(printf '\r')
small

# plain FILE WHAT
plain() {
    if grep -q "$escape" "$1"; then fail "$2: escape characters"; fi
    if grep -q "$return" "$1"; then fail "$2: carriage returns"; fi
}

for words in "" help "help run" "help drag" list "list forces" info man "completion bash" \
    "run small.json5 --frames 3" "run wrong.json5" "runn"; do
    echo '{ mote: 1, sytems: [] }' >wrong.json5
    # shellcheck disable=SC2086
    env -i PATH="$PATH" TERM=xterm-256color "$MOTE" $words >stdout 2>stderr
    plain stdout "mote $words"
    plain stderr "mote $words"
    rm -rf out
done

# on_terminal VARIABLE WORDS: what a terminal gets, in the file seen
on_terminal() {
    env -i PATH="$PATH" TERM=xterm "$1" script -qec "$MOTE $2" /dev/null >seen </dev/null
}
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    on_terminal X=1 "help run"
    grep -q "$escape" seen || fail "help on a terminal has no colour"
    on_terminal NO_COLOR=1 "help run"
    if grep -q "$escape" seen; then fail "help with NO_COLOR has colour"; fi
    on_terminal TERM=dumb "help run"
    if grep -q "$escape" seen; then fail "help on a dumb terminal has colour"; fi
    on_terminal X=1 "run wrong.json5"
    grep -q "$escape" seen || fail "scene errors on a terminal have no colour"
    on_terminal NO_COLOR=1 "run wrong.json5"
    if grep -q "$escape" seen; then fail "scene errors with NO_COLOR have colour"; fi
    on_terminal X=1 "run small.json5 -o drawn"
    grep -q "frame [0-9]*/60 .*particles" seen || fail "no progress on a terminal"
    env -i PATH="$PATH" TERM=xterm script -qec "stty columns 40; $MOTE run small.json5 -o narrow" \
        /dev/null >seen </dev/null
    tr "$return" '\n' <seen | sed "s/$escape\[K//" | grep '^simulating' >lines
    [ -s lines ] || fail "no progress on a narrow terminal"
    awk 'length > 39 { print; bad = 1 } END { exit bad }' lines || fail "progress wraps at 40 columns"
    on_terminal X=1 "run small.json5 -o silent --quiet"
    [ ! -s seen ] || fail "--quiet on a terminal prints: $(cat seen)"
else
    echo "not tried: there is no script(1) that gives a terminal"
fi

# Widths: no line of help is wider than the terminal.
env -i PATH="$PATH" COLUMNS=60 "$MOTE" help run >seen
awk 'length > 60 && !/^  '"$name"'/ { print; bad = 1 } END { exit bad }' seen || fail "wide lines"
# Narrow ones: a column of single words helps nobody.
env -i PATH="$PATH" COLUMNS=40 "$MOTE" help run >seen
awk '/^ *[^ ]+$/ && length > 24 && !/^  '"$name"'/ { print; bad = 1 } END { exit bad }' seen ||
    fail "single words at 40 columns"
finish
