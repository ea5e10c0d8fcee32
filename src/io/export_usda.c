/* USDA: Pixar's Universal Scene Description as text, with time samples. Shapes are meshes with a
 * pose over time; what has triangles is a Mesh, everything else Points. Time codes are the frames'
 * numbers. Reference: OpenUSD, "USD Glossary" and the schemas UsdGeom. */
#include "base/status.h"
#include "io/export.h"
#include "particles/system.h"
#include "text/text_buffer.h"

#include <stdio.h>
#include <string.h>

/* What is written of a column. */
typedef struct UsdaAttribute {
    const char *column, *declaration;
    int components;
    double factor;
    bool points;   /* of Points alone */
    bool vertices; /* says that it stands at vertices */
} UsdaAttribute;

#define AT_VERTICES " (interpolation = \"vertex\")"
static const UsdaAttribute attributes[] = {
    {"position", "point3f[] points", 3, 1, false, false},
    {"normal", "normal3f[] normals", 3, 1, false, true},
    {"velocity", "vector3f[] velocities", 3, 1, false, false},
    {"color", "color3f[] primvars:displayColor", 3, 1, false, true},
    {"opacity", "float[] primvars:displayOpacity", 1, 1, false, true},
    {"radius", "float[] widths", 1, 2, true, true},
};
enum { COLUMNS = sizeof attributes / sizeof attributes[0] };
enum { COUNTS = COLUMNS, INDICES, TRANSLATE, ORIENT, TEXTS };

static const char *declaration_of(int text)
{
    static const char *const others[] = {"int[] faceVertexCounts", "int[] faceVertexIndices",
                                         "double3 xformOp:translate", "quatf xformOp:orient"};
    return text < COLUMNS ? attributes[text].declaration : others[text - COLUMNS];
}

typedef struct UsdaPrim {
    char *part;     /* name of the part */
    char name[100]; /* an identifier */
    bool mesh, shape;
    TextBuffer samples[TEXTS]; /* "12: [...],\n" */
} UsdaPrim;

typedef struct UsdaFilm {
    UsdaPrim **prims;
    size_t count, room;
    double fps;
    uint64_t first, last; /* frames */
} UsdaFilm;

static mote_Status begin(Film *film, const mote_Frame *frame, mote_Error *error)
{
    UsdaFilm *usda = film->state;
    if (film->up == 0)
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: in usda files y or z is up, not x; --up y turns them",
                           file_label(film->path));
    usda->first = usda->last = frame->index;
    usda->fps = frame->dt > 0 ? 1 / frame->dt : 24;
    return MOTE_OK;
}

static void close_film(Film *film)
{
    UsdaFilm *usda = film->state;
    for (size_t i = 0; i < usda->count; ++i) {
        UsdaPrim *prim = usda->prims[i];
        for (int t = 0; t < TEXTS; ++t) text_buffer_free(&prim->samples[t]);
        memory_free_text(film->memory, prim->part);
        memory_free(film->memory, prim, sizeof *prim);
    }
    memory_free(film->memory, usda->prims, usda->room * sizeof *usda->prims);
}

/* ---- prims ---- */

static bool has_prim(const UsdaFilm *usda, const char *name)
{
    for (size_t i = 0; i < usda->count; ++i)
        if (strcmp(usda->prims[i]->name, name) == 0) return true;
    return false;
}

/* Letters, digits and underscores, none of them a digit first, and no name twice. */
static void make_identifier(const UsdaFilm *usda, const char *part, char name[100])
{
    char plain[80];
    snprintf(plain, sizeof plain, "%s%.70s", part[0] >= '0' && part[0] <= '9' ? "_" : "", part);
    for (char *c = plain; *c != '\0'; ++c)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9')))
            *c = '_';
    snprintf(name, 100, "%s", plain);
    for (size_t i = 2; has_prim(usda, name); ++i) snprintf(name, 100, "%s_%zu", plain, i);
}

static UsdaPrim *find_prim(UsdaFilm *usda, const Part *part, Memory *memory)
{
    for (size_t i = 0; i < usda->count; ++i)
        if (strcmp(usda->prims[i]->part, part->name) == 0) return usda->prims[i];
    if (!memory_reserve(memory, (void **)&usda->prims, &usda->room, usda->count + 1,
                        sizeof *usda->prims))
        return NULL;
    UsdaPrim *prim = memory_zeroed(memory, sizeof *prim);
    if (prim == NULL) return NULL;
    prim->part = memory_text(memory, part->name);
    if (prim->part == NULL) {
        memory_free(memory, prim, sizeof *prim);
        return NULL;
    }
    make_identifier(usda, part->name, prim->name);
    prim->mesh = part->kind == PART_SURFACE || part->mesh.triangle_count > 0;
    prim->shape = part_is_shape(part);
    for (int t = 0; t < TEXTS; ++t) prim->samples[t] = text_buffer_make(memory);
    usda->prims[usda->count++] = prim;
    return prim;
}

/* ---- frames ---- */

static void put_number(TextBuffer *text, double value)
{
    char number[NUMBER_SIZE];
    text_buffer_add(text, number, number_write(value, 9, number));
}

static void put_tuple(TextBuffer *text, const double *values, int count)
{
    for (int c = 0; c < count; ++c) {
        if (count > 1) text_buffer_add(text, c == 0 ? "(" : ", ", c == 0 ? 1 : 2);
        put_number(text, values[c]);
    }
    if (count > 1) text_buffer_add(text, ")", 1);
}

static void put_column(TextBuffer *text, const mote_Column *column, size_t rows,
                       const UsdaAttribute *attribute)
{
    for (size_t i = 0; i < rows; ++i) {
        double values[3];
        for (int c = 0; c < attribute->components; ++c)
            values[c] = attribute->factor * column_value(column, c, i);
        if (i > 0) text_buffer_add(text, ", ", 2);
        put_tuple(text, values, attribute->components);
    }
}

static void put_points(UsdaPrim *prim, uint64_t time, const Part *part)
{
    for (int a = 0; a < COLUMNS; ++a) {
        const mote_Column *column = mote_frame_column(&part->points, attributes[a].column);
        if (column == NULL || column->components != attributes[a].components) continue;
        if (attributes[a].points && prim->mesh) continue;
        text_buffer_print(&prim->samples[a], "%llu: [", (unsigned long long)time);
        put_column(&prim->samples[a], column, part->points.count, &attributes[a]);
        text_buffer_print(&prim->samples[a], "],\n");
    }
}

static void put_triangles(UsdaPrim *prim, uint64_t time, const MeshRows *mesh)
{
    if (!prim->mesh) return;
    TextBuffer *counts = &prim->samples[COUNTS], *indices = &prim->samples[INDICES];
    text_buffer_print(counts, "%llu: [", (unsigned long long)time);
    for (size_t i = 0; i < mesh->triangle_count; ++i)
        text_buffer_add(counts, i > 0 ? ", 3" : "3", i > 0 ? 3 : 1);
    text_buffer_print(counts, "],\n");
    text_buffer_print(indices, "%llu: [", (unsigned long long)time);
    for (size_t i = 0; i < 3 * mesh->triangle_count; ++i)
        text_buffer_print(indices, i > 0 ? ", %zu" : "%zu", mesh->triangles[i]);
    text_buffer_print(indices, "],\n");
}

static void put_pose(UsdaPrim *prim, uint64_t time, const Part *part)
{
    const double *q = part->orientation, real_first[4] = {q[3], q[0], q[1], q[2]};
    text_buffer_print(&prim->samples[TRANSLATE], "%llu: ", (unsigned long long)time);
    put_tuple(&prim->samples[TRANSLATE], part->position, 3);
    text_buffer_print(&prim->samples[TRANSLATE], ",\n");
    text_buffer_print(&prim->samples[ORIENT], "%llu: ", (unsigned long long)time);
    put_tuple(&prim->samples[ORIENT], real_first, 4);
    text_buffer_print(&prim->samples[ORIENT], ",\n");
}

static mote_Status add(Film *film, const mote_Frame *frame, const Part *part, mote_Error *error)
{
    UsdaFilm *usda = film->state;
    UsdaPrim *prim = find_prim(usda, part, film->memory);
    if (prim == NULL) return status_no_memory(error, "an export", part->points.count);
    usda->last = frame->index;
    if (prim->shape) put_pose(prim, frame->index, part);
    if (prim->shape && prim->samples[0].size > 0) return MOTE_OK; /* its mesh does not change */
    put_points(prim, frame->index, part);
    put_triangles(prim, frame->index, &part->mesh);
    for (int t = 0; t < TEXTS; ++t)
        if (prim->samples[t].failed)
            return status_no_memory(error, "an export", part->points.count);
    return MOTE_OK;
}

/* ---- the file ---- */

static void write_prim(Sink *sink, const UsdaPrim *prim)
{
    sink_print(sink, "\n    def %s \"%s\"\n    {\n", prim->mesh ? "Mesh" : "Points", prim->name);
    if (prim->mesh) sink_text(sink, "        uniform token subdivisionScheme = \"none\"\n");
    for (int t = 0; t < TEXTS; ++t) {
        const TextBuffer *samples = &prim->samples[t];
        if (samples->size == 0) continue;
        if (t < COLUMNS && attributes[t].vertices)
            sink_print(sink, "        %s" AT_VERTICES "\n", declaration_of(t));
        sink_print(sink, "        %s.timeSamples = {\n", declaration_of(t));
        sink_put(sink, samples->text, samples->size);
        sink_text(sink, "        }\n");
    }
    if (prim->shape)
        sink_text(sink, "        uniform token[] xformOpOrder = [\"xformOp:translate\", "
                        "\"xformOp:orient\"]\n");
    sink_text(sink, "    }\n");
}

/* Samples are collected as text for each attribute, and written at the end: USD has all times of
 * one attribute together. */
static mote_Status end(Film *film, mote_Error *error)
{
    const UsdaFilm *usda = film->state;
    Sink sink;
    mote_Status status = sink_begin(&sink, film->path, film->memory, error);
    if (status != MOTE_OK) return status;
    sink_print(&sink,
               "#usda 1.0\n(\n    defaultPrim = \"mote\"\n    doc = \"mote %s\"\n"
               "    startTimeCode = %llu\n    endTimeCode = %llu\n    timeCodesPerSecond = ",
               mote_version(), (unsigned long long)usda->first, (unsigned long long)usda->last);
    sink_number(&sink, usda->fps, 9);
    sink_text(&sink, "\n    metersPerUnit = ");
    sink_number(&sink, 1 / film->scale, 9);
    sink_print(&sink, "\n    upAxis = \"%c\"\n)\n\ndef Xform \"mote\"\n{\n",
               film->up == 2 ? 'Z' : 'Y');
    for (size_t i = 0; i < usda->count; ++i) write_prim(&sink, usda->prims[i]);
    sink_text(&sink, "}\n");
    return sink_end(&sink);
}

static const FilmRow film = {
    .state_size = sizeof(UsdaFilm), .begin = begin, .add = add, .end = end, .close = close_film};

const ExportRow export_usda = {
    .head = EXPORT_HEAD("usda",
                        "Universal Scene Description as text: everything over time, in one file."),
    .holds = PART_ALL,
    .needs_places = true,
    .keeps_poses = true,
    .film = &film};
