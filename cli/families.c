/* Families: the library's tables, with the scenes, formats, benchmarks and studies of the program
 * behind them. */
#include "cli/families.h"

#include "bench/bench.h"
#include "cli/scene_files.h"
#include "study/study.h"

#include <mote/io.h>
#include <mote/scene.h>

#include <string.h>

static FamilyEntry format_at(size_t i)
{
    const mote_ExportFormat *format = mote_export_format(i);
    return format != NULL ? (FamilyEntry){format->name, format->doc, NULL} : (FamilyEntry){0};
}

static FamilyEntry bench_at(size_t i)
{
    for (const BenchRow *row = bench_all; row->name != NULL; ++row)
        if (i-- == 0) return (FamilyEntry){row->name, row->doc, NULL};
    return (FamilyEntry){0};
}

static FamilyEntry study_at(size_t i)
{
#define STUDY_ENTRY(name, doc)                  {#name, doc, NULL},
#define STUDY_DASHED_ENTRY(function, name, doc) {name, doc, NULL},
    static const FamilyEntry rows[] = {STUDY_ROWS(STUDY_ENTRY)
                                           STUDY_DASHED_ROWS(STUDY_DASHED_ENTRY)};
    return i < sizeof rows / sizeof rows[0] ? rows[i] : (FamilyEntry){0};
}

typedef struct OwnFamily {
    const char *name;
    FamilyEntry (*at)(size_t i);
} OwnFamily;

static const OwnFamily own[] = {{"scenes", scene_file_at},
                                {"formats", format_at},
                                {"benchmarks", bench_at},
                                {"studies", study_at}};
enum { OWN_COUNT = sizeof own / sizeof own[0] };

const char *family_name(size_t i)
{
    size_t n = 0;
    for (; mote_family(n) != NULL; ++n)
        if (n == i) return mote_family(n);
    return i - n < OWN_COUNT ? own[i - n].name : NULL;
}

bool family_known(const char *family)
{
    const char *name;
    for (size_t i = 0; (name = family_name(i)) != NULL; ++i)
        if (strcmp(name, family) == 0) return true;
    return false;
}

FamilyEntry family_entry(const char *family, size_t i)
{
    size_t count;
    for (size_t k = 0; k < OWN_COUNT; ++k)
        if (strcmp(own[k].name, family) == 0) return own[k].at(i);
    const mote_Row *const *rows = mote_family_rows(family, &count);
    if (rows == NULL || i >= count) return (FamilyEntry){0};
    return (FamilyEntry){rows[i]->name, rows[i]->doc, rows[i]};
}

size_t family_count(const char *family)
{
    size_t count = 0;
    while (family_entry(family, count).name != NULL) ++count;
    return count;
}
