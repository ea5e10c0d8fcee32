/* Wavefront OBJ: the lines `v x y z` and `f a b c ...`, where a corner may be a, a/t, a//n or
 * a/t/n, counted from 1, or from the end with a minus. Everything else is passed over. */
#include "geometry/mesh_format.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CORNERS = 256 };

static mote_Status read_vertex(TextLines *text, MeshData *data, mote_Error *error)
{
    double v[3];
    mote_Status status = MOTE_OK;
    for (int c = 0; c < 3 && status == MOTE_OK; ++c)
        status = lines_number(text, "a coordinate", &v[c], error);
    return status == MOTE_OK ? mesh_add_vertex(data, v, error) : status;
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

static mote_Status read_face(TextLines *text, MeshData *data, mote_Error *error)
{
    uint32_t corners[MOST_CORNERS];
    size_t count = 0;
    char word[LINES_WORD];
    while (lines_word(text, word)) {
        if (word[0] == '#') break;
        if (count == MOST_CORNERS)
            return lines_fail(text, error, "a face has more than %d corners", (int)MOST_CORNERS);
        if (!read_index(word, data->vertex_count, &corners[count++]))
            return lines_fail(text, error, "`%s` is none of the %zu vertices so far", word,
                              data->vertex_count);
    }
    if (count < 3) return lines_fail(text, error, "a face has %zu corners, but needs 3", count);
    return mesh_add_polygon(data, corners, count, error);
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
        else if (strcmp(word, "f") == 0)
            status = read_face(text, data, error);
    } while (status == MOTE_OK && lines_next(text));
    return status;
}
