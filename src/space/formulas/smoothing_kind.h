/* The smoothing kernels by number. A formula's header: it includes nothing. */
#ifndef SPACE_FORMULAS_SMOOTHING_KIND_H
#define SPACE_FORMULAS_SMOOTHING_KIND_H

typedef enum SmoothingKind {
    SMOOTHING_CUBIC,
    SMOOTHING_QUINTIC,
    SMOOTHING_WENDLAND_C2,
    SMOOTHING_WENDLAND_C4,
    SMOOTHING_WENDLAND_C6,
    SMOOTHING_POLY6,
    SMOOTHING_SPIKY,
    SMOOTHING_EVEN,
    SMOOTHING_KINDS
} SmoothingKind;

#endif
