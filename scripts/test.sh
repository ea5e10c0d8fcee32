#!/bin/bash
# Builds and runs the test suite: test.sh gcc|clang|clang-double|asan|tsan|fuzz ...
# Each configuration has a build folder of its own. The last line is "N passed, N failed", summed
# over the configurations; a build that fails counts as one failure. Fails when anything failed or
# nothing ran.
set -uo pipefail
cd "$(dirname "$0")/.."

# Sanitizers are clang's: the address sanitizer's build has the fuzz targets too, and programs with
# the thread sanitizer run up to seven times as fast as gcc's. They run the golden hashes as well, so
# that both compilers give the same bits.
declare -A folder=([gcc]=build [clang]=build-clang [clang-double]=build-clang [asan]=build-asan
    [tsan]=build-tsan [fuzz]=build-asan)
declare -A title=(
    [gcc]="gcc, float and double"
    [clang]="clang, float, this machine's instruction set"
    [clang-double]="clang, float and double"
    [asan]="clang with address and undefined-behaviour sanitizers, float"
    [tsan]="clang with thread sanitizer, float"
    [fuzz]="clang, every fuzz target on its corpus and for a few seconds, float")
sanitized="-DCMAKE_C_COMPILER=clang -DMOTE_DOUBLE_TOO=OFF"
declare -A options=(
    [gcc]="-DCMAKE_C_COMPILER=gcc -DMOTE_DOUBLE_TOO=ON"
    [clang]="-DCMAKE_C_COMPILER=clang -DMOTE_DOUBLE_TOO=OFF -DMOTE_ONE_ISA=ON"
    [clang-double]="-DCMAKE_C_COMPILER=clang -DMOTE_DOUBLE_TOO=ON -DMOTE_ONE_ISA=OFF"
    [asan]="$sanitized -DMOTE_SANITIZE=address,undefined -DMOTE_FUZZ=ON"
    [tsan]="$sanitized -DMOTE_SANITIZE=thread"
    [fuzz]="$sanitized -DMOTE_SANITIZE=address,undefined -DMOTE_FUZZ=ON")
declare -A targets=([fuzz]=tests/fuzz/all)

# A refused allocation is NULL, as in the C library.
export ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1
export UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1
ASAN_OPTIONS+=:allocator_may_return_null=1
TSAN_OPTIONS+=:allocator_may_return_null=1

jobs=$(($(nproc) + 1)) # some tests wait for others, for disks and for clocks
passed=0
failed=0

# The progress is shown always: a build takes half a minute here and twenty minutes there.
build() {
    echo "[$1] configuring, then building in ${folder[$1]}; all output goes to $log"
    cmake -G Ninja -S . -B "${folder[$1]}" -DMOTE_TESTS=ON -DMOTE_WERROR=ON ${options[$1]} \
        ${MOTE_LONG:+-DMOTE_ALL_TESTS=ON} >"$log" 2>&1 || return
    NINJA_STATUS="[%f/%t] " ninja -C "${folder[$1]}" ${targets[$1]-} 2>&1 | tee -a "$log" |
        scripts/progress.sh "$1" built
}

# An attribute of the suite in CTest's JUnit report.
reported() {
    sed -n "s/.*[[:space:]]$2=\"\([0-9]*\)\".*/\1/p" "$1" | head -n 1
}

# Adds the results of one configuration to the sums.
count() {
    local report=$1 all bad idle
    all=$(reported "$report" tests)
    bad=$(reported "$report" failures)
    idle=$(($(reported "$report" skipped) + $(reported "$report" disabled)))
    passed=$((passed + all - bad - idle))
    failed=$((failed + bad))
    if [ "$idle" -gt 0 ]; then echo "$idle tests were skipped"; fi
}

# Adds the closing line of fuzz.sh to the sums.
fuzz() {
    local report=${folder[fuzz]}/report.txt good bad
    scripts/fuzz.sh "${folder[fuzz]}" 2 -seed=1 | tee "$report"
    local status=$?
    read -r good bad < <(sed -n '$s/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$report")
    passed=$((passed + ${good:-0}))
    failed=$((failed + ${bad:-1}))
    return $status
}

run() {
    local report=$PWD/${folder[$1]}/report.xml without_aslr=""
    rm -f "$report"
    # The thread sanitizer's runtime fails to start with the address randomisation of new kernels.
    if [ "$1" = tsan ] && setarch -R true 2>/dev/null; then without_aslr="setarch -R"; fi
    $without_aslr ctest --test-dir "${folder[$1]}" -j "$jobs" --output-on-failure \
        --no-tests=error --output-junit "$report" | scripts/progress.sh "$1" tested
    local status=$?
    [ -s "$report" ] && count "$report" || status=1
    return $status
}

configurations=("$@")
if [ $# -eq 0 ]; then configurations=(gcc asan tsan fuzz); fi
bad=()
for name in "${configurations[@]}"; do
    if [ -z "${folder[$name]-}" ]; then
        echo "test.sh: $name: unknown configuration; known are ${!folder[*]}" >&2
        exit 2
    fi
    echo "==== $name: ${title[$name]} ===="
    mkdir -p "${folder[$name]}"
    log=${folder[$name]}/build.log
    start=$SECONDS
    if ! build "$name"; then
        grep -vE '^(\[[0-9]+/[0-9]+\]|--) ' "$log" | tail -n 100
        echo "$name: the build failed; all of its output is in $log"
        failed=$((failed + 1))
        bad+=("$name")
        continue
    fi
    echo "built in $((SECONDS - start)) s"
    if [ "$name" = fuzz ]; then fuzz; else run "$name"; fi || bad+=("$name")
done

if [ ${#bad[@]} -gt 0 ]; then echo "failed: ${bad[*]}"; fi
echo "$passed passed, $failed failed"
[ ${#bad[@]} -eq 0 ] && [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
