/* What pressures leave, summed over all places in the order of rods (space/rods.h): a group of
 * work-items has a brick, BRICK_RODS rods of PARTS work-items each. */
/* The largest of numbers that are not below 0, as the bits of doubles; what is no number counts as
 * larger than all. */
static void most_of(global int64_t *most, double number)
{
    const int64_t bits = number == number ? as_long(number) : 0x7ff8000000000000L;
    int64_t old = *most;
    while (old < bits) {
        const int64_t seen = atom_cmpxchg(most, old, bits);
        if (seen == old) return;
        old = seen;
    }
}

/* The lanes of a rod that part p has, of the places from i on. */
static Eight lanes_of(global const mote_real *plane, uint32_t i, uint32_t end)
{
    struct {
        mote_real a;
    } at[LANES];
    for (uint32_t l = 0; l < LANES; ++l) at[l].a = i + l * PARTS < end ? plane[i + l * PARTS] : 0;
    return EIGHT_FROM(at, a);
}

static Eight trials_of(global const Real4 *flow, uint32_t i, uint32_t end)
{
    struct {
        mote_real a;
    } at[LANES];
    for (uint32_t l = 0; l < LANES; ++l)
        at[l].a = i + l * PARTS < end ? flow[i + l * PARTS].w : 0;
    return EIGHT_FROM(at, a);
}

/* ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)), as eight_sum does. */
static mote_real lanes_sum(const local mote_real *a)
{
    return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
}

/* Sum k of the rods' lanes, over the rods of the brick in their order. */
static double brick_sum(const local mote_real *lanes)
{
    double sum = 0;
    for (int rod = 0; rod < BRICK_RODS; ++rod) sum += (double)lanes_sum(lanes + 8 * rod);
    return sum;
}

/* As FlowSums of the processor has them. */
static double brick_worst(const local mote_real *worst, const local mote_real *odd)
{
    double most = 0;
    for (int rod = 0; rod < BRICK_RODS; ++rod) {
        const double none = (double)lanes_sum(odd + 8 * rod);
        most = none == none ? most : none;
        for (int l = 0; l < 8; ++l)
            most = (double)worst[8 * rod + l] > most ? (double)worst[8 * rod + l] : most;
    }
    return most;
}

kernel void flow_judge(RodLaw law, mote_real least, mote_real dt2, global const uint32_t *table,
                       global const Real4 *flow, global const mote_real *excess,
                       global const mote_real *error, global const mote_real *answer,
                       global const mote_real *soft, global const mote_real *stiffness,
                       uint32_t chained, global int64_t *notes)
{
    local mote_real lanes[FLOW_SUMS + 2][BRICK_RODS * 8];
    const uint32_t own = get_local_id(0), brick = get_group_id(0);
    const uint32_t rod = own / PARTS, part = own % PARTS;
    uint2 places = rod_of_brick(&law, table, brick, (int)rod);
    if (chained && notes[FLOW_WORDS] != 0) places = (uint2)(0, 0);
    Judged s;
    s.residual = s.balance = s.worst = s.odd = s.uu = s.uy = s.yy = s.ue = s.ye = (Eight)(0);
    for (uint32_t i = places.x + part; i < places.y; i += 8) {
        const JudgedAt at = {.q = trials_of(flow, i, places.y),
                             .excess = lanes_of(excess, i, places.y),
                             .error = lanes_of(error, i, places.y),
                             .answer = lanes_of(answer, i, places.y),
                             .soft = lanes_of(soft, i, places.y),
                             .stiffness = lanes_of(stiffness, i, places.y)};
        judge_eight(least, dt2, &at, &s);
    }
    const Eight all[FLOW_SUMS + 2] = {s.residual, s.balance, s.uu, s.uy, s.yy,
                                      s.ue,       s.ye,      s.worst, s.odd};
    for (int k = 0; k < FLOW_SUMS + 2; ++k) {
        mote_real to[LANES];
        eight_to(all[k], to);
        for (uint32_t l = 0; l < LANES; ++l) lanes[k][8 * rod + part + l * PARTS] = to[l];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    notes += (brick % FLOW_NOTES) * FLOW_NOTE;
    for (int k = (int)own; k < FLOW_SUMS; k += BRICK_RODS * PARTS)
        limbs_add(notes + k * FLOW_LIMBS, brick_sum(lanes[k]));
    if (own == 0)
        most_of(notes + FLOW_SUMS * FLOW_LIMBS, brick_worst(lanes[FLOW_SUMS], lanes[FLOW_SUMS + 1]));
}
