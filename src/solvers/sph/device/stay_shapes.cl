/* Walls whose surfaces are formulas: how far they are, and where. */
static mote_Vec3 point_in(const StayPose *pose, mote_Vec3 x)
{
    const mote_Vec3 r = vec3_sub(x, pose->at);
    if (!pose->turned) return r;
    return vec3(vec3_dot(pose->x, r), vec3_dot(pose->y, r), vec3_dot(pose->z, r));
}

static mote_Vec3 direction_out(const StayPose *pose, mote_Vec3 n)
{
    if (!pose->turned) return n;
    const mote_Vec3 a = vec3_scale(pose->x, n.x);
    return vec3_madd(vec3_madd(a, n.y, pose->y), n.z, pose->z);
}

static SurfaceAt core_at(const StayShape *s, mote_Vec3 x)
{
    switch (s->core) {
    case STAY_PLANE: return plane_surface(s->vector, s->size[0], x);
    case STAY_SPHERE: return sphere_surface(s->size[0], x);
    case STAY_BOX: return box_surface(s->vector, x);
    case STAY_CAPSULE: return capsule_surface(s->size[0], s->size[1], x);
    default: return cylinder_surface(s->size[0], s->size[1], x);
    }
}

static WallNear shape_at(const StayShape *s, mote_Vec3 x)
{
    mote_Vec3 p = point_in(&s->pose, x);
    if (s->nested) p = point_in(&s->own, p);
    const SurfaceAt at = core_at(s, p);
    WallNear near = {at.distance, at.normal};
    if (s->nested) {
        const mote_Vec3 n = direction_out(&s->own, at.normal);
        near.distance = -at.distance;
        near.normal = vec3(-n.x, -n.y, -n.z);
    }
    near.normal = direction_out(&s->pose, near.normal);
    return near;
}

/* Of fours that stay_place made. */
static mote_Vec3 place_at(global const Real4 *places, size_t i)
{
    const Real4 at = places[i];
    return vec3(at.x, at.y, at.w);
}

static mote_Vec3 vector_at(global const mote_real *planes, size_t stride, size_t i)
{
    return vec3(planes[i], planes[stride + i], planes[2 * stride + i]);
}
