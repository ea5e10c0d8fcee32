/* Numbers of frames, gathered into ranges. */
#include "run/frame_list.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void close_range(FrameList *list)
{
    enum { LONGEST_RANGE = 48 };
    char range[LONGEST_RANGE];
    const size_t used = strlen(list->text);
    const char *comma = used > 0 ? ", " : "";
    if (list->first == list->last)
        snprintf(range, sizeof range, "%s%llu", comma, (unsigned long long)list->first);
    else
        snprintf(range, sizeof range, "%s%llu to %llu", comma, (unsigned long long)list->first,
                 (unsigned long long)list->last);
    if (used + 2 * LONGEST_RANGE < sizeof list->text)
        strcat(list->text, range);
    else if (strstr(list->text, "...") == NULL)
        strcat(list->text, ", ...");
}

void frame_list_add_range(FrameList *list, uint64_t first, uint64_t last)
{
    const bool more = list->count > 0;
    list->count += last - first + 1;
    if (!more || first != list->last + 1) {
        if (more) close_range(list);
        list->first = first;
    }
    list->last = last;
}

void frame_list_add(FrameList *list, uint64_t frame)
{
    frame_list_add_range(list, frame, frame);
}

const char *frame_list_text(FrameList *list)
{
    if (list->count > 0) close_range(list);
    list->count = 0;
    return list->text;
}
