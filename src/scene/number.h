/* Numbers in text: correctly rounded and independent of the locale. */
#ifndef SCENE_NUMBER_H
#define SCENE_NUMBER_H

#include <stddef.h>

typedef struct NumberScan {
    size_t length; /* bytes that belong to the number; 0: there is none */
    double value;
    const char *problem; /* NULL, or why the number cannot be right: "has too many digits" */
} NumberScan;

/* The unsigned decimal number at the start of the 0-terminated `text`: digits with an optional
 * point before, between or behind them, and an optional exponent. */
NumberScan number_scan(const char *text);

/* The same for 0x and hexadecimal digits; length 0 unless `text` starts with 0x. */
NumberScan number_scan_hex(const char *text);

#endif
