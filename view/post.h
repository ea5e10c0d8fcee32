/* The post office between what is shown and those who look: every client has a box, into which the
 * newest frame and a few texts fit. Nobody who writes ever waits for one who reads: a frame that
 * was not fetched is replaced by the next, and of texts the oldest is thrown away. */
#ifndef VIEW_POST_H
#define VIEW_POST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    POST_BOXES = 100,   /* clients at a time */
    POST_TEXTS = 32,    /* that wait in a box */
    POST_IN_FLIGHT = 2, /* frames that a client has not answered yet */
};

/* What is sent; it never changes and goes with its last owner. */
typedef struct ViewLetter ViewLetter;
struct ViewLetter {
    int refs; /* atomic */
    bool binary;
    size_t size;
    uint64_t index; /* of a frame */
    char bytes[];
};

ViewLetter *letter_make(const void *bytes, size_t size, bool binary); /* NULL: out of memory */
ViewLetter *letter_keep(ViewLetter *letter);
void letter_release(ViewLetter *letter); /* NULL is allowed */

typedef struct ViewPost ViewPost;
typedef struct ViewBox ViewBox;

ViewPost *post_create(void); /* NULL: out of memory */
void post_destroy(ViewPost *post);
/* Wakes all who wait; boxes give nothing from now on. */
void post_close(ViewPost *post);

/* A box for a client, ready for the newest frame; NULL when there are too many. */
ViewBox *post_join(ViewPost *post);
void post_leave(ViewPost *post, ViewBox *box);
size_t post_clients(ViewPost *post);

/* The newest frame, to everybody. Takes over the letter. */
void post_frame(ViewPost *post, ViewLetter *letter);
/* A frame that somebody waits for, and that is not there yet: is it worth while to make one? */
bool post_wanted(ViewPost *post);
/* A text to a box that is still there, by its number, or to all (0). */
void post_text(ViewPost *post, uint64_t box, const char *text);

uint64_t box_number(const ViewBox *box); /* from 1; no other box ever has it */
/* The client has dealt with a frame. */
void box_ready(ViewPost *post, ViewBox *box);
/* Waits for what is to be sent next, and hands it over; NULL when the post is closed or the box is
 * ended. */
ViewLetter *box_take(ViewPost *post, ViewBox *box);
/* Wakes who waits in box_take, which then gives NULL. */
void box_end(ViewPost *post, ViewBox *box);

#endif
