/* Particles from files of other programs: every reader fills a table of what a surface needs. */
#ifndef IO_IMPORT_H
#define IO_IMPORT_H

#include <mote/io.h>

#include "base/memory.h"
#include "io/file.h"

/* What a column of a file may be; the first three are needed. */
typedef enum ImportRole {
    IMPORT_X,
    IMPORT_Y,
    IMPORT_Z,
    IMPORT_RADIUS,
    IMPORT_MASS,
    IMPORT_DENSITY,
    IMPORT_ROLES,
    IMPORT_NOTHING = IMPORT_ROLES
} ImportRole;

typedef struct ImportTable {
    Memory *memory;
    const char *path; /* for messages */
    mote_real *values[IMPORT_ROLES];
    size_t room[IMPORT_ROLES];
    bool has[IMPORT_ROLES];
    size_t count;
} ImportTable;

/* By the names that programs use: "x", "position_x", "Points:0", "pscale", "rho", ... */
ImportRole import_role(const char *name);

/* Fails unless the table has x, y and z. */
mote_Status import_check_places(const ImportTable *table, mote_Error *error);

/* One more row; values of roles that the table does not have are not looked at. */
mote_Status import_add(ImportTable *table, const double values[IMPORT_ROLES], mote_Error *error);

/* "PATH, line N: ..." or, with line 0, "PATH: ...". */
__attribute__((format(printf, 4, 5))) mote_Status
import_fail(const ImportTable *table, size_t line, mote_Error *error, const char *format, ...);

/* Bytes in memory, with a 0 behind them. */
typedef struct ImportBytes {
    const char *at;
    size_t size;
} ImportBytes;

mote_Status import_ply(ImportBytes bytes, ImportTable *table, mote_Error *error);
mote_Status import_csv(ImportBytes bytes, ImportTable *table, mote_Error *error);
mote_Status import_xyz(ImportBytes bytes, ImportTable *table, mote_Error *error);
mote_Status import_npz(ImportBytes bytes, ImportTable *table, mote_Error *error);

/* mote_import of a file in memory (with a 0 behind it). */
mote_Status import_parse(ImportBytes bytes, const char *path, mote_Allocator allocator,
                         mote_Frame **frame, mote_Error *error);

#endif
