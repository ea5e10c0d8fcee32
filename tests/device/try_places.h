/* Formulas of places and walls that devices share, of three numbers. Compiled for the processor
 * and, as text, for the device: it includes nothing. */

enum { TRY_SURFACES = 5, TRY_PLACES = 4 * TRY_SURFACES + 15 };

static inline mote_real *try_surface(SurfaceAt s, mote_real *out)
{
    out[0] = s.distance, out[1] = s.normal.x, out[2] = s.normal.y, out[3] = s.normal.z;
    return out + 4;
}

static inline mote_real *try_vector(mote_Vec3 v, mote_real *out)
{
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
    return out + 3;
}

/* What limbs get of a number, each by a share that a real can hold. */
static inline mote_real *try_limbs(uint64_t bits, mote_real *out)
{
    const LimbParts parts = limb_parts(bits);
    *out++ = (mote_real)parts.first;
    for (int k = 0; k < 3; ++k) *out++ = (mote_real)(parts.part[k] % 65521);
    return out;
}

/* `bits`: of a number that a, b and c make. */
static inline void try_places(mote_real a, mote_real b, mote_real c, uint64_t bits, mote_real *out)
{
    const mote_Vec3 x = {a, b, c}, v = {c, a, b};
    const Tait tait = {3000, (mote_real)0.9, 0};
    const PushLaw law = {(mote_real)0.001, 1000, (mote_real)0.7};
    const WallMeeting meeting = {a * 10, b * 100, c * c * 50};
    const SurfaceMotion motion = {1, 1, 1, 0, {a, 1, b}, {1, c, 2}, {3, a, b}, {b, 0, c}};
    const mote_real density = 900 + 200 * b;
    out = try_surface(plane_surface(v, c, x), out);
    out = try_surface(sphere_surface((mote_real)0.4, x), out);
    out = try_surface(box_surface(vec3((mote_real)0.3, 1, (mote_real)0.2), x), out);
    out = try_surface(capsule_surface((mote_real)0.2, (mote_real)0.6, x), out);
    out = try_surface(cylinder_surface((mote_real)0.5, (mote_real)0.8, x), out);
    *out++ = placed_in(a * 9, b, c * c + (mote_real)0.1);
    *out++ = wrap_into(a * 9, b, b + c * c + (mote_real)0.1);
    *out++ = tait_pressure(&tait, a + 1);
    *out++ = wall_blow(&law, density, 1, &meeting);
    *out++ = wall_bounded(&law, density, 1, &meeting, a * 1000);
    out = try_vector(wall_rubbed_on(x, v, law.dt, vec3(b, c, a)), out);
    out = try_vector(wall_velocity_at(&motion, x, v), out);
    try_limbs(bits, out);
}
