/* What rows with an equation of state do place by place, after Tait and Monaghan (wcsph.c).
 * Formulas: they include nothing, and are compiled for the processor and for devices. */
#ifndef SOLVERS_SPH_FORMULAS_EXPLICIT_H
#define SOLVERS_SPH_FORMULAS_EXPLICIT_H

typedef struct Tait {
    mote_real stiffness; /* rho0 c^2 / 7 */
    mote_real inverse;   /* 1 / rho0 */
    mote_real least;     /* no pressure is below it */
} Tait;

/* (rho / rho0)^7 by four products: Tait's exponent is 7, that of water (Cole 1948). */
static inline mote_real tait_pressure(const Tait *tait, mote_real density)
{
    mote_real s = density * tait->inverse, s2 = s * s, s4 = s2 * s2;
    mote_real p = tait->stiffness * (s4 * s2 * s - 1);
    return p > tait->least ? p : tait->least;
}

/* How walls push. */
typedef struct PushLaw {
    mote_real dt, rest_density;
    mote_real impact; /* Monaghan's beta */
} PushLaw;

/* A particle at walls, and how it comes nearer. */
typedef struct WallMeeting {
    mote_real closing; /* its density grows by this share a second */
    mote_real pressed; /* and that by so much a second, by all but walls */
    mote_real square;  /* of the gradient of the walls' share, 1/m^2 */
} WallMeeting;

static inline mote_real push_of_pressure(mote_real rest_density, mote_real density,
                                         mote_real pressure)
{
    return rest_density * pressure / (density * density);
}

/* What a blow adds to the pressure. Walls are mirrors to what hits them: an image comes with 2 u,
 * and each of a pair has half of the pressure rho beta mu^2. */
static inline mote_real wall_blow(const PushLaw *law, mote_real density, mote_real light,
                                  const WallMeeting *meeting)
{
    if (!(law->impact > 0 && meeting->closing > 0 && meeting->square > 0)) return 0;
    const mote_real square = meeting->closing * meeting->closing / meeting->square;
    return 2 * law->impact * density * square / light;
}

/* Close to a wall the slope of its share is several times the liquid's, too stiff for sub-steps
 * that suit the liquid: a droplet by itself would be thrown back faster than it came. Where a push
 * would carry a particle beyond the place where it has no pressure, with all else that moves it
 * counted, it carries it there. */
static inline mote_real wall_bounded(const PushLaw *law, mote_real density, mote_real light,
                                     const WallMeeting *meeting, mote_real push)
{
    const mote_real dt = law->dt, over = density / law->rest_density - 1;
    const mote_real lift = meeting->square * dt * dt * light;
    if (!(push > 0 && push * lift > over)) return push;
    const mote_real way = over + dt * (meeting->closing + dt * meeting->pressed);
    return push * lift < way ? push : way > 0 ? way / lift : 0;
}

/* What walls rub on: v + dt a along them, because a sub-step may be as long as friction takes to
 * stop a particle. Across them pressure balances a. */
static inline mote_Vec3 wall_rubbed_on(mote_Vec3 v, mote_Vec3 a, mote_real dt, mote_Vec3 gradient)
{
    mote_real square = vec3_dot(gradient, gradient);
    if (!(square > 0)) return v;
    return vec3_madd(v, dt, vec3_madd(a, -vec3_dot(a, gradient) / square, gradient));
}

#endif
