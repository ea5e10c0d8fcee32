/* How many ranks a scene wants, for `mote check`. */
#include "cli/check_ranks.h"

#include "base/text.h"

#include <mote/ranks.h>
#include <mote/world.h>

#include <stdio.h>
#include <string.h>

/* ---- whether it can be spread ---- */

/* The first of two ranks, of which there is no second: enough to make a world, which says what it
 * cannot share. */
static mote_Status keep_sums(void *context, int64_t *numbers, size_t count, mote_Error *error)
{
    (void)context, (void)numbers, (void)count, (void)error;
    return MOTE_OK;
}

static mote_Status keep_most(void *context, double *numbers, size_t count, mote_Error *error)
{
    (void)context, (void)numbers, (void)count, (void)error;
    return MOTE_OK;
}

static mote_Status keep_status(void *context, mote_Status status, mote_Error *error)
{
    (void)context, (void)error;
    return status;
}

static mote_Status no_trade(void *context, const mote_Trade *trade, mote_Error *error)
{
    (void)context, (void)trade, (void)error;
    return MOTE_UNAVAILABLE;
}

/* Up to the advice behind it. */
static void note_refusal(mote_Scene *scene, RankAdvice *advice)
{
    static const mote_Ranks two = {
        .count = 2, .sum = keep_sums, .most = keep_most, .agree = keep_status, .trade = no_trade};
    mote_World *world = NULL;
    mote_Error error = {0};
    if (mote_scene_world_on(scene, NULL, &two, &world, &error) == MOTE_UNAVAILABLE) {
        const char *end = strstr(error.message, " cannot be spread");
        const size_t length = end != NULL ? (size_t)(end - error.message) : strlen(error.message);
        snprintf(advice->refused, sizeof advice->refused, "%.*s", (int)length, error.message);
    }
    mote_world_destroy(world);
}

/* ---- how many ---- */

enum { MOST_RANKS = 1 << 16 };

/* The least that fit, doubling, and then in between. */
static mote_Status find_needed(mote_Scene *scene, uint64_t there, int *needed, mote_Error *error)
{
    int low = 0, high = 1;
    mote_SceneShare share;
    mote_Status status = mote_scene_share(scene, high, &share, error);
    while (status == MOTE_OK && share.first > there && high < MOST_RANKS) {
        low = high, high *= 2;
        status = mote_scene_share(scene, high, &share, error);
    }
    *needed = share.first > there ? 0 : high;
    while (status == MOTE_OK && *needed > 0 && high - low > 1) {
        const int middle = low + (high - low) / 2;
        status = mote_scene_share(scene, middle, &share, error);
        if (share.first > there)
            low = middle;
        else
            *needed = high = middle;
    }
    return status;
}

mote_Status ranks_advise(mote_Scene *scene, uint64_t there, bool tries, RankAdvice *advice,
                         mote_Error *error)
{
    *advice = (RankAdvice){.needed = 1, .named = 1};
    mote_Status status = mote_scene_share(scene, 1, &advice->share, error);
    if (status == MOTE_OK) status = find_needed(scene, there, &advice->needed, error);
    if (status != MOTE_OK) return status;
    const int most = advice->share.most, needed = advice->needed;
    advice->named = needed == 0 ? MOST_RANKS : needed > 1 ? needed : most;
    status = mote_scene_share(scene, advice->named, &advice->share, error);
    if (status == MOTE_OK && tries && advice->named != 1) note_refusal(scene, advice);
    return status;
}

void ranks_print_advice(const RankAdvice *advice)
{
    char each[SIZE_TEXT], first[SIZE_TEXT], drawing[SIZE_TEXT];
    size_text(advice->share.drawing, drawing);
    size_text(advice->share.memory, each);
    size_text(advice->share.first, first);
    if (advice->refused[0] != '\0')
        printf("ranks      1: %s cannot be spread\n", advice->refused);
    else if (advice->share.copied)
        printf("ranks      each needs all of that memory; they share sums over vortons alone\n");
    else if (advice->needed == 0)
        printf("ranks      no number would do: the first needs %s for columns of all particles\n",
               first);
    else if (advice->needed > 1)
        printf("ranks      %d or more, on machines such as this one", advice->needed);
    else if (advice->named > 1)
        printf("ranks      up to %d share it well", advice->named);
    else
        printf("ranks      1: it is too small for more\n");
    if (advice->refused[0] == '\0' && !advice->share.copied && advice->needed > 0 &&
        advice->named > 1)
        printf("; with %d about %s each, %s on the first%s%s%s\n", advice->named, each, first,
               advice->share.drawing > 0 ? ", and " : "", advice->share.drawing > 0 ? drawing : "",
               advice->share.drawing > 0 ? " there for pictures" : "");
}
