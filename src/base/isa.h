/* Instruction sets. Files in `rows/` and `kernels/` folders are compiled once per set; their
 * symbols carry a suffix through ISA(name), and ISA_ROW_TABLE picks among them at run time. A row
 * without loops stands outside those folders and is compiled once: ISA_ONCE. */
#ifndef BASE_ISA_H
#define BASE_ISA_H

#include <mote/base.h>

typedef enum Isa {
    ISA_V1, /* any CPU of the architecture */
#ifdef MOTE_X86_KERNELS
    ISA_V3, /* AVX2, FMA (unused: no contraction), BMI */
    ISA_V4, /* AVX-512 F, BW, CD, DQ, VL */
#endif
    ISA_COUNT
} Isa;

/* Inside a kernel file: the name with the suffix of the set it is being compiled for. */
#define ISA_JOIN_(name, suffix) name##suffix
#define ISA_JOIN(name, suffix)  ISA_JOIN_(name, suffix)
#ifdef MOTE_ISA_SUFFIX
#define ISA(name) ISA_JOIN(name, MOTE_ISA_SUFFIX)
#endif

/* The best set this machine has, or the one MOTE_ISA names if the machine has it. */
Isa isa_pick(void);
const char *isa_name(Isa isa);

/* ISA_ONCE(TYPE, row) = {...}: a row that is the same for every set.
 *
 * Defines `const mote_Row *const *NAME(Isa, size_t *count)` from a list `LIST(X)` of X(row, ...);
 * a family's rows start with their mote_Row `head`, so an element may be cast to the row's type. */
#define ISA_ADDRESS_V1(row, ...) &row##_v1.head,
#ifdef MOTE_X86_KERNELS
#define ISA_ADDRESS_V3(row, ...) &row##_v3.head,
#define ISA_ADDRESS_V4(row, ...) &row##_v4.head,
#define ISA_EXTERN(TYPE, row)    extern const TYPE row##_v1, row##_v3, row##_v4;
#define ISA_ONCE(TYPE, row)                                                                        \
    extern const TYPE row##_v3 __attribute__((alias(#row "_v1")));                                 \
    extern const TYPE row##_v4 __attribute__((alias(#row "_v1")));                                 \
    const TYPE row##_v1
#define ISA_ROW_LISTS(LIST)                                                                        \
    static const mote_Row *const rows_v1[] = {LIST(ISA_ADDRESS_V1)};                               \
    static const mote_Row *const rows_v3[] = {LIST(ISA_ADDRESS_V3)};                               \
    static const mote_Row *const rows_v4[] = {LIST(ISA_ADDRESS_V4)};                               \
    static const mote_Row *const *const rows[ISA_COUNT] = {rows_v1, rows_v3, rows_v4};
#else
#define ISA_EXTERN(TYPE, row) extern const TYPE row##_v1;
#define ISA_ONCE(TYPE, row)   const TYPE row##_v1
#define ISA_ROW_LISTS(LIST)                                                                        \
    static const mote_Row *const rows_v1[] = {LIST(ISA_ADDRESS_V1)};                               \
    static const mote_Row *const *const rows[ISA_COUNT] = {rows_v1};
#endif

/* The same for rows that are compiled once, from their heads: ROW_TABLE(NAME, LIST(ROW_ADDRESS));
 * ROW_ADDRESS_ONLY where a list has nothing but rows. */
#define ROW_ADDRESS(row, ...) &row.head,
#define ROW_ADDRESS_ONLY(row) &row.head,
#define ROW_TABLE(NAME, ...)                                                                       \
    const mote_Row *const *NAME(Isa isa, size_t *count)                                            \
    {                                                                                              \
        static const mote_Row *const heads[] = {__VA_ARGS__};                                      \
        (void)isa;                                                                                 \
        *count = sizeof heads / sizeof heads[0];                                                   \
        return heads;                                                                              \
    }

/* Defines `const TYPE *NAME(Isa)`: the kernels of one kind, from the objects `table`_v1 and on. */
#ifdef MOTE_X86_KERNELS
#define ISA_KERNELS(NAME, TYPE, table)                                                             \
    extern const TYPE table##_v1, table##_v3, table##_v4;                                          \
    const TYPE *NAME(Isa isa)                                                                      \
    {                                                                                              \
        static const TYPE *const kernels[ISA_COUNT] = {&table##_v1, &table##_v3, &table##_v4};     \
        return kernels[isa];                                                                       \
    }
#else
#define ISA_KERNELS(NAME, TYPE, table)                                                             \
    extern const TYPE table##_v1;                                                                  \
    const TYPE *NAME(Isa isa)                                                                      \
    {                                                                                              \
        (void)isa;                                                                                 \
        return &table##_v1;                                                                        \
    }
#endif

/* The rows of a family. */
typedef const mote_Row *const *RowTable(Isa isa, size_t *count);

#define ISA_ROW_TABLE(NAME, LIST)                                                                  \
    const mote_Row *const *NAME(Isa isa, size_t *count)                                            \
    {                                                                                              \
        ISA_ROW_LISTS(LIST)                                                                        \
        *count = sizeof rows_v1 / sizeof rows_v1[0];                                               \
        return rows[isa];                                                                          \
    }

#endif
