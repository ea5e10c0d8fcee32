/* Lists of names to choose from. */
#ifndef TEXT_NAME_LIST_H
#define TEXT_NAME_LIST_H

#include <stdbool.h>
#include <stddef.h>

/* name(context, i) is the i-th name, NULL behind the last. */
typedef struct NameList {
    const char *(*name)(const void *context, size_t i);
    const void *context;
} NameList;

NameList name_list(const char *const *names); /* a NULL-terminated array */

/* The name that `word` may have been meant for, or NULL. */
const char *name_nearest(const char *word, NameList names);

/* "a, b, c"; false when that does not fit. */
bool name_list_text(NameList names, char *text, size_t size);

#endif
