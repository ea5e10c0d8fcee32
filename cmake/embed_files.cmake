# cmake -DINPUTS=file,file -DOUTPUT=file.inc -P embed_files.cmake: files as rows of bytes in C,
# TYPE (default ReferenceFile) {name without extension, bytes}; -DENDINGS=ON: with it. String literals
# of that length are no standard C.
if(NOT TYPE)
  set(TYPE ReferenceFile)
endif()
string(REPLACE "," ";" inputs "${INPUTS}")
set(all "")
foreach(input ${inputs})
  get_filename_component(name "${input}" NAME_WLE)
  if(ENDINGS)
    get_filename_component(name "${input}" NAME)
  endif()
  string(MAKE_C_IDENTIFIER "${name}" symbol)
  file(READ "${input}" bytes HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}") # a char, also above 7f
  string(APPEND all "static const char bytes_${symbol}[] = {\n${bytes}0};\n")
  string(APPEND table "    {\"${name}\", bytes_${symbol}},\n")
endforeach()
file(WRITE "${OUTPUT}" "${all}static const ${TYPE} files[] = {\n${table}};\n")
