/* STL, text and binary: triangles with their corners written out; normals are passed over. */
#include "geometry/mesh_format.h"

#include <math.h>
#include <string.h>

enum { HEAD = 84, RECORD = 50 };

static uint32_t little_u32(const char *at)
{
    const unsigned char *b = (const unsigned char *)at;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static float little_f32(const char *at)
{
    uint32_t bits = little_u32(at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

bool mesh_is_binary_stl(const TextLines *text)
{
    size_t size = (size_t)(text->end - text->at);
    return size > HEAD && size == HEAD + (size_t)RECORD * little_u32(text->at + HEAD - 4);
}

static mote_Status add_triangle(MeshData *data, const double v[3][3], mote_Error *error)
{
    uint32_t first = (uint32_t)data->vertex_count, corners[3] = {first, first + 1, first + 2};
    mote_Status status = MOTE_OK;
    for (int k = 0; k < 3 && status == MOTE_OK; ++k) status = mesh_add_vertex(data, v[k], error);
    return status == MOTE_OK ? mesh_add_polygon(data, corners, 3, error) : status;
}

static mote_Status read_record(TextLines *text, size_t number, MeshData *data, mote_Error *error)
{
    double v[3][3];
    for (int i = 0; i < 9; ++i) {
        v[i / 3][i % 3] = (double)little_f32(text->at + 12 + 4 * i);
        if (!isfinite(v[i / 3][i % 3]))
            return lines_fail(text, error, "triangle %zu is not finite", number);
    }
    text->at += RECORD;
    return add_triangle(data, (const double(*)[3])v, error);
}

static mote_Status read_binary(TextLines *text, MeshData *data, mote_Error *error)
{
    size_t count = little_u32(text->at + HEAD - 4), rest = (size_t)(text->end - text->at) - HEAD;
    mote_Status status = MOTE_OK;
    if (count > rest / RECORD)
        return lines_fail(text, error, "it is cut off: it says %zu triangles, but holds %zu", count,
                          rest / RECORD);
    text->at += HEAD;
    for (size_t i = 0; i < count && status == MOTE_OK; ++i)
        status = read_record(text, i, data, error);
    return status;
}

/* Only the words `vertex` and `endfacet` matter. */
static mote_Status read_text(TextLines *text, MeshData *data, mote_Error *error)
{
    char word[LINES_WORD];
    double v[3][3];
    int corners = 0;
    mote_Status status = MOTE_OK;
    text->line = 1;
    do {
        if (!lines_word(text, word)) continue;
        if (strcmp(word, "vertex") == 0) {
            if (corners == 3) return lines_fail(text, error, "a facet has more than 3 corners");
            for (int c = 0; c < 3 && status == MOTE_OK; ++c)
                status = lines_number(text, "a coordinate", &v[corners][c], error);
            ++corners;
        } else if (strcmp(word, "endfacet") == 0) {
            if (corners != 3)
                return lines_fail(text, error, "a facet has %d corners, but needs 3", corners);
            status = add_triangle(data, (const double(*)[3])v, error);
            corners = 0;
        }
    } while (status == MOTE_OK && lines_next(text));
    if (status == MOTE_OK && corners > 0) return lines_fail(text, error, "it is cut off");
    return status;
}

mote_Status mesh_read_stl(TextLines *text, MeshData *data, mote_Error *error)
{
    size_t size = (size_t)(text->end - text->at);
    if (mesh_is_binary_stl(text)) return read_binary(text, data, error);
    bool solid = size >= 5 && memcmp(text->at, "solid", 5) == 0;
    if (solid) return read_text(text, data, error);
    if (size < HEAD) return lines_fail(text, error, "it is too short for an STL file");
    return read_binary(text, data, error);
}
