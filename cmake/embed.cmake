# cmake -DINPUT=file -DOUTPUT=file.inc -P embed.cmake: a text file as C string literals, one a line.
file(READ "${INPUT}" text)
string(REPLACE "\\" "\\\\" text "${text}")
string(REPLACE "\"" "\\\"" text "${text}")
string(REGEX REPLACE "([^\n]*)\n" "\"\\1\\\\n\"\n" text "${text}")
file(WRITE "${OUTPUT}" "${text}")
