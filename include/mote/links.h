/* Links: springs between particles of a system, by id, and the triangles of a cloth.
 *
 * The force of a link on its first end, with d = x_b - x_a, l = |d|, rest length r and relative
 * velocity w = v_b - v_a, is
 *
 *     linear   f = [k (l - r) + c (w . d) / l] d / l            k in N/m, c in N s/m
 *     strain   f = [k (l - r) + c (w . d) / l] / r d / l        k in N,   c in N s
 *
 * and the opposite on the second: k of the strain form is r times that of the linear form, and does
 * not change when a rope is cut into more pieces. Ends at the same place feel nothing. A link dies
 * with either of its ends.
 *
 * A particle whose column `pinned` is not 0 is an anchor: no force moves it, it goes on with its
 * own velocity. Systems get that column with their first links. */
#ifndef MOTE_LINKS_H
#define MOTE_LINKS_H

#include <mote/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- patterns: how particles and links are laid out ---- */

/* Pattern "chain": particles on a line, each linked to the next, and to the next but one by a
 * bending link. */
typedef struct mote_ChainPattern {
    mote_Vec3 from, to; /* m */
    uint64_t segments;  /* links along it, one less than particles */
    bool bend;          /* bending links */
    int pin;            /* 0 none, 1 the first end, 2 the last, 3 both */
    mote_real mass;     /* kg, of all together */
    mote_real radius;   /* m, of a particle */
    mote_Vec3 velocity; /* m/s, of all at the start */
} mote_ChainPattern;

/* Pattern "sheet": a parallelogram of columns x rows particles, with triangles. */
typedef struct mote_SheetPattern {
    mote_Vec3 corner;        /* m: the first particle */
    mote_Vec3 along, across; /* m: from there along a row, and along a column */
    uint64_t columns, rows;  /* particles */
    int shear;               /* diagonal links of a cell: 0 none, 1 one, 2 both */
    bool bend;               /* bending links to the next but one */
    int pin;            /* 0 none, 1 corners of the first row, 2 the first row, 3 the first column,
                           4 corners of the first column, 5 all four corners, 6 the whole edge */
    mote_real mass;     /* kg, of all together */
    mote_real radius;   /* m, of a particle */
    mote_Vec3 velocity; /* m/s, of all at the start */
} mote_SheetPattern;

/* Pattern "lattice": a box of particles linked along its edges, across its faces and through its
 * cells; triangles on the outside. */
typedef struct mote_LatticePattern {
    mote_Vec3 corner;   /* m: the lowest particle */
    mote_Vec3 size;     /* m */
    uint64_t x, y, z;   /* particles along each axis */
    bool pin_bottom;    /* the lowest layer along y is pinned */
    mote_real mass;     /* kg, of all together */
    mote_real radius;   /* m, of a particle */
    mote_Vec3 velocity; /* m/s, of all at the start */
} mote_LatticePattern;

/* Pattern "pairs": links between any two particles that live already, or that it makes. */
typedef struct mote_PairsPattern {
    const uint64_t *a, *b;      /* ids of the two ends of each link */
    const mote_real *rest;      /* m: rest lengths; NULL: the distance now times `rest` */
    const uint8_t *kind;        /* 0 structural, 1 shear, 2 bending; NULL: structural */
    size_t count;               /* of links */
    const mote_Formula *factor; /* of i, the link's number, and l, its length at the start (m): on
                                   stiffness and damping; NULL: 1 */
    const char *const *places;  /* where a scene says each link, for messages; NULL: nowhere */
    const mote_Vec3 *points;    /* m: particles of its own, made before the links; or NULL */
    const uint32_t *pinned;     /* not 0: that one is an anchor; NULL: none is */
    size_t point_count;         /* of them */
    mote_real mass, radius;     /* kg, m: of each of them; 0: 1 kg, 0.01 m */
    const uint64_t *corner;     /* 3 triangle_count ids: corner c of triangle i at [c n + i] */
    size_t triangle_count;      /* of triangles */
} mote_PairsPattern;

MOTE_API mote_ChainPattern mote_chain_pattern_def(void);
MOTE_API mote_SheetPattern mote_sheet_pattern_def(void);
MOTE_API mote_LatticePattern mote_lattice_pattern_def(void);
MOTE_API mote_PairsPattern mote_pairs_pattern_def(void);

/* ---- links ---- */

/* Whether stiffness is a force per metre, or per share of the rest length. */
enum { MOTE_LINKS_LINEAR = 0, MOTE_LINKS_STRAIN = 1 };

/* Links for mote_world_add_links; everything is copied. */
typedef struct mote_LinksDef {
    size_t size;                /* bytes, by mote_links_def() */
    const char *name;           /* unique; NULL: the pattern's name and a number */
    const char *system;         /* whose particles they join */
    const char *pattern;        /* "chain", "sheet", "lattice", "pairs" */
    const void *pattern_params; /* struct of the pattern; NULL for its defaults */
    int form;                   /* MOTE_LINKS_LINEAR or MOTE_LINKS_STRAIN */
    mote_real stiffness;        /* N/m, or N in the strain form */
    mote_real damping;          /* N s/m, or N s: against changes of length */
    mote_real shear, bend;      /* factors on both for shear and bending links */
    mote_real rest;             /* rest length as a share of the length at the start */
    mote_real breaking;         /* a link breaks when its strain l / r - 1 is above this */
    mote_real air;              /* kg/m^3: pressure air |u . n| (u . n) n on triangles, u the wind
                                   relative to them; both sides alike */
    const char *wind;           /* name of a field: its velocity (m/s); NULL: still air */
    mote_Vec3 anchor;           /* m: how far the pinned particles are from where they started */
} mote_LinksDef;

MOTE_API void mote_links_def_init(mote_LinksDef *def, size_t size);
MOTE_MAKER(mote_LinksDef, mote_links_def)

#ifdef __cplusplus
}
#endif
#endif
