/* Numbers of frames as people write them: "3, 7 to 9". */
#ifndef RUN_FRAME_LIST_H
#define RUN_FRAME_LIST_H

#include <stdint.h>

typedef struct FrameList {
    uint64_t count;
    uint64_t first, last; /* of the range that is not in the text yet */
    char text[160];
} FrameList;

/* In ascending order; from `first` to `last`. */
void frame_list_add_range(FrameList *list, uint64_t first, uint64_t last);
void frame_list_add(FrameList *list, uint64_t frame);
/* The whole text, cut with "..." when it is long; "" when there are none. */
const char *frame_list_text(FrameList *list);

#endif
