#!/bin/bash
# Says how far a build or a test run is: progress.sh NAME built|tested
# It reads the output of Ninja, whose lines it keeps to itself, or of CTest, which it passes on. On a
# terminal one line is written over and over; elsewhere there is a new one every ten seconds, or every
# MOTE_PROGRESS_SECONDS.
set -u
name=$1
word=$2
seconds=${MOTE_PROGRESS_SECONDS:-10}
live=no
if [ "$word" = built ] && [ -t 1 ]; then live=yes seconds=1; fi
case $word in
built) counted='^\[([0-9]+)/([0-9]+)\] (.*)' ;;
tested) counted='^ *([0-9]+)/([0-9]+) Test +#[0-9]+: ([^ ]*)' ;;
*) echo "usage: progress.sh NAME built|tested" >&2; exit 2 ;;
esac

# 130 -> "2 min 10 s"
minutes() {
    if [ "$1" -lt 60 ]; then echo "$1 s"; else echo "$(($1 / 60)) min $(($1 % 60)) s"; fi
}

done=0
total="?"
what=""
said=$SECONDS
say() {
    local line="[$name] $word $done of $total, $(minutes "$SECONDS")${what:+; last: $what}"
    said=$SECONDS
    if [ $live = yes ]; then
        printf '\r%.*s\033[K' "$(($(tput cols 2>/dev/null || echo 80) - 1))" "$line"
    else
        echo "$line"
    fi
}

# "Building C object CMakeFiles/mote-plain.dir/src/base/text.c.o" -> "src/base/text.c"
note() {
    done=$1 total=$2 what=${3##* }
    what=${what#*.dir/}
    what=${what%.o}
}

# Waits a second for a line, no longer: a slow step is no reason to be silent.
part=""
while true; do
    IFS= read -r -t 1 line
    status=$?
    line=$part$line part=""
    if [ $status -gt 128 ]; then part=$line; elif [ $status -ne 0 ]; then break; fi
    if [ $status -eq 0 ] && [[ $line =~ $counted ]]; then note "${BASH_REMATCH[@]:1}"; fi
    if [ "$word" = tested ] && [ $status -eq 0 ]; then
        printf '%s\n' "$line"
        said=$SECONDS
    elif [ $((SECONDS - said)) -ge "$seconds" ]; then
        say
    fi
done
if [ $live = yes ]; then printf '\r\033[K'; fi
