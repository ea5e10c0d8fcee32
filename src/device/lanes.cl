/* Numbers on a device as formulas know them: base/lanes.h says what the names mean.
 *
 * Sums over neighbours are taken in eight lanes, whatever the machine, and added as eight_sum does.
 * A processor has all eight at once (MOTE_WIDE); a graphics card has two of them at once, lanes l
 * and l + 4, in four parts one after another, because eight would take too many registers. So an
 * Eight is eight numbers or two, and Parts are all lanes of a sum. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

typedef uint uint32_t;
typedef ulong uint64_t;
typedef long int64_t;

#ifdef MOTE_DOUBLE
#define REAL         double
#define BITS         ulong
#define REAL_EPSILON 2.220446049250313e-16
#else
#define REAL         float
#define BITS         uint
#define REAL_EPSILON 1.1920929e-7f
#endif

#ifdef MOTE_WIDE
#define LANES 8
#define PARTS 1
#else
#define LANES 2
#define PARTS 4
#endif

#define JOINED(a, b) a##b
#define JOIN(a, b)   JOINED(a, b)

typedef REAL mote_real;
typedef JOIN(REAL, 4) Real4;
typedef JOIN(REAL, 8) Real8;
typedef JOIN(REAL, LANES) Eight;
typedef JOIN(BITS, LANES) EightBits;

#define EIGHT_INLINE     static inline
#define EIGHT_MASK(c)    JOIN(as_, JOIN(BITS, LANES))(c)
#define EIGHT_OF_MASK(c) JOIN(as_, JOIN(REAL, LANES))(c)
#define EIGHT_TABLE      constant
#define EIGHT_OF_TABLE   constant const

EIGHT_INLINE Eight eight_all(mote_real a)
{
    return (Eight)(a);
}

EIGHT_INLINE Eight eight_where(EightBits chosen, Eight a)
{
    return EIGHT_OF_MASK(chosen & EIGHT_MASK(a));
}

EIGHT_INLINE Eight eight_choose(EightBits chosen, Eight a, Eight b)
{
    return EIGHT_OF_MASK((chosen & EIGHT_MASK(a)) | (~chosen & EIGHT_MASK(b)));
}

EIGHT_INLINE Eight eight_most(Eight a, Eight b)
{
    return eight_choose(EIGHT_MASK(a > b), a, b);
}

EIGHT_INLINE Eight eight_least(Eight a, Eight b)
{
    return eight_choose(EIGHT_MASK(a < b), a, b);
}

EIGHT_INLINE Eight eight_sqrt(Eight a)
{
    return sqrt(a);
}

/* ---- all lanes ---- */

typedef struct Parts {
    Eight part[PARTS];
} Parts;

EIGHT_INLINE void no_parts(Parts *all, int count)
{
    for (int c = 0; c < count; ++c)
        for (int p = 0; p < PARTS; ++p) all[c].part[p] = (Eight)(0);
}

/* Those of eight numbers that part p has. */
EIGHT_INLINE Eight part_of(Real8 a, int p)
{
#ifdef MOTE_WIDE
    return a;
#else
    return p == 0 ? a.s04 : p == 1 ? a.s15 : p == 2 ? a.s26 : a.s37;
#endif
}

/* ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)) */
EIGHT_INLINE mote_real parts_sum(const Parts *a)
{
#ifdef MOTE_WIDE
    const Real4 h = a->part[0].lo + a->part[0].hi;
    return (h.x + h.z) + (h.y + h.w);
#else
    return ((a->part[0].x + a->part[0].y) + (a->part[2].x + a->part[2].y)) +
           ((a->part[1].x + a->part[1].y) + (a->part[3].x + a->part[3].y));
#endif
}

/* A member of the records of an Eight's lanes, side by side. */
#ifdef MOTE_WIDE
#define EIGHT_FROM(r, m)                                                                           \
    ((Eight)(r[0].m, r[1].m, r[2].m, r[3].m, r[4].m, r[5].m, r[6].m, r[7].m))
#else
#define EIGHT_FROM(r, m) ((Eight)(r[0].m, r[1].m))
#endif

/* The lanes one by one. */
EIGHT_INLINE void eight_to(Eight a, mote_real to[LANES])
{
#ifdef MOTE_WIDE
    vstore8(a, 0, to);
#else
    vstore2(a, 0, to);
#endif
}

/* ---- lists ---- */

/* Where entries k to k + 3 of list i are, of lists with so much room; k is a multiple of four, room
 * one of eight. Side by side for a processor; for a graphics card fours of 32 lists side by side,
 * which 32 work-items read together. Entries k steps on are k times LIST_STEP away. */
#ifdef MOTE_WIDE
#define LIST_STEP            1
#define LIST_AT(i, k, room) ((size_t)(i) * (room) + (k))
#else
#define LIST_STEP            32
#define LIST_AT(i, k, room) (((size_t)((i) / 32) * (room) + (k)) * 32 + (i) % 32 * 4)
#endif

/* Two fours that follow each other. */
#define FOURS_TO(a, b, to)                                                                         \
    (to[0] = a.x, to[1] = a.y, to[2] = a.z, to[3] = a.w, to[4] = b.x, to[5] = b.y, to[6] = b.z,    \
     to[7] = b.w)

/* Entries k to k + 7 of list i, k a multiple of eight. */
EIGHT_INLINE void list_eight(global const uint32_t *lists, uint32_t i, uint32_t k, uint32_t room,
                             uint32_t to[8])
{
    global const uint4 *fours = (global const uint4 *)(lists + LIST_AT(i, k, room));
    const uint4 a = fours[0], b = fours[LIST_STEP];
    FOURS_TO(a, b, to);
}

/* The same of numbers that are kept beside them. */
EIGHT_INLINE void list_numbers(global const mote_real *lists, uint32_t i, uint32_t k,
                               uint32_t room, mote_real to[8])
{
    global const Real4 *fours = (global const Real4 *)(lists + LIST_AT(i, k, room));
    const Real4 a = fours[0], b = fours[LIST_STEP];
    FOURS_TO(a, b, to);
}

EIGHT_INLINE void put_numbers(const mote_real from[8], global mote_real *lists, uint32_t i,
                              uint32_t k, uint32_t room)
{
    global Real4 *fours = (global Real4 *)(lists + LIST_AT(i, k, room));
    fours[0] = (Real4)(from[0], from[1], from[2], from[3]);
    fours[LIST_STEP] = (Real4)(from[4], from[5], from[6], from[7]);
}

/* Those of eight places, or numbers, that part p has. */
EIGHT_INLINE void part_places(const uint32_t eight[8], int p, uint32_t to[LANES])
{
    for (int l = 0; l < LANES; ++l) to[l] = eight[p + l * PARTS];
}

#ifdef MOTE_WIDE
#define EIGHT_PART(a, p) ((Eight)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]))
#else
#define EIGHT_PART(a, p) ((Eight)(a[p], a[(p) + 4]))
#endif
