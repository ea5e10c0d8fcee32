# The library as one WebAssembly module for a page: playground.wasm. What a page has no use for
# (threads, files, other programs) is left out by the linker, or by playground/system.
set(MOTE_KERNEL_FLAGS -O3)
set(CMAKE_POSITION_INDEPENDENT_CODE OFF)
list(REMOVE_ITEM MOTE_FLAGS -fno-semantic-interposition) # there is no interposition
file(GLOB MOTE_PLAYGROUND_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/playground/*.c
     ${PROJECT_SOURCE_DIR}/playground/system/*.c)
foreach(part control_change control_rows controls links message picked picture shapes systems) # no server: the page is its own
  list(APPEND MOTE_PLAYGROUND_SOURCES ${PROJECT_SOURCE_DIR}/view/${part}.c)
endforeach()
# Graphics cards and packed files: nobody asks for them in a page.
list(FILTER MOTE_SOURCES EXCLUDE
     REGEX "/(device/opencl(_work)?|sph/device(_pairs|_flow|_solve|_coarse|_check)?|sph/stay(_solve|_sort|_step|_flow|_walls|_drive)?|vortex/device(_sums|_tree)?|io/npz_(stream|write))\\.c$")
list(APPEND MOTE_SOURCES ${PROJECT_SOURCE_DIR}/src/solvers/sph/no_device.c
     ${PROJECT_SOURCE_DIR}/src/solvers/vortex/no_device.c)
# Random123 has a list of machines. This one is not on it: it gets what all others get.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/base/random.c PROPERTIES
                            COMPILE_DEFINITIONS __riscv)

set(PLAYGROUND_MEMORY 1073741824) # bytes that a page's module may grow to
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/base/system_wasm.c PROPERTIES
                            COMPILE_DEFINITIONS MOTE_PAGE_MEMORY=${PLAYGROUND_MEMORY}u)

function(playground_settings target)
  target_include_directories(${target} BEFORE PRIVATE ${PROJECT_SOURCE_DIR}/playground/system)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(${target} PRIVATE -msimd128 -mnontrapping-fptoint -ffunction-sections
                         -fdata-sections -Wno-deprecated-declarations # getpid of WASI
                         -Wno-shorten-64-to-32) # the forecast refuses more than 2^32 of anything
endfunction()

mote_kernels(playground float "${MOTE_KERNELS}" kernels)
playground_settings(playground-kernels-v1)
add_library(playground-library STATIC ${MOTE_SOURCES} ${kernels})
mote_settings(playground-library float)
playground_settings(playground-library)

add_executable(playground ${MOTE_PLAYGROUND_SOURCES})
target_link_libraries(playground PRIVATE playground-library)
mote_settings(playground float)
playground_settings(playground)
set_target_properties(playground PROPERTIES SUFFIX .wasm)
target_link_options(playground PRIVATE -mexec-model=reactor -Wl,--gc-sections -Wl,--strip-all
                    -Wl,--max-memory=${PLAYGROUND_MEMORY} -Wl,-z,stack-size=1048576)
