/* VDB: the files of OpenVDB, for Blender, Houdini and renderers. A grid is a tree: a root with
 * nodes of 32^3 children, which have nodes of 16^3, which have leaves of 8^3 numbers. Each node has
 * masks of its children and of its active values, and no value but the active ones is written.
 * Masks are written first, for all of the tree, then the numbers of its leaves. Reference: K.
 * Museth, "VDB: high-resolution sparse volumes with dynamic topology", ACM Trans. Graph. 32(3),
 * 2013; the layout of files is that of their version 224. */
#include "io/export.h"
#include "io/volume.h"

#include <stdio.h>
#include <string.h>

enum {
    FILE_VERSION = 224,
    LIBRARY_MAJOR = 10, /* of the library whose files these are like */
    LIBRARY_MINOR = 0,
    ACTIVE_VALUES = 2,  /* compression: inactive values are left out */
    ALL_BACKGROUND = 0, /* in front of a node's values: what is left out is the background */
    MASK_WORDS_MOST = 32 * 32 * 32 / 64
};

/* What is written, or only counted: a grid's head names places behind it. */
typedef struct VdbOut {
    Sink *sink; /* NULL: counted */
    uint64_t at;
} VdbOut;

static void put(VdbOut *out, const void *data, size_t size)
{
    if (out->sink != NULL) sink_put(out->sink, data, size);
    out->at += size;
}

static void put_u32(VdbOut *out, uint32_t value)
{
    put(out, &value, sizeof value);
}

static void put_u64(VdbOut *out, uint64_t value)
{
    put(out, &value, sizeof value);
}

static void put_name(VdbOut *out, const char *text)
{
    put_u32(out, (uint32_t)strlen(text));
    put(out, text, strlen(text));
}

/* ---- what is said of a grid ---- */

static void put_text(VdbOut *out, const char *key, const char *text)
{
    put_name(out, key);
    put_name(out, "string");
    put_name(out, text);
}

static void put_about(VdbOut *out, const VolumeChannel *channel)
{
    put_u32(out, 2);
    put_text(out, "class", channel->components == 3 ? "unknown" : "fog volume");
    put_text(out, "name", channel->name);
}

/* Scale, voxel, and what OpenVDB makes of them: 1 / s, 1 / s^2, 1 / (2 s). */
static void put_map(VdbOut *out, double cell)
{
    const double factors[] = {cell, cell, 1 / cell, 1 / (cell * cell), 0.5 / cell};
    put_name(out, "UniformScaleMap");
    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; ++i)
        for (int c = 0; c < 3; ++c) put(out, &factors[i], sizeof factors[i]);
}

/* ---- the tree ---- */

/* Leaves [first, end) of the sorted ones. */
typedef struct VdbRange {
    size_t first, end;
} VdbRange;

/* The leaves behind `from` that are in the same node: keys without their low bits are the same. */
static VdbRange same_node(const Volume *volume, size_t from, size_t end, int low_bits)
{
    VdbRange range = {from, from};
    const uint64_t node = volume->leaves[from].key >> low_bits;
    while (range.end < end && volume->leaves[range.end].key >> low_bits == node) ++range.end;
    return range;
}

static void put_mask(VdbOut *out, const Volume *volume, VdbRange range, int low_bits, int bits)
{
    uint64_t mask[MASK_WORDS_MOST] = {0};
    const size_t size = (size_t)1 << bits >> 3;
    for (size_t i = range.first; i < range.end; ++i) {
        const uint64_t child = volume->leaves[i].key >> low_bits & (((uint64_t)1 << bits) - 1);
        mask[child / 64] |= (uint64_t)1 << child % 64;
    }
    put(out, mask, size);
    memset(mask, 0, size);
    put(out, mask, size); /* no values of its own */
    put(out, &(char){ALL_BACKGROUND}, 1);
}

static bool is_active(const Volume *volume, size_t leaf, size_t node)
{
    return volume->weights[VOLUME_NODES * leaf + node] > 0;
}

static void put_leaf_mask(VdbOut *out, const Volume *volume, size_t leaf)
{
    uint64_t mask[VOLUME_NODES / 64] = {0};
    for (size_t n = 0; n < VOLUME_NODES; ++n)
        if (is_active(volume, leaf, n)) mask[n / 64] |= (uint64_t)1 << n % 64;
    put(out, mask, sizeof mask);
}

/* 16^3 = 2^12 leaves in a node, 32^3 = 2^15 nodes in the one above. */
enum { LOW_BITS = 12, MIDDLE_BITS = 15 }; /* of a key: leaf in its node, node in the one above */

static void put_nodes(VdbOut *out, const Volume *volume, VdbRange upper)
{
    put_mask(out, volume, upper, LOW_BITS, MIDDLE_BITS);
    for (size_t i = upper.first; i < upper.end;) {
        const VdbRange lower = same_node(volume, i, upper.end, LOW_BITS);
        put_mask(out, volume, lower, 0, LOW_BITS);
        for (; i < lower.end; ++i) put_leaf_mask(out, volume, i);
    }
}

static uint32_t count_upper(const Volume *volume)
{
    uint32_t count = 0;
    for (size_t i = 0; i < volume->leaf_count; ++count)
        i = same_node(volume, i, volume->leaf_count, LOW_BITS + MIDDLE_BITS).end;
    return count;
}

static void put_origin(VdbOut *out, uint64_t key)
{
    const uint64_t inside = ((uint64_t)1 << (LOW_BITS + MIDDLE_BITS)) - 1;
    int64_t leaf[3];
    volume_leaf(key & ~inside, leaf);
    for (int c = 0; c < 3; ++c) put(out, &(int32_t){(int32_t)(leaf[c] * VOLUME_SIDE)}, 4);
}

static void put_topology(VdbOut *out, const Volume *volume, const VolumeChannel *channel)
{
    static const float background[3] = {0};
    put_u32(out, 1); /* buffers of a leaf */
    put(out, background, (size_t)channel->components * sizeof(float));
    put_u32(out, 0); /* tiles */
    put_u32(out, count_upper(volume));
    for (size_t i = 0; i < volume->leaf_count;) {
        const VdbRange upper = same_node(volume, i, volume->leaf_count, LOW_BITS + MIDDLE_BITS);
        put_origin(out, volume->leaves[i].key);
        put_nodes(out, volume, upper);
        i = upper.end;
    }
}

static void put_numbers(VdbOut *out, const Volume *volume, const VolumeChannel *channel)
{
    for (size_t leaf = 0; leaf < volume->leaf_count; ++leaf) {
        put_leaf_mask(out, volume, leaf);
        put(out, &(char){ALL_BACKGROUND}, 1);
        for (size_t n = 0; n < VOLUME_NODES; ++n) {
            const size_t at = volume->width * (VOLUME_NODES * leaf + n) + channel->first;
            if (is_active(volume, leaf, n))
                put(out, volume->numbers + at, (size_t)channel->components * sizeof(float));
        }
    }
}

/* ---- the file ---- */

/* Everything of a grid behind its head; where the numbers begin. */
static uint64_t put_grid(VdbOut *out, const Volume *volume, const VolumeChannel *channel)
{
    put_u32(out, ACTIVE_VALUES);
    put_about(out, channel);
    put_map(out, volume->cell);
    put_topology(out, volume, channel);
    const uint64_t numbers = out->at;
    put_numbers(out, volume, channel);
    return numbers;
}

static void put_channel(VdbOut *out, const Volume *volume, const VolumeChannel *channel)
{
    VdbOut counted = {.at = 0};
    const uint64_t numbers = put_grid(&counted, volume, channel);
    put_name(out, channel->name);
    put_name(out, channel->components == 3 ? "Tree_vec3s_5_4_3" : "Tree_float_5_4_3");
    put_name(out, ""); /* no other grid's tree */
    const uint64_t start = out->at + 3 * sizeof start;
    put_u64(out, start);
    put_u64(out, start + numbers);
    put_u64(out, start + counted.at);
    put_grid(out, volume, channel);
}

/* A file's own name, of 36 characters; the same for the same frame. In the form of a UUID of
 * version 4. */
static void put_unique(VdbOut *out, const mote_Frame *frame)
{
    const unsigned long long hash = mote_frame_hash(frame);
    char text[40];
    snprintf(text, sizeof text, "%08llx-%04llx-4%03llx-8%03llx-%012llx", hash >> 32,
             hash >> 16 & 0xffff, hash >> 4 & 0xfff, hash & 0xfff,
             (unsigned long long)frame->index & 0xffffffffffff);
    put(out, text, 36);
}

static void write_vdb(Sink *sink, const mote_Frame *frame, const Part *part)
{
    const Volume *volume = part->volume;
    VdbOut out = {.sink = sink};
    put_u64(&out, 0x56444220); /* "VDB" */
    put_u32(&out, FILE_VERSION);
    put_u32(&out, LIBRARY_MAJOR);
    put_u32(&out, LIBRARY_MINOR);
    put(&out, &(char){1}, 1); /* grids have their places in their heads */
    put_unique(&out, frame);
    put_u32(&out, 1);
    put_text(&out, "creator", "mote");
    put_u32(&out, (uint32_t)volume->channel_count);
    for (size_t i = 0; i < volume->channel_count && sink->status == MOTE_OK; ++i)
        put_channel(&out, volume, &volume->channels[i]);
}

const ExportRow export_vdb = {
    .head = EXPORT_HEAD("vdb", "OpenVDB: particles as a sparse volume of densities and means, for "
                               "Blender, Houdini and renderers."),
    .holds = PART_PARTICLES,
    .needs_places = true,
    .volumes = true,
    .write = write_vdb};
