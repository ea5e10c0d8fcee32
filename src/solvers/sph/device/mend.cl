/* What iterations do place by place. */

/* What the processor sent becomes what the trial starts from. */
kernel void flow_take(global const mote_real *q, uint32_t points, global Real4 *flow)
{
    const uint32_t i = get_global_id(0);
    if (i < points) flow[i].w = q[i];
}

kernel void flow_give(global const Real4 *flow, uint32_t points, global mote_real *q)
{
    const uint32_t i = get_global_id(0);
    if (i < points) q[i] = flow[i].w;
}

kernel void flow_restart_all(uint32_t points, global const mote_real *excess,
                             global const Real4 *flow, global mote_real *pressure,
                             global mote_real *error, global mote_real *way,
                             global mote_real *answer)
{
    const uint32_t i = get_global_id(0);
    if (i >= points) return;
    FlowTrial t = {.q = flow[i].w};
    flow_restart(excess[i], &t);
    pressure[i] = t.pressure, error[i] = t.error, way[i] = t.way, answer[i] = t.answer;
}

/* `anew`: all start from the trial. */
static void mend_place(const MendLaw *law, uint32_t i, uint32_t anew,
                       global const mote_real *excess, global const mote_real *soft,
                       global Real4 *flow, global mote_real *pressure, global mote_real *error,
                       global mote_real *way, global mote_real *answer)
{
    FlowTrial t = {.q = flow[i].w};
    const mote_real left = excess[i];
    if (anew)
        flow_restart(left, &t);
    else
        t.pressure = pressure[i], t.error = error[i], t.way = way[i], t.answer = answer[i];
    flow_mend(law, soft[i], left, &t);
    pressure[i] = t.pressure, error[i] = t.error, way[i] = t.way, answer[i] = t.answer;
    flow[i].w = t.q;
}

kernel void flow_mend_all(MendLaw law, uint32_t points, uint32_t anew,
                          global const mote_real *excess, global const mote_real *soft,
                          global Real4 *flow, global mote_real *pressure, global mote_real *error,
                          global mote_real *way, global mote_real *answer)
{
    const uint32_t i = get_global_id(0);
    if (i < points)
        mend_place(&law, i, anew, excess, soft, flow, pressure, error, way, answer);
}
