#!/bin/sh
# Completion scripts: the shells take them, and complete with them.
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
    completes "output.video=gif|output.video=mp4|output.video=none|output.video=webm|output.video=webp" render x -s output.v
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
if command -v zsh >/dev/null; then
    cat >complete.zsh <<'SCRIPT'
# complete.zsh LINE: what zsh adds to the line when the tabulator is hit behind it
zmodload zsh/zpty
zpty shell "TERM=dumb zsh -f -i"
name=${1%% *}
zpty -w shell "unsetopt zle_bracketed_paste; autoload -U compinit; compinit -u -D; source ./completion.zsh; compdef _mote $name; PS1='<'go'>'"
zpty -r shell out '*<go>*'
sleep 0.3
zpty -w -n shell "$1"$'\t'" end"
out=
for i in {1..200}; do
    zpty -r -t shell more && out+=$more
    [[ $out == *end* ]] && break
    sleep 0.1
done
zpty -d shell
print -r -- "${out%%end*}"
SCRIPT
    # A terminal of its own, in which the line is typed.
    for line in "run gali>galileo" "export x --to vd>vdb"; do
        got=$(HOME=$work zsh -f complete.zsh "$name ${line%%>*}")
        case $got in *" ${line##*>} "*) ;; *) fail "zsh: ${line%%>*} completes to $got" ;; esac
    done
fi
finish
