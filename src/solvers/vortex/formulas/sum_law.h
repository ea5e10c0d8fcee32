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

#endif
