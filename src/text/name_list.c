/* Lists of names. */
#include "text/name_list.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

static const char *array_name(const void *context, size_t i)
{
    return ((const char *const *)context)[i];
}

NameList name_list(const char *const *names)
{
    return (NameList){array_name, names};
}

/* A name that shares no letter with a short word was not meant. */
const char *name_nearest(const char *word, NameList names)
{
    const char *nearest = text_nearest(word, names.name, names.context);
    bool alike = nearest != NULL && text_distance(word, nearest) < (int)strlen(word);
    return alike ? nearest : NULL;
}

bool name_list_text(NameList names, char *text, size_t size)
{
    size_t used = 0;
    const char *name;
    text[0] = '\0';
    for (size_t i = 0; (name = names.name(names.context, i)) != NULL; ++i) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", name);
        if (used >= size) return false;
    }
    return true;
}
