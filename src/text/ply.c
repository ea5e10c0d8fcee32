/* Reading PLY. */
#include "text/ply.h"

#include <math.h>
#include <string.h>

enum { MOST_ELEMENTS = 16, MOST_PROPERTIES = 128 };

typedef enum PlyFormat { PLY_TEXT, PLY_LITTLE, PLY_BIG } PlyFormat;

typedef enum PlyType {
    PLY_I8,
    PLY_U8,
    PLY_I16,
    PLY_U16,
    PLY_I32,
    PLY_U32,
    PLY_F32,
    PLY_F64,
    PLY_NO_TYPE
} PlyType;

static const struct {
    const char *name, *also;
    size_t size;
} types[PLY_NO_TYPE] = {
    {"char", "int8", 1}, {"uchar", "uint8", 1}, {"short", "int16", 2},   {"ushort", "uint16", 2},
    {"int", "int32", 4}, {"uint", "uint32", 4}, {"float", "float32", 4}, {"double", "float64", 8},
};

typedef struct PlyProperty {
    PlyType type;
    PlyType length; /* of a list: type of its length; otherwise PLY_NO_TYPE */
    int role;       /* the reader's; below 0: passed over */
} PlyProperty;

typedef struct PlyElement {
    char name[LINES_WORD];
    size_t count;
    bool wanted;   /* a property has a role */
    bool has_list; /* a list has one: a row has room for one */
    PlyProperty properties[MOST_PROPERTIES];
    size_t property_count;
} PlyElement;

typedef struct Ply {
    TextLines *text;
    const PlyReader *reader;
    PlyFormat format;
    PlyElement elements[MOST_ELEMENTS];
    size_t element_count;
} Ply;

/* ---- head ---- */

static PlyType read_type(TextLines *text)
{
    char word[LINES_WORD];
    if (!lines_word(text, word)) return PLY_NO_TYPE;
    for (int t = 0; t < PLY_NO_TYPE; ++t)
        if (strcmp(word, types[t].name) == 0 || strcmp(word, types[t].also) == 0) return (PlyType)t;
    return PLY_NO_TYPE;
}

static mote_Status read_property(Ply *ply, mote_Error *error)
{
    TextLines *text = ply->text;
    char word[LINES_WORD];
    if (ply->element_count == 0) return lines_fail(text, error, "a property without an element");
    PlyElement *element = &ply->elements[ply->element_count - 1];
    if (element->property_count == MOST_PROPERTIES)
        return lines_fail(text, error, "more than %d properties", (int)MOST_PROPERTIES);
    PlyProperty property = {.length = PLY_NO_TYPE};
    const char *start = text->at;
    if (lines_word(text, word) && strcmp(word, "list") == 0) {
        property.length = read_type(text);
        if (property.length == PLY_NO_TYPE || property.length >= PLY_F32)
            return lines_fail(text, error, "a list's length has an unknown type");
    } else {
        text->at = start;
    }
    property.type = read_type(text);
    if (property.type == PLY_NO_TYPE || !lines_word(text, word))
        return lines_fail(text, error, "a property needs a known type and a name");
    property.role = ply->reader->role(ply->reader->context, element->name, word,
                                      property.length != PLY_NO_TYPE);
    const bool list = property.role >= 0 && property.length != PLY_NO_TYPE;
    if (list && element->has_list)
        return lines_fail(text, error, "`%s` is the second such list of `%s`", word, element->name);
    element->has_list = element->has_list || list;
    element->wanted = element->wanted || property.role >= 0;
    element->properties[element->property_count++] = property;
    return MOTE_OK;
}

static mote_Status read_element(Ply *ply, mote_Error *error)
{
    TextLines *text = ply->text;
    char word[LINES_WORD];
    double count;
    if (ply->element_count == MOST_ELEMENTS)
        return lines_fail(text, error, "more than %d elements", (int)MOST_ELEMENTS);
    if (!lines_word(text, word)) return lines_fail(text, error, "an element needs a name");
    mote_Status status = lines_number(text, "a count", &count, error);
    if (status != MOTE_OK) return status;
    if (!(count >= 0 && count < 4e9 && count == floor(count)))
        return lines_fail(text, error, "an element's count must be a whole number below 4e9");
    PlyElement *element = &ply->elements[ply->element_count++];
    *element = (PlyElement){.count = (size_t)count};
    memcpy(element->name, word, sizeof word);
    return MOTE_OK;
}

static mote_Status read_format(Ply *ply, mote_Error *error)
{
    static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    char word[LINES_WORD];
    if (!lines_word(ply->text, word)) word[0] = '\0';
    for (int i = 0; i < 3; ++i)
        if (strcmp(word, names[i]) == 0) {
            ply->format = (PlyFormat)i;
            return MOTE_OK;
        }
    return lines_fail(ply->text, error, "unknown format `%s`", word);
}

static mote_Status read_head(Ply *ply, mote_Error *error)
{
    TextLines *text = ply->text;
    bool formatted = false;
    mote_Status status = MOTE_OK;
    text->line = 1;
    while (status == MOTE_OK && lines_next(text)) {
        char word[LINES_WORD];
        if (!lines_word(text, word)) continue;
        if (strcmp(word, "end_header") == 0) {
            if (!formatted) return lines_fail(text, error, "the head does not say a format");
            lines_next(text);
            return MOTE_OK;
        }
        if (strcmp(word, "format") == 0) formatted = true, status = read_format(ply, error);
        if (strcmp(word, "element") == 0) status = read_element(ply, error);
        if (strcmp(word, "property") == 0) status = read_property(ply, error);
    }
    return status != MOTE_OK ? status : lines_fail(text, error, "end_header is missing");
}

/* ---- values ---- */

static double value_of(PlyType type, uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float f;
    double d;
    memcpy(&f, &low, sizeof f);
    memcpy(&d, &bits, sizeof d);
    const double values[PLY_NO_TYPE] = {(double)(int8_t)bits,
                                        (double)(uint8_t)bits,
                                        (double)(int16_t)bits,
                                        (double)(uint16_t)bits,
                                        (double)(int32_t)bits,
                                        (double)(uint32_t)bits,
                                        (double)f,
                                        d};
    return values[type];
}

/* Byte by byte, so that it does not matter which order this machine has, nor where a value begins.
 */
static mote_Status read_binary(Ply *ply, PlyType type, double *value, mote_Error *error)
{
    TextLines *text = ply->text;
    size_t size = types[type].size;
    uint64_t bits = 0;
    if ((size_t)(text->end - text->at) < size) return lines_fail(text, error, "it is cut off");
    for (size_t i = 0; i < size; ++i) {
        size_t at = ply->format == PLY_BIG ? size - 1 - i : i;
        bits |= (uint64_t)(unsigned char)text->at[at] << (8 * i);
    }
    text->at += size;
    *value = value_of(type, bits);
    return MOTE_OK;
}

static mote_Status read_value(Ply *ply, PlyType type, double *value, mote_Error *error)
{
    if (ply->format == PLY_TEXT) return lines_number(ply->text, "a value", value, error);
    return read_binary(ply, type, value, error);
}

/* ---- rows ---- */

static mote_Status read_list(Ply *ply, const PlyProperty *property, PlyRow *row, mote_Error *error)
{
    double length, value;
    mote_Status status = read_value(ply, property->length, &length, error);
    if (status != MOTE_OK) return status;
    bool wanted = property->role >= 0;
    if (!(length >= 0 && length < 4e9) || (wanted && length > PLY_LONGEST_LIST))
        return lines_fail(ply->text, error, "a list of %g values, but must have at most %d", length,
                          (int)PLY_LONGEST_LIST);
    for (size_t i = 0; i < (size_t)length && status == MOTE_OK; ++i) {
        status = read_value(ply, property->type, &value, error);
        if (wanted && status == MOTE_OK) row->list[row->length++] = value;
    }
    return status;
}

static mote_Status read_row(Ply *ply, const PlyElement *element, PlyRow *row, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    row->length = 0;
    for (size_t i = 0; i < element->property_count && status == MOTE_OK; ++i) {
        const PlyProperty *property = &element->properties[i];
        double value;
        if (property->length != PLY_NO_TYPE) {
            status = read_list(ply, property, row, error);
            continue;
        }
        status = read_value(ply, property->type, &value, error);
        if (property->role >= 0) row->values[property->role] = value;
    }
    if (ply->format == PLY_TEXT) lines_next(ply->text);
    return status;
}

static mote_Status read_rows(Ply *ply, const PlyElement *element, mote_Error *error)
{
    PlyRow row = {.element = element->name};
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < element->count && status == MOTE_OK; ++i) {
        status = read_row(ply, element, &row, error);
        if (status == MOTE_OK && element->wanted)
            status = ply->reader->row(ply->reader->context, &row, error);
    }
    return status;
}

mote_Status ply_read(TextLines *text, const PlyReader *reader, mote_Error *error)
{
    Ply ply = {.text = text, .reader = reader};
    if (text->end - text->at < 4 || memcmp(text->at, "ply", 3) != 0)
        return lines_fail(text, error, "it does not start with `ply`");
    mote_Status status = read_head(&ply, error);
    if (status == MOTE_OK) status = reader->head(reader->context, error);
    if (ply.format != PLY_TEXT) text->line = 0;
    for (size_t e = 0; e < ply.element_count && status == MOTE_OK; ++e)
        if (ply.elements[e].property_count > 0) status = read_rows(&ply, &ply.elements[e], error);
    return status;
}
