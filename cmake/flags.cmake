# Flags of every file. Same bits on every machine: no contraction, no fast-math; without errno and
# traps, sqrt and masked loops vectorise.
set(MOTE_FLAGS
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wmissing-prototypes -Wstrict-prototypes
    -Wdouble-promotion -Wvla -Wwrite-strings -Wno-psabi
    -fvisibility=hidden -fno-semantic-interposition
    -ffp-contract=off -fno-math-errno -fno-trapping-math)
# Compilers that we do not know warn of other things: that must not stop who only builds mote.
if(MOTE_WERROR)
  list(APPEND MOTE_FLAGS -Werror)
endif()
if(CMAKE_C_COMPILER_ID MATCHES "Clang")
  # assume_safety is a hint: a loop that clang leaves scalar is no error
  list(APPEND MOTE_FLAGS -Wno-pass-failed)
endif()

if(MOTE_SYSTEM STREQUAL "windows")
  # its printf is mingw-w64's own, of which the compiler does not know; NAN is a double there
  list(APPEND MOTE_FLAGS -Wno-format -Wno-format-extra-args -Wno-float-conversion)
endif()

# The instruction sets that kernel files (src/*/rows, src/*/kernels) are compiled for.
# Aligned, so that a kernel's speed does not go with what happens to be linked before it: short
# loops were 14 to 22 % slower when they fell badly.
set(MOTE_KERNEL_FLAGS -O3 -falign-functions=64 -falign-loops=32)
# gcc does not align the stack of Windows for AVX (its bug 54412).
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT MOTE_SYSTEM STREQUAL "windows")
  set(MOTE_ISAS v1 v3 v4)
  set(MOTE_ISA_FLAGS_v3 -march=x86-64-v3 -mtune=generic)
  set(MOTE_ISA_FLAGS_v4 -march=x86-64-v4 -mtune=generic -mprefer-vector-width=256)
  set(MOTE_ISA_DEFINITIONS MOTE_X86_KERNELS=1)
else()
  set(MOTE_ISAS v1)
  set(MOTE_ISA_DEFINITIONS "")
endif()

# One instruction set: that of the machine which builds, as far as AVX2. Sanitizers and fuzzing
# look at the code, not at the choice among instruction sets.
if(MOTE_ONE_ISA OR MOTE_SANITIZE)
  set(MOTE_ISAS v1)
  set(MOTE_ISA_DEFINITIONS "")
  if(NOT CMAKE_CROSSCOMPILING)
    file(STRINGS /proc/cpuinfo avx2 REGEX " avx2 .* bmi2 " LIMIT_COUNT 1)
  endif()
  if(avx2)
    set(MOTE_ISA_FLAGS_v1 ${MOTE_ISA_FLAGS_v3})
  endif()
endif()

if(MOTE_SANITIZE)
  set(level -O1)
  if(MOTE_SANITIZE MATCHES "thread")
    set(level -O2)
  endif()
  set(MOTE_KERNEL_FLAGS ${level})
  add_compile_options(-fsanitize=${MOTE_SANITIZE} -fno-omit-frame-pointer -g1 ${level} -UNDEBUG)
  if(MOTE_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
  if(MOTE_SANITIZE MATCHES "address" AND CMAKE_C_COMPILER_ID MATCHES "Clang")
    # checks as calls in long functions: some kernels take a third of the time to compile
    add_compile_options("SHELL:-mllvm -asan-instrumentation-with-call-threshold=500")
  endif()
  add_link_options(-fsanitize=${MOTE_SANITIZE})
  # a third of the time for each of two hundred programs, where it is there
  find_program(MOTE_LLD ld.lld)
  mark_as_advanced(MOTE_LLD)
  if(MOTE_LLD AND CMAKE_C_COMPILER_ID MATCHES "Clang")
    add_link_options(-fuse-ld=lld)
  endif()
endif()

# Fuzzing needs clang, and finds little without the sanitizers.
if(MOTE_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang" OR NOT MOTE_SANITIZE)
    message(FATAL_ERROR "MOTE_FUZZ needs clang and sanitizers: "
                        "CC=clang cmake -DMOTE_FUZZ=ON -DMOTE_SANITIZE=address,undefined ...")
  endif()
  set(MOTE_READER_FLAGS -fsanitize=fuzzer-no-link) # where bytes from outside are looked at
endif()
