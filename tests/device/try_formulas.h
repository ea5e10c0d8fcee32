/* Every formula of the headers that devices share, of three numbers a lane. Compiled for the
 * processor and, as text, for the device: it includes nothing. */

enum { TRY_TERMS = 64, TRY_NUMBERS = 4 * SMOOTHING_KINDS + 3 + 7 * TRY_TERMS };

/* What acts between two particles that a, b and c place, with the terms of the bits of `which`. */
EIGHT_INLINE void try_pair(Eight a, Eight b, Eight c, int which, Eight out[7])
{
    const PairLaw law = {.inverse = (mote_real)1.25,
                         .slope_scale = 3,
                         .value_scale = 7,
                         .period = {1, 0, 2},
                         .mass = 1,
                         .soft = (mote_real)0.003,
                         .laminar = (mote_real)0.3,
                         .central = (mote_real)0.2,
                         .shock = 5,
                         .clash = (mote_real)0.7,
                         .xsph = (mote_real)0.5,
                         .diffusion = (mote_real)0.1};
    const Packet own = {.x = {(mote_real)0.3, (mote_real)0.1, (mote_real)0.7},
                        .v = {1, -2, 3},
                        .push = (mote_real)0.01,
                        .inverse = (mote_real)0.001};
    const Packets other = {.x = {a, b, c}, .v = {c, a, b}, .push = a * a, .inverse = b * b + 1};
    const Trait trait = {.light = (mote_real)0.7, .thin = 12};
    const Mixed mixed = mixed_pair(&trait, a * a, b * b);
    const Terms terms = {.kind = (SmoothingKind)(which % SMOOTHING_KINDS),
                         .value = (SmoothingKind)((which + 3) % SMOOTHING_KINDS),
                         .periodic = (which & 1) != 0,
                         .laminar = (which & 2) != 0,
                         .central = (which & 4) != 0,
                         .shock = (which & 8) != 0,
                         .clash = (which & 16) != 0,
                         .parting = (which & 32) != 0,
                         .rate = (which & 1) == 0,
                         .xsph = (which & 2) == 0,
                         .mixed = (which & 4) == 0};
    Sums sums;
    for (int k = 0; k < 4; ++k) sums.a[k] = eight_all(0);
    for (int k = 0; k < 3; ++k) sums.excess[k] = eight_all(0);
    add_eight(&law, &terms, &own, &other, &mixed, &sums);
    for (int k = 0; k < 4; ++k) out[k] = sums.a[k];
    for (int k = 0; k < 3; ++k) out[4 + k] = sums.excess[k];
}

EIGHT_INLINE void try_formulas(Eight a, Eight b, Eight c, Eight out[TRY_NUMBERS])
{
    int n = 0;
    for (int k = 0; k < SMOOTHING_KINDS; ++k) {
        const SmoothingKind kind = (SmoothingKind)k;
        out[n++] = smoothing_shape(kind, a);
        out[n++] = smoothing_shape_of_square(kind, a * a, (mote_real)0.9);
        out[n] = smoothing_slope_over(kind, a, b * b + (mote_real)0.01, &out[n + 1]);
        n += 2;
    }
    out[n++] = eight_nearest_image(c, (mote_real)0.75);
    out[n++] = eight_most(a, b);
    out[n++] = eight_least(a, b);
    for (int which = 0; which < TRY_TERMS; ++which, n += 7) try_pair(a, b, c, which, out + n);
}

static inline mote_real try_cell(mote_real x, mote_real anchor, mote_real inverse)
{
    return cell_in_window(cell_of_axis(x, anchor, inverse), -5, 900);
}
