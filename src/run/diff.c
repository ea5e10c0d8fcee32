/* Where two caches differ first: frame by frame, column by column, value by value. */
#include "run/cache.h"
#include "run/pictures.h"

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

static double value_at(const mote_Column *column, int component, size_t row)
{
    const char *plane = column_plane(column, component);
    switch (column->type) {
    case MOTE_COLUMN_REAL:
        return (double)((const mote_real *)plane)[row];
    case MOTE_COLUMN_DOUBLE:
        return ((const double *)plane)[row];
    case MOTE_COLUMN_U32:
        return (double)((const uint32_t *)plane)[row];
    default:
        return (double)((const uint64_t *)plane)[row];
    }
}

/* Rows whose bits differ, and the largest difference of their values. */
static void compare_columns(const mote_Column *a, const mote_Column *b, size_t rows,
                            mote_CacheDiff *diff)
{
    size_t item = column_item_size(a->type);
    for (int c = 0; c < a->components; ++c) {
        const char *pa = column_plane(a, c), *pb = column_plane(b, c);
        for (size_t i = 0; i < rows; ++i) {
            if (memcmp(pa + i * item, pb + i * item, item) == 0) continue;
            double gap = fabs(value_at(a, c, i) - value_at(b, c, i));
            ++diff->rows;
            if (!(gap <= diff->largest)) diff->largest = gap;
        }
    }
}

static bool same_systems(const mote_FrameSystem *a, const mote_FrameSystem *b, uint64_t frame,
                         mote_CacheDiff *diff)
{
    if (a->count != b->count) {
        differ(diff, frame, a->name, "number of particles");
        diff->largest = fabs((double)a->count - (double)b->count);
        return false;
    }
    for (size_t i = 0; i < a->column_count; ++i) {
        const mote_Column *ca = &a->columns[i], *cb = mote_frame_column(b, ca->name);
        if (cb == NULL || ca->type != cb->type || ca->components != cb->components) {
            differ(diff, frame, a->name, ca->name);
            return false;
        }
        diff->rows = 0, diff->largest = 0;
        compare_columns(ca, cb, a->count, diff);
        if (diff->rows == 0) continue;
        double largest = diff->largest;
        differ(diff, frame, a->name, ca->name);
        diff->largest = largest;
        return false;
    }
    return true;
}

static bool same_frames(const mote_Frame *a, const mote_Frame *b, mote_CacheDiff *diff)
{
    if (a->system_count != b->system_count) {
        differ(diff, a->index, "", "number of systems");
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
    return true;
}

static mote_Status compare_frame(const Folder *a, const Folder *b, uint64_t index,
                                 mote_CacheDiff *diff, mote_Error *error)
{
    mote_Frame *fa, *fb;
    mote_Status status = pictures_read_frame(a, index, &fa, error);
    if (status != MOTE_OK) return status;
    status = pictures_read_frame(b, index, &fb, error);
    if (status == MOTE_OK) {
        same_frames(fa, fb, diff);
        ++diff->frames;
        mote_frame_destroy(fb);
    }
    mote_frame_destroy(fa);
    return status;
}

static mote_Status open_manifest(const char *path, Folder *folder, Manifest **manifest,
                                 mote_Error *error)
{
    char file[FOLDER_PATH];
    mote_Status status = folder_open(folder, path, error);
    if (status != MOTE_OK) return status;
    folder_file(folder, MANIFEST_NAME, file);
    return manifest_open(file, manifest, error);
}

mote_Status mote_run_diff(const char *folder_a, const char *folder_b, mote_CacheDiff *diff,
                          mote_Error *error)
{
    Folder a, b;
    Manifest *ma, *mb;
    *diff = (mote_CacheDiff){.same = true};
    mote_Status status = open_manifest(folder_a, &a, &ma, error);
    if (status != MOTE_OK) return status;
    status = open_manifest(folder_b, &b, &mb, error);
    if (status != MOTE_OK) {
        manifest_destroy(ma);
        return status;
    }
    for (size_t i = 0; i < ma->frame_count && diff->same && status == MOTE_OK; ++i) {
        uint64_t index = ma->frames[i].index;
        if (manifest_frame(mb, index) != NULL)
            status = compare_frame(&a, &b, index, diff, error);
        else
            differ(diff, index, "", "frame that only the first has");
    }
    if (diff->same && mb->frame_count > ma->frame_count)
        differ(diff, mb->frames[ma->frame_count].index, "", "frame that only the second has");
    manifest_destroy(ma);
    manifest_destroy(mb);
    return status;
}
