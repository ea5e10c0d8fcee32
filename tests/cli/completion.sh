#!/bin/sh
# Completion scripts: the shells take them, and bash and fish complete with them.
. "$(dirname "$0")/check.sh"
name=$(basename "$MOTE")
for shell in bash zsh fish; do
    expect 0 "" completion "$shell"
    cp stdout "completion.$shell"
    for word in run render integrators gravity frames no-pictures; do holds "completion.$shell" "$word"; done
    if command -v "$shell" >/dev/null; then
        "$shell" -n "completion.$shell" 2>stderr || fail "$shell -n: $(cat stderr)"
        [ ! -s stderr ] || fail "$shell -n: $(cat stderr)"
    else
        echo "not tried: $shell is not installed"
    fi
done

touch fountain.json5 "two words.json5" other.txt
mkdir -p "out folder"
if command -v bash >/dev/null; then
    cat >complete.bash <<'SCRIPT'
source ./completion.bash
compopt() { :; }
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_mote
printf '%s\n' "${COMPREPLY[@]}"
SCRIPT
    # completes EXPECTED WORDS...: lines, sorted, joined by "|"
    completes() {
        wanted=$1
        shift
        got=$(bash complete.bash "$name" "$@" | LC_ALL=C sort | paste -sd'|')
        [ "$got" = "$wanted" ] || fail "bash: $* completes to \"$got\", not \"$wanted\""
    }
    completes "render|run" r
    completes "--frames|--from" run --fr
    completes "galaxy|galaxy-collision|galileo" run gal
    completes "fountain|fountain.json5" run fou
    completes "two words.json5|two-drops" run two
    completes "fountain|fountain.json5" run --set rate = 3 fou
    completes "camera.focus=|camera.fov=|camera.from=" run --set camera.f
    completes "output.video=gif|output.video=mp4|output.video=none|output.video=webp" render x -s output.v
    completes "density" surface x --field d
    completes "out folder" run -o ""
    completes "out folder" export --to vtp o
    completes "integrators" list int
    completes "gravity" help grav
    completes "vdb|vti|vtp" export x --to v
    completes "print" scene pr
    completes "galaxy|galaxy-collision|galileo" scene gal
    completes "two words.json5|two-drops" scene print two
    completes "bash|fish|zsh" completion ""
fi
if command -v fish >/dev/null; then
    got=$(HOME=$work fish -c "source completion.fish; complete -C '$name run --no-'" | cut -f 1)
    [ "$got" = "--no-pictures" ] || fail "fish: $got"
    got=$(HOME=$work fish -c "source completion.fish; complete -C '$name list int'" | cut -f 1)
    [ "$got" = integrators ] || fail "fish: $got"
    got=$(HOME=$work fish -c "source completion.fish; complete -C '$name run gali'" | cut -f 1)
    [ "$got" = galileo ] || fail "fish: $got"
fi
finish
