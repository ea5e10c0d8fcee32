/* Rotations as unit quaternions, for one kind of number; included once for each kind, with
 *
 *   QUAT VEC       the types, structs of x, y, z, w and of x, y, z
 *   QUAT_REAL      the type of their numbers; QUAT_SQRT and QUAT_SINCOS: root, sine and cosine
 *   QUAT_(f)       what the function f of this family is called; VEC_(f): of the vectors' family
 *
 * which are undefined at the end. A quaternion q = (v, w) turns p to p + 2 v x (v x p + w p). */

static inline QUAT QUAT_(identity)(void)
{
    return (QUAT){0, 0, 0, 1};
}

static inline QUAT QUAT_(inverse)(QUAT q)
{
    return (QUAT){-q.x, -q.y, -q.z, q.w};
}

/* First b, then a. */
static inline QUAT QUAT_(product)(QUAT a, QUAT b)
{
    return (QUAT){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                  a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                  a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

/* p + 2 v x (v x p + w p): q p q* multiplied out. */
static inline VEC QUAT_(rotate)(QUAT q, VEC p)
{
    VEC v = {q.x, q.y, q.z}, inner = VEC_(madd)(VEC_(cross)(v, p), q.w, p);
    return VEC_(madd)(p, 2, VEC_(cross)(v, inner));
}

static inline VEC QUAT_(rotate_back)(QUAT q, VEC p)
{
    return QUAT_(rotate)(QUAT_(inverse)(q), p);
}

/* Length 1 again; no rotation when it has no length. */
static inline QUAT QUAT_(unit)(QUAT q)
{
    QUAT_REAL length = QUAT_SQRT(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    if (!(length > 0)) return QUAT_(identity)();
    QUAT_REAL s = 1 / length;
    return (QUAT){q.x * s, q.y * s, q.z * s, q.w * s};
}

/* The rotation about the direction of `turn` by its length (rad). q = (sin(a / 2) n, cos(a / 2)),
 * the exponential of half the rotation vector. */
static inline QUAT QUAT_(of_turn)(VEC turn)
{
    QUAT_REAL angle = VEC_(length)(turn), s, c;
    if (!(angle > 0)) return QUAT_(identity)();
    QUAT_SINCOS(angle * (QUAT_REAL)0.5, &s, &c);
    VEC v = VEC_(scale)(turn, s / angle);
    return (QUAT){v.x, v.y, v.z, c};
}

#undef QUAT
#undef QUAT_
#undef QUAT_REAL
#undef QUAT_SQRT
#undef QUAT_SINCOS
#undef VEC
#undef VEC_
