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
