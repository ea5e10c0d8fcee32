/* Links of a system: what joins which particles, and what follows from where their rows are now. */
#ifndef LINKS_LINKS_H
#define LINKS_LINKS_H

#include "base/row.h"
#include "fields/field.h"
#include "links/kernel.h"
#include "links/pattern.h"
#include "particles/range.h"

/* Segments by the block of rows that they act on. */
typedef struct SegmentList {
    void *segments; /* LinkSegment or TriangleSegment */
    size_t capacity;
    size_t *starts; /* block_count + 1 places */
    size_t *splits; /* of links: from here on the segments of second ends */
} SegmentList;

typedef struct Links {
    Object object; /* params: mote_LinksDef */
    Memory *memory;
    size_t system;     /* number */
    const Field *wind; /* NULL: still air */

    /* what was laid out; ids */
    size_t count, triangle_count, pinned_count;
    uint64_t *ends;    /* planar: 2 */
    uint64_t *corners; /* planar: 3 */
    uint64_t *pinned;  /* that the pattern pinned */
    uint8_t *kind;     /* LinkKind */
    mote_real *rest;   /* m */
    mote_real *share;  /* factor of each link; NULL: 1 */

    /* state */
    uint8_t *broken; /* LINK_WHOLE, LINK_BROKEN */
    double moved[3]; /* m: how far the pinned particles were moved by `anchor` */

    /* derived from the rows' order, the parameters and what is broken */
    bool valid;
    uint64_t layout; /* of the system, when that was worked out */
    size_t blocks;   /* of the system, likewise */
    size_t block_capacity;
    SegmentList links, triangles;
    mote_real *factor;
    mote_real factors[LINK_KINDS + 1]; /* of the kinds, and the form, as they were then */
    mote_real *derivative; /* LINK_DERIVATIVE_PLANES planes of count; NULL until asked for */
    uint64_t *view;        /* links and triangles without the broken ones, for frames; or NULL */
    size_t view_links, view_triangles;
    bool view_valid;
} Links;

extern const mote_Row links_row;

/* Makes the pattern's particles and all arrays. On failure nothing of it is left in the links; the
 * particles may stay. */
mote_Status links_lay(Links *links, mote_System *system, const PatternRow *row, const void *params,
                      mote_Error *error);
void links_release(Links *links);

/* Brings what is derived up to date; cheap when it is. Links that lost an end become broken. False
 * when out of memory. */
bool links_refresh(Links *links, mote_System *system);

/* Room for the derivative; false when out of memory. */
bool links_reserve_derivative(Links *links);

/* The links' parameters and planes, for kernels; period 0: not periodic. */
LinkView links_view(const Links *links, const mote_System *system, const mote_real period[3]);

const LinkSegment *links_segments(const Links *links, size_t block, size_t *count);
/* Those of first ends only: every link once. */
const LinkSegment *links_first_ends(const Links *links, size_t block, size_t *count);
const TriangleSegment *links_triangles(const Links *links, size_t block, size_t *count);

/* To be called after `broken` changed. */
void links_changed(Links *links);

/* What a frame shows: links that are whole, triangles whose edges are. False when out of memory. */
typedef struct LinksTopology {
    const uint64_t *links, *triangles;
    size_t link_count, triangle_count;
} LinksTopology;
bool links_topology(Links *links, mote_System *system, LinksTopology *topology);

/* The fastest modes of links at rest: the square of a frequency, and a rate of decay. */
typedef struct Stiffness {
    double stiffness; /* 1/s^2 */
    double damping;   /* 1/s */
} Stiffness;
Stiffness links_stiffest(const mote_LinksDef *def, const PatternRow *row, const void *params,
                         Memory *memory);

static inline const mote_LinksDef *links_def(const Links *links)
{
    return links->object.params;
}

#endif
