/* Three-vectors by value, for one kind of number; included once for each kind, with
 *
 *   VEC        the type, a struct of x, y, z
 *   VEC_REAL   the type of its numbers, VEC_SQRT their root
 *   VEC_(f)    what the function f of this family is called
 *
 * which are undefined at the end. */

static inline VEC VEC_(add)(VEC a, VEC b)
{
    return (VEC){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline VEC VEC_(sub)(VEC a, VEC b)
{
    return (VEC){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline VEC VEC_(scale)(VEC a, VEC_REAL s)
{
    return (VEC){a.x * s, a.y * s, a.z * s};
}

/* a + s b */
static inline VEC VEC_(madd)(VEC a, VEC_REAL s, VEC b)
{
    return (VEC){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline VEC_REAL VEC_(dot)(VEC a, VEC b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline VEC VEC_(cross)(VEC a, VEC b)
{
    return (VEC){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline VEC_REAL VEC_(length)(VEC a)
{
    return VEC_SQRT(VEC_(dot)(a, a));
}

/* The direction of a; `fallback` when a has no length. */
static inline VEC VEC_(unit)(VEC a, VEC fallback)
{
    VEC_REAL length = VEC_(length)(a);
    return length > 0 ? VEC_(scale)(a, 1 / length) : fallback;
}

/* A unit vector across the unit vector n. */
static inline VEC VEC_(across)(VEC n)
{
    VEC_REAL size = n.x < 0 ? -n.x : n.x;
    VEC other = size < (VEC_REAL)0.6 ? (VEC){1, 0, 0} : (VEC){0, 1, 0};
    return VEC_(unit)(VEC_(cross)(n, other), (VEC){0, 0, 1});
}

static inline VEC VEC_(min)(VEC a, VEC b)
{
    return (VEC){a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}

static inline VEC VEC_(max)(VEC a, VEC b)
{
    return (VEC){a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z};
}

#undef VEC
#undef VEC_
#undef VEC_REAL
#undef VEC_SQRT
