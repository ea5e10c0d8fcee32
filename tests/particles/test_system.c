/* Systems: growth, layout, removal, sorting and lookup against a naive model; failing memory. */
#include "failing.h"
#include "setup.h"

#include "particles/system.h"

static mote_System *make_system(Memory *memory)
{
    mote_System *system;
    mote_Error error;
    SETUP_OK(system_create(memory, "dust", &system, &error), error);
    return system;
}

static size_t add_rows(mote_System *system, size_t count)
{
    size_t first;
    mote_Error error;
    SETUP_OK(mote_system_add_rows(system, count, &first, &error), error);
    return first;
}

static const uint64_t *ids_of(const mote_System *system)
{
    return mote_system_column(system, "id")->data;
}

/* Writes to every plane of every column a value told by id, column and component. */
static double expected(uint64_t id, size_t column, int component)
{
    return (double)((id * 31 + column * 7 + (size_t)component) % 1000003);
}

static void stamp_rows(mote_System *system, size_t first)
{
    const uint64_t *ids = ids_of(system);
    for (size_t n = 1; n < system->column_count; ++n) {
        const mote_Column *column = &system->columns[n];
        for (int c = 0; c < column->components; ++c) {
            mote_Column plane = *column; /* one component, filled through its own type */
            char *at = column_plane(column, c);
            for (size_t i = first; i < system->count; ++i) {
                double value = expected(ids[i], n, c);
                switch (plane.type) {
                case MOTE_COLUMN_REAL:
                    ((mote_real *)at)[i] = (mote_real)value;
                    break;
                case MOTE_COLUMN_DOUBLE:
                    ((double *)at)[i] = value;
                    break;
                case MOTE_COLUMN_U32:
                    ((uint32_t *)at)[i] = (uint32_t)value;
                    break;
                case MOTE_COLUMN_U64:
                    ((uint64_t *)at)[i] = (uint64_t)value;
                    break;
                }
            }
        }
    }
}

static double value_at(const mote_Column *column, int component, size_t row)
{
    const char *at = column_plane(column, component);
    switch (column->type) {
    case MOTE_COLUMN_REAL:
        return (double)((const mote_real *)at)[row];
    case MOTE_COLUMN_DOUBLE:
        return ((const double *)at)[row];
    case MOTE_COLUMN_U32:
        return ((const uint32_t *)at)[row];
    case MOTE_COLUMN_U64:
        break;
    }
    return (double)((const uint64_t *)at)[row];
}

static void check_stamps(const mote_System *system)
{
    const uint64_t *ids = ids_of(system);
    size_t wrong = 0;
    for (size_t n = 1; n < system->column_count; ++n)
        for (int c = 0; c < system->columns[n].components; ++c)
            for (size_t i = 0; i < system->count; ++i)
                wrong += value_at(&system->columns[n], c, i) !=
                         (system->columns[n].type == MOTE_COLUMN_REAL
                              ? (double)(mote_real)expected(ids[i], n, c)
                              : expected(ids[i], n, c));
    CHECK(wrong == 0);
}

static void check_layout(const mote_System *system)
{
    for (size_t n = 0; n < system->column_count; ++n) {
        const mote_Column *column = &system->columns[n];
        size_t bytes = column->stride * column_item_size(column->type);
        CHECK(bytes % 4096 != 0 && bytes % 64 == 0);
        CHECK(column->stride >= system->count);
        for (int c = 0; c < column->components; ++c)
            CHECK((uintptr_t)column_plane(column, c) % 64 == 0);
    }
}

/* ---- growing ---- */

static void new_rows_get_fallbacks(void)
{
    Memory memory = memory_make((mote_Allocator){0});
    mote_System *system = make_system(&memory);
    system->now = 2.5;
    CHECK(add_rows(system, 3) == 0 && add_rows(system, 200) == 3);
    CHECK(mote_system_count(system) == 203 && strcmp(mote_system_name(system), "dust") == 0);
    for (size_t i = 0; i < 203; ++i) {
        CHECK(ids_of(system)[i] == i);
        CHECK(((const double *)mote_system_column(system, "birth")->data)[i] == 2.5);
        CHECK(setup_at(system, "mass", 0, i) == 1 && setup_at(system, "velocity", 2, i) == 0);
        CHECK(isinf(setup_at(system, "lifetime", 0, i)) && setup_at(system, "color", 1, i) == 1);
        CHECK(((const uint32_t *)mote_system_column(system, "group")->data)[i] == 1);
    }
    CHECK(mote_system_column(system, "colour") == NULL);
    system_destroy(system);
    CHECK(memory.bytes == 0);
}

static void growth_keeps_contents_and_layout(void)
{
    Memory memory = memory_make((mote_Allocator){0});
    mote_System *system = make_system(&memory);
    size_t sizes[] = {1, 1, 125, 1, 1, 300, 595, 1024, 2047, 1, 4096, 100, 8192, 16384, 3, 40000};
    for (size_t i = 0; i < COUNT_OF(sizes); ++i) {
        size_t first = add_rows(system, sizes[i]);
        stamp_rows(system, first);
        check_layout(system);
        check_stamps(system);
    }
    system_destroy(system);
    CHECK(memory.bytes == 0);
}

static void user_columns(void)
{
    Memory memory = memory_make((mote_Allocator){0});
    mote_System *system = make_system(&memory);
    mote_Error error = {0};
    add_rows(system, 700);
    const mote_Column columns[] = {
        {.name = "heat", .unit = "K", .type = MOTE_COLUMN_REAL, .components = 1, .fallback = 293},
        {.name = "stress", .unit = "Pa", .type = MOTE_COLUMN_REAL, .components = 9, .fallback = 2},
        {.name = "tag", .type = MOTE_COLUMN_U32, .components = 2, .fallback = 4294967295.0},
        {.name = "when", .type = MOTE_COLUMN_DOUBLE, .components = 1, .fallback = 0.1},
        {.name = "big", .type = MOTE_COLUMN_U64, .components = 1, .fallback = 9007199254740992.0},
    };
    for (size_t i = 0; i < COUNT_OF(columns); ++i) {
        CHECK_OK(mote_system_add_column(system, &columns[i], &error), error);
        const mote_Column *added = mote_system_column(system, columns[i].name);
        CHECK(added != NULL && strcmp(added->stage, "user") == 0);
        CHECK(strcmp(added->unit, columns[i].unit != NULL ? columns[i].unit : "") == 0);
        for (int c = 0; c < columns[i].components; ++c)
            CHECK(value_at(added, c, 0) == columns[i].fallback &&
                  value_at(added, c, 699) == columns[i].fallback);
    }
    stamp_rows(system, 0);
    size_t first = add_rows(system, 5000);
    CHECK(setup_at(system, "heat", 0, first) == 293);
    stamp_rows(system, first);
    check_layout(system);
    check_stamps(system);
    size_t count;
    CHECK(mote_system_columns(system, &count) != NULL && count == BUILT_IN_COLUMNS + 5);
    system_destroy(system);
    CHECK(memory.bytes == 0);
}

static void bad_columns(void)
{
    static const struct {
        mote_Column column;
        const char *text;
    } bad[] = {
        {{.name = "mass", .type = MOTE_COLUMN_REAL, .components = 1}, "mass"},
        {{.name = "none", .type = MOTE_COLUMN_REAL, .components = 0}, "components is 0"},
        {{.name = "many", .type = MOTE_COLUMN_REAL, .components = 10}, "between 1 and 9"},
        {{.name = "less", .type = MOTE_COLUMN_U32, .components = 1, .fallback = -1}, "fallback"},
        {{.name = "big", .type = MOTE_COLUMN_U32, .components = 1, .fallback = 5e9}, "fallback"},
        {{.name = "wide", .type = MOTE_COLUMN_U64, .components = 1, .fallback = 1e30}, "fallback"},
        {{.name = "odd", .type = MOTE_COLUMN_U64, .components = 1, .fallback = (double)NAN}, "odd"},
    };
    Memory memory = memory_make((mote_Allocator){0});
    mote_System *system = make_system(&memory);
    add_rows(system, 3);
    for (size_t i = 0; i < COUNT_OF(bad); ++i) {
        mote_Error error = {0};
        CHECK(mote_system_add_column(system, &bad[i].column, &error) == MOTE_BAD_VALUE);
        CHECK_MESSAGE(error, bad[i].text);
        CHECK_MESSAGE(error, "dust");
    }
    system_destroy(system);
    CHECK(memory.bytes == 0);
}

static void too_many_rows(void)
{
    Memory memory = memory_make((mote_Allocator){0});
    mote_System *system = make_system(&memory);
    mote_Error error = {0};
    size_t first;
    add_rows(system, 10);
    stamp_rows(system, 0);
    CHECK(mote_system_add_rows(system, SIZE_MAX - 5, &first, &error) == MOTE_NO_MEMORY);
    CHECK_MESSAGE(error, "dust");
    CHECK(mote_system_add_rows(system, SIZE_MAX / 600, &first, &error) == MOTE_NO_MEMORY);
    CHECK(mote_system_count(system) == 10);
    check_stamps(system);
    system_destroy(system);
    CHECK(memory.bytes == 0);
}

/* ---- removing, sorting, finding: against a list of ids ---- */

enum { MOST = 4000 };

typedef struct Model {
    uint64_t ids[MOST];
    size_t count;
    uint64_t next_id;
} Model;

static uint64_t key_of(uint64_t id)
{
    return id * 0x9e3779b97f4a7c15u >> 58; /* many ties */
}

static int by_key_then_id(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    if (key_of(x) != key_of(y)) return key_of(x) < key_of(y) ? -1 : 1;
    return x < y ? -1 : x > y;
}

static void model_add(Model *model, mote_System *system, size_t count)
{
    if (model->count + count > MOST) return;
    for (size_t i = 0; i < count; ++i) model->ids[model->count++] = model->next_id++;
    stamp_rows(system, add_rows(system, count));
}

static void model_remove(Model *model, mote_System *system, uint64_t *state, mote_Tasks *tasks)
{
    static size_t rows[MOST];
    size_t dead = 0, kept = 0;
    double share = setup_uniform(state, 0, 1) * setup_uniform(state, 0, 1);
    for (size_t i = 0; i < model->count; ++i) {
        if (setup_uniform(state, 0, 1) < share)
            rows[dead++] = i;
        else
            model->ids[kept++] = model->ids[i];
    }
    model->count = kept;
    system_remove_rows(system, rows, dead, tasks);
}

static void model_sort(Model *model, mote_System *system, Arena *arena, mote_Tasks *tasks)
{
    static uint32_t order[MOST];
    qsort(model->ids, model->count, sizeof model->ids[0], by_key_then_id);
    for (size_t i = 0; i < model->count; ++i)
        order[i] = (uint32_t)mote_system_find(system, model->ids[i]);
    CHECK(system_reorder(system, order, arena, tasks));
    arena_reset(arena);
}

static void check_model(const Model *model, mote_System *system, uint64_t *state)
{
    CHECK(mote_system_count(system) == model->count);
    size_t wrong = 0;
    for (size_t i = 0; i < model->count; ++i) wrong += ids_of(system)[i] != model->ids[i];
    CHECK(wrong == 0);
    check_stamps(system);
    for (int i = 0; i < 20; ++i) {
        uint64_t id = setup_bits(state) % (model->next_id + 2);
        size_t at = 0;
        while (at < model->count && model->ids[at] != id) ++at;
        CHECK(mote_system_find(system, id) == (at < model->count ? at : SIZE_MAX));
    }
}

static void random_operations(void)
{
    static Model model;
    Memory memory = memory_make((mote_Allocator){0});
    for (int threads = 0; threads <= 3; threads += 3) {
        mote_TasksDef def = mote_tasks_def();
        def.threads = threads;
        mote_Tasks *tasks = NULL;
        mote_Error error;
        if (threads > 0) SETUP_OK(mote_tasks_create(&def, &tasks, &error), error);
        mote_System *system = make_system(&memory);
        Arena arena = arena_make(&memory);
        uint64_t state = 12;
        model = (Model){.count = 0};
        for (int i = 0; i < 300; ++i) {
            switch (setup_bits(&state) % 5) {
            case 0:
            case 1:
                model_add(&model, system, setup_bits(&state) % 700);
                break;
            case 2:
            case 3:
                model_remove(&model, system, &state, tasks);
                break;
            default:
                model_sort(&model, system, &arena, tasks);
            }
            check_model(&model, system, &state);
        }
        CHECK(model.next_id > 10000);
        arena_free(&arena);
        system_destroy(system);
        mote_tasks_destroy(tasks);
        CHECK(memory.bytes == 0);
    }
}

/* With the order kept, and with the last rows in the places of those that are taken out. */
static void removal_edges(void)
{
    static const struct {
        size_t rows[5], count;
    } edges[] = {{{0}, 1}, {{4}, 1},          {{0, 4}, 2},       {{0, 1, 2, 3, 4}, 5}, {{1, 2}, 2},
                 {{0}, 0}, {{0, 1, 3, 4}, 4}, {{0, 2, 3, 4}, 4}, {{0, 1, 3}, 3},       {{3, 4}, 2}};
    for (size_t e = 0; e < 2 * COUNT_OF(edges); ++e) {
        const size_t *rows = edges[e / 2].rows, count = edges[e / 2].count;
        Memory memory = memory_make((mote_Allocator){0});
        mote_System *system = make_system(&memory);
        add_rows(system, 5);
        stamp_rows(system, 0);
        (e % 2 ? system_replace_rows : system_remove_rows)(system, rows, count, NULL);
        CHECK(mote_system_count(system) == 5 - count);
        for (size_t id = 0, gone = 0; id < 5; ++id) {
            const bool out = gone < count && rows[gone] == id;
            const size_t at = mote_system_find(system, id);
            CHECK(out ? at == SIZE_MAX : at < 5 - count);
            if (!out && e % 2 == 1 && id < 5 - count) CHECK(at == id); /* it stays where it is */
            gone += out;
        }
        check_stamps(system);
        CHECK(ids_of(system) != NULL && add_rows(system, 1) == 5 - count);
        CHECK(mote_system_find(system, 5) == 5 - count); /* ids are not used again */
        system_destroy(system);
        CHECK(memory.bytes == 0);
    }
}

/* ---- streams ---- */

/* Notes may tell of a death too early, not too late, and know the largest radius. */
static void check_notes(const mote_System *system)
{
    const double *birth = system->columns[COLUMN_BIRTH].data;
    const mote_real *lifetime = column_real(&system->columns[COLUMN_LIFETIME], 0);
    const mote_real *radius = column_real(&system->columns[COLUMN_RADIUS], 0);
    mote_real widest = 0;
    size_t late = 0;
    for (size_t i = 0; i < system->count; ++i) {
        late += system->notes[i / BLOCK_ROWS].earliest_death > birth[i] + (double)lifetime[i];
        widest = radius[i] > widest ? radius[i] : widest;
    }
    CHECK(late == 0 && system->radius_max == widest);
}

static void bear(mote_System *system, size_t count)
{
    size_t first;
    mote_Error error;
    SETUP_OK(system_append(system, count, &first, &error), error);
    stamp_rows(system, first);
    CHECK(system_note_new_rows(system, first));
}

/* The oldest go, and some others, as many as are born. How often the rows that stay were moved. */
static size_t flow_by(mote_System *system, size_t rounds, size_t others, uint64_t *state)
{
    size_t moves = 0;
    for (size_t round = 0; round < rounds; ++round) {
        size_t rows[60], count = 0;
        for (; count < 50; ++count) rows[count] = count;
        for (; count < 50 + others; ++count)
            rows[count] = rows[count - 1] + 2 + setup_bits(state) % 90;
        bear(system, count);
        const uint64_t *stays = ids_of(system) + 50;
        system_remove_rows(system, rows, count, NULL);
        CHECK(system->notes_valid || others > 0);
        CHECK(system_refresh_notes(system));
        check_notes(system);
        moves += ids_of(system) != stays;
    }
    return moves;
}

/* As many die as are born, who is first dies first: then rows mostly stay where they are, in the
 * memory that there is, and notes need not be made again. */
static void streams_stay_where_they_are(void)
{
    Memory memory = memory_make((mote_Allocator){0});
    mote_System *system = make_system(&memory);
    uint64_t state = 5;
    mote_Error error;
    SETUP_OK(system_reserve(system, 1500, &error), error);
    bear(system, 1000);
    (void)flow_by(system, 1, 0, &state);
    const uint64_t allocations = memory.allocations;
    size_t moves = flow_by(system, 400, 0, &state);
    CHECK(moves > 0 && moves < 400 / 7); /* room for ten rounds */
    moves = flow_by(system, 100, 7, &state);
    CHECK(moves > 0 && moves < 100 / 6);
    CHECK(memory.allocations == allocations && system->capacity == 1536);
    check_stamps(system);
    for (size_t i = 0; i < 1000; ++i) CHECK(mote_system_find(system, ids_of(system)[i]) == i);
    bear(system, 500); /* no more room behind: they go to the front once more */
    CHECK(system->ahead == 0 && system->capacity == 1536);
    bear(system, 50);
    CHECK(system->capacity > 1536);
    check_stamps(system);
    system_destroy(system);
    CHECK(memory.bytes == 0);
}

/* A block whose notes tell of a row that is gone is looked at, and then knows. */
static void blocks_know_when_they_are_asked(void)
{
    Memory memory = memory_make((mote_Allocator){0});
    mote_System *system = make_system(&memory);
    size_t first_rows[BLOCK_ROWS / 2];
    for (size_t i = 0; i < BLOCK_ROWS / 2; ++i) first_rows[i] = i;
    bear(system, 4 * BLOCK_ROWS);
    double *birth = system->columns[COLUMN_BIRTH].data;
    mote_real *lifetime = column_real(&system->columns[COLUMN_LIFETIME], 0);
    for (size_t i = 0; i < system->count; ++i) birth[i] = (double)i, lifetime[i] = 1000;
    system->notes_valid = false;
    CHECK(system_refresh_notes(system));
    CHECK(system->notes[2].earliest_death == 1000 + 2 * BLOCK_ROWS);
    system_remove_rows(system, first_rows, BLOCK_ROWS / 2, NULL);
    CHECK(system->notes[2].earliest_death == 1000 + 2 * BLOCK_ROWS); /* of its old block */
    system_note_block(system, 2);
    CHECK(system->notes[2].earliest_death == 1000 + 2 * BLOCK_ROWS + BLOCK_ROWS / 2);
    system_destroy(system);
}

/* ---- failing memory ---- */

/* A short life of a system; what fails is allowed to fail, the rest must hold. */
static void short_life(Memory *memory)
{
    static const mote_Column heat = {.name = "heat", .type = MOTE_COLUMN_REAL, .components = 3};
    mote_System *system;
    mote_Error error = {0};
    size_t first, rows[] = {1, 5, 90};
    uint32_t order[400];
    Arena arena = arena_make(memory);
    if (system_create(memory, "dust", &system, &error) != MOTE_OK) {
        CHECK(error.status == MOTE_NO_MEMORY && system == NULL && strlen(error.message) > 10);
        return;
    }
    for (size_t n = 100; n <= 300; n += 100) {
        size_t before = mote_system_count(system);
        if (mote_system_add_rows(system, 100, &first, &error) == MOTE_OK)
            stamp_rows(system, first);
        else
            CHECK(mote_system_count(system) == before);
        if (mote_system_count(system) == 100)
            (void)mote_system_add_column(system, &heat, &error), stamp_rows(system, 0);
        check_stamps(system);
    }
    if (mote_system_count(system) > 90) system_remove_rows(system, rows, 3, NULL);
    const uint32_t last = (uint32_t)mote_system_count(system) - 1;
    for (uint32_t i = 0; i < mote_system_count(system); ++i) order[i] = last - i;
    (void)system_reorder(system, order, &arena, NULL);
    check_stamps(system);
    for (uint64_t id = 0; id < 300; ++id) {
        size_t row = mote_system_find(system, id);
        CHECK(row == SIZE_MAX || ids_of(system)[row] == id);
    }
    (void)system_refresh_notes(system);
    arena_free(&arena);
    system_destroy(system);
}

static void every_allocation_may_fail(void)
{
    Failing count = {.fail_at = UINT64_MAX};
    Memory memory = memory_make(failing_allocator(&count));
    short_life(&memory);
    CHECK(count.bytes == 0 && count.requests > 20);
    for (int for_good = 0; for_good < 2; ++for_good)
        for (uint64_t n = 0; n < count.requests; ++n) {
            Failing failing = {.fail_at = n, .for_good = for_good};
            memory = memory_make(failing_allocator(&failing));
            short_life(&memory);
            CHECK(failing.bytes == 0 && memory.bytes == 0);
        }
}

/* ---- many rows ---- */

static void ten_million_rows(void)
{
#if defined(MOTE_DOUBLE) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    printf("skipped: in float without sanitizers only\n");
#else
    enum { MANY = 10000000 };
    Memory memory = memory_make((mote_Allocator){0});
    mote_System *system = make_system(&memory);
    mote_TasksDef def = mote_tasks_def();
    def.threads = 2;
    mote_Tasks *tasks;
    mote_Error error;
    SETUP_OK(mote_tasks_create(&def, &tasks, &error), error);
    add_rows(system, MANY);
    check_layout(system);
    size_t *rows = malloc(MANY / 2 * sizeof *rows), wrong = 0;
    for (size_t i = 0; i < MANY / 2; ++i) rows[i] = 2 * i;
    system_remove_rows(system, rows, MANY / 2, tasks);
    for (size_t i = 0; i < MANY / 2; ++i) wrong += ids_of(system)[i] != 2 * i + 1;
    CHECK(wrong == 0 && mote_system_count(system) == MANY / 2);
    CHECK(mote_system_find(system, 7777777) == 3888888);
    CHECK(mote_system_find(system, 7777776) == SIZE_MAX);
    free(rows);
    mote_tasks_destroy(tasks);
    system_destroy(system);
    CHECK(memory.bytes == 0);
#endif
}

TESTS({"new_rows_get_fallbacks", new_rows_get_fallbacks},
      {"growth_keeps_contents_and_layout", growth_keeps_contents_and_layout},
      {"user_columns", user_columns}, {"bad_columns", bad_columns},
      {"too_many_rows", too_many_rows}, {"random_operations", random_operations},
      {"removal_edges", removal_edges},
      {"streams_stay_where_they_are", streams_stay_where_they_are},
      {"blocks_know_when_they_are_asked", blocks_know_when_they_are_asked},
      {"every_allocation_may_fail", every_allocation_may_fail},
      {"ten_million_rows", ten_million_rows})
