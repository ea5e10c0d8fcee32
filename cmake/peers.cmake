# Programs that benchmarks run beside mote, each made by a target of its own and by nothing else.
find_program(MOTE_PEER_CXX NAMES c++ g++ clang++)
find_path(MOTE_OPENVDB_INCLUDE openvdb/openvdb.h)
mark_as_advanced(MOTE_PEER_CXX MOTE_OPENVDB_INCLUDE)
if(MOTE_PEER_CXX AND MOTE_OPENVDB_INCLUDE)
  add_custom_target(mote-peer-openvdb
    COMMAND ${MOTE_PEER_CXX} -std=c++17 -O2 -DNDEBUG -w
            ${PROJECT_SOURCE_DIR}/bench/peers/openvdb.cpp
            -o ${PROJECT_BINARY_DIR}/mote-peer-openvdb -lopenvdb -ltbb -lImath
    COMMENT "mote-peer-openvdb")
endif()
