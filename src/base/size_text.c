/* Numbers of bytes for people. */
#include "base/size_text.h"

#include <stdio.h>

void size_text(uint64_t bytes, char text[SIZE_TEXT])
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
    double value = (double)bytes;
    size_t unit = 0;
    while (value >= 999.5 && unit + 1 < sizeof units / sizeof units[0]) value /= 1000, ++unit;
    snprintf(text, SIZE_TEXT, "%.*f %s", unit > 0 && value < 9.95 ? 1 : 0, value, units[unit]);
}
