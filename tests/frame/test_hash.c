/* The hash of a frame: every part of it counts, and it is the same number on every machine. */
#include "check.h"

#include <mote/frame.h>

static mote_real places[] = {1, 2, 3};
static mote_Column columns[] = {{.name = "position", .components = 3, .stride = 1, .data = places}};
static mote_FrameSystem systems[] = {
    {.name = "dust", .count = 1, .columns = columns, .column_count = 1}};
static mote_FrameShape shapes[] = {{.name = "wall", .type = "plane", .orientation = {0, 0, 0, 1}}};
static mote_Frame frame = {.index = 7,
                           .time = 0.25,
                           .dt = 0.125,
                           .systems = systems,
                           .system_count = 1,
                           .shapes = shapes,
                           .shape_count = 1};

/* Each change alone changes the hash, and is taken back. */
#define CHANGES(what, value)                                                                       \
    do {                                                                                           \
        uint64_t before_ = mote_frame_hash(&frame);                                                \
        __typeof__(what) kept_ = what;                                                             \
        what = value;                                                                              \
        CHECK(mote_frame_hash(&frame) != before_);                                                 \
        what = kept_;                                                                              \
        CHECK(mote_frame_hash(&frame) == before_);                                                 \
    } while (0)

static void every_part_counts(void)
{
    CHANGES(frame.index, 8);
    CHANGES(frame.time, 0.5);
    CHANGES(frame.dt, 0.25);
    CHANGES(places[2], 4);
    CHANGES(systems[0].name, "sand");
    CHANGES(shapes[0].name, "door");
    CHANGES(shapes[0].type, "box");
    CHANGES(shapes[0].position[1], 1);
    CHANGES(shapes[0].orientation[0], 0.5);
    CHANGES(shapes[0].velocity[2], 1);
    CHANGES(shapes[0].spin[0], 1);
    CHANGES(shapes[0].body, true);
    CHANGES(frame.shape_count, 0);
}

/* A file does not keep the sign of a shape's zero. */
static void signs_of_zero_do_not(void)
{
    uint64_t before = mote_frame_hash(&frame);
    shapes[0].velocity[1] = -0.0;
    CHECK(mote_frame_hash(&frame) == before);
    shapes[0].velocity[1] = 0;
}

/* Nothing in it is as wide as a word of this machine. */
static void is_a_fixed_number(void)
{
    const uint64_t wanted = sizeof(mote_real) == 4 ? 0xcf8d7d8568dc09f8u : 0x11709c16b9bc3ecau;
    CHECK(mote_frame_hash(&frame) == wanted);
    if (mote_frame_hash(&frame) != wanted)
        fprintf(stderr, "  0x%016llxu\n", (unsigned long long)mote_frame_hash(&frame));
}

TESTS({"every_part_counts", every_part_counts}, {"signs_of_zero_do_not", signs_of_zero_do_not},
      {"is_a_fixed_number", is_a_fixed_number})
