/* The files of view/page. */
#include "view/pages.h"

#include <stddef.h>
#include <string.h>

#include "view_pages.inc"

const ViewPage *page_find(const char *name)
{
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i)
        if (strcmp(files[i].name, name) == 0) return &files[i];
    return NULL;
}

const char *page_type(const ViewPage *page)
{
    static const struct {
        const char *ending, *type;
    } types[] = {{".html", "text/html"},
                 {".css", "text/css"},
                 {".js", "text/javascript"},
                 {".svg", "image/svg+xml"}};
    const char *ending = strrchr(page->name, '.');
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i)
        if (ending != NULL && strcmp(types[i].ending, ending) == 0) return types[i].type;
    return "text/plain";
}
