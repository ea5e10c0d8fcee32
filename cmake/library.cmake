# mote_library(NAME PRECISION): libNAME, static and shared, from the one source tree.
#   NAME-internal  a plain archive of all objects, with the internals visible, for the tests
#   NAME-static    one relocatable object with only the exported symbols left, as libNAME.a
#   NAME-shared    libNAME.so

file(GLOB MOTE_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*/*.c
     ${PROJECT_SOURCE_DIR}/src/solvers/*/*.c)
list(FILTER MOTE_SOURCES EXCLUDE REGEX "/(rows|kernels)/[^/]*\\.c$")
list(FILTER MOTE_SOURCES EXCLUDE REGEX "/(sph|vortex)/no_device\\.c$") # of builds without devices
# What differs between systems: see src/base/system.h.
list(FILTER MOTE_SOURCES EXCLUDE REGEX "/base/system_[a-z]*\\.c$")
set(MOTE_SYSTEM_FILES posix ${MOTE_SYSTEM})
if(MOTE_SYSTEM MATCHES "windows|wasm")
  set(MOTE_SYSTEM_FILES alone ${MOTE_SYSTEM})
endif()
foreach(system ${MOTE_SYSTEM_FILES})
  list(APPEND MOTE_SOURCES ${PROJECT_SOURCE_DIR}/src/base/system_${system}.c)
endforeach()
file(GLOB MOTE_KERNELS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*/rows/*.c
     ${PROJECT_SOURCE_DIR}/src/*/kernels/*.c ${PROJECT_SOURCE_DIR}/src/solvers/*/rows/*.c
     ${PROJECT_SOURCE_DIR}/src/solvers/*/kernels/*.c)
file(GLOB MOTE_HEADERS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/mote/*.h)
file(GLOB MOTE_BENCH_KERNELS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/kernels/*.c)
file(GLOB MOTE_PROGRAM_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/*.c
     ${PROJECT_SOURCE_DIR}/plot/*.c ${PROJECT_SOURCE_DIR}/bench/*.c
     ${PROJECT_SOURCE_DIR}/study/*.c ${PROJECT_SOURCE_DIR}/view/*.c)

set(MOTE_READERS ${MOTE_SOURCES})
list(FILTER MOTE_READERS INCLUDE REGEX "/src/((base|frame|geometry|io|look|particles|run|scene|text|world)/|render/exr_read)")
set_source_files_properties(${MOTE_READERS} PROPERTIES COMPILE_OPTIONS "${MOTE_READER_FLAGS}")

# Paths of light are minutes of a picture: -O3 takes 4 % off them. (Sanitizers choose their own level.)
if(NOT MOTE_SANITIZE)
  set(MOTE_TRACER ${MOTE_SOURCES})
  list(FILTER MOTE_TRACER INCLUDE REGEX "/src/render/(trace|backdrop)")
  set_source_files_properties(${MOTE_TRACER} PROPERTIES COMPILE_OPTIONS -O3)
endif()

# Where the installed program finds its plug-ins, from its own folder.
file(RELATIVE_PATH MOTE_PLUGINS /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR}/mote)
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/ranks/mpi.c APPEND PROPERTY COMPILE_DEFINITIONS
             MOTE_PLUGINS="${MOTE_PLUGINS}")

set(MOTE_GENERATED ${PROJECT_BINARY_DIR}/include)
add_custom_command(
  OUTPUT ${MOTE_GENERATED}/mote/double_names.h
  COMMAND ${CMAKE_COMMAND} -E make_directory ${MOTE_GENERATED}/mote
  COMMAND ${PROJECT_SOURCE_DIR}/scripts/double-names.sh ${MOTE_HEADERS}
          > ${MOTE_GENERATED}/mote/double_names.h
  DEPENDS ${MOTE_HEADERS} ${PROJECT_SOURCE_DIR}/scripts/double-names.sh
  COMMENT "names of the double library")
set(MOTE_DEMO ${PROJECT_SOURCE_DIR}/scenes/demo.json5)
add_custom_command(
  OUTPUT ${MOTE_GENERATED}/scene_demo.inc
  COMMAND ${CMAKE_COMMAND} -DINPUT=${MOTE_DEMO} -DOUTPUT=${MOTE_GENERATED}/scene_demo.inc
          -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  DEPENDS ${MOTE_DEMO} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  COMMENT "the built-in demo")
file(GLOB MOTE_SCENES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/scenes/*.json5)
list(JOIN MOTE_SCENES "," MOTE_SCENE_LIST)
add_custom_command(
  OUTPUT ${MOTE_GENERATED}/scene_files.inc
  COMMAND ${CMAKE_COMMAND} -DINPUTS=${MOTE_SCENE_LIST} -DOUTPUT=${MOTE_GENERATED}/scene_files.inc
          -DTYPE=SceneFile -P ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
  DEPENDS ${MOTE_SCENES} ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
  COMMENT "the scenes that come with the program")
file(GLOB MOTE_PAGES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/view/page/*)
list(JOIN MOTE_PAGES "," MOTE_PAGE_LIST)
add_custom_command(
  OUTPUT ${MOTE_GENERATED}/view_pages.inc
  COMMAND ${CMAKE_COMMAND} -DINPUTS=${MOTE_PAGE_LIST} -DOUTPUT=${MOTE_GENERATED}/view_pages.inc
          -DTYPE=ViewPage -DENDINGS=ON -P ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
  DEPENDS ${MOTE_PAGES} ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
  COMMENT "the page of the view")
set(MOTE_DATA martin_moyce_1952_n2eq2_a1.125in_front martin_moyce_1952_n2eq2_a2.25in_front
    martin_moyce_1952_n2eq2_a2.25in_height potential_collapse_n2eq2
    spheric_test2_kleefsman_dambreak_box_10ms_mean
    spheric_test2_kleefsman_dambreak_box_1khz_impact_0.35-0.80s)
list(TRANSFORM MOTE_DATA REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/tests/data/sph/\\1.csv")
list(JOIN MOTE_DATA "," MOTE_DATA_LIST)
add_custom_command(
  OUTPUT ${MOTE_GENERATED}/study_data.inc
  COMMAND ${CMAKE_COMMAND} -DINPUTS=${MOTE_DATA_LIST} -DOUTPUT=${MOTE_GENERATED}/study_data.inc
          -P ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
  DEPENDS ${MOTE_DATA} ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
  COMMENT "reference values of studies")
# mote_device_texts(NAME file...): device_NAME.inc, the texts of a device's program in their order.
set(MOTE_DEVICE_TEXTS "")
function(mote_device_texts name)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/src/)
  list(JOIN ARGN "," joined)
  set(output ${MOTE_GENERATED}/device_${name}.inc)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DINPUTS=${joined} -DOUTPUT=${output} -DTYPE=DeviceText
            -P ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    COMMENT "programs of devices: ${name}")
  set(MOTE_DEVICE_TEXTS ${MOTE_DEVICE_TEXTS} ${output} PARENT_SCOPE)
endfunction()
mote_device_texts(selftest device/selftest.cl)
mote_device_texts(sph device/lanes.cl base/formulas/nearest_image.h
                  space/formulas/smoothing_kind.h space/formulas/smoothing.h
                  space/formulas/cell_key.h space/formulas/search_law.h
                  solvers/sph/formulas/pair_law.h solvers/sph/formulas/pair_force.h
                  solvers/sph/formulas/flow_law.h solvers/sph/formulas/flow.h
                  solvers/sph/formulas/flow_places.h
                  solvers/sph/formulas/shift_law.h solvers/sph/formulas/shift.h
                  solvers/sph/device/search.cl solvers/sph/device/shift_crowd.cl
                  solvers/sph/device/forces.cl
                  solvers/sph/device/operators.cl)
mote_device_texts(vortex device/lanes.cl solvers/vortex/formulas/eight_exp.h
                  solvers/vortex/formulas/algebraic.h solvers/vortex/formulas/gaussian.h
                  solvers/vortex/formulas/flat.h solvers/vortex/formulas/induce.h
                  solvers/vortex/formulas/sum_law.h solvers/vortex/device/sums.cl)
mote_device_texts(stay device/lanes.cl solvers/sph/device/numbers.cl base/vec_family.h
                  base/formulas/limb_parts.h space/formulas/cell_key.h space/formulas/place.h
                  geometry/formulas/surfaces.h solvers/points/formulas/wrap.h
                  solvers/sph/formulas/wall_table.h solvers/sph/formulas/wall_row.h
                  solvers/sph/formulas/wall_rays.h solvers/sph/formulas/explicit.h
                  solvers/sph/formulas/stay_law.h space/formulas/rod_law.h
                  space/formulas/smoothing_kind.h solvers/sph/formulas/flow_law.h
                  solvers/sph/formulas/flow_places.h
                  solvers/sph/device/stay_shapes.cl solvers/sph/device/stay_count.cl
                  solvers/sph/device/stay_sort.cl solvers/sph/device/bricks.cl
                  solvers/sph/device/stay_rays.cl solvers/sph/device/stay_walls.cl
                  solvers/sph/device/stay_note.cl solvers/sph/device/stay_move.cl
                  solvers/sph/device/stay_sums.cl solvers/sph/device/stay_flow.cl)
mote_device_texts(drive device/lanes.cl solvers/sph/device/numbers.cl base/vec_family.h
                  base/formulas/nearest_image.h space/formulas/smoothing_kind.h
                  space/formulas/smoothing.h solvers/sph/formulas/pair_law.h
                  solvers/sph/formulas/pair_force.h space/formulas/cell_key.h
                  space/formulas/place.h geometry/formulas/surfaces.h
                  solvers/points/formulas/wrap.h solvers/sph/formulas/wall_table.h
                  solvers/sph/formulas/wall_row.h solvers/sph/formulas/explicit.h
                  solvers/sph/formulas/stay_law.h solvers/sph/device/forces.cl
                  solvers/sph/device/stay_shapes.cl solvers/sph/device/stay_count.cl
                  solvers/sph/device/stay_note.cl solvers/sph/device/stay_move.cl
                  solvers/sph/device/stay_drive.cl)
mote_device_texts(flow device/lanes.cl solvers/sph/device/numbers.cl
                  base/formulas/limb_parts.h space/formulas/rod_law.h
                  space/formulas/smoothing_kind.h solvers/sph/formulas/flow_law.h
                  solvers/sph/formulas/flow_places.h solvers/sph/formulas/flow_judge.h
                  solvers/sph/formulas/coarse.h base/formulas/limb_total.h
                  solvers/sph/formulas/flow_control.h
                  solvers/sph/device/bricks.cl solvers/sph/device/judge.cl
                  solvers/sph/device/mend.cl solvers/sph/device/control.cl
                  solvers/sph/device/coarse_places.cl solvers/sph/device/coarse_solve.cl)

add_custom_target(mote-generated DEPENDS ${MOTE_DEVICE_TEXTS} ${MOTE_GENERATED}/mote/double_names.h
                                         ${MOTE_GENERATED}/scene_demo.inc
                                         ${MOTE_GENERATED}/scene_files.inc
                                         ${MOTE_GENERATED}/study_data.inc
                                         ${MOTE_GENERATED}/view_pages.inc)

# Settings that every target of one precision shares.
function(mote_settings target precision)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include
                             ${PROJECT_SOURCE_DIR}/src ${MOTE_GENERATED})
  target_compile_options(${target} PRIVATE ${MOTE_FLAGS})
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE ${MOTE_ISA_DEFINITIONS})
  if(precision STREQUAL "double")
    target_compile_definitions(${target} PRIVATE MOTE_DOUBLE)
  endif()
  target_link_libraries(${target} PRIVATE mote-parts)
  add_dependencies(${target} mote-generated)
endfunction()

# Compiles kernel sources once per instruction set; their objects come back in `objects`.
function(mote_kernels name precision sources objects)
  set(all "")
  foreach(isa ${MOTE_ISAS})
    add_library(${name}-kernels-${isa} OBJECT ${sources})
    mote_settings(${name}-kernels-${isa} ${precision})
    target_include_directories(${name}-kernels-${isa} PRIVATE ${PROJECT_SOURCE_DIR})
    target_compile_options(${name}-kernels-${isa} PRIVATE ${MOTE_KERNEL_FLAGS}
                           ${MOTE_ISA_FLAGS_${isa}})
    target_compile_definitions(${name}-kernels-${isa} PRIVATE MOTE_ISA_SUFFIX=_${isa})
    list(APPEND all $<TARGET_OBJECTS:${name}-kernels-${isa}>)
  endforeach()
  set(${objects} ${all} PARENT_SCOPE)
endfunction()

function(mote_library name precision)
  add_library(${name}-plain OBJECT ${MOTE_SOURCES})
  mote_settings(${name}-plain ${precision})
  target_link_libraries(${name}-plain PRIVATE ZLIB::ZLIB)
  set(objects $<TARGET_OBJECTS:${name}-plain>)
  mote_kernels(${name} ${precision} "${MOTE_KERNELS}" kernels)
  list(APPEND objects ${kernels})

  add_library(${name}-internal STATIC ${objects})
  target_link_libraries(${name}-internal PUBLIC ZLIB::ZLIB Threads::Threads mote-parts ${CMAKE_DL_LIBS} m)

  add_library(${name}-shared SHARED ${objects})
  target_link_libraries(${name}-shared PRIVATE ZLIB::ZLIB Threads::Threads mote-parts ${CMAKE_DL_LIBS} m)
  set_target_properties(${name}-shared PROPERTIES OUTPUT_NAME ${name} EXPORT_NAME ${name}
                        VERSION ${PROJECT_VERSION}
                        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  # What a program that links it gets, from an installed tree or through add_subdirectory.
  add_library(mote::${name} ALIAS ${name}-shared)
  add_dependencies(${name}-shared mote-generated)
  target_include_directories(${name}-shared INTERFACE
      $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<BUILD_INTERFACE:${MOTE_GENERATED}>
      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  if(precision STREQUAL "double")
    target_compile_definitions(${name}-shared INTERFACE MOTE_DOUBLE)
  endif()

  set(archive ${PROJECT_BINARY_DIR}/lib${name}.a)
  if(APPLE OR WIN32) # whose linkers do not hide names: they are all there, mote_ before what is public
    add_custom_target(${name}-static ALL COMMENT "lib${name}.a" DEPENDS ${name}-internal
                      COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_FILE:${name}-internal> ${archive})
    return()
  endif()
  set(merged ${PROJECT_BINARY_DIR}/lib${name}.o)
  add_custom_command(
    OUTPUT ${archive}
    COMMAND ${CMAKE_LINKER} -r --whole-archive $<TARGET_FILE:${name}-internal> -o ${merged}
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden --wildcard "--weaken-symbol=rtc*"
            "--weaken-symbol=qh_*" ${merged} # so that `gcc -static` needs none of the parts
    COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
    COMMAND ${CMAKE_AR} rcs ${archive} ${merged}
    DEPENDS ${name}-internal
    COMMENT "lib${name}.a: hiding internals")
  add_custom_target(${name}-static ALL DEPENDS ${archive})
endfunction()

# The program: command line, plots, benchmarks and studies over the archive with the internals visible.
function(mote_program name)
  set(precision float)
  if(name MATCHES "double")
    set(precision double)
  endif()
  add_executable(${name} ${MOTE_PROGRAM_SOURCES})
  mote_settings(${name} ${precision})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  mote_kernels(${name}-bench ${precision} "${MOTE_BENCH_KERNELS}" objects)
  target_sources(${name} PRIVATE ${objects})
  target_link_libraries(${name} PRIVATE ${name}-internal mote-program-parts)
endfunction()
