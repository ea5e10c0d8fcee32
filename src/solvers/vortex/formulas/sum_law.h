/* What sums over vortons go by, here and on devices: numbers alone, so that both have the same. It
 * includes nothing. */
#ifndef SOLVERS_VORTEX_FORMULAS_SUM_LAW_H
#define SOLVERS_VORTEX_FORMULAS_SUM_LAW_H

/* Short sums, then a sum of sums: roundings stay small, and who takes a short one does not matter.
 */
enum { SUM_SOURCES = 512 };

/* All vortons at all points, on a device. */
typedef struct AllLaw {
    uint32_t sources, points;
    uint32_t stride; /* vectors of four from one point to the next */
    uint32_t line;   /* points of a line; all, where there are none */
    uint32_t first;  /* of the short sums of a launch */
    uint32_t blocks; /* of points, in work-groups */
} AllLaw;

/* Sources that stand side by side. */
typedef struct SumRun {
    uint32_t first, count;
} SumRun;

/* A short sum of a tree: the sources of some runs, at a group's points. */
typedef struct SumUnit {
    uint32_t point, points;
    uint32_t run, end; /* runs */
} SumUnit;

/* And the group whose points they are. */
typedef struct SumGroup {
    uint32_t point, points;
    uint32_t unit, end; /* short sums, in their order */
} SumGroup;

#endif
