# Parts that need a library which may be missing: the build then goes without, with one line, and
# `mote info` says so. Code asks with #if MOTE_WITH_NAME, in the one file that calls the library.
#   mote_part(NAME header library package what-is-missing-without)
add_library(mote-parts INTERFACE)
set(MOTE_PC_LIBS "")

function(mote_part name header library package without)
  find_path(MOTE_${name}_INCLUDE ${header})
  find_library(MOTE_${name}_LIBRARY ${library})
  mark_as_advanced(MOTE_${name}_INCLUDE MOTE_${name}_LIBRARY)
  if(NOT MOTE_${name}_INCLUDE OR NOT MOTE_${name}_LIBRARY)
    message(STATUS "without ${package}: ${without}")
    target_compile_definitions(mote-parts INTERFACE MOTE_WITH_${name}=0)
    return()
  endif()
  target_compile_definitions(mote-parts INTERFACE MOTE_WITH_${name}=1)
  target_include_directories(mote-parts SYSTEM INTERFACE ${MOTE_${name}_INCLUDE})
  target_link_libraries(mote-parts INTERFACE ${MOTE_${name}_LIBRARY})
  set(MOTE_PC_LIBS "${MOTE_PC_LIBS} -l${library}" PARENT_SCOPE)
endfunction()

mote_part(CAIRO cairo/cairo.h cairo libcairo2-dev "no plots and no legends")
mote_part(QHULL libqhull_r/qhull_ra.h qhull_r libqhull-dev "no convex hulls of points")
mote_part(EMBREE embree3/rtcore.h embree3 libembree-dev "no ray-traced pictures")
