/* Particles from PLY: the numbers of the element `vertex`. */
#include "io/import.h"
#include "text/ply.h"

#include <string.h>

_Static_assert((int)IMPORT_ROLES <= (int)PLY_ROLES, "PLY rows have room for every role");

static int role_of(void *context, const char *element, const char *property, bool list)
{
    ImportTable *table = context;
    ImportRole role = import_role(property);
    if (strcmp(element, "vertex") != 0 || list || role == IMPORT_NOTHING || table->has[role])
        return -1;
    table->has[role] = true;
    return (int)role;
}

static mote_Status check_head(void *context, mote_Error *error)
{
    return import_check_places(context, error);
}

static mote_Status add_row(void *context, const PlyRow *row, mote_Error *error)
{
    return import_add(context, row->values, error);
}

mote_Status import_ply(ImportBytes bytes, ImportTable *table, mote_Error *error)
{
    TextLines text = {
        .name = file_label(table->path), .at = bytes.at, .end = bytes.at + bytes.size};
    return ply_read(&text, &(PlyReader){table, role_of, check_head, add_row}, error);
}
