/* Impacts, pair by pair, the fastest first, until none is left that is fast enough. So what one
 * ball of a row gets it hands on to the next: contact solved for all at once, without memory of who
 * was hit when, would set the whole row in motion.
 *
 * An impact happens when the gap s is closed, a time t later, with the speed u^2 = v^2 + 2 a s that
 * it then has. The pair is moved on by t, pushed, and moved back by t with its new velocities: when
 * the whole piece is stepped after that, the pair passes through the place of the impact at its
 * time, and heights of bounces, momentum and angular momentum come out right. Points of one
 * manifold collide at once, with friction; their impulses are no guess for contact. */
#include "bodies/solver.h"

#include <math.h>

typedef struct ImpactPair {
    uint32_t a, b; /* solids */
    ContactRow *rows;
    uint32_t count;
    double speed; /* m/s of the fastest point, below 0 */
    double after; /* s, until it touches */
} ImpactPair;

/* ---- which ---- */

/* The speed at which the gap will close; 0: they do not near. */
static double impact_speed(const ContactRow *row)
{
    double speed = contact_row_speed(row), gap = fmax(row->gap, 0);
    return speed < 0 ? -sqrt(fmax(speed * speed - 2 * row->pull * gap, 0)) : 0;
}

/* The gap is closed before the piece is over, as the sweep of contact will see it; or next to, for
 * the sweep would stop what it sees closed by a rounding. */
static bool is_due(const ContactRow *row, double h)
{
    const double way = h * (contact_row_speed(row) + h * row->pull);
    return row->gap + way < -1e-9 * way;
}

static double time_until(const ContactRow *row, double speed)
{
    double sum = -(contact_row_speed(row) + speed);
    return row->gap > 0 && sum > 0 ? 2 * row->gap / sum : 0;
}

static void look_at(const ImpactPair *pair, double h, ImpactPair *fastest)
{
    for (uint32_t i = 0; i < pair->count; ++i) {
        const ContactRow *row = &pair->rows[i];
        if (row->restitution == 0) return;
        double speed = impact_speed(row);
        if (speed >= fastest->speed || !is_due(row, h)) continue;
        *fastest = *pair;
        fastest->speed = speed, fastest->after = time_until(row, speed);
    }
}

/* One that is faster than `slowest`. */
static bool find_fastest(const Contacts *contacts, const SolveRoom *room, double h, double slowest,
                         ImpactPair *fastest)
{
    ContactRow *rows = room->rows;
    *fastest = (ImpactPair){.speed = -slowest};
    for (size_t i = 0; i < contacts->count; ++i) {
        const Manifold *m = &contacts->items[i];
        if (m->asleep) continue;
        const ImpactPair pair = {.a = m->a, .b = m->b, .rows = rows, .count = m->count};
        look_at(&pair, h, fastest);
        rows += m->count;
    }
    return fastest->count > 0;
}

/* ---- what happens ---- */

/* Speeds that the points that touch shall have, as they are now; those of the others are 0. */
static void find_wanted(const ImpactPair *pair, double h, double wanted[MOST_POINTS])
{
    for (uint32_t i = 0; i < pair->count; ++i) {
        const ContactRow *row = &pair->rows[i];
        double gained = row->pull * pair->after, speed = contact_row_speed(row) + gained;
        bool touches = speed < 0 && is_due(row, h);
        wanted[i] = touches ? -row->restitution * speed - gained : 0;
    }
}

static void forget(ContactRow *row)
{
    row->point->push = 0, row->point->drag = d3(0, 0, 0);
}

/* Eight sweeps over at most four points: their impulses hang together, since one body bears them.
 */
static void push_apart(const ImpactPair *pair, const double wanted[MOST_POINTS])
{
    enum { SWEEPS = 8 };
    for (uint32_t i = 0; i < pair->count; ++i)
        contact_row_place(&pair->rows[i]), forget(&pair->rows[i]);
    for (int n = 0; n < SWEEPS; ++n)
        for (uint32_t i = 0; i < pair->count; ++i) {
            ContactRow *row = &pair->rows[i];
            if (wanted[i] > 0)
                contact_row_push_by(row, row->mass * (wanted[i] - contact_row_speed(row)));
        }
    for (uint32_t i = 0; i < pair->count; ++i)
        contact_row_drag(&pair->rows[i]), forget(&pair->rows[i]);
}

static void move_pair(const Solids *solids, const ImpactPair *pair, double time)
{
    if (time == 0) return;
    solids_move(solids, pair->a, time);
    solids_move(solids, pair->b, time);
}

static void place_around(const Solids *solids, const ImpactPair *pair, SolveRoom *room)
{
    const Solid *a = solids->items[pair->a], *b = solids->items[pair->b];
    for (size_t i = 0; i < room->row_count; ++i) {
        ContactRow *row = &room->rows[i];
        bool moved_a = a->inverse_mass > 0 && (row->a == a || row->b == a);
        bool moved_b = b->inverse_mass > 0 && (row->a == b || row->b == b);
        if (moved_a || moved_b) contact_row_place(row);
    }
}

static void collide(const Solids *solids, const ImpactPair *pair, double h, SolveRoom *room)
{
    double wanted[MOST_POINTS];
    find_wanted(pair, h, wanted);
    move_pair(solids, pair, pair->after);
    push_apart(pair, wanted);
    move_pair(solids, pair, -pair->after);
    place_around(solids, pair, room);
}

/* What is left of the first speed after many bounces to and fro is contact. */
#define LEAST_SHARE 1e-7

void impacts_resolve(const Solids *solids, const Contacts *contacts, double h, double slowest,
                     SolveRoom *room)
{
    const size_t most = 4 * room->row_count + 64;
    ImpactPair pair;
    for (size_t n = 0; n < most && find_fastest(contacts, room, h, slowest, &pair); ++n) {
        slowest = fmax(slowest, -LEAST_SHARE * pair.speed);
        collide(solids, &pair, h, room);
    }
}
