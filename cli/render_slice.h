/* Options of mote render that draw a slice. */
#ifndef CLI_RENDER_SLICE_H
#define CLI_RENDER_SLICE_H

#include <mote/render.h>

typedef struct SliceOptions {
    const char *plane, *of, *range, *map; /* NULL: not given */
    int64_t lines, arrows;
} SliceOptions;

/* A slice, and the texts that it points to. */
typedef struct Slice {
    mote_Slice def;
    char system[96];
} Slice;

/* False when something is wrong with the options; that has been said. */
bool slice_read(const SliceOptions *options, Slice *slice);

#endif
