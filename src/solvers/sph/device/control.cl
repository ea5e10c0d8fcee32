/* What to do about a trial, decided where it was made: flow_control.h, for iterations that the
 * processor has started one after another. What comes behind the last of them does nothing. */

/* The word behind the notes: the iterations are over, for those that ask (`chained`). */
kernel void flow_decide_next(FlowLimits limits, FlowControl first, uint32_t chained,
                             global int64_t *notes, global FlowControl *control)
{
    local int64_t words[FLOW_NOTE];
    local double left[FLOW_SUMS];
    const int own = (int)get_local_id(0);
    for (int k = own; k < FLOW_NOTE; k += FLOW_CONTROLS) {
        int64_t sum = 0, most = 0;
        for (int part = 0; part < FLOW_NOTES; ++part) {
            const int64_t word = notes[part * FLOW_NOTE + k];
            sum += word, most = word > most ? word : most;
        }
        words[k] = k == FLOW_NOTE - 1 ? most : sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (own < FLOW_SUMS) {
        int64_t sum[LIMB_WORDS];
        for (int k = 0; k < LIMB_WORDS; ++k) sum[k] = words[own * FLOW_LIMBS + k];
        left[own] = limb_total(sum);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (own > 0) return;
    FlowControl c = first;
    if (chained) c = *control;
    if (chained && c.next != FLOW_MEND) return;
    c.left.residual = left[0], c.left.balance = left[1], c.left.uu = left[2];
    c.left.uy = left[3], c.left.yy = left[4], c.left.ue = left[5], c.left.ye = left[6];
    c.left.worst = as_double(words[FLOW_NOTE - 1]);
    c.used += 1;
    flow_decide(&limits, &c);
    *control = c;
    notes[FLOW_WORDS] = c.next != FLOW_MEND;
}

/* The trial that was decided on. */
kernel void flow_mend_next(mote_real least, uint32_t points, global const FlowControl *control,
                           global const mote_real *excess, global const mote_real *soft,
                           global Real4 *flow, global mote_real *pressure,
                           global mote_real *error, global mote_real *way,
                           global mote_real *answer)
{
    const uint32_t i = get_global_id(0);
    if (i >= points || control->next != FLOW_MEND) return;
    const MendLaw law = {control->along, control->before, control->relax, control->further,
                         least};
    mend_place(&law, i, control->anew, excess, soft, flow, pressure, error, way, answer);
}
