# Parts that need a library which may be missing: the build then goes without, with one line, and
# `mote info` says so. Code asks with #if MOTE_WITH_NAME, in the one file that calls the library.
#   mote_part(NAME header library package what-is-missing-without)   of the library
#   mote_part(... mote-program-parts)                                of the program alone
#   mote_find(PREFIX header library)   sets PREFIX_INCLUDE and PREFIX_LIBRARY in the cache
add_library(mote-parts INTERFACE)
add_library(mote-program-parts INTERFACE)
set(MOTE_PC_LIBS "")

# Every build looks at these places, so a library that was installed or removed since is noticed.
function(mote_watch header library)
  set(places "")
  foreach(prefix ${CMAKE_PREFIX_PATH} $ENV{CMAKE_PREFIX_PATH} ${CMAKE_SYSTEM_PREFIX_PATH})
    foreach(arch "" /${CMAKE_LIBRARY_ARCHITECTURE})
      list(APPEND places ${prefix}/include${arch}/${header} ${prefix}/lib${arch}/lib${library}.so
           ${prefix}/lib${arch}/lib${library}.a)
    endforeach()
  endforeach()
  file(GLOB found CONFIGURE_DEPENDS ${places})
endfunction()

function(mote_find prefix header library)
  mote_watch(${header} ${library})
  if(NOT EXISTS "${${prefix}_INCLUDE}/${header}" OR NOT EXISTS "${${prefix}_LIBRARY}")
    unset(${prefix}_INCLUDE CACHE) # it may have gone: CMake itself never looks again
    unset(${prefix}_LIBRARY CACHE)
  endif()
  find_path(${prefix}_INCLUDE ${header})
  find_library(${prefix}_LIBRARY ${library})
  mark_as_advanced(${prefix}_INCLUDE ${prefix}_LIBRARY)
endfunction()

function(mote_part name header library package without)
  set(target mote-parts ${ARGN})
  list(GET target -1 target)
  if(NOT DEFINED MOTE_OPTIONAL OR MOTE_OPTIONAL)
    mote_find(MOTE_${name} ${header} ${library})
  else()
    set(MOTE_${name}_LIBRARY "")
  endif()
  if(NOT MOTE_${name}_INCLUDE OR NOT MOTE_${name}_LIBRARY)
    message(STATUS "without ${package}: ${without}")
    target_compile_definitions(${target} INTERFACE MOTE_WITH_${name}=0)
    return()
  endif()
  target_compile_definitions(${target} INTERFACE MOTE_WITH_${name}=1)
  target_include_directories(${target} SYSTEM INTERFACE ${MOTE_${name}_INCLUDE})
  target_link_libraries(${target} INTERFACE ${MOTE_${name}_LIBRARY})
  if(target STREQUAL "mote-parts")
    set(MOTE_PC_LIBS "${MOTE_PC_LIBS} -l${library}" PARENT_SCOPE)
  endif()
endfunction()

mote_part(CAIRO cairo/cairo.h cairo libcairo2-dev "no plots and no legends"
          mote-program-parts)
mote_part(CIVETWEB civetweb.h civetweb libcivetweb-dev "no view in the browser" mote-program-parts)
mote_part(EMBREE embree3/rtcore.h embree3 libembree-dev "no ray-traced pictures")
