/* Which of many particles touch a convex body, asked in the ways that Gourlay's part 13 lists. */
#ifndef BENCH_FACES_H
#define BENCH_FACES_H

#include "base/isa.h"
#include "bench/bench.h"
#include "geometry/polytope.h"

/* Faces that share an edge with each face: `of[starts[f]]` up to `of[starts[f + 1]]`. */
typedef struct FaceNeighbours {
    uint16_t starts[POLYTOPE_PLANES + 1];
    uint8_t of[POLYTOPE_PLANES * POLYTOPE_PLANES];
} FaceNeighbours;

typedef struct FaceQuery {
    const Polytope *polytope;
    const FaceNeighbours *neighbours;
    const mote_real *x[3];
    mote_real radius;
    size_t count;    /* a multiple of eight */
    uint8_t *planes; /* the plane that each row remembers */
    uint32_t *rows;  /* out: those that touch */
} FaceQuery;

/* How many touch; all give the same rows. */
typedef size_t (*FaceWay)(const FaceQuery *query);

typedef struct FaceKernels {
    FaceWay all;              /* every plane of every particle */
    FaceWay first;            /* up to the first plane that it is in front of */
    FaceWay remembered;       /* the plane that did it last time, then as `first` */
    FaceWay walk;             /* from there to neighbours that are farther, then as `first` */
    FaceWay misses;           /* how many of them a walk alone would give another face */
    FaceWay eight;            /* eight particles at a time, every plane */
    FaceWay eight_stops;      /* a look after every eight planes whether any of them is left */
    FaceWay eight_remembered; /* one remembered plane for eight, then plane by plane */
    FaceWay eight_gathered;   /* a plane for each of the eight, then as `eight` */
} FaceKernels;
const FaceKernels *bench_face_kernels(Isa isa);

/* ns a particle of every way, for a plate and for hulls of more faces; 1: something failed. */
int bench_collide_faces(const BenchOptions *options);

#endif
