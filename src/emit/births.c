/* How many particles an emitter makes in a step, and when. */
#include "emit/births.h"

#include <math.h>

/* Time of burst number n, or infinity when there is none. */
static double burst_time(const mote_EmitterDef *def, uint64_t n)
{
    if (def->burst == 0 || (n > 0 && def->burst_every <= 0)) return (double)INFINITY;
    return def->start + (double)n * def->burst_every;
}

uint64_t births_bursts_due(const Emitter *emitter, double end, bool at_end)
{
    const mote_EmitterDef *def = &emitter->def;
    double next = burst_time(def, emitter->bursts);
    if (!(next < end) && !(at_end && next == end)) return 0;
    if (def->burst_every <= 0) return 1;
    double due = (end - def->start) / def->burst_every;
    uint64_t n = due < 1e15 ? (uint64_t)due + 2 : (uint64_t)1e15;
    for (; n > emitter->bursts; --n) {
        double time = burst_time(def, n - 1);
        if (time < end || (at_end && time == end)) break;
    }
    return n - emitter->bursts;
}

double emitter_next_burst(const Emitter *emitter)
{
    double time = burst_time(&emitter->def, emitter->bursts);
    return time < emitter->def.stop ? time : (double)INFINITY;
}

Birth birth_number(const Emitter *emitter, uint64_t k, bool flat)
{
    return (Birth){emitter->key, emitter->emitted + k, flat};
}

/* In units of the interval between births: when number k of the births by rate is due, counted from
 * the last whole birth. Its random number is its own, so it does not depend on the step. With
 * `jitter` 1 births are one in each interval at a random moment (stratified), which is what a
 * steady stream looks like; evenly spaced ones show as stripes. */
static double birth_slot(const Emitter *emitter, uint64_t by_burst, uint64_t k)
{
    Birth birth = birth_number(emitter, by_burst + k, false);
    mote_real random = random_unit(birth_draw(&birth, PURPOSE_MOMENT).word[0]);
    return (double)(k + 1) - (double)(emitter->def.jitter * random);
}

/* Births by rate up to `total`: the whole ones, and the next if its random moment came early. */
static uint64_t births_by_rate(const Emitter *emitter, uint64_t by_burst, double total)
{
    uint64_t whole = total > 0 ? (uint64_t)total : 0;
    return whole + (birth_slot(emitter, by_burst, whole) < total);
}

bool emitter_rests(const Emitter *emitter, double from, double to)
{
    const mote_EmitterDef *def = &emitter->def;
    bool works = def->rate > 0 && to > def->start && from < def->stop;
    double end = to < def->stop ? to : def->stop;
    return !works && births_bursts_due(emitter, end, false) == 0;
}

Births births_count(const Emitter *emitter, double t, double dt, double slack)
{
    const mote_EmitterDef *def = &emitter->def;
    double end = t + dt < def->stop ? t + dt : def->stop;
    Births births = {.from = t > def->start ? t : def->start, .to = end};
    births.owed = emitter->remainder;
    births.bursts = births_bursts_due(emitter, end - slack, false);
    if (births.to > births.from && def->rate > 0)
        births.by_rate =
            births_by_rate(emitter, births.bursts * def->burst,
                           births.owed + (double)def->rate * (births.to - births.from));
    return births;
}

uint64_t births_total(const Emitter *emitter, const Births *births)
{
    return births->bursts * emitter->def.burst + births->by_rate;
}

/* What is left of a birth goes to the next step, so that rate times time are born however it is cut
 * into steps. */
void births_settle(Emitter *emitter, const Births *births)
{
    if (births->to > births->from)
        emitter->remainder = births->owed - (double)births->by_rate +
                             (double)emitter->def.rate * (births->to - births->from);
    emitter->bursts += births->bursts;
    emitter->emitted += births_total(emitter, births);
}

double births_moment(const Emitter *emitter, const Births *births, uint64_t k)
{
    const mote_EmitterDef *def = &emitter->def;
    uint64_t by_burst = births->bursts * def->burst;
    if (k < by_burst) {
        double time = burst_time(def, emitter->bursts + k / def->burst);
        if (time > births->to) return births->to; /* by rounding */
        return time > births->from ? time : births->from;
    }
    double slot = birth_slot(emitter, by_burst, k - by_burst);
    double time = births->from + (slot - births->owed) / (double)def->rate;
    return time > births->from ? time : births->from;
}
