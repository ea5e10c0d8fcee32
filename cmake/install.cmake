# What is linked with libmote finds it without further settings; /usr/lib is looked into anyway.
set(MOTE_PC_RUN_PATH " -Wl,-rpath,\${libdir}")
if(CMAKE_INSTALL_PREFIX MATCHES "^(/usr)?/?$")
  set(MOTE_PC_RUN_PATH "")
endif()

# NAME.pc finds the other folders from its own place, so an installed tree can be moved.
function(mote_pkg_config name precision cflags)
  file(RELATIVE_PATH MOTE_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" MOTE_PC_TO_PREFIX ${MOTE_PC_TO_PREFIX})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/mote.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

install(DIRECTORY include/mote DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# The program has its scenes inside; these are to be read, copied and changed.
install(FILES ${MOTE_SCENES} DESTINATION ${CMAKE_INSTALL_DATADIR}/mote/scenes)
install(FILES ${MOTE_GENERATED}/mote/double_names.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/mote)
mote_pkg_config(mote float "")
if(MOTE_DOUBLE_TOO)
  mote_pkg_config(mote-double double " -DMOTE_DOUBLE")
endif()
foreach(name mote mote-double)
  if(TARGET ${name})
    install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(TARGETS ${name}-shared EXPORT mote LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(FILES ${PROJECT_BINARY_DIR}/lib${name}.a DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endforeach()

# find_package(mote): the targets mote::mote and mote::mote-double.
include(CMakePackageConfigHelpers)
set(MOTE_PACKAGE ${CMAKE_INSTALL_LIBDIR}/cmake/mote)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/mote-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(EXPORT mote NAMESPACE mote:: FILE mote-config.cmake DESTINATION ${MOTE_PACKAGE})
install(FILES ${PROJECT_BINARY_DIR}/mote-config-version.cmake DESTINATION ${MOTE_PACKAGE})

# The program writes its own manual page and completions.
function(mote_install_text program folder file)
  install(CODE "
    set(folder \"\${CMAKE_INSTALL_PREFIX}/${folder}\")
    message(STATUS \"Installing: \$ENV{DESTDIR}\${folder}/${file}\")
    file(MAKE_DIRECTORY \"\$ENV{DESTDIR}\${folder}\")
    execute_process(COMMAND $<TARGET_FILE:${program}> ${ARGN} RESULT_VARIABLE failed
                    OUTPUT_FILE \"\$ENV{DESTDIR}\${folder}/${file}\")
    if(failed)
      message(FATAL_ERROR \"could not write ${file}: \${failed}\")
    endif()")
endfunction()
foreach(name mote mote-double)
  if(TARGET ${name})
    mote_install_text(${name} ${CMAKE_INSTALL_MANDIR}/man1 ${name}.1 man)
    set(data ${CMAKE_INSTALL_DATADIR})
    mote_install_text(${name} ${data}/bash-completion/completions ${name} completion bash)
    mote_install_text(${name} ${data}/zsh/site-functions _${name} completion zsh)
    mote_install_text(${name} ${data}/fish/vendor_completions.d ${name}.fish completion fish)
  endif()
endforeach()

# Programs that were linked without a run path find a new library through ldconfig's list.
install(CODE "
  find_program(ldconfig ldconfig PATHS /sbin /usr/sbin)
  if(ldconfig AND \"\$ENV{DESTDIR}\" STREQUAL \"\")
    execute_process(COMMAND \${ldconfig} -v -N -X OUTPUT_VARIABLE listed ERROR_QUIET)
    string(FIND \"\n\${listed}\" \"\n\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}:\" at)
    if(NOT at EQUAL -1)
      execute_process(COMMAND \${ldconfig} RESULT_VARIABLE failed ERROR_QUIET)
      if(failed)
        message(STATUS \"Run ldconfig as root: the libraries are in a folder that it lists\")
      endif()
    endif()
  endif()")
