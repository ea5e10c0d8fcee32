# The Python package, in PROJECT_BINARY_DIR/python: its own files, what is made from the headers and
# from the tables of the library that was just built, and the scenes. Target mote-python; no other
# target needs it. Debian's own interpreter comes first: it is the one that has Debian's NumPy.
find_program(MOTE_PYTHON3 NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(MOTE_PYTHON3 NAMES python3)
mark_as_advanced(MOTE_PYTHON3)
if(MOTE_PYTHON3 AND NOT MOTE_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
  file(GLOB MOTE_PYTHON_FILES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/mote/*
       ${PROJECT_SOURCE_DIR}/scripts/python-*)
  add_custom_command(
    OUTPUT ${PROJECT_BINARY_DIR}/python/made
    COMMAND ${PROJECT_SOURCE_DIR}/scripts/python-package.sh ${PROJECT_BINARY_DIR} ${MOTE_PYTHON3}
    DEPENDS mote-shared ${MOTE_PYTHON_FILES} ${MOTE_HEADERS} ${MOTE_SCENES}
    COMMENT "the Python package")
  add_custom_target(mote-python DEPENDS ${PROJECT_BINARY_DIR}/python/made)
endif()
