/* Did-you-mean: restricted Damerau-Levenshtein distance. */
#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 63 };

static int min3(int a, int b, int c)
{
    int ab = a < b ? a : b;
    return ab < c ? ab : c;
}

static int same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

int text_distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    int row[3][LONGEST + 2];
    if (n > LONGEST || m > LONGEST) return LONGEST;
    for (size_t j = 0; j <= m; ++j) row[0][j] = (int)j;
    for (size_t i = 1; i <= n; ++i) {
        int *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = (int)i;
        for (size_t j = 1; j <= m; ++j) {
            int replace = last[j - 1] + !same(a[i - 1], b[j - 1]);
            now[j] = min3(replace, last[j] + 1, now[j - 1] + 1);
            int swapped = i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]);
            if (swapped && before[j - 2] + 1 < now[j]) now[j] = before[j - 2] + 1;
        }
    }
    return row[n % 3][m];
}

const char *text_nearest(const char *word, const char *(*name)(const void *context, size_t i),
                         const void *context)
{
    const char *best = NULL, *candidate;
    const size_t length = strlen(word);
    int best_distance = length > 3 ? (int)length / 3 + 2 : 2; /* a third wrong and one typo */
    for (size_t i = 0; (candidate = name(context, i)) != NULL; ++i) {
        int distance = text_distance(word, candidate);
        if (length > 1 && distance > 1 && strncmp(word, candidate, length) == 0) distance = 1;
        if (length < 6 && distance > 1 && !same(word[0], candidate[0])) continue;
        if (distance < best_distance) best_distance = distance, best = candidate;
    }
    return best;
}

/* ---- numbers of bytes ---- */

void size_text(uint64_t bytes, char text[SIZE_TEXT])
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
    double value = (double)bytes;
    size_t unit = 0;
    while (value >= 999.5 && unit + 1 < sizeof units / sizeof units[0]) value /= 1000, ++unit;
    snprintf(text, SIZE_TEXT, "%.*f %s", unit > 0 && value < 9.95 ? 1 : 0, value, units[unit]);
}
