/* What formulas of pairs go by: numbers alone, so that devices have the same structs. It includes
 * nothing. */
#ifndef SOLVERS_SPH_FORMULAS_PAIR_LAW_H
#define SOLVERS_SPH_FORMULAS_PAIR_LAW_H

/* What a pair needs of a particle, side by side, so that one load fetches it all. */
typedef struct Packet {
    mote_real x[3], v[3];
    mote_real push;    /* P / rho^2 */
    mote_real inverse; /* 1 / rho */
} Packet;

/* What liquids that are solved together differ in; side by side, too. */
typedef struct Trait {
    mote_real light;  /* the host's rest density over the liquid's: 1/s */
    mote_real thin;   /* the host's rest density over the dynamic viscosity, s/m^2 */
    mote_real walls;  /* kinematic viscosity at walls, m^2/s */
    mote_real resist; /* 1 / thermal conductivity, m K/W, with heat */
} Trait;

/* What is the same for all pairs. */
typedef struct PairLaw {
    mote_real inverse;     /* 1 / H, of the smoothing kernel */
    mote_real slope_scale; /* of its gradients */
    mote_real value_scale; /* of its values */
    mote_real period[3];   /* m; 0: none */
    mote_real mass;
    mote_real soft;      /* m^2, keeps quotients by r^2 finite: 0.01 h^2 */
    mote_real laminar;   /* nu, m^2/s, along v; 0: none. With traits: 1, and nu is theirs */
    mote_real central;   /* (D + 2) nu, m^2/s, along the pair's line; 0: none. The same */
    mote_real shock;     /* alpha c h / 2, m^2/s; 0: none */
    mote_real clash;     /* beta h^2 / 2, m^2; 0: none */
    mote_real xsph;      /* share; 0: none */
    mote_real diffusion; /* 2 delta c h, m^2/s */
} PairLaw;

/* What the compiler is told about a loop, so that it leaves out the rest. Each set of them is a
 * loop of its own: branches on constants vanish, and the usual loops hold nothing that they do not
 * need. */
typedef struct Terms {
    SmoothingKind kind;  /* of gradients */
    SmoothingKind value; /* of values, for XSPH */
    bool periodic, laminar, central, shock, clash, parting, rate, xsph, mixed;
} Terms;

#endif
