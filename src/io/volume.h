/* Volumes: what particles carry, on a sparse lattice, for programs that show smoke, fire and
 * liquids as clouds. Node (i, j, k) stands at (i, j, k) times the cell; there are nodes near
 * particles alone, in leaves of 8 x 8 x 8. */
#ifndef IO_VOLUME_H
#define IO_VOLUME_H

#include "base/sort.h"
#include "io/part.h"

enum {
    VOLUME_LOG = 3,
    VOLUME_SIDE = 1 << VOLUME_LOG,
    VOLUME_NODES = 512,
    VOLUME_HALF = 1 << 20 /* leaves from the origin, at most */
};

/* Numbers `first` to `first + components` of every node. */
typedef struct VolumeChannel {
    const char *name;
    int components; /* 1 or 3 */
    size_t first;
} VolumeChannel;

typedef struct Volume {
    double cell;             /* m */
    int64_t low[3], high[3]; /* nodes that are not outside of this box; both are in it */
    SortItem *leaves;        /* by key; `value` is their number */
    size_t leaf_count;
    VolumeChannel *channels;
    size_t channel_count;
    size_t width;   /* numbers of a node */
    float *numbers; /* node n of leaf l: width * (VOLUME_NODES * l + n); n has z fastest */
    float *weights; /* of the particles at a node; 0: there are none */
} Volume;

/* From the points of a part. The cell is that of the view, or follows from the particles' sizes. */
mote_Status volume_make(const Part *part, const PartView *view, Arena *arena, Volume *volume,
                        mote_Error *error);

/* ---- volume_leaves.c ---- */

/* The nodes around a particle, in cells. */
typedef struct VolumeBall {
    double centre[3], reach;
    int64_t low[3], high[3]; /* nodes */
} VolumeBall;

/* The next node or leaf of a box, z fastest; false after the last. */
bool box_next(const int64_t low[3], const int64_t high[3], int64_t at[3]);
/* The box of the leaves that it reaches. */
void ball_leaves(const VolumeBall *ball, int64_t low[3], int64_t high[3]);

typedef struct LeafList {
    SortItem *items, *spare;
    size_t count, room;
    Arena *arena;
} LeafList;

/* False when out of memory. */
bool leaves_add(LeafList *list, const VolumeBall *ball);
/* In order, each of them once. */
void leaves_sort(LeafList *list);

/* The leaf of a node, and its number; leaf_count where there is none. Keys are in the order in
 * which trees of 8, 16 and 32 to a side hold their children, so sorted leaves are such trees. */
uint64_t volume_key(const int64_t leaf[3]);
void volume_leaf(uint64_t key, int64_t leaf[3]);
size_t volume_find(const Volume *volume, const int64_t leaf[3]);

static inline size_t volume_node(const int64_t at[3])
{
    size_t node = 0;
    for (int c = 0; c < 3; ++c) node = node << VOLUME_LOG | ((size_t)at[c] & (VOLUME_SIDE - 1));
    return node;
}

#endif
