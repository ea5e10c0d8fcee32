/* A body is quiet while it is slower than a twentieth of what gravity gives in a piece of the
 * sub-step, some mm/s: speeds of a heap at rest stay below that. When all bodies of an
 * island have been quiet for half a second, and it rests on something that nothing moves, the
 * island sleeps. How long a body has been quiet is state; who sleeps follows from that and the
 * contacts, so that one that comes near wakes the whole island. A load, a contact lost and a solid
 * in motion start the half second anew. Without gravity nothing sleeps: slow is no sign of rest
 * there. */
#include "bodies/solver.h"

#include <math.h>

#define QUIET_TIME 0.5 /* s */

enum { IS_AWAKE = 1, IS_HELD = 2 };

static bool is_free(const Solids *solids, uint32_t i)
{
    return i < solids->body_count && solids->items[i]->inverse_mass > 0;
}

static void wake(const Solids *solids, uint32_t i)
{
    if (is_free(solids, i)) solids->bodies[i]->state.quiet = 0;
}

/* ---- what wakes ---- */

static bool has_push(const ContactMemory *kept)
{
    for (int i = 0; i < (int)kept->count; ++i)
        if (kept->points[i][CONTACT_PUSH] > 0) return true;
    return false;
}

/* What pushed in the last sub-step and is gone: both lists are in the same order. */
static void wake_deserted(const Solids *solids, const Contacts *contacts)
{
    size_t now = 0;
    for (size_t i = 0; i < contacts->kept_count; ++i) {
        const ContactMemory *kept = &contacts->kept[i];
        while (now < contacts->count && contact_key_order(kept, &contacts->items[now]) > 0) ++now;
        bool is_there =
            now < contacts->count && contact_key_order(kept, &contacts->items[now]) == 0;
        if (is_there || !has_push(kept)) continue;
        wake(solids, (uint32_t)kept->key[0]);
        wake(solids, (uint32_t)kept->key[1]);
    }
}

static bool moves(const Solid *s)
{
    return d3_length(s->velocity) + d3_length(s->spin) + d3_length(s->belt) > 0;
}

/* ---- islands ---- */

static uint32_t root_of(uint32_t *roots, uint32_t i)
{
    while (roots[i] != i) i = roots[i] = roots[roots[i]];
    return i;
}

/* The body of the lower number stands for both. */
static void join(uint32_t *roots, uint32_t a, uint32_t b)
{
    a = root_of(roots, a), b = root_of(roots, b);
    roots[a > b ? a : b] = a < b ? a : b;
}

static void join_all(const Solids *solids, const Contacts *contacts, const IslandRoom *room)
{
    for (uint32_t i = 0; i < solids->body_count; ++i) room->roots[i] = i, room->marks[i] = 0;
    for (size_t i = 0; i < contacts->count; ++i) {
        const Manifold *m = &contacts->items[i];
        if (is_free(solids, m->a) && is_free(solids, m->b)) join(room->roots, m->a, m->b);
    }
}

/* Contact of a free body with what is not. */
static void mark_held(const Solids *solids, const Contacts *contacts, const IslandRoom *room)
{
    for (size_t i = 0; i < contacts->count; ++i) {
        const Manifold *m = &contacts->items[i];
        bool free_a = is_free(solids, m->a);
        if (free_a == is_free(solids, m->b)) continue;
        uint32_t body = free_a ? m->a : m->b, other = free_a ? m->b : m->a;
        if (moves(solids->items[other])) wake(solids, body);
        room->marks[root_of(room->roots, body)] |= IS_HELD;
    }
}

static void mark_awake(const Solids *solids, const IslandRoom *room)
{
    for (uint32_t i = 0; i < solids->body_count; ++i)
        if (is_free(solids, i) && solids->bodies[i]->state.quiet < QUIET_TIME)
            room->marks[root_of(room->roots, i)] |= IS_AWAKE;
}

static void put_to_sleep(Solid *s)
{
    s->velocity = s->angular = s->spin = d3(0, 0, 0);
}

void islands_rest(const Solids *solids, Contacts *contacts, const IslandRoom *room)
{
    wake_deserted(solids, contacts);
    join_all(solids, contacts, room);
    mark_held(solids, contacts, room);
    mark_awake(solids, room);
    for (uint32_t i = 0; i < solids->body_count; ++i) {
        Solid *s = solids->items[i];
        s->asleep = is_free(solids, i) && room->marks[root_of(room->roots, i)] == IS_HELD;
        if (s->asleep) put_to_sleep(s);
    }
    for (size_t i = 0; i < contacts->count; ++i) {
        Manifold *m = &contacts->items[i];
        m->asleep = solids->items[m->a]->asleep || solids->items[m->b]->asleep;
    }
}

void islands_note(const Solids *solids, double gravity, double h, double dt)
{
    const double slow = 0.05 * gravity * h;
    for (uint32_t i = 0; i < solids->body_count; ++i) {
        const Solid *s = solids->items[i];
        if (!is_free(solids, i) || s->asleep) continue;
        double *quiet = &solids->bodies[i]->state.quiet;
        bool is_slow = d3_length(s->velocity) + d3_length(s->spin) * s->reach < slow;
        *quiet = is_slow ? fmin(*quiet + dt, 2 * QUIET_TIME) : 0;
    }
}
