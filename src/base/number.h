/* Numbers in text: correctly rounded and independent of the locale. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct NumberRead {
    size_t length; /* bytes that belong to the number; 0: there is none */
    double value;
    const char *problem; /* NULL, or why the number cannot be right: "has too many digits" */
} NumberRead;

/* The unsigned decimal number at the start of the 0-terminated `text`: digits with an optional
 * point before, between or behind them, and an optional exponent. */
NumberRead number_read(const char *text);

/* The same for 0x and hexadecimal digits; length 0 unless `text` starts with 0x. */
NumberRead number_read_hex(const char *text);

/* All of the text is a number, maybe with a sign; "inf", "-inf" and "nan" are numbers too. */
bool number_parse(const char *text, double *value);

enum { NUMBER_SIZE = 40 };

/* As %.9g or %.17g: enough digits to get the same float or double back. Infinities and NaN are
 * "inf", "-inf" and "nan". Returns the length. */
size_t number_write(double value, int digits, char text[NUMBER_SIZE]);

/* With as few digits, six at least, as give the same double back. */
void number_text(double value, char text[NUMBER_SIZE]);

#endif
