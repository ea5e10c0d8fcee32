/* Which solids may touch: sort and sweep along x over boxes that are grown by what may happen in
 * the sub-step, then piece against piece. The list is in the order of solids and pieces, whatever
 * order they were found in. */
#include "bodies/solver.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>

/* Points nearer than this share of the smaller solid's thickness are looked at even at rest. */
#define REST_MARGIN 0.02

/* ---- boxes ---- */

static double fastest(const Solid *s)
{
    double turn = d3_length(s->spin);
    return d3_length(s->velocity) + (turn > 0 ? turn * s->reach : 0);
}

static double way_of(const Solid *s, double dt, double gravity)
{
    double rest = s->smallest < HUGE_VAL ? REST_MARGIN * s->smallest : 0;
    return rest + dt * (fastest(s) + (s->inverse_mass > 0 ? gravity * dt : 0));
}

static void set_box(Solid *s, double dt, double gravity)
{
    double way = way_of(s, dt, gravity);
    D3 low = d3(HUGE_VAL, HUGE_VAL, HUGE_VAL), high = d3_scale(low, -1);
    for (size_t i = 0; i < s->pieces.count; ++i) {
        Placed placed = piece_place(&s->pieces.items[i], &s->pose);
        low = d3_min(low, placed.low), high = d3_max(high, placed.high);
    }
    s->low = d3_sub(low, d3(way, way, way));
    s->high = d3_add(high, d3(way, way, way));
}

static bool boxes_meet(D3 low_a, D3 high_a, D3 low_b, D3 high_b, double margin)
{
    return low_a.x <= high_b.x + margin && low_b.x <= high_a.x + margin &&
           low_a.y <= high_b.y + margin && low_b.y <= high_a.y + margin &&
           low_a.z <= high_b.z + margin && low_b.z <= high_a.z + margin;
}

/* ---- pairs ---- */

static int by_low(const void *left, const void *right)
{
    const SweepItem *a = left, *b = right;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    return a->number < b->number ? -1 : 1;
}

static int by_numbers(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    if (a[0] != b[0]) return a[0] < b[0] ? -1 : 1;
    return a[1] < b[1] ? -1 : a[1] > b[1];
}

static bool add_pair(Memory *memory, Contacts *contacts, uint32_t i, uint32_t j)
{
    if (!memory_reserve(memory, (void **)&contacts->pairs, &contacts->pair_capacity,
                        contacts->pair_count + 1, sizeof *contacts->pairs))
        return false;
    uint32_t *pair = contacts->pairs[contacts->pair_count++];
    pair[0] = i < j ? i : j, pair[1] = i < j ? j : i;
    return true;
}

static bool may_meet(const Solid *a, const Solid *b)
{
    return (a->inverse_mass > 0 || b->inverse_mass > 0) &&
           boxes_meet(a->low, a->high, b->low, b->high, 0);
}

static bool find_pairs(Memory *memory, Contacts *contacts, Solid *const *solids, size_t count)
{
    contacts->pair_count = 0;
    if (!memory_reserve(memory, (void **)&contacts->order, &contacts->order_capacity, count,
                        sizeof *contacts->order))
        return false;
    SweepItem *order = contacts->order;
    for (size_t i = 0; i < count; ++i) order[i] = (SweepItem){solids[i]->low.x, (uint32_t)i};
    qsort(order, count, sizeof *order, by_low);
    for (size_t i = 0; i < count; ++i) {
        const Solid *a = solids[order[i].number];
        for (size_t j = i + 1; j < count && order[j].low <= a->high.x; ++j)
            if (may_meet(a, solids[order[j].number]) &&
                !add_pair(memory, contacts, order[i].number, order[j].number))
                return false;
    }
    if (contacts->pair_count > 0)
        qsort(contacts->pairs, contacts->pair_count, sizeof *contacts->pairs, by_numbers);
    return true;
}

/* ---- what was there before ---- */

int contact_key_order(const ContactMemory *old, const Manifold *m)
{
    const double key[4] = {(double)m->a, (double)m->b, (double)m->piece_a, (double)m->piece_b};
    for (int i = 0; i < 4; ++i)
        if (old->key[i] != key[i]) return old->key[i] < key[i] ? -1 : 1;
    return 0;
}

/* Takes over the impulses of the nearest point of old that is near enough, as seen by the solid
 * that the point goes with: along the other it moves. */
static void warm_start(const ContactMemory *old, ContactPoint *point, double near)
{
    double least = near * near;
    for (int i = 0; i < (int)old->count; ++i) {
        const double *p = old->points[i], *at = point->carrier < 0.5 ? p + 3 : p;
        D3 now = point->carrier < 0.5 ? point->on_b.at : point->on_a.at;
        D3 arm = d3_sub(d3(at[0], at[1], at[2]), now), drag = d3(p[7], p[8], p[9]);
        double apart2 = d3_dot(arm, arm);
        if (!(apart2 < least)) continue;
        least = apart2;
        point->push = p[CONTACT_PUSH];
        point->drag = d3_madd(drag, -d3_dot(drag, point->normal), point->normal);
    }
}

static void remember(const Contacts *contacts, size_t *old, Manifold *m, double near)
{
    while (*old < contacts->kept_count && contact_key_order(&contacts->kept[*old], m) < 0) ++*old;
    if (*old == contacts->kept_count || contact_key_order(&contacts->kept[*old], m) != 0) return;
    for (uint32_t i = 0; i < m->count; ++i) warm_start(&contacts->kept[*old], &m->points[i], near);
}

/* ---- manifolds ---- */

static double margin_of(const Solid *a, const Solid *b, double dt, double gravity)
{
    double thin = fmin(a->smallest, b->smallest);
    double speed = d3_length(d3_sub(a->velocity, b->velocity));
    speed += d3_length(a->spin) > 0 ? d3_length(a->spin) * a->reach : 0;
    speed += d3_length(b->spin) > 0 && b->reach < HUGE_VAL ? d3_length(b->spin) * b->reach : 0;
    return (thin < HUGE_VAL ? REST_MARGIN * thin : 0) + dt * (speed + gravity * dt);
}

static bool add_manifold(Memory *memory, Contacts *contacts, const PiecePair *pair, Manifold m)
{
    manifold_find(pair, &m);
    if (m.count == 0) return true;
    if (!memory_reserve(memory, (void **)&contacts->items, &contacts->capacity, contacts->count + 1,
                        sizeof *contacts->items))
        return false;
    contacts->items[contacts->count++] = m;
    return true;
}

/* Two levels: the piece against the whole of the other body first. */
static bool meet_pieces(Memory *memory, Contacts *contacts, PiecePair *pair, Manifold m)
{
    for (uint32_t i = 0; i < pair->a->pieces.count; ++i) {
        pair->pa = piece_place(&pair->a->pieces.items[i], &pair->a->pose);
        if (!boxes_meet(pair->pa.low, pair->pa.high, pair->b->low, pair->b->high, pair->margin))
            continue;
        for (uint32_t j = 0; j < pair->b->pieces.count; ++j) {
            pair->pb = piece_place(&pair->b->pieces.items[j], &pair->b->pose);
            m.piece_a = i, m.piece_b = j;
            if (boxes_meet(pair->pa.low, pair->pa.high, pair->pb.low, pair->pb.high,
                           pair->margin) &&
                !add_manifold(memory, contacts, pair, m))
                return false;
        }
    }
    return true;
}

bool contacts_find(Memory *memory, Contacts *contacts, Solid *const *solids, size_t count,
                   double dt, double gravity)
{
    size_t old = 0;
    contacts->count = 0;
    for (size_t i = 0; i < count; ++i) set_box(solids[i], dt, gravity);
    if (!find_pairs(memory, contacts, solids, count)) return false;
    for (size_t k = 0; k < contacts->pair_count; ++k) {
        const uint32_t *numbers = contacts->pairs[k];
        PiecePair pair = {.a = solids[numbers[0]], .b = solids[numbers[1]]};
        pair.margin = margin_of(pair.a, pair.b, dt, gravity);
        if (!meet_pieces(memory, contacts, &pair, (Manifold){.a = numbers[0], .b = numbers[1]}))
            return false;
    }
    for (size_t k = 0; k < contacts->count; ++k) {
        Manifold *m = &contacts->items[k];
        double thin = fmin(solids[m->a]->smallest, solids[m->b]->smallest);
        remember(contacts, &old, m, 0.1 * thin);
    }
    return true;
}

bool contacts_keep(Memory *memory, Contacts *contacts)
{
    if (!memory_reserve(memory, (void **)&contacts->kept, &contacts->kept_capacity, contacts->count,
                        sizeof *contacts->kept))
        return false;
    contacts->kept_count = contacts->count;
    for (size_t k = 0; k < contacts->count; ++k) {
        const Manifold *m = &contacts->items[k];
        ContactMemory *kept = &contacts->kept[k];
        *kept = (ContactMemory){
            .key = {(double)m->a, (double)m->b, (double)m->piece_a, (double)m->piece_b},
            .count = (double)m->count};
        for (uint32_t i = 0; i < m->count; ++i) {
            const ContactPoint *p = &m->points[i];
            const D3 a = p->on_a.at, b = p->on_b.at, drag = p->drag;
            const double values[10] = {a.x, a.y,     a.z,    b.x,    b.y,
                                       b.z, p->push, drag.x, drag.y, drag.z};
            for (int c = 0; c < 10; ++c) kept->points[i][c] = values[c];
        }
    }
    return true;
}

void contacts_free(Memory *memory, Contacts *contacts)
{
    memory_free(memory, contacts->items, contacts->capacity * sizeof *contacts->items);
    memory_free(memory, contacts->kept, contacts->kept_capacity * sizeof *contacts->kept);
    memory_free(memory, contacts->pairs, contacts->pair_capacity * sizeof *contacts->pairs);
    memory_free(memory, contacts->order, contacts->order_capacity * sizeof *contacts->order);
    *contacts = (Contacts){0};
}

/* ---- a saved state ---- */

/* Numbers of solids and of their pieces. */
static bool are_numbers(const double key[4])
{
    for (int k = 0; k < 4; ++k)
        if (!(key[k] >= 0 && key[k] <= (double)UINT32_MAX)) return false;
    return true;
}

mote_Status contacts_check(const Contacts *contacts, mote_Error *error)
{
    for (size_t i = 0; i < contacts->kept_count; ++i) {
        double count = contacts->kept[i].count;
        if (!(count >= 0 && count <= MOST_POINTS))
            return status_fail(error, MOTE_BAD_VALUE,
                               "world/contacts: the saved state has a contact of %g points, but "
                               "one has at most %d",
                               count, (int)MOST_POINTS);
        if (!are_numbers(contacts->kept[i].key))
            return status_fail(error, MOTE_BAD_VALUE,
                               "world/contacts: the saved state has a contact of bodies that "
                               "cannot be");
    }
    return MOTE_OK;
}
