/* The table of forces, and groups. */
#include "forces/force.h"

#include "base/definition.h"
#include "base/row.h"

#include <string.h>

#define DECLARE(row, ...) ISA_EXTERN(ForceRow, row)
FORCE_ROWS(DECLARE)
ISA_ROW_TABLE(force_rows, FORCE_ROWS)
ROW_DEFAULTS_FUNCTIONS(FORCE_ROWS)

static mote_ForceDef force_defaults(void)
{
    return (mote_ForceDef){.type = "gravity"};
}

DEFINITION_MAKER(mote_ForceDef, mote_force_def, force_defaults)

/* The force on all rows of the range, kept only where the group column shares a bit: rows of the
 * table need to know nothing of groups. */
static void apply_to_group(const Force *force, const Range *r, double t)
{
    const uint32_t *group = r->system->columns[COLUMN_GROUP].data;
    mote_real *masked[3] = {r->masked[0], r->masked[1], r->masked[2]};
    for (int c = 0; c < 3; ++c) memset(masked[c], 0, r->count * sizeof(mote_real));
    force->row->accelerate(force, r, t, masked);
    for (int c = 0; c < 3; ++c)
        for (size_t i = 0; i < r->count; ++i)
            if ((group[r->first + i] & force->group) != 0) r->a[c][i] += masked[c][i];
}

void force_apply(const Force *force, const Range *r, double t)
{
    if (force->group != 0)
        apply_to_group(force, r, t);
    else
        force->row->accelerate(force, r, t, r->a);
}
