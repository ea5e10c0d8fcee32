/* The note of a sub-step: what the processor asks for, of a place, of a group of work-items, of all. */
/* Where a row is when periodic axes are wrapped. */
static mote_real inside_of(const StayLaw *law, int c, mote_real x)
{
    return law->period[c] > 0 ? wrap_into(x, law->start[c], law->end[c]) : x;
}

kernel void stay_wrap(StayLaw law, global mote_real *x)
{
    const size_t row = get_global_id(0);
    for (int c = 0; c < 3 && row < law.rows; ++c)
        x[c * law.stride + row] = inside_of(&law, c, x[c * law.stride + row]);
}

static StayNote empty_note(void)
{
    const mote_real huge = (mote_real)1e30;
    const StayNote n = {.low = {huge, huge, huge},
                        .high = {-huge, -huge, -huge},
                        .least = (mote_real)INFINITY,
                        .most = -(mote_real)INFINITY};
    return n;
}

static void note_row(const StayLaw *law, mote_Vec3 to, mote_Vec3 v, StayNote *n)
{
    const mote_Vec3 x = vec3(inside_of(law, 0, to.x), inside_of(law, 1, to.y),
                             inside_of(law, 2, to.z));
    const mote_real at[3] = {x.x, x.y, x.z}, huge = (mote_real)1e30;
    for (int c = 0; c < 3; ++c) {
        n->low[c] = at[c] < n->low[c] && at[c] > -huge ? at[c] : n->low[c];
        n->high[c] = at[c] > n->high[c] && at[c] < huge ? at[c] : n->high[c];
    }
    const mote_real square = v.x * v.x + v.y * v.y + v.z * v.z;
    const mote_real down = x.x * law->down[0] + x.y * law->down[1] + x.z * law->down[2];
    n->square = square > n->square ? square : n->square;
    n->least = down < n->least ? down : n->least;
    n->most = down > n->most ? down : n->most;
}

static void merge_notes(local StayNote *n, const StayNote *o)
{
    for (int c = 0; c < 3; ++c) {
        n->low[c] = o->low[c] < n->low[c] ? o->low[c] : n->low[c];
        n->high[c] = o->high[c] > n->high[c] ? o->high[c] : n->high[c];
    }
    n->square = o->square > n->square ? o->square : n->square;
    n->least = o->least < n->least ? o->least : n->least;
    n->most = o->most > n->most ? o->most : n->most;
    n->push = o->push > n->push ? o->push : n->push;
    n->worst = o->worst > n->worst ? o->worst : n->worst;
    n->inner = o->inner > n->inner ? o->inner : n->inner;
    n->met |= o->met;
    n->longest = o->longest > n->longest ? o->longest : n->longest;
    n->pairs += o->pairs;
}

/* The notes of a group's work-items become that of the first; all of them come here. */
#define MERGE_NOTES(all, own)                                                                      \
    for (uint32_t span = STAY_GROUP / 2; span > 0; span /= 2) {                                    \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        if ((own) < span) {                                                                        \
            const StayNote other = (all)[(own) + span];                                            \
            merge_notes(&(all)[own], &other);                                                      \
        }                                                                                          \
    }
