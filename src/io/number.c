/* Numbers as text: the C library's, inside the "C" locale for this thread alone. */
#include "io/number.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text;
    double value;
} special[] = {{"inf", HUGE_VAL}, {"-inf", -HUGE_VAL}, {"nan", (double)NAN}};
enum { SPECIAL_COUNT = sizeof special / sizeof special[0] };

/* The "C" locale is built into the C library: asking for it takes no memory. */
static locale_t enter(locale_t *plain)
{
    *plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return uselocale(*plain);
}

static void leave(locale_t before, locale_t plain)
{
    uselocale(before);
    if (plain != (locale_t)0) freelocale(plain);
}

size_t number_write(double value, int digits, char text[NUMBER_SIZE])
{
    if (!isfinite(value)) {
        const char *name = isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
        strcpy(text, name);
        return strlen(name);
    }
    locale_t plain, before = enter(&plain);
    int length = snprintf(text, NUMBER_SIZE, "%.*g", digits, value);
    leave(before, plain);
    return (size_t)length;
}

bool number_read(const char *text, double *value)
{
    for (int i = 0; i < SPECIAL_COUNT; ++i) {
        if (strcmp(text, special[i].text) != 0) continue;
        *value = special[i].value;
        return true;
    }
    if (text[0] == '\0' || strspn(text, "+-.0123456789eE") != strlen(text)) return false;
    char *end;
    locale_t plain, before = enter(&plain);
    *value = strtod(text, &end);
    leave(before, plain);
    return *end == '\0';
}
