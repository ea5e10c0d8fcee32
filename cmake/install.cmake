include(GNUInstallDirs)

# NAME.pc finds the other folders from its own place, so an installed tree can be moved.
function(mote_pkg_config name precision cflags)
  file(RELATIVE_PATH MOTE_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" MOTE_PC_TO_PREFIX ${MOTE_PC_TO_PREFIX})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/mote.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

install(DIRECTORY include/mote DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${MOTE_GENERATED}/mote/double_names.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/mote)
mote_pkg_config(mote float "")
if(MOTE_DOUBLE_TOO)
  mote_pkg_config(mote-double double " -DMOTE_DOUBLE")
endif()
foreach(name mote mote-double)
  if(TARGET ${name})
    install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(TARGETS ${name}-shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(FILES ${PROJECT_BINARY_DIR}/lib${name}.a DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endforeach()
