#!/bin/sh
# The commands of docs/manual/cluster.md, as they stand there but for numbers of ranks and machines: what a reader
# copies runs. Slurm is stood in for by mpirun.
. "$(dirname "$0")/check.sh"
manual=${MANUAL:-$(dirname "$0")/../../docs/manual/cluster.md}
if ! command -v mpirun >/dev/null || [ ! -e "$(dirname "$MOTE")/mote-mpi.so" ]; then
    echo "skipped: no MPI (Debian: libopenmpi-dev, openmpi-bin)"
    exit 77
fi
ln -s "$(dirname "$MOTE")" build
small
sed 's/duration: 2,/duration: 0.1,/' small.json5 >scene.json5
echo "localhost slots=2" >machines
mkdir bin
printf '#!/bin/sh\n[ "$1" = --mpi=pmix ] && shift\nexec mpirun -n 2 "$@"\n' >bin/srun
chmod +x bin/srun

# shell FILE: as root, on a machine that others use, too
shell() {
    env -i PATH="$work/bin:$work/build:$PATH" HOME="$work" OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
        OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_mpi_yield_when_idle=1 \
        ${bound:+"OMPI_MCA_hwloc_base_binding_policy=none"} timeout -k 5 100 sh "$1" >stdout 2>stderr </dev/null
    code=$?
}

# Blocks of shell, each into a file of its own; and commands in the text.
awk '/^```sh$/ { ++n; on = 1; next } /^```$/ { on = 0 } on { print > ("block" n) }' "$manual"
sed -n 's/.*`\(mpirun -n [0-9]* mote [^`]*\)`.*/\1/p' "$manual" >inline
[ "$(cat block* | grep -c mote)" = 3 ] && [ "$(wc -l <inline)" -ge 2 ] ||
    fail "the manual has other commands than this test knows: $(cat block* inline)"

expect 0 "" run galaxy -o one --no-pictures --quiet --frames 2
grep galaxy block1 | sed 's/$/ --frames 2/' >two.sh
bound=no shell two.sh
[ "$code" = 0 ] || fail "$(cat two.sh): $(cat stderr)"
run_mote diff one two
holds stdout "the same"

if [ "$(nproc)" -gt 1 ]; then # ranks are bound to cores
    sed 's/-n 8/-n 2/; s/ppr:1:node:PE=16/ppr:2:node:PE=1/; s/big/many/' block2 >many.sh
    bound="" shell many.sh
    [ "$code" = 0 ] || fail "$(cat many.sh): $(cat stderr)"
    [ -e out/many/manifest.json ] || fail "many.sh wrote nothing"
fi

# A job, and the same once more: without --resume, what is there would be refused.
for _ in 1 2; do
    bound=no shell block3
    [ "$code" = 0 ] || fail "$(cat block3): $(cat stderr)"
done
expect 0 "" run scene.json5 -o alone --no-pictures --quiet
run_mote diff out/big alone
holds stdout "the same"

# In the text: benchmarks and pictures, for few ranks, particles and pixels.
while read -r command; do
    echo "$command" | sed 's/-n [0-9]*/-n 2/; s/1e6/1000 --only wcsph/; s/render/render --size 32x24/' >line.sh
    bound=no shell line.sh
    [ "$code" = 0 ] || fail "$(cat line.sh): $(cat stderr)"
done <inline
finish
