/* Families of rows as help, list and completion show them: those of scenes, and those of the
 * program itself (formats, benchmarks). */
#ifndef CLI_FAMILIES_H
#define CLI_FAMILIES_H

#include <mote/base.h>

typedef struct FamilyEntry {
    const char *name; /* NULL after the last */
    const char *doc;
    const mote_Row *row; /* with its parameters; NULL: it has none */
} FamilyEntry;

const char *family_name(size_t i); /* NULL after the last */
bool family_known(const char *family);
size_t family_count(const char *family);
FamilyEntry family_entry(const char *family, size_t i);

#endif
