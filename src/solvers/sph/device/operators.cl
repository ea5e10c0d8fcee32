/* The operators of incompressible liquids, one work-item a place: the loops of kernels/dfsph.c. */
#ifdef FLOW_KIND /* it is what this program is for */

constant const FlowTerms flow_terms = {
    .kind = FLOW_KIND, .periodic = FLOW_PERIODIC, .mixed = FLOW_MIXED};

static FlowPacket flow_at(global const Real4 *flow, uint32_t i)
{
    const Real4 a = flow[i];
    const FlowPacket packet = {.x = {a.x, a.y, a.z}, .q = a.w};
    return packet;
}

static Flows flows_at(global const Real4 *flow, const uint32_t at[LANES])
{
    Real4 a[LANES];
    for (int l = 0; l < LANES; ++l) a[l] = flow[at[l]];
    const Flows all = {.x = {EIGHT_FROM(a, x), EIGHT_FROM(a, y), EIGHT_FROM(a, z)},
                       .q = EIGHT_FROM(a, w)};
    return all;
}

/* Places and pressures side by side. */
kernel void flow_pack(global const mote_real *x, global const mote_real *q, uint32_t points,
                      uint32_t stride, uint32_t flat, global Real4 *flow)
{
    const uint32_t i = get_global_id(0);
    if (i < points)
        flow[i] = (Real4)(x[i], x[stride + i], flat ? 0 : x[2 * stride + i], q[i]);
}

kernel void flow_prepare(FlowLaw law, uint32_t points, uint32_t room, uint32_t stride,
                         global const Real4 *flow, global const Real4 *traits,
                         global const uint32_t *counts, global const uint32_t *lists,
                         global const mote_real *wall, mote_real dt2, global mote_real *slopes,
                         global mote_real *uneven, global mote_real *stiffness,
                         global mote_real *soft)
{
    const uint32_t i = get_global_id(0);
    if (i >= points) return;
    const FlowTerms t = flow_terms;
    const uint32_t count = min(counts[i], room); /* what is cut is done again */
    const FlowPacket own = flow_at(flow, i);
    Parts all[4];
    no_parts(all, 4);
    for (uint32_t k = 0; k < count; k += 8) {
        uint32_t list[8];
        mote_real slope[8];
        list_eight(lists, i, k, room, list);
#pragma unroll
        for (int p = 0; p < PARTS; ++p) {
            uint32_t at[LANES];
            mote_real own_slope[LANES];
            Eight sums[4], light = (Eight)(1);
            part_places(list, p, at);
            const Flows j = flows_at(flow, at);
            if (t.mixed) {
                Real4 a[LANES];
                for (int l = 0; l < LANES; ++l) a[l] = traits[at[l]];
                light = EIGHT_FROM(a, x);
            }
            for (int c = 0; c < 4; ++c) sums[c] = all[c].part[p];
            eight_to(flow_prepare_eight(&law, &t, &own, &j, light, sums), own_slope);
            for (int c = 0; c < 4; ++c) all[c].part[p] = sums[c];
            for (int l = 0; l < LANES; ++l)
                slope[p + l * PARTS] = k + p + l * PARTS < count ? own_slope[l] : 0;
        }
        put_numbers(slope, slopes, i, k, room);
    }
    mote_real sums[4], walls[3];
    for (int c = 0; c < 4; ++c) sums[c] = parts_sum(&all[c]);
    for (int c = 0; c < 3; ++c) {
        walls[c] = wall[c * stride + i];
        uneven[c * stride + i] = sums[c];
    }
    const mote_real stiff = flow_stiffness(t.mixed ? traits[i].x : 1, sums, walls);
    stiffness[i] = stiff;
    soft[i] = flow_softness(law.inverse, dt2, stiff);
}

/* The note of what is left is empty then. `chained`: nothing is done where the iterations are over
 * (control.cl). */
kernel void flow_accelerate(FlowLaw law, uint32_t points, uint32_t room, uint32_t stride,
                            global const Real4 *flow, global const Real4 *traits,
                            global const uint32_t *counts, global const uint32_t *lists,
                            global const mote_real *wall, global const mote_real *slopes,
                            global Real4 *moves, uint32_t chained, global uint64_t *note)
{
    const uint32_t i = get_global_id(0);
    if (chained && note[FLOW_WORDS] != 0) return;
    for (uint32_t k = i; k < FLOW_WORDS; k += get_global_size(0)) note[k] = 0;
    if (i >= points) return;
    const FlowTerms t = flow_terms;
    const uint32_t count = min(counts[i], room); /* what is cut is done again */
    const FlowPacket own = flow_at(flow, i);
    Parts all[3];
    no_parts(all, 3);
    for (uint32_t k = 0; k < count; k += 8) {
        uint32_t list[8];
        mote_real slope[8];
        list_eight(lists, i, k, room, list);
        list_numbers(slopes, i, k, room, slope);
#pragma unroll
        for (int p = 0; p < PARTS; ++p) {
            uint32_t at[LANES];
            Eight sums[3];
            part_places(list, p, at);
            const Flows j = flows_at(flow, at);
            for (int c = 0; c < 3; ++c) sums[c] = all[c].part[p];
            flow_push_eight(&law, t.periodic, &own, &j, EIGHT_PART(slope, p), sums);
            for (int c = 0; c < 3; ++c) all[c].part[p] = sums[c];
        }
    }
    const mote_real light = t.mixed ? traits[i].x : 1;
    mote_real u[3];
    for (int c = 0; c < 3; ++c)
        u[c] = flow_acceleration(light, parts_sum(&all[c]), own.q, wall[c * stride + i]);
    moves[i] = (Real4)(u[0], u[1], u[2], along_x(u, own.x));
}

/* What the moves compress: between particles, with walls where they count, and what of the source
 * is left with that. */
kernel void flow_close(FlowLaw law, uint32_t points, uint32_t room, uint32_t stride,
                       global const Real4 *flow, global const Real4 *moves,
                       global const uint32_t *counts, global const uint32_t *lists,
                       global const mote_real *wall, uint32_t walls, global const mote_real *slopes,
                       global const mote_real *uneven, mote_real dt2,
                       global const mote_real *source, global mote_real *rate, uint32_t chained,
                       global const uint64_t *note)
{
    const uint32_t i = get_global_id(0);
    if (i >= points || (chained && note[FLOW_WORDS] != 0)) return;
    const FlowTerms t = flow_terms;
    const uint32_t count = min(counts[i], room); /* what is cut is done again */
    const FlowPacket own = flow_at(flow, i);
    const mote_real u[3] = {moves[i].x, moves[i].y, moves[i].z};
    Parts all[4];
    no_parts(all, 4);
    for (uint32_t k = 0; k < count; k += 8) {
        uint32_t list[8];
        mote_real slopes_of[8];
        list_eight(lists, i, k, room, list);
        list_numbers(slopes, i, k, room, slopes_of);
#pragma unroll
        for (int p = 0; p < PARTS; ++p) {
            uint32_t at[LANES];
            Real4 a[LANES];
            part_places(list, p, at);
            for (int l = 0; l < LANES; ++l) a[l] = moves[at[l]];
            const Eight slope = EIGHT_PART(slopes_of, p);
            const Eight move[4] = {EIGHT_FROM(a, x), EIGHT_FROM(a, y), EIGHT_FROM(a, z),
                                   EIGHT_FROM(a, w)};
            if (t.periodic) {
                const Flows j = flows_at(flow, at);
                all[0].part[p] =
                    flow_closing_eight(&law, u, &own, &j, move, slope, all[0].part[p]);
            } else {
                for (int c = 0; c < 4; ++c) all[c].part[p] = all[c].part[p] + slope * move[c];
            }
        }
    }
    mote_real others[4], ends[3], along[3];
    for (int c = 0; c < 4; ++c) others[c] = parts_sum(&all[c]);
    for (int c = 0; c < 3; ++c) ends[c] = uneven[c * stride + i], along[c] = wall[c * stride + i];
    const mote_real between = t.periodic ? others[0] : flow_closing(u, ends, others, own.x);
    const mote_real closing = walls != CLOSE_PAIRS ? between + along_x(u, along) : between;
    rate[i] = walls == CLOSE_LEFT ? flow_left(source[i], dt2, closing) : closing;
}

#endif
