/* Copies of frames: complete, and independent of what they were made from. */
#include "check.h"

#include <mote/frame.h>

#include "particles/system.h"

enum { ROWS = 1000, STRIDE = 1024 };

static mote_real position[3 * STRIDE];
static uint64_t id[ROWS];

static mote_Column columns[] = {
    {.name = "id", .type = MOTE_COLUMN_U64, .components = 1, .stride = ROWS, .data = id},
    {.name = "position",
     .unit = "m",
     .stage = "emit",
     .type = MOTE_COLUMN_REAL,
     .components = 3,
     .fallback = 5,
     .stride = STRIDE,
     .data = position}};
static const mote_FrameSystem systems[] = {
    {.name = "dust", .count = ROWS, .columns = columns, .column_count = 2},
    {.name = "empty", .count = 0, .columns = columns, .column_count = 1},
    {.name = "bare"}};
static const mote_Frame frame = {.index = 9,
                                 .time = 0.25,
                                 .dt = 0.125,
                                 .dimension = 2,
                                 .up_axis = 2,
                                 .systems = systems,
                                 .system_count = 3};

static void fill(void)
{
    for (size_t i = 0; i < ROWS; ++i) {
        id[i] = i * i;
        for (size_t c = 0; c < 3; ++c) position[c * STRIDE + i] = (mote_real)(i + 10000 * c);
    }
}

static void copies_stand_alone(void)
{
    mote_Frame *copy = NULL;
    mote_Error error;
    fill();
    uint64_t hash = mote_frame_hash(&frame);
    CHECK_OK(mote_frame_copy(&frame, &copy, &error), error);
    memset(position, 0, sizeof position);
    memset(id, 0, sizeof id);
    CHECK(mote_frame_hash(&frame) != hash && mote_frame_hash(copy) == hash);
    CHECK(copy->index == 9 && copy->time == 0.25 && copy->dt == 0.125);
    CHECK(copy->dimension == 2 && copy->up_axis == 2 && copy->system_count == 3);
    const mote_FrameSystem *dust = mote_frame_system(copy, "dust");
    const mote_Column *place = mote_frame_column(dust, "position");
    CHECK(dust->name != systems[0].name && place->name != columns[1].name);
    CHECK(strcmp(place->unit, "m") == 0 && place->fallback == 5 && place->components == 3);
    for (int c = 0; c < 3; ++c) {
        CHECK((uintptr_t)column_plane(place, c) % 64 == 0);
        for (size_t i = 0; i < ROWS; ++i)
            CHECK(column_real(place, c)[i] == (mote_real)(i + 10000 * (size_t)c));
    }
    CHECK(mote_frame_system(copy, "empty")->count == 0);
    CHECK(mote_frame_system(copy, "bare")->column_count == 0);
    mote_frame_destroy(copy);
    mote_frame_destroy(NULL);
}

static void copies_of_copies(void)
{
    mote_Frame *first = NULL, *second = NULL;
    mote_Error error;
    fill();
    CHECK_OK(mote_frame_copy(&frame, &first, &error), error);
    CHECK_OK(mote_frame_copy(first, &second, &error), error);
    mote_frame_destroy(first);
    CHECK(mote_frame_hash(second) == mote_frame_hash(&frame));
    mote_frame_destroy(second);
}

TESTS({"copies_stand_alone", copies_stand_alone}, {"copies_of_copies", copies_of_copies})
