/* Loops over rows that the compiler must vectorise.
 *
 * FOR_ROWS promises that iterations are independent: `restrict` on pointers loaded from a struct is
 * ignored by gcc, and without the promise the loops run at a third of the memory's speed. */
#ifndef BASE_LOOP_H
#define BASE_LOOP_H

#include <mote/base.h>

/* Rows per block: six planes of a block and the scratch planes stay in the L1 cache. */
enum { BLOCK_ROWS = 128 };

/* Elements from one scratch plane of a block to the next: a cache line more than the block, so that
 * the planes do not fall into the same cache sets. */
enum { SCRATCH_STRIDE = BLOCK_ROWS + 64 / sizeof(mote_real) };

#if defined(__clang__)
#define FOR_ROWS(i, n)                                                                             \
    _Pragma("clang loop vectorize(assume_safety)")                                                 \
    for (size_t i = 0; i < (n); ++i)
#else
#define FOR_ROWS(i, n)                                                                             \
    _Pragma("GCC ivdep")                                                                           \
    for (size_t i = 0; i < (n); ++i)
#endif

/* Where a kernel's parts must become one loop. */
#define INLINE static inline __attribute__((always_inline))

/* What a device keeps in memory that all of it sees: formulas say so, the processor has one kind.
 */
#define DEVICE_GLOBAL
#define DEVICE_LOCAL

#ifdef MOTE_DOUBLE
#define REAL_SQRT(x) __builtin_sqrt(x)
#define REAL_ABS(x)  __builtin_fabs(x)
#define REAL_EPSILON 2.220446049250313e-16
#else
#define REAL_SQRT(x) __builtin_sqrtf(x)
#define REAL_ABS(x)  __builtin_fabsf(x)
#define REAL_EPSILON 1.1920929e-7f
#endif

#ifdef MOTE_DOUBLE
typedef uint64_t RealBits;
#else
typedef uint32_t RealBits;
#endif

/* chosen ? a : b, by bits. With ?: on values read from where they go back to, gcc stores under a
 * mask, which is very slow on some CPUs. */
static inline mote_real real_pick(bool chosen, mote_real a, mote_real b)
{
    RealBits x, y, mask = (RealBits)0 - (RealBits)chosen;
    mote_real picked;
    __builtin_memcpy(&x, &a, sizeof x);
    __builtin_memcpy(&y, &b, sizeof y);
    x = (x & mask) | (y & ~mask);
    __builtin_memcpy(&picked, &x, sizeof picked);
    return picked;
}

#endif
