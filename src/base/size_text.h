/* Numbers of bytes for people. */
#ifndef BASE_SIZE_TEXT_H
#define BASE_SIZE_TEXT_H

#include <stdint.h>

enum { SIZE_TEXT = 32 };

/* "512 bytes", "1.5 MB": powers of 1000. */
void size_text(uint64_t bytes, char text[SIZE_TEXT]);

#endif
