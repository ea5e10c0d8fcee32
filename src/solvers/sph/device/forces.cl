/* Forces between particles, one work-item a place: the loop of kernels/forces.c. */
#ifdef TERM_KIND /* it is what this program is for */

constant const Terms terms = {.kind = TERM_KIND,
                              .value = TERM_VALUE,
                              .periodic = TERM_PERIODIC,
                              .laminar = TERM_LAMINAR,
                              .central = TERM_CENTRAL,
                              .shock = TERM_SHOCK,
                              .clash = TERM_CLASH,
                              .parting = TERM_PARTING,
                              .rate = TERM_RATE,
                              .xsph = TERM_XSPH,
                              .mixed = TERM_MIXED};

/* A packet is two vectors of four. */
static Packet packet_at(global const Real4 *packets, uint32_t i)
{
    const Real4 a = packets[2 * i], b = packets[2 * i + 1];
    const Packet packet = {.x = {a.x, a.y, a.z}, .v = {a.w, b.x, b.y}, .push = b.z, .inverse = b.w};
    return packet;
}

static Packets packets_at(global const Real4 *packets, const uint32_t at[LANES])
{
    Real4 a[LANES], b[LANES];
    for (int l = 0; l < LANES; ++l) a[l] = packets[2 * at[l]], b[l] = packets[2 * at[l] + 1];
    const Packets all = {
        .x = {EIGHT_FROM(a, x), EIGHT_FROM(a, y), EIGHT_FROM(a, z)},
        .v = {EIGHT_FROM(a, w), EIGHT_FROM(b, x), EIGHT_FROM(b, y)},
        .push = EIGHT_FROM(b, z),
        .inverse = EIGHT_FROM(b, w)};
    return all;
}

static Mixed mix(global const Real4 *traits, const Trait *own, const uint32_t at[LANES])
{
    Real4 j[LANES];
    for (int l = 0; l < LANES; ++l) j[l] = traits[at[l]];
    return mixed_pair(own, EIGHT_FROM(j, x), EIGHT_FROM(j, y));
}

static Sums no_sums(void)
{
    Sums none;
    for (int c = 0; c < 4; ++c) none.a[c] = (Eight)(0);
    for (int c = 0; c < 3; ++c) none.excess[c] = (Eight)(0);
    return none;
}

/* Sums over the neighbours of place i: accelerations and the rate by mass, XSPH's share. */
static void sum_pairs(const PairLaw *law, uint32_t i, uint32_t found, uint32_t room,
                      global const Real4 *packets, global const Real4 *traits,
                      global const uint32_t *lists, const Packet *own, const Trait *trait,
                      mote_real to[7])
{
    const Terms t = terms;
    const uint32_t count = min((found + 7) / 8 * 8, room); /* what is cut is done again */
    Sums sums[PARTS];
    Mixed pair;
    for (int p = 0; p < PARTS; ++p) sums[p] = no_sums();
    for (uint32_t k = 0; k < count; k += 8) {
        uint32_t list[8], at[LANES];
        list_eight(lists, i, k, room, list);
#pragma unroll
        for (int p = 0; p < PARTS; ++p) {
            part_places(list, p, at);
            const Packets j = packets_at(packets, at);
            if (t.mixed) pair = mix(traits, trait, at);
            add_eight(law, &t, own, &j, &pair, &sums[p]);
        }
    }
    for (int c = 0; c < 7; ++c) {
        Parts all;
        for (int p = 0; p < PARTS; ++p) all.part[p] = c < 4 ? sums[p].a[c] : sums[p].excess[c - 4];
        to[c] = parts_sum(&all);
    }
}

kernel void forces(PairLaw law, uint32_t points, uint32_t room, uint32_t stride,
                   global const Real4 *packets, global const Real4 *traits,
                   global const uint32_t *counts, global const uint32_t *lists,
                   global mote_real *a, global mote_real *rate, global mote_real *excess,
                   global mote_real *squares)
{
    const uint32_t i = get_global_id(0);
    if (i >= points) return;
    const Terms t = terms;
    const Packet own = packet_at(packets, i);
    Trait trait = {.light = 1};
    mote_real sums[7];
    if (t.mixed) trait.light = traits[i].x, trait.thin = traits[i].y;
    sum_pairs(&law, i, counts[i], room, packets, traits, lists, &own, &trait, sums);
    const mote_real mass = t.mixed ? law.mass * trait.light : law.mass;
    mote_real square = 0;
    for (int c = 0; c < 3; ++c) {
        const mote_real sum = a[c * stride + i] + mass * sums[c];
        a[c * stride + i] = sum;
        square += sum * sum;
    }
    squares[i] = square;
    if (t.rate) rate[i] = law.mass * sums[3];
    for (int c = 0; c < 3 && t.xsph; ++c)
        excess[c * stride + i] = law.xsph * law.mass / 2 * sums[4 + c];
}

/* The largest, in as many parts as there are work-items. */
kernel void largest(global const mote_real *numbers, uint32_t count, global mote_real *notes)
{
    const uint32_t own = get_global_id(0), all = get_global_size(0);
    mote_real most = 0;
    for (uint32_t i = own; i < count; i += all) most = numbers[i] > most ? numbers[i] : most;
    notes[own] = most;
}

#endif
