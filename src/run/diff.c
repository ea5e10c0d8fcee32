/* Where two caches differ first: frame by frame, column by column, value by value. */
#include "run/cache.h"

#include "base/status.h"
#include "particles/system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void differ(mote_CacheDiff *diff, uint64_t frame, const char *system, const char *what)
{
    diff->same = false;
    diff->frame = frame;
    diff->largest = (double)INFINITY;
    snprintf(diff->what, sizeof diff->what, "%.60s%s%.60s", system, system[0] != '\0' ? "/" : "",
             what);
}

/* The difference of two values; infinite when there is none, as with NaN. */
static double gap_of(double a, double b)
{
    double gap = fabs(a - b);
    return gap >= 0 ? gap : (double)INFINITY;
}

static bool same_bits(const mote_Column *a, const mote_Column *b, int component, size_t row)
{
    size_t item = column_item_size(a->type);
    return memcmp(column_plane(a, component) + row * item, column_plane(b, component) + row * item,
                  item) == 0;
}

/* Rows whose bits differ, and the largest difference of their values. */
static void compare_columns(const mote_Column *a, const mote_Column *b, size_t rows,
                            mote_CacheDiff *diff)
{
    for (size_t i = 0; i < rows; ++i) {
        bool same = true;
        for (int c = 0; c < a->components; ++c) {
            if (same_bits(a, b, c, i)) continue;
            double gap = gap_of(column_value(a, c, i), column_value(b, c, i));
            same = false;
            if (gap > diff->largest) diff->largest = gap;
        }
        diff->rows += !same;
    }
}

/* A column of a that b has not, or has with another type; NULL when there is none. */
static const mote_Column *other_column(const mote_FrameSystem *a, const mote_FrameSystem *b)
{
    for (size_t i = 0; i < a->column_count; ++i) {
        const mote_Column *ca = &a->columns[i], *cb = mote_frame_column(b, ca->name);
        if (cb == NULL || ca->type != cb->type || ca->components != cb->components) return ca;
    }
    return NULL;
}

static bool same_systems(const mote_FrameSystem *a, const mote_FrameSystem *b, uint64_t frame,
                         mote_CacheDiff *diff)
{
    if (a->count != b->count) {
        differ(diff, frame, a->name, "number of particles");
        diff->largest = fabs((double)a->count - (double)b->count);
        return false;
    }
    const mote_Column *other = other_column(a, b);
    if (other == NULL) other = other_column(b, a);
    if (other != NULL) {
        differ(diff, frame, a->name, other->name);
        return false;
    }
    for (size_t i = 0; i < a->column_count; ++i) {
        const mote_Column *ca = &a->columns[i];
        double largest;
        diff->rows = 0, diff->largest = 0;
        compare_columns(ca, mote_frame_column(b, ca->name), a->count, diff);
        if (diff->rows == 0) continue;
        largest = diff->largest;
        differ(diff, frame, a->name, ca->name);
        diff->largest = largest;
        return false;
    }
    return true;
}

static const mote_FrameMesh *mesh_named(const mote_Frame *frame, const char *name)
{
    for (size_t i = 0; i < frame->mesh_count; ++i)
        if (strcmp(frame->meshes[i].name, name) == 0) return &frame->meshes[i];
    return NULL;
}

static bool same_ids(const uint64_t *a, const uint64_t *b, size_t count)
{
    return count == 0 || memcmp(a, b, count * sizeof *a) == 0;
}

/* What differs between two meshes, or NULL. */
static const char *mesh_gap(const mote_FrameMesh *a, const mote_FrameMesh *b)
{
    if (b == NULL) return "a mesh that only one has";
    if (a->link_count != b->link_count) return "number of links";
    if (a->triangle_count != b->triangle_count) return "number of triangles";
    if (!same_ids(a->links, b->links, 2 * a->link_count)) return "links";
    return same_ids(a->triangles, b->triangles, 3 * a->triangle_count) ? NULL : "triangles";
}

static bool same_meshes(const mote_Frame *a, const mote_Frame *b, mote_CacheDiff *diff)
{
    for (size_t i = 0; i < a->mesh_count; ++i) {
        const char *gap = mesh_gap(&a->meshes[i], mesh_named(b, a->meshes[i].name));
        if (gap != NULL) differ(diff, a->index, a->meshes[i].name, gap);
        if (gap != NULL) return false;
    }
    if (a->mesh_count != b->mesh_count) differ(diff, a->index, "", "number of meshes");
    return a->mesh_count == b->mesh_count;
}

/* What differs between two surfaces, or NULL. */
static const char *surface_gap(const mote_FrameSurface *a, const mote_FrameSurface *b)
{
    size_t vertices = a->vertex_count * sizeof *a->vertices;
    if (strcmp(a->name, b->name) != 0) return "name of a surface";
    if (a->vertex_count != b->vertex_count) return "number of vertices";
    if (a->triangle_count != b->triangle_count) return "number of triangles";
    if (vertices > 0 && memcmp(a->vertices, b->vertices, vertices) != 0) return "vertices";
    if (vertices > 0 && memcmp(a->normals, b->normals, vertices) != 0) return "normals";
    size_t triangles = 3 * a->triangle_count * sizeof *a->triangles;
    return triangles == 0 || memcmp(a->triangles, b->triangles, triangles) == 0 ? NULL
                                                                                : "triangles";
}

static bool same_surfaces(const mote_Frame *a, const mote_Frame *b, mote_CacheDiff *diff)
{
    const char *gap = a->surface_count == b->surface_count ? NULL : "number of surfaces";
    size_t i = 0;
    while (gap == NULL && i < a->surface_count)
        gap = surface_gap(&a->surfaces[i], &b->surfaces[i]), i += gap == NULL;
    for (size_t s = 0; gap == NULL && s < a->surface_count; ++s) {
        const mote_FrameSystem *in_a = &a->surfaces[s].carried, *in_b = &b->surfaces[s].carried;
        if (in_a->column_count + in_b->column_count > 0 &&
            !same_systems(in_a, in_b, a->index, diff))
            return false;
    }
    if (gap != NULL) differ(diff, a->index, i < a->surface_count ? a->surfaces[i].name : "", gap);
    return gap == NULL;
}

/* Systems by name, whatever their order. Bits are compared, not values: runs are promised to have
 * the same ones. */
static bool same_frames(const mote_Frame *a, const mote_Frame *b, mote_CacheDiff *diff)
{
    if (a->system_count != b->system_count) {
        differ(diff, a->index, "", "number of systems");
        return false;
    }
    if (memcmp(&a->time, &b->time, sizeof a->time) != 0) {
        differ(diff, a->index, "", "time");
        diff->largest = gap_of(a->time, b->time);
        return false;
    }
    for (size_t i = 0; i < a->system_count; ++i) {
        const mote_FrameSystem *other = mote_frame_system(b, a->systems[i].name);
        if (other == NULL) {
            differ(diff, a->index, "", a->systems[i].name);
            return false;
        }
        if (!same_systems(&a->systems[i], other, a->index, diff)) return false;
    }
    return same_meshes(a, b, diff) && same_surfaces(a, b, diff);
}

static mote_Status compare_frame(const Folder *a, const Folder *b, uint64_t index,
                                 mote_CacheDiff *diff, mote_Error *error)
{
    mote_Frame *fa, *fb;
    mote_Status status = cache_read_frame(a, index, NULL, &fa, error);
    if (status != MOTE_OK) return status;
    status = cache_read_frame(b, index, NULL, &fb, error);
    if (status == MOTE_OK) {
        same_frames(fa, fb, diff);
        ++diff->frames;
        mote_frame_destroy(fb);
    }
    mote_frame_destroy(fa);
    return status;
}

/* Both lists ascend: the first frame that is in one of them alone ends the comparison. */
static mote_Status compare_lists(const Folder folders[2], Manifest *const lists[2],
                                 mote_CacheDiff *diff, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = 0; diff->same && status == MOTE_OK; ++i) {
        uint64_t index[2];
        for (int k = 0; k < 2; ++k)
            index[k] = i < lists[k]->frame_count ? lists[k]->frames[i].index : UINT64_MAX;
        if (index[0] == UINT64_MAX && index[1] == UINT64_MAX) break;
        if (index[0] < index[1])
            differ(diff, index[0], "", "frame that only the first has");
        else if (index[1] < index[0])
            differ(diff, index[1], "", "frame that only the second has");
        else
            status = compare_frame(&folders[0], &folders[1], index[0], diff, error);
    }
    return status;
}

mote_Status mote_run_diff(const char *folder_a, const char *folder_b, mote_CacheDiff *diff,
                          mote_Error *error)
{
    Folder folders[2];
    Manifest *lists[2] = {NULL, NULL};
    *diff = (mote_CacheDiff){.same = true};
    mote_Status status = cache_look(folder_a, &folders[0], &lists[0], error);
    if (status == MOTE_OK) status = cache_look(folder_b, &folders[1], &lists[1], error);
    if (status == MOTE_OK) status = compare_lists(folders, lists, diff, error);
    manifest_destroy(lists[0]);
    manifest_destroy(lists[1]);
    return status;
}
