/* The .npy header: a Python dictionary of three keys, padded. */
#include "io/npz.h"

#include <stdio.h>
#include <string.h>

enum { ALIGNMENT = 64, LENGTH_SIZE = 2 };

static const char magic[6] = {'\x93', 'N', 'U', 'M', 'P', 'Y'};

static const char descriptions[][4] = {
    [MOTE_ARRAY_F32] = "<f4", [MOTE_ARRAY_F64] = "<f8", [MOTE_ARRAY_U32] = "<u4",
    [MOTE_ARRAY_U64] = "<u8", [MOTE_ARRAY_I64] = "<i8", [MOTE_ARRAY_BYTE] = "|u1",
};
enum { TYPE_COUNT = sizeof descriptions / sizeof descriptions[0] };

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "arrays are written as they lie");

size_t npy_header(const NpyShape *shape, char header[NPY_HEADER_MOST])
{
    char dimensions[64], dictionary[160];
    if (shape->planes == 1)
        snprintf(dimensions, sizeof dimensions, "(%zu,)", shape->rows);
    else
        snprintf(dimensions, sizeof dimensions, "(%zu, %zu)", shape->rows, shape->planes);
    size_t used = (size_t)snprintf(
        dictionary, sizeof dictionary, "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }",
        descriptions[shape->type], shape->planes > 1 && !shape->rows_first ? "True" : "False",
        dimensions);
    size_t total = NPY_PREFIX + LENGTH_SIZE + used + 1;
    total = (total + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    size_t length = total - NPY_PREFIX - LENGTH_SIZE;
    memset(header, ' ', total);
    memcpy(header, magic, sizeof magic);
    header[6] = 1, header[7] = 0;
    header[8] = (char)(length & 0xff), header[9] = (char)(length >> 8);
    memcpy(header + NPY_PREFIX + LENGTH_SIZE, dictionary, used);
    header[total - 1] = '\n';
    return total;
}

int npy_length_size(const unsigned char prefix[NPY_PREFIX])
{
    bool known = memcmp(prefix, magic, sizeof magic) == 0 && prefix[7] == 0;
    if (known && prefix[6] == 1) return 2;
    return known && (prefix[6] == 2 || prefix[6] == 3) ? 4 : 0;
}

/* ---- reading ---- */

typedef struct NpyCursor {
    const char *at, *end;
} NpyCursor;

static void skip_space(NpyCursor *cursor)
{
    while (cursor->at < cursor->end && (*cursor->at == ' ' || *cursor->at == '\n')) ++cursor->at;
}

static bool take(NpyCursor *cursor, char c)
{
    skip_space(cursor);
    if (cursor->at >= cursor->end || *cursor->at != c) return false;
    ++cursor->at;
    return true;
}

static bool take_word(NpyCursor *cursor, const char *word)
{
    size_t length = strlen(word);
    skip_space(cursor);
    if ((size_t)(cursor->end - cursor->at) < length || memcmp(cursor->at, word, length) != 0)
        return false;
    cursor->at += length;
    return true;
}

/* A quoted text without escapes. */
static bool take_text(NpyCursor *cursor, char *text, size_t size)
{
    char quote = '\'';
    if (!take(cursor, quote)) {
        quote = '"';
        if (!take(cursor, quote)) return false;
    }
    size_t used = 0;
    while (cursor->at < cursor->end && *cursor->at != quote) {
        if (used + 1 >= size || *cursor->at == '\\') return false;
        text[used++] = *cursor->at++;
    }
    text[used] = '\0';
    return take(cursor, quote);
}

static bool take_size(NpyCursor *cursor, size_t *value)
{
    skip_space(cursor);
    const char *start = cursor->at;
    *value = 0;
    for (; cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9'; ++cursor->at) {
        size_t digit = (size_t)(*cursor->at - '0');
        if (*value > (SIZE_MAX / 2 - digit) / 10) return false;
        *value = *value * 10 + digit;
    }
    return cursor->at > start;
}

static const char *parse_type(NpyCursor *cursor, NpyShape *shape)
{
    char text[16];
    if (!take_text(cursor, text, sizeof text)) return "its type is not a plain number type";
    for (int i = 0; i < TYPE_COUNT; ++i) {
        if (strcmp(text, descriptions[i]) != 0) continue;
        shape->type = (mote_ArrayType)i;
        return NULL;
    }
    return text[0] == '>' ? "its numbers are big-endian, but must be little-endian"
                          : "its type must be one of <f4, <f8, <u4, <u8, <i8, |u1";
}

static const char *parse_order(NpyCursor *cursor, NpyShape *shape)
{
    shape->columns_first = take_word(cursor, "True");
    bool known = shape->columns_first || take_word(cursor, "False");
    return known ? NULL : "fortran_order is neither True nor False";
}

static const char *parse_shape(NpyCursor *cursor, NpyShape *shape)
{
    size_t sizes[NPY_MOST_DIMENSIONS] = {1, 1};
    int count = 0;
    bool more = take(cursor, '(');
    if (!more) return "its shape is not a tuple";
    while (!take(cursor, ')')) {
        if (count == NPY_MOST_DIMENSIONS) return "it has more than 2 dimensions";
        if (!more || !take_size(cursor, &sizes[count++])) return "its shape is not a tuple";
        more = take(cursor, ',');
    }
    shape->rows = sizes[0], shape->planes = sizes[1];
    return NULL;
}

static const struct {
    const char *key;
    const char *(*parse)(NpyCursor *cursor, NpyShape *shape);
} keys[] = {{"descr", parse_type}, {"fortran_order", parse_order}, {"shape", parse_shape}};
enum { KEY_COUNT = sizeof keys / sizeof keys[0] };

/* A Python dictionary of just these three keys, in any order: what NumPy itself demands. So nothing
 * that it would refuse is read here. */
const char *npy_parse(const char *text, size_t size, NpyShape *shape)
{
    NpyCursor cursor = {text, text + size};
    bool seen[KEY_COUNT] = {false};
    int found = 0;
    if (!take(&cursor, '{')) return "its header is not a dictionary";
    while (!take(&cursor, '}')) {
        char key[16];
        int k = 0;
        if (!take_text(&cursor, key, sizeof key)) return "its header is not a dictionary";
        while (k < KEY_COUNT && strcmp(key, keys[k].key) != 0) ++k;
        if (k == KEY_COUNT || seen[k] || !take(&cursor, ':'))
            return "its header has a wrong or doubled key";
        const char *wrong = keys[k].parse(&cursor, shape);
        if (wrong != NULL) return wrong;
        seen[k] = true, ++found;
        if (take(&cursor, ',')) continue;
        if (!take(&cursor, '}')) return "its header is not a dictionary";
        break;
    }
    skip_space(&cursor);
    if (cursor.at != cursor.end) return "its header has text after the dictionary";
    return found == KEY_COUNT ? NULL : "its header lacks descr, fortran_order or shape";
}
