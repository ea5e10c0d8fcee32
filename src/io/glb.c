/* Values, meshes and the file itself. */
#include "io/glb.h"

#include "base/status.h"
#include "io/file.h"
#include "particles/system.h"
#include "text/text_buffer.h"

#include <string.h>

#define GLB_LARGEST 0xfffffff0u /* bytes: lengths have 32 bits */

static const char *const types[] = {[1] = "SCALAR", [3] = "VEC3", [4] = "VEC4"};
enum { TYPE_FLOAT = 5126, TYPE_COUNT = 5125 };

static JsonWriter *const *lists(Glb *glb, JsonWriter *all[4])
{
    all[0] = &glb->views, all[1] = &glb->accessors, all[2] = &glb->meshes, all[3] = &glb->nodes;
    return all;
}

void glb_open(Glb *glb, Memory *memory)
{
    JsonWriter *all[4];
    *glb = (Glb){.memory = memory};
    for (int i = 0; i < 4; ++i) {
        lists(glb, all)[i][0] = json_writer(memory);
        json_begin(all[i], NULL, '[');
    }
}

void glb_close(Glb *glb)
{
    JsonWriter *all[4];
    for (int i = 0; i < 4; ++i) json_writer_free(lists(glb, all)[i]);
    memory_free(glb->memory, glb->bytes, glb->room);
    glb->bytes = NULL;
}

/* ---- values ---- */

static void *take(Glb *glb, size_t bytes)
{
    if (glb->failed ||
        !memory_reserve(glb->memory, (void **)&glb->bytes, &glb->room, glb->size + bytes + 4, 1)) {
        glb->failed = true;
        return NULL;
    }
    void *values = glb->bytes + glb->size;
    glb->size += bytes;
    return values;
}

float *glb_floats(Glb *glb, size_t count)
{
    return take(glb, count * sizeof(float));
}

uint32_t *glb_counts(Glb *glb, size_t count)
{
    return take(glb, count * sizeof(uint32_t));
}

/* Readers place cameras by the bounds, and want those of key frames too. */
static void put_bounds(JsonWriter *writer, const float *values, size_t count, int components)
{
    for (int high = 0; high < 2; ++high) {
        json_begin(writer, high ? "max" : "min", '[');
        for (int c = 0; c < components; ++c) {
            float most = values[c];
            for (size_t i = 1; i < count; ++i) {
                const float v = values[i * (size_t)components + (size_t)c];
                most = (v < most) != (high != 0) ? v : most;
            }
            json_put_double(writer, NULL, (double)most);
        }
        json_finish(writer, ']');
    }
}

size_t glb_accessor(Glb *glb, size_t count, int components, int target)
{
    const size_t bytes = count * (size_t)components * 4;
    if (glb->failed) return 0;
    const float *values = (const float *)(const void *)(glb->bytes + glb->size - bytes);
    json_begin(&glb->views, NULL, '{');
    json_put_u64(&glb->views, "buffer", 0);
    json_put_u64(&glb->views, "byteOffset", glb->size - bytes);
    json_put_u64(&glb->views, "byteLength", bytes);
    if (target != GLB_VALUES) json_put_u64(&glb->views, "target", (uint64_t)target);
    json_finish(&glb->views, '}');
    json_begin(&glb->accessors, NULL, '{');
    json_put_u64(&glb->accessors, "bufferView", glb->accessor_count);
    json_put_u64(&glb->accessors, "componentType", target == GLB_INDICES ? TYPE_COUNT : TYPE_FLOAT);
    json_put_u64(&glb->accessors, "count", count);
    json_put_text(&glb->accessors, "type", types[components]);
    if (target != GLB_INDICES) put_bounds(&glb->accessors, values, count, components);
    json_finish(&glb->accessors, '}');
    return glb->accessor_count++;
}

/* ---- meshes ---- */

static float clamped(double x)
{
    return (float)(x > 0 ? (x < 1 ? x : 1) : 0);
}

/* The accessor of a column; SIZE_MAX where the part has none of these components. */
static size_t put_column(Glb *glb, const Part *part, const char *name, int components)
{
    const mote_Column *column = mote_frame_column(&part->points, name);
    const size_t count = part->points.count;
    if (column == NULL || column->components != components) return SIZE_MAX;
    float *values = glb_floats(glb, count * (size_t)components);
    for (size_t i = 0; values != NULL && i < count; ++i)
        for (int c = 0; c < components; ++c) *values++ = (float)column_value(column, c, i);
    return glb_accessor(glb, count, components, GLB_VERTICES);
}

static size_t put_colors(Glb *glb, const Part *part)
{
    const mote_Column *color = mote_frame_column(&part->points, "color");
    const mote_Column *opacity = mote_frame_column(&part->points, "opacity");
    const size_t count = part->points.count;
    if (color == NULL || color->components != 3) return SIZE_MAX;
    float *values = glb_floats(glb, 4 * count);
    for (size_t i = 0; values != NULL && i < count; ++i) {
        for (int c = 0; c < 3; ++c) *values++ = clamped(column_value(color, c, i));
        *values++ = opacity != NULL ? clamped(column_value(opacity, 0, i)) : 1;
    }
    return glb_accessor(glb, count, 4, GLB_VERTICES);
}

static size_t put_rows(Glb *glb, const size_t *rows, size_t count)
{
    uint32_t *values = glb_counts(glb, count);
    for (size_t i = 0; values != NULL && i < count; ++i) *values++ = (uint32_t)rows[i];
    return glb_accessor(glb, count, 1, GLB_INDICES);
}

static void put_attribute(Glb *glb, const char *name, size_t accessor)
{
    if (accessor != SIZE_MAX) json_put_u64(&glb->meshes, name, accessor);
}

size_t glb_mesh(Glb *glb, const Part *part)
{
    enum { POINTS, LINES, TRIANGLES = 4 };
    const MeshRows *mesh = &part->mesh;
    const int mode = mesh->triangle_count > 0 ? TRIANGLES : mesh->link_count > 0 ? LINES : POINTS;
    json_begin(&glb->meshes, NULL, '{');
    json_put_text(&glb->meshes, "name", part->name);
    json_begin(&glb->meshes, "primitives", '[');
    json_begin(&glb->meshes, NULL, '{');
    json_put_u64(&glb->meshes, "mode", (uint64_t)mode);
    json_put_u64(&glb->meshes, "material", 0);
    json_begin(&glb->meshes, "attributes", '{');
    put_attribute(glb, "POSITION", put_column(glb, part, "position", 3));
    put_attribute(glb, "NORMAL", put_column(glb, part, "normal", 3));
    put_attribute(glb, "COLOR_0", put_colors(glb, part));
    put_attribute(glb, "_VELOCITY", put_column(glb, part, "velocity", 3));
    put_attribute(glb, "_RADIUS", put_column(glb, part, "radius", 1));
    json_finish(&glb->meshes, '}');
    if (mode == TRIANGLES)
        put_attribute(glb, "indices", put_rows(glb, mesh->triangles, 3 * mesh->triangle_count));
    if (mode == LINES)
        put_attribute(glb, "indices", put_rows(glb, mesh->links, 2 * mesh->link_count));
    json_finish(&glb->meshes, '}');
    json_finish(&glb->meshes, ']');
    json_finish(&glb->meshes, '}');
    return glb->mesh_count++;
}

size_t glb_begin_node(Glb *glb, const char *name, size_t mesh)
{
    json_begin(&glb->nodes, NULL, '{');
    json_put_text(&glb->nodes, "name", name);
    json_put_u64(&glb->nodes, "mesh", mesh);
    return glb->node_count++;
}

/* ---- the file ---- */

static void put_list(TextBuffer *json, const char *key, JsonWriter *list, size_t count)
{
    json_finish(list, ']');
    if (count == 0 || list->failed) return; /* glTF has no empty lists */
    text_buffer_print(json, ",\n\"%s\": ", key);
    text_buffer_add(json, list->text, list->size);
}

static void put_head(const Glb *glb, TextBuffer *json)
{
    text_buffer_print(json, "{\"asset\": {\"version\": \"2.0\", \"generator\": \"mote %s\"},\n",
                      mote_version());
    text_buffer_print(json, "\"scene\": 0, \"scenes\": [{");
    for (size_t i = 0; i < glb->node_count; ++i)
        text_buffer_print(json, "%s%zu", i > 0 ? ", " : "\"nodes\": [", i);
    text_buffer_print(json, "%s}]", glb->node_count > 0 ? "]" : "");
    if (glb->size > 0)
        text_buffer_print(json, ",\n\"buffers\": [{\"byteLength\": %zu}]", glb->size);
    if (glb->mesh_count > 0)
        text_buffer_print(json, ",\n\"materials\": [{\"name\": \"mote\", \"doubleSided\": true, "
                                "\"pbrMetallicRoughness\": {\"metallicFactor\": 0}}]");
}

static bool make_json(Glb *glb, const JsonWriter *animation, TextBuffer *json)
{
    JsonWriter *all[4];
    put_head(glb, json);
    put_list(json, "bufferViews", &glb->views, glb->accessor_count);
    put_list(json, "accessors", &glb->accessors, glb->accessor_count);
    put_list(json, "meshes", &glb->meshes, glb->mesh_count);
    put_list(json, "nodes", &glb->nodes, glb->node_count);
    if (animation != NULL && !animation->failed) {
        text_buffer_print(json, ",\n\"animations\": [");
        text_buffer_add(json, animation->text, animation->size);
        text_buffer_print(json, "]");
    }
    text_buffer_print(json, "}");
    while (!json->failed && json->size % 4 != 0) text_buffer_add(json, " ", 1);
    bool failed = glb->failed || json->failed || (animation != NULL && animation->failed);
    for (int i = 0; i < 4; ++i) failed = failed || lists(glb, all)[i]->failed;
    return !failed;
}

/* A chunk is its length, its type, and bytes in fours. */
static void put_chunk(Sink *sink, const char type[4], const void *bytes, size_t size)
{
    const uint32_t length = (uint32_t)size;
    sink_put(sink, &length, 4);
    sink_put(sink, type, 4);
    sink_put(sink, bytes, size);
}

static mote_Status write_file(const Glb *glb, const TextBuffer *json, const char *path,
                              mote_Error *error)
{
    Sink sink;
    const size_t rest = glb->size > 0 ? 8 + glb->size : 0;
    const uint32_t head[3] = {0x46546c67, 2, (uint32_t)(20 + json->size + rest)}; /* "glTF" */
    if (20 + json->size + rest > GLB_LARGEST)
        return status_fail(
            error, MOTE_BAD_VALUE,
            "%s would have %.1f GB, and glb holds less than 4.3; choose fewer frames "
            "or one part",
            file_label(path), (double)(json->size + rest) * 1e-9);
    mote_Status status = sink_begin(&sink, path, glb->memory, error);
    if (status != MOTE_OK) return status;
    sink_put(&sink, head, sizeof head);
    put_chunk(&sink, "JSON", json->text, json->size);
    if (glb->size > 0) put_chunk(&sink, "BIN\0", glb->bytes, glb->size);
    return sink_end(&sink);
}

mote_Status glb_write(Glb *glb, const JsonWriter *animation, const char *path, mote_Error *error)
{
    TextBuffer json = text_buffer_make(glb->memory);
    mote_Status status = make_json(glb, animation, &json)
                             ? write_file(glb, &json, path, error)
                             : status_no_memory(error, "an export", glb->size);
    text_buffer_free(&json);
    return status;
}
