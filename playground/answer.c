/* What the page is told. */
#include "playground/playground.h"

Playground playground;

/* When the module is opened. */
__attribute__((constructor)) static void begin(void)
{
    playground.memory = memory_make((mote_Allocator){0});
    view_message_init(&playground.message);
}

JsonWriter *answer_begin(void)
{
    json_writer_free(&playground.json);
    playground.json = json_writer(&playground.memory);
    json_begin(&playground.json, NULL, '{');
    return &playground.json;
}

void answer_is(const void *bytes, size_t size)
{
    playground.answer = bytes, playground.answer_size = size;
}

int answer_end(int code)
{
    static const char none[] = "{\"error\": \"out of memory\"}";
    json_finish(&playground.json, '}');
    if (playground.json.failed) {
        answer_is(none, sizeof none - 1);
        return 1;
    }
    answer_is(playground.json.text, playground.json.size);
    return code;
}

int answer_error(const mote_Error *error)
{
    json_put_text(answer_begin(), "error", error->message);
    return answer_end(1);
}

EXPORT(const void *, answer_bytes, void)
{
    return playground.answer;
}

EXPORT(size_t, answer_size, void)
{
    return playground.answer_size;
}
