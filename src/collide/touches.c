/* What particles do to colliders, and so to bodies.
 *
 * Particles meet a body as if it were infinitely heavy; what they do to it would throw a body back
 * that is lighter than all that touches it, faster every time. So they share: with the yields k_i
 * of the body where particles of mass m_i touch it, each keeps only the share s = 1 / (1 + sum m_i
 * k_i) of its change of velocity, and the body gets the impulses of that. For one particle this is
 * the law of impact of two bodies; for many it is Jacobi's iteration with a factor that makes it
 * converge, as mass splitting is (Tonge, Benevolenski and Voroshilov 2012). Momentum is kept.
 *
 * In a narrow wedge the pushes of two walls that nothing holds back are large and cancel. A body
 * cannot push like that: a touch that, alone, would leave the particle with more energy than it
 * came with, seen from the body, counts for the body as one that leaves it as much; and the
 * particle does not leave faster, seen from the body, than it came, seen from any of the walls. */
#include "collide/touches.h"

#include "bodies/body.h"

static Body *free_body(const Touches *all, const Touch *touch)
{
    const Collider *c = all->colliders[touch->collider];
    return c->body != NULL && c->body->def.free ? (Body *)c->body : NULL;
}

static mote_Vec3 row_velocity(const mote_System *system, size_t row)
{
    const mote_Column *v = &system->columns[COLUMN_VELOCITY];
    return vec3(column_real(v, 0)[row], column_real(v, 1)[row], column_real(v, 2)[row]);
}

static void set_row_velocity(mote_System *system, size_t row, mote_Vec3 v)
{
    const mote_Column *column = &system->columns[COLUMN_VELOCITY];
    column_real(column, 0)[row] = v.x, column_real(column, 1)[row] = v.y;
    column_real(column, 2)[row] = v.z;
}

/* Of a change c at the relative velocity u, lost = - u . c - c^2 / 2 must not be negative. */
static mote_real possible_share(const Touch *touch)
{
    mote_real change2 = vec3_dot(touch->change, touch->change);
    if (!(touch->lost < 0 && change2 > 0)) return 1;
    return real_max(0, 1 + 2 * touch->lost / change2);
}

static void cut_touch(Touch *touch, mote_real share)
{
    touch->change = vec3_scale(touch->change, share);
    touch->lost = touch->lost > 0 ? touch->lost * share : 0;
}

static void share_touch(mote_System *system, size_t row, Touch *touch, mote_real share)
{
    mote_Vec3 v = row_velocity(system, row);
    set_row_velocity(system, row, vec3_madd(v, share - 1, touch->change));
    cut_touch(touch, share);
}

static mote_Vec3 wall_of(const Touches *all, const Touch *touch)
{
    return wall_velocity(all->colliders[touch->collider], 0, touch->at, vec3(0, 0, 0));
}

static void slow_row(const Touches *all, size_t row, const Touch *body_touch)
{
    const TouchList *list = &all->rows[row];
    mote_Vec3 after = row_velocity(all->system, row), before = after;
    mote_Vec3 wall = wall_of(all, body_touch), leaves = vec3_sub(after, wall);
    mote_real most = 0, speed = vec3_length(leaves);
    for (uint32_t i = 0; i < list->count; ++i) before = vec3_sub(before, list->touches[i].change);
    for (uint32_t i = 0; i < list->count; ++i)
        most = real_max(most, vec3_length(vec3_sub(before, wall_of(all, &list->touches[i]))));
    if (speed > most) set_row_velocity(all->system, row, vec3_madd(wall, most / speed, leaves));
}

static void add_burdens(const Touches *all)
{
    const mote_real *mass = all->system->columns[COLUMN_MASS].data;
    for (size_t row = 0; row < all->system->count; ++row) {
        TouchList *list = &all->rows[row];
        for (uint32_t i = 0; i < list->count; ++i) {
            Touch *touch = &list->touches[i];
            Body *body = free_body(all, touch);
            if (body == NULL) continue;
            if (touch->lost < 0) slow_row(all, row, touch);
            cut_touch(touch, possible_share(touch));
            double yield = body_yield(body, d3_of(touch->at), d3_of(touch->change));
            limbs_add(&body->burden, (double)mass[row] * yield);
        }
    }
}

/* False: there are no bodies. */
static bool clear_burdens(const Touches *all)
{
    bool any = false;
    for (size_t i = 0; i < all->collider_count; ++i) {
        if (all->colliders[i]->body == NULL) continue;
        ((Body *)all->colliders[i]->body)->burden = (Limbs){.odd = 0};
        any = true;
    }
    return any;
}

static mote_Status sum_burdens(const Touches *all, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < all->collider_count && status == MOTE_OK; ++i) {
        Body *body = (Body *)all->colliders[i]->body;
        if (body != NULL) status = ranks_sum_limbs(all->ranks, &body->burden, 1, error);
    }
    return status;
}

mote_Status touches_share(const Touches *all, mote_Error *error)
{
    if (all->rows == NULL || !clear_burdens(all)) return MOTE_OK;
    add_burdens(all);
    mote_Status status = sum_burdens(all, error);
    for (size_t row = 0; row < all->system->count && status == MOTE_OK; ++row) {
        TouchList *list = &all->rows[row];
        for (uint32_t i = 0; i < list->count; ++i) {
            const Body *body = free_body(all, &list->touches[i]);
            if (body == NULL) continue;
            mote_real share = (mote_real)(1 / (1 + limbs_value(&body->burden)));
            share_touch(all->system, row, &list->touches[i], share);
        }
    }
    return status;
}

/* ---- loads ---- */

static void add_touch(Collider *c, const Touch *touch, double mass)
{
    const double p[3] = {-mass * (double)touch->change.x, -mass * (double)touch->change.y,
                         -mass * (double)touch->change.z};
    const mote_Vec3 o = c->pose.position;
    const double arm[3] = {(double)touch->at.x - (double)o.x, (double)touch->at.y - (double)o.y,
                           (double)touch->at.z - (double)o.z};
    if (!c->def.measure) return;
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        limbs_add(&c->touched.impulse[i], p[i]);
        limbs_add(&c->touched.angular[i], arm[j] * p[k] - arm[k] * p[j]);
    }
    limbs_add(&c->touched.heat, mass * (double)touch->lost);
    ++c->touched.particles;
}

static void add_sums(mote_ColliderLoad *load, const TouchSums *sums)
{
    for (int i = 0; i < 3; ++i) {
        load->impulse[i] += limbs_value(&sums->impulse[i]);
        load->angular[i] += limbs_value(&sums->angular[i]);
    }
    load->heat += limbs_value(&sums->heat);
    load->particles += (uint64_t)sums->particles;
}

/* Over all ranks. */
static mote_Status sum_touches(const Touches *all, Collider *c, mote_Error *error)
{
    TouchSums *sums = &c->touched;
    if (!c->def.measure || !ranks_are_many(all->ranks)) return MOTE_OK;
    mote_Status status = ranks_sum_limbs(all->ranks, sums->impulse, 3, error);
    if (status == MOTE_OK) status = ranks_sum_limbs(all->ranks, sums->angular, 3, error);
    if (status == MOTE_OK) status = ranks_sum_limbs(all->ranks, &sums->heat, 1, error);
    return status == MOTE_OK ? ranks_sum(all->ranks, &sums->particles, 1, error) : status;
}

mote_Status touches_collect(const Touches *all, mote_Error *error)
{
    const mote_real *mass = all->system->columns[COLUMN_MASS].data;
    mote_Status status = MOTE_OK;
    if (all->rows == NULL) return MOTE_OK;
    for (size_t k = 0; k < all->collider_count; ++k)
        all->colliders[k]->touched = (TouchSums){.heat = {.odd = 0}};
    for (size_t row = 0; row < all->system->count; ++row) {
        const TouchList *list = &all->rows[row];
        for (uint32_t i = 0; i < list->count; ++i)
            add_touch(all->colliders[list->touches[i].collider], &list->touches[i],
                      (double)mass[row]);
    }
    for (size_t k = 0; k < all->collider_count && status == MOTE_OK; ++k) {
        status = sum_touches(all, all->colliders[k], error);
        if (status == MOTE_OK) add_sums(&all->colliders[k]->load, &all->colliders[k]->touched);
    }
    return status;
}

static D3 difference(const double all[3], D3 before)
{
    return d3_sub(d3(all[0], all[1], all[2]), before);
}

/* What came in this sub-step, and noted as taken: the loads are those of the frame so far. */
static BodyLoad take_load(Body *body, const mote_ColliderLoad *all)
{
    BodyLoad fresh = {difference(all->impulse, body->taken.impulse),
                      difference(all->angular, body->taken.angular), all->heat - body->taken.heat};
    const double *p = all->impulse, *l = all->angular;
    body->taken = (BodyLoad){{p[0], p[1], p[2]}, {l[0], l[1], l[2]}, all->heat};
    return fresh;
}

/* Loads are about the shape's origin, at the start of the sub-step. */
static void exchange(Body *body, const Collider *c)
{
    BodyLoad load = take_load(body, &c->load);
    DPose from = dpose_of(&body->from);
    D3 arm = dquat_rotate(from.orientation, d3_scale(body->mass.in_shape.position, -1));
    load.angular = d3_add(load.angular, d3_cross(arm, load.impulse));
    body_exchange(body, &load);
}

void colliders_push_bodies(Collider *const *colliders, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (colliders[i]->body != NULL) exchange((Body *)colliders[i]->body, colliders[i]);
}
