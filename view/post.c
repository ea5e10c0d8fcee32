/* Boxes of clients, behind one lock that nobody holds while bytes go over a wire. */
#include "view/post.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct ViewBox {
    uint64_t number; /* 0: free */
    bool ended;
    int in_flight;     /* frames sent and not answered */
    ViewLetter *frame; /* newest that was not taken */
    ViewLetter *texts[POST_TEXTS];
    size_t first, count; /* of texts */
    pthread_cond_t news;
};

struct ViewPost {
    pthread_mutex_t lock;
    bool closed;
    uint64_t next; /* number of a box */
    size_t clients;
    ViewLetter *newest;
    ViewBox boxes[POST_BOXES];
};

/* ---- letters ---- */

ViewLetter *letter_make(const void *bytes, size_t size, bool binary)
{
    ViewLetter *letter = malloc(sizeof *letter + size + 1);
    if (letter == NULL) return NULL;
    *letter = (ViewLetter){.refs = 1, .binary = binary, .size = size};
    memcpy(letter->bytes, bytes, size);
    letter->bytes[size] = '\0';
    return letter;
}

ViewLetter *letter_keep(ViewLetter *letter)
{
    if (letter != NULL) __atomic_add_fetch(&letter->refs, 1, __ATOMIC_RELAXED);
    return letter;
}

void letter_release(ViewLetter *letter)
{
    if (letter != NULL && __atomic_sub_fetch(&letter->refs, 1, __ATOMIC_ACQ_REL) == 0) free(letter);
}

/* ---- the office ---- */

ViewPost *post_create(void)
{
    ViewPost *post = calloc(1, sizeof *post);
    if (post == NULL) return NULL;
    pthread_mutex_init(&post->lock, NULL);
    for (size_t i = 0; i < POST_BOXES; ++i) pthread_cond_init(&post->boxes[i].news, NULL);
    return post;
}

static void box_clear(ViewBox *box)
{
    letter_release(box->frame);
    for (; box->count > 0; --box->count) {
        letter_release(box->texts[box->first]);
        box->first = (box->first + 1) % POST_TEXTS;
    }
    box->frame = NULL;
    box->number = 0;
}

void post_destroy(ViewPost *post)
{
    if (post == NULL) return;
    for (size_t i = 0; i < POST_BOXES; ++i) {
        box_clear(&post->boxes[i]);
        pthread_cond_destroy(&post->boxes[i].news);
    }
    letter_release(post->newest);
    pthread_mutex_destroy(&post->lock);
    free(post);
}

void post_close(ViewPost *post)
{
    pthread_mutex_lock(&post->lock);
    post->closed = true;
    for (size_t i = 0; i < POST_BOXES; ++i) pthread_cond_broadcast(&post->boxes[i].news);
    pthread_mutex_unlock(&post->lock);
}

ViewBox *post_join(ViewPost *post)
{
    ViewBox *box = NULL;
    pthread_mutex_lock(&post->lock);
    for (size_t i = 0; i < POST_BOXES && box == NULL && !post->closed; ++i)
        if (post->boxes[i].number == 0) box = &post->boxes[i];
    if (box != NULL) {
        box->number = ++post->next;
        box->ended = false;
        box->in_flight = 0;
        box->frame = letter_keep(post->newest);
        ++post->clients;
    }
    pthread_mutex_unlock(&post->lock);
    return box;
}

void post_leave(ViewPost *post, ViewBox *box)
{
    pthread_mutex_lock(&post->lock);
    box_clear(box);
    --post->clients;
    pthread_mutex_unlock(&post->lock);
}

size_t post_clients(ViewPost *post)
{
    pthread_mutex_lock(&post->lock);
    const size_t clients = post->clients;
    pthread_mutex_unlock(&post->lock);
    return clients;
}

void post_frame(ViewPost *post, ViewLetter *letter)
{
    pthread_mutex_lock(&post->lock);
    letter_release(post->newest);
    post->newest = letter;
    for (size_t i = 0; i < POST_BOXES; ++i) {
        ViewBox *box = &post->boxes[i];
        if (box->number == 0) continue;
        letter_release(box->frame);
        box->frame = letter_keep(letter);
        pthread_cond_signal(&box->news);
    }
    pthread_mutex_unlock(&post->lock);
}

bool post_wanted(ViewPost *post)
{
    bool wanted = false;
    pthread_mutex_lock(&post->lock);
    for (size_t i = 0; i < POST_BOXES && !wanted; ++i) {
        const ViewBox *box = &post->boxes[i];
        wanted = box->number != 0 && box->frame == NULL && box->in_flight < POST_IN_FLIGHT;
    }
    pthread_mutex_unlock(&post->lock);
    return wanted;
}

static void box_put(ViewBox *box, ViewLetter *letter)
{
    if (box->count == POST_TEXTS) {
        letter_release(box->texts[box->first]);
        box->first = (box->first + 1) % POST_TEXTS;
        --box->count;
    }
    box->texts[(box->first + box->count++) % POST_TEXTS] = letter_keep(letter);
    pthread_cond_signal(&box->news);
}

void post_text(ViewPost *post, uint64_t number, const char *text)
{
    ViewLetter *letter = letter_make(text, strlen(text), false);
    if (letter == NULL) return;
    pthread_mutex_lock(&post->lock);
    for (size_t i = 0; i < POST_BOXES; ++i) {
        ViewBox *box = &post->boxes[i];
        if (box->number != 0 && (number == 0 || box->number == number)) box_put(box, letter);
    }
    pthread_mutex_unlock(&post->lock);
    letter_release(letter);
}

/* ---- a client's side ---- */

uint64_t box_number(const ViewBox *box)
{
    return box->number;
}

void box_ready(ViewPost *post, ViewBox *box)
{
    pthread_mutex_lock(&post->lock);
    if (box->in_flight > 0) --box->in_flight;
    pthread_cond_signal(&box->news);
    pthread_mutex_unlock(&post->lock);
}

void box_end(ViewPost *post, ViewBox *box)
{
    pthread_mutex_lock(&post->lock);
    box->ended = true;
    pthread_cond_broadcast(&box->news);
    pthread_mutex_unlock(&post->lock);
}

/* Texts first: they are small, and say what the frame is. */
static ViewLetter *next_letter(ViewBox *box)
{
    ViewLetter *letter = NULL;
    if (box->count > 0) {
        letter = box->texts[box->first];
        box->first = (box->first + 1) % POST_TEXTS;
        --box->count;
    } else if (box->frame != NULL && box->in_flight < POST_IN_FLIGHT) {
        letter = box->frame;
        box->frame = NULL;
        ++box->in_flight;
    }
    return letter;
}

ViewLetter *box_take(ViewPost *post, ViewBox *box)
{
    ViewLetter *letter = NULL;
    pthread_mutex_lock(&post->lock);
    while (!post->closed && !box->ended && (letter = next_letter(box)) == NULL)
        pthread_cond_wait(&box->news, &post->lock);
    pthread_mutex_unlock(&post->lock);
    return letter;
}
