/* Meshes from files, format by format. */
#include "geometry/mesh_format.h"

#include "text/ply.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- OBJ ---- */

/* Wavefront OBJ: the lines `v x y z`, `vt u v` and `f a b c ...`, where a corner may be a, a/t,
 * a//n or a/t/n, counted from 1, or from the end with a minus. Everything else is passed over. */
enum { MOST_CORNERS = 256 };

static mote_Status read_vertex(TextLines *text, MeshData *data, mote_Error *error)
{
    double v[3];
    mote_Status status = MOTE_OK;
    for (int c = 0; c < 3 && status == MOTE_OK; ++c)
        status = lines_number(text, "a coordinate", &v[c], error);
    return status == MOTE_OK ? mesh_add_vertex(data, v, error) : status;
}

/* The second number may be left out. */
static mote_Status read_point(TextLines *text, MeshData *data, mote_Error *error)
{
    char word[LINES_WORD];
    double uv[2];
    mote_Status status = lines_number(text, "a place on a texture", &uv[0], error);
    uv[1] = lines_word(text, word) ? strtod(word, NULL) : 0;
    return status == MOTE_OK ? mesh_add_point(data, uv, error) : status;
}

/* The number before the first slash. */
static bool read_index(const char *word, size_t vertex_count, uint32_t *index)
{
    char *end;
    long long number = strtoll(word, &end, 10);
    if (end == word || (*end != '\0' && *end != '/')) return false;
    long long count = (long long)vertex_count, at = number < 0 ? count + number : number - 1;
    if (number == 0 || at < 0 || at >= count) return false;
    *index = (uint32_t)at;
    return true;
}

/* The number behind the first slash, from 1; 0: there is none. */
static uint32_t read_point_index(const char *word, size_t point_count)
{
    const char *slash = strchr(word, '/');
    uint32_t at;
    return slash != NULL && read_index(slash + 1, point_count, &at) ? at + 1 : 0;
}

static mote_Status read_face(TextLines *text, MeshData *data, mote_Error *error)
{
    uint32_t corners[MOST_CORNERS], points[MOST_CORNERS];
    size_t count = 0;
    char word[LINES_WORD];
    while (lines_word(text, word)) {
        if (word[0] == '#') break;
        if (count == MOST_CORNERS)
            return lines_fail(text, error, "a face has more than %d corners", (int)MOST_CORNERS);
        points[count] = read_point_index(word, data->point_count);
        if (!read_index(word, data->vertex_count, &corners[count++]))
            return lines_fail(text, error, "`%s` is none of the %zu vertices so far", word,
                              data->vertex_count);
    }
    if (count < 3) return lines_fail(text, error, "a face has %zu corners, but needs 3", count);
    mote_Status status = mesh_add_polygon(data, corners, count, error);
    return status == MOTE_OK && data->point_count > 0 ? mesh_add_uvs(data, points, count, error)
                                                      : status;
}

mote_Status mesh_read_obj(TextLines *text, MeshData *data, mote_Error *error)
{
    char word[LINES_WORD];
    mote_Status status = MOTE_OK;
    text->line = 1;
    do {
        if (!lines_word(text, word)) continue;
        if (strcmp(word, "v") == 0)
            status = read_vertex(text, data, error);
        else if (strcmp(word, "vt") == 0)
            status = read_point(text, data, error);
        else if (strcmp(word, "f") == 0)
            status = read_face(text, data, error);
    } while (status == MOTE_OK && lines_next(text));
    return status;
}

/* ---- PLY ---- */

/* Meshes from PLY: `vertex` with x, y, z and `face` with a list vertex_indices (or vertex_index).
 */
enum { CORNERS = 3, ALL_ROLES = 15 }; /* behind the coordinates */

typedef struct MeshPly {
    TextLines *text;
    MeshData *data;
    int seen; /* bits of the roles */
} MeshPly;

static int find_role(const char *element, const char *property, bool list)
{
    if (strcmp(element, "vertex") == 0 && !list && property[0] >= 'x' && property[0] <= 'z' &&
        property[1] == '\0')
        return property[0] - 'x';
    bool corners = strcmp(property, "vertex_indices") == 0 || strcmp(property, "vertex_index") == 0;
    return strcmp(element, "face") == 0 && list && corners ? CORNERS : -1;
}

static int role_of(void *context, const char *element, const char *property, bool list)
{
    MeshPly *ply = context;
    int role = find_role(element, property, list);
    if (role >= 0) ply->seen |= 1 << role;
    return role;
}

static mote_Status check_head(void *context, mote_Error *error)
{
    const MeshPly *ply = context;
    if (ply->seen == ALL_ROLES) return MOTE_OK;
    return lines_fail(ply->text, error,
                      "it must have an element vertex with x, y, z and an element face with a list "
                      "vertex_indices");
}

static mote_Status add_row(void *context, const PlyRow *row, mote_Error *error)
{
    MeshPly *ply = context;
    uint32_t corners[PLY_LONGEST_LIST];
    if (strcmp(row->element, "vertex") == 0) return mesh_add_vertex(ply->data, row->values, error);
    for (size_t i = 0; i < row->length; ++i) {
        if (!(row->list[i] >= 0 && row->list[i] < 4e9))
            return lines_fail(ply->text, error, "a face names vertex %g", row->list[i]);
        corners[i] = (uint32_t)row->list[i];
    }
    return mesh_add_polygon(ply->data, corners, row->length, error);
}

mote_Status mesh_read_ply(TextLines *text, MeshData *data, mote_Error *error)
{
    MeshPly ply = {.text = text, .data = data};
    return ply_read(text, &(PlyReader){&ply, role_of, check_head, add_row}, error);
}

/* ---- STL ---- */

/* STL, text and binary: triangles with their corners written out; normals are passed over. */
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
