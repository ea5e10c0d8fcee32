/* Reading the reference values: comma-separated numbers below one line of names. */
#include "study/reference.h"

#include "base/number.h"
#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct ReferenceFile {
    const char *name, *text;
} ReferenceFile;

#include "study_data.inc"

/* One line into row `row`; the text behind it. */
static const char *read_row(const char *text, Reference *reference, size_t row)
{
    size_t columns = 0;
    while (*text != '\0' && *text != '\n' && columns < REFERENCE_COLUMNS) {
        char part[NUMBER_SIZE];
        size_t length = strcspn(text, ",\n");
        snprintf(part, sizeof part, "%.*s", (int)length, text);
        if (!number_parse(part, &reference->values[columns++][row])) return NULL;
        text += length + (text[length] == ',');
    }
    if (row == 0) reference->columns = columns;
    return columns == reference->columns ? text + (*text == '\n') : NULL;
}

mote_Status reference_read(const char *name, Reference *reference, mote_Error *error)
{
    const char *text = NULL;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i)
        if (strcmp(files[i].name, name) == 0) text = strchr(files[i].text, '\n');
    reference->rows = 0;
    if (text == NULL)
        return status_fail(error, MOTE_UNAVAILABLE, "there are no reference values %s", name);
    for (++text; *text != '\0' && reference->rows < REFERENCE_ROWS; ++reference->rows) {
        text = read_row(text, reference, reference->rows);
        if (text == NULL)
            return status_fail(error, MOTE_IO_FAILED, "%s.csv: line %zu is not of numbers", name,
                               reference->rows + 2);
    }
    return MOTE_OK;
}

double curve_at(const double *x, const double *y, size_t count, double at)
{
    for (size_t i = 1; i < count; ++i) {
        if (!(x[i - 1] <= at && at <= x[i])) continue;
        double span = x[i] - x[i - 1];
        return span > 0 ? y[i - 1] + (y[i] - y[i - 1]) * (at - x[i - 1]) / span : y[i];
    }
    return (double)NAN;
}
