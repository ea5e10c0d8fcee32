/* The page's files, which are part of the program. */
#ifndef VIEW_PAGES_H
#define VIEW_PAGES_H

typedef struct ViewPage {
    const char *name; /* "draw.js" */
    const char *text;
} ViewPage;

const ViewPage *page_find(const char *name); /* NULL when there is none */
const char *page_type(const ViewPage *page); /* "text/html" */

#endif
