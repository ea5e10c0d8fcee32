/* Did-you-mean: restricted Damerau-Levenshtein distance. Names: a hash table. */
#include "base/text.h"

#include "base/hash.h"

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

/* The distance of Damerau and Levenshtein, in its restricted form: letters are put in, left out,
 * replaced, or two beside each other swapped. Three rows of the table are enough. */
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

/* ---- names and where they are. At most half of the slots are taken ---- */

NameIndex name_index_make(Memory *memory)
{
    return (NameIndex){.memory = memory};
}

void name_index_free(NameIndex *index)
{
    memory_free(index->memory, index->slots, index->slot_count * sizeof *index->slots);
    *index = name_index_make(index->memory);
}

void name_index_clear(NameIndex *index)
{
    if (index->slot_count > 0) memset(index->slots, 0, index->slot_count * sizeof *index->slots);
    index->count = 0;
}

/* The slot that holds the name, or the free one where it belongs. */
static NameSlot *slot_of(const NameIndex *index, const char *name)
{
    size_t at = (size_t)hash_text(name) & (index->slot_count - 1);
    while (index->slots[at].name != NULL && strcmp(index->slots[at].name, name) != 0)
        at = (at + 1) & (index->slot_count - 1);
    return &index->slots[at];
}

size_t name_index_find(const NameIndex *index, const char *name)
{
    if (index->slot_count == 0) return SIZE_MAX;
    const NameSlot *slot = slot_of(index, name);
    return slot->name != NULL ? slot->value : SIZE_MAX;
}

static bool grow(NameIndex *index)
{
    NameIndex wider = {.memory = index->memory, .count = index->count};
    wider.slot_count = index->slot_count > 0 ? 2 * index->slot_count : 16;
    wider.slots = memory_zeroed(index->memory, wider.slot_count * sizeof *wider.slots);
    if (wider.slots == NULL) return false;
    for (size_t i = 0; i < index->slot_count; ++i)
        if (index->slots[i].name != NULL) *slot_of(&wider, index->slots[i].name) = index->slots[i];
    name_index_free(index);
    *index = wider;
    return true;
}

bool name_index_reserve(NameIndex *index)
{
    return 2 * (index->count + 1) <= index->slot_count || grow(index);
}

bool name_index_add(NameIndex *index, const char *name, size_t value)
{
    if (!name_index_reserve(index)) return false;
    *slot_of(index, name) = (NameSlot){name, value};
    ++index->count;
    return true;
}
