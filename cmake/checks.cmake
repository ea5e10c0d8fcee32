# Tests of the tree and of what is installed, beside the test programs.

# Formatting counts in clang-format 14 only: other versions differ in details.
find_program(MOTE_CLANG_FORMAT NAMES clang-format-14 clang-format)
mark_as_advanced(MOTE_CLANG_FORMAT)
if(MOTE_CLANG_FORMAT)
  execute_process(COMMAND ${MOTE_CLANG_FORMAT} --version OUTPUT_VARIABLE version)
  if(version MATCHES "version 14\\." AND NOT MOTE_SANITIZE)
    add_test(NAME format COMMAND ${PROJECT_SOURCE_DIR}/scripts/format.sh --check)
  endif()
endif()

if(NOT MOTE_SANITIZE)
  add_test(NAME progress COMMAND ${PROJECT_SOURCE_DIR}/scripts/check-progress.sh)
  add_test(NAME parts COMMAND ${PROJECT_SOURCE_DIR}/scripts/check-parts.sh)
endif()

find_program(MOTE_PKG_CONFIG pkg-config)
mark_as_advanced(MOTE_PKG_CONFIG)
if(MOTE_PKG_CONFIG AND NOT MOTE_SANITIZE)
  add_test(NAME install COMMAND ${PROJECT_SOURCE_DIR}/scripts/check-install.sh
           ${PROJECT_BINARY_DIR} ${CMAKE_C_COMPILER})
endif()

# What packages are made of is the same whatever the compiler; those that take minutes or large
# clients are for make test-all.
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND NOT MOTE_SANITIZE)
  function(mote_package_test what)
    add_test(NAME package/${what} COMMAND ${PROJECT_SOURCE_DIR}/scripts/check-packages.sh ${what}
             ${PROJECT_BINARY_DIR})
    set_tests_properties(package/${what} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 3000)
  endfunction()
  mote_package_test(deb)
  if(MOTE_ALL_TESTS)
    mote_package_test(static)
    add_test(NAME package/targets COMMAND ${PROJECT_SOURCE_DIR}/scripts/check-targets.sh)
    set_tests_properties(package/targets PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 7200
                         RESOURCE_LOCK ports PROCESSORS 2)
    mote_package_test(container)
    set_tests_properties(package/container PROPERTIES RESOURCE_LOCK ports PROCESSORS 2)
    add_test(NAME package/blender COMMAND sh ${PROJECT_SOURCE_DIR}/tests/blender/check.sh
             $<TARGET_FILE:mote> ${PROJECT_SOURCE_DIR})
    set_tests_properties(package/blender PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
    # One after the other: each builds the library again.
    foreach(port arm64 armhf windows bsd)
      add_test(NAME port/${port} COMMAND ${PROJECT_SOURCE_DIR}/scripts/check-ports.sh ${port}
               ${PROJECT_BINARY_DIR}/ports/${port})
      set_tests_properties(port/${port} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 7200
                           RESOURCE_LOCK ports PROCESSORS 2)
    endforeach()
  endif()
endif()
