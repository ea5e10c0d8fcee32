/* The pattern family: a row lays out particles, the links between them and triangles.
 *
 * A row says what it lays out by calling pattern_particle, pattern_link and pattern_triangle; the
 * same code runs twice, first to count, then to fill. Links come in runs whose two ends both go up
 * by one from link to link, wherever the pattern allows: that is what makes them fast. */
#ifndef LINKS_PATTERN_H
#define LINKS_PATTERN_H

#include <mote/links.h>

#include "base/isa.h"
#include "base/memory.h"

typedef enum LinkKind { LINK_STRUCTURAL, LINK_SHEAR, LINK_BEND, LINK_KINDS } LinkKind;

/* Particles are numbered from 0. Arrays are NULL while counting. */
typedef struct Pattern {
    size_t particles, links, triangles;
    mote_real *x[3]; /* m */
    uint32_t *pinned;
    uint64_t *ends[2];
    uint8_t *kind;
    uint64_t *corners[3];
    /* of every particle */
    mote_real mass, radius;
    mote_Vec3 velocity;
} Pattern;

/* Places that a pattern reaches to: where it begins, and where it may hang. */
typedef struct PatternReach {
    mote_Vec3 point[4];
    int count;
    mote_real radius; /* of a particle */
} PatternReach;

typedef struct PatternRow {
    mote_Row head;
    void (*lay)(const void *params, Pattern *pattern); /* NULL: no particles of its own */
    mote_Status (*check)(const void *params, const char *where, mote_Error *error);
    /* With `lay`; `down` is a unit vector, or zero where nothing falls. */
    PatternReach (*reach)(const void *params, mote_Vec3 down);
    /* Optional: where its particle number i is on what it lays out, from (0, 0), where it begins,
     * to (1, 1): for textures. */
    void (*spread)(const void *params, size_t i, double uv[2]);
} PatternRow;

/* X(row, parameter struct, name of its defaults function). */
#define PATTERN_ROWS(X)                                                                            \
    X(pattern_chain, mote_ChainPattern, mote_chain_pattern_def)                                    \
    X(pattern_sheet, mote_SheetPattern, mote_sheet_pattern_def)                                    \
    X(pattern_lattice, mote_LatticePattern, mote_lattice_pattern_def)                              \
    X(pattern_pairs, mote_PairsPattern, mote_pairs_pattern_def)

#define PATTERN_EXTERN(row, ...) extern const PatternRow row;
PATTERN_ROWS(PATTERN_EXTERN)

/* The table; all instruction sets share it. */
const mote_Row *const *pattern_rows(Isa isa, size_t *count);

/* No pattern has more particles than this. */
#define PATTERN_MOST 1e8

static inline void pattern_particle(Pattern *p, mote_Vec3 at, bool pinned)
{
    if (p->pinned != NULL) {
        p->x[0][p->particles] = at.x, p->x[1][p->particles] = at.y, p->x[2][p->particles] = at.z;
        p->pinned[p->particles] = pinned;
    }
    ++p->particles;
}

static inline void pattern_link(Pattern *p, size_t a, size_t b, LinkKind kind)
{
    if (p->kind != NULL) {
        p->ends[0][p->links] = a, p->ends[1][p->links] = b;
        p->kind[p->links] = (uint8_t)kind;
    }
    ++p->links;
}

static inline void pattern_triangle(Pattern *p, size_t a, size_t b, size_t c)
{
    if (p->corners[0] != NULL) {
        p->corners[0][p->triangles] = a, p->corners[1][p->triangles] = b;
        p->corners[2][p->triangles] = c;
    }
    ++p->triangles;
}

/* Lays out everything in memory of the arena; false when out of memory. */
bool pattern_make(const PatternRow *row, const void *params, Arena *arena, Pattern *pattern);

#endif
