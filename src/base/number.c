/* Numbers in text. Up to 15 digits and a power of ten up to 22 are exact in double, and one
 * operation on them rounds correctly (W. D. Clinger, How to read floating point numbers accurately,
 * PLDI 1990); everything else goes to strtod in the C locale. */
#include "base/number.h"

#include "base/system.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1000, EXACT_DIGITS = 15, EXACT_POWER = 22, LARGEST_EXPONENT = 100000 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_hex_digit(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

typedef struct Scan {
    const char *at;
    uint64_t mantissa;
    int digits; /* in the mantissa, without leading zeros */
    int power;  /* of ten */
    bool any;   /* a digit was seen */
} Scan;

static void scan_digits(Scan *scan, int power_per_digit)
{
    for (; is_digit(*scan->at); ++scan->at) {
        scan->any = true;
        scan->power += power_per_digit;
        if (scan->digits == 0 && *scan->at == '0') continue;
        if (++scan->digits > EXACT_DIGITS) continue;
        scan->mantissa = 10 * scan->mantissa + (uint64_t)(*scan->at - '0');
    }
}

/* An `e` without digits behind it does not belong to the number. */
static void scan_exponent(Scan *scan)
{
    const char *at = scan->at;
    if (*at != 'e' && *at != 'E') return;
    ++at;
    bool minus = *at == '-';
    if (*at == '-' || *at == '+') ++at;
    if (!is_digit(*at)) return;
    int exponent = 0;
    for (; is_digit(*at); ++at)
        if (exponent < LARGEST_EXPONENT) exponent = 10 * exponent + (*at - '0');
    scan->power += minus ? -exponent : exponent;
    scan->at = at;
}

static NumberRead read_in_c_locale(const char *text, size_t length)
{
    char copy[LONGEST + 1];
    if (length > LONGEST) return (NumberRead){length, (double)NAN, "has too many digits"};
    memcpy(copy, text, length);
    copy[length] = '\0';
    double value;
    if (!system_number(copy, &value))
        return (NumberRead){length, (double)NAN, "cannot be read: out of memory"};
    return (NumberRead){length, value, isinf(value) ? "is too large for a number" : NULL};
}

static double exact_power(int power)
{
    static const double powers[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    return powers[power];
}

/* Clinger's fast path (1990): a mantissa of at most 15 digits and a power of ten up to 22 are exact
 * doubles, so one product or quotient is rounded once, and right. All else goes to the C library.
 */
NumberRead number_read(const char *text)
{
    Scan scan = {.at = text};
    scan_digits(&scan, 0);
    if (*scan.at == '.') {
        ++scan.at;
        scan_digits(&scan, -1);
    }
    if (!scan.any) return (NumberRead){0, 0, NULL};
    scan_exponent(&scan);
    size_t length = (size_t)(scan.at - text);
    double mantissa = (double)scan.mantissa;
    bool exact = scan.digits <= EXACT_DIGITS && length <= LONGEST;
    if (exact && scan.power >= 0 && scan.power <= EXACT_POWER)
        return (NumberRead){length, mantissa * exact_power(scan.power), NULL};
    if (exact && scan.power < 0 && scan.power >= -EXACT_POWER)
        return (NumberRead){length, mantissa / exact_power(-scan.power), NULL};
    return read_in_c_locale(text, length);
}

NumberRead number_read_hex(const char *text)
{
    if (text[0] != '0' || (text[1] != 'x' && text[1] != 'X')) return (NumberRead){0, 0, NULL};
    size_t length = 2;
    while (is_hex_digit(text[length])) ++length;
    if (length == 2) return (NumberRead){2, (double)NAN, "has no digits"};
    return read_in_c_locale(text, length);
}

bool number_parse(const char *text, double *value)
{
    bool minus = *text == '-';
    if (*text == '-' || *text == '+') ++text;
    NumberRead read = number_read(text);
    if (strcmp(text, "inf") == 0) read = (NumberRead){3, HUGE_VAL, NULL};
    if (strcmp(text, "nan") == 0) read = (NumberRead){3, (double)NAN, NULL};
    if (read.length == 0 || read.problem != NULL || text[read.length] != '\0') return false;
    *value = minus ? -read.value : read.value;
    return true;
}

/* ---- writing ---- */

/* The host's locale may print a decimal comma. */
static void use_decimal_point(char *text)
{
    for (; *text != '\0'; ++text)
        if (*text == ',') *text = '.';
}

size_t number_write(double value, int digits, char text[NUMBER_SIZE])
{
    if (isnan(value) || isinf(value))
        snprintf(text, NUMBER_SIZE, "%s", isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
    else
        snprintf(text, NUMBER_SIZE, "%.*g", digits, value);
    use_decimal_point(text);
    return strlen(text);
}

void number_text(double value, char text[NUMBER_SIZE])
{
    double back = 0;
    for (int digits = 6; digits <= 17; ++digits) {
        number_write(value, digits, text);
        if (!number_parse(text, &back) || back == value || isnan(value)) return;
    }
}
