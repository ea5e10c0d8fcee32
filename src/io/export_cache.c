/* MDD and PC2: places of the points of a mesh that keeps its points, frame after frame, for mesh
 * caches of other programs; the mesh itself is that of the first frame, as obj or ply. References:
 * NewTek, LightWave's motion designer (MDD, big-endian); Autodesk, "PointCache2" (little-endian).
 */
#include "base/sort.h"
#include "base/status.h"
#include "io/export.h"
#include "particles/system.h"

#include <string.h>

typedef struct PointCache {
    Sink sink;
    bool open;
    size_t count;    /* points */
    SortItem *slots; /* (id, place in the file), by id; NULL: rows keep their places */
    SortItem *rows;  /* the same of the present frame; each with spare room for sorting */
    uint64_t frames; /* that were added */
} PointCache;

typedef struct CacheForm {
    bool big_endian;
    void (*head)(PointCache *cache, const Film *film, const mote_Frame *frame);
} CacheForm;

static void put_bits(PointCache *cache, uint32_t bits, bool big_endian)
{
    if (big_endian) bits = __builtin_bswap32(bits);
    sink_put(&cache->sink, &bits, sizeof bits);
}

static void put_float(PointCache *cache, double value, bool big_endian)
{
    const float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    put_bits(cache, bits, big_endian);
}

/* ---- the order of points ---- */

static bool number_rows(const Part *part, SortItem *items)
{
    const mote_Column *id = mote_frame_column(&part->points, "id");
    if (id == NULL || id->type != MOTE_COLUMN_U64) return false;
    for (size_t i = 0; i < part->points.count; ++i)
        items[i] = (SortItem){((const uint64_t *)id->data)[i], i};
    sort_items(items, items + part->points.count, part->points.count);
    return true;
}

static size_t items_size(const PointCache *cache)
{
    return (2 * cache->count + 1) * sizeof(SortItem);
}

/* Solvers may sort rows: particles are known by their ids. */
static mote_Status note_ids(PointCache *cache, const Part *part, Memory *memory, mote_Error *error)
{
    if (mote_frame_column(&part->points, "id") == NULL) return MOTE_OK;
    cache->slots = memory_take(memory, items_size(cache));
    cache->rows = memory_take(memory, items_size(cache));
    if (cache->slots == NULL || cache->rows == NULL)
        return status_no_memory(error, "an export", items_size(cache));
    number_rows(part, cache->slots);
    return MOTE_OK;
}

/* Rows in the order of the file, as the values of cache->rows; false: others live now. */
static bool order_rows(PointCache *cache, const Part *part)
{
    if (part->points.count != cache->count) return false;
    if (cache->slots == NULL) return true;
    SortItem *rows = cache->rows, *spare = rows + cache->count;
    if (!number_rows(part, rows)) return false;
    for (size_t i = 0; i < cache->count; ++i) {
        if (rows[i].key != cache->slots[i].key) return false;
        spare[cache->slots[i].value].value = rows[i].value;
    }
    return true;
}

/* ---- frames ---- */

static mote_Status begin(Film *film, const mote_Frame *frame, mote_Error *error)
{
    (void)film, (void)frame, (void)error;
    return MOTE_OK;
}

static mote_Status open_cache(PointCache *cache, const Film *film, const Part *part,
                              mote_Error *error)
{
    if (part->points.count > INT32_MAX)
        return status_fail(error, MOTE_BAD_VALUE, "%s: %zu points are too many for this format",
                           file_label(film->path), part->points.count);
    cache->count = part->points.count;
    mote_Status status = note_ids(cache, part, film->memory, error);
    if (status == MOTE_OK) status = sink_begin(&cache->sink, film->path, film->memory, error);
    cache->open = status == MOTE_OK;
    return status;
}

/* Rows in the order of the first frame's ids: a mesh cache has no other way to say which point is
 * which. */
static mote_Status add(Film *film, const mote_Frame *frame, const Part *part, mote_Error *error)
{
    const CacheForm *form = film->form;
    PointCache *cache = film->state;
    const mote_Column *position = mote_frame_column(&part->points, "position");
    mote_Status status = MOTE_OK;
    if (!cache->open) {
        status = open_cache(cache, film, part, error);
        if (status == MOTE_OK) form->head(cache, film, frame);
    }
    if (status != MOTE_OK) return status;
    if (!order_rows(cache, part))
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: at frame %llu %.80s has other points than at the first, which this "
                           "format cannot hold; use glb, usda or ply",
                           file_label(film->path), (unsigned long long)frame->index, part->name);
    for (size_t i = 0; i < cache->count && cache->sink.status == MOTE_OK; ++i) {
        const size_t row = cache->slots != NULL ? (size_t)cache->rows[cache->count + i].value : i;
        for (int c = 0; c < 3; ++c)
            put_float(cache, column_value(position, c, row), form->big_endian);
    }
    ++cache->frames;
    return cache->sink.status;
}

static mote_Status end(Film *film, mote_Error *error)
{
    PointCache *cache = film->state;
    if (!cache->open || cache->frames != film->frames)
        return status_fail(error, MOTE_BAD_VALUE, "%s: the part is not there in all frames",
                           file_label(film->path));
    cache->open = false;
    cache->sink.error = error;
    return sink_end(&cache->sink);
}

static void close_film(Film *film)
{
    PointCache *cache = film->state;
    if (cache->open) sink_drop(&cache->sink);
    memory_free(film->memory, cache->slots, items_size(cache));
    memory_free(film->memory, cache->rows, items_size(cache));
}

#define CACHE_FILM                                                                                 \
    .one_part = true, .state_size = sizeof(PointCache), .begin = begin, .add = add, .end = end,    \
    .close = close_film

/* ---- MDD ---- */

static void head_mdd(PointCache *cache, const Film *film, const mote_Frame *frame)
{
    put_bits(cache, (uint32_t)film->frames, true);
    put_bits(cache, (uint32_t)cache->count, true);
    for (uint64_t i = 0; i < film->frames; ++i) put_float(cache, (double)i * frame->dt, true);
}

static const CacheForm mdd = {true, head_mdd};

static const FilmRow mdd_film = {CACHE_FILM, .form = &mdd};

const ExportRow export_mdd = {
    .head = EXPORT_HEAD(
        "mdd", "Mesh cache of LightWave and Blender: places of a cloth or a body over time."),
    .holds = PART_LINKED | PART_SHAPES,
    .needs_places = true,
    .film = &mdd_film};

/* ---- PC2 ---- */

static void head_pc2(PointCache *cache, const Film *film, const mote_Frame *frame)
{
    sink_put(&cache->sink, "POINTCACHE2", 12); /* with its zero */
    put_bits(cache, 1, false);
    put_bits(cache, (uint32_t)cache->count, false);
    put_float(cache, (double)frame->index, false);
    put_float(cache, 1, false); /* samples a frame */
    put_bits(cache, (uint32_t)film->frames, false);
}

static const CacheForm pc2 = {false, head_pc2};

static const FilmRow pc2_film = {CACHE_FILM, .form = &pc2};

const ExportRow export_pc2 = {
    .head = EXPORT_HEAD(
        "pc2", "Mesh cache of 3ds Max and Blender: places of a cloth or a body over time."),
    .holds = PART_LINKED | PART_SHAPES,
    .needs_places = true,
    .film = &pc2_film};
