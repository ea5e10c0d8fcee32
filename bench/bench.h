/* Benchmarks: figures and ratios, each measured in one run against its peer. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <mote/world.h>

#include "base/machine.h"

#include <stdbool.h>

typedef struct BenchOptions {
    bool json;          /* one object per line instead of a table */
    int threads;        /* 0: 1 and all cores */
    bool again;         /* not the first of several numbers of threads: no head */
    size_t count;       /* 0: the benchmark's own sizes */
    const char *only;   /* a case, where there are several; NULL: all */
    const char *cases;  /* what `only` can be */
    const char *device; /* that is measured, as mote_device_open has it; NULL: none */
    bool kernels;       /* and where its time goes */
    int frames, after;  /* of ranks: that are timed, and that come before; 0: the benchmark's own */
    int workers;        /* threads of each rank; 0: 1 */
    bool together;      /* ranks without one alone first */
} BenchOptions;

typedef struct BenchRow {
    const char *name, *doc;
    int (*run)(const BenchOptions *options); /* 0: done */
    const char *cases;                       /* of --only; NULL: it has none */
} BenchRow;

/* X(name, what it measures, its cases or NULL); the function is bench_<name>. */
#define BENCH_ROWS(X)                                                                              \
    X(cloth, "springs and cloth over a ball: explicit and implicit, links per second", NULL)       \
    X(dam125k, "liquids: a block of 125 000 particles collapses, weakly and not compressible",     \
      "wcsph, wcsph-even, wcsph-wide, dfsph, dfsph-even")                                          \
    X(plate, "flames and smoke around a plate and two balls: the table of Gourlay's part 13",      \
      NULL)                                                                                        \
    X(gravity, "gravity between particles: the direct sum and the tree, pairs per second", NULL)   \
    X(points, "free particles: steps per second against the memory's speed", NULL)                 \
    X(collide,                                                                                     \
      "particles against bodies, 1000 polytopes, 10 648 boxes, a mesh of a million triangles",     \
      "bodies, polytopes, crowd, globe, faces")                                                    \
    X(integrators, "every integrator: steps per second; the fast ones against the memory's speed", \
      "the names of integrators")                                                                  \
    X(cache, "writing and reading a frame against plain files of the same size", NULL)             \
    X(noise, "noise, turbulence and curl noise: samples per second and cycles per sample",         \
      "perlin-3d and others that it prints without --only")                                        \
    X(ranks, "ranks of a liquid, by mpirun or as threads: efficiency, ghosts, messages, stages",   \
      "dfsph, wcsph, messages")                                                                    \
    X(scene, "reading a scene of 10 000 objects, and making its world", NULL)                      \
    X(surface, "meshes around a million particles of a dam break, beside OpenVDB",                 \
      "density, carrying, anisotropic")                                                            \
    X(splats, "pictures of a million particles, beside llvmpipe and an estimated floor",           \
      "1e6-4px, 1e6-4px-gaussian, 1e6-4px-disc, 1e6-8px, 1e6-streaks, 4e6-2px, 1e5-80px, after")   \
    X(trace, "traced pictures: water of 88 000 particles in a tank of glass, seconds a path",      \
      "sample, denoised")                                                                          \
    X(view, "the browser's view: slowdown by a client that reads slowly, frames delivered",        \
      "slow-reader, deliver")                                                                      \
    X(wind, "turbulent wind: velocities sampled, tables made", NULL)

/* X(function, name, what it measures, its cases or NULL): those whose names have dashes. */
#define BENCH_DASHED_ROWS(X)                                                                       \
    X(biot_savart, "biot-savart",                                                                  \
      "velocity from vorticity: pairs per second, the tree's growth and errors", NULL)

#define BENCH_DECLARE(name, ...) int bench_##name(const BenchOptions *options);
BENCH_ROWS(BENCH_DECLARE)
BENCH_DASHED_ROWS(BENCH_DECLARE)

typedef struct BenchFigure {
    const char *name, *metric, *unit;
    double value;
    int threads;
    const char *peer;  /* NULL: none ran */
    double peer_value; /* measured in this run, never a constant: machines differ */
} BenchFigure;

void bench_print(const BenchOptions *options, const BenchFigure *figure);
/* Seconds; of one thread it is its processor's, which a busy machine does not spoil. */
double bench_clock_of(int threads);
/* Seconds of the processor that all threads have taken. */
double bench_processor_seconds(void);

/* Says that `only` names no case of the benchmark, and which it has; returns 1. */
int bench_unknown_case(const char *benchmark, const BenchOptions *options);

/* All benchmarks; the last has no name. */
extern const BenchRow bench_all[];

/* Workers, 0: as many as there are cores. NULL: none can be had, and it is said why. */
mote_Tasks *bench_tasks(int threads);

/* The same random places in a cube of 100 m for everyone, with speeds up to 1 m/s; or at rest on
 * the ground. */
void bench_scatter(mote_System *system, size_t count, bool resting);

/* Bytes per second, read plus written, of a[i] = a[i] * s + b over `bytes` of memory. */
double bench_update_bandwidth(mote_Tasks *tasks, size_t bytes);

/* A before_substep for worlds whose sub-steps shall each be a pass over memory: parameters might
 * change between them. */
mote_Status bench_change_nothing(void *context, mote_World *world, double t, mote_Error *error);

#endif
