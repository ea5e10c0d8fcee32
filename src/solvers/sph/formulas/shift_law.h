/* What shifting goes by: numbers alone, so that devices have the same structs. It includes nothing.
 */
#ifndef SOLVERS_SPH_FORMULAS_SHIFT_LAW_H
#define SOLVERS_SPH_FORMULAS_SHIFT_LAW_H

/* What a pair needs of a particle. */
typedef struct ShiftPacket {
    mote_real x[3];
    mote_real fill; /* C: the share of the kernel that is filled */
} ShiftPacket;

typedef struct ShiftLaw {
    mote_real inverse;                  /* 1 / H, of the smoothing kernel */
    mote_real value_scale, slope_scale; /* of its values and gradients */
    mote_real period[3];                /* m; 0: none */
    mote_real volume;                   /* of a particle at rest, m^3 (2-D: m^2) */
    mote_real usual;                    /* 1 / W at a distance of one spacing */
    uint32_t value_kind, slope_kind;    /* SmoothingKind */
} ShiftLaw;

#endif
