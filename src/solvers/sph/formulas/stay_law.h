/* A liquid whose rows stay on a device between sub-steps: what processor and device tell each
 * other. Numbers alone; it includes nothing. */
#ifndef SOLVERS_SPH_FORMULAS_STAY_LAW_H
#define SOLVERS_SPH_FORMULAS_STAY_LAW_H

enum {
    STAY_GROUP = 64,   /* work-items */
    STAY_NOTES = 64,   /* groups that a note is taken by */
    STAY_EDGES = 1024, /* groups that go through places at edges */
    STAY_ROD = 32,     /* places of a rod that are fetched together */
    STAY_LANES = 16,   /* work-items that fetch them where rods of a brick are */
    STAY_FETCHED = 48, /* places of each that are there at once: a rod has about 32 */
    STAY_SCAN = 1024,  /* keys that a group adds up */
    STAY_BLOCK = 128,  /* places whose box is asked for walls: those of the processor's blocks */
    STAY_LOADS = 6,    /* impulse, angular impulse */
    STAY_LIMBS = 9,    /* words of a sum (base/limbs.h) */
    STAY_SETS = 8      /* of sums, so that few add to one at once */
};

/* A sub-step. */
typedef struct StayLaw {
    mote_real start[3];              /* m: where periodic axes begin */
    mote_real end[3];                /* and end */
    mote_real anchor[3], inverse[3]; /* of cells */
    mote_real low[3], last[3];       /* cells of the window: its first, and how many less one */
    mote_real period[3];             /* m; 0: none */
    mote_real gravity[3], down[3];   /* m/s^2; a unit vector, or 0 */
    mote_real support;               /* m */
    mote_real mass;                  /* kg */
    mote_real thinner;               /* 1 / rest density, m^3/kg */
    mote_real rub;                   /* m^2/s: viscosity at walls; 0: none */
    Tait tait;
    PushLaw push;
    uint32_t side[3]; /* cells of the window */
    uint32_t keys;    /* all of them */
    uint32_t rows, stride;
    uint32_t flat, xsph;
    uint32_t flows;  /* it is incompressible */
    uint32_t ahead;  /* rows that move are counted for the next sub-step */
    uint32_t shapes; /* walls */
    uint32_t share_room;
    uint32_t colliders; /* that get loads */
    uint32_t rods[3];   /* of the window: along x bricks, along y and z cells */
    uint32_t bricks[3];
    int brick_low[3];
} StayLaw;

/* What a group says of a sub-step that is done. */
typedef struct StayNote {
    mote_real low[3], high[3]; /* of positions, m */
    mote_real square;          /* largest of |v|^2 */
    mote_real least, most;     /* along gravity, m */
    mote_real push;            /* largest of |a|^2, without walls */
    mote_real worst, inner;    /* how much too dense: at most; the same away from walls */
    uint32_t met;              /* a row may have met a wall */
    uint32_t longest;          /* of lists */
    uint32_t near, shares;     /* places at walls; what they want room for */
    uint64_t pairs;
} StayNote;

/* ---- walls ---- */

typedef struct StayPose {
    mote_Vec3 at, x, y, z; /* its axes in the world */
    uint32_t turned;       /* they are not the world's */
    uint32_t unused;
} StayPose;

typedef enum StayCore { STAY_PLANE, STAY_SPHERE, STAY_BOX, STAY_CAPSULE, STAY_CYLINDER } StayCore;

/* A wall whose surface is a formula. Without padding, so that bytes tell whether it has changed. */
typedef struct StayShape {
    WallForm form;
    SurfaceMotion motion;
    StayPose pose, own;  /* of the shape; of what it is the hollow of, in it */
    mote_Vec3 low, high; /* bounds */
    mote_Vec3 centre;    /* of the collider, m */
    mote_Vec3 vector;    /* a plane's normal, a box's half edges */
    mote_real size[2];   /* a plane's offset; radius, length */
    mote_real sweep;     /* m: no point of it goes further in the sub-step */
    StayCore core;
    uint32_t nested;   /* it is the hollow of `own` */
    uint32_t collider; /* number */
    uint32_t unused;
} StayShape;

/* What a collider is to a place (WallShare), and what it gets. */
typedef struct StayShare {
    WallFelt felt;
    mote_Vec3 velocity, centre;
    mote_Vec3 rubbed, pressed; /* changes of the velocity, m/s */
    uint32_t collider;
} StayShare;

#endif
