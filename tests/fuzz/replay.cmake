# fuzz/<what>: the target of fuzz_<what>.c over its corpus, with the compiler of the other tests.
file(GLOB MOTE_FUZZ_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/fuzz_*.c)
foreach(source ${MOTE_FUZZ_SOURCES})
  string(REGEX REPLACE ".*/fuzz_([^/]*)\\.c$" "\\1" name ${source})
  add_executable(replay-${name} ${source} fuzz/replay.c)
  mote_settings(replay-${name} float)
  target_include_directories(replay-${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_compile_options(replay-${name} PRIVATE -UNDEBUG -O1)
  target_link_libraries(replay-${name} PRIVATE mote-internal m)
  add_test(NAME fuzz/${name} COMMAND replay-${name} ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/${name})
  set_tests_properties(fuzz/${name} PROPERTIES TIMEOUT 300
                       ENVIRONMENT "ASAN_OPTIONS=allocator_may_return_null=1;${leaks}")
endforeach()

# The command line comes with the program, all but its main.
target_sources(replay-command PRIVATE $<FILTER:$<TARGET_OBJECTS:mote>,EXCLUDE,/cli/main\\.c>)
foreach(isa ${MOTE_ISAS})
  target_sources(replay-command PRIVATE $<TARGET_OBJECTS:mote-bench-kernels-${isa}>)
endforeach()
target_link_libraries(replay-command PRIVATE mote-program-parts)
target_include_directories(replay-command PRIVATE ${PROJECT_SOURCE_DIR})

# What strangers send to the view is read by the program.
foreach(name request guard wire)
  target_sources(replay-${name} PRIVATE $<FILTER:$<TARGET_OBJECTS:mote>,INCLUDE,/view/${name}\\.c>)
  target_include_directories(replay-${name} PRIVATE ${PROJECT_SOURCE_DIR})
endforeach()
