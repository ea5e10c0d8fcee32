/* States that no step leaves behind are refused for every solver, by the name of what is wrong; a
 * good state put back afterwards gives the same bits. */
#include "scene_text.h"
#include "small.h"
#include "world/saved.h"

#include "bodies/solver.h"

typedef struct Fixture {
    mote_Scene *scene;
    mote_World *world;
    Saved saved;        /* after two frames */
    uint64_t next_hash; /* after the third */
} Fixture;

static Fixture fixture_make(const SmallScene *small)
{
    Fixture f;
    f.world = world_of_text(small->text, &f.scene);
    for (int i = 0; i < 2; ++i) setup_step(f.world);
    f.saved = save(f.world);
    setup_step(f.world);
    f.next_hash = mote_frame_hash(mote_world_frame(f.world));
    return f;
}

static void fixture_end(Fixture *f)
{
    mote_Error error;
    CHECK_OK(mote_world_restore(f->world, f->saved.arrays, f->saved.count, &error), error);
    setup_step(f->world);
    CHECK(mote_frame_hash(mote_world_frame(f->world)) == f->next_hash);
    discard(&f->saved);
    mote_world_destroy(f->world);
    mote_scene_destroy(f->scene);
}

static mote_StateArray *find(const Fixture *f, const char *name)
{
    for (size_t i = 0; i < f->saved.count; ++i)
        if (strcmp(f->saved.arrays[i].name, name) == 0) return &f->saved.arrays[i];
    fprintf(stderr, "no %s\n", name);
    exit(2);
}

/* Puts `bytes` in the place of an element, expects a refusal that says `what`, and puts it back. */
static void refused(const Fixture *f, mote_StateArray *array, size_t at, const void *bytes,
                    const char *what)
{
    char old[8];
    mote_Error error = {MOTE_OK, ""};
    size_t item = mote_array_item_size(array->type);
    char *place = (char *)array->data + at * item;
    memcpy(old, place, item);
    memcpy(place, bytes, item);
    mote_Status status = mote_world_restore(f->world, f->saved.arrays, f->saved.count, &error);
    CHECK(status == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, what);
    memcpy(place, old, item);
}

static void numbers_are_finite(void)
{
    for (size_t s = 0; s < SMALL_COUNT; ++s) {
        Fixture f = fixture_make(&small_scenes[s]);
        for (size_t i = 0; i < f.saved.count; ++i) {
            mote_StateArray *array = &f.saved.arrays[i];
            size_t items = array->rows * (size_t)array->components;
            const double wide = (double)NAN;
            const float narrow = NAN;
            bool real = array->type == MOTE_ARRAY_F64 || array->type == MOTE_ARRAY_REAL;
            if (!real || items == 0) continue;
            bool single = mote_array_item_size(array->type) == sizeof narrow;
            const void *bytes = single ? (const void *)&narrow : &wide;
            refused(&f, array, items - 1, bytes, strrchr(array->name, '/') + 1);
        }
        fixture_end(&f);
    }
}

static void flags_are_flags(void)
{
    Fixture f = fixture_make(&small_scenes[1]);
    const unsigned char seven = 7;
    refused(&f, find(&f, "systems/jelly/ids_ascend"), 0, &seven, "systems/jelly/ids_ascend");
    refused(&f, find(&f, "links/cube/broken"), 3, &seven, "must have 0 or 1");
    fixture_end(&f);
}

static void ids_are_in_order(void)
{
    Fixture f = fixture_make(&small_scenes[1]);
    const uint64_t large = 1000, small = 1;
    refused(&f, find(&f, "systems/jelly/id"), 5, &large, "ids out of order");
    refused(&f, find(&f, "systems/jelly/id"), 5, &small, "at row 5");
    refused(&f, find(&f, "systems/jelly/next_id"), 0, &small, "ids out of order");
    fixture_end(&f);
}

static void clocks_agree(void)
{
    static const double times[] = {-1, 7, 1e300};
    Fixture f = fixture_make(&small_scenes[0]);
    const uint64_t frame = UINT64_MAX;
    for (size_t i = 0; i < COUNT_OF(times); ++i)
        refused(&f, find(&f, "world/time"), 0, &times[i], "not the time of frame 2");
    refused(&f, find(&f, "world/frame"), 0, &frame, "not the time of frame");
    fixture_end(&f);
}

static void emitters_owe_little(void)
{
    const double owed = 1e30;
    Fixture f = fixture_make(&small_scenes[0]);
    refused(&f, find(&f, "emitters/emitter-0/remainder"), 0, &owed, "owes 1e+30 births");
    fixture_end(&f);
}

/* Both would be read beyond their ends. */
static void arrays_fit_together(void)
{
    const double points = 99, cells = 1000, nobody = -97;
    Fixture bodies = fixture_make(&small_scenes[6]), air = fixture_make(&small_scenes[5]);
    CHECK(find(&bodies, "world/contacts")->rows >= CONTACT_MEMORY_VALUES);
    refused(&bodies, find(&bodies, "world/contacts"), offsetof(ContactMemory, count) / 8, &points,
            "a contact of 99 points");
    refused(&bodies, find(&bodies, "world/contacts"), 0, &nobody, "bodies that cannot be");
    refused(&air, find(&air, "solvers/vortons/grid"), 6, &cells, "do not fit together");
    fixture_end(&bodies);
    fixture_end(&air);
}

TESTS({"numbers_are_finite", numbers_are_finite}, {"flags_are_flags", flags_are_flags},
      {"ids_are_in_order", ids_are_in_order}, {"clocks_agree", clocks_agree},
      {"emitters_owe_little", emitters_owe_little}, {"arrays_fit_together", arrays_fit_together})
