/* Every core of vortons, of two numbers a lane: r^2 and the square of a core radius. Compiled for
 * the processor and, as text, for the device: it includes nothing. */

enum { TRY_PAIRS = 24, TRY_NUMBERS = 8 * 3 + 5 + TRY_PAIRS };

#define TRY_CORE(core)                                                                             \
    out[n++] = core(r2, core2);                                                                    \
    out[n] = core##_slope(r2, core2, &out[n + 1]);                                                 \
    n += 2;

/* What eight vortons, placed by a and b, induce at a point, and on a line. */
EIGHT_INLINE void try_pairs(Eight a, Eight b, Eight core2, Eight out[TRY_PAIRS])
{
    const EightVortons v = {{a, b, a - b}, {b, a * b, 1 - a}, core2};
    const mote_real x[3] = {(mote_real)0.25, (mote_real)-0.5, (mote_real)0.75};
    const Separation d = separation(&v, x);
    const EightColumn column = eight_column(&v, x[0], x[1]);
    Eight g;
    for (int k = 0; k < TRY_PAIRS; ++k) out[k] = eight_all(0);
    const Eight f = winckelmans_slope(d.r2, core2, &g);
    induced_gradient(&v, d.r, f, g, out);
    induced_velocity(&v, d.r, f, out + 12);
    induced_potential(&v, f, out + 15);
    const Separation along = column_separation(&column, x[2]);
    column_velocity(&column, along.r[2], f, out + 18);
    out[21] = along.r2, out[22] = along.r[2], out[23] = d.r2;
}

EIGHT_INLINE void try_cores(Eight a, Eight b, Eight out[TRY_NUMBERS])
{
    const Eight r2 = a * a, core2 = b * b + (mote_real)1e-6;
    int n = 0;
    TRY_CORE(winckelmans)
    TRY_CORE(rosenhead)
    TRY_CORE(gaussian)
    TRY_CORE(linear)
    TRY_CORE(flat_winckelmans)
    TRY_CORE(flat_rosenhead)
    TRY_CORE(flat_gaussian)
    TRY_CORE(flat_linear)
    out[n++] = winckelmans_potential(r2, core2);
    out[n++] = rosenhead_potential(r2, core2);
    out[n++] = gaussian_potential(r2, core2);
    out[n++] = linear_potential(r2, core2);
    out[n++] = eight_exp(-r2);
    try_pairs(a, b, core2, out + n);
}
