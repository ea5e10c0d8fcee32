/* Files that scenes name: meshes (a file's name, or an object with a file, points, planes or
 * triangles) and pictures. */
#include "scene/reader.h"

#include "base/hash.h"
#include "base/status.h"
#include "base/system.h"
#include "geometry/mesh.h"
#include "scene/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t largest_file = (size_t)1 << 31;

static const char *const source_keys[] = {"file", "points", "planes", "vertices", NULL};
static const char *const other_keys[] = {"triangles", "scale", "hull", "flip", NULL};

/* How a mesh is made of what is read. */
typedef struct MeshSource {
    const Node *node; /* for messages */
    double scale;
    bool hull, flip;
} MeshSource;

static bool fail(const Reader *reader, const Node *node, const mote_Error *error)
{
    if (error->status == MOTE_NO_MEMORY)
        reader->store->failed = true;
    else
        diagnose(reader->diagnostics, node_place(node), "%s", error->message);
    return false;
}

void shares_release(Shares *shares)
{
    for (Share *share = shares->first; share != NULL; share = share->next) {
        mote_mesh_release(share->mesh);
        mote_shapes_release(share->shapes);
        mote_image_destroy(share->image);
    }
    shares->first = NULL;
}

const char *shares_path(const Shares *shares, const Node *node)
{
    const FileName *name = shares->names;
    while (name != NULL && name->node != node) name = name->next;
    return name != NULL ? name->path : NULL;
}

/* Where a scene is printed to, the name must still lead to the file. */
static bool note_name(const Reader *reader, const Node *node, const char *path)
{
    char whole[SYSTEM_PATH];
    const char *found = system_whole_path(path, whole) ? whole : path;
    FileName *name = store_take(reader->store, sizeof *name);
    if (name == NULL) return false;
    *name =
        (FileName){node, store_text(reader->store, found, strlen(found)), reader->shares->names};
    reader->shares->names = name;
    return name->path != NULL;
}

static Share *add_share(const Reader *reader)
{
    Share *share = store_take(reader->store, sizeof *share);
    if (share == NULL) return NULL;
    *share = (Share){.next = reader->shares->first};
    reader->shares->first = share;
    return share;
}

bool reader_keep_shapes(const Reader *reader, const mote_Shapes *shapes)
{
    Share *share = add_share(reader);
    if (share != NULL)
        share->shapes = shapes;
    else
        mote_shapes_release(shapes);
    return share != NULL;
}

/* Takes over the mesh, or its hull. */
static bool keep_mesh(const Reader *reader, const MeshSource *source, mote_Mesh *mesh,
                      Share **share)
{
    mote_Error error;
    mote_Mesh *hull = mesh;
    mote_Status status = source->hull ? mote_mesh_hull_of(mesh, &hull, &error) : MOTE_OK;
    if (source->hull) mote_mesh_release(mesh);
    if (status != MOTE_OK) return fail(reader, source->node, &error);
    *share = add_share(reader);
    if (*share == NULL) {
        mote_mesh_release(hull);
        return false;
    }
    (*share)->mesh = hull;
    return true;
}

/* ---- files ---- */

static const Share *find_file(const Reader *reader, const char *file, const char *how)
{
    const Share *share = reader->shares->first;
    while (share != NULL &&
           (share->file == NULL || strcmp(share->file, file) != 0 || strcmp(share->how, how) != 0))
        share = share->next;
    return share;
}

/* The file's bytes in a store of their own. */
static mote_Status load_file(const char *path, Store *store, FileText *text, mote_Error *error)
{
    mote_Error reason;
    mote_Status status = file_text_open(path, largest_file, text, &reason);
    if (status == MOTE_OK) status = file_text_load(text, store, &reason);
    if (status != MOTE_OK) status_fail(error, status, "cannot read %s: %s", path, reason.message);
    return status;
}

static mote_Status turn_round(mote_Mesh **mesh, mote_Allocator allocator, mote_Error *error)
{
    size_t vertices, triangles;
    const mote_Mesh *old = *mesh;
    const mote_Vec3 *v = mote_mesh_vertices(old, &vertices);
    const uint32_t *t = mote_mesh_triangles(old, &triangles);
    Memory memory = memory_make(allocator);
    double *places = memory_take(&memory, 3 * vertices * sizeof *places);
    mote_MeshDef def = mote_mesh_def();
    def.vertices = places, def.vertex_count = vertices, def.triangles = t,
    def.triangle_count = triangles, def.flip = true, def.allocator = allocator;
    def.uvs = old->uvs != NULL ? &old->uvs[0][0][0] : NULL;
    for (size_t i = 0; i < vertices && places != NULL; ++i)
        places[3 * i] = (double)v[i].x, places[3 * i + 1] = (double)v[i].y,
                   places[3 * i + 2] = (double)v[i].z;
    *mesh = NULL;
    mote_Status status = places != NULL ? mote_mesh_create(&def, mesh, error)
                                        : status_no_memory(error, "a mesh", 3 * vertices);
    memory_free(&memory, places, 3 * vertices * sizeof *places);
    mote_mesh_release(old);
    return status;
}

static bool read_file(const Reader *reader, const MeshSource *source, const char *path,
                      const char *how, const mote_Mesh **mesh)
{
    Store store = store_make(reader->shares->memory);
    FileText text;
    mote_Error error;
    mote_Mesh *made = NULL;
    Share *share = NULL;
    uint64_t contents = 0;
    mote_Status status = load_file(path, &store, &text, &error);
    if (status == MOTE_OK) {
        contents = hash_bytes(0, text.text, text.size);
        status = mote_mesh_parse(text.text, text.size, path, source->scale,
                                 reader->shares->memory->allocator, &made, &error);
    }
    store_free(&store);
    if (status == MOTE_OK && source->flip)
        status = turn_round(&made, reader->shares->memory->allocator, &error);
    if (status != MOTE_OK) return fail(reader, source->node, &error);
    if (!keep_mesh(reader, source, made, &share)) return false;
    share->file = path, share->how = how, share->contents = contents;
    *mesh = share->mesh;
    return true;
}

/* A file is read once for all who ask for it in the same way. */
static bool mesh_of_file(const Reader *reader, const MeshSource *source, const Node *named,
                         const mote_Mesh **mesh)
{
    char text[64];
    const char *file;
    if (!node_text(reader, named, &file)) return false;
    int length =
        snprintf(text, sizeof text, "%.17g %d %d", source->scale, source->hull, source->flip);
    const char *how = store_text(reader->store, text, (size_t)length);
    const char *path = document_join_path(reader->store, source->node->source->name, file);
    if (how == NULL || path == NULL) return false;
    const Share *known = find_file(reader, path, how);
    if (known != NULL) *mesh = known->mesh;
    return (known != NULL || read_file(reader, source, path, how, mesh)) &&
           note_name(reader, named, path);
}

bool node_image(const Reader *reader, const Node *node, const mote_Image **image)
{
    Store store = store_make(reader->shares->memory);
    FileText text;
    mote_Error error;
    const char *file;
    if (!node_text(reader, node, &file)) return false;
    const char *path = document_join_path(reader->store, node->source->name, file);
    Share *share = path != NULL ? add_share(reader) : NULL;
    if (share == NULL) return false;
    mote_Status status = load_file(path, &store, &text, &error);
    if (status == MOTE_OK)
        status = mote_image_decode_exr(text.text, text.size, path, &share->image, &error);
    store_free(&store);
    if (status != MOTE_OK) return fail(reader, node, &error);
    *image = share->image;
    return note_name(reader, node, path);
}

/* ---- lists of numbers ---- */

/* A list of lists of `width` numbers. */
static double *read_rows(const Reader *reader, const Node *list, size_t width, size_t *count)
{
    if (!node_expect(reader, list, NODE_ARRAY)) return NULL;
    double *values = store_take(reader->store, (list->count + 1) * width * sizeof *values);
    bool good = values != NULL;
    *count = 0;
    NODE_EACH(row, list)
    {
        size_t found;
        if (values == NULL) break;
        good = node_numbers(reader, row, "", width, width, values + width * *count, &found) && good;
        ++*count;
    }
    return good ? values : NULL;
}

static void scale_rows(double *values, size_t count, size_t width, double scale)
{
    for (size_t i = 0; i < count * width; ++i)
        if (width == 3 || i % width == 3) values[i] *= scale; /* normals stay */
}

static bool finish(const Reader *reader, const MeshSource *source, mote_Status status,
                   mote_Mesh *made, const mote_Error *error, const mote_Mesh **mesh)
{
    Share *share = NULL;
    if (status != MOTE_OK) return fail(reader, source->node, error);
    if (!keep_mesh(reader, source, made, &share)) return false;
    *mesh = share->mesh;
    return true;
}

/* A convex mesh of points, or of planes: rows of that many numbers. */
typedef mote_Status ConvexMaker(const double *rows, size_t count, mote_Allocator allocator,
                                mote_Mesh **mesh, mote_Error *error);

static bool mesh_of_rows(const Reader *reader, MeshSource *source, const Node *list, size_t width,
                         ConvexMaker *make, const mote_Mesh **mesh)
{
    size_t count;
    double *rows = read_rows(reader, list, width, &count);
    mote_Mesh *made;
    mote_Error error;
    if (rows == NULL) return false;
    scale_rows(rows, count, width, source->scale);
    source->hull = false; /* it is one */
    mote_Status status = make(rows, count, reader->shares->memory->allocator, &made, &error);
    return finish(reader, source, status, made, &error, mesh);
}

static uint32_t *read_triangles(const Reader *reader, const Node *list, size_t *count)
{
    double *values = read_rows(reader, list, 3, count);
    uint32_t *triangles = store_take(reader->store, (*count + 1) * 3 * sizeof *triangles);
    if (values == NULL || triangles == NULL) return NULL;
    for (size_t i = 0; i < 3 * *count; ++i) {
        if (!(values[i] >= 0 && values[i] < 4e9 && values[i] == (double)(uint32_t)values[i])) {
            diagnose(reader->diagnostics, node_place(list),
                     "triangle %zu: vertices are whole numbers from 0", i / 3);
            return NULL;
        }
        triangles[i] = (uint32_t)values[i];
    }
    return triangles;
}

static bool mesh_of_triangles(const Reader *reader, MeshSource *source, const Node *object,
                              const mote_Mesh **mesh)
{
    size_t vertices = 0, triangles = 0;
    const Node *list = node_require(reader, object, "triangles");
    double *places = read_rows(reader, node_find(object, "vertices"), 3, &vertices);
    uint32_t *corners = list != NULL ? read_triangles(reader, list, &triangles) : NULL;
    mote_Mesh *made;
    mote_Error error;
    if (places == NULL || corners == NULL) return false;
    scale_rows(places, vertices, 3, source->scale);
    mote_MeshDef def = mote_mesh_def();
    def.vertices = places, def.vertex_count = vertices, def.triangles = corners,
    def.triangle_count = triangles, def.flip = source->flip,
    def.allocator = reader->shares->memory->allocator;
    mote_Status status = mote_mesh_create(&def, &made, &error);
    return finish(reader, source, status, made, &error, mesh);
}

/* ---- the object ---- */

static bool read_options(const Reader *reader, const Node *object, MeshSource *source)
{
    const Node *scale = node_find(object, "scale"), *hull = node_find(object, "hull"),
               *flip = node_find(object, "flip");
    bool good =
        node_check_keys(reader, object, "a mesh", name_list(source_keys), name_list(other_keys));
    if (scale != NULL) good = node_number(reader, scale, "", &source->scale) && good;
    if (hull != NULL) good = node_bool(reader, hull, &source->hull) && good;
    if (flip != NULL) good = node_bool(reader, flip, &source->flip) && good;
    if (good && !(source->scale > 0 && source->scale < 1e30)) {
        diagnose(reader->diagnostics, node_place(scale), "scale must be greater than 0");
        return false;
    }
    return good;
}

bool node_mesh(const Reader *reader, const Node *node, const mote_Mesh **mesh)
{
    MeshSource source = {.node = node, .scale = 1};
    int sources = 0;
    if (node->type == NODE_TEXT) return mesh_of_file(reader, &source, node, mesh);
    if (!node_expect(reader, node, NODE_OBJECT) || !read_options(reader, node, &source))
        return false;
    for (int i = 0; source_keys[i] != NULL; ++i) sources += node_find(node, source_keys[i]) != NULL;
    if (sources != 1) {
        diagnose(reader->diagnostics, node_place(node),
                 "a mesh needs one of `file`, `points`, `planes` and `vertices`");
        return false;
    }
    const Node *triangles = node_find(node, "triangles");
    if (triangles != NULL && node_find(node, "vertices") == NULL) {
        diagnose(reader->diagnostics, node_place(triangles),
                 "`triangles` goes with `vertices`; `points` and `planes` make their own faces");
        return false;
    }
    const Node *named = node_find(node, "file"), *points = node_find(node, "points"),
               *planes = node_find(node, "planes");
    if (named != NULL) return mesh_of_file(reader, &source, named, mesh);
    if (points != NULL) return mesh_of_rows(reader, &source, points, 3, mote_mesh_hull, mesh);
    if (planes != NULL) return mesh_of_rows(reader, &source, planes, 4, mote_mesh_planes, mesh);
    return mesh_of_triangles(reader, &source, node, mesh);
}
