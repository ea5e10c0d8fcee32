#!/bin/sh
# mixes.sh BUILD INCLUDE GENERATED CC FLAGS LIBRARIES: a program built for one precision links with
# that library alone, static and shared; and both libraries work in one process.
set -eu
build=$1 include=$2 generated=$3 cc=$4 flags=$5 libraries=$6
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat > "$work/user.c" <<'CODE'
#include <mote/world.h>
#ifdef MOTE_DOUBLE
#define USE use_double
#else
#define USE use_float
#endif
int USE(void);
/* Bytes of mote_real in the library, after a step of a small world; 0 when something failed. */
int USE(void)
{
    mote_WorldDef def = mote_world_def();
    mote_SystemDef system = mote_system_def();
    mote_World *world;
    mote_Error error;
    system.name = "dust";
    if (mote_world_create(&def, &world, &error) != MOTE_OK) return 0;
    bool good = mote_world_add_system(world, &system, NULL, &error) == MOTE_OK &&
                mote_world_step(world, NULL, &error) == MOTE_OK;
    mote_world_destroy(world);
    return good && mote_real_size() == (int)sizeof(mote_real) ? mote_real_size() : 0;
}
CODE
cat > "$work/main.c" <<'CODE'
int use_float(void);
int use_double(void);
int main(void)
{
    int wrong = 0;
#ifdef WITH_FLOAT
    wrong += use_float() != 4;
#endif
#ifdef WITH_DOUBLE
    wrong += use_double() != 8;
#endif
    return wrong;
}
CODE
compile="$cc $flags -std=c17 -I$include -I$generated"
$compile -c "$work/user.c" -o "$work/float.o"
$compile -DMOTE_DOUBLE -c "$work/user.c" -o "$work/double.o"
$compile -DWITH_FLOAT -c "$work/main.c" -o "$work/main-float.o"
$compile -DWITH_DOUBLE -c "$work/main.c" -o "$work/main-double.o"
$compile -DWITH_FLOAT -DWITH_DOUBLE -c "$work/main.c" -o "$work/main-both.o"

link() # link OBJECT LIBRARY...: makes $work/program
{
    object=$1
    shift
    rm -f "$work/program"
    $cc $flags $object "$@" $libraries -Wl,-rpath,"$build" -o "$work/program" 2> "$work/messages"
}

for kind in a so; do
    for precision in float double; do
        for library in mote mote-double; do
            fits=no
            [ "$precision-$library" = float-mote ] && fits=yes
            [ "$precision-$library" = double-mote-double ] && fits=yes
            objects="$work/main-$precision.o $work/$precision.o"
            if link "$objects" "$build/lib$library.$kind"; then linked=yes; else linked=no; fi
            if [ $fits != $linked ]; then
                echo "$precision with lib$library.$kind: linked: $linked, but should: $fits"
                cat "$work/messages"
                exit 1
            fi
            if [ $linked = no ]; then grep -q undefined "$work/messages"; else "$work/program"; fi
        done
    done
    link "$work/main-both.o $work/float.o $work/double.o" "$build/libmote.$kind" \
        "$build/libmote-double.$kind" || { cat "$work/messages"; exit 1; }
    "$work/program"
done
echo "mixes of header and library: 4 link, 4 do not, and both libraries live in one process"
