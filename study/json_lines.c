/* From CSV to JSON, a line at a time. */
#include "study/json_lines.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 2048, MOST_KEYS = 32 };

/* Cuts the first field off a line, without its quotes. NULL: none is left. */
static char *take_field(char **rest)
{
    char *field = *rest;
    if (field == NULL) return NULL;
    const bool quoted = *field == '"';
    char *end = quoted ? strchr(++field, '"') : field + strcspn(field, ",\n");
    if (end == NULL) end = field + strlen(field);
    char *comma = *end == '"' ? end + 1 : end;
    *rest = *comma == ',' ? comma + 1 : NULL;
    *end = '\0';
    return field;
}

static void put_text(const char *text, FILE *to)
{
    fputc('"', to);
    for (; *text != '\0'; ++text) fprintf(to, *text == '\\' ? "\\%c" : "%c", *text);
    fputc('"', to);
}

static void put_value(const char *field, FILE *to)
{
    char *end;
    const double value = strtod(field, &end);
    if (end == field || *end != '\0')
        put_text(field, to);
    else
        fputs(isfinite(value) ? field : "null", to);
}

void json_lines_print(const char *name, FILE *csv, FILE *to)
{
    char head[LINE_SIZE], line[LINE_SIZE], *keys[MOST_KEYS], *rest = head;
    size_t count = 0;
    rewind(csv);
    if (fgets(head, sizeof head, csv) == NULL) return;
    while (count < MOST_KEYS && (keys[count] = take_field(&rest)) != NULL) ++count;
    while (fgets(line, sizeof line, csv) != NULL) {
        fprintf(to, "{\"table\": \"%s\"", name);
        rest = line;
        for (size_t i = 0; i < count && rest != NULL; ++i) {
            fprintf(to, ", \"%s\": ", keys[i]);
            put_value(take_field(&rest), to);
        }
        fputs("}\n", to);
    }
    fflush(to);
}
