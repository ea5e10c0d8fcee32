/* Numbers as text with a decimal point, whatever the locale of the program around us is. */
#ifndef IO_NUMBER_H
#define IO_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

enum { NUMBER_SIZE = 40 };

/* As %.9g or %.17g: enough digits to get the same float or double back. Infinities and NaN are
 * "inf", "-inf" and "nan". Returns the length. */
size_t number_write(double value, int digits, char text[NUMBER_SIZE]);

/* All of the text must be a number (infinities and NaN as above). */
bool number_read(const char *text, double *value);

#endif
