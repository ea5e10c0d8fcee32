/* Particles from PLY (Turk 1994): the element `vertex`, as text or binary of both byte orders. */
#include "base/number.h"
#include "io/import.h"

#include <string.h>

enum { MOST_PROPERTIES = 128, WORD = 64 };

typedef enum PlyFormat { PLY_TEXT, PLY_LITTLE, PLY_BIG } PlyFormat;

static const struct {
    const char *name, *also;
    size_t size;
    char kind; /* i, u, f */
} types[] = {
    {"char", "int8", 1, 'i'},     {"uchar", "uint8", 1, 'u'},    {"short", "int16", 2, 'i'},
    {"ushort", "uint16", 2, 'u'}, {"int", "int32", 4, 'i'},      {"uint", "uint32", 4, 'u'},
    {"float", "float32", 4, 'f'}, {"double", "float64", 8, 'f'},
};
enum { TYPES = sizeof types / sizeof types[0] };

typedef struct PlyProperty {
    int type;
    ImportRole role;
} PlyProperty;

typedef struct Ply {
    ImportTable *table;
    const char *at, *end;
    size_t line;
    PlyFormat format;
    PlyProperty properties[MOST_PROPERTIES];
    size_t property_count;
    bool found;   /* the element `vertex` */
    bool in_it;   /* its properties are being read */
    bool earlier; /* another element stands before it */
    size_t count; /* of vertices */
} Ply;

/* ---- head ---- */

/* The next word of the line; false at its end. */
static bool next_word(Ply *ply, char word[WORD])
{
    size_t length = 0;
    while (ply->at < ply->end && (*ply->at == ' ' || *ply->at == '\t' || *ply->at == '\r'))
        ++ply->at;
    for (; ply->at < ply->end && (unsigned char)*ply->at > ' '; ++ply->at)
        if (length + 1 < WORD) word[length++] = *ply->at;
    word[length] = '\0';
    return length > 0;
}

static bool next_line(Ply *ply)
{
    const char *end =
        ply->at < ply->end ? memchr(ply->at, '\n', (size_t)(ply->end - ply->at)) : NULL;
    ply->at = end != NULL ? end + 1 : ply->end;
    ++ply->line;
    return end != NULL;
}

static int type_of(const char *word)
{
    for (int t = 0; t < TYPES; ++t)
        if (strcmp(word, types[t].name) == 0 || strcmp(word, types[t].also) == 0) return t;
    return -1;
}

static mote_Status read_format(Ply *ply, mote_Error *error)
{
    static const char *const formats[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    char word[WORD];
    next_word(ply, word);
    for (int f = 0; f < 3; ++f)
        if (strcmp(word, formats[f]) == 0) {
            ply->format = (PlyFormat)f;
            return MOTE_OK;
        }
    return import_fail(ply->table, ply->line, error, "unknown format `%s`", word);
}

static mote_Status read_element(Ply *ply, mote_Error *error)
{
    char name[WORD], count[WORD];
    double number;
    ply->in_it = false;
    if (!next_word(ply, name) || !next_word(ply, count) || !number_parse(count, &number) ||
        !(number >= 0 && number < 1e15))
        return import_fail(ply->table, ply->line, error, "an element needs a name and a count");
    if (ply->found) return MOTE_OK;
    ply->found = ply->in_it = strcmp(name, "vertex") == 0;
    ply->earlier = ply->earlier || (!ply->found && number > 0);
    if (ply->found) ply->count = (size_t)number;
    return MOTE_OK;
}

static mote_Status read_property(Ply *ply, mote_Error *error)
{
    char type[WORD], name[WORD];
    if (!ply->in_it) return MOTE_OK;
    if (!next_word(ply, type) || !next_word(ply, name) || type_of(type) < 0)
        return import_fail(ply->table, ply->line, error,
                           "a vertex's property must be a number, not `%s`", type);
    if (ply->property_count == MOST_PROPERTIES)
        return import_fail(ply->table, ply->line, error, "there are too many properties");
    ImportRole role = import_role(name);
    if (role != IMPORT_NOTHING && ply->table->has[role]) role = IMPORT_NOTHING;
    if (role != IMPORT_NOTHING) ply->table->has[role] = true;
    ply->properties[ply->property_count++] = (PlyProperty){type_of(type), role};
    return MOTE_OK;
}

static mote_Status read_head(Ply *ply, mote_Error *error)
{
    char word[WORD];
    mote_Status status = MOTE_OK;
    while (status == MOTE_OK && next_line(ply)) {
        if (!next_word(ply, word) || strcmp(word, "comment") == 0) continue;
        if (strcmp(word, "format") == 0) status = read_format(ply, error);
        if (strcmp(word, "element") == 0) status = read_element(ply, error);
        if (strcmp(word, "property") == 0) status = read_property(ply, error);
        if (strcmp(word, "end_header") == 0) {
            next_line(ply);
            if (!ply->found || ply->earlier)
                return import_fail(ply->table, 0, error,
                                   "the element `vertex` must be there, and the first");
            return MOTE_OK;
        }
    }
    return status != MOTE_OK ? status : import_fail(ply->table, 0, error, "its head has no end");
}

/* ---- rows ---- */

static double number_of(const Ply *ply, int type, const char *from)
{
    unsigned char b[8] = {0};
    size_t size = types[type].size;
    uint64_t bits = 0;
    memcpy(b, from, size);
    for (size_t i = 0; i < size; ++i)
        bits |= (uint64_t)b[i] << 8 * (ply->format == PLY_BIG ? size - 1 - i : i);
    if (types[type].kind == 'u') return (double)bits;
    if (types[type].kind == 'i')
        return (double)((int64_t)(bits << (64 - 8 * size)) >> (64 - 8 * size));
    float narrow;
    double wide;
    uint32_t low = (uint32_t)bits;
    memcpy(&narrow, &low, sizeof narrow);
    memcpy(&wide, &bits, sizeof wide);
    return size == 4 ? (double)narrow : wide;
}

static mote_Status read_binary(Ply *ply, double values[IMPORT_ROLES + 1], mote_Error *error)
{
    for (size_t i = 0; i < ply->property_count; ++i) {
        size_t size = types[ply->properties[i].type].size;
        if ((size_t)(ply->end - ply->at) < size)
            return import_fail(ply->table, 0, error, "it ends after %zu of %zu vertices",
                               ply->table->count, ply->count);
        values[ply->properties[i].role] = number_of(ply, ply->properties[i].type, ply->at);
        ply->at += size;
    }
    return MOTE_OK;
}

static mote_Status read_text(Ply *ply, double values[IMPORT_ROLES + 1], mote_Error *error)
{
    char word[WORD];
    for (size_t i = 0; i < ply->property_count; ++i)
        if (!next_word(ply, word) || !number_parse(word, &values[ply->properties[i].role]))
            return import_fail(ply->table, ply->line, error, "a vertex needs %zu numbers",
                               ply->property_count);
    next_line(ply);
    return MOTE_OK;
}

mote_Status import_ply(ImportBytes bytes, ImportTable *table, mote_Error *error)
{
    Ply ply = {.table = table, .at = bytes.at, .end = bytes.at + bytes.size, .line = 1};
    mote_Status status = read_head(&ply, error);
    if (status == MOTE_OK && ply.property_count == 0) ply.count = 0;
    for (size_t i = 0; i < ply.count && status == MOTE_OK; ++i) {
        double values[IMPORT_ROLES + 1]; /* the last is for what is passed over */
        status = ply.format == PLY_TEXT ? read_text(&ply, values, error)
                                        : read_binary(&ply, values, error);
        if (status == MOTE_OK) status = import_add(table, values, error);
    }
    return status;
}
