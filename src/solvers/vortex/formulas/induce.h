/* What vortons induce at a point, eight of them at a time: the law of core.h. Which core it is, the
 * caller says by the weights f, g and p. Formulas: they include nothing, and are compiled for the
 * processor (kernels/induce.h) and for devices (device/sums.cl). */
#ifndef SOLVERS_VORTEX_FORMULAS_INDUCE_H
#define SOLVERS_VORTEX_FORMULAS_INDUCE_H

#define INV_4_PI ((mote_real)0.07957747154594767)

typedef struct EightVortons {
    Eight x[3], alpha[3], core2;
} EightVortons;

/* From them to a point. */
typedef struct Separation {
    Eight r[3], r2;
} Separation;

EIGHT_INLINE Separation separation(const EightVortons *v, const mote_real x[3])
{
    Separation d;
    for (int c = 0; c < 3; ++c) d.r[c] = x[c] - v->x[c];
    d.r2 = d.r[0] * d.r[0] + d.r[1] * d.r[1] + d.r[2] * d.r[2];
    return d;
}

/* alpha x r */
EIGHT_INLINE void vorton_swirl(const EightVortons *v, const Eight r[3], Eight c[3])
{
    c[0] = v->alpha[1] * r[2] - v->alpha[2] * r[1];
    c[1] = v->alpha[2] * r[0] - v->alpha[0] * r[2];
    c[2] = v->alpha[0] * r[1] - v->alpha[1] * r[0];
}

EIGHT_INLINE void induced_velocity(const EightVortons *v, const Eight r[3], Eight f, Eight sum[3])
{
    Eight c[3];
    vorton_swirl(v, r, c);
    for (int i = 0; i < 3; ++i) sum[i] += f * c[i];
}

EIGHT_INLINE void induced_potential(const EightVortons *v, Eight p, Eight sum[3])
{
    for (int i = 0; i < 3; ++i) sum[i] += p * v->alpha[i];
}

/* The velocity, and behind it du_k/dx_l in 3 + 3 k + l. */
EIGHT_INLINE void induced_gradient(const EightVortons *v, const Eight r[3], Eight f, Eight g,
                                   Eight sum[12])
{
    Eight c[3], a[3];
    vorton_swirl(v, r, c);
    for (int k = 0; k < 3; ++k) {
        a[k] = f * v->alpha[k];
        sum[k] += f * c[k];
        const Eight gc = g * c[k];
        for (int l = 0; l < 3; ++l) sum[3 + 3 * k + l] += gc * r[l];
    }
    /* f (alpha x e_l)_k */
    sum[3 + 1] -= a[2], sum[3 + 2] += a[1];
    sum[3 + 3] += a[2], sum[3 + 5] -= a[0];
    sum[3 + 6] -= a[1], sum[3 + 7] += a[0];
}

/* ---- points of a line along z ---- */

/* What does not depend on z: about a third of a pair's arithmetic. */
typedef struct EightColumn {
    Eight flat2, z, ax, ay, az_rx, az_ry, cz;
} EightColumn;

EIGHT_INLINE EightColumn eight_column(const EightVortons *v, mote_real x, mote_real y)
{
    const Eight rx = x - v->x[0], ry = y - v->x[1];
    EightColumn c;
    c.flat2 = rx * rx + ry * ry, c.z = v->x[2];
    c.ax = v->alpha[0], c.ay = v->alpha[1];
    c.az_rx = v->alpha[2] * rx, c.az_ry = v->alpha[2] * ry;
    c.cz = v->alpha[0] * ry - v->alpha[1] * rx;
    return c;
}

/* r2, and of r the part along z. */
EIGHT_INLINE Separation column_separation(const EightColumn *c, mote_real z)
{
    Separation d;
    d.r[2] = z - c->z;
    d.r2 = c->flat2 + d.r[2] * d.r[2];
    return d;
}

EIGHT_INLINE void column_velocity(const EightColumn *c, Eight rz, Eight f, Eight sum[3])
{
    sum[0] += f * (c->ay * rz - c->az_ry);
    sum[1] += f * (c->az_rx - c->ax * rz);
    sum[2] += f * c->cz;
}

#endif
