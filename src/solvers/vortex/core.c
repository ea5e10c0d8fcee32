/* The table of cores. */
#include "solvers/vortex/core.h"

#define CORE_EXTERN(row, name) ISA_EXTERN(CoreRow, row)
CORE_ROWS(CORE_EXTERN)
ISA_ROW_TABLE(core_rows, CORE_ROWS)
CORE_FLAT_ROWS(CORE_EXTERN)
ISA_ROW_TABLE(core_flat_rows, CORE_FLAT_ROWS)

const CoreRow *core_row(Isa isa, int number)
{
    size_t count;
    return (const CoreRow *)core_rows(isa, &count)[number];
}

const CoreRow *core_row_of(Isa isa, int number, bool flat)
{
    size_t count;
    return flat ? (const CoreRow *)core_flat_rows(isa, &count)[number] : core_row(isa, number);
}
